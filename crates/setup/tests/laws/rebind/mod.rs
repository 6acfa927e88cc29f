//! A re-based skin (S0.4 to S0.8): the source's own rotations move it as the retarget moves the target.

mod links;
mod places;

use crate::{any_clip, full_body};
use glam::{Affine3A, DAffine3, DMat3, DQuat, DVec3, Vec3};
use rebone_model::sampling::sample_clip;
use rebone_model::{Clip, LocalPose, Mesh, Skeleton, Skin, Transform};
use rebone_runtime::{ClipOptions, apply_clip};
use rebone_setup::compile::Compiled;
use rebone_setup::rebind::{
    PlaceKeys, Rebound, RetargetedBind, rebind, rebound_character, rebound_clip,
};
use rebone_testkit::check::{Choices, compiled};
use rebone_testkit::random::{
    Body, BodyOptions, Generator, Keys, Rigged, random_body, random_convention,
};

/// Bound of a skinned vertex, of the target's height. The requirement is 1e-4.
const BOUND: f64 = 1e-5;

/// A target with a skin that was bound in some other pose, and a cloud of vertices around its joints.
struct Case {
    source: Rigged,
    target: Rigged,
    clip: Clip,
    compiled: Compiled,
    bind: RetargetedBind,
    rebound: Rebound,
}

impl Case {
    fn new(generator: &mut Generator, source: Rigged, mut target: Rigged, keys: Keys) -> Self {
        let clip = any_clip(generator, &source, keys);
        add_skin(generator, &mut target);
        let compiled = compiled(&source, &target, &clip, &Choices::default());
        let bind = rebind(&compiled);
        let rebound =
            rebound_character(&source.character.skeleton, &target.character, &bind).unwrap();
        Self {
            source,
            target,
            clip,
            compiled,
            bind,
            rebound,
        }
    }

    fn rebound_clip(&self, keys: PlaceKeys) -> Clip {
        let skeleton = &self.source.character.skeleton;
        let (compiled, bind) = (&self.compiled, &self.bind);
        rebound_clip(skeleton, &self.clip, compiled, bind, &self.rebound, keys).unwrap()
    }

    /// The farthest that a vertex is from where the retarget has it, of the height. With `from_hips`, both
    /// are seen from the hips.
    fn worst(&self, keys: PlaceKeys, from_hips: bool) -> f64 {
        let made = apply_clip(&self.compiled.plan, &self.clip, &ClipOptions::default()).unwrap();
        let own = self.rebound_clip(keys);
        let (new, old) = (&self.rebound.character, &self.target.character);
        let travel = self.compiled.plan.travel.unwrap();
        let hips = self.rebound.joint_of_node[self.bind.hips.unwrap()];
        let mut worst = 0.0f64;
        for time in self.clip.key_times() {
            let a = affines(&new.skeleton, &sample_clip(&new.skeleton, &own, time));
            let b = affines(&old.skeleton, &sample_clip(&old.skeleton, &made, time));
            let off = if from_hips {
                a[hips].translation - b[travel.target].translation
            } else {
                DVec3::ZERO
            };
            let one = skinned(&new.skins[0], &new.meshes[0], &a);
            let two = skinned(&old.skins[0], &old.meshes[0], &b);
            for (vertex, (one, two)) in one.zip(two).enumerate() {
                // What stands still does not travel with the hips.
                let stands = |&slot: &u16| {
                    let joint = old.skins[0].joints[usize::from(slot)];
                    self.bind.rebind.joints[joint].node == 0
                };
                if from_hips && old.meshes[0].joint_slots[vertex].iter().any(stands) {
                    continue;
                }
                worst = worst.max((one - two - off).length() / self.target.file_height());
            }
        }
        worst
    }
}

