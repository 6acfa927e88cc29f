//! Stairs up and down, and a slope: steps are found at their heights, and the target stands on scaled ones.

use crate::common::legs::{metres, with_legs};
use crate::common::retarget;
use glam::Vec3;
use rebone::Rig;
use rebone::io::Format;
use rebone::model::Character;
use rebone::model::kinematics::model_pose;
use rebone::model::sampling::sample_clip;
use rebone::runtime::Rig as RunRig;
use rebone::runtime::contact::{ContactMotion, DetectOptions, Touch, detect};
use rebone::setup::align::contact_points;
use rebone::setup::recipe::Recipe;
use rebone::setup::root::RootScale;
use rebone_samples::{Climb, SampleClip, StepContact, characters, stairs};

const CLIMBS: [(&str, Climb); 4] = [
    (
        "stairs up",
        Climb {
            rise: 0.17,
            depth: 0.29,
            slope: false,
        },
    ),
    (
        "stairs down",
        Climb {
            rise: -0.17,
            depth: 0.29,
            slope: false,
        },
    ),
    (
        "slope up",
        Climb {
            rise: 0.06,
            depth: 0.34,
            slope: true,
        },
    ),
    (
        "slope down",
        Climb {
            rise: -0.06,
            depth: 0.34,
            slope: true,
        },
    ),
];

fn rig(character: Character) -> Rig {
    Rig::from_character(character, Format::Glb, metres(), Vec::new())
}

fn climber(sample: &SampleClip) -> Rig {
    let mut mover = characters().swap_remove(0);
    mover.clips = vec![sample.clip.clone()];
    rig(mover)
}

/// The heights of steps are found, and when feet stand on them.
#[test]
fn steps_are_found_at_their_heights() {
    for (name, climb) in CLIMBS {
        let (sample, steps) = stairs(climb);
        let source = climber(&sample);
        let points = contact_points(&source.character, &source.map, &source.alignment, 0.0);
        let times = sample.clip.key_times();
        let run = RunRig::new(&source.character.skeleton);
        let motion = ContactMotion::new(&points, &run, &sample.clip, &times);
        let found = detect(&points, &motion, &DetectOptions::default());
        let (mut both, mut one, mut off) = (0, 0, 0.0f32);
        for (index, point) in points.points.iter().enumerate() {
            if !matches!(point.touch, Touch::Heel | Touch::Toes) {
                continue;
            }
            let own: Vec<(usize, usize, &StepContact)> = sample
                .contacts
                .iter()
                .zip(&steps)
                .filter(|(contact, _)| contact.joint == point.joint)
                .map(|(contact, step)| {
                    let frame = |time: f32| (time * 60.0).round() as usize;
                    (frame(contact.start), frame(contact.end), step)
                })
                .collect();
            for frame in 0..times.len() {
                let truth = own
                    .iter()
                    .find(|(first, last, _)| (*first..=*last).contains(&frame));
                match (truth, found.at(index, frame)) {
                    (Some((_, _, step)), Some(touch)) => {
                        both += 1;
                        if point.touch == Touch::Heel {
                            off = off.max((touch.height - step.height).abs());
                        }
                    }
                    (None, None) => {}
                    _ => one += 1,
                }
            }
        }
        let f1 = 2.0 * f64::from(both) / f64::from(2 * both + one);
        println!("{name}: F1 {f1:.3}, heights {:.1} mm off", 1000.0 * off);
        assert!(f1 > 0.95, "{name}: {f1}");
        // Floors within a twentieth of the leg of each other are one to the detection: on a slope that is the height between
        // heel and ball.
        let bound = if climb.slope { 0.05 * 0.85 } else { 0.005 };
        assert!(off < bound, "{name}: {off} m");
    }
}

