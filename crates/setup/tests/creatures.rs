//! Animals made by code: mapping, retargeting among them, and chains to and from people.

use glam::{Quat, Vec3};
use rebone_model::kinematics::model_pose;
use rebone_model::sampling::sample_clip;
use rebone_model::{
    Action, Character, Clip, Interpolation, ModelPose, NewJoint, SkeletonBuilder, Track, Transform,
};
use rebone_runtime::{ClipOptions, apply_clip};
use rebone_setup::align::{AlignOptions, align};
use rebone_setup::chains::Chains;
use rebone_setup::compile::{CompileOptions, Compiled, Mapped, NO_CALIBRATIONS, compile};
use rebone_setup::error::Error;
use rebone_setup::mapping::{
    Kind, ProfileChoice, RigMap, map_character, map_character_as, profile_text,
};
use rebone_setup::profile::custom::read_profile;
use rebone_testkit::check::{asking, transfer_alone};
use std::sync::Arc;

/// How an animal is built. Metres.
#[derive(Clone, Copy)]
struct Build {
    size: f32,
    metatarsus: bool,
    necks: usize,
    /// Front legs are called arms, hind legs legs, as people's.
    human_words: bool,
    /// The middle joint of the front leg is the wrist, in front of the leg, and not the elbow behind it.
    wrist: bool,
    /// The tail is carried upright.
    tail_up: bool,
}

const DOG: Build = Build {
    size: 0.6,
    metatarsus: true,
    necks: 1,
    human_words: true,
    wrist: false,
    tail_up: false,
};

const HORSE: Build = Build {
    size: 1.5,
    metatarsus: true,
    necks: 3,
    human_words: false,
    wrist: false,
    tail_up: false,
};

/// An animal of hip height `size`, looking along +Z: name, parent, place.
fn animal(build: Build) -> Character {
    let mut rows: Vec<(String, Option<usize>, Vec3)> = Vec::new();
    let mut add = |name: &str, parent: Option<usize>, y: f32, z: f32, x: f32| {
        rows.push((name.to_owned(), parent, Vec3::new(x, y, z) * build.size));
        rows.len() - 1
    };
    let hips = add("Hips", None, 1.0, -0.55, 0.0);
    let spine = add("Spine", Some(hips), 1.0, -0.1, 0.0);
    let chest = add("Spine1", Some(spine), 1.0, 0.3, 0.0);
    let mut neck = chest;
    for index in 0..build.necks {
        let share = index as f32 / build.necks as f32;
        let name = format!("Neck{}", index + 1);
        neck = add(&name, Some(neck), 1.1 + 0.3 * share, 0.5 + 0.3 * share, 0.0);
    }
    add("Head", Some(neck), 1.4, 0.8, 0.0);
    let tail = add("Tail1", Some(hips), 1.0, -0.65, 0.0);
    let tip = if build.tail_up { 1.3 } else { 0.8 };
    add("Tail2", Some(tail), tip, -0.85, 0.0);
    for (side, x) in [("Left", 0.12), ("Right", -0.12)] {
        let words = if build.human_words {
            ["Arm", "ForeArm", "Hand", "UpLeg", "Leg", "Hock", "Foot"]
        } else {
            [
                "FrontUpper",
                "FrontLower",
                "FrontHoof",
                "HindUpper",
                "HindLower",
                "HindCannon",
                "HindHoof",
            ]
        };
        let name = |word: usize| format!("{side}{}", words[word]);
        let shoulder = add(&name(0), Some(chest), 0.8, 0.42, x);
        let ahead = if build.wrist { 0.48 } else { 0.36 };
        let middle = add(&name(1), Some(shoulder), 0.5, ahead, x);
        add(&name(2), Some(middle), 0.06, 0.42, x);
        let hip = add(&name(3), Some(hips), 0.9, -0.5, x);
        let mut knee = add(&name(4), Some(hip), 0.58, -0.42, x);
        if build.metatarsus {
            knee = add(&name(5), Some(knee), 0.33, -0.62, x);
        }
        add(&name(6), Some(knee), 0.06, -0.56, x);
    }
    let mut builder = SkeletonBuilder::new();
    for (name, parent, place) in &rows {
        let above = parent.map_or(Vec3::ZERO, |parent| rows[parent].2);
        let rest = Transform::from_translation(*place - above);
        builder.add(NewJoint::new(name.clone(), *parent, rest));
    }
    Character {
        name: "animal".to_owned(),
        skeleton: builder.build().unwrap().0,
        ..Character::default()
    }
}

