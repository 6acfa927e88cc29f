//! Fingers whose names tell them apart by number and side only.

use crate::truth::renamed;
use rebone_model::Character;
use rebone_samples::characters;
use rebone_setup::mapping::{RigMap, map_character};

const FINGERS: [&str; 5] = ["Thumb", "Index", "Middle", "Ring", "Little"];

/// Which finger, joint and side a slot is: `leftIndexProximal` is `(1, 0, "left")`.
fn finger_of(slot: &str) -> Option<(usize, usize, &'static str)> {
    let side = if slot.starts_with("left") {
        "left"
    } else {
        "right"
    };
    let rest = slot.strip_prefix(side)?;
    let finger = FINGERS.iter().position(|name| rest.starts_with(name))?;
    let part = &rest[FINGERS[finger].len()..];
    let parts = if finger == 0 {
        ["Metacarpal", "Proximal", "Distal"]
    } else {
        ["Proximal", "Intermediate", "Distal"]
    };
    Some((finger, parts.iter().position(|name| *name == part)?, side))
}

/// A way to name a finger's joint, from finger (the thumb is 0), joint (0 to 2) and side.
type Style = fn(usize, usize, &str) -> String;

fn letter(side: &str) -> &str {
    &side[..1]
}

const STYLES: [(&str, Style); 9] = [
    ("thumb1, finger3-2.r", |finger, joint, side| match finger {
        0 => format!("thumb{}.{}", joint + 1, letter(side)),
        _ => format!("finger{finger}-{}.{}", joint + 1, letter(side)),
    }),
    ("finger3-2.r, the thumb is 1", |finger, joint, side| {
        format!("finger{}-{}.{}", finger + 1, joint + 1, letter(side))
    }),
    (
        "lthumb01, lfinger2_01",
        |finger, joint, side| match finger {
            0 => format!("{}thumb0{}", letter(side), joint + 1),
            _ => format!("{}finger{finger}_0{}", letter(side), joint + 1),
        },
    ),
    ("RightFinger2Medial", |finger, joint, side| {
        let part = ["Proximal", "Medial", "Distal"][joint];
        let side = if side == "left" { "Left" } else { "Right" };
        format!("{side}Finger{}{part}", finger + 1)
    }),
    ("Biped's Finger01", |finger, joint, side| {
        let number = if joint == 0 {
            finger.to_string()
        } else {
            format!("{finger}{joint}")
        };
        format!("{} Finger{number}", letter(side).to_uppercase())
    }),
    ("digit_4_1_L", |finger, joint, side| {
        format!("digit_{finger}_{joint}_{}", letter(side).to_uppercase())
    }),
    ("no side: Finger4_1", |finger, joint, _| {
        format!("Finger{}_{joint}", finger + 1)
    }),
    ("no number of the finger: Finger_01", |_, joint, side| {
        format!("{side}Finger_0{}", joint + 1)
    }),
    ("joint before finger: 2_finger4", |finger, joint, side| {
        format!("{side}_{}_finger{}", joint + 1, finger + 1)
    }),
];

/// Bodies whose own names are of a known convention, and of none.
fn body_name(name: &str, known: bool) -> String {
    if known {
        return name.to_owned();
    }
    let name = name.trim_start_matches("mixamorig:");
    let words = [
        ("ForeArm", "elbow"),
        ("UpLeg", "hip"),
        ("Leg", "knee"),
        ("Arm", "shldr"),
        ("Shoulder", "collar"),
        ("ToeBase", "toe"),
        ("Foot", "ankle"),
        ("Hips", "pelvis"),
        ("Spine", "back"),
    ];
    let found = words.iter().find(|(word, _)| name.contains(word));
    found.map_or(name.to_owned(), |(word, new)| name.replace(word, new))
}

fn fingers(map: &RigMap) -> Vec<(&'static str, usize)> {
    let slots = map.slots.iter();
    slots
        .map(|(slot, found)| (map.profile.info(*slot).name, found.joints[0]))
        .filter(|(name, _)| finger_of(name).is_some())
        .collect()
}

#[test]
fn fingers_named_by_number_are_found() {
    let character: Character = characters().swap_remove(0);
    let truth = map_character(&character);
    let expected = fingers(&truth);
    assert_eq!(expected.len(), 30, "{expected:?}");
    for known in [true, false] {
        for (title, style) in STYLES {
            let other = renamed(&character, &|joint, name| {
                let slot = expected.iter().find(|(_, found)| *found == joint);
                slot.and_then(|(slot, _)| finger_of(slot))
                    .map_or_else(|| body_name(name, known), |(f, j, side)| style(f, j, side))
            });
            assert_eq!(
                fingers(&map_character(&other)),
                expected,
                "{title}, known {known}"
            );
        }
    }
}
