//! What is easy must be exactly right: skeletons that agree, spaces that are merely extreme, poses that were touched at
//! run time, and matrices that are written the other way (S4.3, S4.6, S4.7, S4.11).

use crate::{any_clip, any_rigged, full_body, say};
use glam::{DQuat, DVec3};
use rebone_model::rotation::angle_between;
use rebone_model::sampling::sample_clip;
use rebone_model::{Character, Mat4, NewJoint, Quat, SkeletonBuilder, Transform, Vec3};
use rebone_runtime::{Workspace, apply_pose};
use rebone_setup::align::{AlignOptions, align};
use rebone_setup::mapping::map_character;
use rebone_setup::transfer::Method;
use rebone_setup::transfer::channels::{Channel, transfer_key};
use rebone_testkit::check::{Choices, When, Worst, compiled, retarget, same_motion, times};
use rebone_testkit::oracle::degrees_between;
use rebone_testkit::random::{Container, Convention, Generator, Keys, Rigged, random_convention};

/// S4.3: where two skeletons agree, though not in the order and the names of their joints, the keys of each joint become
/// those of its partner and nothing is computed that could change them.
#[test]
fn where_skeletons_agree_the_keys_only_change_owner() {
    for seed in rebone_corpus::seeds(0..40) {
        let generator = &mut Generator::new(seed);
        let body = full_body(generator);
        let convention = random_convention(generator);
        let renamed = Convention {
            names: Some(generator.bits()),
            ..convention.clone()
        };
        let source = Rigged::new(&body, &convention);
        let target = Rigged::new(&body, &renamed);
        let clip = any_clip(generator, &source, Keys::Mixed);
        for method in [Method::ModelDelta, Method::RestDelta, Method::Channels] {
            let choices = Choices {
                method,
                ..Choices::default()
            };
            let result = retarget(&source, &target, &clip, &choices);
            for (&from, &to) in source.joint_of.iter().zip(&target.joint_of) {
                let (one, two) = (&clip.joints[from], &result.joints[to]);
                if let Some(rotation) = &one.rotation {
                    let found = two.rotation.as_ref().unwrap();
                    assert_eq!(found.times(), rotation.times());
                    for key in 0..rotation.key_count() {
                        let pair = (rotation.key_value(key), found.key_value(key));
                        let degrees = degrees_between(pair.0.as_dquat(), pair.1.as_dquat());
                        assert!(degrees < 1e-4, "{method:?}, seed {seed}: {degrees}");
                    }
                }
                if let Some(place) = &one.translation {
                    let found = two.translation.as_ref().unwrap();
                    assert_eq!(found.times(), place.times());
                    let scale = source.containers().0.matrix3.determinant().cbrt();
                    let height = (source.file_height() / scale) as f32;
                    for key in 0..place.key_count() {
                        let apart = place.key_value(key).distance(found.key_value(key));
                        assert!(apart < 1e-5 * height, "{method:?}, seed {seed}: {apart}");
                    }
                }
            }
        }
    }
}

/// S4.6: a body that lies in hundredths, thousandths or thousands below a turned armature, against one in metres that
/// stands, both ways. Containers are undone below, so all of them stand alike.
#[test]
fn extreme_spaces_above_the_skeleton_do_no_harm() {
    for method in [Method::ModelDelta, Method::Channels] {
        let mut worst = Worst::default();
        for (seed, scale) in [0.001, 0.01, 100.0, 1000.0].into_iter().enumerate() {
            let generator = &mut Generator::new(seed as u64);
            let body = full_body(generator);
            let outer = Container {
                rotation: generator.rotation(),
                scale,
                translation: DVec3::new(0.3, -0.2, 0.5),
            };
            let inner = Container {
                rotation: DQuat::from_rotation_x(-90f64.to_radians()),
                scale: 1.0,
                translation: DVec3::ZERO,
            };
            let huge = Convention {
                containers: vec![outer, inner],
                joint_axes: Some(generator.bits()),
                ..Convention::default()
            };
            let small = Convention {
                joint_axes: Some(generator.bits()),
                ..Convention::default()
            };
            let (huge, small) = (Rigged::new(&body, &huge), Rigged::new(&body, &small));
            for (source, target) in [(&huge, &small), (&small, &huge)] {
                let clip = any_clip(generator, source, Keys::Linear);
                let choices = Choices {
                    method,
                    ..Choices::default()
                };
                worst.merge(&same_motion(source, target, &clip, &choices, When::Keys));
            }
        }
        say(&format!("extreme spaces, {method:?}"), &worst);
        worst.assert_within(1e-5, 1e-4, "extreme spaces");
    }
}

