//! Which triangle is seen where.
//!
//! Triangles are first only entered into a grid of samples, four a pixel, with their depth; what is
//! visible is shaded afterwards, once a pixel inside a triangle and once a sample on its edges.

use glam::Vec2;

/// Samples along each side of a pixel.
pub(crate) const SAMPLES_PER_SIDE: usize = 2;
/// No triangle.
pub(crate) const NOTHING: u32 = u32::MAX;

/// The nearest triangle at every sample.
#[derive(Default)]
pub(crate) struct Samples {
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// Reciprocal depth of the nearest; 0 is infinitely far.
    pub(crate) nearness: Vec<f32>,
    pub(crate) triangle: Vec<u32>,
}

impl Samples {
    pub(crate) fn reset(&mut self, width: usize, height: usize) {
        self.width = width;
        self.height = height;
        self.nearness.clear();
        self.nearness.resize(width * height, 0.0);
        self.triangle.clear();
        self.triangle.resize(width * height, NOTHING);
    }

    /// Enters a triangle (x, y in samples) where it is nearest and `keep` agrees with its weights.
    #[inline]
    pub(crate) fn enter(
        &mut self,
        corners: [Vec2; 3],
        nearness: [f32; 3],
        id: u32,
        keep: impl Fn([f32; 3]) -> bool,
    ) {
        let (width, height) = (self.width, self.height);
        cover(corners, width, height, |at, weights| {
            let near =
                weights[0] * nearness[0] + weights[1] * nearness[1] + weights[2] * nearness[2];
            if let (Some(nearest), Some(triangle)) =
                (self.nearness.get_mut(at), self.triangle.get_mut(at))
                && near > *nearest
                && keep(weights)
            {
                *nearest = near;
                *triangle = id;
            }
        });
    }
}

/// Twice the area of a triangle, positive where its corners turn clockwise on the screen (y down).
#[inline]
pub(crate) fn doubled_area(corners: [Vec2; 3]) -> f32 {
    (corners[1] - corners[0]).perp_dot(corners[2] - corners[0])
}

/// Calls `visit` with index and barycentric weights of every grid point (at half-integers) that lies
/// in a triangle of either orientation.
#[inline]
pub(crate) fn cover(
    corners: [Vec2; 3],
    width: usize,
    height: usize,
    mut visit: impl FnMut(usize, [f32; 3]),
) {
    let [a, b, c] = corners;
    let area = doubled_area(corners);
    // The negation also refuses NaN.
    if !(area.abs() > 1e-9 && area.is_finite()) {
        return;
    }
    let low = a.min(b).min(c);
    let high = a.max(b).max(c);
    let first = |value: f32| (value - 0.5).ceil().max(0.0) as usize;
    let after = |value: f32, size: usize| ((value + 0.5).floor().max(0.0) as usize).min(size);
    let (x_first, x_after) = (first(low.x), after(high.x, width));
    let (y_first, y_after) = (first(low.y), after(high.y, height));
    if x_first >= x_after || y_first >= y_after {
        return;
    }
    let scale = 1.0 / area;
    let start = Vec2::new(x_first as f32 + 0.5, y_first as f32 + 0.5);
    let (bc, ca) = ((c - b) * scale, (a - c) * scale);
    let mut row_a = bc.perp_dot(start - b);
    let mut row_b = ca.perp_dot(start - c);
    // perp_dot(edge, point) = edge.x * point.y - edge.y * point.x
    let (step_a, step_b) = (-bc.y, -ca.y);
    for y in y_first..y_after {
        let (mut weight_a, mut weight_b) = (row_a, row_b);
        let row = y * width;
        let mut inside_before = false;
        for x in x_first..x_after {
            let weight_c = 1.0 - weight_a - weight_b;
            if weight_a >= 0.0 && weight_b >= 0.0 && weight_c >= 0.0 {
                visit(row + x, [weight_a, weight_b, weight_c]);
                inside_before = true;
            } else if inside_before {
                break;
            }
            weight_a += step_a;
            weight_b += step_b;
        }
        row_a += bc.x;
        row_b += ca.x;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LARGE: [Vec2; 3] = [
        Vec2::new(-10.0, -10.0),
        Vec2::new(40.0, -10.0),
        Vec2::new(-10.0, 40.0),
    ];

    #[test]
    fn the_nearer_triangle_wins_in_any_order() {
        let small = [
            Vec2::new(2.0, 2.0),
            Vec2::new(8.0, 2.0),
            Vec2::new(2.0, 8.0),
        ];
        for order in [[0, 1], [1, 0]] {
            let mut samples = Samples::default();
            samples.reset(10, 10);
            for id in order {
                let (corners, near) = if id == 0 { (LARGE, 0.1) } else { (small, 0.2) };
                samples.enter(corners, [near; 3], id, |_| true);
            }
            assert_eq!(samples.triangle[3 * 10 + 3], 1);
            assert_eq!(samples.triangle[9 * 10 + 9], 0);
        }
    }

    #[test]
    fn weights_are_barycentric_in_both_orientations() {
        let corners = [
            Vec2::new(1.0, 1.0),
            Vec2::new(9.0, 2.0),
            Vec2::new(3.0, 8.0),
        ];
        for corners in [corners, [corners[0], corners[2], corners[1]]] {
            let mut count = 0;
            cover(corners, 10, 10, |at, weights| {
                count += 1;
                let point = Vec2::new((at % 10) as f32 + 0.5, (at / 10) as f32 + 0.5);
                let again =
                    corners[0] * weights[0] + corners[1] * weights[1] + corners[2] * weights[2];
                assert!(again.abs_diff_eq(point, 1e-4));
            });
            let area = doubled_area(corners).abs() / 2.0;
            assert!((count as f32 - area).abs() < 5.0);
        }
    }

    #[test]
    fn degenerate_and_broken_triangles_are_ignored() {
        let mut samples = Samples::default();
        samples.reset(4, 4);
        for corners in [
            [Vec2::ONE; 3],
            [Vec2::NAN, Vec2::ZERO, Vec2::ONE],
            [Vec2::INFINITY, Vec2::ZERO, Vec2::X],
            [Vec2::splat(1e30), Vec2::ZERO, Vec2::splat(-1e30)],
        ] {
            samples.enter(corners, [1.0; 3], 0, |_| true);
        }
        samples.reset(0, 0);
        samples.enter(LARGE, [1.0; 3], 0, |_| true);
    }
}
