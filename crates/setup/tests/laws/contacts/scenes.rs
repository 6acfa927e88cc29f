//! Bodies made for one question each. A leg is 1 long, a foot 0.2, and 30 frames are a second.

use super::{adult, changed, spans};
use glam::{Quat, Vec3};
use rebone_model::Clamp as _;
use rebone_runtime::contact::{
    ContactMotion, ContactPoint, ContactPoints, Contacts, DetectOptions, InPlace, Interval, Touch,
    detect,
};
use rebone_testkit::random::Generator;

const RATE: f32 = 30.0;

/// Where the body is: soles below the ankles, balls of the feet, wrists, knees, hips.
#[derive(Clone, Copy)]
struct Scene {
    heels: [Vec3; 2],
    toes: [Vec3; 2],
    hands: [Vec3; 2],
    knees: [Vec3; 2],
    hips: Vec3,
}

/// Standing on both feet, the left one first.
fn standing() -> Scene {
    let sides = |height: f32, ahead: f32| [0.1, -0.1].map(|x| Vec3::new(x, height, ahead));
    Scene {
        heels: sides(0.0, 0.0),
        toes: sides(0.0, 0.15),
        hands: sides(0.9, 0.1),
        knees: sides(0.55, 0.05),
        hips: Vec3::Y * 1.08,
    }
}

impl Scene {
    /// A foot elsewhere, flat.
    fn foot(mut self, side: usize, place: Vec3) -> Self {
        let way = place - self.heels[side];
        self.heels[side] += way;
        self.toes[side] += way;
        self
    }
}

fn points() -> ContactPoints {
    let mut points = Vec::new();
    for touch in [Touch::Heel, Touch::Toes, Touch::Hand, Touch::Knee] {
        for side in [1, -1] {
            points.push((touch, side));
        }
    }
    points.push((Touch::Seat, 0));
    let points = points.into_iter().map(|(touch, side)| ContactPoint {
        touch,
        side,
        front: false,
        joint: 0,
        offset: Vec3::ZERO,
    });
    ContactPoints {
        points: points.collect(),
        hips: Some(0),
        canonical_from_file: Quat::IDENTITY,
        leg: 1.0,
        floor: 0.0,
        floor_within: f32::INFINITY,
    }
}

fn motion(seconds: f32, scene: impl Fn(f32) -> Scene) -> ContactMotion {
    let count = (seconds * RATE) as usize + 1;
    let times: Vec<f32> = (0..count).map(|frame| frame as f32 / RATE).collect();
    let mut motion = ContactMotion {
        points: vec![Vec::new(); 9],
        times,
        hips: Vec::new(),
    };
    for &time in &motion.times {
        let now = scene(time);
        let pairs = [now.heels, now.toes, now.hands, now.knees];
        for (place, path) in pairs.iter().flatten().zip(&mut motion.points) {
            path.push(*place);
        }
        motion.points[8].push(now.hips);
        motion.hips.push(now.hips);
    }
    motion
}

fn found(seconds: f32, scene: impl Fn(f32) -> Scene) -> Contacts {
    detect(
        &points(),
        &motion(seconds, scene),
        &DetectOptions::default(),
    )
}

/// What touches at a time, by letters: left and right heel, toes, hand, knee, seat.
fn touching(contacts: &Contacts, time: f32) -> String {
    let names = ["h", "H", "t", "T", "a", "A", "k", "K", "S"];
    let frame = (time * RATE).round() as usize;
    let touches = |point: &usize| contacts.at(*point, frame).is_some();
    (0..9).filter(touches).map(|point| names[point]).collect()
}

/// 0 to 1 between two times, level at both.
fn eased(time: f32, from: f32, to: f32) -> f32 {
    let unit = ((time - from) / (to - from)).clamped(0.0, 1.0);
    unit * unit * (3.0 - 2.0 * unit)
}

