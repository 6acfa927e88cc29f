//! Layers: bind-relative keys (S3.13), additive clips, blending.

use crate::{again, any_clip, any_rigged, full_body};
use rebone_model::rotation::angle_between;
use rebone_model::sampling::sample_joint;
use rebone_model::{Clip, JointTracks, LocalPose, Quat, Transform, Vec3};
use rebone_runtime::layers::{
    absolute_clip, add_clips, add_pose, added, blend_clips, blend_poses, difference, relative_clip,
    retarget_layer,
};
use rebone_runtime::{ClipOptions, RotationOp, apply_clip};
use rebone_testkit::check::{Choices, When, compiled, times};
use rebone_testkit::random::{Generator, Keys, Rigged, random_convention};

fn rest(rigged: &Rigged) -> Vec<Transform> {
    let joints = rigged.character.skeleton.joints().iter();
    joints.map(|joint| joint.rest).collect()
}

/// The worst angle (degrees) and distance (of the largest rest translation) between two clips at some times.
fn apart(rest: &[Transform], one: &Clip, two: &Clip, at: &[f32]) -> (f32, f32) {
    let lengths = rest.iter().map(|local| local.translation.length());
    let size = lengths.fold(0.0, f32::max);
    let mut worst = (0.0f32, 0.0f32);
    for &time in at {
        for (joint, &rest) in rest.iter().enumerate() {
            let a = sample_joint(&one.joints[joint], rest, time);
            let b = sample_joint(&two.joints[joint], rest, time);
            worst.0 = worst
                .0
                .max(angle_between(a.rotation, b.rotation).to_degrees());
            worst.1 = worst.1.max(a.translation.distance(b.translation) / size);
        }
    }
    worst
}

#[test]
fn a_clip_told_against_its_rest_pose_and_back_is_the_clip_between_keys_too() {
    for seed in rebone_corpus::seeds(0..20) {
        let generator = &mut Generator::new(seed);
        let rigged = any_rigged(generator, true);
        let clip = any_clip(generator, &rigged, Keys::Mixed);
        let rest = rest(&rigged);
        let layer = relative_clip(&clip, &rest, &rest);
        let back = absolute_clip(&layer, &rest);
        let off = apart(&rest, &clip, &back, &times(&clip, When::Anytime));
        assert!(off.0 < 1e-4 && off.1 < 1e-5, "seed {seed}: {off:?}");
        for (own, made) in clip.joints.iter().zip(&layer.joints) {
            let keys = |tracks: &JointTracks| {
                let track = tracks.rotation.as_ref()?;
                Some((track.interpolation(), track.key_count()))
            };
            assert_eq!(keys(own), keys(made), "keys stay keys");
        }
        let nothing = relative_clip(&Clip::new("", rest.len()), &rest, &rest);
        assert!(nothing.joints.iter().all(JointTracks::is_empty));
    }
}

#[test]
fn a_difference_makes_the_second_of_the_first() {
    for seed in rebone_corpus::seeds(0..20) {
        let generator = &mut Generator::new(seed);
        let rigged = any_rigged(generator, true);
        let [one, two] = std::array::from_fn(|_| any_clip(generator, &rigged, Keys::Linear));
        for time in [0.0, 0.3, 0.77] {
            for (joint, &rest) in rest(&rigged).iter().enumerate() {
                let [a, b] = [&one, &two].map(|clip| sample_joint(&clip.joints[joint], rest, time));
                let layer = difference(a, b);
                assert!(angle_between(added(a, layer, 1.0).rotation, b.rotation) < 2e-6);
                assert_eq!(added(a, layer, 0.0), a);
                let halves = added(added(a, layer, 0.5), layer, 0.5);
                assert!(angle_between(halves.rotation, b.rotation) < 4e-6);
            }
        }
    }
}

