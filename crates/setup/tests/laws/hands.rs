//! Hands that hold on to each other: what they promise, whatever the joints' axes.

use crate::again;
use crate::limits::compiled_with;
use glam::DVec3;
use rebone_model::Clip;
use rebone_runtime::stage::StageOp;
use rebone_runtime::{ClipOptions, apply_clip};
use rebone_setup::compile::CompileOptions;
use rebone_setup::hands::{HandsChoice, HandsMode};
use rebone_testkit::check::{asking, seen_at};
use rebone_testkit::oracle::Seen;
use rebone_testkit::random::{
    BodyOptions, Convention, Generator, Keys, Motion, Rigged, random_body, random_convention,
};

fn always() -> CompileOptions {
    asking(|recipe| {
        recipe.hands = HandsChoice {
            mode: HandsMode::Always,
            ..HandsChoice::default()
        }
    })
}

fn at(rigged: &Rigged, slot: &str) -> usize {
    rigged.body.slot(slot).unwrap()
}

/// Both arms and the distance of the shoulders.
fn span(rigged: &Rigged) -> f64 {
    let place = |slot: String| rigged.body.position(&slot);
    let arm = |side: &str| {
        let [upper, lower, hand] =
            ["UpperArm", "LowerArm", "Hand"].map(|part| place(format!("{side}{part}")));
        upper.distance(lower) + lower.distance(hand)
    };
    let shoulders = ["left", "right"].map(|side| place(format!("{side}UpperArm")));
    shoulders[0].distance(shoulders[1]) + arm("left") + arm("right")
}

const FINGERS: [&str; 4] = ["Index", "Middle", "Ring", "Little"];

/// From the left palm to the right one, and how far the two arms are stretched, 1 where they are straight.
fn between(rigged: &Rigged, clip: &Clip, time: f32) -> (DVec3, f64) {
    let seen = seen_at(rigged, clip, time);
    let place = |slot: String| seen[at(rigged, &slot)].position;
    let mut most = 0.0f64;
    let palms = ["left", "right"].map(|side| {
        let [upper, lower, hand] =
            ["UpperArm", "LowerArm", "Hand"].map(|part| place(format!("{side}{part}")));
        most = most.max(upper.distance(hand) / (upper.distance(lower) + lower.distance(hand)));
        let knuckles: Vec<DVec3> = FINGERS
            .iter()
            .map(|finger| format!("{side}{finger}Proximal"))
            .filter(|slot| rigged.body.slot(slot).is_some())
            .map(place)
            .collect();
        assert!(!knuckles.is_empty());
        knuckles.iter().sum::<DVec3>() / knuckles.len() as f64
    });
    (palms[1] - palms[0], most)
}

/// Two bodies with the same joints, of other proportions.
fn any_pair(seed: u64) -> (Rigged, Rigged, Clip) {
    let generator = &mut Generator::new(seed);
    let options = BodyOptions {
        fingers: true,
        ..BodyOptions::random(generator, true)
    };
    let [source, target] = std::array::from_fn(|_| {
        let body = random_body(generator, &options);
        Rigged::new(&body, &random_convention(generator))
    });
    let clip = source.clip(&Motion::random(generator, &source.body), Keys::Linear);
    (source, target, clip)
}

/// Within reach the way between the palms is the source's, times the ratio of the spans, in any convention.
#[test]
fn the_way_between_the_palms_is_the_sources() {
    let (mut held, mut all, mut worst) = (0, 0, 0.0f64);
    for seed in rebone_corpus::seeds(0..24) {
        let (source, target, clip) = any_pair(seed);
        let plan = compiled_with(&source, &target, &clip, &always()).plan;
        let reach = |stage: &rebone_runtime::stage::Stage| matches!(stage.op, StageOp::Reach(_));
        assert!(plan.stages.iter().any(reach));
        let made = apply_clip(&plan, &clip, &ClipOptions::default()).unwrap();
        let scale = span(&target) / span(&source);
        for time in clip.key_times() {
            let (own, _) = between(&source, &clip, time);
            let (found, stretch) = between(&target, &made, time);
            all += 1;
            if stretch < 0.98 {
                held += 1;
                let off = found.distance(own * scale) / span(&target);
                // Folded arms keep a little distance, too.
                worst = worst.max(off);
            }
        }
    }
    println!("{held} of {all} moments within reach, worst {worst:.1e} of the span");
    assert!(held > 30, "{held} of {all}");
    assert!(worst < 0.02, "{worst}");
}

