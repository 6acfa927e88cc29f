//! What a person says about contacts: it counts, and nothing else changes.

use super::adult;
use rebone_runtime::contact::{
    ContactEdit, ContactRules, Contacts, DetectOptions, Interval, PointKind, TouchSpan, detect,
};

fn point(name: &str) -> PointKind {
    PointKind::parse(name).unwrap()
}

fn edit(name: &str, keeps_found: bool) -> ContactEdit {
    ContactEdit {
        clip: None,
        point: point(name),
        keeps_found,
        added: Vec::new(),
        removed: Vec::new(),
    }
}

fn span(start: f32, end: f32) -> TouchSpan {
    TouchSpan {
        start,
        end,
        height: None,
    }
}

/// Times as people write them.
fn rounded(time: f32) -> f32 {
    (time * 1e4).round() / 1e4
}

/// Every found contact, written down with rounded times.
fn written(contacts: &Contacts, times: &[f32], clip: &str) -> ContactRules {
    let points = &adult().points.points;
    let edits = points.iter().zip(&contacts.points).map(|(point, found)| {
        let added = found.iter().map(|interval| TouchSpan {
            height: (interval.height != contacts.ground).then_some(interval.height),
            ..span(
                rounded(times[interval.first]),
                rounded(times[interval.last]),
            )
        });
        ContactEdit {
            clip: Some(clip.to_owned()),
            point: point.kind(),
            keeps_found: false,
            added: added.collect(),
            removed: Vec::new(),
        }
    });
    ContactRules {
        edits: edits.collect(),
        ..ContactRules::default()
    }
}

/// Without anything said, contacts are those that are found; what was found and written down is found again.
#[test]
fn what_was_found_can_be_written_down() {
    let adult = adult();
    let mut count = 0;
    for sample in &adult.clips {
        let name = sample.clip.name.as_str();
        let motion = adult.motion(&sample.clip, None);
        let found = detect(&adult.points, &motion, &DetectOptions::default());
        let plain = ContactRules::default().find(&adult.points, &motion, name);
        assert_eq!(plain, found, "{name}");
        let rules = written(&found, &motion.times, name);
        let again = rules.find(&adult.points, &motion, name);
        for (one, two) in found.points.iter().zip(&again.points) {
            let by_hand = |interval: &Interval| Interval {
                by_hand: true,
                ..*interval
            };
            assert_eq!(one.iter().map(by_hand).collect::<Vec<_>>(), *two, "{name}");
            count += one.len();
        }
        // Of another clip nothing was said.
        let other = rules.find(&adult.points, &motion, "another");
        assert_eq!(other, found, "{name}");
    }
    assert!(count > 20, "{count}");
}

#[test]
fn spans_are_added_taken_out_and_put_in_place() {
    let adult = adult();
    let walk = adult.clips.iter().find(|own| own.clip.name == "walk");
    let motion = adult.motion(&walk.unwrap().clip, None);
    let times = &motion.times;
    let heel = adult
        .points
        .points
        .iter()
        .position(|own| own.name() == "leftHeel")
        .unwrap();
    let found = detect(&adult.points, &motion, &DetectOptions::default());
    let usual = &found.points[heel];
    let first = usual[0];
    let find = |edit: ContactEdit| {
        let rules = ContactRules {
            edits: vec![edit],
            ..ContactRules::default()
        };
        let contacts = rules.find(&adult.points, &motion, "walk");
        for (index, (one, two)) in found.points.iter().zip(&contacts.points).enumerate() {
            assert!(index == heel || one == two, "only the heel is spoken of");
        }
        contacts.points[heel].clone()
    };
    // Taken out: the middle of a stand divides it.
    let middle = usual.iter().find(|own| own.last - own.first >= 4).unwrap();
    let at = (middle.first + middle.last) / 2;
    let mut without = edit("leftHeel", true);
    without.removed = vec![[times[at], times[at]]];
    let parts = find(without.clone());
    assert_eq!(parts.len(), usual.len() + 1);
    for frame in 0..times.len() {
        let touches = |list: &[Interval]| {
            list.iter()
                .any(|own| (own.first..=own.last).contains(&frame))
        };
        assert_eq!(touches(&parts), touches(usual) && frame != at, "{frame}");
    }
    // Taken out and added again: it is as it was, but by hand.
    without.added = vec![span(times[middle.first], times[middle.last])];
    let again = find(without);
    assert_eq!(again.len(), usual.len());
    assert!(
        again
            .iter()
            .any(|own| own.by_hand && own.height == middle.height)
    );
    // All the time.
    let mut always = edit("leftHeel", true);
    always.added = vec![span(-1.0, 1e5)];
    let all = find(always);
    assert_eq!(
        (all[0].first, all[0].last, all.len()),
        (0, times.len() - 1, 1)
    );
    // In place of what is found: never, and a span without a frame is never, too.
    assert_eq!(find(edit("leftHeel", false)), []);
    let mut between = edit("leftHeel", false);
    between.added = vec![span(times[0] + 0.01, times[0] + 0.012), span(1e6, 2e6)];
    assert_eq!(find(between), []);
    // A height of one's own counts; without, that of the floor does.
    let mut high = edit("leftHeel", false);
    high.added = vec![TouchSpan {
        height: Some(0.25),
        ..span(times[first.first], times[first.last])
    }];
    assert_eq!(find(high)[0].height, 0.25);
    let mut ordinary = edit("leftHeel", false);
    ordinary.added = vec![span(times[first.first], times[first.last])];
    assert_eq!(find(ordinary)[0].height, found.ground);
}

#[test]
fn of_a_point_the_edit_of_the_clip_wins() {
    let adult = adult();
    let motion = adult.motion(&adult.clips[0].clip, None);
    let mut own = edit("rightToes", false);
    own.clip = Some("walk".to_owned());
    own.added = vec![span(0.0, 0.1)];
    let rules = ContactRules {
        edits: vec![edit("rightToes", false), own, edit("frontLeftHeel", false)],
        only_by_hand: true,
        ..ContactRules::default()
    };
    let toes = adult
        .points
        .points
        .iter()
        .position(|own| own.name() == "rightToes")
        .unwrap();
    for (clip, count) in [("walk", 1), ("run", 0)] {
        let contacts = rules.find(&adult.points, &motion, clip);
        for (index, intervals) in contacts.points.iter().enumerate() {
            let expected = if index == toes { count } else { 0 };
            assert_eq!(intervals.len(), expected, "{clip}");
        }
    }
}

/// Metres and centimetres say the same.
#[test]
fn units_change_lengths_only() {
    let mut rules = ContactRules {
        edits: vec![edit("seat", true)],
        ..ContactRules::default()
    };
    rules.options.ground = Some(0.5);
    rules.edits[0].added = vec![TouchSpan {
        height: Some(0.4),
        ..span(1.0, 2.0)
    }];
    let other = rules.in_units(100.0);
    assert_eq!(other.options.ground, Some(50.0));
    assert_eq!(other.edits[0].added[0].height, Some(40.0));
    assert_eq!(other.edits[0].added[0].start, 1.0);
    assert_eq!(rules.in_units(1.0), rules);
}