#[test]
fn layers_and_blends_without_weight_leave_every_bit_and_agree_with_poses() {
    for seed in rebone_corpus::seeds(0..20) {
        let generator = &mut Generator::new(seed);
        let rigged = any_rigged(generator, true);
        let rest = rest(&rigged);
        let base = any_clip(generator, &rigged, Keys::Linear);
        let layer = any_clip(generator, &rigged, Keys::Mixed);
        let delta = relative_clip(&layer, &rest, &rest);
        assert_eq!(add_clips(&base, &delta, &rest, 0.0).unwrap(), base);
        let all = |weight: f32| vec![weight; rest.len()];
        assert_eq!(blend_clips(&base, &layer, &rest, &all(0.0)).unwrap(), base);
        assert_eq!(
            blend_clips(&base, &layer, &rest, &all(1.0)).unwrap().joints,
            layer.joints
        );
        let pose = |clip: &Clip, rest: &[Transform], time: f32| {
            let local = |joint: usize| sample_joint(&clip.joints[joint], rest[joint], time);
            LocalPose::new((0..rest.len()).map(local).collect())
        };
        let weights: Vec<f32> = (0..rest.len()).map(|j| [0.0, 0.4, 1.0][j % 3]).collect();
        let sum = add_clips(&base, &delta, &rest, 0.7).unwrap();
        let mix = blend_clips(&base, &layer, &rest, &weights).unwrap();
        let still = vec![Transform::IDENTITY; rest.len()];
        for time in base.key_times() {
            let mut added = pose(&base, &rest, time);
            add_pose(&mut added, &pose(&delta, &still, time), 0.7);
            let mut blended = pose(&base, &rest, time);
            blend_poses(&mut blended, &pose(&layer, &rest, time), &weights);
            for (joint, &rest) in rest.iter().enumerate() {
                for (made, wanted) in [(&sum, &added), (&mix, &blended)] {
                    let at = sample_joint(&made.joints[joint], rest, time).rotation;
                    let off = angle_between(wanted.transforms()[joint].rotation, at);
                    assert!(off < 3e-6, "seed {seed}, joint {joint}: {off}");
                }
            }
        }
    }
}

/// δ' = C⁻¹ · δ · C for every joint that follows one joint, between any conventions; travel is left out.
#[test]
fn a_retargeted_layer_is_the_sources_in_the_targets_axes() {
    let mut worst = 0.0f32;
    for seed in rebone_corpus::seeds(0..20) {
        let generator = &mut Generator::new(seed);
        let (source, target) = (any_rigged(generator, true), any_rigged(generator, true));
        let clip = any_clip(generator, &source, Keys::Linear);
        let delta = relative_clip(&clip, &rest(&source), &rest(&source));
        let plan = compiled(&source, &target, &clip, &Choices::default()).plan;
        let made = retarget_layer(&plan, &delta, &ClipOptions::default()).unwrap();
        let hips = plan.travel.unwrap().target;
        assert!(made.joints[hips].translation.is_none(), "no travel");
        for (joint, op) in plan.rotations.iter().enumerate() {
            let RotationOp::Model { source: own, frame } = *op else {
                continue;
            };
            // Where the parents follow each other too.
            let (Some(above), Some(wanted)) =
                (plan.target.parents[joint], plan.source.parents[own])
            else {
                continue;
            };
            if !matches!(plan.rotations[above], RotationOp::Model { source, .. } if source == wanted)
            {
                continue;
            }
            for &time in &clip.key_times() {
                let at = |clip: &Clip, joint: usize| {
                    sample_joint(&clip.joints[joint], Transform::IDENTITY, time).rotation
                };
                let wanted: Quat = frame.conjugate() * at(&delta, own) * frame;
                worst = worst.max(angle_between(wanted, at(&made, joint)).to_degrees());
            }
        }
    }
    eprintln!("layers: {worst:.2e} degrees");
    assert!(worst < 1e-3, "{worst}");
}