/// A foot a step every half a second, each 0.4 ahead and so much higher; a swing takes 0.4 s.
fn climbing(time: f32, rise: f32) -> Scene {
    let mut scene = standing();
    for side in 0..2 {
        // Swing n of the left foot begins at n seconds, of the right one half a second later.
        let since = time - 0.5 * side as f32;
        let (swing, phase) = (since.floor(), since - since.floor());
        // It leads from step 2 n - 2 to step 2 n; for the right foot one step higher. Both start on step 0.
        let to = 2.0 * swing + 1.0 + side as f32;
        let share = eased(phase, 0.05, 0.45);
        let place = |step: f32| {
            let step = step.max(0.0);
            let x = if side == 0 { 0.1 } else { -0.1 };
            Vec3::new(x, rise * step, 0.4 * step)
        };
        let lift = 0.15 * (std::f32::consts::PI * share).sin();
        scene = scene.foot(
            side,
            place(to - 2.0).lerp(place(to), share) + Vec3::Y * lift,
        );
    }
    let middle = 0.5 * (scene.heels[0] + scene.heels[1]);
    scene.hips = Vec3::new(0.0, middle.y + 1.0, middle.z + 0.1);
    scene.knees = scene.heels.map(|heel| 0.5 * (heel + scene.hips));
    scene
}

#[test]
fn each_step_of_a_stair_is_touched_at_its_height() {
    for rise in [0.2, -0.2, 0.07] {
        let contacts = found(6.0, |time| climbing(time, rise));
        for point in 0..4 {
            let stands = &contacts.points[point];
            assert!(stands.len() >= 5, "rise {rise}, point {point}: {stands:?}");
            for stand in stands {
                let step = stand.height / rise;
                let off = (step - step.round()).abs() * rise.abs();
                assert!(off < 0.012, "rise {rise}, point {point}: {stand:?}");
                // A foot stands for 0.6 s; the first one and the last are cut off.
                let whole = stand.first > 0 && stand.last < 180;
                let frames = stand.last + 1 - stand.first;
                assert!(!whole || (16..=21).contains(&frames), "{stand:?}");
            }
        }
    }
}

/// On short legs the hips of a body that lies are high over its feet: where they move on over a foot that lies still above the floor,
/// that foot stands all the same only under a raised shin.
#[test]
fn a_foot_carries_under_a_raised_shin_only() {
    for (raised, stands) in [(true, true), (false, false)] {
        let contacts = found(3.0, |time| {
            let on = eased(time, 1.0, 2.0);
            let mut scene = standing();
            for side in 0..2 {
                let x = scene.heels[side].x;
                scene = scene.foot(side, Vec3::new(x, 0.3 * on, 0.9 * on));
            }
            scene.hips = Vec3::new(0.0, 0.8, 0.9 * eased(time, 2.0, 3.0));
            let knee = if raised {
                Vec3::new(0.0, 0.4, 0.1)
            } else {
                Vec3::new(0.0, 0.1, -0.4)
            };
            scene.knees = scene.heels.map(|heel| heel + knee);
            scene
        });
        let is_raised = |stand: &Interval| stand.height > 0.2;
        let found = contacts.points.iter().flatten().any(is_raised);
        assert_eq!(found, stands, "{contacts:?}");
    }
}

#[test]
fn a_foot_held_in_the_air_does_not_stand() {
    let kicking = found(4.0, |time| {
        let up = eased(time, 0.5, 1.0) * (1.0 - eased(time, 3.0, 3.5));
        standing().foot(1, Vec3::new(-0.1, 0.7 * up, 0.5 * up))
    });
    assert_eq!(touching(&kicking, 0.2), "hHtT");
    assert_eq!(touching(&kicking, 2.0), "ht");
    assert_eq!(touching(&kicking, 3.9), "hHtT");
    // All the time, so that nothing tells that it is a leg that comes down.
    for height in [0.1, 0.3, 0.9] {
        for floor in [0.0, 5.0] {
            let one_leg = found(3.0, |_| {
                let mut scene = standing().foot(0, Vec3::new(0.1, height, 0.2));
                let pairs = [
                    &mut scene.heels,
                    &mut scene.toes,
                    &mut scene.hands,
                    &mut scene.knees,
                ];
                let places = pairs.into_iter().flatten().chain([&mut scene.hips]);
                places.for_each(|place| place.y += floor);
                scene
            });
            assert_eq!(touching(&one_leg, 1.5), "HT", "{height} {floor}");
            assert!((one_leg.ground - floor).abs() < 1e-4, "{}", one_leg.ground);
        }
    }
}

