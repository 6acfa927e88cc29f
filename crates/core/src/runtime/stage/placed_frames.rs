//! Joints in model space at every time of a clip: placed once, for all who look at them.
//!
//! Eight frames go together, in the order of operations of [`Placed`]. Where a joint stretches unevenly, or more in one
//! frame than in another, it is done frame by frame.

use super::kinematics::{Kinematics, Placed, even_size};
use crate::runtime::lanes::{Rotations, Vectors};
use crate::runtime::op::{Plan, Rig};
use glam::{Quat, Vec3, Vec3A};
use rebone_model::Transform;
use rebone_model::joint_frames::JointFrames;

/// Frames that go together.
const WIDTH: usize = 8;

/// Some joints of a rig at every time of a clip.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlacedFrames {
    kinematics: Kinematics,
    /// The place of each joint of the rig; means nothing where nobody looks.
    places: Vec<u32>,
    frames: Frames,
}

#[derive(Clone, Debug)]
enum Frames {
    /// Eight frames after eight, each place by place.
    Even {
        sizes: Vec<f32>,
        rotations: Vec<Quat>,
        positions: Vec<Vec3A>,
    },
    /// Frame by frame.
    Any(Vec<Placed>),
}

impl Default for Frames {
    fn default() -> Self {
        Self::Any(Vec::new())
    }
}