/// One body in two conventions: base and layer retargeted apart and then added turn every joint as their sum does.
#[test]
fn adding_before_and_behind_the_retarget_is_the_same() {
    for seed in rebone_corpus::seeds(0..20) {
        let generator = &mut Generator::new(seed);
        let source = Rigged::new(&full_body(generator), &random_convention(generator));
        let target = again(generator, &source);
        let base = any_clip(generator, &source, Keys::Linear);
        let layer = any_clip(generator, &source, Keys::Linear);
        let (from, to) = (rest(&source), rest(&target));
        let delta = relative_clip(&layer, &from, &from);
        let plan = compiled(&source, &target, &base, &Choices::default()).plan;
        let options = ClipOptions::default();
        let before = apply_clip(
            &plan,
            &add_clips(&base, &delta, &from, 0.6).unwrap(),
            &options,
        )
        .unwrap();
        let made = apply_clip(&plan, &base, &options).unwrap();
        let behind = add_clips(
            &made,
            &retarget_layer(&plan, &delta, &options).unwrap(),
            &to,
            0.6,
        )
        .unwrap();
        let off = apart(&to, &before, &behind, &base.key_times());
        assert!(off.0 < 2e-3, "seed {seed}: {off:?}");
    }
}

/// S4.8: a source that was scaled as a whole to fit the target moves it as before: rotations do not look at lengths, and
/// travel is told in the body's own measure.
#[test]
fn a_source_fitted_by_size_moves_the_target_the_same() {
    for seed in rebone_corpus::seeds(0..20) {
        let generator = &mut Generator::new(seed);
        let (source, target) = (any_rigged(generator, true), any_rigged(generator, true));
        let factor = generator.between(0.5, 2.0);
        let fitted = Rigged::new(&source.body.clone().scaled(factor), &source.convention);
        let clip = any_clip(generator, &source, Keys::Linear);
        let hips = source.joint_of[source.body.slot("hips").unwrap()];
        let container = source.containers().0;
        let grown = |value: Vec3| {
            let place = container.transform_point3(value.as_dvec3()) * factor;
            container.inverse().transform_point3(place).as_vec3()
        };
        let mut large = clip.clone();
        let track = clip.joints[hips].translation.as_ref();
        large.joints[hips].translation = track.map(|track| track.map_linear(grown));
        let of = |rigged: &Rigged, clip: &Clip| {
            let plan = compiled(rigged, &target, clip, &Choices::default()).plan;
            apply_clip(&plan, clip, &ClipOptions::default()).unwrap()
        };
        let (own, other) = (of(&source, &clip), of(&fitted, &large));
        let off = apart(&rest(&target), &own, &other, &clip.key_times());
        assert!(off.0 < 1e-3 && off.1 < 1e-4, "seed {seed}: {off:?}");
    }
}

/// S4.8: so does one whose arms, trunk and head were stretched towards the target's; only legs and hips tell size.
#[test]
fn a_source_with_stretched_limbs_moves_the_target_the_same() {
    for seed in rebone_corpus::seeds(0..20) {
        let generator = &mut Generator::new(seed);
        let (source, target) = (any_rigged(generator, true), any_rigged(generator, true));
        let mut body = source.body.clone();
        let keys = ["Arm", "Hand", "Thumb", "Index", "Middle", "Ring", "Little"];
        let stretch = generator.between(0.6, 1.6);
        for own in &mut body.joints {
            // From the shoulder outwards along the arm.
            let is_arm =
                keys.iter().any(|key| own.key.contains(key)) && !own.key.contains("UpperArm");
            if is_arm {
                let side = if own.key.starts_with("left") {
                    "leftUpperArm"
                } else {
                    "rightUpperArm"
                };
                let shoulder = source.body.position(side);
                own.position = shoulder + (own.position - shoulder) * stretch;
            }
        }
        let fitted = Rigged::new(&body, &source.convention);
        let clip = any_clip(generator, &source, Keys::Linear);
        let of = |rigged: &Rigged| {
            let plan = compiled(rigged, &target, &clip, &Choices::default()).plan;
            apply_clip(&plan, &clip, &ClipOptions::default()).unwrap()
        };
        let off = apart(
            &rest(&target),
            &of(&source),
            &of(&fitted),
            &clip.key_times(),
        );
        assert!(off.0 < 1e-3 && off.1 < 1e-5, "seed {seed}: {off:?}");
    }
}
