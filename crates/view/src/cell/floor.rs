//! The floor of a cell: grid lines, facing arrow and shadows, fading out around the body.

use super::Cell;
use crate::camera::Eye;
use crate::color::{Theme, Transfer};
use crate::shadow::Shadows;
use glam::{Vec2, Vec3, Vec3A};
use rebone_model::Clamp as _;
use rebone_model::elementary::Elementary as _;

/// A floor seen from one eye.
pub(crate) struct Floor<'a> {
    eye: &'a Eye,
    shadows: &'a Shadows,
    pivot: Vec3,
    /// Distance from the pivot at which the grid has vanished, metres.
    radius: f32,
    spacing: f32,
    height: f32,
    width: f32,
    line: Vec3A,
    arrow: Vec3A,
    depth: f32,
    shows_lines: bool,
    shows_arrow: bool,
}

/// What does not change along a row of pixels.
pub(crate) struct FloorRow {
    start: Vec3A,
    step: Vec3A,
    /// Metres of floor a pixel covers along X and along Z.
    footprint: Vec2,
    /// First pixel and the one after the last on which the floor can be seen.
    pub(crate) first: usize,
    pub(crate) after: usize,
}

/// Distance between grid lines, metres: 0.5 for people, in the same proportion for others.
pub(crate) fn grid_spacing(height: f32) -> f32 {
    let wanted = (height * 0.29).max(1e-6);
    let decade = 10f32.power(wanted.decimal_logarithm().floor());
    [1.0, 2.5, 5.0, 10.0]
        .map(|step| step * decade)
        .into_iter()
        .min_by(|a, b| {
            let distance = |step: &f32| (step / wanted).logarithm().abs();
            distance(a).total_cmp(&distance(b))
        })
        .unwrap_or(0.5)
}

/// Distance from the pivot at which the grid has vanished, metres.
pub(crate) fn grid_radius(height: f32) -> f32 {
    1.35 * height
}

/// Corners of the facing arrow's right half for a body of height 1, (x, z): tip, wing, notch.
pub(crate) const ARROW: [Vec2; 3] = [
    Vec2::new(0.0, 0.52),
    Vec2::new(0.062, 0.34),
    Vec2::new(0.0, 0.385),
];

impl<'a> Floor<'a> {
    pub(crate) fn new(
        cell: &'a Cell<'_>,
        shadows: &'a Shadows,
        theme: &Theme,
        transfer: &Transfer,
    ) -> Self {
        let height = cell.stage.height;
        Self {
            eye: &cell.eye,
            shadows,
            pivot: cell.pivot,
            radius: grid_radius(height) + cell.travel,
            spacing: grid_spacing(cell.scale),
            height,
            width: cell.width as f32,
            line: transfer.linear3(theme.line),
            arrow: transfer.linear3(theme.arrow),
            depth: theme.shadow,
            shows_lines: cell.lines,
            shows_arrow: cell.arrow,
        }
    }

    /// The row of pixels `y`; `None` where it sees no floor.
    pub(crate) fn row(&self, y: usize, width: usize) -> Option<FloorRow> {
        let (start, step) = self.meet(y as f32 + 0.5)?;
        let (below, _) = self.meet(y as f32 + 1.5)?;
        let down = below - start;
        let footprint = Vec2::new(step.x.abs() + down.x.abs(), step.z.abs() + down.z.abs());
        // Where the row enters and leaves the circle around the pivot.
        let offset = Vec2::new(start.x - self.pivot.x, start.z - self.pivot.z);
        let along = Vec2::new(step.x, step.z);
        let (a, b) = (along.length_squared(), offset.dot(along));
        let inside = b * b - a * (offset.length_squared() - self.radius * self.radius);
        if !(inside > 0.0 && a > 0.0) {
            return None;
        }
        let half = inside.sqrt();
        let first = ((-b - half) / a).floor().max(0.0) as usize;
        let after = (((-b + half) / a).ceil().max(0.0) as usize).min(width);
        (first < after).then_some(FloorRow {
            start,
            step,
            footprint,
            first,
            after,
        })
    }

