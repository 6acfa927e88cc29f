//! The last look at what goes out: numbers that every reader accepts.
//!
//! Computing with finite numbers may still overflow, and a product of rotations may lose its length. What a file would
//! then hold, no program could read.

use crate::character::Character;
use crate::clip::{Clip, JointTracks};
use crate::skeleton::Skeleton;
use crate::skin::Mesh;
use crate::track::{Interpolation, Track, TrackValue};
use crate::usable::{is_usable, is_usable_vector};
use glam::Quat;

/// How far the squared length of a rotation may be from 1.
const UNIT_TOLERANCE: f32 = 2e-3;

/// A number that must not be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unusable {
    /// Name of the clip; `None` for the character itself.
    pub clip: Option<String>,
    /// Index of the joint; `None` for what belongs to no joint.
    pub joint: Option<usize>,
    /// What it is: `a translation is not finite or beyond 1e18`.
    pub what: &'static str,
}

impl Unusable {
    /// A sentence that names the clip and, by the skeleton that it belongs to, the joint.
    pub fn describe(&self, skeleton: &Skeleton) -> String {
        let joint = self.joint.filter(|&joint| joint < skeleton.len());
        let joint = joint.map(|joint| format!("joint \"{}\"", skeleton.unique_name(joint)));
        let clip = self.clip.as_ref().map(|clip| format!("clip \"{clip}\""));
        let place: Vec<String> = clip.into_iter().chain(joint).collect();
        match place.is_empty() {
            true => format!("{} in the character", self.what),
            false => format!("{} in {}", self.what, place.join(", ")),
        }
    }
}

/// Checks that a clip's values are usable and that its rotations are unit. Its times are, by the type of its tracks.
///
/// # Errors
///
/// The first number that must not be written.
pub fn check_clip(clip: &Clip) -> Result<(), Unusable> {
    let problem = |joint, what| Unusable {
        clip: Some(clip.name.clone()),
        joint,
        what,
    };
    for (joint, tracks) in clip.joints.iter().enumerate() {
        check_joint(tracks).map_err(|what| problem(Some(joint), what))?;
    }
    for curve in &clip.curves {
        if !curve.values().iter().all(|value| is_usable(*value)) {
            return Err(problem(
                None,
                "a value of a curve is not finite or beyond 1e18",
            ));
        }
    }
    Ok(())
}

fn check_joint(tracks: &JointTracks) -> Result<(), &'static str> {
    fn all_usable<V: TrackValue>(track: &Option<Track<V>>) -> bool {
        let values = track.as_ref().map_or(&[][..], Track::values);
        values
            .iter()
            .fold(true, |all, value| all & value.is_usable())
    }
    if !all_usable(&tracks.translation) {
        return Err("a translation is not finite or beyond 1e18");
    }
    if !all_usable(&tracks.scale) {
        return Err("a scale is not finite or beyond 1e18");
    }
    let Some(track) = &tracks.rotation else {
        return Ok(());
    };
    // What has the length 1 is finite: only where it has not, and for tangents, that is asked.
    let are_unit = match track.interpolation() {
        Interpolation::CubicSpline => {
            let keys = track.values().iter().skip(1).step_by(3);
            keys.fold(true, |all, key| all & is_unit(*key)) && all_usable(&tracks.rotation)
        }
        Interpolation::Step | Interpolation::Linear => {
            let keys = track.values().iter();
            keys.fold(true, |all, key| all & is_unit(*key))
        }
    };
    match are_unit {
        true => Ok(()),
        false if all_usable(&tracks.rotation) => Err("a rotation has not the length 1"),
        false => Err("a rotation is not finite"),
    }
}

fn is_unit(rotation: Quat) -> bool {
    (rotation.length_squared() - 1.0).abs() <= UNIT_TOLERANCE
}

/// A mesh as a reader may give it: normals, texture coordinates and colours that are not finite, which only change how
/// it is shaded, become zero. `None` where a position is not usable.
pub fn usable_mesh(mut mesh: Mesh) -> Option<Mesh> {
    if !mesh.positions.iter().copied().all(is_usable_vector) {
        return None;
    }
    let numbers = mesh.normals.iter_mut().flat_map(AsMut::<[f32; 3]>::as_mut);
    let numbers = numbers.chain(mesh.uvs.iter_mut().flat_map(AsMut::<[f32; 2]>::as_mut));
    let numbers = numbers.chain(mesh.colors.as_flattened_mut());
    for number in numbers.filter(|number| !number.is_finite()) {
        *number = 0.0;
    }
    Some(mesh)
}

