//! Limits learnt from clips: a joint may do what it does there, and a little more (S3.4).
//!
//! First the middle of each ball joint's swing is found, then the ellipse around it: half-axes (B + m) and (S + m), with B and S the
//! largest |β| and |γ| around the middle and m the margin, grown by ρ = max √((β/(B+m))² + (γ/(S+m))²) where that is more than 1, so
//! that every pose of the clips is inside. Hinges and twists take the least and the most, with the margin on both sides.
//!
//! What swings further than [`WIDEST_DEGREES`] from its middle, or turns nearly all the way around, gets no limit.

use super::stage::{Built, for_joints, joint_above};
use super::{JointLimit, LimitTable, SOFT_DEGREES, WIDEST_DEGREES};
use crate::align::Alignment;
use crate::mapping::RigMap;
use crate::profile::{Part, Slot};
use glam::Quat;
use rebone_model::elementary::Elementary as _;
use rebone_model::sampling::sample_clip;
use rebone_model::{Action, Character, Clip, Remedy, Warning};

/// How much further than in the clips a joint may turn, degrees.
pub const MARGIN_DEGREES: f64 = 5.0;

/// A range of twist wider than this (degrees) is none.
const WIDEST_TWIST: f64 = 330.0;

/// What clips told.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LearntLimits {
    /// Limits of the slots that turn within some.
    pub table: LimitTable,
    /// Doubts.
    pub warnings: Vec<Warning>,
}

/// Learns limits of all slots of a rig from its clips, which say how far each joint of a slot turns.
pub fn learn(
    character: &Character,
    map: &RigMap,
    alignment: &Alignment,
    clips: &[&Clip],
) -> LearntLimits {
    let mut result = LearntLimits::default();
    let poses: Vec<Vec<Quat>> = clips
        .iter()
        .flat_map(|clip| {
            clip.key_times().into_iter().map(|time| {
                let pose = sample_clip(&character.skeleton, clip, time);
                pose.transforms()
                    .iter()
                    .map(|local| local.rotation)
                    .collect()
            })
        })
        .collect();
    if poses.is_empty() {
        result.warnings.push(Warning::new(
            "limits-unused",
            format!("\"{}\" has no clip to learn limits from", character.name),
            Remedy::new(
                "give a file with clips of the target's rig",
                &[Action::LearnLimits],
            ),
        ));
        return result;
    }
    let subject = Subject {
        character,
        map,
        alignment,
        poses: &poses,
    };
    for &slot in map.slots.keys() {
        if let Some(limit) = subject.learnt(slot) {
            let name = map.profile.info(slot).name;
            result.table.insert(name.to_owned(), limit);
        }
    }
    result
}

struct Subject<'a> {
    character: &'a Character,
    map: &'a RigMap,
    alignment: &'a Alignment,
    poses: &'a [Vec<Quat>],
}

impl Subject<'_> {
    fn learnt(&self, slot: Slot) -> Option<JointLimit> {
        let part = self.map.profile.info(slot).part;
        let hinge = matches!(part, Part::LowerArm | Part::LowerLeg);
        let mut limit = JointLimit {
            hinge,
            ..JointLimit::FREE
        };
        let seen = self.angles(slot, &limit);
        let mut ranges = ranges(&seen)?;
        if !hinge {
            limit.from = [0, 1].map(|axis| rounded(0.5 * (ranges[axis][0] + ranges[axis][1])));
            let seen = self.angles(slot, &limit);
            ranges = self::ranges(&seen)?;
            let half =
                [0, 1].map(|axis: usize| ranges[axis][1].max(-ranges[axis][0]) + MARGIN_DEGREES);
            let outside = |&[bend, side, _]: &[f64; 3]| (bend / half[0]).hypotenuse(side / half[1]);
            let grown = seen.iter().map(outside).fold(1.0, f64::max);
            for axis in [0, 1] {
                let half = outwards(half[axis] * grown);
                ranges[axis] = [-half, half];
            }
            if ranges[0][1].max(ranges[1][1]) > WIDEST_DEGREES {
                return None;
            }
        } else {
            for axis in [0, 1] {
                ranges[axis] = widened(ranges[axis]);
            }
            if ranges[0][0] < -180.0 || ranges[0][1] > 180.0 {
                return None;
            }
        }
        let twist = widened(ranges[2]);
        let is_free = twist[1] - twist[0] > WIDEST_TWIST || twist[0] < -180.0 || twist[1] > 180.0;
        Some(JointLimit {
            bend: ranges[0],
            side: ranges[1],
            twist: if is_free { [-180.0, 180.0] } else { twist },
            soft: SOFT_DEGREES,
            ..limit
        })
    }

    /// Bend, side and twist of a slot in all poses, degrees, of the slot as a whole.
    fn angles(&self, slot: Slot, limit: &JointLimit) -> Vec<[f64; 3]> {
        let skeleton = &self.character.skeleton;
        let mut seen = Vec::new();
        let joint_above = |joint| joint_above(skeleton, self.map, slot, joint);
        for_joints(self.map, slot, joint_above, |joint, above, share| {
            let built = Built::new(self.map, self.alignment, slot, &limit.share(share));
            let own = built.joint(self.alignment, joint, above);
            for pose in self.poses {
                let between = skeleton
                    .ancestors(joint)
                    .take_while(|&at| at != above)
                    .fold(Quat::IDENTITY, |below, at| pose[at] * below);
                let turn = own.before * between * pose[joint] * own.after;
                let [bend, side, twist] =
                    own.angles(turn).map(|angle| f64::from(angle).to_degrees());
                seen.push([bend, built.side() * side, twist].map(|angle| angle / share));
            }
        });
        seen
    }
}

/// Least and most of each angle.
fn ranges(seen: &[[f64; 3]]) -> Option<[[f64; 2]; 3]> {
    let first = *seen.first()?;
    let mut ranges = first.map(|angle| [angle, angle]);
    for angles in seen {
        for (range, angle) in ranges.iter_mut().zip(angles) {
            *range = [range[0].min(*angle), range[1].max(*angle)];
        }
    }
    Some(ranges)
}

fn widened([least, most]: [f64; 2]) -> [f64; 2] {
    [
        -outwards(MARGIN_DEGREES - least),
        outwards(most + MARGIN_DEGREES),
    ]
}

/// A tenth of a degree, as it is written.
fn rounded(angle: f64) -> f64 {
    (angle * 10.0).round() / 10.0
}

fn outwards(angle: f64) -> f64 {
    (angle * 10.0).ceil() / 10.0
}
