//! FBX files of other people, against ufbx's own evaluation of the whole scene.
//!
//! The reader converts units and axes inside ufbx, evaluates node by node and interpolates tracks. Here
//! ufbx loads each file as it is and evaluates whole scenes; unit and axes are applied to the finished
//! matrices. The two ways share no arithmetic beyond the curves themselves.
#![cfg(feature = "fbx")]

use glam::{DAffine3, DMat3, DVec3};
use rebone_corpus::corpus;
use rebone_io::{Document, Error, ReadOptions, fbx};
use rebone_model::kinematics::model_pose;
use rebone_model::sampling::sample_clip;
use rebone_model::{Clip, CurveTarget, Skeleton};
use std::path::{Path, PathBuf};
use ufbx::{CoordinateAxes, CoordinateAxis, LoadOpts, Scene};

/// All FBX files below a folder, sorted.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let is_fbx = path
                .extension()
                .is_some_and(|e| e.eq_ignore_ascii_case("fbx"));
            if path.is_dir() {
                open.push(path);
            } else if is_fbx {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn read(bytes: &[u8], meshes: bool) -> Result<Document, Error> {
    let options = ReadOptions {
        meshes,
        ..ReadOptions::default()
    };
    fbx::read(bytes, &options, &|_| Err("not fetched".to_owned()))
}

/// Our space from the file's, without the unit.
fn turn(axes: &CoordinateAxes) -> DMat3 {
    let direction = |axis: CoordinateAxis| match axis {
        CoordinateAxis::PositiveX => Some(DVec3::X),
        CoordinateAxis::NegativeX => Some(DVec3::NEG_X),
        CoordinateAxis::PositiveY => Some(DVec3::Y),
        CoordinateAxis::NegativeY => Some(DVec3::NEG_Y),
        CoordinateAxis::PositiveZ => Some(DVec3::Z),
        CoordinateAxis::NegativeZ => Some(DVec3::NEG_Z),
        CoordinateAxis::Unknown => None,
    };
    let found = [axes.right, axes.up, axes.front].map(direction);
    let [Some(right), Some(up), Some(front)] = found else {
        return DMat3::IDENTITY;
    };
    let file_from_ours = DMat3::from_cols(right, up, front);
    if file_from_ours.determinant().abs() < 0.5 {
        return DMat3::IDENTITY;
    }
    file_from_ours.transpose()
}

fn affine(matrix: &ufbx::Matrix) -> DAffine3 {
    DAffine3::from_cols(
        DVec3::new(matrix.m00, matrix.m10, matrix.m20),
        DVec3::new(matrix.m01, matrix.m11, matrix.m21),
        DVec3::new(matrix.m02, matrix.m12, matrix.m22),
        DVec3::new(matrix.m03, matrix.m13, matrix.m23),
    )
}

/// A file as ufbx loads it without any option, and what leads from its space to ours.
struct Oracle {
    scene: ufbx::SceneRoot,
    turn: DMat3,
    metres: f64,
    /// By index of the node in our reader's scene: the same node here, and whether it is a scale helper
    /// of it, and whether it has one.
    nodes: Vec<Option<(usize, bool, bool)>>,
}

impl Oracle {
    fn new(bytes: &[u8]) -> Option<Self> {
        let scene = ufbx::load_memory(bytes, LoadOpts::default()).ok()?;
        // The reader's own options matter here only for the order of nodes.
        let same = ufbx::load_memory(
            bytes,
            LoadOpts {
                inherit_mode_handling: ufbx::InheritModeHandling::Compensate,
                space_conversion: ufbx::SpaceConversion::ModifyGeometry,
                target_axes: CoordinateAxes::right_handed_y_up(),
                target_unit_meters: 1.0,
                ..LoadOpts::default()
            },
        )
        .ok()?;
        let by_element = |element: u32| {
            (&scene.nodes)
                .into_iter()
                .position(|node| node.element.element_id == element)
        };
        let nodes = (&same.nodes)
            .into_iter()
            .map(|node| {
                let owner = if node.is_scale_helper {
                    node.parent.as_ref().unwrap().as_ref()
                } else {
                    node
                };
                let has_helper = node.scale_helper.as_ref().is_some();
                Some((
                    by_element(owner.element.element_id)?,
                    node.is_scale_helper,
                    has_helper,
                ))
            })
            .collect();
        let (turn, metres) = (turn(&scene.settings.axes), scene.settings.unit_meters);
        drop(same);
        Some(Self {
            scene,
            turn,
            metres,
            nodes,
        })
    }

    /// Worst differences of joints in `pose` from `scene`: positions in metres, axes without unit.
    fn compare(&self, scene: &Scene, skeleton: &Skeleton, pose: &rebone_model::LocalPose) -> Worst {
        let model = model_pose(skeleton, pose);
        let mut worst = Worst::default();
        for (index, joint) in skeleton.joints().iter().enumerate() {
            let (node, _, has_helper) = self.nodes[joint.node as usize].unwrap();
            let world = affine(&scene.nodes[node].node_to_world);
            let expected = self.turn * world.translation * self.metres;
            let ours = model.model_from_joint(index);
            let off = (ours.translation.as_dvec3() - expected).length();
            worst.size = worst.size.max(expected.length());
            worst.place = worst
                .place
                .max(if off.is_nan() { f64::INFINITY } else { off });
            if has_helper {
                continue;
            }
            let mirror = self.turn.determinant().signum();
            let expected =
                self.turn * world.matrix3 * DMat3::from_diagonal(DVec3::new(mirror, 1.0, 1.0));
            let ours = glam::Mat3::from(ours.matrix3).as_dmat3();
            let scale = expected
                .x_axis
                .length()
                .max(expected.y_axis.length())
                .max(expected.z_axis.length());
            let off = [
                ours.x_axis - expected.x_axis,
                ours.y_axis - expected.y_axis,
                ours.z_axis - expected.z_axis,
            ];
            let off = off.iter().fold(0.0f64, |most, off| most.max(off.length()));
            worst.axes = worst.axes.max(if off.is_nan() {
                f64::INFINITY
            } else {
                off / scale.max(1e-9)
            });
        }
        worst
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Worst {
    place: f64,
    axes: f64,
    size: f64,
}

impl Worst {
    fn add(&mut self, other: Self) {
        self.place = self.place.max(other.place);
        self.axes = self.axes.max(other.axes);
        self.size = self.size.max(other.size);
    }

    fn relative(&self) -> f64 {
        self.place / self.size.max(1e-3)
    }
}

/// The stack that a clip was read from, and the time at which it begins.
fn anim_of<'a>(oracle: &'a Oracle, clip: &Clip) -> (&'a ufbx::Anim, f64) {
    let scene = &oracle.scene;
    let mut stacks = (&scene.anim_stacks).into_iter().enumerate();
    let (_, stack) = stacks
        .find(|(index, stack)| {
            let name = &*stack.element.name;
            name == clip.name || name.is_empty() && clip.name == format!("animation_{index}")
        })
        .unwrap();
    let curves = (&stack.anim.layers)
        .into_iter()
        .flat_map(|layer| &layer.anim_props)
        .filter(|prop| {
            let moves_node = prop.element.type_ == ufbx::ElementType::Node;
            let name = &*prop.prop_name;
            let is_transform = [
                "Lcl Translation",
                "Lcl Rotation",
                "Lcl Scaling",
                "PreRotation",
                "PostRotation",
                "RotationOrder",
                "RotationOffset",
                "RotationPivot",
                "ScalingOffset",
                "ScalingPivot",
            ]
            .contains(&name);
            moves_node && is_transform || name == "DeformPercent"
        })
        .flat_map(|prop| prop.anim_value.curves.iter().flatten())
        .filter(|curve| curve.keyframes.count > 0);
    let span = curves.fold((f64::INFINITY, f64::NEG_INFINITY), |span, curve| {
        (span.0.min(curve.min_time), span.1.max(curve.max_time))
    });
    let usable =
        stack.time_end > stack.time_begin && span.0 <= stack.time_end && span.1 >= stack.time_begin;
    (
        stack.anim.as_ref(),
        if usable { stack.time_begin } else { span.0 },
    )
}

/// Files that ufbx itself refuses, with the reason in our words.
const REFUSED: [(&str, &str); 1] = [(
    "assimp/test/models/FBX/transparentTest.fbx",
    "text-mode transfer",
)];

/// Positions may be off by this much of the farthest joint's distance, and axes by this much of their length.
const EXACT: f64 = 1e-5;
/// Files with scales that differ a little from one another, which ufbx takes for equal where it undoes
/// the scale of a parent (`Compensate`); positions stay exact.
const UNEQUAL_SCALES: [&str; 1] = ["new_seedsan_betterfbx.fbx"];

#[test]
fn poses_are_those_of_ufbx() {
    let Some(corpus) = corpus() else { return };
    let (mut files_read, mut clips_read) = (0, 0);
    for path in files(&corpus) {
        let name = path.strip_prefix(&corpus).unwrap().display().to_string();
        if name.contains("fuzz/") {
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        let Some(oracle) = Oracle::new(&bytes) else {
            let reason = REFUSED.iter().find(|(refused, _)| *refused == name);
            let (_, reason) = reason.unwrap_or_else(|| panic!("ufbx refuses {name}"));
            let error = read(&bytes, false).unwrap_err();
            assert!(error.to_string().contains(reason), "{name}: {error}");
            continue;
        };
        let document = read(&bytes, false).unwrap_or_else(|error| panic!("{name}: {error}"));
        files_read += 1;
        let mut rest = Worst::default();
        let mut frames = Worst::default();
        for character in &document.characters {
            let skeleton = &character.skeleton;
            rest.add(oracle.compare(&oracle.scene, skeleton, &skeleton.rest_pose()));
            for clip in &character.clips {
                clips_read += 1;
                frames.add(on_frames(&oracle, skeleton, clip));
            }
        }
        let axes = if UNEQUAL_SCALES.iter().any(|known| name.ends_with(known)) {
            5.0 * EXACT
        } else {
            EXACT
        };
        for (when, worst) in [("at rest", rest), ("on frames", frames)] {
            assert!(worst.relative() < EXACT, "{name} {when}: {worst:?}");
            assert!(worst.axes < axes, "{name} {when}: {worst:?}");
        }
    }
    println!("{files_read} files, {clips_read} clips");
    assert!(files_read > 200 && clips_read > 100);
}

/// The worst of eleven whole frames of a clip.
fn on_frames(oracle: &Oracle, skeleton: &Skeleton, clip: &Clip) -> Worst {
    let (anim, begin) = anim_of(oracle, clip);
    let rate = oracle.scene.settings.frames_per_second;
    let last = (f64::from(clip.seconds()) * rate + 1e-3).floor() as usize;
    let mut worst = Worst::default();
    for step in 0..=10 {
        let time = (last * step / 10) as f64 / rate;
        let options = ufbx::EvaluateOpts::default();
        let scene = ufbx::evaluate_scene(&oracle.scene, anim, begin + time, options).unwrap();
        let pose = sample_clip(skeleton, clip, time as f32);
        worst.add(oracle.compare(&scene, skeleton, &pose));
    }
    worst
}

#[test]
fn skins_lie_where_ufbx_has_them() {
    let Some(corpus) = corpus() else { return };
    let mut clusters_checked = 0;
    for path in files(&corpus) {
        let name = path.strip_prefix(&corpus).unwrap().display().to_string();
        let bytes = std::fs::read(&path).unwrap();
        if name.contains("fuzz/") {
            continue;
        }
        let Some(oracle) = Oracle::new(&bytes) else {
            continue;
        };
        let document = read(&bytes, true).unwrap();
        let [character] = document.characters.as_slice() else {
            continue;
        };
        let deformers = &oracle.scene.skin_deformers;
        if character.skins.len() != deformers.count {
            continue;
        }
        let skeleton = &character.skeleton;
        let model = model_pose(skeleton, &skeleton.rest_pose());
        for (skin, deformer) in character.skins.iter().zip(deformers) {
            assert_eq!(skin.joints.len(), deformer.clusters.count, "{name}");
            let clusters = skin
                .joints
                .iter()
                .zip(&skin.inverse_bind)
                .zip(&deformer.clusters);
            for ((&joint, inverse_bind), cluster) in clusters {
                let world = affine(&cluster.geometry_to_world);
                let mirror = DVec3::new(oracle.turn.determinant().signum(), 1.0, 1.0);
                let expected = oracle.turn * world.matrix3 * DMat3::from_diagonal(mirror);
                let place = oracle.turn * world.translation * oracle.metres;
                let ours = model.model_from_joint(joint) * *inverse_bind;
                let axes = glam::Mat3::from(ours.matrix3).as_dmat3();
                let scale = expected.x_axis.length().max(1e-9);
                let off = (axes - expected).to_cols_array();
                let off = off.iter().fold(0.0f64, |most, off| most.max(off.abs())) / scale;
                let moved = (ours.translation.as_dvec3() - place).length();
                let unequal = UNEQUAL_SCALES.iter().any(|known| name.ends_with(known));
                let exact = if unequal { 5.0 * EXACT } else { EXACT };
                assert!(off < exact, "{name}: {off}");
                assert!(moved < exact * place.length().max(1.0), "{name}: {moved}");
                clusters_checked += 1;
            }
        }
        for mesh in character.meshes.iter().filter(|mesh| mesh.skin.is_some()) {
            assert_eq!(mesh.positions.len(), mesh.joint_weights.len());
            for weights in &mesh.joint_weights {
                assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-4, "{name}");
            }
        }
    }
    println!("{clusters_checked} clusters");
    assert!(clusters_checked > 400);
}

#[test]
fn with_and_without_meshes_skeletons_are_the_same() {
    let Some(corpus) = corpus() else { return };
    for path in files(&corpus) {
        let bytes = std::fs::read(&path).unwrap();
        let (Ok(without), Ok(with)) = (read(&bytes, false), read(&bytes, true)) else {
            continue;
        };
        assert_eq!(without.characters.len(), with.characters.len());
        for (without, with) in without.characters.iter().zip(&with.characters) {
            assert_eq!(without.skeleton, with.skeleton, "{}", path.display());
            assert_eq!(without.skins, with.skins, "{}", path.display());
            assert_eq!(without.clips, with.clips, "{}", path.display());
            assert_eq!(without.poses, with.poses, "{}", path.display());
        }
    }
}

#[test]
fn characters_are_whom_a_person_would_name() {
    let Some(corpus) = corpus() else { return };
    for (file, expected) in [
        ("ozz/media/fbx/pab/crossarms.fbx", vec![("Hips", 68, 1)]),
        ("ozz/media/fbx/pab/locomotions.fbx", vec![("Hips", 68, 3)]),
        (
            "ufbx/data/maya_human_ik_7400_binary.fbx",
            vec![("Character1_Hips", 63, 0)],
        ),
        (
            "ufbx/data/maya_transformed_skin_7700_binary.fbx",
            vec![("joint1", 3, 0)],
        ),
        (
            "ufbx/data/max2009_cube_anim_6100_binary.fbx",
            vec![("Box01", 1, 1)],
        ),
        (
            "ufbx/data/maya_constraint_zoo_7500_binary.fbx",
            vec![("joint1", 6, 0), ("joint7", 5, 0)],
        ),
    ] {
        let document = read(&std::fs::read(corpus.join(file)).unwrap(), false).unwrap();
        let found: Vec<(&str, usize, usize)> = document
            .characters
            .iter()
            .map(|c| (c.name.as_str(), c.skeleton.len(), c.clips.len()))
            .collect();
        assert_eq!(found, expected, "{file}");
    }
}

#[test]
fn stored_poses_are_in_our_space() {
    let Some(corpus) = corpus() else { return };
    let file =
        "vrm/univrm/Assets/VRM10_Samples/ModelSetup_SeedSan/Models/new_seedsan_betterfbx.fbx";
    let document = read(&std::fs::read(corpus.join(file)).unwrap(), false).unwrap();
    let character = &document.characters[0];
    let model = model_pose(&character.skeleton, &character.skeleton.rest_pose());
    let placed = character.poses[0].model_from_joint.iter().enumerate();
    let placed: Vec<_> = placed
        .filter_map(|(joint, pose)| Some((joint, (*pose)?)))
        .collect();
    assert!(placed.len() > 120);
    for (joint, pose) in placed {
        let off = model.position(joint).distance(pose.translation.into());
        assert!(
            off < 1e-4,
            "{}: {off}",
            character.skeleton.unique_name(joint)
        );
    }
}

#[test]
fn what_ufbx_accepts_is_read() {
    let Some(corpus) = corpus() else { return };
    let mut accepted = 0;
    for path in files(&corpus) {
        let bytes = std::fs::read(&path).unwrap();
        let theirs = ufbx::load_memory(&bytes, LoadOpts::default());
        match (theirs, read(&bytes, false)) {
            (Ok(_), Ok(_)) => accepted += 1,
            (Ok(_), Err(error)) => panic!("{}: {error}", path.display()),
            (Err(_), ours) => {
                // Without geometry less can be broken.
                if let Err(error) = ours {
                    assert!(error.to_string().contains("; "), "{error}");
                }
            }
        }
    }
    println!("{accepted} files");
    assert!(accepted > 240);
}

#[test]
fn morph_weights_are_curves() {
    let Some(corpus) = corpus() else { return };
    let mut found = 0;
    for path in files(&corpus) {
        let bytes = std::fs::read(&path).unwrap();
        let Ok(scene) = ufbx::load_memory(&bytes, LoadOpts::default()) else {
            continue;
        };
        let Ok(document) = read(&bytes, false) else {
            continue;
        };
        let clips = document
            .characters
            .iter()
            .flat_map(|character| &character.clips);
        for (clip, curve) in
            clips.flat_map(|clip| clip.curves.iter().map(move |curve| (clip, curve)))
        {
            let CurveTarget::Morph { name, .. } = curve.target() else {
                panic!("{:?}", curve.target());
            };
            let stack = (&scene.anim_stacks)
                .into_iter()
                .find(|stack| *stack.element.name == *clip.name)
                .unwrap();
            let channel = (&scene.blend_channels)
                .into_iter()
                .find(|channel| *channel.element.name == **name)
                .unwrap();
            for (time, value) in curve.times().iter().zip(curve.values()) {
                let time = stack.time_begin + f64::from(*time);
                let expected = ufbx::evaluate_blend_weight(&stack.anim, channel, time);
                assert!(
                    (f64::from(*value) - expected).abs() < 1e-5,
                    "{}",
                    path.display()
                );
            }
            found += 1;
        }
    }
    println!("{found} curves");
    assert!(found > 0);
}
