//! Chains cut into unlike numbers of joints: the modes, their errors, their laws.

use crate::{any_clip, full_body, say};
use glam::{DQuat, DVec3};
use rebone_model::rotation::angle_between;
use rebone_model::sampling::{sample_clip_into, sample_joint};
use rebone_model::{Clip, Interpolation, Track};
use rebone_runtime::{ClipOptions, Plan, Workspace, apply_clip, apply_pose};
use rebone_setup::align::Correction;
use rebone_setup::compile::CompileOptions;
use rebone_setup::transfer::chain::ChainMode;
use rebone_testkit::check::{
    When, Worst, asking, compare, compiled_as, seen_at, times, transfer_alone,
};
use rebone_testkit::oracle::{Seen, degrees_between};
use rebone_testkit::random::{
    Body, BodyJoint, Convention, Generator, Keys, Place, Rigged, random_convention,
};

/// The body with its torso cut at these shares of the way from hips to neck.
fn cut(body: &Body, cuts: &[f64]) -> Body {
    let (hips, neck) = (body.position("hips"), body.position("neck"));
    let mut joints: Vec<BodyJoint> = Vec::new();
    let mut place_of = Vec::new();
    for joint in &body.joints {
        let is_torso = matches!(
            joint.place,
            Place::Slot("spine" | "chest" | "upperChest", _)
        );
        if is_torso && joint.key != "spine0" {
            place_of.push(joints.len() - 1);
            continue;
        }
        let mut own = joint.clone();
        own.parent = joint.parent.map(|parent: usize| place_of[parent]);
        if joint.key == "spine0" {
            for (index, share) in cuts.iter().enumerate() {
                let slot = ["spine", "chest", "upperChest"][index.min(2)];
                let place = Place::Slot(slot, index.saturating_sub(2));
                joints.push(BodyJoint {
                    key: format!("spine{index}"),
                    place,
                    parent: if index == 0 {
                        own.parent
                    } else {
                        Some(joints.len() - 1)
                    },
                    position: hips.lerp(neck, *share),
                });
            }
        } else {
            joints.push(own);
        }
        place_of.push(joints.len() - 1);
    }
    Body { joints }
}

/// Cuts into bones of unlike length; the first is at 0.1 of the torso.
fn cuts(generator: &mut Generator, count: usize) -> Vec<f64> {
    let lengths: Vec<f64> = (0..count).map(|_| generator.between(0.7, 1.3)).collect();
    let total: f64 = lengths.iter().sum();
    let mut at = 0.1;
    lengths
        .iter()
        .map(|length| {
            let start = at;
            at += 0.9 * length / total;
            start
        })
        .collect()
}

/// A pose a key: the chain bends by about 47 degrees in all, shared out over its joints, half about an axis that all
/// share and half about one of each joint's own.
fn bends(generator: &mut Generator, rigged: &Rigged, count: usize, keys: usize) -> Clip {
    let mut clip = Clip::new("bends", rigged.character.skeleton.len());
    let times: std::sync::Arc<[f32]> = (0..keys).map(|key| key as f32 / 30.0).collect();
    let size = 47f64.to_radians() / count as f64;
    let mut poses: Vec<Vec<DQuat>> = Vec::new();
    for _ in 0..keys {
        let common = generator.direction() * generator.between(0.0, 2.0);
        let turns = (0..count).map(|_| {
            let own = generator.direction() * generator.between(0.0, 2.0);
            DQuat::from_scaled_axis((common + own) * (size * std::f64::consts::FRAC_1_SQRT_2))
        });
        poses.push(turns.collect());
    }
    for index in 0..count {
        let joint = rigged.body.find(&format!("spine{index}")).unwrap();
        let above = rigged.frames[rigged.body.joints[joint].parent.unwrap()];
        let local = |turn: &DQuat| above.conjugate() * *turn * rigged.frames[joint];
        let values = poses
            .iter()
            .map(|pose| local(&pose[index]).as_quat())
            .collect();
        clip.joints[rigged.joint_of[joint]].rotation =
            Track::new(Interpolation::Linear, times.clone(), values).ok();
    }
    clip
}

/// The torso as a curve: where its joints are, and its end.
fn curve(rigged: &Rigged, seen: &[Seen], count: usize) -> Vec<DVec3> {
    let joints = (0..count).map(|index| format!("spine{index}"));
    joints
        .chain(["neck0".to_owned()])
        .map(|key| seen[rigged.body.find(&key).unwrap()].position)
        .collect()
}

fn point_at(curve: &[DVec3], share: f64) -> DVec3 {
    let length = |pair: &[DVec3]| pair[0].distance(pair[1]);
    let total: f64 = curve.windows(2).map(length).sum();
    let mut left = share * total;
    for pair in curve.windows(2) {
        if left <= length(pair) {
            return pair[0].lerp(pair[1], left / length(pair));
        }
        left -= length(pair);
    }
    curve[curve.len() - 1]
}