#[test]
fn feet_that_dangle_or_lie_do_not_stand_and_the_seat_does() {
    let dangling = found(3.0, |_| {
        let mut scene = standing()
            .foot(0, Vec3::new(0.1, 0.25, 0.45))
            .foot(1, Vec3::new(-0.1, 0.25, 0.45));
        scene.knees = [0.1, -0.1].map(|x| Vec3::new(x, 0.75, 0.45));
        scene.hips.y = 0.8;
        scene
    });
    assert_eq!(touching(&dangling, 1.5), "S");
    let seat = dangling.points[8][0];
    assert!((seat.height - 0.66).abs() < 0.03, "{seat:?}");
    // Drawn up in the air, as in a loop of a jump, nobody sits and nobody stands.
    let floating = found(3.0, |_| {
        let mut scene = standing()
            .foot(0, Vec3::new(0.1, 0.6, 0.1))
            .foot(1, Vec3::new(-0.1, 0.5, 0.0));
        scene.hips.y = 1.2;
        scene
    });
    assert_eq!(touching(&floating, 1.5), "");
    let lying = found(3.0, |_| {
        let mut scene = standing();
        scene.heels = [0.1, -0.1].map(|x| Vec3::new(x, 0.08, 1.0));
        scene.toes = [0.1, -0.1].map(|x| Vec3::new(x, 0.2, 1.05));
        scene.knees = [0.1, -0.1].map(|x| Vec3::new(x, 0.16, 0.5));
        scene.hands = [0.4, -0.4].map(|x| Vec3::new(x, 0.2, -0.1));
        scene.hips.y = 0.12;
        scene
    });
    assert_eq!(touching(&lying, 1.5), "S");
    assert!(lying.points[8][0].height.abs() < 1e-6);
}

#[test]
fn hands_and_knees_carry_who_kneels_or_leans_on_them() {
    let push_up = found(4.0, |time| {
        let low = 0.5 - 0.5 * (2.0 * time).cos();
        let mut scene = standing();
        scene.toes = [0.1, -0.1].map(|x| Vec3::new(x, 0.0, -1.0));
        scene.heels = [0.1, -0.1].map(|x| Vec3::new(x, 0.15, -1.05));
        scene.hands = [0.3, -0.3].map(|x| Vec3::new(x, 0.07, 0.7));
        scene.knees = [0.1, -0.1].map(|x| Vec3::new(x, 0.25 - 0.1 * low, -0.5));
        scene.hips = Vec3::Y * (0.6 - 0.35 * low);
        scene
    });
    assert_eq!(touching(&push_up, 2.0), "tTaA");
    let kneeling = found(2.0, |_| {
        let mut scene = standing();
        scene.knees = [0.1, -0.1].map(|x| Vec3::new(x, 0.07, 0.0));
        scene.toes = [0.1, -0.1].map(|x| Vec3::new(x, 0.0, -0.55));
        scene.heels = [0.1, -0.1].map(|x| Vec3::new(x, 0.15, -0.5));
        scene.hips.y = 0.55;
        scene
    });
    assert!(
        touching(&kneeling, 1.0).contains("kK"),
        "{}",
        touching(&kneeling, 1.0)
    );
    // A hand that passes near the floor does not lean on it.
    let picking_up = found(2.0, |time| {
        let mut scene = standing();
        let down = (time - 1.0).abs();
        scene.hands[0] = Vec3::new(0.2, 0.05 + 1.2 * down, 0.3);
        scene.hips.y = (0.6 + 0.4 * down).min(1.0);
        scene
    });
    assert!(!touching(&picking_up, 1.0).contains('a'));
}

#[test]
fn nothing_touches_in_the_air() {
    let adult = adult();
    let motion = adult.motion(&adult.clips[2].clip, None);
    let contacts = adult.contacts(&motion);
    for frame in 66..95 {
        let all = contacts.points.iter().enumerate();
        for (point, _) in all {
            assert!(
                contacts.at(point, frame).is_none(),
                "point {point} at {frame}"
            );
        }
    }
}

