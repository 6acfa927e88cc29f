//! Root motion: the path of the hips over the ground goes to the root joint, or is taken out.
//!
//! ```text
//! M = T(g + d) · R(u, ψ) · T(−g)        root' = M · root,    c' = P⁻¹ · M⁻¹ · P · c
//! d = place of the hips − place of the hips when standing,   ψ = heading of the hips
//! ```
//!
//! | symbol | meaning |
//! |---|---|
//! | g | the hips' place when standing, its height left out; canonical, file units |
//! | d, ψ | the path, low-passed; what is not asked for (an axis, the turn) is 0 |
//! | u | up |
//! | M | the rigid motion of the ground below the character |
//! | c, P | local transform of a carried joint, and model transform of its parent before |
//!
//! The carried joints are those below the root that the motion moves (the hips, joints beside them). They lose M;
//! in `extract` the root gets it, so that their way through the world stays, and in `in-place` nobody does. ψ is
//! the twist about u of the hips' turn since the retarget pose. For an upright body that is the direction
//! that the pelvis faces; it also stands still where a lying body faces up or down.
//!
//! The low-pass is a one-pole filter y += (1 − e^(−Δt/τ)) · (x − y). One frame at a time it runs forwards and so
//! lags behind by τ. On a whole clip it runs forwards and backwards over the path and its continuation beyond both
//! ends (by odd reflection), so that nothing lags, and a straight path at constant speed stays as it is.
//!
//! Degenerate cases: hips upside down have no heading and keep the last one. Above a root whose scale differs
//! from axis to axis the turn would shear; there only the place is exact. Source: docs/laws.md,
//! "Root motion".

use super::{Frame, Operation};
use crate::check::{Checked, Sizes, ensure, within};
use crate::op::Plan;
use crate::rig::local_place;
use glam::{Affine3A, Quat, Vec3};
use rebone_model::Clamp as _;
use rebone_model::Transform;
use rebone_model::elementary::{Elementary as _, Turn as _};
use rebone_model::rotation::{normalized_or_identity, same_hemisphere, swing_twist};
use serde::{Deserialize, Serialize};

/// Takes the path over the ground out of the hips.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RootMotionStage {
    /// Target joint whose path it is.
    pub hips: usize,
    /// Target joint that gets the path; `None` takes it out.
    pub root: Option<usize>,
    /// Target joints that lose the path, none below another.
    pub carried: Vec<usize>,
    /// Turns the target's file space to canonical space (+Y up, +Z forward).
    pub canonical_from_file: Quat,
    /// Inverse of the hips' rotation in the retarget pose, canonical.
    pub hips_inverse: Quat,
    /// Place of the hips when standing, canonical, target file units.
    pub home: Vec3,
    /// Which axes of the path count: to the left, up, forwards.
    pub axes: [bool; 3],
    /// Whether the heading counts.
    pub turns: bool,
    /// Time constant of the low-pass, seconds; 0 for none.
    pub smooth_seconds: f32,
    /// Seconds from pose to pose where single poses are asked for.
    pub frame_seconds: f32,
}

/// A point of a path over the ground, against standing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RootPlace {
    /// Canonical, target file units.
    pub shift: Vec3,
    /// About up, radians; counts on beyond a full turn.
    pub heading: f32,
}

/// Numbers kept between frames: the filtered place, the filtered heading, the last heading as measured.
pub(super) const MEMORY: usize = 5;

impl RootMotionStage {
    /// The next point of the path, low-passed by what is remembered.
    fn followed(&self, frame: &mut Frame<'_>) -> RootPlace {
        let last = if frame.is_first { 0.0 } else { frame.memory[4] };
        let now = self.measure(frame.plan, frame.pose, last);
        let share = pole(self.frame_seconds, self.smooth_seconds) as f32;
        let place = if frame.is_first || share >= 1.0 {
            now
        } else {
            let before = Vec3::new(frame.memory[0], frame.memory[1], frame.memory[2]);
            RootPlace {
                shift: before + (now.shift - before) * share,
                heading: frame.memory[3] + (now.heading - frame.memory[3]) * share,
            }
        };
        let [x, y, z] = place.shift.to_array();
        frame
            .memory
            .copy_from_slice(&[x, y, z, place.heading, now.heading]);
        place
    }

