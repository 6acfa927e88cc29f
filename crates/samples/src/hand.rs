//! Hands: one table of fingers, sized and turned for each character.

use super::body::{Part, part};
use super::rig::{Hint, Row};
use super::sdf::cone;
use super::weights::NamedChain;
use glam::{Mat3, Vec3};

/// Where and how big the left hand is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hand<'a> {
    /// The joint of the hand, with `*` for the side.
    pub(super) joint: &'a str,
    /// Chain of the arm, which also moves the palm.
    pub(super) arm_chain: &'a str,
    /// The wrist, model space.
    pub(super) wrist: Vec3,
    /// Columns: along the fingers, back of the hand, towards the thumb.
    pub(super) axes: Mat3,
    /// 1 for a hand of 19 cm.
    pub(super) size: f32,
    /// Thickness of fingers and palm relative to the size.
    pub(super) thickness: f32,
    /// Joint names of a finger, knuckle first; `*` for the side.
    pub(super) names: fn(finger: &str, joint: usize) -> String,
    /// What the local axes of the finger joints are hinted by.
    pub(super) hint: Hint,
}

struct Finger {
    name: &'static str,
    knuckle: [f32; 3],
    direction: [f32; 3],
    lengths: [f32; 3],
    radius: f32,
}

/// In the axes of the hand, metres, for size 1. The middle finger stands first: the hand points to it.
const FINGERS: [Finger; 5] = [
    finger(
        "Middle",
        [0.092, 0.002, 0.010],
        [1.0, 0.0, 0.01],
        [0.044, 0.029, 0.024],
        0.0098,
    ),
    finger(
        "Thumb",
        [0.026, -0.010, 0.026],
        [0.72, -0.22, 0.66],
        [0.040, 0.033, 0.027],
        0.0118,
    ),
    finger(
        "Index",
        [0.090, 0.000, 0.033],
        [1.0, 0.0, 0.07],
        [0.040, 0.027, 0.023],
        0.0098,
    ),
    finger(
        "Ring",
        [0.089, 0.000, -0.013],
        [1.0, 0.0, -0.05],
        [0.041, 0.027, 0.023],
        0.0095,
    ),
    finger(
        "Pinky",
        [0.081, -0.003, -0.034],
        [1.0, 0.0, -0.12],
        [0.032, 0.021, 0.020],
        0.0086,
    ),
];

const fn finger(
    name: &'static str,
    knuckle: [f32; 3],
    direction: [f32; 3],
    lengths: [f32; 3],
    radius: f32,
) -> Finger {
    Finger {
        name,
        knuckle,
        direction,
        lengths,
        radius,
    }
}

impl Hand<'_> {
    fn point(&self, local: Vec3) -> Vec3 {
        self.wrist + self.axes * (local * self.size)
    }

    /// Knuckle, the two other joints and the tip, model space.
    fn joints_of(&self, finger: &Finger) -> [Vec3; 4] {
        let knuckle = Vec3::from(finger.knuckle);
        let direction = Vec3::from(finger.direction).normalize_or_zero();
        let [first, second, third] = finger.lengths;
        [0.0, first, first + second, first + second + third]
            .map(|along| self.point(knuckle + direction * along))
    }

    /// Rows of the rig for all finger joints.
    pub(super) fn rows(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        for finger in &FINGERS {
            let points = self.joints_of(finger);
            for joint in 0..3 {
                rows.push(Row {
                    name: (self.names)(finger.name, joint),
                    parent: match joint {
                        0 => self.joint.to_owned(),
                        _ => (self.names)(finger.name, joint - 1),
                    },
                    at: points[joint],
                    hint: self.hint,
                    end: (joint == 2).then_some(points[3]),
                });
            }
        }
        rows
    }

    /// Chains of the fingers: `thumb*` and so on.
    pub(super) fn chains(&self) -> Vec<NamedChain> {
        FINGERS
            .iter()
            .map(|finger| {
                let mut joints = vec![(self.joint.to_owned(), 0.0)];
                for (joint, width) in [0.011, 0.009, 0.008].into_iter().enumerate() {
                    joints.push(((self.names)(finger.name, joint), width * self.size));
                }
                (format!("{}*", finger.name.to_lowercase()), joints)
            })
            .collect()
    }

    /// The palm and the fingers.
    pub(super) fn parts(&self) -> Vec<Part> {
        let thick = self.size * self.thickness;
        let mut parts = Vec::new();
        let palm = [
            ([0.004, 0.0, 0.004], [0.082, 0.0, 0.026], 0.017, 0.0145),
            ([0.004, 0.0, -0.002], [0.084, 0.0, 0.004], 0.0175, 0.015),
            (
                [0.004, -0.001, -0.006],
                [0.076, -0.002, -0.022],
                0.0165,
                0.0135,
            ),
            (
                [0.012, -0.006, 0.012],
                [0.034, -0.010, 0.030],
                0.016,
                0.0145,
            ),
        ];
        for (from, to, from_radius, to_radius) in palm {
            let (from, to) = (self.point(from.into()), self.point(to.into()));
            let shape = cone(from, to, from_radius * thick, to_radius * thick);
            parts.push(part(self.arm_chain, shape, 0.016 * self.size));
        }
        for finger in &FINGERS {
            let points = self.joints_of(finger);
            let radius = finger.radius * thick;
            let chain = format!("{}*", finger.name.to_lowercase());
            for joint in 0..3 {
                let taper = |at: usize| radius * (1.08 - 0.09 * at as f32);
                // The last primitive ends at the tip, not beyond it.
                let end = match joint {
                    2 => points[3] - (points[3] - points[2]).normalize_or_zero() * taper(3),
                    _ => points[joint + 1],
                };
                let shape = cone(points[joint], end, taper(joint), taper(joint + 1));
                parts.push(part(
                    &chain,
                    shape,
                    if joint == 0 { 0.012 } else { 0.002 } * self.size,
                ));
            }
        }
        parts
    }
}
