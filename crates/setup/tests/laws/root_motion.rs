//! Who carries the travel, how far it goes along each axis (S0.12), and where the source stands (S0.17).

use crate::{any_clip, any_rigged, full_body, say};
use glam::{DAffine3, DQuat, DVec3, Quat, Vec3};
use rebone_model::curve::CurveTarget;
use rebone_model::{Clip, Interpolation, Track};
use rebone_runtime::{ClipOptions, ROOT_PLACE_CURVE, ROOT_TURN_CURVE, apply_clip};
use rebone_setup::align::AlignOptions;
use rebone_setup::compile::{CompileOptions, Compiled, compile};
use rebone_setup::root::RootScale;
use rebone_setup::root_motion::{RootAxes, RootMode, RootMotion, SourcePlace, root_joint};
use rebone_testkit::check::{
    When, Worst, aligned, asking, compare, mapped, pose_at, seen_at, times, transfer_alone,
};
use rebone_testkit::random::{Body, Generator, Keys, Rigged, random_convention};

fn with_options(
    source: &Rigged,
    target: &Rigged,
    clip: &Clip,
    options: &CompileOptions,
) -> Compiled {
    let from = aligned(source, &[clip], &AlignOptions::default());
    let to = aligned(target, &[], &AlignOptions::default());
    compile(
        &mapped(source, &from),
        &mapped(target, &to),
        &[clip],
        options,
    )
    .unwrap()
}

fn moved(source: &Rigged, target: &Rigged, clip: &Clip, options: &CompileOptions) -> Clip {
    moved_at(source, target, clip, options, None)
}

/// With so many frames a second, or the clip's own keys.
fn moved_at(
    source: &Rigged,
    target: &Rigged,
    clip: &Clip,
    options: &CompileOptions,
    rate_hz: Option<f64>,
) -> Clip {
    let plan = with_options(source, target, clip, options).plan;
    apply_clip(
        &plan,
        clip,
        &ClipOptions {
            rate_hz,
            ..ClipOptions::default()
        },
    )
    .unwrap()
}

fn mode(mode: RootMode) -> CompileOptions {
    asking(|recipe| {
        recipe.root_motion = RootMotion {
            mode,
            ..RootMotion::default()
        }
    })
}

/// A body with a joint on the floor above its hips.
fn rooted(body: &Body) -> Body {
    body.clone().with_joint_above("root", "hips", 0.0)
}

/// A clip in which the root joint travels too.
fn rooted_clip(generator: &mut Generator, rigged: &Rigged) -> Clip {
    let mut clip = any_clip(generator, rigged, Keys::Linear);
    let root = rigged.joint_of[rigged.body.find("root").unwrap()];
    let (containers, _) = rigged.containers();
    let size = rigged.file_height() / containers.matrix3.determinant().cbrt();
    let rest = rigged.character.skeleton.joints()[root].rest.translation;
    let way = generator.vector(0.8 * size).as_vec3();
    let times: Vec<f32> = (0..31).map(|key| key as f32 / 30.0).collect();
    let values = times.iter().map(|t| rest + way * (2.0 * t).sin()).collect();
    clip.joints[root].translation = Track::new(Interpolation::Linear, times.into(), values).ok();
    clip
}

/// Every joint of `target` but the root, in two clips.
fn same_world(target: &Rigged, one: &Clip, two: &Clip, at: &[f32], worst: &mut Worst) {
    for &time in at {
        let (a, b) = (seen_at(target, one, time), seen_at(target, two, time));
        let other = |seen: &[rebone_testkit::oracle::Seen]| {
            let mut seen = seen.to_vec();
            if let Some(root) = target.body.find("root") {
                seen[root].turn = DQuat::IDENTITY;
                seen[root].position = DVec3::ZERO;
            }
            seen
        };
        compare(target, &other(&a), target, &other(&b), time, worst);
    }
}