/// S4.7, S1.12: the poses that a plan was made from are the files' own. Whatever was played before, and whatever stands in the
/// target's pose, the same frame gives the same bits, the plan stays as it was, and a new one is equal to it.
#[test]
fn what_was_played_before_changes_nothing() {
    for seed in rebone_corpus::seeds(0..40) {
        let generator = &mut Generator::new(seed);
        let (source, target) = (any_rigged(generator, false), any_rigged(generator, false));
        let clip = any_clip(generator, &source, Keys::Mixed);
        let choices = Choices::default();
        let plan = compiled(&source, &target, &clip, &choices).plan;
        let before = plan.clone();
        let skeleton = &source.character.skeleton;
        let frame = sample_clip(skeleton, &clip, 0.37);
        let mut fresh = plan.target.rest_pose();
        apply_pose(&plan, &frame, &mut fresh, &mut Workspace::new(&plan));

        let (mut used, mut workspace) = (plan.target.rest_pose(), Workspace::new(&plan));
        for time in times(&clip, When::Anytime) {
            let other = sample_clip(skeleton, &clip, time);
            apply_pose(&plan, &other, &mut used, &mut workspace);
        }
        for transform in used.transforms_mut() {
            *transform = Transform {
                translation: generator.vector(9.0).as_vec3(),
                rotation: generator.rotation().as_quat(),
                scale: generator.vector(3.0).as_vec3(),
            };
        }
        apply_pose(&plan, &frame, &mut used, &mut workspace);
        assert_eq!(used, fresh, "seed {seed}");
        assert_eq!(plan, before, "seed {seed}");
        let again = compiled(&source, &target, &clip, &choices).plan;
        assert_eq!(plan, again, "seed {seed}");
    }
}

/// S4.11: written for rows, with every matrix transposed, the product is the same in the reverse order:
/// L = B · (A⁻¹ · l · P_A) · P_B⁻¹.
#[test]
fn matrices_for_rows_give_the_transposed_result() {
    let mut worst = 0.0f32;
    for seed in rebone_corpus::seeds(0..200) {
        let generator = &mut Generator::new(seed);
        let mut rigid = |size: f64, scale: f32| {
            let transform = Transform {
                translation: generator.vector(size).as_vec3(),
                rotation: generator.rotation().as_quat(),
                scale: Vec3::splat(scale),
            };
            (transform, Mat4::from(transform.to_affine()))
        };
        let (_, above_source) = rigid(0.5, 0.01);
        let (rest, local_rest) = rigid(60.0, 1.0);
        let (_, above_target) = rigid(0.5, 1.0);
        let (_, local_target) = rigid(1.0, 1.0);
        let (key, _) = rigid(1.0, 1.0);
        let target = above_target * local_target;
        let animated = Transform {
            rotation: key.rotation,
            ..rest
        };
        let row = |matrix: Mat4| matrix.transpose();
        let source = above_source * local_rest;
        let local = Mat4::from(animated.to_affine());
        let rows = row(target)
            * (row(source).inverse() * row(local) * row(above_source))
            * row(above_target).inverse();
        let (_, by_rows, _) = rows.transpose().to_scale_rotation_translation();
        let found = transfer_key(
            Channel::Rotation(key.rotation),
            rest,
            above_source,
            above_target,
            target,
        );
        let Channel::Rotation(found) = found else {
            panic!("a rotation stays a rotation");
        };
        let unit: Quat = rebone_model::rotation::normalized_or_identity(by_rows);
        worst = worst.max(angle_between(found, unit));
    }
    eprintln!("rows against columns: {worst:.2e} radians");
    assert!(worst < 1e-5, "{worst}");
}

/// A body whose hips move only the joint below, and whose legs end at the shins, stands on its own floor.
#[test]
fn a_body_without_feet_is_measured_whole() {
    // The names of one known system.
    let names = [
        ("butt_bone", "", [0.0, 0.9, 0.0]),
        ("body_IK", "butt_bone", [0.0, 0.9, 0.0]),
        ("body_lower", "body_IK", [0.0, 0.9, 0.0]),
        ("body_upper", "body_lower", [0.0, 1.1, 0.0]),
        ("head", "body_upper", [0.0, 1.5, 0.0]),
        ("leg_upper.L", "body_IK", [0.1, 0.8, 0.0]),
        ("leg_lower.L", "leg_upper.L", [0.1, 0.4, 0.0]),
        ("leg_upper.R", "body_IK", [-0.1, 0.8, 0.0]),
        ("leg_lower.R", "leg_upper.R", [-0.1, 0.4, 0.0]),
        ("arm_upper.L", "body_IK", [0.2, 1.3, 0.0]),
        ("arm_lower.L", "arm_upper.L", [0.5, 1.3, 0.0]),
        ("arm_upper.R", "body_IK", [-0.2, 1.3, 0.0]),
        ("arm_lower.R", "arm_upper.R", [-0.5, 1.3, 0.0]),
    ];
    let mut builder = SkeletonBuilder::new();
    for (name, above, place) in names {
        let above = names.iter().position(|(other, ..)| *other == above);
        let from = above.map_or(Vec3::ZERO, |above| Vec3::from(names[above].2));
        let local = Transform::from_translation(Vec3::from(place) - from);
        builder.add(NewJoint::new(name, above, local));
    }
    let character = Character {
        skeleton: builder.build().unwrap().0,
        ..Character::default()
    };
    let map = map_character(&character);
    assert_eq!(map.joint_named("hips"), Some(1), "{:?}", map.slots);
    let measures = align(&character, &map, &[], &AlignOptions::default()).measures;
    // Shins are as long as thighs.
    assert!((measures.leg - 0.8).abs() < 1e-6, "{measures:?}");
    assert!((measures.hips_height - 0.9).abs() < 1e-6 && measures.floor.abs() < 1e-6);
}
