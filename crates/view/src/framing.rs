//! How large actors are drawn, and which part of the image plane their cells show.
//!
//! Cameras of all cells have one focal length. With true sizes they stand at one distance, so that a
//! metre is equally long for all; with equal heights each stands at a distance in proportion to its
//! actor. Every row is a window of one height, so that its cells share a floor line.

use crate::camera::Eye;
use crate::floor::ARROW;
use crate::options::{Heights, Look};
use crate::stage::{Posed, Stage};
use glam::{Vec2, Vec3, Vec3A};

/// Camera distance in heights of the body.
const DISTANCE: f32 = 7.0;
/// Border around the body, as a share of its height.
const BORDER: f32 = 0.055;
/// Heights differ by more than this: automatic sizes become equal.
const LARGEST_RATIO: f32 = 3.0;

/// How the cells of one actor are seen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Framing {
    /// Height of the point that the camera looks at.
    target_height: f32,
    distance: f32,
    /// Where the camera stays, where it does not follow.
    pub(crate) fixed_pivot: Option<Vec3>,
    /// How far the body goes from there.
    pub(crate) travel: f32,
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
        let mut fixed_pivot = None;
        let mut travel = 0.0f32;
        if !look.follow {
            let mut low = Vec3::INFINITY;
            let mut high = Vec3::NEG_INFINITY;
            for &time in times {
                stage.pose(time, posed);
                let pivot = stage.pivot(posed);
                low = low.min(pivot);
                high = high.max(pivot);
            }
            if low.is_finite() && high.is_finite() {
                fixed_pivot = Some((low + high) * 0.5);
                travel = (high - low).length() * 0.5;
            }
        }
        let mut framing = Self {
            target_height: 0.5 * reference,
            distance: DISTANCE * reference + 2.5 * travel,
            fixed_pivot,
            travel,
            low: Vec2::INFINITY,
            high: Vec2::NEG_INFINITY,
            focal: 1.0,
        };
        for &angle in angles {
            let eye_at = |pivot| framing.bare_eye(angle, pivot);
            let (low, high) = stage.window(times, posed, fixed_pivot, eye_at);
            let arrow = Vec3A::new(0.0, 0.0, ARROW[0].y * stage.height);
            let tip = eye_at(Vec3::ZERO).project(arrow).unwrap_or_default();
            framing.low = framing.low.min(low).min(tip.truncate());
            framing.high = framing.high.max(high).max(tip.truncate());
        }
        let border = BORDER * stage.height / framing.distance;
        framing.low -= border;
        framing.high += border;
        let missing = (0.5 * stage.height / framing.distance - framing.size().x).max(0.0);
        framing.low.x -= 0.5 * missing;
        framing.high.x += 0.5 * missing;
        framing
    }

    /// Width and height of the window, tangents.
    pub(crate) fn size(&self) -> Vec2 {
        self.high - self.low
    }

    fn bare_eye(&self, angle_degrees: f32, pivot: Vec3) -> Eye {
        let target = pivot + Vec3::Y * self.target_height;
        Eye::new(angle_degrees, target, self.distance)
    }

    /// The camera of a cell `width` pixels wide over a pivot.
    pub(crate) fn eye(&self, angle_degrees: f32, pivot: Vec3, width: usize) -> Eye {
        let mut eye = self.bare_eye(angle_degrees, pivot);
        eye.focal = self.focal;
        let middle = 0.5 * (self.low.x + self.high.x);
        eye.center = Vec2::new(
            0.5 * width as f32 - middle * self.focal,
            -self.low.y * self.focal,
        );
        eye
    }

    /// Row of the cell in which the floor under the pivot is.
    pub(crate) fn floor_row(&self) -> f32 {
        let eye = self.eye(0.0, Vec3::ZERO, 0);
        eye.project(Vec3A::ZERO).unwrap_or_default().y
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
        framing.focal = look.panel_height as f32 / window.max(1e-6);
    }
    framings
}