/// The left palm: the middle of the knuckles.
fn palm(rigged: &Rigged, seen: &[Seen]) -> DVec3 {
    let knuckles = FINGERS.map(|finger| format!("left{finger}Proximal"));
    let places: Vec<DVec3> = knuckles
        .iter()
        .filter_map(|slot| Some(seen[rigged.body.slot(slot)?].position))
        .collect();
    places.iter().sum::<DVec3>() / places.len() as f64
}

/// A palm on something that no hand carries is on it on the target, too: here on a box at the belt.
#[test]
fn a_palm_is_on_the_prop_that_it_touches() {
    let (mut reached, mut worst, mut plain) = (0, 0.0f64, 0.0f64);
    for seed in 0..24 {
        let generator = &mut Generator::new(seed);
        let options = BodyOptions {
            fingers: true,
            ..BodyOptions::random(generator, true)
        };
        let [body, other] = std::array::from_fn(|_| random_body(generator, &options));
        let [own, others] = std::array::from_fn(|_| Convention {
            names: None,
            ..random_convention(generator)
        });
        let motion = Motion::random(generator, &body).with_hinges();
        // Where the palm is at one moment there is the box.
        let bare = Rigged::new(&body, &own);
        let clip = bare.clip(&motion, Keys::Linear);
        let times = clip.key_times();
        // Elbows are bent then.
        let time = times[times.len() * 9 / 10];
        let seen = seen_at(&bare, &clip, time);
        let hips = &seen[at(&bare, "hips")];
        let way = hips.turn.inverse() * (palm(&bare, &seen) - hips.position);
        let source = Rigged::new(&body.with_leaf("box", "hips", way), &own);
        let larger = span(&Rigged::new(&other, &others)) / span(&source);
        let target = Rigged::new(&other.with_leaf("box", "hips", way * larger), &others);
        let clip = source.clip(&motion, Keys::Linear);
        let off = |mode: HandsMode| {
            let hands = HandsChoice {
                mode,
                ..HandsChoice::default()
            };
            let options = asking(|recipe| recipe.hands = hands);
            let plan = compiled_with(&source, &target, &clip, &options).plan;
            let made = apply_clip(&plan, &clip, &ClipOptions::default()).unwrap();
            let seen = seen_at(&target, &made, time);
            let place = seen[target.body.find("box").unwrap()].position;
            let (_, stretch) = between(&target, &made, time);
            (
                palm(&target, &seen).distance(place) / span(&target),
                stretch,
            )
        };
        let (found, stretch) = off(HandsMode::Auto);
        plain += off(HandsMode::Off).0;
        if stretch < 0.98 {
            reached += 1;
            worst = worst.max(found);
        }
    }
    println!(
        "{reached} of 24 within reach, worst {worst:.1e} of the span; as transferred {:.3}",
        plain / 24.0
    );
    assert!(reached > 12, "{reached}");
    assert!(worst < 0.005, "{worst}");
    assert!(plain / 24.0 > 0.02, "{plain}");
}

/// The target's own joint axes, names and units change nothing.
#[test]
fn axes_of_the_target_change_nothing() {
    for seed in rebone_corpus::seeds(0..10) {
        let (source, target, clip) = any_pair(seed);
        let other = again(&mut Generator::new(seed + 100), &target);
        let [first, second] = [&target, &other].map(|target| {
            let plan = compiled_with(&source, target, &clip, &always()).plan;
            apply_clip(&plan, &clip, &ClipOptions::default()).unwrap()
        });
        for time in clip.key_times() {
            let a = seen_at(&target, &first, time);
            let b = seen_at(&other, &second, time);
            for slot in [
                "leftHand",
                "rightHand",
                "leftLowerArm",
                "rightLowerArm",
                "head",
            ] {
                let Some(joint) = target.body.slot(slot) else {
                    continue;
                };
                let off = a[joint].position.distance(b[joint].position) / target.body.height();
                assert!(off < 2e-4, "seed {seed}, {slot}: {off}");
            }
        }
    }
}

/// A body that is only larger needs no correction: there is no stage, so keys stay as they are.
#[test]
fn a_larger_body_needs_nothing() {
    for seed in rebone_corpus::seeds(0..6) {
        let (source, _, clip) = any_pair(seed);
        let larger = Rigged::new(&source.body.clone().scaled(1.7), &source.convention);
        let plan = compiled_with(&source, &larger, &clip, &always()).plan;
        assert!(
            plan.stages
                .iter()
                .all(|stage| !matches!(stage.op, StageOp::Reach(_)))
        );
    }
}
