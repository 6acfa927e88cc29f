//! Whole bodies: identity, scale, standing.

use crate::{Actor, PRESETS, moved};
use glam::DVec3;
use rebone_testkit::laws::{Constants, Laws, retarget_pose};
use rebone_testkit::oracle::{self, degrees_between};
use rebone_testkit::random::{BodyOptions, Generator, Rigged};

/// All laws where A = B: every joint is where it was, c = 0, p = 0, no pull.
#[test]
fn a_character_moved_by_itself_does_what_it_did() {
    for laws in PRESETS.into_iter().chain([Laws {
        toes: true,
        floor: true,
        ..Laws::HUMANIK
    }]) {
        let mut worst = 0.0f64;
        for seed in 0..30 {
            let generator = &mut Generator::new(seed);
            let options = BodyOptions::random(generator, false);
            let actor = Actor::random(generator, &options);
            let side = actor.side();
            let constants = Constants::new(&side, &side, &laws).unwrap();
            assert!((constants.ratio - 1.0).abs() < 1e-12);
            assert!(constants.lift.abs() + constants.ankle.abs() + constants.spread.abs() < 1e-12);
            let mut frames = actor.frames(generator);
            frames.extend(actor.sliding(generator, frames.clone()));
            // Straight legs too, with knees a little off in any direction.
            frames.push(oracle::rest(&actor.rigged.character.skeleton));
            for frame in frames {
                let own = oracle::model(&actor.rigged.character.skeleton, &frame);
                let posed = moved(&actor, &actor, &laws, &frame);
                for (own, found) in own.iter().zip(&posed.joints) {
                    let apart = own.affine.translation - found.affine.translation;
                    worst = worst.max(apart.length() / actor.height());
                    assert!(degrees_between(own.rotation, found.rotation) < 1e-7);
                }
                for leg in posed.legs {
                    assert!(leg.over_stretch.abs() < 1e-9 * actor.height());
                    assert!(leg.reaches);
                }
                assert!(posed.pulled.length() < 1e-9 * actor.height());
            }
        }
        eprintln!("identity: {worst:.1e} of the height");
        assert!(worst < 1e-9, "{worst}");
    }
}

/// The scale k of a doubled skeleton is 2, and everything else is exact.
#[test]
fn a_doubled_character_does_the_same_twice_as_large() {
    let (mut places, mut turns) = (0.0f64, 0.0f64);
    for laws in PRESETS {
        for seed in 0..20 {
            let generator = &mut Generator::new(seed);
            let options = BodyOptions::random(generator, false);
            let source = Actor::random(generator, &options);
            let mut convention = source.rigged.convention.clone();
            for container in &mut convention.containers {
                container.translation *= 2.0;
            }
            let body = source.rigged.body.clone().scaled(2.0);
            let target = Actor::new(Rigged::new(&body, &convention));
            let constants = Constants::new(&source.side(), &target.side(), &laws).unwrap();
            assert!((constants.ratio - 2.0).abs() < 1e-6, "{}", constants.ratio);
            let mut frames = source.frames(generator);
            frames.extend(source.sliding(generator, frames.clone()));
            for frame in frames {
                let own = oracle::model(&source.rigged.character.skeleton, &frame);
                let posed = moved(&source, &target, &laws, &frame);
                for (own, found) in own.iter().zip(&posed.joints) {
                    let apart = own.affine.translation * 2.0 - found.affine.translation;
                    places = places.max(apart.length() / target.height());
                    turns = turns.max(degrees_between(own.rotation, found.rotation));
                }
            }
        }
    }
    eprintln!("doubled: {places:.1e} of the height, {turns:.1e} degrees");
    assert!(places < 1e-9 && turns < 1e-7, "{places} {turns}");
}

/// Who stands stands on the own legs, with v = the height of the own rest.
#[test]
fn who_stands_stands_on_the_own_legs() {
    for seed in 0..20 {
        let generator = &mut Generator::new(seed);
        let options = BodyOptions::random(generator, true);
        let (source, target) = (
            Actor::random(generator, &options),
            Actor::random(generator, &options),
        );
        let rest = oracle::rest(&source.rigged.character.skeleton);
        let posed = moved(&source, &target, &Laws::MIXAMO, &rest);
        let hips = target.place(&posed, target.joint("hips"));
        let own = target.alignment.reference[target.joint("hips")].position;
        assert!(
            (hips.y - own.y).abs() < 1e-5 * target.height(),
            "{hips} {own}"
        );
        assert!(
            posed
                .legs
                .iter()
                .all(|leg| leg.over_stretch.abs() < 1e-5 * target.height())
        );
    }
}

/// Heights count from the floor of each side's motions.
#[test]
fn a_raised_floor_raises_the_motion() {
    for laws in PRESETS {
        for seed in 0..10 {
            let generator = &mut Generator::new(seed);
            let options = BodyOptions::random(generator, false);
            let source = Actor::random(generator, &options);
            let target = Actor::random(generator, &options);
            let (mut from, mut to) = (source.side(), target.side());
            from.floor = 0.3 * source.height();
            to.floor = 0.2 * target.height();
            let skeleton = &source.rigged.character.skeleton;
            let hips = source.joint("hips");
            for frame in source.frames(generator) {
                let mut raised = frame.clone();
                let pose = oracle::model(skeleton, &frame);
                let above = skeleton
                    .parent(hips)
                    .map(|above| pose[above].affine.inverse());
                let up = from.canonical_from_file.conjugate() * DVec3::Y * from.floor;
                raised[hips].translation += above.map_or(up, |above| above.transform_vector3(up));
                let one = moved(&source, &target, &laws, &frame);
                let two = retarget_pose(&from, &to, &laws, &raised).unwrap();
                for joint in 0..one.joints.len() {
                    // Nodes above the hips stay where they are.
                    if !target
                        .rigged
                        .character
                        .skeleton
                        .is_ancestor(joint, target.joint("hips"))
                    {
                        let way = target.place(&two, joint) - target.place(&one, joint);
                        let apart = (way - DVec3::Y * to.floor).length();
                        assert!(apart < 1e-9 * target.height(), "{apart}");
                    }
                }
            }
        }
    }
}

/// The lift c counts along the legs, so hips of a body that is turned as a whole, lying too, turn along.
#[test]
fn who_lies_lies_on_the_own_legs() {
    let free = Laws {
        pull: 0.0,
        ..Laws::HUMANIK
    };
    for seed in 0..20 {
        let generator = &mut Generator::new(seed);
        let options = BodyOptions::default();
        let source = Actor::random(generator, &options);
        let target = Actor::random(generator, &options);
        let turn = generator.rotation();
        let standing = oracle::rest(&source.rigged.character.skeleton);
        let lying = source.brought(turn, |hips| turn * hips);
        let place = |frame: &[oracle::Local]| {
            let posed = moved(&source, &target, &free, frame);
            target.place(&posed, target.joint("hips"))
        };
        let apart = place(&lying).distance(turn * place(&standing));
        assert!(apart < 1e-9 * target.height(), "{apart}");
    }
}
