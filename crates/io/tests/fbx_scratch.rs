//! Characters of all formats written as new FBX files and read back by ufbx as it comes.

#![cfg(all(feature = "fbx", feature = "gltf", feature = "bvh"))]

use crate::fbx_write_support::*;
use rebone_io::fbx::{Version, WriteOptions, write_character};
use rebone_model::kinematics::model_pose;
use rebone_model::sampling::sample_clip;
use rebone_model::{
    Affine3A, Character, ImageData, Material, Mesh, NewJoint, Quat, SkeletonBuilder, Skin,
    Transform, Vec2, Vec3,
};

/// Nodes in the order in which the file has them, which is that of the joints, then the meshes.
fn in_file_order(scene: &ufbx::Scene) -> Vec<&ufbx::Node> {
    let mut nodes: Vec<&ufbx::Node> = scene.nodes.into_iter().filter(|n| !n.is_root).collect();
    nodes.sort_by_key(|node| node.element.element_id);
    nodes
}

fn at(matrix: &ufbx::Matrix, point: [f64; 3]) -> [f64; 3] {
    let [x, y, z] = point;
    [
        matrix.m00 * x + matrix.m01 * y + matrix.m02 * z + matrix.m03,
        matrix.m10 * x + matrix.m11 * y + matrix.m12 * z + matrix.m13,
        matrix.m20 * x + matrix.m21 * y + matrix.m22 * z + matrix.m23,
    ]
}

/// Where the joints move a vertex.
fn skinned(character: &Character, mesh: &Mesh, model: &rebone_model::ModelPose, v: usize) -> Vec3 {
    let position = mesh.positions[v];
    let Some(skin) = mesh.skin.map(|skin| &character.skins[skin]) else {
        let carrier = mesh
            .joint
            .map_or(Affine3A::IDENTITY, |joint| model.model_from_joint(joint));
        return carrier.transform_point3(position);
    };
    let mut sum = Vec3::ZERO;
    for (&slot, weight) in mesh.joint_slots[v].iter().zip(mesh.joint_weights[v]) {
        if weight > 0.0 {
            let slot = usize::from(slot);
            let moved = model.model_from_joint(skin.joints[slot]) * skin.inverse_bind[slot];
            sum += moved.transform_point3(position) * weight;
        }
    }
    sum
}

