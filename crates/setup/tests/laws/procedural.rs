//! Spacing (S4.10) and gaze (S3.6, S4.12): what they promise, whatever the joints' axes.

use crate::limits::{any_pair, compiled_with};
use glam::{DQuat, DVec3};
use rebone_model::sampling::sample_clip_into;
use rebone_runtime::{ClipOptions, Workspace, apply_clip, apply_pose};
use rebone_setup::procedural::{LookAt, Spacing};
use rebone_testkit::check::{asking, seen_at, transfer_alone};
use rebone_testkit::oracle::degrees_between;
use rebone_testkit::random::{
    BodyOptions, Generator, Keys, Motion, Rigged, random_body, random_convention,
};

/// Each limb turns by δ · (d × o), so a hanging one by δ; hands, feet and everything else keep their rotations.
#[test]
fn spacing_turns_limbs_outwards_and_nothing_else() {
    let spacing = Spacing {
        arms: 12.0,
        legs: -4.0,
    };
    let mut most = 0.0f64;
    for seed in 0..12 {
        let (source, target, clip) = any_pair(seed);
        let plain = transfer_alone();
        let spread = asking(|recipe| recipe.target.spacing = Some(spacing));
        let [plain, spread] = [plain, spread].map(|options| {
            let plan = compiled_with(&source, &target, &clip, &options).plan;
            apply_clip(&plan, &clip, &ClipOptions::default()).unwrap()
        });
        for time in clip.key_times() {
            let (before, after) = (
                seen_at(&target, &plain, time),
                seen_at(&target, &spread, time),
            );
            let index = |slot: &str| target.body.slot(slot).unwrap();
            for (upper, lower, degrees, is_leg) in [
                ("UpperArm", "LowerArm", spacing.arms, false),
                ("UpperLeg", "LowerLeg", spacing.legs, true),
            ] {
                for (side, sign) in [("left", 1.0), ("right", -1.0)] {
                    let [upper, lower] = [upper, lower].map(|part| index(&format!("{side}{part}")));
                    let along =
                        (before[lower].position - before[upper].position).normalize_or_zero();
                    let trunk = if is_leg {
                        index("hips")
                    } else {
                        last_torso(&target)
                    };
                    let out = before[trunk].turn * (DVec3::X * sign);
                    let vector = along.cross(out) * degrees.to_radians();
                    let wanted = DQuat::from_scaled_axis(vector);
                    let off = degrees_between(after[upper].turn, wanted * before[upper].turn);
                    assert!(off < 2e-3, "seed {seed}: {off}");
                    most = most.max(vector.length().to_degrees());
                }
            }
            for slot in [
                "leftHand",
                "rightHand",
                "leftFoot",
                "rightFoot",
                "head",
                "hips",
            ] {
                let off = degrees_between(after[index(slot)].turn, before[index(slot)].turn);
                assert!(off < 2e-3, "seed {seed}, {slot}: {off}");
            }
        }
    }
    assert!(most > 5.0, "some arm is not out sideways: {most}");
}

fn last_torso(rigged: &Rigged) -> usize {
    ["upperChest", "chest", "spine"]
        .into_iter()
        .find_map(|slot| rigged.body.slot(slot))
        .unwrap()
}

fn wide() -> LookAt {
    LookAt {
        yaw: 150.0,
        pitch: [90.0, 90.0],
        eyes: 0.0,
        ..LookAt::default()
    }
}