    /// Floor point of the middle of the leftmost pixel of a row, and the step to the next.
    fn meet(&self, y: f32) -> Option<(Vec3A, Vec3A)> {
        let eye = self.eye;
        let ray = eye.forward * eye.focal - eye.up * (y - eye.center.y)
            + eye.right * (0.5 - eye.center.x);
        let distance = -eye.position.y / ray.y;
        if !(ray.y < 0.0 && distance.is_finite() && distance > 0.0) {
            return None;
        }
        Some((eye.position + ray * distance, eye.right * distance))
    }

    /// Colour (times alpha) and alpha of the floor's marks at a pixel.
    #[inline]
    pub(crate) fn at(&self, row: &FloorRow, x: usize) -> (Vec3A, f32) {
        let point = row.start + row.step * x as f32;
        let offset = Vec2::new(point.x - self.pivot.x, point.z - self.pivot.z);
        let distance = offset.length() / self.radius;
        let edge = (x as f32 + 0.5).min(self.width - x as f32 - 0.5) / (0.16 * self.width);
        let near_edge = smooth(0.0, 1.0, edge);
        let fade = smooth(1.0, 0.25, distance) * near_edge;
        let mut color = Vec3A::ZERO;
        let mut alpha = 0.0;
        if self.shows_lines {
            let lines = self
                .line_at(point.x, row.footprint.x)
                .max(self.line_at(point.z, row.footprint.y));
            over(&mut color, &mut alpha, self.line, 0.36 * lines * fade);
            if self.shows_arrow {
                let arrow = self.arrow_at(offset, row.footprint);
                over(&mut color, &mut alpha, self.arrow, 0.82 * arrow * near_edge);
            }
        }
        let (light, contact) = self.shadows.on_floor(point);
        let shade = 1.0 - (1.0 - 0.44 * light) * (1.0 - 0.62 * contact);
        let shade = (shade * self.depth).min(0.9) * near_edge;
        over(&mut color, &mut alpha, SHADOW, shade);
        (color, alpha)
    }

    #[inline]
    fn line_at(&self, place: f32, footprint: f32) -> f32 {
        let cells = place / self.spacing;
        let distance = (cells - cells.round()).abs() * self.spacing;
        let sharp = (1.15 - distance / footprint).clamped(0.0, 1.0);
        // Where lines come closer than a few pixels they would only flicker.
        let room = self.spacing / footprint;
        sharp * ((room - 2.0) / 6.0).clamped(0.0, 1.0)
    }

    #[inline]
    fn arrow_at(&self, offset: Vec2, footprint: Vec2) -> f32 {
        let place = Vec2::new(offset.x.abs(), offset.y) / self.height;
        if place.x > 0.07 || !(0.32..0.53).contains(&place.y) {
            return 0.0;
        }
        let [tip, wing, notch] = ARROW;
        let distance = |from: Vec2, to: Vec2| {
            let along = (to - from).normalize_or_zero();
            along.perp_dot(place - from)
        };
        let inside = (-distance(tip, wing)).min(distance(notch, wing));
        let pixel = footprint.max_element() / self.height;
        (inside / pixel + 0.5).clamped(0.0, 1.0)
    }
}

const SHADOW: Vec3A = Vec3A::new(0.012, 0.016, 0.030);

#[inline]
fn over(color: &mut Vec3A, alpha: &mut f32, paint: Vec3A, share: f32) {
    *color = *color * (1.0 - share) + paint * share;
    *alpha = *alpha * (1.0 - share) + share;
}

/// 0 at `from`, 1 at `to`, smooth between.
#[inline]
fn smooth(from: f32, to: f32, value: f32) -> f32 {
    let t = ((value - from) / (to - from)).clamped(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_get_half_metres() {
        assert_eq!(grid_spacing(1.75), 0.5);
        assert_eq!(grid_spacing(1.5), 0.5);
        assert!((grid_spacing(17.5) - 5.0).abs() < 1e-4);
        assert!(grid_spacing(0.0).is_finite());
    }
}