fn add_skin(generator: &mut Generator, target: &mut Rigged) {
    let skeleton = &target.character.skeleton;
    let height = target.file_height();
    // Bound in a pose of its own: every joint turned and moved.
    let turned = skeleton.joints().iter().map(|joint| {
        let mut local = joint.rest;
        local.rotation *= DQuat::from_scaled_axis(generator.vector(0.6)).as_quat();
        local.translation *= generator.between(0.9, 1.1) as f32;
        local
    });
    let bind = affines(skeleton, &LocalPose::new(turned.collect()));
    let joints: Vec<usize> = target.joint_of.clone();
    let inverse = |&joint: &usize| bind[joint].inverse().as_affine3a();
    let inverse_bind: Vec<Affine3A> = joints.iter().map(inverse).collect();
    let mut mesh = Mesh {
        skin: Some(0),
        ..Mesh::default()
    };
    for _ in 0..150 {
        let slots = [(); 4].map(|()| generator.below(joints.len()) as u16);
        let place = bind[joints[usize::from(slots[0])]].translation;
        let place = place + generator.vector(0.1 * height);
        mesh.positions.push(place.as_vec3());
        let weights = [(); 4].map(|()| generator.between(0.01, 1.0) as f32);
        let sum: f32 = weights.iter().sum();
        mesh.joint_slots.push(slots);
        mesh.joint_weights.push(weights.map(|weight| weight / sum));
    }
    target.character.skins = vec![Skin {
        name: "skin".to_owned(),
        joints,
        inverse_bind,
    }];
    target.character.meshes = vec![mesh];
}

fn affines(skeleton: &Skeleton, pose: &LocalPose) -> Vec<DAffine3> {
    let mut result: Vec<DAffine3> = Vec::new();
    for (joint, local) in skeleton.joints().iter().zip(pose.transforms()) {
        let local = matrix(local);
        result.push(joint.parent.map_or(local, |parent| result[parent] * local));
    }
    result
}

fn matrix(local: &Transform) -> DAffine3 {
    let rotation = local.rotation.as_dquat();
    DAffine3 {
        matrix3: DMat3::from_quat(rotation * (1.0 / rotation.length()))
            * DMat3::from_diagonal(local.scale.as_dvec3()),
        translation: local.translation.as_dvec3(),
    }
}

fn skinned<'a>(
    skin: &'a Skin,
    mesh: &'a Mesh,
    model: &'a [DAffine3],
) -> impl Iterator<Item = DVec3> + 'a {
    mesh.positions
        .iter()
        .enumerate()
        .map(move |(vertex, place)| {
            let slots = mesh.joint_slots[vertex]
                .iter()
                .zip(mesh.joint_weights[vertex]);
            slots
                .map(|(&slot, weight)| {
                    let slot = usize::from(slot);
                    let moved = model[skin.joints[slot]] * skin.inverse_bind[slot].as_daffine3();
                    moved.transform_point3(place.as_dvec3()) * f64::from(weight)
                })
                .sum()
        })
}

fn same(body: Body) -> Body {
    body
}

fn law(what: &str, one: impl Fn(Body) -> Body, other: impl Fn(Body) -> Body) {
    let mut worst = 0.0f64;
    for seed in rebone_corpus::seeds(0..24) {
        let generator = &mut Generator::new(seed);
        let (mut a, mut b) = (full_body(generator), full_body(generator));
        if seed % 2 == 0 {
            (a, b) = (one(a), other(b));
        } else {
            (a, b) = (other(a), one(b));
        }
        let source = Rigged::new(&a, &random_convention(generator));
        let target = Rigged::new(&b, &random_convention(generator));
        let case = Case::new(generator, source, target, Keys::Mixed);
        assert!(case.bind.shared_out.is_empty(), "{what}, seed {seed}");
        let found = case.worst(PlaceKeys::Fitted, false);
        assert!(found <= BOUND, "{what}, seed {seed}: {found:.2e}");
        let raw = case.worst(PlaceKeys::Raw, true);
        assert!(raw <= BOUND, "{what}, seed {seed}, raw: {raw:.2e}");
        worst = worst.max(found).max(raw);
    }
    eprintln!("rebind, {what}: {worst:.2e} of the height");
}

/// Must hold for any axes, units, containers (0.01, Z-up), stances and bind poses (S0.3, S0.7, S0.8).
#[test]
fn raw_rotations_move_the_skin_as_a_retarget_does() {
    law("same joints", same, same);
}

