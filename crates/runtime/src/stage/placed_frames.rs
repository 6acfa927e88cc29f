//! Joints in model space at every time of a clip: placed once, for all who look at them.
//!
//! Eight frames go together, with the bits of [`Placed`].

use super::kinematics::{Kinematics, Placed, Shape, even_size};
use super::sight::{Sight, View};
use crate::lanes::{Kernel, WIDTH};
use crate::placed_lanes::PlacedLanes;
use crate::rig::Rig;
use crate::sources::{FramesFrom, Sources as _};
use rebone_model::Transform;
use rebone_model::joint_frames::JointFrames;

/// Some joints of a rig at every time of a clip.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlacedFrames {
    pub(crate) sight: Sight,
    shapes: Shapes,
}

/// What joints make of lengths.
#[derive(Clone, Debug)]
enum Shapes {
    /// Each the same in all frames.
    Still(Vec<f32>),
    /// Frame by frame.
    Any(Vec<Shape>),
}

impl Default for Shapes {
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
        let kinematics = Kinematics::new(rig, wanted);
        let mut sight = Sight::new(&kinematics, joints.len(), WIDTH);
        sight.reserve(count);
        let shapes = sizes(&kinematics, joints).map_or_else(Shapes::default, Shapes::Still);
        let mut placed = Self { sight, shapes };
        Place {
            kinematics: &kinematics,
            joints,
            count,
            placed: &mut placed,
        }
        .run_widest();
        placed
    }

    /// One joint in one frame.
    ///
    /// # Panics
    /// Where there is no such frame.
    #[inline]
    pub(crate) fn at(&self, joint: usize, frame: usize) -> Placed {
        let (rotation, position) = self.sight.at(joint, frame);
        let shape = match &self.shapes {
            Shapes::Still(sizes) => Shape::Even(sizes[self.sight.place(joint)]),
            Shapes::Any(shapes) => shapes[self.sight.index(joint, frame)],
        };
        Placed::new(rotation, position, shape)
    }

    /// What a stage looks at in a frame.
    pub(crate) fn view<'a>(&'a self, frame: usize, wanted: &'a Kinematics) -> View<'a> {
        self.sight.view(frame, wanted)
    }

    /// What [`Kinematics::place`] says of a frame.
    #[inline]
    pub(crate) fn read(&self, frame: usize, wanted: &Kinematics, placed: &mut [Placed]) {
        for (placed, joint) in placed.iter_mut().zip(wanted.joints()) {
            *placed = self.at(joint, frame);
        }
    }
}

/// What a stage knows of model space before it looks at the pose.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sights<'a> {
    /// The source's joints, and the frame.
    pub(crate) source: (&'a Sight, usize),
    /// The target's joints as they were transferred, until a stage changes them.
    pub(crate) target: Option<(&'a PlacedFrames, usize)>,
}

impl<'a> Sights<'a> {
    /// The joints of the source that a stage looks at.
    pub(super) fn source(&self, wanted: &'a Kinematics) -> View<'a> {
        let (sight, frame) = self.source;
        sight.view(frame, wanted)
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

/// So many frames to be placed, eight at a time.
struct Place<'a> {
    kinematics: &'a Kinematics,
    joints: &'a [JointFrames<'a>],
    count: usize,
    placed: &'a mut PlacedFrames,
}

impl Kernel for Place<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let (kinematics, joints) = (self.kinematics, self.joints);
        let root = PlacedLanes::<WIDTH>::root();
        let mut eights = vec![root; kinematics.len()];
        for first in (0..self.count).step_by(WIDTH) {
            let frames = FramesFrom { joints, first };
            for place in 0..kinematics.len() {
                let (before, own) = eights.split_at_mut(place);
                let above = kinematics
                    .above(place)
                    .map_or(&root, |above| &before[above]);
                own[0].put_below(above, &frames.local(kinematics.joint(place)));
            }
            for joint in &eights {
                let sight = &mut self.placed.sight;
                sight.push(joint.rotation.scattered(), joint.position.scattered());
                if let Shapes::Any(shapes) = &mut self.placed.shapes {
                    shapes.extend((0..WIDTH).map(|lane| joint.shape(lane)));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Quat, Vec3};
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
            assert_eq!(uneven == 1.0, matches!(frames.shapes, Shapes::Still(_)));
            let wanted = Kinematics::new(&rig, [2]);
            let (mut alone, mut read) = (vec![Placed::ROOT; 3], vec![Placed::ROOT; 3]);
            for frame in 0..count {
                wanted.place_by(|joint| joints[joint].at(frame), &mut alone);
                frames.read(frame, &wanted, &mut read);
                for (alone, read) in alone.iter().zip(&read) {
                    assert_eq!(alone, read, "{count} {frame}");
                }
            }
        }
    }
}
