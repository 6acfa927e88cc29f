//! Double-precision placements of joints.

use glam::{Affine3A, DAffine3, DMat3, DQuat, DVec3};
use rebone_model::{Character, Clip, LocalPose, StoredPose, Transform};

/// Where a joint is and how it is turned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Model-space rotation: the product of local rotations.
    pub rotation: DQuat,
    /// Model-space position.
    pub position: DVec3,
}

impl Placement {
    pub(crate) fn turned(self, turn: DQuat) -> Self {
        Self {
            rotation: turn * self.rotation,
            position: turn * self.position,
        }
    }
}

/// A local transform as a double-precision matrix.
pub(crate) fn affine(transform: &Transform) -> DAffine3 {
    DAffine3::from_scale_rotation_translation(
        transform.scale.as_dvec3(),
        unit(transform.rotation.as_dquat()),
        transform.translation.as_dvec3(),
    )
}

/// The unit quaternion; a zero one becomes the identity.
pub fn unit(rotation: DQuat) -> DQuat {
    let length = rotation.length();
    if length > 1e-12 && length.is_finite() {
        rotation * (1.0 / length)
    } else {
        DQuat::IDENTITY
    }
}

/// Height of the lowest of the joints that are wanted, their end points included; `None` where none is.
pub(crate) fn lowest(
    character: &Character,
    placements: &[Placement],
    is_wanted: impl Fn(usize) -> bool,
) -> Option<f64> {
    let joints = character.skeleton.joints().iter().enumerate();
    joints
        .filter(|(joint, _)| is_wanted(*joint))
        .flat_map(|(joint, own)| {
            let place = placements[joint];
            let end = own
                .end
                .map(|end| place.position + place.rotation * end.as_dvec3());
            [Some(place.position), end]
        })
        .flatten()
        .map(|point| point.y)
        .reduce(f64::min)
}

/// Placements of all joints of a local pose.
pub(crate) fn placements(character: &Character, pose: &LocalPose) -> Vec<Placement> {
    let mut affines: Vec<DAffine3> = Vec::with_capacity(character.skeleton.len());
    let mut result: Vec<Placement> = Vec::with_capacity(character.skeleton.len());
    for (joint, transform) in character.skeleton.joints().iter().zip(pose.transforms()) {
        let local = affine(transform);
        let local_rotation = unit(transform.rotation.as_dquat());
        let (model, rotation) = match joint.parent {
            None => (local, local_rotation),
            Some(parent) => (
                affines[parent] * local,
                unit(result[parent].rotation * local_rotation),
            ),
        };
        affines.push(model);
        result.push(Placement {
            rotation,
            position: model.translation,
        });
    }
    result
}

/// Placements in the pose in which the skins were bound, each skin brought to the units of the rest pose
/// (quantised files fold any scale into their bind matrices); joints of no skin follow their parent as in
/// the rest pose. `None` without skins.
pub(crate) fn bind_placements(character: &Character, rest: &[Placement]) -> Option<Vec<Placement>> {
    let skeleton = &character.skeleton;
    let mut bind: Vec<Option<Placement>> = vec![None; skeleton.len()];
    for skin in &character.skins {
        let mut own: Vec<Option<Placement>> = vec![None; skeleton.len()];
        for (&joint, inverse) in skin.joints.iter().zip(&skin.inverse_bind) {
            let inverse = double(inverse);
            let determinant = inverse.matrix3.determinant();
            if determinant.is_finite() && determinant.abs() > 1e-30 {
                own[joint] = placement_of(inverse.inverse());
            }
        }
        let scale = units(character, &own, rest);
        for (joint, placement) in own.into_iter().enumerate() {
            if let Some(mut placement) = placement.filter(|_| bind[joint].is_none()) {
                placement.position *= scale;
                bind[joint] = Some(placement);
            }
        }
    }
    filled(character, &bind, rest)
}