fn options(mode: ChainMode) -> CompileOptions {
    asking(|recipe| recipe.chain_modes = [("torso".to_owned(), mode)].into())
}

fn retargeted(source: &Rigged, target: &Rigged, clip: &Clip, options: &CompileOptions) -> Clip {
    let compiled = compiled_as(source, target, clip, Correction::Full, options);
    apply_clip(&compiled.plan, clip, &ClipOptions::default()).unwrap()
}

/// Mean error of the joints' and the tip's places along the curve, error of the tip, both in % of the chain's length,
/// and error of the last rotation, degrees.
fn errors(from: usize, to: usize, mode: ChainMode) -> [f64; 3] {
    let (mut sums, mut count) = ([0.0; 3], 0.0);
    for seed in 0..12 {
        let generator = &mut Generator::new(1000 * seed + 10 * from as u64 + to as u64);
        let body = full_body(generator);
        let bodies = [from, to].map(|count| cut(&body, &cuts(generator, count)));
        let [source, target] = bodies.map(|body| Rigged::new(&body, &Convention::default()));
        let clip = bends(generator, &source, from, 60);
        let made = retargeted(&source, &target, &clip, &options(mode));
        for time in times(&clip, When::Keys) {
            let (seen, made) = (seen_at(&source, &clip, time), seen_at(&target, &made, time));
            let (a, b) = (curve(&source, &seen, from), curve(&target, &made, to));
            let length: f64 = a.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
            let at = |share: f64| point_at(&a, share).distance(point_at(&b, share));
            let total: f64 = b.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
            let (mut sum, mut along) = (0.0, 0.0);
            for pair in b.windows(2) {
                along += pair[0].distance(pair[1]);
                sum += at(along / total);
            }
            // The root counts too; it is off by nothing.
            let shape = sum / (to + 1) as f64;
            let last = |rigged: &Rigged, seen: &[Seen], count: usize| {
                seen[rigged.body.find(&format!("spine{}", count - 1)).unwrap()].turn
            };
            let end = degrees_between(last(&source, &seen, from), last(&target, &made, to));
            for (sum, own) in
                sums.iter_mut()
                    .zip([shape / length * 100.0, at(1.0) / length * 100.0, end])
            {
                *sum += own;
            }
            count += 1.0;
        }
    }
    sums.map(|sum| sum / count)
}

/// Errors measured by another program: shape %, tip %, end degrees. Its random chains are others, so the figures may
/// differ by a half; which mode is better must not.
#[test]
fn errors_of_the_modes_are_those_of_the_table() {
    use ChainMode::{MatchChain, MidSlerp, OneToOne, Overlap, SpreadByLength};
    type Row = ((usize, usize), [f64; 3], [f64; 3], [f64; 3]);
    let table: [Row; 6] = [
        ((3, 5), [0.17, 0.33, 0.2], [0.76, 1.4, 0.1], [4.3, 8.1, 0.0]),
        (
            (5, 3),
            [0.19, 0.38, 4.5],
            [0.75, 1.4, 4.4],
            [3.6, 7.8, 15.0],
        ),
        (
            (3, 2),
            [0.44, 0.87, 5.8],
            [0.88, 1.6, 4.9],
            [4.6, 9.5, 18.0],
        ),
        ((2, 3), [0.36, 0.71, 0.3], [1.2, 2.5, 0.2], [3.3, 6.6, 0.0]),
        ((1, 3), [0.0; 3], [0.0; 3], [0.0; 3]),
        (
            (3, 1),
            [0.97, 1.9, 14.0],
            [4.6, 9.2, 17.0],
            [9.4, 19.0, 26.0],
        ),
    ];
    for ((from, to), overlap, mid_slerp, one_to_one) in table {
        let found = [Overlap, MidSlerp, OneToOne].map(|mode| errors(from, to, mode));
        for (mode, (found, theirs)) in found
            .iter()
            .zip([overlap, mid_slerp, one_to_one])
            .enumerate()
        {
            eprintln!("{from} -> {to}, mode {mode}: {found:.2?}, table {theirs:?}");
            for (own, other) in found.iter().zip(theirs) {
                assert!(
                    (own - other).abs() < 0.55 * other + 0.15,
                    "{from} -> {to}, mode {mode}: {found:?}, table {theirs:?}"
                );
            }
        }
        if from > 1 {
            assert!(found[0][1] < found[1][1] && found[1][1] < 0.4 * found[2][1]);
        }
    }
    // One joint that bends for all: copied it is exact, shared out it is not.
    let copied = errors(1, 3, OneToOne);
    assert!(copied.iter().all(|error| *error < 2e-3), "{copied:?}");
    let spread = errors(1, 3, SpreadByLength);
    assert!((12.0..20.0).contains(&spread[0]), "{spread:?}");
    assert!((18.0..30.0).contains(&spread[1]), "{spread:?}");
    assert!(spread[2] < 1e-3, "{spread:?}");
    assert!(errors(1, 3, MatchChain).iter().all(|error| *error < 2e-3));
}

