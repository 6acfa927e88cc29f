//! Weights of blend shape channels to curves.

use super::keys::{SharedTimes, Tolerance, Values, track};
use super::nodes::Places;
use super::sources::StackSources;
use super::timing::{Range, Straight, Timing};
use glam::DVec3;
use rebone_model::{Curve, CurveTarget, Vec3};
use std::collections::BTreeMap;
use ufbx::{Anim, BlendChannel, Scene};

/// How far a straight line may be off from the curve of a weight.
const TOLERANCE: Tolerance = Tolerance {
    frames: 1e-5,
    between: 1e-3,
    step: 0.05,
};

/// Where a blend channel is found: the mesh, its name, and the channel's place among that mesh's.
struct Owner<'a> {
    mesh: usize,
    name: &'a str,
    place: usize,
}

/// The weights that a stack moves on meshes of one character.
pub(super) fn read_morphs(
    scene: &Scene,
    stack: &StackSources<'_>,
    range: &Range,
    places: &Places,
    character: usize,
) -> Vec<Curve> {
    if stack.morphs.is_empty() {
        return Vec::new();
    }
    let owners = owners(scene);
    let mut shared = SharedTimes::default();
    let mut curves = Vec::new();
    for (&channel, values) in &stack.morphs {
        let found = scene.blend_channels.as_ref().get(channel);
        let (Some(blend), Some(owner)) = (found, owners.get(&channel)) else {
            continue;
        };
        if places.character_of_mesh(scene, owner.mesh) != Some(character) {
            continue;
        }
        let values = values.iter().map(|&value| (value, Straight::Linear));
        let timing = Timing::of(values, range);
        let mut weights = Weights {
            anim: stack.anim,
            channel: blend,
        };
        let rest = Vec3::new(blend.weight as f32, 0.0, 0.0);
        let keys = track(&timing, range, TOLERANCE, rest, &mut shared, &mut weights);
        let Ok(Some(keys)) = keys else { continue };
        let name = match &*blend.element.name {
            "" => format!("morph_{}", owner.place),
            name => name.to_owned(),
        };
        let target = CurveTarget::Morph {
            mesh: owner.name.to_owned(),
            name,
        };
        let numbers = keys.values().iter().map(|value| value.x).collect();
        let times = keys.shared_times().clone();
        // The track's own checks cover those of a curve.
        curves.extend(Curve::new(target, keys.interpolation(), 1, times, numbers));
    }
    curves
}

/// Finds the mesh of each blend channel.
fn owners(scene: &Scene) -> BTreeMap<usize, Owner<'_>> {
    let mut owners = BTreeMap::new();
    for (mesh, found) in (&scene.meshes).into_iter().enumerate() {
        let node = found.element.instances.as_ref().first();
        let name = match (&*found.element.name, node) {
            ("", Some(node)) => &*node.element.name,
            (name, _) => name,
        };
        let channels = (&found.blend_deformers)
            .into_iter()
            .flat_map(|deformer| &deformer.channels);
        for (place, channel) in channels.enumerate() {
            let owner = Owner { mesh, name, place };
            owners
                .entry(channel.element.typed_id as usize)
                .or_insert(owner);
        }
    }
    owners
}

/// A weight as the first of three numbers.
struct Weights<'e> {
    anim: &'e Anim,
    channel: &'e BlendChannel,
}

impl Values<DVec3> for Weights<'_> {
    fn at(&mut self, time: f64) -> DVec3 {
        let weight = ufbx::evaluate_blend_weight(self.anim, self.channel, time);
        DVec3::new(weight, 0.0, 0.0)
    }
}