fn check(name: &str, character: &Character, version: Version) -> Option<(f32, f32)> {
    let output = write_character(character, &WriteOptions { version }).unwrap();
    let again = write_character(character, &WriteOptions { version }).unwrap();
    assert_eq!(output.bytes, again.bytes, "{name}");
    let scene = load_plainly(&output.bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(scene.metadata.warnings.len(), 0, "{name}");
    let clip = character.clips.first()?;
    let count = character.skeleton.len();
    let size = size_of(character, clip);
    let (mut joint_error, mut vertex_error) = (0.0f32, 0.0f32);
    for time in probes(clip, 7) {
        let stack = &scene.anim_stacks[0];
        let options = ufbx::EvaluateOpts {
            evaluate_skinning: true,
            ..Default::default()
        };
        let posed = ufbx::evaluate_scene(
            &scene,
            &stack.anim,
            stack.time_begin + f64::from(time),
            options,
        )
        .unwrap_or_else(|error| panic!("{}", error.description));
        let place = placement(&posed);
        let nodes = in_file_order(&posed);
        let pose = sample_clip(&character.skeleton, clip, time);
        let model = model_pose(&character.skeleton, &pose);
        for (joint, node) in nodes[..count].iter().enumerate() {
            assert_eq!(&*node.element.name, character.skeleton.joints()[joint].name);
            let world = &node.node_to_world;
            let position = place([world.m03, world.m13, world.m23]);
            joint_error = joint_error.max(position.distance(model.position(joint)));
        }
        let drawn = character
            .meshes
            .iter()
            .filter(|mesh| !mesh.positions.is_empty() && mesh.indices.len() >= 3);
        for (mesh, node) in drawn.zip(&nodes[count..]) {
            let shape = node.mesh.as_ref().unwrap();
            assert_eq!(shape.vertices.len(), mesh.positions.len(), "{name}");
            assert_eq!(shape.num_triangles, mesh.indices.len() / 3, "{name}");
            for vertex in (0..mesh.positions.len()).step_by(17) {
                let found = &shape.skinned_position.values[vertex];
                let mut found = [found.x, found.y, found.z];
                if shape.skinned_is_local {
                    found = at(&node.geometry_to_world, found);
                }
                let wanted = skinned(character, mesh, &model, vertex);
                vertex_error = vertex_error.max(place(found).distance(wanted));
            }
        }
    }
    assert!(
        joint_error <= 1e-5 * size,
        "{name}: joints {joint_error}, size {size}"
    );
    assert!(
        vertex_error <= 3e-5 * size,
        "{name}: vertices {vertex_error}, size {size}"
    );
    Some((joint_error, vertex_error))
}

/// Real characters with meshes, skins and clips, in all three versions.
#[test]
fn real_characters_come_back() {
    let versions = [Version::V7400, Version::V7500, Version::V7700];
    let mut written = 0;
    for name in [
        "CesiumMan.glb",
        "Barbarian.glb",
        "boxman.glb",
        "Fox.glb",
        "RobotExpressive.glb",
        "basic_armature_vrm1.vrm",
        "walk01.bvh",
        "bvh_example.bvh",
        "arnaud.fbx",
        "maya_kenney_character_7700_binary.fbx",
        "blender_293_barbarian_7400_binary.fbx",
        "maya_game_sausage_6100_binary_wiggle.fbx",
        "max2009_cube_anim_5800_ascii.fbx",
        "new_seedsan_betterfbx.fbx",
    ] {
        let Some(bytes) = find(name) else { continue };
        for mut character in read(&bytes, true).unwrap().characters.into_iter().take(2) {
            let own = character.clips.len();
            if let Some(clip) = character.clips.first().cloned() {
                let (joints, vertices) = check(name, &character, versions[written % 3])
                    .unwrap_or_else(|| panic!("{name} \"{}\"", clip.name));
                println!("{name}, its own first clip of {own}: {joints:.2e} {vertices:.2e} m");
            }
            character.clips = vec![lively(&character, 30.0, 1.0)];
            let errors = check(name, &character, versions[(written + 1) % 3]);
            println!("{name}, lively: {errors:?}");
            written += 1;
        }
    }
    if written == 0 {
        println!("SKIPPED: no corpus");
    }
}

/// Names of any kind, a skin, a rigid mesh, colours, an image: nothing gets lost.
#[test]
fn every_part_is_written() {
    let mut builder = SkeletonBuilder::new();
    let names = ["a:b/c", "骨 \"quoted\"", "twin", "twin", ""];
    for (index, name) in names.iter().enumerate() {
        let rest = Transform {
            translation: Vec3::new(0.1, 0.5, 0.0),
            rotation: Quat::from_rotation_x(0.3 * index as f32),
            scale: Vec3::splat(1.0 + 0.1 * index as f32),
        };
        builder.add(NewJoint::new(*name, index.checked_sub(1), rest));
    }
    let (skeleton, _) = builder.build().unwrap();
    let model = model_pose(&skeleton, &skeleton.rest_pose());
    let triangle = Mesh {
        name: "Mesh::one".to_owned(),
        positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y],
        normals: vec![Vec3::Z; 3],
        uvs: vec![Vec2::ZERO, Vec2::X, Vec2::Y],
        colors: vec![[1.0, 0.5, 0.25, 1.0]; 3],
        joint_slots: vec![[0, 1, 0, 0]; 3],
        joint_weights: vec![[0.25, 0.5, 0.25, 0.0]; 3],
        indices: vec![0, 1, 2],
        material: Some(0),
        skin: Some(0),
        joint: None,
    };
    let rigid = Mesh {
        name: "rigid".to_owned(),
        joint_slots: Vec::new(),
        joint_weights: Vec::new(),
        skin: None,
        joint: Some(2),
        ..triangle.clone()
    };
    let joints = vec![1, 3];
    let mut character = Character {
        skins: vec![Skin {
            name: "skin".to_owned(),
            inverse_bind: joints
                .iter()
                .map(|&j| model.model_from_joint(j).inverse())
                .collect(),
            joints,
        }],
        skeleton,
        meshes: vec![triangle, rigid],
        materials: vec![Material {
            name: "red".to_owned(),
            base_color: [1.0, 0.25, 0.5, 1.0],
            base_color_image: Some(0),
            alpha_cutoff: None,
            double_sided: false,
        }],
        images: vec![ImageData {
            bytes: b"\x89PNG\r\n\x1a\nnot really".to_vec(),
        }],
        ..Character::default()
    };
    character.clips = vec![lively(&character, 30.0, 1.0)];
    check("all parts", &character, Version::V7500);
    let output = write_character(&character, &WriteOptions::default()).unwrap();
    let scene = load_plainly(&output.bytes).unwrap();
    let mesh = &scene.meshes[0];
    assert_eq!(mesh.skin_deformers[0].clusters.len(), 2);
    let weights = &mesh.skin_deformers[0].clusters[0].weights;
    assert!(weights.iter().all(|weight| (weight - 0.5).abs() < 1e-7));
    assert_eq!(mesh.vertex_uv.values[0].y, 1.0);
    assert_eq!(mesh.vertex_color.values[0].y, 0.5);
    assert_eq!(mesh.vertex_normal.values[0].z, 1.0);
    let color = &scene.materials[0].fbx.diffuse_color;
    assert_eq!(color.value_vec4.y, 0.25);
    let texture = color.texture.as_ref().unwrap();
    assert_eq!(&texture.content[..], &character.images[0].bytes[..]);
    assert_eq!(scene.poses.len(), 1);
    assert_eq!(scene.poses[0].bone_poses.len(), names.len() + 1);
    assert_eq!(&*scene.anim_stacks[0].element.name, "lively");
    assert_eq!(scene.settings.unit_meters, 0.01);
}

