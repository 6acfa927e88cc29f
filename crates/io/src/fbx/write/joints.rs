//! Joints of a new file, and the pose in which they were bound.

use super::channels::{wide, wide_rotation};
use super::objects::{
    Objects, UNITS_PER_METER, leaf, long, number, properties, property, vector, word,
};
use super::target::{Target, magnifications};
use crate::euler::EulerSolver;
use crate::fbx::syntax::{Node, Value};
use glam::{DAffine3, DMat3, DMat4, DVec3};
use rebone_model::axes::Axis;
use rebone_model::elementary::Elementary as _;
use rebone_model::kinematics::model_pose;
use rebone_model::{Affine3A, Character, JointKind, Skin};

/// Adds a model for each joint, in the order of the joints. Nodes above the skeleton become nulls.
pub(super) fn add_joints<'a>(objects: &mut Objects<'a>, character: &'a Character) -> Vec<Target> {
    let skeleton = &character.skeleton;
    let magnifications = magnifications(skeleton);
    let mut targets: Vec<Target> = Vec::with_capacity(skeleton.len());
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let mut target = Target::plain(0, index, skeleton, 1.0 / UNITS_PER_METER);
        target.magnification = magnifications[index];
        let channels = &mut target.channels;
        let mut angles = [0.0; 3];
        let rotation = wide_rotation(joint.rest.rotation);
        EulerSolver::new(&channels.order).solve(rotation, &mut angles);
        for (axis, angle) in channels.order.iter().zip(angles) {
            channels.rotation[*axis] = angle;
        }
        channels.translation = wide(joint.rest.translation) * UNITS_PER_METER;
        channels.scaling = wide(joint.rest.scale);
        let (kind, flags) = match joint.kind {
            JointKind::Joint => ("LimbNode", "Skeleton"),
            JointKind::Ancestor => ("Null", "Null"),
        };
        let attribute = objects.add(
            "NodeAttribute",
            &joint.name,
            "NodeAttribute",
            kind,
            vec![word("TypeFlags", flags)],
        );
        let place = [channels.translation, channels.rotation, channels.scaling];
        target.object = add_model(objects, &joint.name, kind, place);
        objects.connect(attribute, target.object, None);
        let parent = joint.parent.and_then(|parent| targets.get(parent));
        let parent = parent.map_or(0, |parent| parent.object);
        objects.connect(target.object, parent, None);
        targets.push(target);
    }
    targets
}

/// Adds a model at a translation, rotation (degrees) and scale.
pub(super) fn add_model<'a>(
    objects: &mut Objects<'a>,
    name: &'a str,
    kind: &'static str,
    [translation, rotation, scaling]: [DVec3; 3],
) -> i64 {
    let lcl = |name, value: DVec3| vector(name, name, "A", value.to_array());
    let lines = vec![
        // The parent's scale reaches children the ordinary way.
        property("InheritType", "enum", "", "", [Value::Int(1)]),
        vector("ScalingMax", "Vector3D", "", [0.0; 3]),
        property(
            "DefaultAttributeIndex",
            "int",
            "Integer",
            "",
            [Value::Int(0)],
        ),
        lcl("Lcl Translation", translation),
        lcl("Lcl Rotation", rotation),
        lcl("Lcl Scaling", scaling),
    ];
    objects.add(
        "Model",
        name,
        "Model",
        kind,
        vec![
            number("Version", 232),
            properties(lines),
            leaf("Shading", Value::Bool(true)),
            word("Culling", "CullingOff"),
        ],
    )
}

/// Sixteen numbers, column by column, lengths in the file's unit.
pub(super) fn matrix(affine: DAffine3) -> Value<'static> {
    let mut affine = affine;
    affine.translation *= UNITS_PER_METER;
    Value::Doubles(DMat4::from(affine).to_cols_array().to_vec())
}

/// The inverse, where there is a finite one.
pub(super) fn inverse(affine: &Affine3A) -> Option<DAffine3> {
    let affine = affine.as_daffine3();
    let inverse = affine.inverse();
    (affine.is_finite() && affine.matrix3.determinant() != 0.0 && inverse.is_finite())
        .then_some(inverse)
}

