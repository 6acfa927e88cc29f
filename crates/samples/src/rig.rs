//! Skeletons from tables: a row a joint, with `*` in the name where both sides have one.

use glam::{Affine3A, Mat3, Quat, Vec3};
use rebone_model::{JointKind, NewJoint, Skeleton, SkeletonBuilder, Transform};

/// Where the second local axis of a joint points in the rest pose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hint {
    /// +Z of model space.
    Forward,
    /// +Y of model space.
    Up,
    /// -Y of model space.
    Down,
    /// The local axes are those of model space.
    Model,
}

/// One joint, or one on each side where its name holds a `*`; positions are those of the left one.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) parent: String,
    /// Model space, metres.
    pub(super) at: Vec3,
    pub(super) hint: Hint,
    /// Where a leaf ends, model space.
    pub(super) end: Option<Vec3>,
}

/// A row of a constant table: name, parent, position, hint.
pub(super) type TableRow = (&'static str, &'static str, [f32; 3], Hint);

/// Rows from a constant table.
pub(super) fn rows(table: &[TableRow]) -> Vec<Row> {
    table
        .iter()
        .map(|&(name, parent, at, hint)| Row {
            name: name.to_owned(),
            parent: parent.to_owned(),
            at: at.into(),
            hint,
            end: None,
        })
        .collect()
}

/// Which local axis lies along the joint, and what the other side does with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AxisRule {
    /// +Y points to the child on both sides, Z to the hint (Mixamo).
    AlongY,
    /// X lies along the joint, towards the child on the left and away from it on the right; for the
    /// legs it is the other way round. The right axes are the left ones point-mirrored (Unreal).
    AlongX,
    /// No joint is turned (VRM 1.0).
    Model,
}

/// Naming and axes of a rig.
#[derive(Clone, Copy, Debug)]
pub(super) struct Convention {
    /// What `*` stands for on the left and on the right.
    pub(super) sides: [&'static str; 2],
    pub(super) axes: AxisRule,
}

/// A skeleton with its rest pose in model space.
#[derive(Clone, Debug)]
pub(super) struct Rig {
    pub(super) skeleton: Skeleton,
    pub(super) positions: Vec<Vec3>,
    pub(super) rotations: Vec<Quat>,
    pub(super) sides: [&'static str; 2],
}

struct Placed {
    name: String,
    parent: String,
    at: Vec3,
    end: Option<Vec3>,
    rotation: Quat,
}

impl Rig {
    /// The joint of this name. The tables are constants, so a missing name is a slip in them; the
    /// tests of this module find it, and the first joint stands in.
    pub(super) fn joint(&self, name: &str) -> usize {
        let found = self.skeleton.joints().iter().position(|j| j.name == name);
        debug_assert!(found.is_some(), "the rig has no joint {name}");
        found.unwrap_or(0)
    }

    /// Rest position of the joint of this name, model space.
    pub(super) fn at(&self, name: &str) -> Vec3 {
        self.positions[self.joint(name)]
    }

