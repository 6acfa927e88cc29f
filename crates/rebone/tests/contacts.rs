//! Contacts against what is seen in ten clips (`contacts/*.toml`).

use crate::common::{corpus, rig};
use rebone::Role;
use rebone::runtime::Rig as RunRig;
use rebone::runtime::contact::{
    ContactMotion, ContactPoints, Contacts, DetectOptions, Touch, detect,
};
use rebone::setup::align::contact_points;
use std::path::Path;

/// Frames at either end of a contact that may be one more or one less.
const TOLERANCE: usize = 1;

struct Label {
    point: String,
    first: usize,
    last: usize,
}

struct Labels {
    name: String,
    file: String,
    clip: String,
    rate_hz: f64,
    frames: (usize, usize),
    contacts: Vec<Label>,
    unsure: Vec<Label>,
}

fn labels() -> Vec<Labels> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/contacts");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "toml"))
        .collect();
    paths.sort();
    paths.iter().map(|path| read(path)).collect()
}

fn read(path: &Path) -> Labels {
    let table: toml::Table = std::fs::read_to_string(path).unwrap().parse().unwrap();
    let whole = |value: &toml::Value| usize::try_from(value.as_integer().unwrap()).unwrap();
    let text = |key: &str| table[key].as_str().unwrap().to_owned();
    let list = |key: &str| -> Vec<Label> {
        let entries = table.get(key).and_then(|list| list.as_array());
        let entries = entries.into_iter().flatten();
        entries
            .map(|entry| Label {
                point: entry["point"].as_str().unwrap().to_owned(),
                first: whole(&entry["first"]),
                last: whole(&entry["last"]),
            })
            .collect()
    };
    let frames = table["frames"].as_array().unwrap();
    Labels {
        name: path.file_stem().unwrap().to_string_lossy().into_owned(),
        file: text("file"),
        clip: text("clip"),
        rate_hz: table["rate_hz"].as_integer().unwrap() as f64,
        frames: (whole(&frames[0]), whole(&frames[1])),
        contacts: list("contact"),
        unsure: list("unsure"),
    }
}

/// The points of a file and what touches in its clip, frames counted as the labels do.
fn found(corpus: &Path, labels: &Labels) -> (ContactPoints, Contacts) {
    let rig = rig(&corpus.join(&labels.file), Role::Source);
    let clips = &rig.character.clips;
    // A BVH has one clip, without a name of its own.
    let clip = match clips.as_slice() {
        [only] => only,
        all => all.iter().find(|clip| clip.name == labels.clip).unwrap(),
    };
    let floor = rig.alignment.measures.floor;
    let points = contact_points(&rig.character, &rig.map, &rig.alignment, floor);
    let (start, end) = clip.time_span();
    let count = (f64::from(end - start) * labels.rate_hz).round() as usize + 1;
    let times: Vec<f32> = (0..count)
        .map(|frame| start + (frame as f64 / labels.rate_hz) as f32)
        .collect();
    let run = RunRig::new(&rig.character.skeleton);
    let motion = ContactMotion::new(&points, &run, clip, &times);
    let contacts = detect(&points, &motion, &DetectOptions::default());
    (points, contacts)
}

fn name(points: &ContactPoints, point: usize) -> String {
    let point = &points.points[point];
    let side = if point.side > 0 { "left" } else { "right" };
    let front = if point.front { " front" } else { "" };
    let touch = match point.touch {
        Touch::Heel => "heel",
        _ => "toes",
    };
    format!("{side}{front} {touch}")
}

/// Frames right, wrongly told, and missed.
#[derive(Default)]
struct Score {
    right: usize,
    wrong: usize,
    missed: usize,
}

impl Score {
    fn f1(&self) -> f64 {
        let right = 2.0 * self.right as f64;
        right / (right + (self.wrong + self.missed) as f64).max(1.0)
    }

    fn add(&mut self, told: &[bool], labels: &Labels, point: &str) {
        let own = |list: &[Label]| -> Vec<(usize, usize)> {
            let own = list.iter().filter(|label| label.point == point);
            own.map(|label| (label.first, label.last)).collect()
        };
        let (spans, unsure) = (own(&labels.contacts), own(&labels.unsure));
        let within = |spans: &[(usize, usize)], frame: usize, more: usize| {
            let near = |span: &(usize, usize)| frame + more >= span.0 && frame <= span.1 + more;
            spans.iter().any(near)
        };
        // Ends of a label at an end of the clip are no ends of a contact.
        let inner = |frame: usize| {
            spans.iter().any(|&(first, last)| {
                let from = if first <= labels.frames.0 {
                    first
                } else {
                    first + TOLERANCE
                };
                let to = if last >= labels.frames.1 {
                    last
                } else {
                    last - TOLERANCE.min(last)
                };
                (from..=to).contains(&frame)
            })
        };
        let frames = told.iter().enumerate().skip(labels.frames.0);
        for (frame, &told) in frames {
            if within(&unsure, frame, 0) {
                continue;
            }
            match (told, within(&spans, frame, TOLERANCE), inner(frame)) {
                (true, true, _) => self.right += 1,
                (true, false, _) => self.wrong += 1,
                (false, _, true) => self.missed += 1,
                _ => {}
            }
        }
        // A contact of one or two frames has no inside; it must be met all the same.
        for &(first, last) in &spans {
            let from = first.saturating_sub(TOLERANCE);
            let to = (last + TOLERANCE).min(told.len() - 1);
            if last - first < 2 * TOLERANCE && !told[from..=to].contains(&true) {
                self.missed += last - first + 1;
            }
        }
    }
}

#[test]
fn contacts_are_found_where_they_are_seen() {
    let Some(corpus) = corpus() else { return };
    let all = labels();
    assert!(all.len() >= 10, "{}", all.len());
    let mut worst = (f64::INFINITY, String::new());
    let mut sum = 0.0;
    for labels in &all {
        let (points, contacts) = found(&corpus, labels);
        let mut score = Score::default();
        for point in 0..points.points.len() {
            if !matches!(points.points[point].touch, Touch::Heel | Touch::Toes) {
                continue;
            }
            let told: Vec<bool> = (0..=labels.frames.1)
                .map(|frame| contacts.at(point, frame).is_some())
                .collect();
            let name = name(&points, point);
            score.add(&told, labels, &name);
            let spans = contacts.points[point].iter();
            let spans: Vec<String> = spans.map(|i| format!("{}-{}", i.first, i.last)).collect();
            println!("{} {name}: {}", labels.name, spans.join(" "));
        }
        let f1 = score.f1();
        println!(
            "{}: F1 {f1:.3} ({} right, {} wrong, {} missed)",
            labels.name, score.right, score.wrong, score.missed
        );
        sum += f1;
        if f1 < worst.0 {
            worst = (f1, labels.name.clone());
        }
    }
    println!(
        "mean F1 {:.3}, worst {:.3} ({})",
        sum / all.len() as f64,
        worst.0,
        worst.1
    );
    assert!(worst.0 >= 0.88, "{}: {:.3}", worst.1, worst.0);
}