/// All mapped joints turn about X, each by its own angle, and the hips travel.
fn motion(character: &Character) -> Clip {
    let times: Arc<[f32]> = (0..9).map(|key| key as f32 / 8.0).collect();
    let mut clip = Clip::new("trot", character.skeleton.len());
    for (joint, tracks) in clip.joints.iter_mut().enumerate() {
        let turn = |time: &f32| {
            let phase = std::f32::consts::TAU * time + 0.7 * joint as f32;
            Quat::from_rotation_x(0.3 * phase.sin())
        };
        let values: Vec<Quat> = times.iter().map(turn).collect();
        tracks.rotation = Some(Track::new(Interpolation::Linear, times.clone(), values).unwrap());
    }
    let rest = character.skeleton.joints()[0].rest.translation;
    let places = times.iter().map(|time| rest + Vec3::Z * *time).collect();
    clip.joints[0].translation = Some(Track::new(Interpolation::Linear, times, places).unwrap());
    clip
}

fn run(
    source: (&Character, &RigMap),
    target: (&Character, &RigMap),
    options: &CompileOptions,
) -> Result<(Compiled, Clip, Clip), Error> {
    let clip = motion(source.0);
    let options_of_alignment = AlignOptions::default();
    let aligned =
        |(character, map), clips: &[&Clip]| align(character, map, clips, &options_of_alignment);
    let alignments = (aligned(source, &[&clip]), aligned(target, &[]));
    let from = Mapped {
        character: source.0,
        map: source.1,
        meters_per_unit: 1.0,
        alignment: &alignments.0,
        calibrations: &NO_CALIBRATIONS,
    };
    let to = Mapped {
        character: target.0,
        map: target.1,
        alignment: &alignments.1,
        ..from
    };
    let compiled = compile(&from, &to, &[&clip], options)?;
    let made = apply_clip(&compiled.plan, &clip, &ClipOptions::default()).unwrap();
    Ok((compiled, clip, made))
}

fn at(character: &Character, clip: &Clip, time: f32) -> ModelPose {
    let skeleton = &character.skeleton;
    model_pose(skeleton, &sample_clip(skeleton, clip, time))
}

#[test]
fn animals_are_told_by_their_shape() {
    for build in [
        DOG,
        HORSE,
        Build {
            metatarsus: false,
            ..DOG
        },
    ] {
        let character = animal(build);
        let map = map_character(&character);
        assert_eq!(map.kind, Kind::Quadruped);
        assert_eq!(map.missing_required(), Vec::<&str>::new());
        let name = |slot: &str| {
            let joint = map.joint_named(slot)?;
            Some(character.skeleton.joints()[joint].name.as_str())
        };
        let words = if build.human_words {
            ["LeftArm", "RightFoot", "LeftHock"]
        } else {
            ["LeftFrontUpper", "RightHindHoof", "LeftHindCannon"]
        };
        assert_eq!(name("leftFrontUpperLeg"), Some(words[0]));
        assert_eq!(name("rightHindPaw"), Some(words[1]));
        let hock = build.metatarsus.then_some(words[2]);
        assert_eq!(name("leftHindMetatarsus"), hock);
        assert_eq!(name("tail"), Some("Tail1"));
    }
}

/// Whatever axes a file has: the shape is read, not the numbers.
#[test]
fn lying_on_its_side_changes_nothing() {
    let mut character = animal(HORSE);
    let upright = map_character(&character);
    let mut builder = SkeletonBuilder::new();
    let turn = Quat::from_euler(glam::EulerRot::XYZ, 1.1, -0.6, 2.3);
    for joint in character.skeleton.joints() {
        let mut rest = joint.rest;
        if joint.parent.is_none() {
            rest.rotation = turn;
        }
        builder.add(NewJoint::new(joint.name.clone(), joint.parent, rest));
    }
    character.skeleton = builder.build().unwrap().0;
    assert_eq!(map_character(&character).slots, upright.slots);
}