    /// Joint space from model space in the rest pose, for every joint.
    pub(super) fn inverse_bind(&self) -> Vec<Affine3A> {
        self.rotations
            .iter()
            .zip(&self.positions)
            .map(|(&rotation, &at)| Affine3A::from_rotation_translation(rotation, at).inverse())
            .collect()
    }
}

/// A name with its `*` replaced.
pub(super) fn on_side(pattern: &str, side: &str) -> String {
    pattern.replace('*', side)
}

/// The point or direction on the other side.
pub(super) fn mirrored(vector: Vec3) -> Vec3 {
    Vec3::new(-vector.x, vector.y, vector.z)
}

/// The rig of a table: first the rows without `*`, then the left ones, then the right ones.
pub(super) fn build(table: &[Row], convention: Convention) -> Rig {
    let frames: Vec<Mat3> = table
        .iter()
        .map(|row| frame(table, row, convention.axes))
        .collect();
    let mut placed: Vec<Placed> = Vec::new();
    for side in [None, Some(0), Some(1)] {
        for (row, frame) in table.iter().zip(&frames) {
            if row.name.contains('*') != side.is_some() {
                continue;
            }
            let text = side.map_or("", |side: usize| convention.sides[side]);
            let right = side == Some(1);
            let place = |point: Vec3| if right { mirrored(point) } else { point };
            let frame = if right {
                mirrored_frame(frame, convention.axes)
            } else {
                *frame
            };
            placed.push(Placed {
                name: on_side(&row.name, text),
                parent: on_side(&row.parent, text),
                at: place(row.at),
                end: row.end.map(place),
                rotation: Quat::from_mat3(&frame),
            });
        }
    }
    skeleton_of(&placed, convention)
}

fn skeleton_of(placed: &[Placed], convention: Convention) -> Rig {
    let index_of = |name: &str| placed.iter().position(|joint| joint.name == name);
    let mut builder = SkeletonBuilder::new();
    for joint in placed {
        let parent = index_of(&joint.parent);
        debug_assert!(parent.is_some() || joint.parent.is_empty());
        let (rotation, origin) = parent.map_or((Quat::IDENTITY, Vec3::ZERO), |parent| {
            (placed[parent].rotation, placed[parent].at)
        });
        let parent_from_model = rotation.conjugate();
        let rest = Transform {
            translation: rounded(parent_from_model * (joint.at - origin)),
            rotation: parent_from_model * joint.rotation,
            scale: Vec3::ONE,
        };
        let mut new_joint = NewJoint::new(&joint.name, parent, rest);
        new_joint.kind = JointKind::Joint;
        new_joint.end = joint
            .end
            .map(|end| rounded(joint.rotation.conjugate() * (end - joint.at)));
        builder.add(new_joint);
    }
    let skeleton = builder.build().map_or_else(
        |error| {
            debug_assert!(false, "{error}");
            Skeleton::default()
        },
        |(skeleton, _)| skeleton,
    );
    let model = rebone_model::kinematics::model_pose(&skeleton, &skeleton.rest_pose());
    Rig {
        positions: (0..skeleton.len())
            .map(|joint| model.position(joint))
            .collect(),
        rotations: model.rotations().to_vec(),
        skeleton,
        sides: convention.sides,
    }
}

/// Micrometres: keeps the files free of noise.
fn rounded(vector: Vec3) -> Vec3 {
    (vector * 1e6).round() / 1e6 + Vec3::ZERO
}

/// Direction of a row's joint: to its first child in the table, else to its end, else its parent's.
fn direction(table: &[Row], row: &Row) -> Vec3 {
    if let Some(child) = table.iter().find(|child| child.parent == row.name) {
        return (child.at - row.at).normalize_or_zero();
    }
    if let Some(end) = row.end {
        return (end - row.at).normalize_or_zero();
    }
    table
        .iter()
        .find(|parent| parent.name == row.parent)
        .map_or(Vec3::Y, |parent| direction(table, parent))
}

fn frame(table: &[Row], row: &Row, axes: AxisRule) -> Mat3 {
    let toward = match row.hint {
        Hint::Forward => Vec3::Z,
        Hint::Up => Vec3::Y,
        Hint::Down => Vec3::NEG_Y,
        Hint::Model => return Mat3::IDENTITY,
    };
    let along = direction(table, row);
    let toward = toward.reject_from(along).normalize_or_zero();
    match axes {
        AxisRule::AlongY => Mat3::from_cols(along.cross(toward), along, toward),
        AxisRule::AlongX => {
            let points_down = along.y < -0.9 || row.hint == Hint::Up;
            let x = if points_down { -along } else { along };
            Mat3::from_cols(x, toward, x.cross(toward))
        }
        AxisRule::Model => Mat3::IDENTITY,
    }
}

fn mirrored_frame(frame: &Mat3, axes: AxisRule) -> Mat3 {
    let [x, y, z] = [frame.x_axis, frame.y_axis, frame.z_axis].map(mirrored);
    match axes {
        AxisRule::AlongY => Mat3::from_cols(-x, y, z),
        AxisRule::AlongX if *frame != Mat3::IDENTITY => Mat3::from_cols(-x, -y, -z),
        AxisRule::AlongX | AxisRule::Model => Mat3::IDENTITY,
    }
}
