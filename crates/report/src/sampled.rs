//! Where the joints of a performance are at the measured frames.
//!
//! Joint by joint, so that a track whose keys are the frames is copied instead of searched.

use super::Performance;
use glam::{Affine3A, Quat, Vec3};
use rebone_model::sampling::{sample_joint, sample_track_at};
use rebone_model::{Joint, JointTracks};

/// Joints of one side, canonical axes, file units; lists of joints that were not asked for are empty.
pub(super) struct Sampled {
    /// Place of each joint in each frame.
    pub(super) positions: Vec<Vec<Vec3>>,
    /// Model-space turn of each joint in each frame: a product of the local turns.
    pub(super) rotations: Vec<Vec<Quat>>,
}

impl Sampled {
    /// The wanted joints and everything above them at the given times.
    pub(super) fn new(side: &Performance<'_>, wanted: &[usize], times: &[f32]) -> Self {
        let joints = side.character.skeleton.joints();
        let mut is_wanted = vec![false; joints.len()];
        for &joint in wanted {
            let mut at = Some(joint);
            while let Some(open) = at.filter(|&open| !is_wanted[open]) {
                is_wanted[open] = true;
                at = joints[open].parent;
            }
        }
        let still = JointTracks::default();
        let tracks = |joint: usize| side.clip.joints.get(joint).unwrap_or(&still);
        let is_rigid = (0..joints.len())
            .filter(|&joint| is_wanted[joint])
            .all(|joint| {
                let scale = joints[joint].rest.scale;
                let even =
                    (scale - Vec3::splat(scale.x)).abs().max_element() <= 1e-6 * scale.x.abs();
                tracks(joint).scale.is_none() && even && scale.x > 0.0
            });
        let mut sampled = Self {
            positions: vec![Vec::new(); joints.len()],
            rotations: vec![Vec::new(); joints.len()],
        };
        let root = side.alignment.canonical_from_file.as_quat();
        let mut walk = Walk {
            sampled: &mut sampled,
            root,
            times,
            sizes: vec![1.0; joints.len()],
            affines: vec![Vec::new(); joints.len()],
        };
        for joint in (0..joints.len()).filter(|&joint| is_wanted[joint]) {
            if is_rigid {
                walk.rigid(joint, &joints[joint], tracks(joint));
            } else {
                walk.any(joint, &joints[joint], tracks(joint));
            }
        }
        sampled
    }

    /// Place of a joint in a frame.
    pub(super) fn at(&self, joint: usize, frame: usize) -> Vec3 {
        self.positions[joint][frame]
    }

    /// Canonical axes from those of a joint in a frame.
    pub(super) fn placed(&self, joint: usize, frame: usize) -> Affine3A {
        Affine3A::from_rotation_translation(self.rotations[joint][frame], self.at(joint, frame))
    }
}

struct Walk<'a> {
    sampled: &'a mut Sampled,
    root: Quat,
    times: &'a [f32],
    /// How much a joint's own axes enlarge, where that never changes.
    sizes: Vec<f32>,
    /// Model space from joint space, where it may.
    affines: Vec<Vec<Affine3A>>,
}

impl Walk<'_> {
    fn turned(&self, joint: &Joint, tracks: &JointTracks) -> Vec<Quat> {
        let count = self.times.len();
        let above = joint
            .parent
            .map(|above| self.sampled.rotations[above].as_slice());
        let over = |frame: usize| above.map_or(self.root, |above| above[frame]);
        match &tracks.rotation {
            None => (0..count)
                .map(|frame| over(frame) * joint.rest.rotation)
                .collect(),
            Some(track) => {
                let own = sample_track_at(track, self.times);
                (0..count).map(|frame| over(frame) * own[frame]).collect()
            }
        }
    }

    fn rigid(&mut self, index: usize, joint: &Joint, tracks: &JointTracks) {
        let above = joint.parent.map(|above| {
            let sampled = &*self.sampled;
            (
                &sampled.positions[above],
                &sampled.rotations[above],
                self.sizes[above],
            )
        });
        let size = above.map_or(1.0, |above| above.2);
        let own = tracks
            .translation
            .as_ref()
            .map(|track| sample_track_at(track, self.times));
        let place = |frame: usize| {
            let local = own
                .as_ref()
                .map_or(joint.rest.translation, |own| own[frame]);
            match above {
                None => self.root * local,
                Some((positions, rotations, size)) => {
                    positions[frame] + rotations[frame] * (size * local)
                }
            }
        };
        let positions = (0..self.times.len()).map(place).collect();
        let rotations = self.turned(joint, tracks);
        self.sizes[index] = size * joint.rest.scale.x;
        self.sampled.positions[index] = positions;
        self.sampled.rotations[index] = rotations;
    }

    fn any(&mut self, index: usize, joint: &Joint, tracks: &JointTracks) {
        let root = Affine3A::from_quat(self.root);
        let times = self.times;
        let affine = |frame: usize| {
            let local = sample_joint(tracks, joint.rest, times[frame]);
            let above = joint
                .parent
                .map_or(root, |above| self.affines[above][frame]);
            above * local.to_affine()
        };
        let affines: Vec<Affine3A> = (0..times.len()).map(affine).collect();
        self.sampled.positions[index] = affines.iter().map(|at| at.translation.into()).collect();
        self.sampled.rotations[index] = self.turned(joint, tracks);
        self.affines[index] = affines;
    }
}
