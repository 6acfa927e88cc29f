//! The mapper on random bodies without names: what no file of a corpus can show.

// Helpers of a test are a test: a failing unwrap is a failing test, and the figures are for reading.
use rebone_model::kinematics::model_pose;
use rebone_model::usable::LARGEST;
use rebone_model::{Character, Clip, NewJoint, SkeletonBuilder, Transform, Vec3};
use rebone_setup::mapping::{Kind, RigMap, map_character};
use rebone_setup::profile::{HUMANOID, Slot};
use rebone_testkit::random::{
    BodyOptions, Convention, Generator, Keys, Motion, Rigged, random_body, random_convention,
};

/// The character with names that say nothing.
fn nameless(character: &Character) -> Character {
    rebuilt(character, |joint| character.skeleton.joints()[joint].rest)
}

fn rebuilt(character: &Character, rest: impl Fn(usize) -> Transform) -> Character {
    let mut builder = SkeletonBuilder::new();
    for (index, joint) in character.skeleton.joints().iter().enumerate() {
        builder.add(NewJoint {
            name: format!("node_{index}"),
            parent: joint.parent,
            rest: rest(index),
            kind: joint.kind,
            node: joint.node,
            end: joint.end,
        });
    }
    let (skeleton, _) = builder.build().unwrap();
    Character {
        skeleton,
        ..character.clone()
    }
}

/// The character seen in a mirror: joints at the mirrored places, without rotations.
fn mirrored(character: &Character) -> Character {
    let skeleton = &character.skeleton;
    let model = model_pose(skeleton, &skeleton.rest_pose());
    let place = |joint: usize| model.position(joint) * Vec3::new(-1.0, 1.0, 1.0);
    rebuilt(character, |joint| {
        let parent = skeleton.parent(joint).map_or(Vec3::ZERO, place);
        Transform {
            translation: place(joint) - parent,
            ..Transform::IDENTITY
        }
    })
}

fn any_body(generator: &mut Generator) -> Rigged {
    let options = BodyOptions::random(generator, false);
    let body = random_body(generator, &options);
    Rigged::new(&body, &random_convention(generator))
}

fn unsure(map: &RigMap) -> bool {
    map.warnings.iter().any(|w| w.code == "sides-unsure")
}

/// Right and all required slots, right and all others, and slots that have their twin's joint. Where the map
/// says that it does not know the sides, a twin's joint counts as right.
fn count(truth: &RigMap, map: &RigMap) -> [usize; 5] {
    let either = unsure(map);
    let mut counts = [0; 5];
    for (slot, found) in &truth.slots {
        let info = HUMANOID.info(*slot);
        let at = if info.required { 0 } else { 2 };
        counts[at + 1] += 1;
        let joint = map.joint(*slot);
        let twin: Slot = HUMANOID.twin(*slot);
        let swapped = twin != *slot && joint.is_some() && joint == truth.joint(twin);
        let right = joint == found.joints.first().copied();
        counts[at] += usize::from(right || (swapped && either));
        counts[4] += usize::from(swapped);
    }
    counts
}

#[test]
fn random_bodies_are_found_without_names() {
    let mut sums = [[0; 5]; 2];
    let mut silent = Vec::new();
    for seed in 0..300 {
        let mut generator = Generator::new(seed);
        let rigged = any_body(&mut generator);
        let mut character = nameless(&rigged.character);
        let moves = seed % 2 == 1;
        if moves {
            // Any turn at any joint, but for the knees and ankles: knees that bend backwards would rightly be
            // taken for a body that faces the other way.
            let mut motion = Motion::random(&mut generator, &rigged.body);
            for side in ["left", "right"] {
                motion = motion
                    .hold(&format!("{side}LowerLeg"))
                    .hold(&format!("{side}Foot"));
            }
            character.clips = vec![rigged.clip(&motion, Keys::Linear)];
        }
        let map = map_character(&character);
        let counts = count(&rigged.map, &map);
        let sum = &mut sums[usize::from(moves)];
        for (sum, count) in sum.iter_mut().zip(counts) {
            *sum += count;
        }
        if counts[4] > 0 && !unsure(&map) {
            silent.push(seed);
        }
        assert_eq!(map.kind, Kind::Humanoid, "{seed}");
    }
    for (what, [right, all, others, of, swapped]) in ["still", "moving"].iter().zip(sums) {
        eprintln!("{what}: required {right}/{all}, others {others}/{of}, swapped {swapped}");
        assert!(right * 100 >= all * 95, "{what}");
        assert!(others * 100 >= of * 90, "{what}");
    }
    assert!(silent.is_empty(), "swapped silently: {silent:?}");
}