fn one_joint() -> Character {
    let mut builder = SkeletonBuilder::new();
    builder.add(NewJoint::new("a", None, Transform::IDENTITY));
    Character {
        skeleton: builder.build().unwrap().0,
        ..Character::default()
    }
}

fn moved(times: &[f32], values: Vec<Vec3>) -> Character {
    let mut character = one_joint();
    let mut clip = rebone_model::Clip::new("moved\0", 1);
    let linear = rebone_model::Interpolation::Linear;
    clip.joints[0].translation =
        Some(rebone_model::Track::computed(linear, times.into(), values).unwrap());
    character.clips = vec![clip];
    character
}

/// Where clips begin and how long they last survives, whatever they do.
#[test]
fn times_come_back() {
    let frame = 1.0 / 30.0;
    for (what, times, values) in [
        (
            "late",
            vec![frame, 2.0 * frame, 0.5],
            vec![Vec3::ZERO, Vec3::X, Vec3::Y],
        ),
        (
            "early",
            vec![-0.5, 0.0, 0.5],
            vec![Vec3::ZERO, Vec3::X, Vec3::Y],
        ),
        ("still", vec![0.0, 1.0, 2.0], vec![Vec3::X; 3]),
        ("one key", vec![0.0], vec![Vec3::X]),
        ("one late key", vec![1.5], vec![Vec3::X]),
    ] {
        let character = moved(&times, values);
        let output = write_character(&character, &WriteOptions::default()).unwrap();
        let again = read(&output.bytes, false).unwrap();
        let clip = &again.characters[0].clips[0];
        assert_eq!(clip.name, "moved");
        let found = clip.joints[0].translation.as_ref().unwrap();
        // The time 0 of what is read is the stack's beginning.
        let zero = times[0].min(0.0);
        if what != "still" && what != "one late key" {
            assert_eq!(found.times().len(), times.len(), "{what}");
            for (found, wanted) in found.times().iter().zip(&times) {
                assert!((found - (wanted - zero)).abs() < 1e-6, "{what}: {found}");
            }
        }
        let last = times[times.len() - 1] - zero;
        assert!(
            (clip.seconds() - last).abs() < 1e-6,
            "{what}: {}",
            clip.seconds()
        );
    }
}

/// Times and numbers that FBX cannot hold end in an error or the nearest number, not in nonsense.
#[test]
fn what_is_too_large_is_refused_or_cut() {
    for times in [[-1e30, 1.0], [0.0, 1e9]] {
        let character = moved(&times, vec![Vec3::ZERO, Vec3::X]);
        let error = write_character(&character, &WriteOptions::default()).unwrap_err();
        assert!(matches!(error, rebone_io::Error::Limit(_)), "{error}");
    }
    let character = moved(&[0.0, 1.0], vec![Vec3::ZERO, Vec3::splat(3e38)]);
    let output = write_character(&character, &WriteOptions::default()).unwrap();
    let scene = load_plainly(&output.bytes).unwrap();
    for curve in &scene.anim_curves {
        assert!(curve.max_value.is_finite(), "{}", curve.max_value);
    }
}

/// What does not fit together is refused.
#[test]
fn what_does_not_fit_is_refused() {
    let empty = Character::default();
    assert!(write_character(&empty, &WriteOptions::default()).is_err());
    let mut builder = SkeletonBuilder::new();
    builder.add(NewJoint::new("a", None, Transform::IDENTITY));
    let (skeleton, _) = builder.build().unwrap();
    let good = Character {
        skeleton,
        ..Character::default()
    };
    assert!(write_character(&good, &WriteOptions::default()).is_ok());
    let mut bad = good.clone();
    bad.clips = vec![rebone_model::Clip::new("x", 2)];
    assert!(write_character(&bad, &WriteOptions::default()).is_err());
    let mut bad = good.clone();
    bad.skins = vec![Skin {
        name: String::new(),
        joints: vec![7],
        inverse_bind: vec![Affine3A::IDENTITY],
    }];
    assert!(write_character(&bad, &WriteOptions::default()).is_err());
    let mut bad = good;
    bad.meshes = vec![Mesh {
        positions: vec![Vec3::ZERO],
        indices: vec![0, 0, 1],
        ..Mesh::default()
    }];
    assert!(write_character(&bad, &WriteOptions::default()).is_err());
}
