//! Solid shapes for bones and joints.

use super::Scene;
use glam::{Vec2, Vec3A};
use rebone_model::elementary::Elementary as _;

const AROUND: u32 = 12;
const SPHERE_RINGS: u32 = 8;
/// Place along a bone and radius there, as fractions of its length and largest radius.
const PROFILE: [(f32, f32); 5] = [
    (0.0, 0.32),
    (0.07, 0.72),
    (0.17, 1.0),
    (0.30, 0.95),
    (1.0, 0.34),
];

/// Adds a bone: thick near `from`, thin at `to`.
pub(crate) fn add_bone(scene: &mut Scene, from: Vec3A, to: Vec3A, radius: f32, paint: u16) {
    let length = (to - from).length();
    let Some(axis) = (to - from).try_normalize() else {
        return;
    };
    let (side, other) = perpendicular(axis);
    let first = scene.vertex_count();
    for (ring, &(place, thickness)) in PROFILE.iter().enumerate() {
        let before = PROFILE[ring.saturating_sub(1)];
        let after = PROFILE[(ring + 1).min(PROFILE.len() - 1)];
        let slope = (after.1 - before.1) * radius / ((after.0 - before.0) * length).max(1e-9);
        for step in 0..AROUND {
            let (sin, cos) = angle(step).sine_cosine();
            let outward = side * cos + other * sin;
            scene.add_vertex(
                from + axis * (length * place) + outward * (radius * thickness),
                outward - axis * slope,
                Vec2::ZERO,
                Vec3A::ONE,
            );
        }
    }
    add_grid(scene, first, PROFILE.len() as u32, paint);
}

/// Adds a sphere.
pub(crate) fn add_sphere(scene: &mut Scene, center: Vec3A, radius: f32, paint: u16) {
    if !center.is_finite() {
        return;
    }
    let first = scene.vertex_count();
    for ring in 0..=SPHERE_RINGS {
        let polar = std::f32::consts::PI * ring as f32 / SPHERE_RINGS as f32;
        let (ring_radius, height) = polar.sine_cosine();
        for step in 0..AROUND {
            let (sin, cos) = angle(step).sine_cosine();
            let outward = Vec3A::new(ring_radius * cos, height, -ring_radius * sin);
            scene.add_vertex(center + outward * radius, outward, Vec2::ZERO, Vec3A::ONE);
        }
    }
    // Rings run from the top down here, along the axis in a bone: the angle runs the other way.
    add_grid(scene, first, SPHERE_RINGS + 1, paint);
}

fn add_grid(scene: &mut Scene, first: u32, rings: u32, paint: u16) {
    for ring in 0..rings - 1 {
        for step in 0..AROUND {
            let a = first + ring * AROUND + step;
            let b = first + ring * AROUND + (step + 1) % AROUND;
            let (c, d) = (a + AROUND, b + AROUND);
            scene.add_triangle([a, b, c], paint);
            scene.add_triangle([b, d, c], paint);
        }
    }
}

fn angle(step: u32) -> f32 {
    std::f32::consts::TAU * step as f32 / AROUND as f32
}

/// Two unit vectors perpendicular to a unit vector and each other.
fn perpendicular(axis: Vec3A) -> (Vec3A, Vec3A) {
    let helper = if axis.y.abs() < 0.9 {
        Vec3A::Y
    } else {
        Vec3A::X
    };
    let side = axis.cross(helper).normalize_or(Vec3A::X);
    (side, axis.cross(side))
}