/// The figures of the documentation are those of the code.
#[test]
fn the_figures_of_the_page_are_true() {
    let page = include_str!("../../../../docs/methods/chains.md");
    let cells = |line: &'static str| line.trim_matches('|').split('|').map(str::trim);
    let header = page
        .lines()
        .find(|line| line.starts_with("| n → m"))
        .unwrap();
    let modes: Vec<ChainMode> = cells(header)
        .skip(1)
        .map(|name| ChainMode::parse(name).unwrap())
        .collect();
    assert_eq!(modes.len(), 7);
    let mut rows = 0;
    for line in page.lines() {
        let mut row = cells(line);
        let Some((from, to)) = row.next().and_then(|name| name.split_once(" → ")) else {
            continue;
        };
        let (Ok(from), Ok(to)) = (from.parse(), to.parse()) else {
            continue;
        };
        rows += 1;
        for (&mode, said) in modes.iter().zip(row) {
            let found = errors(from, to, mode);
            let said: Vec<f64> = said
                .split('/')
                .map(|number| number.parse().unwrap())
                .collect();
            for ((own, said), rounded) in found.iter().zip(&said).zip([0.011, 0.011, 0.051]) {
                let place = format!(
                    "{from} -> {to}, {}: {found:.2?}, page {said:?}",
                    mode.name()
                );
                assert!((own - said).abs() <= rounded, "{place}");
            }
        }
    }
    assert_eq!(rows, 6);
}

/// End-exact, spread by length, spread and last with last: the last joint is exact.
#[test]
fn the_last_joint_is_exact_where_the_mode_says_so() {
    for (from, to) in [(3, 5), (5, 3), (3, 2), (2, 3), (1, 4), (4, 1)] {
        for mode in [
            ChainMode::EndExact,
            ChainMode::SpreadByLength,
            ChainMode::Spread,
            ChainMode::OneToOneReversed,
        ] {
            let found = errors(from, to, mode);
            assert!(
                found[2] < 1e-3,
                "{from} -> {to}, {}: {found:?}",
                mode.name()
            );
        }
    }
}

/// Deltas do not see the joints' own axes, up axes or units.
#[test]
fn the_modes_do_not_see_conventions() {
    for mode in ChainMode::ALL {
        let mut worst = Worst::default();
        for seed in rebone_corpus::seeds(0..8) {
            let generator = &mut Generator::new(seed);
            let body = full_body(generator);
            let (from, to) = (1 + generator.below(4), 1 + generator.below(4));
            let bodies = [from, to].map(|count| cut(&body, &cuts(generator, count)));
            let [a, b] = bodies
                .each_ref()
                .map(|body| Rigged::new(body, &Convention::default()));
            let [c, d] = bodies
                .each_ref()
                .map(|body| Rigged::new(body, &random_convention(generator)));
            let motion = rebone_testkit::random::Motion::random(generator, &a.body);
            let clips = [&a, &c].map(|rigged| rigged.clip(&motion, Keys::Linear));
            let plain = retargeted(&a, &b, &clips[0], &options(mode));
            let other = retargeted(&c, &d, &clips[1], &options(mode));
            for time in times(&clips[0], When::Keys) {
                let (one, two) = (seen_at(&b, &plain, time), seen_at(&d, &other, time));
                compare(&b, &one, &d, &two, time, &mut worst);
            }
        }
        say(mode.name(), &worst);
        worst.assert_within(3e-6, 3e-4, mode.name());
    }
}

/// A chain of as many joints returns the input, whatever the mode; `none` leaves it at rest.
#[test]
fn equal_chains_are_exact_in_every_mode() {
    for mode in ChainMode::ALL {
        let mut worst = Worst::default();
        for seed in rebone_corpus::seeds(20..26) {
            let generator = &mut Generator::new(seed);
            let body = full_body(generator);
            let [a, b] = [0, 1].map(|_| Rigged::new(&body, &random_convention(generator)));
            let clip = any_clip(generator, &a, Keys::Linear);
            let made = retargeted(&a, &b, &clip, &options(mode));
            if mode == ChainMode::None {
                let spine = b.joint_of[b.body.find("spine0").unwrap()];
                assert!(made.joints[spine].rotation.is_none());
                continue;
            }
            for time in times(&clip, When::Keys) {
                let (one, two) = (seen_at(&a, &clip, time), seen_at(&b, &made, time));
                compare(&a, &one, &b, &two, time, &mut worst);
            }
        }
        worst.assert_within(3e-6, 3e-4, mode.name());
    }
}