    /// Where the hips of a pose are; `last` is the heading from which this one is counted on.
    pub(crate) fn measure(&self, plan: &Plan, pose: &[Transform], last: f32) -> RootPlace {
        let affine = plan.target.model_affine(pose, Some(self.hips));
        let rotation = plan.target.model_rotation(pose, Some(self.hips));
        let rotation = normalized_or_identity(rotation);
        let shift = self.canonical_from_file * Vec3::from(affine.translation) - self.home;
        let turn = self.canonical_from_file * rotation * self.hips_inverse;
        let (_, twist) = swing_twist(turn, Vec3::Y);
        let is_clear = turn.y.hypotenuse(turn.w) > 1e-3;
        let heading = if is_clear {
            // Both quaternions of a turn have the same angle, to the bit.
            let twist = same_hemisphere(twist, Quat::IDENTITY);
            let raw = 2.0 * twist.y.arc_tangent(twist.w);
            let full = std::f32::consts::TAU;
            raw + full * ((last - raw) / full).round()
        } else {
            last
        };
        RootPlace { shift, heading }
    }

    /// What of a place counts.
    pub(crate) fn chosen(&self, place: RootPlace) -> RootPlace {
        let one = |axis: usize| if self.axes[axis] { 1.0 } else { 0.0 };
        RootPlace {
            shift: place.shift * Vec3::new(one(0), one(1), one(2)),
            heading: if self.turns { place.heading } else { 0.0 },
        }
    }

    /// M in the target's file space, and its turn.
    pub(crate) fn ground(&self, place: RootPlace) -> (Affine3A, Quat) {
        let place = self.chosen(place);
        let back = self.canonical_from_file.conjugate();
        let canonical = Quat::about_y(place.heading);
        let turn = normalized_or_identity(back * canonical * self.canonical_from_file);
        let home = Vec3::new(self.home.x, 0.0, self.home.z);
        let moved = back * (home + place.shift - canonical * home);
        (Affine3A::from_rotation_translation(turn, moved), turn)
    }

    /// A path without what is quicker than the low-pass lets through, and without lag.
    pub(crate) fn smoothed(&self, times: &[f32], path: &[RootPlace]) -> Vec<RootPlace> {
        let channel = |of: fn(&RootPlace) -> f32| {
            let values: Vec<f64> = path.iter().map(|place| f64::from(of(place))).collect();
            zero_phase(times, values, f64::from(self.smooth_seconds))
        };
        let x = channel(|place| place.shift.x);
        let y = channel(|place| place.shift.y);
        let z = channel(|place| place.shift.z);
        let heading = channel(|place| place.heading);
        let point = |frame: usize| RootPlace {
            shift: Vec3::new(x[frame] as f32, y[frame] as f32, z[frame] as f32),
            heading: heading[frame] as f32,
        };
        (0..path.len()).map(point).collect()
    }
}

/// Share of the way to the new value that a one-pole filter goes in a frame.
fn pole(seconds: f32, time_constant: f32) -> f64 {
    if time_constant > 0.0 {
        1.0 - (-f64::from(seconds.max(0.0)) / f64::from(time_constant)).exponential()
    } else {
        1.0
    }
}

/// How many time constants a path is continued beyond its ends, and how often it is reflected for that at most.
const BEYOND: f64 = 10.0;
const MOST_REFLECTIONS: f64 = 64.0;
/// Keys of the continuation on either side, at most (one reflection is always made).
const MOST_KEYS: f64 = 1e6;

/// The one-pole filter, forwards and backwards.
fn zero_phase(times: &[f32], values: Vec<f64>, time_constant: f64) -> Vec<f64> {
    let last = values.len().saturating_sub(1);
    let span = f64::from(times[last] - times[0]);
    if last == 0 || span <= 0.0 || time_constant <= 0.0 {
        return values;
    }
    let length = last as i64;
    let most = (MOST_KEYS / last as f64).clamped(1.0, MOST_REFLECTIONS);
    let reflections = (BEYOND * time_constant / span).ceil().min(most.floor());
    let pad = reflections as i64 * length;
    let drift = 2.0 * (values[last] - values[0]);
    // The path and its odd reflections: time and value at any whole number.
    let at = |index: i64| {
        let (round, within) = (index.div_euclid(2 * length), index.rem_euclid(2 * length));
        let (time, value) = if within <= length {
            let key = within as usize;
            (f64::from(times[key] - times[0]), values[key])
        } else {
            let key = (2 * length - within) as usize;
            let time = 2.0 * span - f64::from(times[key] - times[0]);
            (time, 2.0 * values[last] - values[key])
        };
        let rounds = round as f64;
        (time + rounds * 2.0 * span, value + rounds * drift)
    };
    let count = (length + 1 + 2 * pad) as usize;
    let mut result: Vec<f64> = Vec::with_capacity(count);
    let mut gaps: Vec<f64> = Vec::with_capacity(count);
    let mut before = at(-pad).0;
    for index in -pad..=length + pad {
        let (time, value) = at(index);
        let share = 1.0 - (-(time - before) / time_constant).exponential();
        gaps.push(share);
        let last = result.last().copied().unwrap_or(value);
        result.push(last + (value - last) * share);
        before = time;
    }
    for index in (0..count - 1).rev() {
        let next = result[index + 1];
        result[index] = next + (result[index] - next) * gaps[index + 1];
    }
    let first = pad as usize;
    result[first..=first + last].to_vec()
}

