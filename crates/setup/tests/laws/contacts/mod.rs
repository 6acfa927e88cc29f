//! Contacts: laws, the exact truth of the sample clips, bodies made for one question each, and the causal form.

mod laws;
mod rules;
mod scenes;
mod truth;
mod watch;

use glam::Vec3;
use rebone_model::{Character, Clip};
use rebone_runtime::Rig;
use rebone_runtime::contact::{
    ContactMotion, ContactPoints, Contacts, DetectOptions, Touch, detect,
};
use rebone_samples::{SampleClip, characters, clips};
use rebone_setup::align::contact_points;
use rebone_setup::align::{AlignOptions, align};
use rebone_setup::mapping::map_character;
use std::sync::OnceLock;

/// The adult with the points that can touch.
struct Adult {
    rig: Rig,
    points: ContactPoints,
    clips: Vec<SampleClip>,
}

/// Shaping the samples takes a while, so that all tests share one.
fn adult() -> &'static Adult {
    static ADULT: OnceLock<Adult> = OnceLock::new();
    ADULT.get_or_init(new_adult)
}

fn new_adult() -> Adult {
    let character: Character = characters().swap_remove(0);
    let map = map_character(&character);
    let alignment = align(&character, &map, &[], &AlignOptions::default());
    Adult {
        rig: Rig::new(&character.skeleton),
        points: contact_points(&character, &map, &alignment, 0.0),
        clips: clips(),
    }
}

impl Adult {
    /// A clip at a rate; `None`: at its own keys.
    fn motion(&self, clip: &Clip, rate_hz: Option<f32>) -> ContactMotion {
        let times = match rate_hz {
            None => clip.key_times(),
            Some(rate) => {
                let count = (clip.seconds() * rate + 1e-3).floor() as usize + 1;
                (0..count).map(|frame| frame as f32 / rate).collect()
            }
        };
        ContactMotion::new(&self.points, &self.rig, clip, &times)
    }

    fn contacts(&self, motion: &ContactMotion) -> Contacts {
        detect(&self.points, motion, &DetectOptions::default())
    }
}

/// Every place of a motion, changed.
fn changed(motion: &ContactMotion, change: impl Fn(usize, Vec3) -> Vec3) -> ContactMotion {
    let of = |path: &Vec<Vec3>| {
        let frames = path.iter().enumerate();
        frames.map(|(frame, place)| change(frame, *place)).collect()
    };
    ContactMotion {
        times: motion.times.clone(),
        points: motion.points.iter().map(of).collect(),
        hips: of(&motion.hips),
    }
}

/// The spans of all feet.
fn spans(points: &ContactPoints, contacts: &Contacts) -> Vec<Vec<(usize, usize)>> {
    let feet = points.points.iter().zip(&contacts.points);
    feet.filter(|(point, _)| matches!(point.touch, Touch::Heel | Touch::Toes))
        .map(|(_, list)| list.iter().map(|found| (found.first, found.last)).collect())
        .collect()
}

/// Agreement of two lists of frames, frame by frame.
#[derive(Clone, Copy, Debug, Default)]
struct Agreement {
    both: usize,
    one: usize,
}

impl Agreement {
    fn add(&mut self, one: bool, other: bool) {
        self.both += usize::from(one && other);
        self.one += usize::from(one != other);
    }

    fn f1(&self) -> f64 {
        2.0 * self.both as f64 / (2 * self.both + self.one).max(1) as f64
    }
}