/// Placements in poses that a file stores beside the rest pose, in its units; a joint takes its place from
/// the first that has one. `None` where no pose has a place.
pub(crate) fn stored_placements(
    character: &Character,
    poses: &[StoredPose],
    rest: &[Placement],
) -> Option<Vec<Placement>> {
    let mut stored: Vec<Option<Placement>> = vec![None; character.skeleton.len()];
    for pose in poses {
        for (place, model_from_joint) in stored.iter_mut().zip(&pose.model_from_joint) {
            if place.is_none() {
                *place = model_from_joint.and_then(|affine| placement_of(double(&affine)));
            }
        }
    }
    scaled(character, stored, rest)
}

/// Placements from another file, in the units of the rest pose. `None` without any.
pub(crate) fn given_placements(
    character: &Character,
    given: &[Option<Placement>],
    rest: &[Placement],
) -> Option<Vec<Placement>> {
    let mut given = given.to_vec();
    given.resize(character.skeleton.len(), None);
    scaled(character, given, rest)
}

fn scaled(
    character: &Character,
    mut own: Vec<Option<Placement>>,
    rest: &[Placement],
) -> Option<Vec<Placement>> {
    let scale = units(character, &own, rest);
    for placement in own.iter_mut().flatten() {
        placement.position *= scale;
    }
    filled(character, &own, rest)
}

/// The known placements; other joints follow their parent as in the rest pose. `None` where none is known.
fn filled(
    character: &Character,
    known: &[Option<Placement>],
    rest: &[Placement],
) -> Option<Vec<Placement>> {
    if known.iter().all(Option::is_none) {
        return None;
    }
    let mut result: Vec<Placement> = Vec::with_capacity(known.len());
    for (index, joint) in character.skeleton.joints().iter().enumerate() {
        let placement = match (known[index], joint.parent) {
            (Some(placement), _) => placement,
            (None, None) => rest[index],
            (None, Some(parent)) => {
                let turn = unit(result[parent].rotation * rest[parent].rotation.conjugate());
                Placement {
                    rotation: unit(turn * rest[index].rotation),
                    position: result[parent].position
                        + turn * (rest[index].position - rest[parent].position),
                }
            }
        };
        result.push(placement);
    }
    Some(result)
}

fn double(affine: &Affine3A) -> DAffine3 {
    DAffine3 {
        matrix3: glam::Mat3::from(affine.matrix3).as_dmat3(),
        translation: glam::Vec3::from(affine.translation).as_dvec3(),
    }
}

/// Place and turn of a matrix; `None` where it is singular or not finite.
fn placement_of(model: DAffine3) -> Option<Placement> {
    let determinant = model.matrix3.determinant();
    let sound =
        determinant.is_finite() && determinant.abs() > 1e-30 && model.translation.is_finite();
    sound.then(|| Placement {
        rotation: rotation_of(model.matrix3),
        position: model.translation,
    })
}

/// Rest units for one unit of a bind pose: the quotient of the bones' lengths; 1 where there are none.
fn units(character: &Character, bind: &[Option<Placement>], rest: &[Placement]) -> f64 {
    let (mut bound, mut resting) = (0.0, 0.0);
    for (index, joint) in character.skeleton.joints().iter().enumerate() {
        let above = joint.parent;
        if let (Some(own), Some(parent)) = (bind[index], above.and_then(|above| bind[above])) {
            bound += own.position.distance(parent.position);
            resting += above.map_or(0.0, |above| {
                rest[index].position.distance(rest[above].position)
            });
        }
    }
    if bound > 0.0 && resting > 0.0 {
        resting / bound
    } else {
        1.0
    }
}

/// Placements at a time of a clip.
pub(crate) fn clip_placements(character: &Character, clip: &Clip, time: f32) -> Vec<Placement> {
    let pose = rebone_model::sampling::sample_clip(&character.skeleton, clip, time);
    placements(character, &pose)
}

fn rotation_of(matrix: DMat3) -> DQuat {
    let mirror = if matrix.determinant() < 0.0 {
        -1.0
    } else {
        1.0
    };
    let x = matrix.x_axis.normalize_or_zero() * mirror;
    let y = matrix.y_axis.reject_from(x).normalize_or_zero();
    if x == DVec3::ZERO || y == DVec3::ZERO {
        return DQuat::IDENTITY;
    }
    unit(DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y))))
}
