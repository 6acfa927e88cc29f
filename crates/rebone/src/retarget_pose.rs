//! Characters standing in their retarget pose, to be looked at.

use crate::alignments::alignment;
use crate::error::Error;
use crate::retargeting::with_overrides;
use crate::rig::Rig;
use glam::{DAffine3, DQuat, DVec3};
use rebone_core::align::{Aligned, Alignment, align_pair, calibrate, retarget_placements};
use rebone_core::mapping::RigMap;
use rebone_core::recipe::{Recipe, calibrations};
use rebone_model::{Clip, Track};

/// The retarget poses of a source and a target, as a retarget with this recipe uses them.
pub fn retarget_poses(
    source: &Rig,
    target: &Rig,
    recipe: &Recipe,
) -> Result<[Alignment; 2], Error> {
    let maps = [
        with_overrides(source, &recipe.source)?,
        with_overrides(target, &recipe.target)?,
    ];
    let from = alignment(source, &maps[0], None, &recipe.source, recipe).into_owned();
    let to = alignment(target, &maps[1], None, &recipe.target, recipe).into_owned();
    let paired = align_pair(
        &Aligned {
            character: &source.character,
            map: &maps[0],
            alignment: &from,
        },
        &Aligned {
            character: &target.character,
            map: &maps[1],
            alignment: &to,
        },
    );
    let mut poses = [from, paired];
    for ((pose, map), side) in poses
        .iter_mut()
        .zip(&maps)
        .zip([&recipe.source, &recipe.target])
    {
        calibrate(pose, map, &calibrations(map, &side.calibration)?.0);
    }
    Ok(poses)
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