/// A walk whose way is taken out has the contacts of the walk.
#[test]
fn a_walk_in_place_has_the_contacts_of_the_walk() {
    let adult = adult();
    let motion = adult.motion(&adult.clips[0].clip, None);
    let wanted = adult.contacts(&motion);
    let (first, last) = (motion.hips[0], motion.hips[motion.hips.len() - 1]);
    let speed = (last - first) / motion.times[motion.times.len() - 1];
    for turn in [0.0, 1.0, 2.5] {
        let turn = Quat::from_rotation_y(turn);
        let in_place = changed(&motion, |frame, place| {
            turn * (place - speed * motion.times[frame])
        });
        let contacts = adult.contacts(&in_place);
        let drift = contacts.drift + turn * speed;
        assert!(
            drift.length() < 0.03 * speed.length(),
            "{} {speed}",
            contacts.drift
        );
        let (one, two) = (
            spans(&adult.points, &wanted),
            spans(&adult.points, &contacts),
        );
        for (one, two) in one.iter().flatten().zip(two.iter().flatten()) {
            let near = one.0.abs_diff(two.0) <= 1 && one.1.abs_diff(two.1) <= 2;
            assert!(near, "{one:?} {two:?}");
        }
        assert_eq!(one.concat().len(), two.concat().len());
    }
    let options = DetectOptions {
        in_place: InPlace::Never,
        ..DetectOptions::default()
    };
    let gliding = changed(&motion, |frame, place| place - speed * motion.times[frame]);
    assert_eq!(detect(&adult.points, &gliding, &options).drift, Vec3::ZERO);
}

#[test]
fn odd_motions_and_options_do_no_harm() {
    let points = points();
    let usual = DetectOptions::default();
    let empty = Contacts {
        points: vec![Vec::new(); 9],
        ..Contacts::default()
    };
    assert_eq!(detect(&points, &ContactMotion::default(), &usual), empty);
    // One frame, and two: the height decides.
    for seconds in [0.0, 1.0 / RATE] {
        let contacts = found(seconds, |_| standing());
        assert_eq!(touching(&contacts, 0.0), "hHtT");
    }
    for leg in [0.0, -1.0, f32::NAN, f32::INFINITY, 1e-30, 1e30] {
        let points = ContactPoints {
            leg,
            ..points.clone()
        };
        detect(&points, &motion(1.0, |_| standing()), &usual);
    }
    for seed in rebone_corpus::seeds(0..60) {
        let generator = &mut Generator::new(seed);
        let count = generator.below(40);
        let mut motion = motion(count as f32 / RATE, |time| climbing(time, 0.1));
        let hips = std::iter::once(&mut motion.hips);
        for place in motion.points.iter_mut().chain(hips).flatten() {
            if generator.chance(0.1) {
                *place = [Vec3::NAN, Vec3::INFINITY, Vec3::MAX, Vec3::ZERO][generator.below(4)];
            }
        }
        match seed % 4 {
            0 => motion.times.iter_mut().for_each(|time| *time = 0.0),
            1 => motion.times.reverse(),
            2 => motion.times.iter_mut().for_each(|time| *time = f32::NAN),
            _ => {}
        }
        let odd = [f32::NAN, f32::INFINITY, -1.0, 0.0, 1e9, 0.1];
        let mut any = || odd[generator.below(6)];
        let options = DetectOptions {
            speed_on: any(),
            speed_release: any(),
            height_on: any(),
            height_release: any(),
            shortest_seconds: any(),
            gap_seconds: any(),
            ground: Some(any()),
            in_place: InPlace::Auto,
        };
        let contacts = detect(&points, &motion, &options);
        for intervals in &contacts.points {
            for pair in intervals.windows(2) {
                assert!(pair[0].last < pair[1].first, "{intervals:?}");
            }
            for found in intervals {
                assert!(found.first <= found.last && found.last < motion.times.len());
                assert!(found.height.is_finite(), "{found:?}");
            }
        }
    }
}
