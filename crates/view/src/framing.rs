//! How large actors are drawn, and which part of the image plane their cells show.
//!
//! Cameras of all cells have one focal length. With true sizes they stand at one distance, so that a
//! metre is equally long for all; with equal heights each stands at a distance in proportion to its
//! actor. Every row is a window of one height, so that its cells share a floor line.

use crate::camera::Eye;
use crate::cell::ARROW;
use crate::options::{Heights, Look};
use crate::stage::{Posed, Stage};
use glam::{Vec2, Vec2Swizzles as _, Vec3, Vec3A};

/// Camera distance in heights of the body.
const DISTANCE: f32 = 7.0;
/// Border around the body, as a share of its height.
const BORDER: f32 = 0.055;
/// Heights differ by more than this: automatic sizes become equal.
const LARGEST_RATIO: f32 = 3.0;

/// Border around the part of a close-up, as a share of its size.
const CLOSE_BORDER: f32 = 0.12;
/// The smallest part that a close-up shows, as a share of the body's height: about a hand without fingers.
const SMALLEST_PART: f32 = 0.11;
/// A part whose middle stays below this is seen at one height, so that its way to the floor shows; in heights.
const NEAR_FLOOR: f32 = 0.2;

/// How the cells of one actor are seen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Framing {
    /// Downward tilt of the camera, degrees.
    pitch_degrees: f32,
    /// Height of the point that the camera looks at; `None`: that of the close-up's part.
    target_height: Option<f32>,
    distance: f32,
    /// Where the camera looks, if it does not follow.
    fixed_target: Option<Vec3>,
    /// How far the body goes from there.
    pub(crate) travel: f32,
    /// Size of what is seen, metres; lines on the floor go by it.
    pub(crate) scale: f32,
    /// Only a part of the body is framed.
    pub(crate) is_close: bool,
    /// Extent in the image plane at focal length 1, y down.
    low: Vec2,
    high: Vec2,
    /// Pixels per tangent.
    pub(crate) focal: f32,
}

impl Framing {
    fn new(
        stage: &Stage<'_>,
        times: &[Option<f32>],
        look: &Look,
        angles: &[f32],
        reference: f32,
        posed: &mut Posed,
    ) -> Self {
        let is_close = stage.close_up.is_some();
        let mut framing = Self {
            pitch_degrees: look.view.pitch_degrees(),
            target_height: (!is_close).then_some(0.5 * reference),
            distance: DISTANCE * reference,
            fixed_target: None,
            travel: 0.0,
            scale: stage.height,
            is_close,
            low: Vec2::INFINITY,
            high: Vec2::NEG_INFINITY,
            focal: 1.0,
        };
        let mut low = Vec3::INFINITY;
        let mut high = Vec3::NEG_INFINITY;
        for &time in times {
            stage.pose(time, posed);
            let target = framing.target(stage, posed);
            low = low.min(target);
            high = high.max(target);
        }
        if is_close && high.y < NEAR_FLOOR * stage.height {
            framing.target_height = Some(0.5 * (low.y + high.y));
        }
        if !look.follow && low.is_finite() && high.is_finite() {
            framing.fixed_target = Some((low + high) * 0.5);
            framing.travel = (high - low).length() * 0.5;
            framing.distance += 2.5 * framing.travel;
        }
        for &angle in angles {
            let eye_at = |posed: &Posed| framing.bare_eye(angle, framing.target(stage, posed));
            let (low, high) = stage.window(times, posed, eye_at);
            framing.low = framing.low.min(low);
            framing.high = framing.high.max(high);
            if !is_close {
                let arrow = Vec3A::new(0.0, 0.0, ARROW[0].y * stage.height);
                let above = Vec3::Y * framing.target_height.unwrap_or_default();
                let tip = framing.bare_eye(angle, above).project(arrow);
                let tip = tip.unwrap_or_default().truncate();
                framing.low = framing.low.min(tip);
                framing.high = framing.high.max(tip);
            }
        }
        framing.add_border(stage);
        framing
    }