/// A person who crawls in the rest pose has hands, and no tail: not an animal.
#[test]
fn a_crawling_person_is_no_animal() {
    let mut rows: Vec<(&str, Option<usize>, [f32; 3])> = vec![
        ("a", None, [0.0, 0.55, -0.3]),
        ("b", Some(0), [0.0, 0.58, 0.0]),
        ("c", Some(1), [0.0, 0.6, 0.25]),
        ("d", Some(2), [0.0, 0.7, 0.35]),
    ];
    for x in [0.15, -0.15] {
        let arm = rows.len();
        rows.push(("e", Some(2), [x, 0.55, 0.25]));
        rows.push(("f", Some(arm), [x, 0.3, 0.2]));
        rows.push(("g", Some(arm + 1), [x, 0.05, 0.25]));
        for finger in 0..5 {
            let shift = x + 0.02 * (finger as f32 - 2.0);
            let base = rows.len();
            rows.push(("h", Some(arm + 2), [shift, 0.03, 0.32]));
            rows.push(("i", Some(base), [shift, 0.02, 0.36]));
        }
        let leg = rows.len();
        rows.push(("k", Some(0), [0.7 * x, 0.5, -0.3]));
        rows.push(("l", Some(leg), [0.7 * x, 0.28, -0.24]));
        rows.push(("m", Some(leg + 1), [0.7 * x, 0.05, -0.34]));
    }
    let mut builder = SkeletonBuilder::new();
    for (name, parent, place) in &rows {
        let above = parent.map_or(Vec3::ZERO, |parent| Vec3::from(rows[parent].2));
        let rest = Transform::from_translation(Vec3::from(*place) - above);
        builder.add(NewJoint::new(*name, *parent, rest));
    }
    let character = Character {
        skeleton: builder.build().unwrap().0,
        ..Character::default()
    };
    assert_ne!(map_character(&character).kind, Kind::Quadruped);
}

#[test]
fn an_animal_onto_itself_is_itself() {
    let character = animal(HORSE);
    let map = map_character(&character);
    let sides = (&character, &map);
    let (_, clip, made) = run(sides, sides, &transfer_alone()).unwrap();
    for time in [0.0, 0.3, 0.77] {
        let (a, b) = (at(&character, &clip, time), at(&character, &made, time));
        for joint in 0..character.skeleton.len() {
            assert!(a.position(joint).distance(b.position(joint)) < 1e-4);
        }
    }
}

/// Paws and heads show what the source's show, whatever lies between; a neck of three follows one of one.
#[test]
fn limbs_of_other_joints_end_alike() {
    let bare = Build {
        metatarsus: false,
        ..DOG
    };
    for (from, to) in [(HORSE, bare), (bare, HORSE), (DOG, HORSE), (HORSE, DOG)] {
        let (source, target) = (animal(from), animal(to));
        let (source_map, target_map) = (map_character(&source), map_character(&target));
        let (compiled, clip, made) = run(
            (&source, &source_map),
            (&target, &target_map),
            &transfer_alone(),
        )
        .unwrap();
        let measures = [&compiled.source, &compiled.target].map(|side| side.measures);
        let ratio = f64::from(to.size / from.size);
        assert!((measures[1].leg / measures[0].leg - ratio).abs() < 1e-3);
        assert!((measures[1].front_leg / measures[0].front_leg - ratio).abs() < 1e-3);
        assert!((compiled.root_scale - ratio).abs() < 1e-3);
        // At keys: between them both sides interpolate their own rotations.
        for time in [0.125, 0.5, 0.875] {
            let (a, b) = (at(&source, &clip, time), at(&target, &made, time));
            // Without axes of their own the joints' rotations are what they turned.
            for slot in ["leftHindPaw", "rightFrontPaw", "head", "leftHindUpperLeg"] {
                let joints = (source_map.joint_named(slot), target_map.joint_named(slot));
                let (from, to) = (joints.0.unwrap(), joints.1.unwrap());
                let off = a.rotation(from).angle_between(b.rotation(to));
                assert!(off < 1e-3, "{slot} {off}");
            }
            // The hind leg below the stifle points where the source's does.
            let way = |pose: &ModelPose, map: &RigMap| {
                let place = |slot: &str| pose.position(map.joint_named(slot).unwrap());
                (place("leftHindPaw") - place("leftHindLowerLeg")).normalize_or_zero()
            };
            let off = way(&a, &source_map).angle_between(way(&b, &target_map));
            assert!(off < 0.13, "{off}");
        }
    }
}

