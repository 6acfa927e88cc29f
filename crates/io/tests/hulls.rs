//! The points of a skin that stand out: found whatever a file is read for, and as far out as the skin.

use glam::{Affine3A, EulerRot};
use rebone_corpus::corpus;
use rebone_io::{ReadOptions, read};
use rebone_model::kinematics::model_pose;
use rebone_model::rotation::renormalized;
use rebone_model::{Character, HullPoint, ModelPose, Quat, Vec3};
use std::path::Path;

/// Where a point of the hull is, joints turned as in a pose; scales are in the point.
fn place(point: &HullPoint, pose: &ModelPose) -> Vec3 {
    let turn = |joint| renormalized(pose.rotation(joint));
    point.place(|joint| Affine3A::from_rotation_translation(turn(joint), pose.position(joint)))
}

/// Where the vertices of the skin are.
fn vertices(character: &Character, pose: &ModelPose) -> Vec<Vec3> {
    let mut all = Vec::new();
    for mesh in &character.meshes {
        for (vertex, &at) in mesh.positions.iter().enumerate() {
            let skinned = mesh.skin.map(|skin| {
                let skin = &character.skins[skin];
                let slots = mesh.joint_slots[vertex].iter();
                let parts = slots.zip(mesh.joint_weights[vertex]).map(|(slot, weight)| {
                    let slot = usize::from(*slot);
                    let bound = skin.inverse_bind[slot].transform_point3(at);
                    let joint = pose.model_from_joint(skin.joints[slot]);
                    joint.transform_point3(bound) * weight
                });
                parts.sum::<Vec3>()
            });
            let rigid = mesh
                .joint
                .map(|joint| pose.model_from_joint(joint).transform_point3(at));
            all.extend(skinned.or(rigid));
        }
    }
    all
}

/// Of every file with meshes: the hull is the same whether or not the meshes are read, has no more than 104 points a joint, and in
/// every direction reaches as far as the skin to 4 % of its size, in the rest pose.
#[test]
fn hulls_reach_as_far_as_the_skin() {
    let mut files = vec![
        "../../data/adult.glb".into(),
        "../../data/brute.glb".into(),
        "../../data/chibi.vrm".into(),
    ];
    if let Some(corpus) = corpus() {
        files.extend(
            [
                "kaykit/addons/kaykit_character_pack_adventures/Characters/gltf/Knight.glb",
                "quaternius/public/glb/single_knight_pack/KnightCharacter.glb",
                "quaternius/public/glb/platformer_game_pack/Character_HumanoidRig.glb",
                "gltf_misc/bevy/assets/models/animated/Fox.glb",
                "mpfb/derived/mpfb_mixamo.glb",
                "ufbx/data/maya_kenney_character_7700_binary.fbx",
                "assimp/test/models/FBX/huesitos.fbx",
            ]
            .map(|file| corpus.join(file)),
        );
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    for file in files {
        let bytes = std::fs::read(folder.join(&file)).unwrap();
        let open = |meshes: bool| {
            let options = ReadOptions {
                meshes,
                ..ReadOptions::default()
            };
            read(&bytes, &options, &|_| Err("none".to_owned())).unwrap()
        };
        let (with, without) = (open(true), open(false));
        let mut points = 0;
        for (one, other) in with.characters.iter().zip(&without.characters) {
            assert_eq!(one.hull, other.hull, "{}", file.display());
            assert!(other.meshes.is_empty(), "{}", file.display());
            let skeleton = &one.skeleton;
            let pose = model_pose(skeleton, &skeleton.rest_pose());
            let skin = vertices(one, &pose);
            let hull: Vec<Vec3> = one.hull.iter().map(|point| place(point, &pose)).collect();
            points += hull.len();
            let counts = (0..skeleton.len()).map(|joint| {
                let own = one
                    .hull
                    .iter()
                    .filter(|point| point.parts[0].joint == joint);
                own.count()
            });
            assert!(
                counts.max().unwrap_or_default() <= 104,
                "{}",
                file.display()
            );
            let far = |all: &[Vec3], way: Vec3| {
                let all = all.iter().map(|place| place.dot(way));
                all.fold(f32::NEG_INFINITY, f32::max)
            };
            for turn in 0..200 {
                let turn = turn as f32;
                let way =
                    Quat::from_euler(EulerRot::XYZ, 0.7 * turn, 1.3 * turn, 2.9 * turn) * Vec3::X;
                let size = far(&skin, way) + far(&skin, -way);
                let short = far(&skin, way) - far(&hull, way);
                assert!(
                    skin.is_empty() || short.abs() < 0.04 * size,
                    "{}: {short} of {size} along {way}",
                    file.display()
                );
            }
        }
        println!("{}: {points} points", file.display());
        assert!(points > 50, "{}", file.display());
    }
}

/// A file whose meshes have lost their weights says that they are not bound; one without meshes does not.
#[test]
fn meshes_without_weights_are_told_of() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(folder.join("../../data/brute.glb")).unwrap();
    let is_unbound = |bytes: &[u8]| {
        let read = read(bytes, &ReadOptions::default(), &|_| Err("none".to_owned())).unwrap();
        let character = &read.characters[0];
        assert_eq!(character.hull.is_empty(), character.is_unbound);
        character.is_unbound
    };
    assert!(!is_unbound(&bytes));
    let mut broken = bytes.clone();
    let name = b"WEIGHTS_0";
    let places = 0..bytes.len() - name.len();
    for place in places.filter(|&place| bytes[place..].starts_with(name)) {
        broken[place] = b'_';
    }
    assert!(is_unbound(&broken));
    let walk = std::fs::read(folder.join("../../data/walk.bvh")).unwrap();
    let walk = read(&walk, &ReadOptions::default(), &|_| Err("none".to_owned())).unwrap();
    assert!(!walk.characters[0].is_unbound);
}