/// Joints that only one side has (S0.2), in line and as leaves.
#[test]
fn missing_and_extra_joints_change_nothing() {
    let bare = |body: Body| body.without("leftShoulder").without("rightShoulder");
    law("clavicles", bare, same);
    let toes = |body: Body| body.without("leftToes").without("rightToes");
    law("toes", toes, same);
    law("neck", |body: Body| body.without("neck0"), same);
    let more = |body: Body| {
        body.with_joint_above("twist", "leftLowerArm", 0.5)
            .with_joint_above("pelvis", "leftUpperLeg", 0.3)
            .with_joint_above("belt", "spine0", 0.5)
            .with_leaf("tail", "hips", DVec3::new(0.0, 0.0, -0.2))
            .with_leaf("tip", "tail", DVec3::new(0.0, 0.0, -0.2))
            .with_joint_above("root", "hips", 0.0)
    };
    law("joints in line and leaves", more, same);
}

/// A joint that carries several and is missing in the target is there once for each of them.
#[test]
fn a_missing_chest_is_there_once_for_each_branch() {
    let more = |body: Body| body.with_joint_above("belt", "leftShoulder", 0.0);
    law("joint above a shoulder", more, same);
    for seed in rebone_corpus::seeds(0..8) {
        let generator = &mut Generator::new(seed);
        let target = full_body(generator);
        let target = (0..3).fold(target, |body, index| body.without(&format!("spine{index}")));
        let source = Rigged::new(&full_body(generator), &random_convention(generator));
        let target = Rigged::new(&target, &random_convention(generator));
        let case = Case::new(generator, source, target, Keys::Linear);
        let spine = case.source.joint_of[case.source.body.find("spine1").unwrap()];
        let nodes = case.bind.rebind.nodes.iter();
        let copies = nodes.filter(|node| node.source == Some(spine)).count();
        assert_eq!(copies, 3, "neck and both shoulders");
        let found = case.worst(PlaceKeys::Fitted, false);
        assert!(found <= BOUND, "seed {seed}: {found:.2e}");
    }
}

/// A torso cut otherwise is bent joint by joint: the limbs still turn exactly, only places differ.
#[test]
fn torsos_of_other_lengths_keep_the_turns() {
    for (from, to) in [(3, 1), (1, 3), (5, 3), (2, 4)] {
        let generator = &mut Generator::new(from * 10 + to);
        let mut body = |spine: u64| {
            let spine = spine as usize;
            random_body(
                generator,
                &BodyOptions {
                    spine,
                    ..BodyOptions::default()
                },
            )
        };
        let (a, b) = (body(from), body(to));
        let source = Rigged::new(&a, &random_convention(generator));
        let target = Rigged::new(&b, &random_convention(generator));
        let case = Case::new(generator, source, target, Keys::Linear);
        let expected = if to == 1 { 0 } else { to as usize - 1 };
        assert_eq!(case.bind.shared_out.len(), expected, "all but the last");
        let found = case.worst(PlaceKeys::Fitted, true);
        eprintln!("rebind, spine {from} onto {to}: {found:.2e} of the height");
        let made = apply_clip(&case.compiled.plan, &case.clip, &ClipOptions::default()).unwrap();
        let own = case.rebound_clip(PlaceKeys::Fitted);
        let (new, old) = (
            &case.rebound.character.skeleton,
            &case.target.character.skeleton,
        );
        for time in case.clip.key_times() {
            let a = affines(new, &sample_clip(new, &own, time));
            let b = affines(old, &sample_clip(old, &made, time));
            for (joint, bound) in case.bind.rebind.joints.iter().enumerate() {
                let is_trunk = case.bind.shared_out.contains(&joint);
                if !bound.is_driven || is_trunk {
                    continue;
                }
                let node = bound.node;
                let frame = bound.node_from_joint.as_daffine3();
                let moved = a[case.rebound.joint_of_node[node]] * frame;
                let off = moved.matrix3 * b[joint].matrix3.inverse() - DMat3::IDENTITY;
                let most = off
                    .to_cols_array()
                    .iter()
                    .fold(0.0f64, |m, x| m.max(x.abs()));
                assert!(most < 2e-5, "{from} onto {to}, joint {joint}: {most:.2e}");
            }
        }
    }
}
