//! Laws of the report: what is not wrong is not found, and what is put in is measured as it was put in.

use crate::{any_clip, any_rigged};
use glam::{Quat, Vec3};
use rebone_model::sampling::sample_track_at;
use rebone_model::{Character, Clip, Interpolation, NewJoint, SkeletonBuilder, Track, Transform};
use rebone_report::{
    FigureKind, MomentKind, Performance, Report, ReportOptions, Verdict, figures, report, series,
    verdict,
};
use rebone_samples::{characters, clips};
use rebone_setup::align::{AlignOptions, Alignment, align};
use rebone_setup::mapping::{RigMap, map_character};
use rebone_setup::profile::QUADRUPED;
use rebone_testkit::random::{Generator, Keys};

/// A character with what is found about it.
pub(crate) struct Player {
    pub(crate) character: Character,
    pub(crate) map: RigMap,
    pub(crate) alignment: Alignment,
}

impl Player {
    fn new(character: Character) -> Self {
        let map = map_character(&character);
        Self::with_map(character, map)
    }

    pub(crate) fn with_map(character: Character, map: RigMap) -> Self {
        let alignment = align(&character, &map, &[], &AlignOptions::default());
        Self {
            character,
            map,
            alignment,
        }
    }

    pub(crate) fn plays<'a>(&'a self, clip: &'a Clip) -> Performance<'a> {
        Performance {
            character: &self.character,
            map: &self.map,
            alignment: &self.alignment,
            clip,
        }
    }

    pub(crate) fn joint(&self, slot: &str) -> usize {
        self.map.joint_named(slot).unwrap()
    }

    /// The character and a clip, `factor` times as large.
    fn enlarged(&self, clip: &Clip, factor: f32) -> (Self, Clip) {
        let mut builder = SkeletonBuilder::new();
        for joint in self.character.skeleton.joints() {
            let mut rest = joint.rest;
            rest.translation *= factor;
            let new = NewJoint::new(&joint.name, joint.parent, rest);
            builder.add(NewJoint {
                kind: joint.kind,
                end: joint.end.map(|end| end * factor),
                ..new
            });
        }
        let character = Character {
            skeleton: builder.build().unwrap().0,
            ..Character::default()
        };
        let mut clip = clip.clone();
        for tracks in &mut clip.joints {
            if let Some(track) = &tracks.translation {
                let values = track.values().iter().map(|place| *place * factor).collect();
                tracks.translation =
                    Track::new(track.interpolation(), track.times().into(), values).ok();
            }
        }
        (Self::with_map(character, self.map.clone()), clip)
    }
}

pub(crate) fn adult() -> Player {
    Player::new(characters().swap_remove(0))
}

pub(crate) fn sample(name: &str) -> Clip {
    let mut found = clips()
        .into_iter()
        .map(|sample| sample.clip)
        .filter(|clip| clip.name == name);
    found.next().unwrap()
}

pub(crate) fn measured(player: &Player, source: &Clip, made: &Clip) -> Report {
    report(
        &player.plays(source),
        &player.plays(made),
        &ReportOptions::default(),
    )
}

pub(crate) fn value(report: &Report, name: &str) -> f64 {
    let kind = FigureKind::find(name).unwrap();
    kind.of(report)
        .unwrap_or_else(|| panic!("{name} has no value"))
        .value
}

/// A clip with another local transform of one joint in each frame.
pub(crate) fn changed(
    player: &Player,
    clip: &Clip,
    joint: usize,
    change: impl Fn(usize, &mut Transform),
) -> Clip {
    let times = clip.key_times();
    let rest = player.character.skeleton.joints()[joint].rest;
    let tracks = &clip.joints[joint];
    let count = times.len();
    let rotations = tracks
        .rotation
        .as_ref()
        .map(|track| sample_track_at(track, &times));
    let places = tracks
        .translation
        .as_ref()
        .map(|track| sample_track_at(track, &times));
    let mut locals: Vec<Transform> = (0..count)
        .map(|frame| Transform {
            rotation: rotations.as_ref().map_or(rest.rotation, |all| all[frame]),
            translation: places.as_ref().map_or(rest.translation, |all| all[frame]),
            scale: rest.scale,
        })
        .collect();
    for (frame, local) in locals.iter_mut().enumerate() {
        change(frame, local);
    }
    let mut clip = clip.clone();
    let shared: std::sync::Arc<[f32]> = times.into();
    let linear = Interpolation::Linear;
    let turns = locals.iter().map(|local| local.rotation).collect();
    let places = locals.iter().map(|local| local.translation).collect();
    clip.joints[joint].rotation = Track::new(linear, shared.clone(), turns).ok();
    clip.joints[joint].translation = Track::new(linear, shared, places).ok();
    clip
}