/// Source and target, their maps, and the clip of each.
fn moved(from: Build, to: Build) -> ([Character; 2], [RigMap; 2], [Clip; 2]) {
    let characters = [animal(from), animal(to)];
    let maps = characters.each_ref().map(map_character);
    let sides = [0, 1].map(|side| (&characters[side], &maps[side]));
    let (_, clip, made) = run(sides[0], sides[1], &transfer_alone()).unwrap();
    (characters, maps, [clip, made])
}

/// Where the middle joint of one front leg is an elbow and of the other a wrist, forearm moves forearm.
#[test]
fn front_legs_go_together_by_what_their_joints_do() {
    let wrist = Build {
        wrist: true,
        ..HORSE
    };
    for (from, to) in [(DOG, wrist), (wrist, DOG)] {
        let ([source, target], [source_map, target_map], [clip, made]) = moved(from, to);
        for time in [0.125, 0.5, 0.875] {
            let (a, b) = (at(&source, &clip, time), at(&target, &made, time));
            for side in ["left", "right"] {
                let of = |pose: &ModelPose, map: &RigMap, part: &str| {
                    pose.rotation(map.joint_named(&format!("{side}Front{part}")).unwrap())
                };
                let own = |part: &str| of(&a, &source_map, part);
                let half = own("LowerLeg").slerp(own("Paw"), 0.5);
                let expected = if to.wrist {
                    [("UpperLeg", own("LowerLeg")), ("LowerLeg", half)]
                } else {
                    [("UpperLeg", own("UpperLeg")), ("LowerLeg", own("UpperLeg"))]
                };
                for (part, expected) in expected.into_iter().chain([("Paw", own("Paw"))]) {
                    let off = of(&b, &target_map, part).angle_between(expected);
                    assert!(off < 2e-3, "{side} {part}: {off}");
                }
            }
        }
    }
}

/// A tail leads away from the body as the source's does, whichever way each is carried at rest.
#[test]
fn tails_point_as_the_source_points() {
    let upright = Build {
        tail_up: true,
        ..DOG
    };
    for (from, to) in [(HORSE, upright), (upright, HORSE)] {
        let ([source, target], _, [clip, made]) = moved(from, to);
        for time in [0.125, 0.5, 0.875] {
            let way = |character: &Character, clip: &Clip| {
                let pose = at(character, clip, time);
                let place = |name: &str| pose.position(character.skeleton.find(name).unwrap());
                (place("Tail2") - place("Tail1")).normalize_or_zero()
            };
            let off = way(&source, &clip).angle_between(way(&target, &made));
            assert!(off < 0.01, "{off}");
        }
    }
}

