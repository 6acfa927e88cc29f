//! How a file writes a body down.

use super::generator::Generator;
use glam::{DMat3, DQuat, DVec3};
use rebone_model::axes::Axis;

/// A node above the skeleton.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Container {
    /// Local rotation.
    pub rotation: DQuat,
    /// One factor for all axes.
    pub scale: f64,
    /// Local translation, in the units of the node above.
    pub translation: DVec3,
}

/// The pose of the file's default transforms, as turns of the T-pose.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stance {
    /// How far the arms are below horizontal.
    pub arms_down_degrees: f64,
    /// Bend of the elbows, forearms forwards.
    pub elbow_degrees: f64,
    /// Turn of the hands about their own length, thumbs down.
    pub palm_degrees: f64,
    /// Bend of the knees.
    pub knee_degrees: f64,
    /// Turn of forearms and hands about their own length, thumbs down: half of it in the forearm, as in life.
    pub pronation_degrees: f64,
    /// Turn of the whole arms about their own length, thumbs down.
    pub arm_roll_degrees: f64,
    /// Turn of the legs about their own length, knees outwards; the feet stay as they are.
    pub leg_roll_degrees: f64,
}

/// Everything in which two files of one body may differ.
#[derive(Clone, Debug, PartialEq)]
pub struct Convention {
    /// Turns canonical space to the file's space.
    pub file_from_canonical: DQuat,
    /// File units a metre.
    pub units: f64,
    /// Nodes above the skeleton, outermost first. The skeleton stands in the file where it would stand
    /// without them: they are undone below.
    pub containers: Vec<Container>,
    /// The rest pose.
    pub stance: Stance,
    /// Seed of the joints' own axes; `None` for the file's axes in the T-pose.
    pub joint_axes: Option<u64>,
    /// Seed of names and order; `None` for those of the body.
    pub names: Option<u64>,
}

impl Default for Convention {
    fn default() -> Self {
        Self {
            file_from_canonical: DQuat::IDENTITY,
            units: 1.0,
            containers: Vec::new(),
            stance: Stance::default(),
            joint_axes: None,
            names: None,
        }
    }
}

/// The 24 ways to lay the body's axes along the file's.
pub fn axis_conventions() -> Vec<DQuat> {
    let mut turns = Vec::new();
    for up in Axis::ALL {
        for forward in Axis::ALL {
            let (up, forward) = (up.direction().as_dvec3(), forward.direction().as_dvec3());
            if up.dot(forward).abs() < 0.5 {
                turns.push(DQuat::from_mat3(&DMat3::from_cols(
                    up.cross(forward),
                    up,
                    forward,
                )));
            }
        }
    }
    turns
}

/// Any convention: one of 24 axes, three units, up to two containers, arms 0 to 60 degrees below horizontal
/// or hanging down, any joint axes, any names and order.
///
/// Rest poses nearer to each other than 2 degrees are taken as alike, by design. There are none here: arms
/// are lowered in steps of 3 degrees.
pub fn random_convention(generator: &mut Generator) -> Convention {
    let turns = axis_conventions();
    let units = [1.0, 100.0, 0.01][generator.below(3)];
    let mut size = 1.0;
    let containers = (0..generator.below(3))
        .map(|_| {
            let scale = [1.0, 0.01, 100.0][generator.below(3)];
            // About as far as the body is tall: single precision has no room for far more.
            let translation = generator.vector(0.5) * (units / size);
            size *= scale;
            Container {
                rotation: if generator.chance(0.5) {
                    turns[generator.below(24)]
                } else {
                    generator.rotation()
                },
                scale,
                translation,
            }
        })
        .collect();
    Convention {
        file_from_canonical: turns[generator.below(24)],
        units,
        containers,
        stance: Stance {
            arms_down_degrees: match generator.below(3) {
                0 => 0.0,
                1 => 3.0 + 3.0 * generator.below(20) as f64,
                _ => 70.0 + 6.0 * generator.below(4) as f64,
            },
            ..Stance::default()
        },
        joint_axes: generator.chance(0.8).then(|| generator.bits()),
        names: generator.chance(0.8).then(|| generator.bits()),
    }
}