/// Moves a joint in model space by changing its local transform alone. `turn` is the rotation of `motion`.
fn move_model(plan: &Plan, pose: &mut [Transform], joint: usize, motion: Affine3A, turn: Quat) {
    let parent = plan.target.parents[joint];
    let above = plan.target.model_affine(pose, parent);
    let above_turn = normalized_or_identity(plan.target.model_rotation(pose, parent));
    let local = &mut pose[joint];
    let place = motion.transform_point3(above.transform_point3(local.translation));
    local.translation = local_place(&above, place);
    let rotation = above_turn.conjugate() * turn * above_turn * local.rotation;
    local.rotation = normalized_or_identity(rotation);
}

impl Operation for RootMotionStage {
    fn joints(&self) -> Vec<usize> {
        let root = self.root.iter().copied();
        root.chain(self.carried.iter().copied()).collect()
    }

    fn apply(&self, frame: &mut Frame<'_>) {
        let place = match frame.given.place {
            Some(place) => place,
            None => self.followed(frame),
        };
        let (ground, turn) = self.ground(place);
        let (back, turned_back) = (ground.inverse(), turn.conjugate());
        for &joint in &self.carried {
            move_model(frame.plan, frame.pose, joint, back, turned_back);
        }
        if let Some(root) = self.root {
            move_model(frame.plan, frame.pose, root, ground, turn);
        }
    }

    fn check(&self, sizes: Sizes) -> Checked {
        let carried = self.carried.iter().copied();
        within(carried.chain(self.root).chain([self.hips]), sizes.target)?;
        ensure(
            self.smooth_seconds >= 0.0 && self.frame_seconds >= 0.0,
            "a time of the root motion is negative",
        )
    }

    fn memory(&self) -> usize {
        MEMORY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(count: usize) -> Vec<f32> {
        // Not regular: every third key is late.
        let late = |key: usize| if key % 3 == 1 { 0.006 } else { 0.0 };
        (0..count)
            .map(|key| key as f32 / 60.0 + late(key))
            .collect()
    }

    #[test]
    fn what_goes_straight_at_constant_speed_stays() {
        for seconds in [0.05, 0.25, 1.0] {
            let times: Vec<f32> = (0..120).map(|key| key as f32 / 60.0).collect();
            let values: Vec<f64> = times.iter().map(|&t| 3.0 + 1.4 * f64::from(t)).collect();
            let made = zero_phase(&times, values.clone(), seconds);
            for (a, b) in made.iter().zip(&values) {
                assert!((a - b).abs() < 1e-4, "{seconds}: {a} {b}");
            }
        }
    }

    #[test]
    fn sway_is_damped_and_nothing_lags() {
        let times = times(600);
        let sway = |t: f32| (std::f64::consts::TAU * f64::from(t)).sin();
        let values: Vec<f64> = times.iter().map(|&t| sway(t)).collect();
        let made = zero_phase(&times, values, 0.25);
        // Twice a one-pole filter: 1 / (1 + (2π · 0.25)²).
        let wanted = 1.0 / (1.0 + (0.25 * std::f64::consts::TAU).powi(2));
        for (time, value) in times.iter().zip(&made).take(500).skip(100) {
            let off = (value - wanted * sway(*time)).abs();
            assert!(off < 0.01, "{off} at {time}");
        }
    }

    #[test]
    fn odd_clips_do_not_trip_it() {
        assert_eq!(zero_phase(&[0.0], vec![2.0], 0.3), [2.0]);
        assert_eq!(zero_phase(&[1.0, 1.0], vec![2.0, 3.0], 0.3), [2.0, 3.0]);
        let short = zero_phase(&[0.0, 1e-6], vec![0.0, 1.0], 10.0);
        assert!(short.iter().all(|value| value.is_finite()));
    }
}
