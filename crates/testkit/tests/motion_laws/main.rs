//! What the motion laws promise, tried on the naive implementation itself.

#![allow(clippy::print_stderr, clippy::unwrap_used)]

mod legs;
mod turns;
mod whole;

use glam::{DAffine3, DQuat, DVec3};
use rebone_setup::align::{AlignOptions, Alignment, Correction};
use rebone_testkit::check::aligned;
use rebone_testkit::laws::{Laws, Posed, Side, model, retarget_pose};
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
        self.frames_of(&motion)
    }

    fn frames_of(&self, motion: &Motion) -> Vec<Vec<Local>> {
        let clip = self.rigged.clip(motion, Keys::Linear);
        let skeleton = &self.rigged.character.skeleton;
        let times = clip.key_times();
        let times = times.iter().step_by(3);
        times
            .map(|&time| oracle::sample(skeleton, &clip, time))
            .collect()
    }

    /// The same frames with joints that slide: every mapped joint but the hips, by up to a tenth of the leg.
    fn sliding(&self, generator: &mut Generator, mut frames: Vec<Vec<Local>>) -> Vec<Vec<Local>> {
        let size = self.alignment.measures.leg;
        let skeleton = &self.rigged.character.skeleton;
        let rest = oracle::model(skeleton, &oracle::rest(skeleton));
        let joints = self
            .rigged
            .map
            .slots
            .values()
            .flat_map(|found| &found.joints);
        let hips = self.joint("hips");
        for joint in joints.copied().filter(|&joint| joint != hips) {
            let above = skeleton.parent(joint).map(|above| rest[above].affine);
            let local = above.map_or(1.0, |above| above.matrix3.determinant().abs().cbrt());
            for frame in &mut frames {
                frame[joint].translation += generator.vector(0.1 * size / local);
            }
        }
        frames
    }

    /// The rest pose, its whole body brought elsewhere in canonical space.
    fn brought(&self, turn: DQuat, moved: impl Fn(DVec3) -> DVec3) -> Vec<Local> {
        let side = self.side();
        let skeleton = &self.rigged.character.skeleton;
        let mut rest = oracle::rest(skeleton);
        let pose = model(&side, &rest);
        let hips = self.joint("hips");
        let (back, rotation) = skeleton.parent(hips).map_or(
            (
                DAffine3::from_quat(side.canonical_from_file),
                side.canonical_from_file,
            ),
            |above| (pose[above].affine, pose[above].rotation),
        );
        rest[hips].rotation = rotation.conjugate() * turn * pose[hips].rotation;
        let place = moved(pose[hips].affine.translation);
        rest[hips].translation = back.inverse().transform_point3(place);
        rest
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
    retarget_pose(&source.side(), &target.side(), laws, locals).unwrap()
}
