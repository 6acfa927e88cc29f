//! Signed distances: primitives, smooth unions and cuts. Negative inside, metres.

use super::rig::mirrored;
use glam::{Quat, Vec2, Vec3};
use rebone_model::Clamp as _;

/// A solid.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape {
    /// Two spheres and the cone that touches both.
    RoundCone {
        from: Vec3,
        to: Vec3,
        from_radius: f32,
        to_radius: f32,
    },
    /// An ellipsoid; `turn` brings its own axes to model space.
    Ellipsoid {
        center: Vec3,
        radii: Vec3,
        turn: Quat,
    },
    /// A box with rounded edges; `half` includes the rounding.
    RoundBox {
        center: Vec3,
        half: Vec3,
        round: f32,
        turn: Quat,
    },
    /// Everything behind a plane.
    Behind { point: Vec3, normal: Vec3 },
    /// A stroke of a brush on the plane of X and Y, as deep as `depth` (lowest and highest Z).
    Stroke {
        from: Vec2,
        to: Vec2,
        from_radius: f32,
        to_radius: f32,
        depth: Vec2,
    },
}

/// A stroke from point to point, radius to radius; `depth` is the lowest and the highest Z.
pub(super) fn stroke(from: [f32; 2], to: [f32; 2], radii: [f32; 2], depth: [f32; 2]) -> Shape {
    Shape::Stroke {
        from: from.into(),
        to: to.into(),
        from_radius: radii[0],
        to_radius: radii[1],
        depth: depth.into(),
    }
}

/// A round cone.
pub(super) fn cone(from: Vec3, to: Vec3, from_radius: f32, to_radius: f32) -> Shape {
    Shape::RoundCone {
        from,
        to,
        from_radius,
        to_radius,
    }
}

/// An ellipsoid along the model axes.
pub(super) fn ellipsoid(center: [f32; 3], radii: [f32; 3]) -> Shape {
    turned_ellipsoid(center, radii, Quat::IDENTITY)
}

/// An ellipsoid in any direction.
pub(super) fn turned_ellipsoid(center: [f32; 3], radii: [f32; 3], turn: Quat) -> Shape {
    Shape::Ellipsoid {
        center: center.into(),
        radii: radii.into(),
        turn,
    }
}

/// A rounded box along the model axes.
pub(super) fn round_box(center: [f32; 3], half: [f32; 3], round: f32) -> Shape {
    Shape::RoundBox {
        center: center.into(),
        half: half.into(),
        round,
        turn: Quat::IDENTITY,
    }
}

/// Everything behind a plane.
pub(super) fn behind(point: [f32; 3], normal: [f32; 3]) -> Shape {
    Shape::Behind {
        point: point.into(),
        normal: Vec3::from(normal).normalize_or_zero(),
    }
}

impl Shape {
    /// Distance of a point to the surface, negative inside. For ellipsoids an estimate that is
    /// right on the surface.
    pub(super) fn distance(&self, point: Vec3) -> f32 {
        match *self {
            Self::RoundCone {
                from,
                to,
                from_radius,
                to_radius,
            } => {
                let axis = to - from;
                let along =
                    ((point - from).dot(axis) / axis.length_squared().max(1e-12)).clamped(0.0, 1.0);
                let radius = from_radius + (to_radius - from_radius) * along;
                (point - from - axis * along).length() - radius
            }
            Self::Ellipsoid {
                center,
                radii,
                turn,
            } => {
                let local = turn.conjugate() * (point - center);
                let unit = (local / radii).length();
                let slope = (local / (radii * radii)).length();
                if slope < 1e-6 {
                    -radii.min_element()
                } else {
                    unit * (unit - 1.0) / slope
                }
            }
            Self::RoundBox {
                center,
                half,
                round,
                turn,
            } => {
                let local = (turn.conjugate() * (point - center)).abs() - (half - round);
                local.max(Vec3::ZERO).length() + local.max_element().min(0.0) - round
            }
            Self::Behind { point: on, normal } => (point - on).dot(normal),
            Self::Stroke {
                from,
                to,
                from_radius,
                to_radius,
                depth,
            } => {
                let flat = cone(from.extend(0.0), to.extend(0.0), from_radius, to_radius);
                let drawn = flat.distance(point.truncate().extend(0.0));
                drawn.max(depth.x - point.z).max(point.z - depth.y)
            }
        }
    }