/// Feet stand still on steps that are k times as high and as far apart; with factors of one's own each way.
#[test]
fn targets_climb_scaled_steps() {
    let all = characters();
    // Without the slope down, see above.
    for (name, climb) in CLIMBS.into_iter().take(3) {
        let (sample, steps) = stairs(climb);
        let source = climber(&sample);
        for character in &all {
            for (legs, scale) in [
                (1.0, None),
                (0.5, None),
                (2.0, None),
                (1.0, Some([0.9, 0.8, 0.9])),
                (1.0, Some([1.1, 0.7, 1.2])),
            ] {
                let target = rig(with_legs(character, legs));
                let metres_of_adult = target.alignment.measures.leg / source.alignment.measures.leg;
                let factors = scale.map(|own| own.map(|own: f64| own * metres_of_adult));
                let mut recipe = Recipe::default();
                recipe.root_scale = factors.map_or(recipe.root_scale, RootScale::Axes);
                let result = retarget(&source, &target, &[], &recipe).unwrap();
                let clip = &result.clips[0].clip;
                let compiled = &result.compiled;
                let leg = compiled.target.measures.leg as f32;
                let [_, up, ahead] = factors
                    .unwrap_or([compiled.root_scale; 3])
                    .map(|k| k as f32);
                let (mut slide, mut places) = (0.0f32, Vec::new());
                for (contact, step) in sample.contacts.iter().zip(&steps) {
                    let slot = source
                        .map
                        .slots
                        .iter()
                        .find(|(_, found)| found.joints.first() == Some(&contact.joint));
                    let Some(joint) = target.map.joint(*slot.unwrap().0) else {
                        continue;
                    };
                    let frames = ((contact.end - contact.start) * 60.0).round() as usize;
                    let own: Vec<Vec3> = (0..=frames)
                        .map(|frame| contact.start + frame as f32 / 60.0)
                        .map(|time| sample_clip(&target.character.skeleton, clip, time))
                        .map(|pose| model_pose(&target.character.skeleton, &pose).position(joint))
                        .collect();
                    let mean = own.iter().sum::<Vec3>() / own.len() as f32;
                    let off = own.iter().map(|own| own.distance(mean)).fold(0.0, f32::max);
                    slide = slide.max(100.0 * off / leg);
                    places.push((contact.joint, step.step, mean));
                }
                // From a joint's first stand to each other of its stands.
                let (mut height, mut way) = (0.0f32, 0.0f32);
                for (joint, step, place) in &places {
                    let first = places.iter().find(|(other, ..)| other == joint).unwrap();
                    let moved = *place - first.2;
                    let n = *step as f32;
                    height = height.max((moved.y - up * climb.rise * n).abs());
                    way = way.max((moved.z - ahead * climb.depth * n).abs());
                }
                let label = format!(
                    "{name} on {}, legs x {legs}, scale {scale:?}",
                    character.name
                );
                println!(
                    "{label}: slide {slide:.3} %, heights {:.2} %, ways {:.2} % of the leg off",
                    100.0 * height / leg,
                    100.0 * way / leg
                );
                // The hips go gently, and not all the way down that half legs would need.
                let most = if legs < 1.0 && climb.rise < 0.0 {
                    2.0
                } else {
                    0.1
                };
                assert!(slide < most, "{label}: slide {slide} % of the leg");
                // On a slope the floor is that of the lowest sole or ball, and a foot of its own length is as much off it.
                let rest = model_pose(
                    &target.character.skeleton,
                    &target.character.skeleton.rest_pose(),
                );
                let [foot, ball] = ["leftFoot", "leftToes"]
                    .map(|slot| rest.position(target.map.joint_named(slot).unwrap()));
                let pitched = foot.distance(ball) * (climb.rise / climb.depth).abs();
                let bound = 0.005 * leg + if climb.slope { pitched } else { 0.0 };
                assert!(height < bound, "{label}: {height} of {leg}");
                // Legs too short for a step down take shorter ones.
                assert!(way < 0.1 * leg, "{label}: {way} of {leg}");
            }
        }
    }
}
