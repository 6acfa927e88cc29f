//! Roll of arms, hands and legs in the retarget pose, against what is true.

use glam::{DQuat, DVec3};
use rebone_setup::align::{AlignOptions, Alignment, Evidence, align};
use rebone_testkit::random::{
    BodyOptions, Convention, Generator, Keys, Motion, Rigged, Stance, random_body,
    random_convention,
};

/// How far a roll may be off.
const BOUND: f64 = 15.0;

/// What shows the roll of a stance.
#[derive(Clone, Copy, PartialEq)]
enum Shown {
    /// The rest pose, whatever the body has.
    Rest,
    /// The knuckles: only bodies with fingers.
    Fingers,
    /// The clip: only with one.
    Clip,
}

/// Stances in which hands, arms or legs are rolled.
fn stances() -> Vec<(Stance, Shown)> {
    let mut stances = Vec::new();
    for arms_down_degrees in [0.0, 45.0, 80.0] {
        let stance = Stance {
            arms_down_degrees,
            ..Stance::default()
        };
        stances.push((stance, Shown::Rest));
        for elbow_degrees in [6.0, 25.0, 45.0] {
            stances.push((
                Stance {
                    elbow_degrees,
                    ..stance
                },
                Shown::Rest,
            ));
        }
        for pronation_degrees in [-60.0, 12.0, 45.0, 90.0] {
            stances.push((
                Stance {
                    pronation_degrees,
                    elbow_degrees: 5.0,
                    ..stance
                },
                Shown::Fingers,
            ));
        }
        for arm_roll_degrees in [-70.0, 40.0, 90.0] {
            let rolled = Stance {
                arm_roll_degrees,
                ..stance
            };
            stances.push((rolled, Shown::Clip));
            let bent = Stance {
                elbow_degrees: 30.0,
                ..rolled
            };
            stances.push((bent, Shown::Rest));
        }
        for leg_roll_degrees in [-35.0, 30.0] {
            let rolled = Stance {
                leg_roll_degrees,
                ..stance
            };
            stances.push((rolled, Shown::Clip));
        }
    }
    stances
}

/// Degrees by which a slot is rolled about its own length, and by which it points elsewhere.
fn errors(rigged: &Rigged, alignment: &Alignment, slot: &str, along: DVec3) -> Option<(f64, f64)> {
    let joint = rigged.body.slot(slot)?;
    let found = alignment.retarget_rotation(rigged.joint_of[joint]);
    let off = found * rigged.frames[joint].conjugate();
    let swing = (off * along).angle_between(along).to_degrees();
    let twist = DQuat::from_xyzw(
        along.x * off.xyz().dot(along),
        along.y * off.xyz().dot(along),
        along.z * off.xyz().dot(along),
        off.w,
    );
    let roll = 2.0 * twist.xyz().length().atan2(twist.w.abs()).to_degrees();
    Some((roll, swing))
}

#[test]
fn rolls_are_found_wherever_something_shows_them() {
    let (mut worst, mut checked) = (0.0f64, 0);
    let mut unshown = 0;
    for (index, (stance, shown)) in stances().into_iter().enumerate() {
        for variant in 0..8u64 {
            let generator = &mut Generator::new(1000 * variant + index as u64);
            let (fingers, with_clip) = (variant % 2 == 0, variant % 4 < 2);
            let options = BodyOptions {
                fingers,
                exact: true,
                ..BodyOptions::default()
            };
            let body = random_body(generator, &options);
            let convention = Convention {
                stance,
                joint_axes: (variant >= 4).then_some(variant),
                ..random_convention(generator)
            };
            let rigged = Rigged::new(&body, &convention);
            let motion = Motion::random(generator, &body).with_hinges();
            let clip = rigged.clip(&motion, Keys::Linear);
            let clips = if with_clip { vec![&clip] } else { Vec::new() };
            let found = align(
                &rigged.character,
                &rigged.map,
                &clips,
                &AlignOptions::default(),
            );
            let is_shown = match shown {
                Shown::Rest => true,
                Shown::Fingers => fingers,
                Shown::Clip => with_clip,
            };
            for (side, out) in [("left", DVec3::X), ("right", DVec3::NEG_X)] {
                for (part, along) in [
                    ("UpperArm", out),
                    ("LowerArm", out),
                    ("Hand", out),
                    ("UpperLeg", DVec3::NEG_Y),
                    ("LowerLeg", DVec3::NEG_Y),
                    ("Foot", DVec3::Z),
                ] {
                    let slot = format!("{side}{part}");
                    let (roll, swing) = errors(&rigged, &found, &slot, along).unwrap();
                    assert!(swing < 1.0, "{slot} points {swing} elsewhere: {stance:?}");
                    if is_shown {
                        assert!(
                            roll < BOUND,
                            "{slot} is rolled by {roll}: {stance:?}, fingers {fingers}, clip {with_clip}, \
                             {:?}",
                            found.reasons[&rigged.map.profile.find(&slot).unwrap()]
                        );
                        worst = worst.max(roll);
                        checked += 1;
                    } else if roll > BOUND {
                        // Nothing shows it, and the alignment does not claim that something did.
                        let slot = rigged.map.profile.find(&slot).unwrap();
                        let told = found.reasons[&slot].evidence;
                        assert!(
                            !matches!(told, Evidence::Hinge | Evidence::HingeOfClip),
                            "{stance:?}: {told:?}"
                        );
                        unshown += 1;
                    }
                }
            }
        }
    }
    println!("{checked} rolls checked, worst {worst:.1} degrees; {unshown} that nothing shows");
    assert!(checked > 3000 && unshown > 0);
}