/// Moves the hips through the world; `way` gives metres to the left, up, forwards.
pub(crate) fn moved(player: &Player, clip: &Clip, way: impl Fn(f32) -> Vec3) -> Clip {
    let hips = player.joint("hips");
    let times = clip.key_times();
    // Whatever stands above the hips in the sample does not move.
    let skeleton = &player.character.skeleton;
    let rest = rebone_model::kinematics::model_pose(skeleton, &skeleton.rest_pose());
    let parent = skeleton
        .parent(hips)
        .map(|parent| rest.model_from_joint(parent));
    changed(player, clip, hips, |frame, local| {
        let step = way(times[frame]);
        local.translation += match parent {
            Some(parent) => parent.inverse().transform_vector3(step),
            None => step,
        };
    })
}

/// The identity: no figure tells source and target apart, for any body and any axes.
#[test]
fn nothing_is_found_where_nothing_happened() {
    let adult = adult();
    let mut performances: Vec<(Player, Clip)> = clips()
        .into_iter()
        .map(|sample| {
            (
                Player::with_map(adult.character.clone(), adult.map.clone()),
                sample.clip,
            )
        })
        .collect();
    for seed in rebone_corpus::seeds(0..12) {
        let generator = &mut Generator::new(seed);
        let rigged = any_rigged(generator, false);
        let clip = any_clip(generator, &rigged, Keys::Mixed);
        performances.push((Player::with_map(rigged.character, rigged.map), clip));
    }
    for (player, clip) in &performances {
        let found = measured(player, clip, clip);
        for figure in figures(&found) {
            let name = figure.kind.name;
            assert_eq!(figure.verdict, Verdict::Pass, "{name} of {}", clip.name);
            if let Some(source) = figure.source {
                assert_eq!(figure.value, source, "{name} of {}", clip.name);
            } else if name.ends_with("ratio") || name == "contact_f1" {
                assert_eq!(figure.value, 1.0, "{name} of {}", clip.name);
            } else {
                assert!(
                    figure.value.abs() < 1e-4,
                    "{name} of {}: {}",
                    clip.name,
                    figure.value
                );
            }
        }
        assert_eq!(found.moments, [], "{}", clip.name);
        assert_eq!(found.frames_measured, found.frames);
    }
}

/// Feet that are planted exactly do not slide, drift, sink or float by more than a thousandth of a leg.
#[test]
fn exact_feet_measure_as_exact() {
    for name in ["walk", "wave", "sit_stand", "jump"] {
        let found = measured(&adult(), &sample(name), &sample(name));
        let slide = value(&found, "slide");
        let (deep, floats) = (value(&found, "penetration"), value(&found, "float_max"));
        println!("{name}: slide {slide:.4} % L/s, {deep:.4} % h deep, {floats:.4} % L above");
        assert!(slide < 4.0, "{name}: {slide}");
        assert!(deep < 0.6, "{name}: {deep}");
    }
}

/// Twice as large, every figure is the same.
#[test]
fn size_changes_no_figure() {
    let player = adult();
    for sample in clips() {
        let clip = sample.clip;
        let worse = moved(&player, &clip, |time| Vec3::new(0.03 * time, -0.02, 0.0));
        let (large, larger) = player.enlarged(&worse, 2.0);
        let plain = measured(&player, &clip, &worse);
        let own = report(
            &player.plays(&clip),
            &large.plays(&larger),
            &ReportOptions::default(),
        );
        for (one, other) in figures(&plain).iter().zip(figures(&own)) {
            assert_eq!(one.kind.name, other.kind.name);
            let near = 1e-3 * one.value.abs().max(1.0);
            assert!(
                (one.value - other.value).abs() < near,
                "{} of {}: {} and {}",
                one.kind.name,
                clip.name,
                one.value,
                other.value
            );
        }
    }
}