    /// The same solid on the other side.
    pub(super) fn mirrored(self) -> Self {
        let turned = |turn: Quat| Quat::from_xyzw(turn.x, -turn.y, -turn.z, turn.w);
        match self {
            Self::RoundCone {
                from,
                to,
                from_radius,
                to_radius,
            } => cone(mirrored(from), mirrored(to), from_radius, to_radius),
            Self::Ellipsoid {
                center,
                radii,
                turn,
            } => Self::Ellipsoid {
                center: mirrored(center),
                radii,
                turn: turned(turn),
            },
            Self::RoundBox {
                center,
                half,
                round,
                turn,
            } => Self::RoundBox {
                center: mirrored(center),
                half,
                round,
                turn: turned(turn),
            },
            Self::Behind { point, normal } => Self::Behind {
                point: mirrored(point),
                normal: mirrored(normal),
            },
            Self::Stroke {
                from,
                to,
                from_radius,
                to_radius,
                depth,
            } => Self::Stroke {
                from: Vec2::new(-from.x, from.y),
                to: Vec2::new(-to.x, to.y),
                from_radius,
                to_radius,
                depth,
            },
        }
    }

    /// Lowest and highest corner of a box around the solid; `None` where it is endless.
    pub(super) fn bounds(&self) -> Option<(Vec3, Vec3)> {
        match *self {
            Self::RoundCone {
                from,
                to,
                from_radius,
                to_radius,
            } => Some((
                (from - from_radius).min(to - to_radius),
                (from + from_radius).max(to + to_radius),
            )),
            Self::Ellipsoid { center, radii, .. } => {
                let reach = radii.max_element();
                Some((center - reach, center + reach))
            }
            Self::RoundBox { center, half, .. } => {
                let reach = half.length();
                Some((center - reach, center + reach))
            }
            Self::Behind { .. } => None,
            Self::Stroke {
                from,
                to,
                from_radius,
                to_radius,
                depth,
            } => Some((
                (from - from_radius).min(to - to_radius).extend(depth.x),
                (from + from_radius).max(to + to_radius).extend(depth.y),
            )),
        }
    }

    /// The same solid, larger by `factor` about a point.
    pub(super) fn scaled(self, about: Vec3, factor: f32) -> Self {
        let moved = |point: Vec3| about + (point - about) * factor;
        match self {
            Self::RoundCone {
                from,
                to,
                from_radius,
                to_radius,
            } => cone(
                moved(from),
                moved(to),
                from_radius * factor,
                to_radius * factor,
            ),
            Self::Ellipsoid {
                center,
                radii,
                turn,
            } => Self::Ellipsoid {
                center: moved(center),
                radii: radii * factor,
                turn,
            },
            Self::RoundBox {
                center,
                half,
                round,
                turn,
            } => Self::RoundBox {
                center: moved(center),
                half: half * factor,
                round: round * factor,
                turn,
            },
            Self::Behind { point, normal } => Self::Behind {
                point: moved(point),
                normal,
            },
            Self::Stroke {
                from,
                to,
                from_radius,
                to_radius,
                depth,
            } => Self::Stroke {
                from: moved(from.extend(0.0)).truncate(),
                to: moved(to.extend(0.0)).truncate(),
                from_radius: from_radius * factor,
                to_radius: to_radius * factor,
                depth: Vec2::new(moved(Vec3::Z * depth.x).z, moved(Vec3::Z * depth.y).z),
            },
        }
    }
}

/// Union whose crease is filled over a width of `blend`.
pub(super) fn smooth_min(a: f32, b: f32, blend: f32) -> f32 {
    if blend <= 0.0 {
        return a.min(b);
    }
    let overlap = (blend - (a - b).abs()).max(0.0) / blend;
    a.min(b) - overlap * overlap * blend * 0.25
}

/// Intersection whose edge is rounded over a width of `blend`.
pub(super) fn smooth_max(a: f32, b: f32, blend: f32) -> f32 {
    -smooth_min(-a, -b, blend)
}

/// Rises from 0 at `from` to 1 at `to` without a kink.
pub(super) fn smoothstep(from: f32, to: f32, value: f32) -> f32 {
    let unit = ((value - from) / (to - from)).clamped(0.0, 1.0);
    unit * unit * (3.0 - 2.0 * unit)
}

/// Gradient of a distance field by central differences, unit length.
pub(super) fn gradient(field: &dyn Fn(Vec3) -> f32, point: Vec3, step: f32) -> Vec3 {
    let along = |axis: Vec3| field(point + axis * step) - field(point - axis * step);
    Vec3::new(along(Vec3::X), along(Vec3::Y), along(Vec3::Z)).normalize_or(Vec3::Y)
}
