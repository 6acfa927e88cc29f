//! Feet on the floor: every source of the corpus on every target, by the report's own figures.
//!
//! Prints a table, and the outliers by name.

use crate::common::lists::{MORE_SOURCES, SOURCES, TARGETS, clip_of, stem, target_path};
use crate::common::{corpus, retarget, rig};
use rebone::model::kinematics::model_pose;
use rebone::model::sampling::sample_clip;
use rebone::report::{MomentKind, Report, Sides};
use rebone::setup::recipe::Recipe;
use rebone::{Rig, Role, RootScale};
use std::path::Path;

#[test]
fn feet_stay_on_their_floor() {
    let Some(corpus) = corpus() else { return };
    let targets: Vec<(String, Rig)> = TARGETS
        .iter()
        .map(|file| target_path(&corpus, file))
        .map(|path| (stem(&path), rig(&path, Role::Target)))
        .collect();
    println!(
        "pair | slide source, target | penetration frames source, target; max | step ratio, added | knee ratio | jerk ratio | F1"
    );
    let mut counts = [[0usize; 7]; 2];
    let sources = SOURCES.into_iter().chain(MORE_SOURCES);
    for (file, clip_name) in sources {
        let source = rig(&corpus.join(file), Role::Source);
        let clip = clip_of(&source, clip_name);
        for (name, target) in &targets {
            let names = std::slice::from_ref(&clip.name);
            let result = retarget(&source, target, names, &Recipe::default()).unwrap();
            let report = &result.clips[0].report;
            let pair = format!("{} on {name}", stem(Path::new(file)));
            let have_feet = [&source, target].iter().all(|rig| has_feet(rig));
            let counts = &mut counts[usize::from(!have_feet)];
            counts[0] += 1;
            let (Some(feet), Some(floor), Some(pops)) = (&report.feet, &report.floor, &report.pops)
            else {
                println!("{pair} | no feet");
                continue;
            };
            let mut off = Recipe::default();
            off.feet.weight = 0.0;
            let plain = retarget(&source, target, names, &off).unwrap();
            let plain = &plain.clips[0].report;
            // As the report counts it: less than 1 is none.
            let ratio = |jerk: Sides| jerk.target.max(2.5) / jerk.source.max(2.5);
            let plain_jerk = plain.jerk.map_or(0.0, ratio);
            let plain_slide = plain
                .feet
                .as_ref()
                .map_or(0.0, |feet| feet.slide_percent_per_second.target);
            let plain_step = plain.pops.as_ref().map_or(0.0, |pops| pops.step_ratio);
            let jerk = report.jerk.map_or(0.0, ratio);
            let (slide, deep) = (
                feet.slide_percent_per_second,
                floor.penetration_frames_percent,
            );
            println!(
                "{pair} | {:.2} {:.2} | {:.1} {:.1}; {:.2} | {:.2} {:.1} | {:.2} | {jerk:.2} | {:.3} | transferred: slide {plain_slide:.2} steps {plain_step:.2} jerk {plain_jerk:.2} | {}",
                slide.source,
                slide.target,
                deep.source,
                deep.target,
                floor.penetration_max_percent.target,
                pops.step_ratio,
                pops.step_added_degrees,
                pops.knee_ratio.unwrap_or(0.0),
                feet.contact_f1,
                worst_turn(report)
            );
            // On a rig of its own a clip is copied, with what it does to its floor.
            let is_copy = (deep.target - deep.source).abs() < 0.1;
            let bad = [
                slide.target > 1.05 * slide.source.max(1.0),
                deep.target > 1.0 && !is_copy,
                pops.step_ratio > 1.3,
                jerk > 1.15,
                jerk > 1.15 * plain_jerk.max(1.0),
                pops.step_added_degrees > 10.0,
            ];
            for (count, bad) in counts[1..].iter_mut().zip(bad) {
                *count += usize::from(bad);
            }
        }
    }
    let all = (SOURCES.len() + MORE_SOURCES.len()) * TARGETS.len();
    assert_eq!(counts[0][0] + counts[1][0], all);
    for (counts, (of, most)) in counts.iter().zip(MOST) {
        println!(
            "of {} pairs {of} feet too much: slide {}, penetration {}, steps {}, jerk {}, jerk above what the transfer has itself {}, added steps {}",
            counts[0], counts[1], counts[2], counts[3], counts[4], counts[5], counts[6]
        );
        // Scaled copies of the source keep what it does to its floor; the others are known by name in the table.
        let too_many = counts[1..]
            .iter()
            .zip(most)
            .any(|(count, most)| *count > most);
        assert!(!too_many, "{counts:?} of {most:?}");
    }
}