/// A known slide is measured within 1 %: the walk's feet stand, and everything is carried off at 0.1 m/s.
#[test]
fn a_known_slide_is_measured() {
    let player = adult();
    let clip = sample("walk");
    let leg = player.alignment.measures.leg;
    let speed = 0.1;
    let made = moved(&player, &clip, |time| Vec3::new(speed * time, 0.0, 0.0));
    let found = measured(&player, &clip, &made);
    let plain = measured(&player, &clip, &clip);
    let own = value(&plain, "slide");
    let expected = 100.0 * f64::from(speed) / leg;
    // The sample rolls over heel and ball, which is a little slide of its own across the carried way.
    let slide = value(&found, "slide");
    assert!(slide > expected * 0.99, "{slide} of {expected}");
    assert!(
        slide < expected.hypot(own) * 1.05,
        "{slide} of {expected} and {own}"
    );
    let standing = sample("wave");
    let made = moved(&player, &standing, |time| Vec3::new(speed * time, 0.0, 0.0));
    let found = measured(&player, &standing, &made);
    let slide = value(&found, "slide");
    assert!(
        (slide / expected - 1.0).abs() < 0.01,
        "{slide} of {expected}"
    );
    let long = found.feet.as_ref().unwrap().contacts.iter();
    let long = long
        .map(|contact| f64::from(contact.end_seconds - contact.start_seconds))
        .fold(0.0, f64::max);
    let drift = value(&found, "drift");
    assert!(
        (drift / (expected * long) - 1.0).abs() < 0.01,
        "{drift} in {long} s"
    );
    assert_eq!(
        FigureKind::find("slide_ratio")
            .unwrap()
            .of(&found)
            .unwrap()
            .verdict,
        Verdict::Fail
    );
    assert!(
        found
            .moments
            .iter()
            .any(|moment| moment.kind == MomentKind::Slide)
    );
}

/// A known depth is measured within 1 %, in the share of frames in which it was put in; and a known float.
#[test]
fn known_depths_and_heights_are_measured() {
    let player = adult();
    let clip = sample("wave");
    let (height, leg) = (
        player.alignment.measures.height,
        player.alignment.measures.leg,
    );
    let seconds = clip.seconds();
    for lift in [-0.03f32, 0.05] {
        let made = moved(&player, &clip, |time| {
            Vec3::new(0.0, if time > 0.5 * seconds { lift } else { 0.0 }, 0.0)
        });
        let found = measured(&player, &clip, &made);
        let own = measured(&player, &clip, &clip);
        let share = if lift < 0.0 {
            let expected = 100.0 * f64::from(-lift) / height;
            let depth = value(&found, "penetration") - value(&own, "penetration");
            assert!(
                (depth / expected - 1.0).abs() < 0.01,
                "{depth} of {expected}"
            );
            value(&found, "penetration_frames")
        } else {
            let expected = 100.0 * f64::from(lift) / leg;
            let clearance = value(&found, "float_max") - value(&own, "float_max");
            assert!(
                (clearance / expected - 1.0).abs() < 0.01,
                "{clearance} of {expected}"
            );
            assert!(
                (value(&found, "contact_f1") - 2.0 / 3.0).abs() < 0.05,
                "half are lost"
            );
            value(&found, "float")
        };
        assert!((share - 50.0).abs() < 2.0, "{share}");
        assert_eq!(verdict(&found), Verdict::Fail);
    }
    // A foot that stands on its heel does not float, but its toes lose their contact.
    let foot = player.joint("leftFoot");
    let made = changed(&player, &clip, foot, |_, local| {
        local.rotation *= Quat::from_rotation_x(12f32.to_radians());
    });
    let found = measured(&player, &clip, &made);
    assert_eq!(value(&found, "float"), 0.0);
    let kept = value(&found, "contact_f1");
    assert!(
        (0.75..0.9).contains(&kept),
        "{kept}: one point of four is lost"
    );
}

/// Who stands on the balls of the feet does not float, though the source has no balls.
#[test]
fn who_stands_on_the_balls_does_not_float() {
    let player = adult();
    let clip = sample("wave");
    let mut map = player.map.clone();
    let profile = map.profile;
    map.slots
        .retain(|slot, _| !profile.info(*slot).name.ends_with("Toes"));
    let without = Player::with_map(player.character.clone(), map);
    // Up by 2.5 cm, which the balls come down by.
    let mut made = moved(&player, &clip, |_| 0.025 * Vec3::Y);
    for foot in ["leftFoot", "rightFoot"] {
        made = changed(&player, &made, player.joint(foot), |_, local| {
            local.rotation *= Quat::from_rotation_x(-13f32.to_radians());
        });
    }
    let floating = |target: &Player| {
        let options = ReportOptions::default();
        value(
            &report(&without.plays(&clip), &target.plays(&made), &options),
            "float",
        )
    };
    assert_eq!(floating(&player), 0.0);
    assert!(floating(&without) > 90.0);
}

