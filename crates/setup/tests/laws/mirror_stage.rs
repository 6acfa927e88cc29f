//! The mirror inside a retarget (S3.5) and as a switch at run time (S3.11): what it shows, that twice is once too
//! often, and what it leaves alone.

use crate::mirror::{compare, in_the_mirror, other_key};
use crate::{any_clip, any_rigged, say};
use glam::DQuat;
use rebone_model::curve::CurveTarget;
use rebone_model::sampling::{sample_clip, sample_clip_into};
use rebone_model::{Clip, Curve, Interpolation, JointKind, Transform};
use rebone_runtime::asset::{Asset, AssetRig, read_asset, write_asset};
use rebone_runtime::stage::{Mirror, Stage, StageOp, begins_with_other_foot, mirror_in_place};
use rebone_runtime::{ClipOptions, Plan, Workspace, apply_clip, apply_pose};
use rebone_setup::align::{AlignOptions, Correction, align};
use rebone_setup::compile::CompileOptions;
use rebone_setup::mirror::{MirrorChoice, asymmetry_degrees, find_twins, mirror_clip, mirror_for};
use rebone_setup::root_motion::{RootMode, RootMotion};
use rebone_testkit::check::{When, Worst, asking, compiled_as, pose_at, seen_at, times};
use rebone_testkit::oracle::degrees_between;
use rebone_testkit::random::{Generator, Keys, Rigged};
use std::sync::Arc;

fn plan_with(source: &Rigged, target: &Rigged, clip: &Clip, options: &CompileOptions) -> Plan {
    compiled_as(source, target, clip, Correction::default(), options).plan
}

fn mirror(choice: MirrorChoice) -> CompileOptions {
    asking(|recipe| recipe.mirror = choice)
}

fn any_pair(seed: u64, keys: Keys) -> (Rigged, Rigged, Clip) {
    let generator = &mut Generator::new(seed);
    let (source, target) = (any_rigged(generator, false), any_rigged(generator, false));
    let clip = any_clip(generator, &source, keys);
    (source, target, clip)
}

fn mirror_of(plan: &Plan) -> &Mirror {
    match &plan.stages[plan.mirror_stage().unwrap()].op {
        StageOp::Mirror(mirror) => mirror,
        _ => panic!("that is the number of the mirror"),
    }
}

/// Must show 3: any joint axes, source and target.
#[test]
fn a_mirrored_retarget_is_the_retarget_in_the_mirror() {
    let mut worst = Worst::default();
    for seed in rebone_corpus::seeds(1000..1100) {
        let keys = [Keys::Linear, Keys::Cubic, Keys::Step, Keys::Mixed][seed as usize % 4];
        let (source, target, clip) = any_pair(seed, keys);
        let [plain, mirrored] = [MirrorChoice::Off, MirrorChoice::On].map(|choice| {
            let plan = plan_with(&source, &target, &clip, &mirror(choice));
            apply_clip(&plan, &clip, &ClipOptions::default()).unwrap()
        });
        for time in times(&plain, When::Anytime) {
            let [before, after] = [&plain, &mirrored].map(|clip| seen_at(&target, clip, time));
            compare(&target, &before, &after, time, &mut worst);
        }
        // Keys go through the mirror as they are: no track is baked that was none.
        let plan = plan_with(&source, &target, &clip, &mirror(MirrorChoice::On));
        for (joint, tracks) in mirrored.joints.iter().enumerate() {
            let twin = mirror_of(&plan).joints[joint].unwrap().twin;
            if let (Some(before), Some(after)) = (&plain.joints[twin].rotation, &tracks.rotation) {
                assert_eq!(before.times(), after.times());
                assert_eq!(before.interpolation(), after.interpolation());
            }
        }
    }
    say("mirror in a retarget", &worst);
    worst.assert_within(2e-6, 2e-4, "mirror in a retarget");
}

