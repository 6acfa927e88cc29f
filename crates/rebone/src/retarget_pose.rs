//! Characters standing in their retarget pose, to be looked at.

use crate::alignments::{alignment, source_side};
use crate::error::Error;
use crate::overrides::with_overrides;
use crate::rig::Rig;
use glam::{DAffine3, DQuat, DVec3};
use rebone_model::{Clip, Track};
use rebone_setup::align::{Aligned, Alignment, retarget_placements};
use rebone_setup::chains::{ChainChoices, Chains};
use rebone_setup::compile::{Mapped, retarget_poses as beside};
use rebone_setup::mapping::RigMap;
use rebone_setup::recipe::{Recipe, calibrations};

/// The retarget poses of a source and a target, as a retarget with this recipe uses them. Of characters of
/// different kinds those that they have where somebody asks for chains between them.
pub fn retarget_poses(
    source: &Rig,
    target: &Rig,
    recipe: &Recipe,
) -> Result<[Alignment; 2], Error> {
    let target_map = with_overrides(target, &recipe.target)?;
    let to = alignment(target, &target_map, None, &recipe.target, recipe);
    let aligned_target = Aligned {
        character: &target.character,
        map: &target_map,
        alignment: &to,
    };
    let from = source_side(source, None, &aligned_target, target, recipe)?;
    let maps = [from.map, target_map];
    let turns = [
        calibrations(&maps[0], &recipe.source.calibration)?.0,
        calibrations(&maps[1], &recipe.target.calibration)?.0,
    ];
    let asked = recipe.chains();
    let chains = match Chains::between(&maps[0], &maps[1], asked.as_ref()) {
        Err(rebone_setup::Error::KindsDiffer { .. }) => {
            Chains::between(&maps[0], &maps[1], Some(&ChainChoices::new()))?
        }
        found => found?,
    };
    let (from, to) = beside(
        &Mapped {
            character: &source.character,
            map: &maps[0],
            meters_per_unit: from.meters_per_unit,
            alignment: &from.alignment,
            calibrations: &turns[0],
        },
        &Mapped {
            character: &target.character,
            map: &maps[1],
            meters_per_unit: target.space.meters_per_unit,
            alignment: &to,
            calibrations: &turns[1],
        },
        chains.as_ref(),
    );
    Ok([from, to])
}

/// A clip of one moment, in which the character stands in its retarget pose with the feet on the ground, in
/// the space of its file.
pub fn retarget_pose_clip(rig: &Rig, map: &RigMap, alignment: &Alignment) -> Clip {
    let skeleton = &rig.character.skeleton;
    let placed = retarget_placements(&rig.character, map, alignment);
    let file_from_canonical = alignment.canonical_from_file.conjugate();
    let mut clip = Clip::new("retarget pose", skeleton.len());
    // What the joints' places and turns become once the rest pose's scales are in them.
    let mut models: Vec<(DAffine3, DQuat)> = Vec::with_capacity(skeleton.len());
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let rotation = file_from_canonical * placed[index].rotation;
        let position = file_from_canonical * placed[index].position;
        let (above, turned) = joint
            .parent
            .map_or((DAffine3::IDENTITY, DQuat::IDENTITY), |up| models[up]);
        let local_rotation = turned.conjugate() * rotation;
        let mut local_position = above.inverse().transform_point3(position);
        if !local_position.is_finite() {
            local_position = DVec3::ZERO;
        }
        let scale = joint.rest.scale.as_dvec3();
        let local =
            DAffine3::from_scale_rotation_translation(scale, local_rotation, local_position);
        models.push((above * local, rotation));
        let tracks = &mut clip.joints[index];
        tracks.translation = Some(Track::constant(local_position.as_vec3()));
        tracks.rotation = Some(Track::constant(local_rotation.as_quat()));
    }
    clip
}