/// With room to turn, a head looks at the point to a tenth of a degree, in rigs of any axes, units and stance of the file;
/// held in its range it turns no further than that and its soft zone.
#[test]
fn heads_look_at_the_point() {
    let (mut seen_points, mut held) = (0, 0);
    for seed in 0..15 {
        let generator = &mut Generator::new(seed);
        let options = BodyOptions::random(generator, true);
        let body = random_body(generator, &options);
        let source = Rigged::new(&body, &random_convention(generator));
        let target = Rigged::new(&body, &super::limits::t_pose(generator));
        let clip = source.clip(&Motion::random(generator, &body), Keys::Linear);
        let point = DVec3::new(
            generator.between(-2.0, 2.0),
            generator.between(0.5, 2.5),
            3.0,
        );
        let chest = last_torso(&target);
        let head = target.body.slot("head").unwrap();
        for narrow in [false, true] {
            let look = LookAt {
                point: Some(point.to_array()),
                ..wide()
            };
            let look = match narrow {
                false => look,
                true => LookAt {
                    yaw: 30.0,
                    pitch: [20.0, 20.0],
                    ..look
                },
            };
            let options = asking(|recipe| recipe.target.look_at = Some(look));
            let plan = compiled_with(&source, &target, &clip, &options).plan;
            let made = apply_clip(&plan, &clip, &ClipOptions::default()).unwrap();
            for time in clip.key_times() {
                let seen = seen_at(&target, &made, time);
                let body_axes = seen[chest].turn.conjugate();
                let way = (point - seen[head].position).normalize_or_zero();
                let (gaze, own_way) = (seen[head].turn * DVec3::Z, body_axes * way);
                let off = gaze.angle_between(way).to_degrees();
                // Where the point is before the body and neither the point nor the gaze is near straight up.
                let plain = apply_clip_plain(&source, &target, &clip, time, head, chest);
                let clear = |v: DVec3| v.x.hypot(v.z) > 0.55;
                if !clear(own_way) || !clear(plain) || own_way.z < -0.3 {
                    continue;
                }
                if !narrow {
                    assert!(off < 0.1, "seed {seed} at {time}: {off} degrees");
                    seen_points += 1;
                } else {
                    let gaze = body_axes * gaze;
                    let yaw = gaze.x.atan2(gaze.z).to_degrees();
                    assert!(yaw.abs() < 40.1, "seed {seed} at {time}: {yaw}");
                    held += usize::from(off > 1.0);
                }
            }
        }
    }
    assert!(seen_points > 50 && held > 50, "{seen_points} {held}");
}

/// Where the head looks without any gaze, in the chest's axes.
fn apply_clip_plain(
    source: &Rigged,
    target: &Rigged,
    clip: &rebone_model::Clip,
    time: f32,
    head: usize,
    chest: usize,
) -> DVec3 {
    let plan = compiled_with(source, target, clip, &transfer_alone()).plan;
    let made = apply_clip(&plan, clip, &ClipOptions::default()).unwrap();
    let seen = seen_at(target, &made, time);
    seen[chest].turn.conjugate() * (seen[head].turn * DVec3::Z)
}

/// The point may be set for each character at run time; without one nothing happens.
#[test]
fn a_workspace_sets_the_point() {
    let (source, target, clip) = any_pair(3);
    let look_at = Some(wide());
    let at_run_time = asking(|recipe| recipe.target.look_at = look_at);
    let point = [0.5, 1.4, 2.0];
    let compiled_in = asking(|recipe| {
        recipe.target.look_at = look_at.map(|look| LookAt {
            point: Some(point),
            ..look
        });
    });
    let [open, fixed, plain] = [at_run_time, compiled_in, transfer_alone()]
        .map(|options| compiled_with(&source, &target, &clip, &options));
    let place = open.target.canonical_from_file.conjugate() * DVec3::from_array(point);
    let place = (place * target.convention.units).as_vec3();
    let pose = |plan, point| {
        let mut workspace = Workspace::new(plan);
        workspace.set_point(0, point);
        let (mut from, mut to) = (plan.source.rest_pose(), plan.target.rest_pose());
        sample_clip_into(&clip, 0.3, &mut from);
        apply_pose(plan, &from, &mut to, &mut workspace);
        to
    };
    assert_eq!(pose(&open.plan, None), pose(&plain.plan, None));
    assert_ne!(pose(&open.plan, Some(place)), pose(&plain.plan, None));
    assert_eq!(pose(&open.plan, Some(place)), pose(&fixed.plan, None));
}