#[test]
fn a_mirrored_body_has_mirrored_slots() {
    let mut sure = 0;
    for seed in 0..60 {
        let rigged = any_body(&mut Generator::new(1000 + seed));
        let plain = map_character(&nameless(&rigged.character));
        let map = map_character(&mirrored(&rigged.character));
        if unsure(&plain) || unsure(&map) {
            continue;
        }
        sure += 1;
        for (slot, found) in &plain.slots {
            let twin = map.joint(HUMANOID.twin(*slot));
            let name = HUMANOID.info(*slot).name;
            assert_eq!(twin, found.joints.first().copied(), "{seed}: {name}");
        }
    }
    assert!(sure > 30, "only {sure} bodies have a front");
}

#[test]
fn the_order_of_joints_does_not_matter() {
    for seed in 0..60 {
        let mut generator = Generator::new(2000 + seed);
        let options = BodyOptions::random(&mut generator, false);
        let body = random_body(&mut generator, &options);
        let convention = random_convention(&mut generator);
        let joints_of_body = |names: u64| {
            let rigged = Rigged::new(
                &body,
                &Convention {
                    names: Some(names),
                    ..convention.clone()
                },
            );
            let map = map_character(&nameless(&rigged.character));
            let place = |joint: usize| rigged.joint_of.iter().position(|&at| at == joint);
            let slots = map.slots.iter().map(|(slot, found)| {
                let joints: Vec<_> = found.joints.iter().map(|&joint| place(joint)).collect();
                (HUMANOID.info(*slot).name, joints)
            });
            slots.collect::<Vec<_>>()
        };
        assert_eq!(joints_of_body(seed), joints_of_body(seed + 7777), "{seed}");
    }
}

#[test]
fn odd_rigs_end_without_a_guess() {
    let joint = |parent: Option<usize>, at: Vec3| {
        let rest = Transform {
            translation: at,
            ..Transform::IDENTITY
        };
        NewJoint::new("x".to_owned(), parent, rest)
    };
    let build = |joints: Vec<NewJoint>| {
        let mut builder = SkeletonBuilder::new();
        for joint in joints {
            builder.add(joint);
        }
        Character {
            skeleton: builder.build().unwrap().0,
            ..Character::default()
        }
    };
    let line = (0..400).map(|at: usize| joint(at.checked_sub(1), Vec3::Y));
    let star = (0..200).map(|at| joint((at > 0).then_some(0), Vec3::X * at as f32));
    let point = (0..60).map(|at: usize| joint(at.checked_sub(1).map(|at| at / 2), Vec3::ZERO));
    let huge =
        (0..60).map(|at: usize| joint(at.checked_sub(1).map(|at| at / 2), Vec3::splat(LARGEST)));
    let rigs = [
        Vec::new(),
        line.collect(),
        star.collect(),
        point.collect(),
        huge.collect(),
    ];
    for (index, joints) in rigs.into_iter().enumerate() {
        let mut character = build(joints);
        let count = character.skeleton.len();
        character.clips = vec![Clip::new("empty", count)];
        let map = map_character(&character);
        assert_eq!(map.kind, Kind::Other, "{index}");
    }
}
