//! Laws of the report about legs, tips of toes, and feet that stand exactly.

use crate::report::{Player, adult, changed, measured, moved, sample, value};
use glam::{DVec3, Quat, Vec3};
use rebone_model::kinematics::model_pose;
use rebone_model::sampling::sample_clip;
use rebone_model::{Character, Clip, Interpolation, NewJoint, SkeletonBuilder, Track, Transform};
use rebone_report::{FigureKind, PointTouches, ReportOptions, Verdict, figures, report, series};
use rebone_runtime::contact::{ContactMotion, DetectOptions, detect};
use rebone_runtime::{ClipContacts, ClipNotes, ReachNotes, Rig};
use rebone_setup::align::contact_points;
use rebone_setup::align::retarget_placements;
use rebone_setup::profile::{Part, Slot};

/// The player standing in its rest pose for a second.
fn still(player: &Player) -> Clip {
    let skeleton = &player.character.skeleton;
    let mut clip = Clip::new("still", skeleton.len());
    let times: Vec<f32> = (0..31).map(|frame| frame as f32 / 30.0).collect();
    let hips = player.joint("hips");
    let values = vec![skeleton.joints()[hips].rest.rotation; times.len()];
    clip.joints[hips].rotation = Track::new(Interpolation::Linear, times.into(), values).ok();
    clip
}

/// Where the source stands exactly, what nobody sees is no multiple of it; what is seen is.
#[test]
fn a_ratio_to_nothing_is_none() {
    let player = adult();
    let source = still(&player);
    let leg = player.alignment.measures.leg as f32;
    for (percent, ratio) in [(0.0, 1.0), (0.9, 1.0), (3.0, 3.0)] {
        let made = moved(&player, &source, |time| {
            Vec3::X * (0.01 * percent * leg * time)
        });
        let found = measured(&player, &source, &made);
        let slide = value(&found, "slide");
        assert!((slide - f64::from(percent)).abs() < 0.02, "{slide}");
        let figure = FigureKind::find("slide_ratio").unwrap().of(&found).unwrap();
        assert!((figure.value - ratio).abs() < 0.02, "{figure:?}");
        let expected = if ratio > 2.0 {
            Verdict::Fail
        } else {
            Verdict::Pass
        };
        assert_eq!(figure.verdict, expected);
    }
}

/// Frames in which a leg is straight and the source's is not are counted, just these.
#[test]
fn stretched_legs_are_counted() {
    let player = adult();
    let clip = sample("sit_stand");
    let knee = player.joint("leftLowerLeg");
    let rest = player.character.skeleton.joints()[knee].rest.rotation;
    let made = changed(&player, &clip, knee, |_, local| local.rotation = rest);
    let over_time = series(
        &player.plays(&clip),
        &player.plays(&made),
        &ReportOptions::default(),
    );
    let bones = ["leftLowerLeg", "leftFoot"].map(|slot| {
        let joint = player.joint(slot);
        f64::from(
            player.character.skeleton.joints()[joint]
                .rest
                .translation
                .length(),
        )
    });
    let share = |degrees: f64| {
        let [a, b] = bones;
        let square = a * a + b * b + 2.0 * a * b * degrees.to_radians().cos();
        square.sqrt() / (a + b)
    };
    let knees = &over_time.knees[0];
    let frames = knees.degrees[0].iter().zip(&knees.degrees[1]);
    let expected = frames
        .filter(|(own, made)| share(**made) > 0.99 && share(**own) <= 0.99)
        .count();
    assert!(expected > 10, "{expected}");
    let found = measured(&player, &clip, &made);
    let counted = value(&found, "stretched") * found.frames as f64 / 100.0;
    assert!(
        (counted - expected as f64).abs() < 1.01,
        "{counted} of {expected}"
    );
    assert_eq!(value(&measured(&player, &clip, &clip), "stretched"), 0.0);
}