/// Checks a character that is to be written: rest pose, skins, meshes and clips.
///
/// # Errors
///
/// The first number that must not be written.
pub fn check_character(character: &Character) -> Result<(), Unusable> {
    let problem = |joint, what| Unusable {
        clip: None,
        joint,
        what,
    };
    for (index, joint) in character.skeleton.joints().iter().enumerate() {
        if !joint.rest.is_usable() {
            let what = "the rest transform is not finite or beyond 1e18";
            return Err(problem(Some(index), what));
        }
        if !is_unit(joint.rest.rotation) {
            return Err(problem(
                Some(index),
                "the rest rotation has not the length 1",
            ));
        }
    }
    let mut matrices = character.skins.iter().flat_map(|skin| &skin.inverse_bind);
    if !matrices.all(glam::Affine3A::is_finite) {
        return Err(problem(None, "an inverse bind matrix is not finite"));
    }
    let mut positions = character.meshes.iter().flat_map(|mesh| &mesh.positions);
    if !positions.all(|position| is_usable_vector(*position)) {
        return Err(problem(None, "a vertex is not finite or beyond 1e18"));
    }
    character.clips.iter().try_for_each(check_clip)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skeleton_builder::{NewJoint, SkeletonBuilder};
    use crate::transform::Transform;
    use glam::Vec3;

    fn clip(rotation: Quat, place: Vec3) -> Clip {
        let mut clip = Clip::new("walk", 1);
        let times = || [0.0].into();
        clip.joints[0].rotation = Track::computed(Interpolation::Linear, times(), vec![rotation]);
        clip.joints[0].translation = Track::computed(Interpolation::Linear, times(), vec![place]);
        clip
    }

    #[test]
    fn what_no_reader_accepts_is_found() {
        assert_eq!(check_clip(&clip(Quat::IDENTITY, Vec3::X)), Ok(()));
        for (rotation, place, what) in [
            (Quat::IDENTITY, Vec3::X * f32::NAN, "a translation"),
            (Quat::IDENTITY, Vec3::X * 1e19, "a translation"),
            (Quat::IDENTITY * 2.0, Vec3::X, "a rotation has not"),
            (Quat::IDENTITY * f32::INFINITY, Vec3::X, "a rotation is not"),
            (Quat::IDENTITY * 0.0, Vec3::X, "a rotation has not"),
        ] {
            let found = check_clip(&clip(rotation, place)).unwrap_err();
            assert!(found.what.starts_with(what), "{found:?}");
        }
    }

    #[test]
    fn the_message_names_clip_and_joint() {
        let mut builder = SkeletonBuilder::new();
        builder.add(NewJoint::new("hips", None, Transform::IDENTITY));
        let (skeleton, _) = builder.build().unwrap();
        let mut character = Character {
            skeleton,
            clips: vec![clip(Quat::IDENTITY, Vec3::INFINITY)],
            ..Character::default()
        };
        let found = check_character(&character).unwrap_err();
        assert_eq!(
            found.describe(&character.skeleton),
            "a translation is not finite or beyond 1e18 in clip \"walk\", joint \"hips\""
        );
        character.clips.clear();
        assert_eq!(check_character(&character), Ok(()));
    }

    #[test]
    fn meshes_keep_usable_positions_only() {
        let mesh = |position: Vec3, other: f32| Mesh {
            positions: vec![position],
            normals: vec![Vec3::new(0.0, other, 1.0)],
            uvs: vec![glam::Vec2::new(other, 0.5)],
            colors: vec![[1.0, other, 1.0, 1.0]],
            ..Mesh::default()
        };
        let made = usable_mesh(mesh(Vec3::ONE, f32::NAN)).unwrap();
        assert_eq!(made, mesh(Vec3::ONE, 0.0));
        assert_eq!(usable_mesh(mesh(Vec3::Y, 0.5)), Some(mesh(Vec3::Y, 0.5)));
        for position in [Vec3::NAN, Vec3::X * 1e19] {
            assert_eq!(usable_mesh(mesh(position, 0.0)), None);
        }
    }
}
