//! What the motion laws promise, tried on the naive implementation itself (F1 to F9 and the tests that they name).

#![allow(clippy::print_stderr, clippy::unwrap_used)]

mod legs;
mod turns;
mod whole;

use glam::DVec3;
use rebone_core::align::{AlignOptions, Alignment, Correction};
use rebone_testkit::check::aligned;
use rebone_testkit::laws::{Laws, Posed, Side, retarget_pose};
use rebone_testkit::oracle::{self, Local};
use rebone_testkit::random::{
    BodyOptions, Generator, Keys, Motion, Rigged, random_body, random_convention,
};

const PRESETS: [Laws; 2] = [Laws::HUMANIK, Laws::MIXAMO];

/// A character with its stance as given.
struct Actor {
    rigged: Rigged,
    alignment: Alignment,
}

impl Actor {
    fn new(rigged: Rigged) -> Self {
        let options = AlignOptions {
            correction: Correction::None,
            ..AlignOptions::default()
        };
        let alignment = aligned(&rigged, &[], &options);
        Self { rigged, alignment }
    }

    fn random(generator: &mut Generator, options: &BodyOptions) -> Self {
        let body = random_body(generator, options);
        Self::new(Rigged::new(&body, &random_convention(generator)))
    }

    fn side(&self) -> Side<'_> {
        Side::new(&self.rigged.character, &self.rigged.map, &self.alignment)
    }

    /// Frames of a motion with knees that bend one way.
    fn frames(&self, generator: &mut Generator) -> Vec<Vec<Local>> {
        let motion = Motion::random(generator, &self.rigged.body).with_hinges();
        let clip = self.rigged.clip(&motion, Keys::Linear);
        let skeleton = &self.rigged.character.skeleton;
        let times = clip.key_times();
        let times = times.iter().step_by(3);
        times
            .map(|&time| oracle::sample(skeleton, &clip, time))
            .collect()
    }

    fn joint(&self, slot: &str) -> usize {
        self.rigged.map.joint_named(slot).unwrap()
    }

    fn height(&self) -> f64 {
        self.rigged.file_height()
    }

    /// Canonical place of a joint of a result.
    fn place(&self, posed: &Posed, joint: usize) -> DVec3 {
        self.side().canonical_from_file * posed.joints[joint].affine.translation
    }
}

fn moved(source: &Actor, target: &Actor, laws: &Laws, locals: &[Local]) -> Posed {
    retarget_pose((&source.side(), &target.side()), laws, locals).unwrap()
}