/// The figure is what its definition says, in double precision: 0 of the same pose and of a body elsewhere, not of a raised arm.
#[test]
fn distances_are_those_of_the_definition() {
    let player = adult();
    let source = still(&player);
    assert_eq!(
        value(&measured(&player, &source, &source), "distances"),
        0.0
    );
    let elsewhere = moved(&player, &source, |_| Vec3::new(3.0, 0.5, -2.0));
    assert!(value(&measured(&player, &source, &elsewhere), "distances") < 1e-9);

    let arm = player.joint("leftUpperArm");
    let turn = Quat::from_euler(glam::EulerRot::XYZ, 0.3, -0.5, 0.9);
    let made = changed(&player, &source, arm, |_, local| local.rotation *= turn);
    let profile = player.map.profile;
    let is_small = |slot: &Slot| {
        let part = profile.info(*slot).part;
        matches!(part, Part::Finger | Part::Thumb | Part::Face)
    };
    let slots = profile.all().filter(|slot| !is_small(slot));
    let joints: Vec<usize> = slots.filter_map(|slot| player.map.joint(slot)).collect();
    let shares = |clip: &Clip| -> Vec<f64> {
        let skeleton = &player.character.skeleton;
        let pose = model_pose(skeleton, &sample_clip(skeleton, clip, 0.5));
        let places: Vec<DVec3> = joints
            .iter()
            .map(|&joint| pose.position(joint).as_dvec3())
            .collect();
        let row = |own: &DVec3| {
            let apart: Vec<f64> = places.iter().map(|other| own.distance(*other)).collect();
            let sum: f64 = apart.iter().sum();
            apart.into_iter().map(move |apart| apart / sum)
        };
        places.iter().flat_map(row).collect()
    };
    let pairs = shares(&source).into_iter().zip(shares(&made));
    let expected: f64 = pairs.map(|(own, other)| (own - other).powi(2)).sum();
    let found = value(&measured(&player, &source, &made), "distances");
    assert!(expected > 1e-4, "{expected}");
    assert!(
        (found - expected).abs() < 1e-4 * expected,
        "{found} {expected}"
    );
}

/// The adult whose toes end so far ahead of their joint, as a mark in the file, or nowhere. Its own ends hang from the feet.
fn with_toes(long: Option<f64>) -> Player {
    let player = adult();
    let placed = retarget_placements(&player.character, &player.map, &player.alignment);
    let toes = ["leftToes", "rightToes"].map(|slot| player.joint(slot));
    let skeleton = &player.character.skeleton;
    let mut builder = SkeletonBuilder::new();
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let turn = placed[index].rotation.conjugate();
        let end = long.map(|long| (turn * DVec3::new(0.0, 0.0, long)).as_vec3());
        let is_end = joint.parent.filter(|parent| toes.contains(parent));
        let parent = is_end.map_or(joint.parent, |toes| skeleton.parent(toes));
        builder.add(NewJoint {
            kind: joint.kind,
            end: if toes.contains(&index) {
                end
            } else {
                joint.end
            },
            ..NewJoint::new(&joint.name, parent, joint.rest)
        });
    }
    let character = Character {
        skeleton: builder.build().unwrap().0,
        ..Character::default()
    };
    Player::with_map(character, player.map)
}

/// A toe that bends brings its tip into the floor: by the sine, and by what the ball's height takes off.
#[test]
fn tips_of_toes_are_measured_where_they_are_known() {
    let kind = FigureKind::find("tips").unwrap();
    let (plain, marked, own) = (with_toes(None), with_toes(Some(0.08)), adult());
    let clip = still(&plain);
    assert!(kind.of(&measured(&plain, &clip, &clip)).is_none());
    // The end is a mark in the file, or a joint of no slot.
    let end = own
        .character
        .skeleton
        .find("mixamorig:LeftToe_End")
        .unwrap();
    let placed = retarget_placements(&own.character, &own.map, &own.alignment);
    let way = placed[end].position - placed[own.joint("leftToes")].position;
    for (player, long) in [(&marked, 0.08), (&own, way.with_y(0.0).length())] {
        let still = measured(player, &clip, &clip);
        let figure = kind.of(&still).unwrap();
        assert_eq!(Some(figure.value), figure.source);
        let toes = player.joint("leftToes");
        let placed = retarget_placements(&player.character, &player.map, &player.alignment);
        let ball = placed[toes].position.y;
        let angle = 20f64.to_radians();
        // About the body's own left, in the joint's axes: downwards.
        let turn = placed[toes].rotation.as_quat();
        let bend = turn.conjugate() * Quat::from_rotation_x(angle as f32) * turn;
        let made = changed(player, &clip, toes, |_, local| local.rotation *= bend);
        let found = measured(player, &clip, &made);
        // The ball is where the toes begin, so that soles hardly move.
        let soles = value(&found, "penetration") - value(&still, "penetration");
        assert!(soles.abs() < 0.3, "{soles}");
        let depth = value(&found, "tips") * player.alignment.measures.height / 100.0;
        let expected = long * angle.sin() - ball * (1.0 - angle.cos());
        assert!(
            (depth / expected - 1.0).abs() < 0.05,
            "{depth} of {expected}"
        );
    }
    // Where one side does not say where its toes end, nothing is told.
    let (one, other) = (own.plays(&clip), plain.plays(&clip));
    for (source, target) in [(&one, &other), (&other, &one)] {
        assert!(
            kind.of(&report(source, target, &ReportOptions::default()))
                .is_none()
        );
    }
}