/// Asked for nothing, an error that says how to ask; asked for, all limbs move and nothing leaves its bones.
#[test]
fn people_move_animals_when_asked() {
    let person = rebone_samples::characters().swap_remove(0);
    let horse = animal(HORSE);
    let maps = (map_character(&person), map_character(&horse));
    let (people, horses) = ((&person, &maps.0), (&horse, &maps.1));
    // A horse has nothing for hands, so nobody is advised to carry its motion over to a person.
    for (source, target, is_advised) in [(people, horses, true), (horses, people, false)] {
        let refused = run(source, target, &transfer_alone()).unwrap_err();
        let kinds = ["a humanoid", "a quadruped"].map(|kind| refused.to_string().contains(kind));
        assert_eq!(kinds, [true, true], "{refused}");
        let advice = refused.remedy().actions;
        assert_eq!(
            advice.contains(&Action::ConnectKinds),
            is_advised,
            "{refused}"
        );
        let asked = asking(|recipe| recipe.across_kinds = true);
        let (compiled, _, made) = run(source, target, &asked).unwrap();
        let drives = |from: &str, to: &str| {
            let joints = (source.1.joint_named(from), target.1.joint_named(to));
            let (from, to) = (joints.0.unwrap(), joints.1.unwrap());
            compiled
                .links
                .iter()
                .any(|link| link.source.contains(&from) && link.target.contains(&to))
        };
        if source.1.kind == Kind::Humanoid {
            assert!(drives("leftUpperArm", "leftFrontUpperLeg"));
            assert!(drives("rightFoot", "rightHindPaw"));
        } else {
            assert!(drives("leftFrontUpperLeg", "leftUpperArm"));
            assert!(drives("rightHindPaw", "rightFoot"));
        }
        // Standing on its own ground at the start, and moving on from there.
        let (start, end) = (at(target.0, &made, 0.0), at(target.0, &made, 1.0));
        let hips = target.1.joint_named("hips").unwrap();
        let rest = model_pose(&target.0.skeleton, &target.0.skeleton.rest_pose());
        let height = rest.position(hips).y;
        assert!((start.position(hips).y - height).abs() < 0.2 * height);
        assert!(end.position(hips).z - start.position(hips).z > 0.2);
    }
}

/// A body of which nothing was recognised has a person's words and none of its slots; it is no humanoid.
#[test]
fn an_unknown_body_is_called_so() {
    let mut builder = SkeletonBuilder::new();
    let mut parent = None;
    for name in ["a", "b", "c", "d"] {
        let local = Transform::from_translation(Vec3::Y);
        parent = Some(builder.add(NewJoint::new(name, parent, local)));
    }
    let worm = Character {
        skeleton: builder.build().unwrap().0,
        ..Character::default()
    };
    let horse = animal(HORSE);
    let maps = (map_character(&worm), map_character(&horse));
    for (source, target) in [(&maps.0, &maps.1), (&maps.1, &maps.0)] {
        let refused = Chains::between(source, target, None).unwrap_err();
        let text = refused.to_string();
        assert!(text.contains("body of an unknown kind"), "{text}");
        assert!(!text.contains("humanoid"), "{text}");
        assert_eq!(refused.remedy().actions, [Action::NameJoints], "{text}");
    }
}

#[test]
fn a_person_chooses_chains() {
    let (horse, dog) = (animal(HORSE), animal(DOG));
    let maps = (map_character(&horse), map_character(&dog));
    let chains = [("leftFrontUpperLeg", "rightFrontUpperLeg"), ("tail", "")];
    let options = asking(|recipe| {
        recipe.chains = chains
            .map(|(to, from)| (to.to_owned(), from.to_owned()))
            .into();
    });
    let (compiled, ..) = run((&horse, &maps.0), (&dog, &maps.1), &options).unwrap();
    let source_of = |slot: &str| {
        let joint = maps.1.joint_named(slot).unwrap();
        let link = compiled.links.iter().find(|link| link.target[0] == joint)?;
        Some(link.source[0])
    };
    assert_eq!(
        source_of("leftFrontUpperLeg"),
        maps.0.joint_named("rightFrontUpperLeg")
    );
    assert_eq!(source_of("tail"), None);
    let wrong = asking(|recipe| {
        recipe.chains = [("tial".to_owned(), "tail".to_owned())].into();
    });
    let error = run((&horse, &maps.0), (&dog, &maps.1), &wrong).unwrap_err();
    assert!(
        error.to_string().contains("did you mean \"tail\""),
        "{error}"
    );
}