#[test]
fn who_carries_the_travel_changes_no_joints_way_through_the_world() {
    let mut worst = Worst::default();
    for seed in rebone_corpus::seeds(0..24) {
        let generator = &mut Generator::new(seed);
        let (source, target) = (any_rigged(generator, true), any_rigged(generator, true));
        let rooted_source = Rigged::new(&rooted(&source.body), &random_convention(generator));
        let rooted_target = Rigged::new(&rooted(&target.body), &random_convention(generator));
        let clip = rooted_clip(generator, &rooted_source);
        let plain = any_clip(generator, &source, Keys::Linear);
        for (source, clip) in [(&rooted_source, &clip), (&source, &plain)] {
            let hips = moved(source, &rooted_target, clip, &mode(RootMode::Hips));
            let at = times(clip, When::Keys);
            for choice in [RootMode::AsSource, RootMode::Extract, RootMode::Project] {
                for axes in [None, RootAxes::parse("x"), RootAxes::parse("y z turn")] {
                    let mut options = mode(choice);
                    options.recipe.root_motion.axes = axes;
                    let made = moved(source, &rooted_target, clip, &options);
                    same_world(&rooted_target, &hips, &made, &at, &mut worst);
                }
            }
            // Without a root joint there is nothing to choose.
            let hips = moved(source, &target, clip, &mode(RootMode::Hips));
            for choice in [RootMode::AsSource, RootMode::Extract] {
                let made = moved(source, &target, clip, &mode(choice));
                assert_eq!(made, hips);
            }
        }
    }
    say("who carries the travel", &worst);
    worst.assert_within(1e-5, 2e-3, "who carries the travel");
}

#[test]
fn roots_of_one_body_go_the_same_way_whatever_their_axes() {
    let mut worst = Worst::default();
    for seed in rebone_corpus::seeds(0..30) {
        let generator = &mut Generator::new(seed);
        let body = rooted(&full_body(generator));
        let [source, target] =
            std::array::from_fn(|_| Rigged::new(&body, &random_convention(generator)));
        let clip = rooted_clip(generator, &source);
        let made = moved(&source, &target, &clip, &transfer_alone());
        for time in times(&clip, When::Keys) {
            let (from, to) = (seen_at(&source, &clip, time), seen_at(&target, &made, time));
            compare(&source, &from, &target, &to, time, &mut worst);
        }
    }
    say("roots of one body", &worst);
    worst.assert_within(1e-5, 2e-3, "roots of one body");
}

/// A source with a root joint onto a body without one and back: the hips come home.
#[test]
fn there_and_back_between_rigs_with_and_without_root() {
    let mut worst = Worst::default();
    for seed in rebone_corpus::seeds(0..20) {
        let generator = &mut Generator::new(seed);
        let body = full_body(generator);
        let without = Rigged::new(&body, &random_convention(generator));
        let with = Rigged::new(&rooted(&body), &random_convention(generator));
        let clip = rooted_clip(generator, &with);
        let there = moved(&with, &without, &clip, &transfer_alone());
        for choice in [RootMode::AsSource, RootMode::Extract, RootMode::Project] {
            let back = moved(&without, &with, &there, &mode(choice));
            same_world(&with, &clip, &back, &times(&clip, When::Keys), &mut worst);
        }
    }
    say("there and back", &worst);
    worst.assert_within(2e-5, 2e-3, "there and back");
}

#[test]
fn an_extracted_root_stands_upright_on_the_floor_below_the_hips() {
    for seed in rebone_corpus::seeds(0..20) {
        let generator = &mut Generator::new(seed);
        let source = any_rigged(generator, true);
        let body = rooted(&any_rigged(generator, true).body);
        let target = Rigged::new(&body, &random_convention(generator));
        let clip = any_clip(generator, &source, Keys::Linear);
        let (root, hips) = (body.find("root").unwrap(), body.slot("hips").unwrap());
        let height = body.height();
        let home = body.joints[hips].position;
        for smooth in [0.0, 0.25] {
            let mut options = mode(RootMode::Extract);
            options.recipe.root_motion.smooth_seconds = Some(smooth);
            let made = moved(&source, &target, &clip, &options);
            let mut turned = 0.0f64;
            for time in times(&clip, When::Keys) {
                let seen = seen_at(&target, &made, time);
                let up = seen[root].turn * DVec3::Y;
                assert!(up.distance(DVec3::Y) < 1e-4, "seed {seed}: {up}");
                let place = seen[root].position;
                assert!(place.y.abs() < 1e-5 * height, "seed {seed}: {place}");
                turned = turned.max((seen[root].turn * DVec3::Z).distance(DVec3::Z));
                if smooth == 0.0 {
                    // As far below the hips as in the T-pose, in the direction that they face.
                    let want = seen[hips].position + seen[root].turn * -home;
                    let off = DVec3::new(place.x - want.x, 0.0, place.z - want.z).length();
                    assert!(off < 1e-5 * height, "seed {seed}: {off}");
                }
            }
            assert!(turned > 0.01, "the motion turns: {turned}");
        }
    }
}