impl PlacedFrames {
    /// These joints of a rig and all above them, in `count` frames.
    pub(crate) fn new(
        rig: &Rig,
        wanted: impl IntoIterator<Item = usize>,
        joints: &[JointFrames<'_>],
        count: usize,
    ) -> Self {
        let (kinematics, places) = listed(rig, wanted);
        let frames = match sizes(&kinematics, joints) {
            Some(sizes) => even(&kinematics, joints, count, sizes),
            None => any(&kinematics, joints, count),
        };
        Self {
            kinematics,
            places,
            frames,
        }
    }

    /// What all stages of a plan look at in the source, for single poses: each is brought by [`renew`](Self::renew), and is frame 0.
    pub(in crate::runtime) fn of_poses(plan: &Plan) -> Self {
        let stages = plan.stages.iter();
        let looks = stages.filter_map(|stage| stage.op.kinematics());
        let wanted = looks.flat_map(|[source, _]| source.joints());
        let (kinematics, places) = listed(&plan.source, wanted);
        let placed = vec![Placed::ROOT; kinematics.len()];
        Self {
            kinematics,
            places,
            frames: Frames::Any(placed),
        }
    }

    /// Places the joints of a single pose.
    pub(in crate::runtime) fn renew(&mut self, pose: &[Transform]) {
        if let Frames::Any(placed) = &mut self.frames {
            self.kinematics.place(pose, placed);
        }
    }

    /// One joint in one frame.
    ///
    /// # Panics
    /// Where there is no such frame.
    #[inline]
    pub(crate) fn at(&self, joint: usize, frame: usize) -> Placed {
        let at = self.index(joint, frame);
        match &self.frames {
            Frames::Even {
                sizes,
                rotations,
                positions,
                ..
            } => {
                let size = sizes[self.places[joint] as usize];
                Placed::even(rotations[at], positions[at], size)
            }
            Frames::Any(placed) => placed[at],
        }
    }

    /// Where a joint is in one frame.
    ///
    /// # Panics
    /// Where there is no such frame.
    #[inline(always)]
    pub(crate) fn position(&self, joint: usize, frame: usize) -> Vec3 {
        let at = self.index(joint, frame);
        match &self.frames {
            Frames::Even { positions, .. } => positions[at].into(),
            Frames::Any(placed) => placed[at].position(),
        }
    }

    /// Product of the local rotations of a joint and all above it in one frame.
    ///
    /// # Panics
    /// Where there is no such frame.
    #[inline(always)]
    fn rotation(&self, joint: usize, frame: usize) -> Quat {
        let at = self.index(joint, frame);
        match &self.frames {
            Frames::Even { rotations, .. } => rotations[at],
            Frames::Any(placed) => placed[at].rotation,
        }
    }

    /// Where a joint's frame is in the lists.
    #[inline(always)]
    fn index(&self, joint: usize, frame: usize) -> usize {
        let place = self.places[joint] as usize;
        let joints = self.kinematics.len();
        match &self.frames {
            Frames::Even { .. } => (frame / WIDTH * joints + place) * WIDTH + frame % WIDTH,
            Frames::Any(_) => frame * joints + place,
        }
    }

    /// What a stage looks at in a frame.
    pub(crate) fn view<'a>(&'a self, frame: usize, wanted: &'a Kinematics) -> View<'a> {
        View {
            joints: wanted,
            frames: self,
            frame,
        }
    }

    /// What [`Kinematics::place`] says of a frame.
    #[inline]
    pub(crate) fn read(&self, frame: usize, wanted: &Kinematics, placed: &mut [Placed]) {
        for (placed, joint) in placed.iter_mut().zip(wanted.joints()) {
            *placed = self.at(joint, frame);
        }
    }
}

/// Joints and all above them, and the place of each joint of the rig among them.
fn listed(rig: &Rig, wanted: impl IntoIterator<Item = usize>) -> (Kinematics, Vec<u32>) {
    let kinematics = Kinematics::new(rig, wanted);
    let mut places = vec![0; rig.len()];
    for (place, joint) in kinematics.joints().enumerate() {
        places[joint] = place as u32;
    }
    (kinematics, places)
}

/// What a stage knows of model space before it looks at the pose.
#[derive(Clone, Copy, Debug)]
pub(in crate::runtime) struct Sights<'a> {
    /// The source's joints, and the frame.
    pub(in crate::runtime) source: (&'a PlacedFrames, usize),
    /// The target's joints as they were transferred, until a stage changes them.
    pub(in crate::runtime) target: Option<(&'a PlacedFrames, usize)>,
}

impl<'a> Sights<'a> {
    /// The joints of the source that a stage looks at.
    pub(super) fn source(&self, wanted: &'a Kinematics) -> View<'a> {
        let (frames, frame) = self.source;
        frames.view(frame, wanted)
    }

    /// Places joints of the target.
    pub(super) fn place_target(
        &self,
        wanted: &Kinematics,
        pose: &[Transform],
        placed: &mut [Placed],
    ) {
        match self.target {
            Some((frames, frame)) => frames.read(frame, wanted, placed),
            None => wanted.place(pose, placed),
        }
    }
}

/// The joints that a stage looks at in one frame, each by its place in the stage's list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'a> {
    joints: &'a Kinematics,
    frames: &'a PlacedFrames,
    frame: usize,
}

impl View<'_> {
    /// Where a joint is.
    #[inline(always)]
    pub(crate) fn position(&self, place: usize) -> Vec3 {
        self.frames.position(self.joints.joint(place), self.frame)
    }

    /// Product of the local rotations of a joint and all above it.
    #[inline(always)]
    pub(crate) fn rotation(&self, place: usize) -> Quat {
        self.frames.rotation(self.joints.joint(place), self.frame)
    }

    /// A point in a joint's axes, in model space; the joint's scale does not count.
    #[inline(always)]
    pub(crate) fn point(&self, place: usize, point: Vec3) -> Vec3 {
        self.position(place) + self.rotation(place) * point
    }
}

/// How much longer each joint makes lengths, the same in all frames; `None` where that is not all it does.
fn sizes(kinematics: &Kinematics, joints: &[JointFrames<'_>]) -> Option<Vec<f32>> {
    let mut sizes = Vec::with_capacity(kinematics.len());
    for place in 0..kinematics.len() {
        let own = even_size(joints[kinematics.joint(place)].still_scale()?)?;
        let above = kinematics.above(place).map_or(1.0, |above| sizes[above]);
        sizes.push(above * own);
    }
    Some(sizes)
}

fn any(kinematics: &Kinematics, joints: &[JointFrames<'_>], count: usize) -> Frames {
    let mut all = Vec::with_capacity(kinematics.len() * count);
    let mut placed = vec![Placed::ROOT; kinematics.len()];
    for frame in 0..count {
        kinematics.place_by(|joint| joints[joint].at(frame), &mut placed);
        all.extend_from_slice(&placed);
    }
    Frames::Any(all)
}

/// A joint in eight frames.
type Eight = (Rotations<WIDTH>, Vectors<WIDTH>);

fn even(
    kinematics: &Kinematics,
    joints: &[JointFrames<'_>],
    count: usize,
    sizes: Vec<f32>,
) -> Frames {
    let room = kinematics.len() * count.next_multiple_of(WIDTH);
    let (mut rotations, mut positions) = (Vec::with_capacity(room), Vec::with_capacity(room));
    let root = (Rotations::splat(Quat::IDENTITY), Vectors::splat(Vec3::ZERO));
    let mut eights = vec![root; kinematics.len()];
    for first in (0..count).step_by(WIDTH) {
        accelerated(kinematics, joints, &sizes, first, &mut eights);
        for (rotation, position) in &eights {
            rotations.extend_from_slice(&rotation.scattered());
            positions.extend_from_slice(&position.scattered());
        }
    }
    Frames::Even {
        sizes,
        rotations,
        positions,
    }
}

#[cfg(target_arch = "x86_64")]
fn accelerated(
    kinematics: &Kinematics,
    joints: &[JointFrames<'_>],
    sizes: &[f32],
    first: usize,
    eights: &mut [Eight],
) {
    match crate::runtime::kernel_x86::Avx2::detect() {
        Some(x86) => x86.place_eight(kinematics, joints, sizes, first, eights),
        None => place_eight(kinematics, joints, sizes, first, eights),
    }
}

#[cfg(not(target_arch = "x86_64"))]
use place_eight as accelerated;

/// Eight frames from `first`; inlined, so that a caller for a processor with wider registers gets code of its own.
#[inline(always)]
pub(in crate::runtime) fn place_eight(
    kinematics: &Kinematics,
    joints: &[JointFrames<'_>],
    sizes: &[f32],
    first: usize,
    eights: &mut [Eight],
) {
    for place in 0..kinematics.len() {
        let joint = &joints[kinematics.joint(place)];
        let rotation = match joint.still_rotation() {
            Some(rotation) => Rotations::splat(rotation),
            None => Rotations::gather(joint.rotations(first)),
        };
        let way = match joint.still_translation() {
            Some(way) => Vectors::splat(way),
            None => Vectors::gather(joint.translations(first)),
        };
        eights[place] = match kinematics.above(place) {
            Some(above) => {
                let (turn, position) = eights[above];
                (
                    turn * rotation,
                    position + turn.turned(way.scaled(sizes[above])),
                )
            }
            None => (rotation, way),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebone_model::{Interpolation, JointTracks, Track};
    use std::sync::Arc;

    fn turns(times: &Arc<[f32]>, from: f32) -> JointTracks {
        let turn = |time: &f32| Quat::from_euler(glam::EulerRot::XYZ, from + time, 2.0 * time, 0.3);
        let values: Vec<Quat> = times.iter().map(turn).collect();
        JointTracks {
            rotation: Track::new(Interpolation::Linear, Arc::clone(times), values).ok(),
            ..JointTracks::default()
        }
    }

    /// Whatever the number of frames, what is placed together is what is placed one by one.
    #[test]
    fn frames_that_go_together_are_those_that_go_alone() {
        let place = |x: f32, size: Vec3| Transform {
            translation: Vec3::new(x, 0.5, -0.2),
            rotation: Quat::from_rotation_z(x),
            scale: size,
        };
        for (uneven, count) in [(1.0, 1), (1.0, 8), (1.0, 21), (1.5, 21)] {
            let times: Arc<[f32]> = (0..count).map(|frame| frame as f32 * 0.1).collect();
            let rig = Rig {
                parents: vec![None, Some(0), Some(1), Some(1)],
                rest: vec![
                    place(0.0, Vec3::splat(100.0)),
                    place(0.4, Vec3::new(1.0, uneven, 1.0)),
                    place(0.8, Vec3::ONE),
                    place(-0.8, Vec3::ONE),
                ],
            };
            let mut moving = turns(&times, 0.4);
            let slide = |time: &f32| Vec3::new(*time, 1.0, 0.0);
            let values: Vec<Vec3> = times.iter().map(slide).collect();
            moving.translation = Track::new(Interpolation::Linear, Arc::clone(&times), values).ok();
            let tracks = [
                JointTracks::default(),
                moving,
                turns(&times, 1.0),
                turns(&times, -2.0),
            ];
            let joints: Vec<JointFrames<'_>> = tracks
                .iter()
                .zip(&rig.rest)
                .map(|(tracks, rest)| JointFrames::new(tracks, *rest, &times))
                .collect();
            let frames = PlacedFrames::new(&rig, [2], &joints, count);
            assert_eq!(uneven == 1.0, matches!(frames.frames, Frames::Even { .. }));
            let wanted = Kinematics::new(&rig, [2]);
            let (mut alone, mut read) = (vec![Placed::ROOT; 3], vec![Placed::ROOT; 3]);
            for frame in 0..count {
                wanted.place_by(|joint| joints[joint].at(frame), &mut alone);
                frames.read(frame, &wanted, &mut read);
                for (alone, read) in alone.iter().zip(&read) {
                    let apart = alone.position().distance(read.position());
                    assert!(apart < 1e-4, "{count} {frame} {apart}");
                    assert!(alone.rotation.dot(read.rotation).abs() > 1.0 - 1e-6);
                    let stretch = alone.linear() - read.linear();
                    assert!(stretch.abs_diff_eq(glam::Mat3A::ZERO, 1e-3));
                }
            }
        }
    }
}