/// S3.11: one plan, one asset; the workspace switches, frame by frame, and off leaves every bit.
#[test]
fn the_switch_shows_either_motion_without_a_new_asset() {
    for seed in rebone_corpus::seeds(1200..1220) {
        let (source, target, clip) = any_pair(seed, Keys::Linear);
        let plain = plan_with(&source, &target, &clip, &mirror(MirrorChoice::Off));
        let ready = plan_with(&source, &target, &clip, &mirror(MirrorChoice::Ready));
        let on = plan_with(&source, &target, &clip, &mirror(MirrorChoice::On));
        let options = ClipOptions::default();
        assert_eq!(
            apply_clip(&plain, &clip, &options).unwrap(),
            apply_clip(&ready, &clip, &options).unwrap()
        );
        let ready = through_a_file(&ready);
        let stage = ready.mirror_stage().unwrap();
        let mut spaces = [&plain, &ready, &on].map(Workspace::new);
        let mut from = ready.source.rest_pose();
        for (frame, time) in clip.key_times().into_iter().enumerate() {
            sample_clip_into(&clip, time, &mut from);
            let is_on = frame % 3 == 0;
            spaces[1].set_stage_weight(stage, f32::from(u8::from(is_on)));
            let plans = [&plain, &ready, &on].into_iter().zip(&mut spaces);
            let [off, switched, on]: [_; 3] = plans
                .map(|(plan, space)| {
                    let mut to = plan.target.rest_pose();
                    apply_pose(plan, &from, &mut to, space);
                    to
                })
                .collect::<Vec<_>>()
                .try_into()
                .unwrap();
            assert_eq!(switched, if is_on { on } else { off }, "seed {seed}");
        }
    }
}

fn through_a_file(plan: &Plan) -> Plan {
    let side = |rig: &rebone_runtime::Rig| AssetRig {
        joints: (0..rig.len()).map(|joint| joint.to_string()).collect(),
        kinds: vec![JointKind::Joint; rig.len()],
        meters_per_unit: 1.0,
        ..AssetRig::default()
    };
    let asset = Asset {
        source: side(&plan.source),
        target: side(&plan.target),
        plan: plan.clone(),
        rebind: None,
    };
    read_asset(&write_asset(&asset).unwrap()).unwrap().plan
}

/// Must show 3, for stages, poses and clips: also where the closed form does not hold.
#[test]
fn two_mirrors_are_none() {
    let mut worst = Worst::default();
    for seed in rebone_corpus::seeds(1300..1340) {
        let (source, target, clip) = any_pair(seed, Keys::Linear);
        let plain = plan_with(&source, &target, &clip, &mirror(MirrorChoice::Off));
        let mut twice = plan_with(&source, &target, &clip, &mirror(MirrorChoice::On));
        let mut second = mirror_of(&twice).clone();
        if seed % 2 == 0 {
            for joint in second.joints.iter_mut().flatten() {
                joint.is_local = false;
            }
        }
        twice.stages.push(Stage {
            weight: 1.0,
            op: StageOp::Mirror(second),
        });
        let options = ClipOptions::default();
        let [one, two] = [&plain, &twice].map(|plan| apply_clip(plan, &clip, &options).unwrap());
        let rig = &plain.target;
        for time in times(&one, When::Keys) {
            let [a, b] = [&one, &two].map(|clip| seen_at(&target, clip, time));
            for (index, (a, b)) in a.iter().zip(&b).enumerate() {
                let apart = a.position.distance(b.position) / target.body.height();
                let key = &target.body.joints[index].key;
                worst.add(apart, degrees_between(a.turn, b.turn), || key.clone());
            }
            let pose = sample_clip(&target.character.skeleton, &one, time);
            let mut again: Vec<Transform> = pose.transforms().to_vec();
            let mirror = mirror_of(&twice);
            let mut scratch = vec![0.0; mirror.scratch()];
            mirror_in_place(mirror, rig, &mut again, &mut scratch);
            mirror_in_place(mirror, rig, &mut again, &mut scratch);
            for (a, b) in pose.transforms().iter().zip(&again) {
                let degrees = degrees_between(a.rotation.as_dquat(), b.rotation.as_dquat());
                worst.add(0.0, degrees, || "a pose".to_owned());
            }
        }
    }
    say("two mirrors", &worst);
    worst.assert_within(2e-6, 1e-4, "two mirrors");
}