fn worst_turn_between_paths(plan: &Plan, clip: &Clip) -> f32 {
    let made = apply_clip(plan, clip, &ClipOptions::default()).unwrap();
    let mut workspace = Workspace::new(plan);
    let (mut source, mut target) = (plan.source.rest_pose(), plan.target.rest_pose());
    let mut worst = 0f32;
    for time in clip.key_times() {
        sample_clip_into(clip, time, &mut source);
        apply_pose(plan, &source, &mut target, &mut workspace);
        for (joint, own) in target.transforms().iter().enumerate() {
            let other = sample_joint(&made.joints[joint], plan.target.rest[joint], time);
            worst = worst.max(angle_between(own.rotation, other.rotation).to_degrees());
        }
    }
    worst
}

#[test]
fn clips_and_poses_of_blends_agree() {
    for mode in [ChainMode::Overlap, ChainMode::MatchChain] {
        for seed in rebone_corpus::seeds(0..6) {
            let generator = &mut Generator::new(seed);
            let body = full_body(generator);
            let bodies = [5, 3].map(|count| cut(&body, &cuts(generator, count)));
            let [source, target] =
                bodies.map(|body| Rigged::new(&body, &random_convention(generator)));
            let clip = any_clip(generator, &source, Keys::Mixed);
            let plan = compiled_as(&source, &target, &clip, Correction::Full, &options(mode)).plan;
            assert!(!plan.blends.is_empty());
            let off = worst_turn_between_paths(&plan, &clip);
            assert!(off < 2e-3, "seed {seed}, {}: {off} degrees", mode.name());
        }
    }
}

/// A finger of one joint less moves one of one more: the last bend is shared out by length, and the tip is exact.
#[test]
fn a_longer_finger_shares_the_last_bend() {
    for seed in rebone_corpus::seeds(0..10) {
        let generator = &mut Generator::new(seed);
        let body = full_body(generator);
        let short = body.clone().without("leftIndexDistal");
        let source = Rigged::new(&short, &random_convention(generator));
        let target = Rigged::new(&body, &random_convention(generator));
        let clip = any_clip(generator, &source, Keys::Linear);
        let made = retargeted(&source, &target, &clip, &transfer_alone());
        for time in times(&clip, When::Keys) {
            let (seen, made) = (seen_at(&source, &clip, time), seen_at(&target, &made, time));
            let from = |key: &str| seen[source.body.find(key).unwrap()].turn;
            let to = |key: &str| made[target.body.find(key).unwrap()].turn;
            let knuckle = from("leftIndexProximal");
            let last = from("leftIndexIntermediate");
            assert!(degrees_between(to("leftIndexProximal"), knuckle) < 1e-3);
            assert!(degrees_between(to("leftIndexDistal"), last) < 1e-3);
            // Both bones are equally long here.
            let half = knuckle.slerp(last, 0.5);
            let off = degrees_between(to("leftIndexIntermediate"), half);
            assert!(off < 1e-2, "seed {seed}: {off}");
        }
    }
}

/// A finger of one joint more: the others go one to one.
#[test]
fn a_shorter_finger_keeps_its_knuckles() {
    let generator = &mut Generator::new(3);
    let body = full_body(generator);
    let short = body.clone().without("leftIndexDistal");
    let source = Rigged::new(&body, &random_convention(generator));
    let target = Rigged::new(&short, &random_convention(generator));
    let clip = any_clip(generator, &source, Keys::Linear);
    let made = retargeted(&source, &target, &clip, &transfer_alone());
    let mut worst = Worst::default();
    for time in times(&clip, When::Keys) {
        let (seen, made) = (seen_at(&source, &clip, time), seen_at(&target, &made, time));
        compare(&target, &made, &source, &seen, time, &mut worst);
    }
    worst.assert_within(3e-6, 3e-4, "shorter finger");
}

#[test]
fn a_mode_of_no_chain_is_an_error() {
    let generator = &mut Generator::new(3);
    let rigged = Rigged::new(&full_body(generator), &Convention::default());
    let alignment = rebone_testkit::check::aligned(&rigged, &[], &Default::default());
    let mapped = rebone_testkit::check::mapped(&rigged, &alignment);
    let options =
        asking(|recipe| recipe.chain_modes = [("spien".to_owned(), ChainMode::Overlap)].into());
    let error = rebone_setup::compile::compile(&mapped, &mapped, &[], &options).unwrap_err();
    let error = error.to_string();
    assert!(error.contains("did you mean \"spine\"?"), "{error}");
    assert!(error.contains("chain_modes"), "{error}");
}