/// A body with six legs: the profile that is written for it maps it, and one like it.
#[test]
fn six_legs_go_by_a_profile_of_ones_own() {
    let insect = |size: f32| {
        let mut builder = SkeletonBuilder::new();
        let mut add = |name: &str, parent, place: Vec3| {
            let rest = Transform::from_translation(place * size);
            builder.add(NewJoint::new(name, parent, rest))
        };
        let body = add("body", None, Vec3::Y);
        let head = add("head", Some(body), Vec3::new(0.0, 0.2, 0.8));
        add("feeler", Some(head), Vec3::new(0.0, 0.3, 0.3));
        for (pair, z) in [(1, 0.6), (2, 0.0), (3, -0.6)] {
            for (side, x) in [("L", 1.0), ("R", -1.0)] {
                let leg = add(
                    &format!("leg{pair}_1.{side}"),
                    Some(body),
                    Vec3::new(0.3 * x, 0.0, z),
                );
                add(
                    &format!("leg{pair}_2.{side}"),
                    Some(leg),
                    Vec3::new(0.7 * x, -0.9, 0.0),
                );
            }
        }
        Character {
            name: "insect".to_owned(),
            skeleton: builder.build().unwrap().0,
            ..Character::default()
        }
    };
    let (small, large) = (insect(1.0), insect(2.5));
    let unknown = map_character(&small);
    assert_eq!(unknown.kind, Kind::Other);
    let text = profile_text(&small, &unknown);
    let custom = read_profile(&text).unwrap();
    let choice = ProfileChoice::Custom(custom);
    let maps = (
        map_character_as(&small, choice),
        map_character_as(&large, choice),
    );
    assert_eq!(maps.0.slots, maps.1.slots);
    assert!(maps.0.unmapped.is_empty(), "{text}");
    let (compiled, clip, made) =
        run((&small, &maps.0), (&large, &maps.1), &transfer_alone()).unwrap();
    assert!((compiled.root_scale - 2.5).abs() < 1e-3);
    let (a, b) = (at(&small, &clip, 0.6), at(&large, &made, 0.6));
    for joint in 0..small.skeleton.len() {
        let off = (a.position(joint) * 2.5).distance(b.position(joint));
        assert!(off < 1e-3, "{off}");
    }
}

#[test]
fn a_profile_can_be_forced() {
    let horse = animal(HORSE);
    let map = map_character_as(&horse, ProfileChoice::Humanoid);
    assert_eq!(map.profile.name, "humanoid");
    let person = rebone_samples::characters().swap_remove(0);
    let map = map_character_as(&person, ProfileChoice::Quadruped);
    assert_eq!(map.profile.name, "quadruped");
    assert!(
        map.warnings
            .iter()
            .any(|warning| warning.code == "slot-missing")
    );
    // What is written for an animal finds the animal again.
    let own = map_character(&horse);
    let custom = read_profile(&profile_text(&horse, &own)).unwrap();
    let again = map_character_as(&horse, ProfileChoice::Custom(custom));
    let joints = |map: &RigMap| -> Vec<Vec<usize>> {
        map.slots
            .values()
            .map(|found| found.joints.clone())
            .collect()
    };
    assert_eq!(joints(&again), joints(&own));
}

/// Files of motion may lay all bones along one line in the rest pose.
#[test]
fn a_clip_shows_the_animal_that_the_rest_pose_hides() {
    let mut character = animal(DOG);
    let standing = map_character(&character);
    let count = character.skeleton.len();
    let mut clip = Clip::new("walk", count);
    let mut builder = SkeletonBuilder::new();
    for (index, joint) in character.skeleton.joints().iter().enumerate() {
        let bone = joint.rest.translation;
        let mut rest = joint.rest;
        if joint.parent.is_some() {
            rest.translation = Vec3::X * bone.length();
        }
        // The places of the motion bring the body back: such files have position channels.
        clip.joints[index].translation = Some(Track::constant(bone));
        builder.add(NewJoint::new(joint.name.clone(), joint.parent, rest));
    }
    character.skeleton = builder.build().unwrap().0;
    character.clips.push(clip);
    assert_eq!(map_character(&character).slots, standing.slots);
}