/// The mirror in model space where the twins' parents are no twins: a hand that does what the foot of the other side does.
#[test]
fn twins_that_hang_from_anything_do_what_the_mirror_shows() {
    let mut worst = Worst::default();
    for seed in rebone_corpus::seeds(1400..1430) {
        let generator = &mut Generator::new(seed);
        let rigged = any_rigged(generator, true);
        let clip = any_clip(generator, &rigged, Keys::Linear);
        let (character, body) = (&rigged.character, &rigged.body);
        let alignment = align(character, &rigged.map, &[], &AlignOptions::default());
        let (mut twins, _) = find_twins(character, &rigged.map, &alignment);
        let [hand, foot] = ["leftHand", "rightFoot"].map(|key| body.find(key).unwrap());
        twins.pair(rigged.joint_of[hand], rigged.joint_of[foot]);
        let mirror = mirror_for(character, &alignment, &twins);
        assert!(mirror.scratch() > 0);
        let mirrored = mirror_clip(character, &mirror, &clip);
        let twice = mirror_clip(character, &mirror, &mirrored);
        let canonical = alignment.canonical_from_file;
        // Where the arms hang like the legs, the rest pose passes for its own mirror image.
        let is_symmetric = asymmetry_degrees(character, &alignment, &twins) <= 8.0;
        let standing = |joint: usize| match is_symmetric {
            true => alignment.reference[joint].rotation,
            false => alignment.retarget_rotation(joint),
        };
        for time in times(&clip, When::Keys) {
            let [before, after, again] =
                [&clip, &mirrored, &twice].map(|clip| pose_at(&rigged, clip, time));
            let [hand, foot] = [hand, foot].map(|key| rigged.joint_of[key]);
            for (joint, twin) in [(hand, foot), (foot, hand)] {
                let delta = canonical * before[twin].rotation * standing(twin).conjugate();
                let seen = DQuat::from_xyzw(delta.x, -delta.y, -delta.z, delta.w);
                let wanted = canonical.conjugate() * seen * standing(joint);
                let name = || format!("{} of {seed}", character.skeleton.unique_name(joint));
                let off = degrees_between(wanted, after[joint].rotation);
                worst.add(0.0, off, name);
                let back = degrees_between(before[joint].rotation, again[joint].rotation);
                worst.add(0.0, back, name);
            }
        }
    }
    say("odd twins", &worst);
    worst.assert_within(0.0, 2e-4, "odd twins");
}

/// What carries the travel sees the mirrored path: bodies are where the mirror shows them, whoever carries them.
#[test]
fn root_motion_carries_the_mirrored_path() {
    let mut worst = Worst::default();
    for seed in rebone_corpus::seeds(1500..1520) {
        let generator = &mut Generator::new(seed);
        let rigged = any_rigged(generator, true);
        let rooted = rigged.body.clone().with_joint_above("root", "hips", 0.0);
        let target = Rigged::new(&rooted, &rigged.convention);
        let clip = any_clip(generator, &rigged, Keys::Linear);
        let with = |mirror: MirrorChoice, mode: RootMode| {
            let options = asking(|recipe| {
                recipe.mirror = mirror;
                recipe.root_motion = RootMotion {
                    mode,
                    ..RootMotion::default()
                };
            });
            let plan = plan_with(&rigged, &target, &clip, &options);
            apply_clip(&plan, &clip, &ClipOptions::default()).unwrap()
        };
        let plain = with(MirrorChoice::Off, RootMode::Hips);
        let extracted = with(MirrorChoice::On, RootMode::Extract);
        for time in times(&clip, When::Keys) {
            let [before, after] = [&plain, &extracted].map(|clip| seen_at(&target, clip, time));
            for (index, joint) in target.body.joints.iter().enumerate() {
                if joint.key == "root" {
                    continue;
                }
                let twin = target.body.find(&other_key(&joint.key)).unwrap();
                let (wanted, found) = (in_the_mirror(&before[twin]), &after[index]);
                let apart = wanted.position.distance(found.position) / target.body.height();
                let degrees = degrees_between(wanted.turn, found.turn);
                worst.add(apart, degrees, || joint.key.clone());
            }
        }
    }
    say("mirrored root motion", &worst);
    worst.assert_within(2e-5, 2e-3, "mirrored root motion");
}

