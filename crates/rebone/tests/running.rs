//! Single poses, as in a game: feet stay where they touch the floor though nobody knows what comes.
//!
//! Prints the mean slide of feet that stand, in per cent of the leg a second, without and with the time that passes.

use rebone::io::{FileSpace, Format};
use rebone::model::axes::Axis;
use rebone::model::kinematics::model_pose;
use rebone::model::rotation::angle_between;
use rebone::model::sampling::sample_clip_into;
use rebone::model::{Character, LocalPose, Vec3};
use rebone::runtime::Retargeter;
use rebone::{Retarget, Rig};
use rebone_samples::{characters, clips};

const RATE: f32 = 60.0;

/// How the hips of a captured body tremble, metres: some 5 cm a second, and its feet with them.
fn tremor(time: f32) -> Vec3 {
    Vec3::new((25.0 * time).sin(), 0.0, (19.0 * time).cos()) * 0.002
}

fn rig(character: Character) -> Rig {
    let metres = FileSpace {
        meters_per_unit: Some(1.0),
        up: Some(Axis::PositiveY),
        ..FileSpace::default()
    };
    Rig::from_character(character, Format::Glb, metres, Vec::new())
}

/// Slide of standing feet, and the largest turn of a joint from frame to frame, degrees.
struct Seen {
    slide: f32,
    step: f32,
}

#[test]
fn feet_stay_while_a_motion_runs() {
    let all = characters();
    let (mut before, mut after) = (0.0, 0.0);
    let hips = rig(all[0].clone()).map.joint_named("hips").unwrap();
    for sample in clips() {
        let mut mover = all[0].clone();
        mover.clips = vec![sample.clip.clone()];
        let source = rig(mover);
        for character in &all[1..] {
            let target = rig(character.clone());
            let asset = Retarget::new(&source, &target).compile().unwrap();
            let retargeter = Retargeter::new(asset.0.plan);
            let run = |elapsed: Option<f32>| -> Seen {
                let mut workspace = retargeter.workspace();
                workspace.set_elapsed(elapsed);
                let mut from = retargeter.plan().source.rest_pose();
                let poses: Vec<LocalPose> = (0..(sample.clip.time_span().1 * RATE) as usize)
                    .map(|frame| {
                        let time = frame as f32 / RATE;
                        sample_clip_into(&sample.clip, time, &mut from);
                        from.transforms_mut()[hips].translation += tremor(time);
                        let mut to = retargeter.plan().target.rest_pose();
                        retargeter.apply_pose(&from, &mut to, &mut workspace);
                        to
                    })
                    .collect();
                measure(&source, &target, &sample.contacts, &poses)
            };
            let (plain, held) = (run(None), run(Some(1.0 / RATE)));
            println!(
                "{:10} {:6} slide {:.2} -> {:.2} % L/s, largest step {:.2} -> {:.2} degrees",
                sample.clip.name, character.name, plain.slide, held.slide, plain.step, held.step
            );
            assert!(held.slide < 0.1 * plain.slide, "{}", sample.clip.name);
            assert!(held.step <= 1.3 * plain.step, "{}", sample.clip.name);
            before += plain.slide;
            after += held.slide;
        }
    }
    assert!(after < 0.05 * before, "{after} of {before}");
}

fn measure(
    source: &Rig,
    target: &Rig,
    contacts: &[rebone_samples::Contact],
    poses: &[LocalPose],
) -> Seen {
    let skeleton = &target.character.skeleton;
    let leg = target.alignment.measures.leg as f32;
    let (mut way, mut seconds) = (0.0, 0.0);
    for contact in contacts {
        let slots = &mut source.map.slots.iter();
        let slot = slots.find(|(_, found)| found.joints.first() == Some(&contact.joint));
        let Some(joint) = target.map.joint(*slot.unwrap().0) else {
            continue;
        };
        // A touch is told two frames late.
        let first = (contact.start * RATE).ceil() as usize + 3;
        let last = ((contact.end * RATE).floor() as usize).min(poses.len() - 1);
        let place = |frame: usize| model_pose(skeleton, &poses[frame]).position(joint);
        for frame in first..last {
            let step = place(frame + 1) - place(frame);
            way += Vec3::new(step.x, 0.0, step.z).length();
            seconds += 1.0 / RATE;
        }
    }
    let turns = poses.windows(2).flat_map(|pair| {
        let joints = pair[0].transforms().iter().zip(pair[1].transforms());
        joints.map(|(one, other)| angle_between(one.rotation, other.rotation).to_degrees())
    });
    Seen {
        slide: 100.0 * way / seconds.max(1e-6) / leg,
        step: turns.fold(0.0, f32::max),
    }
}