    /// Widens the window by its border, and by what it lacks of the smallest window.
    fn add_border(&mut self, stage: &Stage<'_>) {
        let border = if self.is_close {
            CLOSE_BORDER * self.size().max_element()
        } else {
            BORDER * stage.height / self.distance
        };
        let smallest = if self.is_close {
            Vec2::splat(SMALLEST_PART * stage.height / self.distance)
        } else {
            Vec2::new(0.5 * stage.height / self.distance - 2.0 * border, 0.0)
        };
        let smallest = smallest.max(0.5 * self.size().yx() * f32::from(self.is_close));
        let missing = (smallest - self.size()).max(Vec2::ZERO);
        self.low -= 0.5 * missing + border;
        self.high += 0.5 * missing + border;
        if self.is_close {
            let seen = self.size().max_element() * self.distance;
            self.scale = seen.min(stage.height);
        }
    }

    /// Width and height of the window, tangents.
    pub(crate) fn size(&self) -> Vec2 {
        self.high - self.low
    }

    /// Where the camera looks while the actor is posed so.
    pub(crate) fn target(&self, stage: &Stage<'_>, posed: &Posed) -> Vec3 {
        if let Some(target) = self.fixed_target {
            return target;
        }
        let pivot = || stage.pivot(posed);
        let middle = || stage.middle(posed).unwrap_or_else(pivot);
        let mut target = if self.is_close { middle() } else { pivot() };
        if let Some(height) = self.target_height {
            target.y = height;
        }
        target
    }

    fn bare_eye(&self, angle_degrees: f32, target: Vec3) -> Eye {
        Eye::new(angle_degrees, self.pitch_degrees, target, self.distance)
    }

    /// The camera of a cell `width` pixels wide that looks at a target.
    pub(crate) fn eye(&self, angle_degrees: f32, target: Vec3, width: usize) -> Eye {
        let mut eye = self.bare_eye(angle_degrees, target);
        eye.focal = self.focal;
        let middle = 0.5 * (self.low.x + self.high.x);
        eye.center = Vec2::new(
            0.5 * width as f32 - middle * self.focal,
            -self.low.y * self.focal,
        );
        eye
    }

    /// Row of the cell in which the floor under the body is; `None` if it is not one row.
    pub(crate) fn floor_row(&self) -> Option<f32> {
        let height = self.target_height.filter(|_| !self.is_close)?;
        let eye = self.eye(0.0, Vec3::Y * height, 0);
        let row = eye.project(Vec3A::ZERO)?.y;
        (self.pitch_degrees < 45.0).then_some(row)
    }
}

/// Framings of all stages with one focal length, so that the tallest window has `panel_height` pixels.
/// With `one_row` all get the same rows.
pub(crate) fn framings(
    stages: &[Stage<'_>],
    times: &[Vec<Option<f32>>],
    look: &Look,
    angles: &[f32],
    one_row: bool,
    posed: &mut Posed,
) -> Vec<Framing> {
    let tallest = stages.iter().fold(0.0f32, |all, one| all.max(one.height));
    let shortest = stages
        .iter()
        .fold(f32::INFINITY, |all, one| all.min(one.height));
    let same = match look.heights {
        Heights::Auto => tallest > LARGEST_RATIO * shortest,
        Heights::True => false,
        Heights::Same => true,
    };
    let mut framings: Vec<Framing> = stages
        .iter()
        .zip(times)
        .map(|(stage, times)| {
            let reference = if same { stage.height } else { tallest };
            Framing::new(stage, times, look, angles, reference, posed)
        })
        .collect();
    if one_row {
        let low = framings
            .iter()
            .fold(f32::INFINITY, |y, one| y.min(one.low.y));
        let high = framings
            .iter()
            .fold(f32::NEG_INFINITY, |y, one| y.max(one.high.y));
        for framing in &mut framings {
            (framing.low.y, framing.high.y) = (low, high);
        }
    }
    let window = framings
        .iter()
        .fold(0.0f32, |all, one| all.max(one.size().y));
    for framing in &mut framings {
        framing.focal = look.height() / window.max(1e-6);
    }
    framings
}