/// Contacts that somebody has found already change no figure.
#[test]
fn known_contacts_need_not_be_found_again() {
    let player = adult();
    let rig = Rig::new(&player.character.skeleton);
    let points = contact_points(&player.character, &player.map, &player.alignment, 0.0);
    for name in ["walk", "sit_stand", "jump"] {
        let clip = sample(name);
        let made = moved(&player, &clip, |time| Vec3::new(0.05 * time, 0.0, 0.0));
        let times = clip.key_times();
        let motion = ContactMotion::new(&points, &rig, &clip, &times);
        let contacts = detect(&points, &motion, &DetectOptions::default());
        let options = ReportOptions {
            notes: ClipNotes {
                contacts: Some(ClipContacts {
                    times: times.into(),
                    contacts,
                }),
                reach: Some(ReachNotes {
                    missed: 3,
                    frames: 12,
                }),
                ..ClipNotes::default()
            },
            ..ReportOptions::default()
        };
        let told = report(&player.plays(&clip), &player.plays(&made), &options);
        let plain = measured(&player, &clip, &made);
        // Both sample on their own, so that places agree to the grain of single precision only.
        let [one, two] = [&told.contacts, &plain.contacts].map(|found| found.as_ref().unwrap());
        for (one, two) in one.points.iter().zip(&two.points) {
            let times = |own: &PointTouches| -> Vec<_> {
                let touches = own.touches.iter();
                touches
                    .map(|own| (own.start_seconds, own.end_seconds, own.how))
                    .collect()
            };
            assert_eq!(times(one), times(two), "{name} {}", one.point.name());
        }
        assert_eq!(value(&told, "reach"), 25.0);
        assert_eq!(figures(&told).len(), figures(&plain).len() + 1);
        for figure in figures(&plain) {
            let known = value(&told, figure.kind.name);
            let apart = (known - figure.value).abs();
            assert!(apart < 1e-3, "{name} {}: {known}", figure.kind.name);
        }
        // Every point that the body has is listed, and what touches is told in seconds of the clip.
        let listed = told.contacts.unwrap();
        assert_eq!(listed.points.len(), points.points.len());
        let touches = listed.points.iter().flat_map(|own| &own.touches);
        assert!(touches.clone().count() > 2);
        let end = clip.time_span().1;
        assert!(touches.into_iter().all(|touch| {
            (0.0..=end).contains(&touch.start_seconds) && touch.end_seconds <= end
        }));
    }
}

/// The adult whose left foot hangs from the hips, as feet do that are led by themselves, and not from the shin.
fn with_foot_beside() -> Player {
    let player = adult();
    let skeleton = &player.character.skeleton;
    let [hips, foot] = ["hips", "leftFoot"].map(|slot| player.joint(slot));
    let rest = model_pose(skeleton, &skeleton.rest_pose());
    let [from, to] = [hips, foot].map(|joint| rest.model_from_joint(joint));
    let mut builder = SkeletonBuilder::new();
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let (parent, local) = match index == foot {
            true => (
                Some(hips),
                Transform::from_matrix((from.inverse() * to).into()).0,
            ),
            false => (joint.parent, joint.rest),
        };
        builder.add(NewJoint {
            kind: joint.kind,
            end: joint.end,
            ..NewJoint::new(&joint.name, parent, local)
        });
    }
    let character = Character {
        skeleton: builder.build().unwrap().0,
        ..Character::default()
    };
    Player::with_map(character, player.map.clone())
}

/// A foot that hangs beside its leg is as far beyond its limits as one below the shin: both turn against the shin.
#[test]
fn feet_beside_their_legs_have_limits() {
    let [below, beside] = [adult(), with_foot_beside()].map(|player| {
        let clip = still(&player);
        let foot = player.joint("leftFoot");
        let placed = retarget_placements(&player.character, &player.map, &player.alignment);
        let turn = placed[foot].rotation.as_quat();
        let bend = turn.conjugate() * Quat::from_rotation_x(1.4) * turn;
        let bent = changed(&player, &clip, foot, |_, local| local.rotation *= bend);
        let found = measured(&player, &bent, &bent).limits.unwrap();
        assert_eq!(player.map.joint(found.slots[0].slot), Some(foot));
        found.max_degrees
    });
    assert!(below.target > 15.0, "{below:?}");
    assert!(
        (below.target - beside.target).abs() < 0.01,
        "{below:?}, {beside:?}"
    );
    assert!(
        (below.source - beside.source).abs() < 0.01,
        "{below:?}, {beside:?}"
    );
}