#[test]
fn what_is_taken_out_in_place_is_in_the_curves() {
    let mut worst = Worst::default();
    for seed in rebone_corpus::seeds(0..20) {
        let generator = &mut Generator::new(seed);
        let source = any_rigged(generator, true);
        let mut body = any_rigged(generator, true).body;
        if seed % 2 == 0 {
            body = rooted(&body);
        }
        let target = Rigged::new(&body, &random_convention(generator));
        let clip = any_clip(generator, &source, Keys::Linear);
        for (axes, smooth, rate) in [
            ("x z", 0.2, None),
            ("x z", 0.2, Some(25.0)),
            ("x z turn", 0.0, None),
            ("x z turn", 0.1, Some(48.0)),
            ("y", 0.0, None),
        ] {
            let hips = moved_at(&source, &target, &clip, &mode(RootMode::Hips), rate);
            let mut options = mode(RootMode::InPlace);
            options.recipe.root_motion.axes = RootAxes::parse(axes);
            options.recipe.root_motion.smooth_seconds = Some(smooth);
            let made = moved_at(&source, &target, &clip, &options, rate);
            let curve = |name: &str| {
                let named = |curve: &&rebone_model::Curve| {
                    *curve.target()
                        == CurveTarget::Property {
                            path: name.to_owned(),
                        }
                };
                made.curves.iter().find(named).unwrap()
            };
            let (places, turns) = (curve(ROOT_PLACE_CURVE), curve(ROOT_TURN_CURVE));
            let height = target.file_height();
            for (frame, &time) in places.times().iter().enumerate() {
                let place = Vec3::from_slice(&places.values()[3 * frame..]).as_dvec3();
                let turn = Quat::from_slice(&turns.values()[4 * frame..]).as_dquat();
                let ground = DAffine3::from_rotation_translation(turn, place);
                let (still, was) = (pose_at(&target, &made, time), pose_at(&target, &hips, time));
                for &joint in &target.joint_of {
                    if Some(joint) == target.body.find("root").map(|root| target.joint_of[root]) {
                        continue;
                    }
                    let again = ground.transform_point3(still[joint].affine.translation);
                    let off = (again - was[joint].affine.translation).length() / height;
                    worst.add(off, 0.0, || format!("seed {seed}, joint {joint} at {time}"));
                }
            }
            if axes == "x z" {
                let index = target.body.slot("hips").unwrap();
                let way = |clip: &Clip| {
                    let (a, b) = (seen_at(&target, clip, 0.0), seen_at(&target, clip, 1.0));
                    let way = a[index].position - b[index].position;
                    way.x.hypot(way.z)
                };
                assert!(way(&made) < 0.5 * way(&hips) + 1e-3, "seed {seed}");
            }
        }
    }
    say("in place", &worst);
    worst.assert_within(1e-5, 0.0, "in place");
}