/// Where a skin's meshes lay when they were bound, as far as that follows: turned by quarter turns and
/// scaled so that the skin's topmost joint is bound about as it rests.
///
/// Meshes have any axes and unit, as long as the skin undoes them. But programs that show the pose in
/// which a skin was bound (Blender, Unreal) show it lying or a hundred times too large if this is ignored.
pub(super) fn mesh_placements(character: &Character) -> Vec<DAffine3> {
    let skeleton = &character.skeleton;
    let rest = model_pose(skeleton, &skeleton.rest_pose());
    let placement = |skin: &Skin| -> Option<DAffine3> {
        let slots = skin.joints.iter().zip(&skin.inverse_bind);
        let (&joint, inverse_bind) = slots.min_by_key(|(joint, _)| **joint)?;
        let placed = (rest.model_from_joint(joint) * *inverse_bind).as_daffine3();
        let size = placed.matrix3.determinant().cube_root();
        if !(size.is_finite() && size > 1e-9) {
            return None;
        }
        let axis = |column: DVec3| Axis::nearest(column.as_vec3()).direction().as_dvec3();
        let (x, y) = (axis(placed.matrix3.x_axis), axis(placed.matrix3.y_axis));
        if x.dot(y) != 0.0 {
            return None;
        }
        let size = if (size - 1.0).abs() < 0.01 { 1.0 } else { size };
        let turn = DMat3::from_cols(x, y, x.cross(y));
        Some(DAffine3::from_mat3(
            turn * DMat3::from_diagonal(DVec3::splat(size)),
        ))
    };
    let skins = character.skins.iter();
    skins
        .map(|skin| placement(skin).unwrap_or(DAffine3::IDENTITY))
        .collect()
}

/// Translation, rotation (degrees) and scale of a placement that does not mirror.
pub(super) fn parts(placed: DAffine3) -> [DVec3; 3] {
    let (scale, rotation, translation) = placed.to_scale_rotation_translation();
    let order = [2, 1, 0];
    let mut angles = [0.0; 3];
    EulerSolver::new(&order).solve(rotation, &mut angles);
    let [z, y, x] = angles;
    [translation * UNITS_PER_METER, DVec3::new(x, y, z), scale]
}

/// Adds the pose of all joints in which the skins were bound; joints that no skin names stand as they
/// rest on their parent. Nothing without skins.
pub(super) fn add_bind_pose(
    objects: &mut Objects<'_>,
    character: &Character,
    targets: &[Target],
    placements: &[DAffine3],
    meshes: &[(i64, DAffine3)],
) {
    if character.skins.is_empty() {
        return;
    }
    let joints = character.skeleton.joints();
    let mut bound: Vec<Option<DAffine3>> = vec![None; joints.len()];
    for (skin, placed) in character.skins.iter().zip(placements) {
        for (&joint, inverse_bind) in skin.joints.iter().zip(&skin.inverse_bind) {
            let bind = || inverse(inverse_bind).map(|bind| *placed * bind);
            bound[joint] = bound[joint].or_else(bind);
        }
    }
    let mut nodes = Vec::with_capacity(joints.len());
    for (index, joint) in joints.iter().enumerate() {
        let placed = bound[index].unwrap_or_else(|| {
            let parent = joint.parent.and_then(|parent| bound[parent]);
            parent.unwrap_or(DAffine3::IDENTITY) * joint.rest.to_affine().as_daffine3()
        });
        bound[index] = Some(placed);
        nodes.push(pose_node(targets[index].object, placed));
    }
    let meshes = meshes.iter();
    nodes.extend(meshes.map(|&(mesh, placed)| pose_node(mesh, placed)));
    let mut children = vec![
        word("Type", "BindPose"),
        number("Version", 100),
        number(
            "NbPoseNodes",
            i32::try_from(nodes.len()).unwrap_or(i32::MAX),
        ),
    ];
    children.append(&mut nodes);
    objects.add("Pose", "BIND_POSES", "Pose", "BindPose", children);
}

fn pose_node(object: i64, placed: DAffine3) -> Node<'static> {
    Node::new("PoseNode", Vec::new()).with(vec![
        leaf("Node", long(object)),
        leaf("Matrix", matrix(placed)),
    ])
}