/// S3.12: sided morph targets and expressions change sides, in both forms of a clip, and only where the mirror is on.
#[test]
fn the_face_changes_sides() {
    let (source, target, mut clip) = any_pair(1600, Keys::Linear);
    let curve = |name: &str| {
        let target = CurveTarget::Morph {
            mesh: "Face".to_owned(),
            name: name.to_owned(),
        };
        let times = Arc::from([0.0, 1.0]);
        Curve::new(target, Interpolation::Linear, 1, times, vec![0.0, 1.0]).unwrap()
    };
    clip.curves = vec![curve("eyeBlinkLeft"), curve("jawOpen")];
    for (choice, expected) in [
        (MirrorChoice::On, "eyeBlinkRight"),
        (MirrorChoice::Ready, "eyeBlinkLeft"),
    ] {
        let plan = plan_with(&source, &target, &clip, &mirror(choice));
        for rate_hz in [None, Some(30.0)] {
            let made = apply_clip(
                &plan,
                &clip,
                &ClipOptions {
                    rate_hz,
                    ..ClipOptions::default()
                },
            )
            .unwrap();
            let names: Vec<&str> = made
                .curves
                .iter()
                .map(|curve| match curve.target() {
                    CurveTarget::Morph { name, .. } => name.as_str(),
                    _ => "",
                })
                .collect();
            assert_eq!(names, [expected, "jawOpen"]);
        }
    }
}

/// S3.11: the foot that is ahead says whether the clip or its mirror image goes on better.
#[test]
fn the_lead_of_the_feet_is_turned_round() {
    for seed in rebone_corpus::seeds(1700..1720) {
        let (source, target, clip) = any_pair(seed, Keys::Linear);
        let plan = plan_with(&source, &target, &clip, &mirror(MirrorChoice::Ready));
        let made = apply_clip(&plan, &clip, &ClipOptions::default()).unwrap();
        let (mirror, rig) = (mirror_of(&plan), &plan.target);
        let size = target.file_height();
        let lead = |time: f32| {
            let pose = sample_clip(&target.character.skeleton, &made, time);
            let mut seen = pose.transforms().to_vec();
            let mut scratch = vec![0.0; mirror.scratch()];
            let own = mirror.lead(rig, &seen).unwrap();
            mirror_in_place(mirror, rig, &mut seen, &mut scratch);
            (own, mirror.lead(rig, &seen).unwrap())
        };
        for time in times(&made, When::Keys) {
            let (own, mirrored) = lead(time);
            assert!(
                f64::from((own + mirrored).abs()) < 1e-5 * size,
                "seed {seed}"
            );
            // Any moment is continued by itself, and not by its mirror image.
            let (later, later_mirrored) = lead(time + 0.1);
            if own.abs() > 1e-3 {
                assert!(!begins_with_other_foot([own, later], [own, later]));
                assert!(begins_with_other_foot(
                    [own, later],
                    [mirrored, later_mirrored]
                ));
            }
        }
    }
}

/// A foot is put forward by hand: the lead is its way, forwards.
#[test]
fn the_lead_is_the_way_of_the_left_foot() {
    for seed in rebone_corpus::seeds(1800..1810) {
        let (source, target, clip) = any_pair(seed, Keys::Linear);
        let plan = plan_with(&source, &target, &clip, &mirror(MirrorChoice::Ready));
        let (mirror, rig) = (mirror_of(&plan), &plan.target);
        let left = target.body.find("leftUpperLeg").unwrap();
        let joint = target.joint_of[left];
        let lead = |angle: f64| {
            let body_turn = DQuat::from_rotation_x(-angle);
            let mut pose = rig.rest_pose().transforms().to_vec();
            let axes = target.frames[left];
            pose[joint].rotation *= (axes.conjugate() * body_turn * axes).as_quat();
            mirror.lead(rig, &pose).unwrap()
        };
        let (back, rest, forth) = (lead(-0.5), lead(0.0), lead(0.5));
        assert!(
            back < rest && rest < forth,
            "seed {seed}: {back} {rest} {forth}"
        );
    }
}