/// A joint that is turned for one frame is found, with its angle, its slot and its time; and so is a knee's jolt.
#[test]
fn a_known_pop_is_measured() {
    let player = adult();
    let clip = sample("wave");
    let times = clip.key_times();
    let at = times.len() / 2;
    let arm = player.joint("rightUpperLeg");
    let made = changed(&player, &clip, arm, |frame, local| {
        if frame == at {
            local.rotation *= Quat::from_rotation_y(40f32.to_radians());
        }
    });
    let found = measured(&player, &clip, &made);
    let added = value(&found, "step_added");
    assert!((added / 40.0 - 1.0).abs() < 0.01, "{added}");
    let moment = found
        .moments
        .iter()
        .find(|moment| moment.kind == MomentKind::Pop)
        .unwrap();
    assert!((moment.seconds - times[at]).abs() < 0.04, "{moment:?}");
    // Bend and stretch of the knee in the plane of the leg.
    let knee = player.joint("leftLowerLeg");
    let made = changed(&player, &clip, knee, |frame, local| {
        if frame == at {
            local.rotation *= Quat::from_rotation_x(-10f32.to_radians());
        }
    });
    let plain = value(&measured(&player, &clip, &clip), "knee");
    let jolt = value(&measured(&player, &clip, &made), "knee");
    assert!((jolt - 20.0).abs() < 0.2 + plain, "{jolt}, {plain} without");
}

/// A bone that is stretched by a tenth drifts by that; trembling is more jerk; another way is another way.
#[test]
fn lengths_trembling_and_ways_are_measured() {
    let player = adult();
    let clip = sample("walk");
    let arm = player.joint("leftLowerArm");
    let made = changed(&player, &clip, arm, |frame, local| {
        if frame == 5 {
            local.translation *= 1.1;
        }
    });
    let drift = value(&measured(&player, &clip, &made), "length_drift");
    let bone = player.character.skeleton.joints()[arm].rest.translation;
    let longer = 10.0 * f64::from(bone.length()) / player.alignment.measures.leg;
    assert!((drift / longer - 1.0).abs() < 0.01, "{drift}, {longer}");
    let made = changed(&player, &clip, arm, |frame, local| {
        let sign = if frame.is_multiple_of(2) { 1.0 } else { -1.0 };
        local.rotation *= Quat::from_rotation_x(sign * 0.02);
    });
    assert!(value(&measured(&player, &clip, &made), "jerk_ratio") > 1.2);
    // So is a body that trembles as a whole; one that turns as its source has no more, however long its arms are.
    let hips = player.joint("hips");
    let made = changed(&player, &clip, hips, |frame, local| {
        local.translation.y += if frame.is_multiple_of(2) { 5e-4 } else { 0.0 };
    });
    assert!(value(&measured(&player, &clip, &made), "jerk_ratio") > 1.2);
    let made = changed(&player, &clip, arm, |_, local| local.translation *= 2.0);
    let ratio = value(&measured(&player, &clip, &made), "jerk_ratio");
    assert!((ratio - 1.0).abs() < 1e-3, "{ratio}");
    let height = player.alignment.measures.height;
    let seconds = clip.seconds();
    let made = moved(&player, &clip, |time| {
        Vec3::new(
            0.1 * (std::f32::consts::TAU * 3.0 * time / seconds).sin(),
            0.0,
            0.0,
        )
    });
    let way = value(&measured(&player, &clip, &made), "root_path");
    assert!((way / (100.0 * 0.1 / height) - 1.0).abs() < 0.05, "{way}");
}

/// A knee bent the wrong way is beyond its limits; the slot is named.
#[test]
fn joints_beyond_their_limits_are_found() {
    let player = adult();
    let clip = sample("wave");
    let knee = player.joint("leftLowerLeg");
    let bent = |angle: f32| {
        let made = changed(&player, &clip, knee, |_, local| {
            local.rotation *= Quat::from_rotation_x(angle.to_radians());
        });
        measured(&player, &clip, &made).limits.unwrap()
    };
    let worse = [bent(60.0), bent(-60.0)];
    let worse = worse
        .iter()
        .max_by(|a, b| a.max_degrees.target.total_cmp(&b.max_degrees.target))
        .unwrap();
    assert_eq!(worse.frames_percent.target, 100.0);
    assert!(worse.max_degrees.target > 40.0, "{worse:?}");
    assert_eq!(player.map.joint(worse.slots[0].slot), Some(knee));
}

