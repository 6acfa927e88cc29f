//! Pins: what they promise, whatever the joints' axes.

use crate::again;
use crate::limits::{any_pair, compiled_with};
use glam::{DVec3, Vec3};
use rebone_model::Clip;
use rebone_model::rotation::angle_between;
use rebone_model::sampling::{sample_clip_into, sample_joint};
use rebone_runtime::stage::StageOp;
use rebone_runtime::{ClipOptions, Plan, Workspace, apply_clip, apply_pose};
use rebone_setup::pins::{Pin, PinTo};
use rebone_testkit::check::{asking, seen_at};
use rebone_testkit::oracle::degrees_between;
use rebone_testkit::random::{Generator, Keys, Motion, Rigged};

fn at(point: [f64; 3]) -> Pin {
    Pin {
        point: Some(point),
        ..pinned("hips", PinTo::Point)
    }
}

fn pinned(end: &str, to: PinTo) -> Pin {
    Pin {
        end: end.to_owned(),
        to,
        ..Pin::default()
    }
}

fn plan(source: &Rigged, target: &Rigged, clip: &Clip, pins: &[Pin]) -> Plan {
    let options = asking(|recipe| recipe.pins = pins.to_vec());
    compiled_with(source, target, clip, &options).plan
}

fn made(source: &Rigged, target: &Rigged, clip: &Clip, pins: &[Pin]) -> Clip {
    let plan = plan(source, target, clip, pins);
    apply_clip(&plan, clip, &ClipOptions::default()).unwrap()
}

/// How far a limb is stretched.
fn stretch(places: [DVec3; 3]) -> f64 {
    let [upper, lower, end] = places;
    upper.distance(end) / (upper.distance(lower) + lower.distance(end))
}

/// Hands and feet that are offset move by the offset, and keep their rotation, where the limb reaches.
#[test]
fn an_offset_moves_an_end_and_keeps_its_rotation() {
    let mut reached = 0;
    for seed in 0..12 {
        let (source, target, clip) = any_pair(seed);
        let plain = made(&source, &target, &clip, &[]);
        let size = 0.03 * target.body.height();
        for (end, parts) in [
            ("leftHand", ["leftUpperArm", "leftLowerArm"]),
            ("rightFoot", ["rightUpperLeg", "rightLowerLeg"]),
        ] {
            let pin = Pin {
                offset: [size, 0.5 * size, -size],
                ..pinned(end, PinTo::Own)
            };
            let result = made(&source, &target, &clip, &[pin]);
            for time in clip.key_times() {
                let (a, b) = (
                    seen_at(&target, &plain, time),
                    seen_at(&target, &result, time),
                );
                let index = |slot: &str| target.body.slot(slot).unwrap();
                let joint = index(end);
                let limb = [index(parts[0]), index(parts[1]), joint].map(|joint| b[joint].position);
                let off = degrees_between(a[joint].turn, b[joint].turn);
                assert!(off < 5e-3, "seed {seed}, {end}: {off} degrees");
                if (0.5..0.97).contains(&stretch(limb)) {
                    reached += 1;
                    let wanted = a[joint].position + DVec3::new(size, 0.5 * size, -size);
                    let off = b[joint].position.distance(wanted) / target.body.height();
                    assert!(off < 2e-4, "seed {seed}, {end}: {off}");
                }
            }
        }
    }
    assert!(reached > 50, "{reached}");
}

/// Hips go to a point, and feet stay where they were as far as legs reach.
#[test]
fn hips_go_to_a_point_and_feet_stay() {
    let mut stayed = 0;
    for seed in rebone_corpus::seeds(0..12) {
        let (source, target, clip) = any_pair(seed);
        let plain = made(&source, &target, &clip, &[]);
        let time = clip.key_times()[clip.key_times().len() / 2];
        let before = seen_at(&target, &plain, time);
        let index = |slot: &str| target.body.slot(slot).unwrap();
        let point = before[index("hips")].position - DVec3::Y * 0.05 * target.body.height();
        let result = made(&source, &target, &clip, &[at(point.into())]);
        let after = seen_at(&target, &result, time);
        let off = after[index("hips")].position.distance(point) / target.body.height();
        assert!(off < 2e-4, "seed {seed}: {off}");
        for side in ["left", "right"] {
            let limb = ["UpperLeg", "LowerLeg", "Foot"].map(|part| index(&format!("{side}{part}")));
            if (0.5..0.97).contains(&stretch(limb.map(|joint| after[joint].position))) {
                stayed += 1;
                let [_, _, foot] = limb;
                let off = after[foot].position.distance(before[foot].position);
                assert!(off < 2e-4 * target.body.height(), "seed {seed}: {off}");
            }
        }
    }
    assert!(stayed > 5, "{stayed}");
}