fn has_feet(rig: &Rig) -> bool {
    rig.map.joint_named("leftFoot").is_some()
}

/// Where a joint turns most beyond the source's.
fn worst_turn(report: &Report) -> String {
    let mut moments = report.moments.iter();
    let Some(worst) = moments.find(|moment| moment.kind == MomentKind::Pop) else {
        return "no added turn".to_owned();
    };
    let slot = worst
        .slot
        .map_or_else(String::new, |slot| format!("{slot:?}"));
    format!("most turned: {slot} at {:.3} s", worst.seconds)
}

/// Pairs with too much slide, penetration, steps, jerk, jerk above what the transfer has itself, and joints that turn by more than 10
/// degrees a frame beyond the source's, at most: of bodies that all have feet, and where legs end at their shins.
///
/// One step and six added steps are those of one clip: the knight falls on its knees and lies down (`KnightCharacter`, Death). Bodies with
/// large heads rise as they come to lie on them.
const MOST: [(&str, [usize; 6]); 2] = [
    ("with", [5, 0, 2, 63, 15, 63]),
    ("without", [0, 0, 2, 11, 3, 7]),
];

/// A clip that runs in place slides no more where a person chose how far the body travels: the floor goes by as far as the feet do.
#[test]
fn a_chosen_scale_is_no_slide() {
    let Some(corpus) = corpus() else { return };
    let source = "kaykit/addons/kaykit_character_pack_adventures/Characters/gltf/Barbarian.glb";
    let source = rig(&corpus.join(source), Role::Source);
    let target = rig(&corpus.join("mpfb/derived/mpfb_mixamo.glb"), Role::Target);
    for scale in ["auto", "legs", "0.8", "1,1,1.2"] {
        let mut recipe = Recipe::default();
        recipe.root_scale = RootScale::parse(scale).unwrap();
        let names = ["Walking_A".to_owned()];
        let result = retarget(&source, &target, &names, &recipe).unwrap();
        let slide = result.clips[0].report.feet.as_ref().unwrap();
        let slide = slide.slide_percent_per_second;
        println!("{scale}: {:.2} of {:.2}", slide.target, slide.source);
        assert!(slide.target < slide.source, "{scale}: {slide:?}");
    }
}

/// Deep crouches do not put the thighs of short legs into the floor.
#[test]
fn crouches_stay_above_the_floor() {
    let Some(corpus) = corpus() else { return };
    let source = rig(
        &corpus.join("bvh_misc/animateddrawings/examples/bvh/fair1/jumping.bvh"),
        Role::Source,
    );
    for file in [
        "quaternius/public/glb/platformer_game_pack/Character_HumanoidRig.glb",
        "raylib/examples/models/resources/models/gltf/robot.glb",
        "project/chibi.vrm",
    ] {
        let target = rig(&target_path(&corpus, file), Role::Target);
        let result = retarget(&source, &target, &[], &Recipe::default()).unwrap();
        let clip = &result.clips[0].clip;
        let canonical = result.compiled.target.canonical_from_file.as_quat();
        let leg = target.alignment.measures.leg as f32;
        let floor = target.alignment.measures.floor as f32;
        let skeleton = &target.character.skeleton;
        let mut lowest = f32::MAX;
        for time in clip.key_times() {
            let pose = model_pose(skeleton, &sample_clip(skeleton, clip, time));
            for slot in ["leftUpperLeg", "rightUpperLeg"] {
                let place = pose.position(target.map.joint_named(slot).unwrap());
                lowest = lowest.min(((canonical * place).y - floor) / leg);
            }
        }
        println!("{file}: thighs {lowest:.3} of the leg above the floor");
        assert!(lowest > 0.05, "{file}: {lowest}");
    }
}