/// Bodies and clips of which little is known give fewer figures, and no broken ones.
#[test]
fn little_is_survived() {
    let whole = adult();
    let walk = sample("walk");
    let count = whole.character.skeleton.len();
    let mut maps = vec![whole.map.clone()];
    for parts in [
        vec!["Foot", "Toes"],
        vec!["Toes"],
        vec!["Leg"],
        vec!["hips"],
        vec![""],
    ] {
        let mut map = whole.map.clone();
        map.slots.retain(|&slot, _| {
            let name = map.profile.info(slot).name;
            !parts.iter().any(|part| name.contains(part))
        });
        maps.push(map);
    }
    let mut strange = whole.map.clone();
    strange.profile = &QUADRUPED;
    strange
        .slots
        .retain(|slot, _| usize::from(slot.0) < QUADRUPED.slots.len());
    maps.push(strange);
    let still = Clip::new("still", count);
    let mut one = walk.clone();
    for tracks in &mut one.joints {
        if let Some(track) = &tracks.rotation {
            let first = track.key_value(0);
            tracks.rotation = Track::new(Interpolation::Step, [0.0].into(), vec![first]).ok();
        }
        tracks.translation = None;
    }
    let empty = Character::default();
    let nobody = Player::with_map(
        empty,
        RigMap {
            slots: Default::default(),
            ..whole.map.clone()
        },
    );
    for map in maps {
        let player = Player::with_map(whole.character.clone(), map);
        for (from, to) in [
            (&walk, &walk),
            (&walk, &still),
            (&still, &walk),
            (&one, &one),
            (&one, &walk),
            (&still, &still),
        ] {
            let found = report(
                &player.plays(from),
                &player.plays(to),
                &ReportOptions::default(),
            );
            check_numbers(&found);
            let over_time = series(
                &player.plays(from),
                &player.plays(to),
                &ReportOptions::default(),
            );
            assert_eq!(over_time.direction_degrees.len(), over_time.seconds.len());
            for player in [(&player, &nobody), (&nobody, &player), (&nobody, &nobody)] {
                let nothing = Clip::new("nothing", 0);
                let found = report(
                    &player.0.plays(&nothing),
                    &player.1.plays(&nothing),
                    &ReportOptions::default(),
                );
                check_numbers(&found);
            }
        }
    }
}

fn check_numbers(report: &Report) {
    let text = format!("{report:?}");
    assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
}

/// A long clip is measured in stretches, and says so; the figures of a steady motion stay.
#[test]
fn long_clips_are_measured_in_stretches() {
    let player = adult();
    let clip = sample("walk");
    let all = measured(&player, &clip, &clip);
    let made = moved(&player, &clip, |time| Vec3::new(0.1 * time, 0.0, 0.0));
    let options = ReportOptions {
        frames: Some(all.frames * 2 / 3),
        ..ReportOptions::default()
    };
    let some = report(&player.plays(&clip), &player.plays(&made), &options);
    let all = measured(&player, &clip, &made);
    assert!(some.frames_measured < all.frames_measured && some.frames == all.frames);
    let (some, all) = (value(&some, "slide"), value(&all, "slide"));
    assert!((some / all - 1.0).abs() < 0.2, "{some} and {all}");
}

/// Feet that are planted stand on the floor though the source's contacts lie above it; of others the same height is expected.
#[test]
fn planted_feet_stand_on_the_floor() {
    let player = adult();
    let walk = sample("walk");
    let above = moved(&player, &walk, |_| 0.02 * Vec3::Y);
    for is_planted in [true, false] {
        let options = ReportOptions {
            is_planted,
            ..ReportOptions::default()
        };
        let deep = |made: &Clip| {
            let found = report(&player.plays(&above), &player.plays(made), &options);
            value(&found, "penetration_frames")
        };
        let [on_floor, alike] = [&walk, &above].map(deep);
        assert_eq!(on_floor < 1.0, is_planted, "{on_floor}");
        assert!(alike < 1.0, "{alike}");
    }
}

/// A T-pose in the first frame is no part of the motion: what the result does on the way out of it is not told.
#[test]
fn nothing_is_measured_across_a_jump_of_the_source() {
    let player = adult();
    let walk = sample("walk");
    let skeleton = &player.character.skeleton;
    let posed = (0..skeleton.len()).fold(walk.clone(), |clip, joint| {
        changed(&player, &clip, joint, |frame, local| {
            if frame == 0 {
                *local = skeleton.joints()[joint].rest;
            }
        })
    });
    // The result turns by a right angle in the same frame.
    let hips = player.joint("hips");
    let turned = |clip: &Clip| {
        changed(&player, clip, hips, |frame, local| {
            if frame == 0 {
                local.rotation *= Quat::from_rotation_y(1.57);
            }
        })
    };
    let added = |clip: &Clip| value(&measured(&player, clip, &turned(clip)), "step_added");
    let (jumps, walks) = (added(&posed), added(&walk));
    assert!(jumps < 1e-3 && walks > 80.0, "{jumps} {walks}");
}