/// A pin to the source's path changes nothing where source and target are one body in two conventions.
#[test]
fn the_sources_path_of_the_same_body_is_the_own_path() {
    for seed in rebone_corpus::seeds(0..8) {
        let (source, _, _) = any_pair(seed);
        let generator = &mut Generator::new(seed);
        let target = again(generator, &source);
        let clip = source.clip(&Motion::random(generator, &source.body), Keys::Linear);
        let plain = made(&source, &target, &clip, &[]);
        let pins = ["leftHand", "rightFoot", "hips"].map(|end| pinned(end, PinTo::Source));
        let result = made(&source, &target, &clip, &pins);
        for time in clip.key_times() {
            let (a, b) = (
                seen_at(&target, &plain, time),
                seen_at(&target, &result, time),
            );
            for (a, b) in a.iter().zip(&b) {
                let off = a.position.distance(b.position) / target.body.height();
                assert!(off < 1e-3, "seed {seed}: {off}");
            }
        }
    }
}

/// A span counts in full inside, in part where it blends, and leaves the bits elsewhere; poses that are told the time are
/// those of the clip, and poses that are not are left alone.
#[test]
fn a_span_counts_for_its_time() {
    for seed in rebone_corpus::seeds(0..6) {
        let (source, target, clip) = any_pair(seed);
        let (start, end) = clip.time_span();
        let part = |share: f32| f64::from(start + (end - start) * share);
        let offset = [0.0, 0.03 * target.body.height(), 0.0];
        let always = Pin {
            offset,
            ..pinned("leftHand", PinTo::Own)
        };
        let spanned = Pin {
            from: Some(part(0.4)),
            until: Some(part(0.6)),
            blend_in: part(0.1) - part(0.0),
            blend_out: part(0.1) - part(0.0),
            ..always.clone()
        };
        let bare = plan(&source, &target, &clip, &[]);
        let full = plan(&source, &target, &clip, &[always]);
        let timed = plan(&source, &target, &clip, &[spanned]);
        let [mut plain, mut pinned, mut told, mut untold] =
            [&bare, &full, &timed, &timed].map(Workspace::new);
        let baked = apply_clip(&timed, &clip, &ClipOptions::default()).unwrap();
        let mut from = bare.source.rest_pose();
        let mut poses = vec![bare.target.rest_pose(); 4];
        for time in clip.key_times() {
            sample_clip_into(&clip, time, &mut from);
            told.set_seconds(Some(time));
            for ((plan, workspace), pose) in [&bare, &full, &timed, &timed]
                .into_iter()
                .zip([&mut plain, &mut pinned, &mut told, &mut untold])
                .zip(&mut poses)
            {
                apply_pose(plan, &from, pose, workspace);
            }
            assert_eq!(poses[3], poses[0]);
            let share = f64::from(time);
            if share < part(0.3) || share > part(0.7) {
                assert_eq!(poses[2], poses[0], "seed {seed}, {time}");
            }
            if share > part(0.4) && share < part(0.6) {
                assert_eq!(poses[2], poses[1], "seed {seed}, {time}");
            }
            for (joint, own) in poses[2].transforms().iter().enumerate() {
                let key = sample_joint(&baked.joints[joint], bare.target.rest[joint], time);
                let off = angle_between(own.rotation, key.rotation).to_degrees();
                // Rounding of a nearly straight limb is a multiple of that in its angle.
                assert!(off < 5e-3, "seed {seed}: {off}");
            }
        }
    }
}

/// A game moves the point and switches the pin off.
#[test]
fn a_workspace_sets_point_and_weight() {
    let (source, target, clip) = any_pair(3);
    let pin = at([0.0; 3]);
    let plan = plan(&source, &target, &clip, &[pin]);
    let is_pin = |stage: &rebone_runtime::stage::Stage| matches!(stage.op, StageOp::Pin(_));
    let index = plan.stages.iter().position(is_pin).unwrap();
    let mut workspace = Workspace::new(&plan);
    let (mut from, mut to) = (plan.source.rest_pose(), plan.target.rest_pose());
    sample_clip_into(&clip, 0.2, &mut from);
    let hips = target.joint_of[target.body.slot("hips").unwrap()];
    let mut place = |workspace: &mut Workspace| {
        apply_pose(&plan, &from, &mut to, workspace);
        let mut affine = glam::Affine3A::IDENTITY;
        let mut at = Some(hips);
        while let Some(joint) = at {
            affine = to.transforms()[joint].to_affine() * affine;
            at = plan.target.parents[joint];
        }
        Vec3::from(affine.translation)
    };
    let size = target.file_height() as f32;
    let point = Vec3::new(0.3, 0.4, -0.2) * size;
    let there = place(&mut workspace);
    assert!(there.length() < 1e-4 * size, "{there}");
    workspace.set_point(index, Some(point));
    assert!(place(&mut workspace).distance(point) < 1e-4 * size);
    workspace.set_stage_weight(index, 0.0);
    let free = place(&mut workspace);
    assert!(free.distance(point) > 1e-2 * size);
    workspace.set_stage_weight(index, 0.5);
    let half = place(&mut workspace);
    assert!(half.distance(free.lerp(point, 0.5)) < 1e-3 * size, "{half}");
}