/// A body of boxes whose legs end at the shins, and whose hips are moved by the joint below the one that is called so: what it does to
/// its floor, a body with feet does to its own.
#[test]
fn bodies_without_feet_stand_and_sit() {
    let Some(corpus) = corpus() else { return };
    let source = rig(
        &corpus.join("gltf_misc/sketchbook/build/assets/boxman.glb"),
        Role::Source,
    );
    let measures = &source.alignment.measures;
    let shin = (measures.leg / measures.hips_height, measures.floor);
    assert!(
        (0.8..1.0).contains(&shin.0) && shin.1.abs() < 1e-6,
        "{shin:?}"
    );
    let target = rig(
        &corpus.join("gltf_misc/wicked/Content/models/CesiumMan.glb"),
        Role::Target,
    );
    let skeleton = &target.character.skeleton;
    // Clips, and how high hips may be, in leg lengths.
    for (name, hips) in [
        ("idle", 0.9..1.4),
        ("run", 0.9..1.5),
        ("open_door_standing_right", 0.7..1.4),
        ("driving", 0.0..0.4),
        ("sitting", 0.0..0.4),
    ] {
        let names = [name.to_owned()];
        let result = retarget(&source, &target, &names, &Recipe::default()).unwrap();
        let (clip, report) = (&result.clips[0].clip, &result.clips[0].report);
        let canonical = result.compiled.target.canonical_from_file.as_quat();
        let leg = target.alignment.measures.leg as f32;
        let floor = target.alignment.measures.floor as f32;
        let height = |slot: &str, time: f32| {
            let pose = model_pose(skeleton, &sample_clip(skeleton, clip, time));
            let place = pose.position(target.map.joint_named(slot).unwrap());
            ((canonical * place).y - floor) / leg
        };
        // Arms and head move against the body, as the source's do; legs do not.
        let drift = report.length_drift_percent.unwrap_or_default();
        for time in clip.key_times() {
            let [own, feet] = ["hips", "leftFoot"].map(|slot| height(slot, time));
            assert!(hips.contains(&own), "{name} at {time}: hips {own:.2}");
            let is_low = hips.end < 1.0 || feet > 0.0;
            assert!(is_low, "{name} at {time}: foot {feet:.2}");
        }
        assert!(drift.target < drift.source + 1.0, "{name}: {drift:?}");
    }
}

/// Feet of a body that lies are higher than where they stood, and still. They stand on nothing there, so nobody is lifted to that height
/// before it falls.
#[test]
fn who_falls_stands_on_the_floor_first() {
    let Some(corpus) = corpus() else { return };
    let source = "quaternius/public/glb/single_knight_pack/KnightCharacter.glb";
    let source = rig(&corpus.join(source), Role::Source);
    let names = ["HumanArmature|Death".to_owned()];
    for file in [
        "project/adult.glb",
        "project/brute.glb",
        "project/chibi.vrm",
    ] {
        let target = rig(&target_path(&corpus, file), Role::Target);
        let result = retarget(&source, &target, &names, &Recipe::default()).unwrap();
        let (clip, measures) = (&result.clips[0].clip, &target.alignment.measures);
        let canonical = result.compiled.target.canonical_from_file.as_quat();
        let skeleton = &target.character.skeleton;
        let mut most = 0.0f64;
        for time in clip.key_times().into_iter().filter(|time| *time < 0.1) {
            let pose = model_pose(skeleton, &sample_clip(skeleton, clip, time));
            for slot in ["leftFoot", "rightFoot"] {
                let place = canonical * pose.position(target.map.joint_named(slot).unwrap());
                let height = f64::from(place.y) - measures.floor - measures.ankle_height;
                most = most.max(height / measures.leg);
            }
        }
        println!("{file}: ankles {most:.3} of the leg too high");
        assert!(most < 0.06, "{file}: {most}");
    }
}