/// S0.12: the way of the hips is scaled along each axis of the body.
#[test]
fn travel_is_scaled_along_each_axis_in_any_convention() {
    let mut worst = 0.0f64;
    for seed in rebone_corpus::seeds(0..40) {
        let generator = &mut Generator::new(seed);
        let (source, target) = (any_rigged(generator, true), any_rigged(generator, true));
        let still = source.body.joints.iter().fold(
            rebone_testkit::random::Motion::random(generator, &source.body),
            |motion, joint| motion.hold(&joint.key),
        );
        let clip = source.clip(&still, Keys::Linear);
        let factors = [1.0, 0.4, 1.6];
        let options = asking(|recipe| recipe.root_scale = RootScale::Axes(factors));
        let compiled = with_options(&source, &target, &clip, &options);
        assert!(compiled.root_scales.distance(DVec3::from_array(factors)) < 1e-6);
        let made = apply_clip(&compiled.plan, &clip, &ClipOptions::default()).unwrap();
        let way = |rigged: &Rigged, clip: &Clip| {
            let hips = rigged.body.slot("hips").unwrap();
            let at = |time| seen_at(rigged, clip, time)[hips].position;
            at(1.0) - at(0.0)
        };
        let wanted = DVec3::from_array(factors) * way(&source, &clip);
        worst = worst.max((way(&target, &made) - wanted).length() / target.body.height());
        // Standing stays standing.
        let mut standing = clip.clone();
        for joint in &mut standing.joints {
            joint.translation = None;
        }
        let made = moved(&source, &target, &standing, &options);
        let hips = target.body.slot("hips").unwrap();
        let rise =
            seen_at(&target, &made, 0.5)[hips].position.y - target.body.joints[hips].position.y;
        worst = worst.max(rise.abs() / target.body.height());
    }
    eprintln!("travel along each axis: {worst:.2e} of the height");
    assert!(worst < 1e-5, "{worst}");
}

/// S0.17: the whole source is turned and shifted.
#[test]
fn a_source_put_elsewhere_moves_the_target_there() {
    let mut worst = Worst::default();
    for seed in rebone_corpus::seeds(0..30) {
        let generator = &mut Generator::new(seed);
        let body = if seed % 2 == 0 {
            rooted(&full_body(generator))
        } else {
            full_body(generator)
        };
        let [source, target] =
            std::array::from_fn(|_| Rigged::new(&body, &random_convention(generator)));
        let clip = any_clip(generator, &source, Keys::Linear);
        let place = SourcePlace {
            turn_degrees: generator.between(-180.0, 180.0),
            shift: generator.vector(2.0).to_array(),
            scale: 1.0,
        };
        let options = asking(|recipe| recipe.source.place = place);
        let made = moved(&source, &target, &clip, &options);
        let turn = DQuat::from_rotation_y(place.turn_degrees.to_radians());
        for time in times(&clip, When::Keys) {
            let mut wanted = seen_at(&source, &clip, time);
            for joint in &mut wanted {
                joint.position = turn * joint.position + DVec3::from_array(place.shift);
                joint.turn = turn * joint.turn;
            }
            let found = seen_at(&target, &made, time);
            compare(&source, &wanted, &target, &found, time, &mut worst);
        }
    }
    say("put elsewhere", &worst);
    worst.assert_within(1e-5, 2e-3, "put elsewhere");
}

#[test]
fn a_root_joint_is_found_by_where_it_stands_not_by_its_name() {
    for seed in rebone_corpus::seeds(0..20) {
        let generator = &mut Generator::new(seed);
        let body = full_body(generator);
        let find = |body: &Body, generator: &mut Generator| {
            let rigged = Rigged::new(body, &random_convention(generator));
            let to = aligned(&rigged, &[], &AlignOptions::default());
            let found = root_joint(&rigged.character, &rigged.map, &to, &[]);
            found.map(|root| {
                rigged
                    .joint_of
                    .iter()
                    .position(|&joint| joint == root.joint)
            })
        };
        let with = rooted(&body);
        assert_eq!(find(&body, generator), None);
        assert_eq!(find(&with, generator), Some(with.find("root")));
        // Of several the lowest, which all those above it carry.
        let two = with.clone().with_joint_above("above", "root", 0.0);
        assert_eq!(find(&two, generator), Some(two.find("root")));
        // A joint between floor and hips is no root, unless it is called so.
        let high = body.clone().with_joint_above("carrier", "hips", 0.9);
        assert_eq!(find(&high, generator), None);
    }
}
