//! Synthetic characters for the tests.

use glam::{Affine3A, Quat, Vec3};
use rebone_model::Clamp as _;
use rebone_model::elementary::{Elementary as _, Turn as _};
use rebone_model::{
    Character, Clip, Interpolation, JointTracks, Mesh, NewJoint, SkeletonBuilder, Skin, Track,
    Transform,
};

/// A tube 2 m high and 0.2 m wide on two joints, at 0 m and 1 m; upright, closed.
pub(crate) fn tube() -> Character {
    let mut builder = SkeletonBuilder::new();
    let low = builder.add(NewJoint::new("low", None, Transform::IDENTITY));
    let mut upper = NewJoint::new("high", Some(low), Transform::from_translation(Vec3::Y));
    upper.end = Some(Vec3::Y);
    builder.add(upper);
    let (skeleton, _) = builder.build().unwrap();
    let mut mesh = Mesh {
        name: "tube".into(),
        skin: Some(0),
        ..Mesh::default()
    };
    let (rings, around) = (21u32, 12u32);
    for ring in 0..rings {
        let height = 2.0 * ring as f32 / (rings - 1) as f32;
        for step in 0..around {
            let (sin, cos) = (std::f32::consts::TAU * step as f32 / around as f32).sine_cosine();
            mesh.positions.push(Vec3::new(0.1 * sin, height, 0.1 * cos));
            mesh.normals.push(Vec3::new(sin, 0.0, cos));
            let share = ((height - 0.8) / 0.4).clamped(0.0, 1.0);
            mesh.joint_slots.push([0, 1, 0, 0]);
            mesh.joint_weights.push([1.0 - share, share, 0.0, 0.0]);
        }
    }
    for ring in 0..rings - 1 {
        for step in 0..around {
            let (a, b) = (ring * around + step, ring * around + (step + 1) % around);
            let (c, d) = (a + around, b + around);
            mesh.indices.extend([a, b, c, b, d, c]);
        }
    }
    Character {
        name: "tube".into(),
        skeleton,
        skins: vec![Skin {
            name: "skin".into(),
            joints: vec![0, 1],
            inverse_bind: vec![Affine3A::IDENTITY, Affine3A::from_translation(Vec3::NEG_Y)],
        }],
        meshes: vec![mesh],
        ..Character::default()
    }
}

/// One second in which the upper half of the tube bends by 90 degrees towards `direction` (+1: -X).
pub(crate) fn bend(direction: f32) -> Clip {
    let turn = Quat::about_z(direction * std::f32::consts::FRAC_PI_2);
    let mut clip = Clip::new("bend", 2);
    clip.joints[1] = JointTracks {
        rotation: Some(
            Track::new(
                Interpolation::Linear,
                [0.0, 1.0].into(),
                vec![Quat::IDENTITY, turn],
            )
            .unwrap(),
        ),
        ..JointTracks::default()
    };
    clip
}
