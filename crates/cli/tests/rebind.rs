//! `rebone rebind`, and the same inside a `.retarget` file.
use crate::common::{Scratch, data, output, rebone};
use rebone::model::{Character, JointTracks, Vec3};
use rebone::runtime::asset::read_asset;
use rebone::{ReadOptions, Rig, Role};

fn read(path: &str) -> Character {
    let bytes = std::fs::read(path).unwrap();
    let refuse = |uri: &str| Err(uri.to_owned());
    let options = ReadOptions {
        meshes: true,
        ..ReadOptions::default()
    };
    let document = rebone::read(&bytes, &options, &refuse).unwrap();
    Rig::new(document, Role::Target, None).unwrap().character
}

/// The names are the source's, the keys of rotation the source's to the bit, the vertices the target's.
#[test]
fn the_file_has_the_sources_joints_and_keys_and_the_targets_mesh() {
    let (source, target) = (data("jump.glb"), data("chibi.vrm"));
    let path = output("rebound chibi.glb");
    let run = rebone(["rebind", &source, &target, "-o", &path, "--json"]).done();
    let told = run.json();
    assert_eq!(told["clips"][0]["name"], "jump");
    assert!(told["clips"][0]["largest_deviation"].as_f64().unwrap() < 1e-4);
    assert!(told["warnings"].to_string().contains("VRM data"));
    let (made, own, other) = (read(&path), read(&source), read(&target));
    let mut turning = 0;
    for (joint, tracks) in own.clips[0].joints.iter().enumerate() {
        let name = &own.skeleton.joints()[joint].name;
        let Ok(place) = made.skeleton.find(name) else {
            // A reader takes no leaves along that neither a skin nor a clip uses.
            assert!(tracks.is_empty(), "{name}");
            continue;
        };
        let parent = |of: &Character, joint: usize| {
            let parent = of.skeleton.parent(joint)?;
            Some(of.skeleton.joints()[parent].name.clone())
        };
        let above = parent(&own, joint).unwrap_or_else(|| "Rebound".to_owned());
        assert_eq!(parent(&made, place), Some(above), "{name}");
        let JointTracks { rotation, .. } = &made.clips[0].joints[place];
        assert_eq!(rotation, &tracks.rotation, "{name}");
        turning += usize::from(rotation.is_some());
    }
    assert!(turning > 20);
    let vertices = |of: &Character| -> Vec<[f32; 3]> {
        let meshes = of.meshes.iter().flat_map(|mesh| &mesh.positions);
        meshes.map(Vec3::to_array).collect()
    };
    assert_eq!(vertices(&made), vertices(&other));
    assert_eq!(made.materials.len(), other.materials.len());
    assert_eq!(made.images.len(), other.images.len());
}

/// An FBX holds the same character.
#[test]
fn an_fbx_holds_the_same() {
    let (source, target) = (data("walk.glb"), data("adult.glb"));
    let paths = ["glb", "fbx"].map(|extension| {
        let path = output(&format!("rebound adult.{extension}"));
        rebone(["rebind", &source, &target, "-o", &path]).done();
        path
    });
    let [one, two] = paths.map(|path| read(&path));
    // The FBX reader puts no container in front, and may put one; joints are found by name.
    for joint in one.skeleton.joints() {
        assert!(two.skeleton.find(&joint.name).is_ok(), "{}", joint.name);
    }
    let place = |of: &Character, time: f32, name: &str| {
        let skeleton = &of.skeleton;
        let pose = rebone::model::sampling::sample_clip(skeleton, &of.clips[0], time);
        let model = rebone::model::kinematics::model_pose(skeleton, &pose);
        model.position(skeleton.find(name).unwrap())
    };
    for name in [
        "mixamorig:LeftHand",
        "mixamorig:RightFoot",
        "mixamorig:Head",
    ] {
        for time in [0.0, 0.3, 0.8] {
            let off = place(&one, time, name).distance(place(&two, time, name));
            assert!(off < 1e-3, "{name} at {time}: {off}");
        }
    }
}

/// Without clips, with raw places, and with a factor an axis.
#[test]
fn places_are_chosen() {
    let (source, target) = (data("sit_stand.bvh"), data("brute.glb"));
    let scratch = Scratch::new();
    let file = |name: &str, more: &[&str]| {
        let path = scratch.path(name);
        let mut arguments = vec!["rebind", &source, &target, "-o", &path];
        arguments.extend(more);
        rebone(arguments).done();
        read(&path)
    };
    assert!(file("none.glb", &["--without-clips"]).clips.is_empty());
    let raw = file("raw.glb", &["--places", "raw"]);
    let own = read_source(&source);
    let hips = own.skeleton.joints()[0].name.clone();
    let track = |of: &Character| {
        let joint = of.skeleton.find(&hips).unwrap();
        of.clips[0].joints[joint].translation.clone().unwrap()
    };
    assert_eq!(track(&raw), track(&own), "raw keys are the source's own");
    let fitted = file("fitted.glb", &[]);
    assert_ne!(track(&fitted), track(&own));
    // Nothing up, forward or sideways: the hips stay where they stand.
    let still = file("still.glb", &["--root-scale", "0,0,0"]);
    let joint = still.skeleton.find(&hips).unwrap();
    let place = |time: f32| {
        let skeleton = &still.skeleton;
        let pose = rebone::model::sampling::sample_clip(skeleton, &still.clips[0], time);
        rebone::model::kinematics::model_pose(skeleton, &pose).position(joint)
    };
    assert!(place(0.0).distance(place(1.5)) < 1e-4);
    let other = rebone([
        "rebind",
        &source,
        &target,
        "-o",
        &scratch.path("x.glb"),
        "--root-scale",
        "1,2",
    ]);
    assert_eq!(other.code, 2);
    assert!(other.err.contains("or three with commas"), "{}", other.err);
    // A recipe says the same as the command line.
    let recipe = scratch.file("still.toml", b"root_scale = [0, 0, 0]\n");
    let again = file("again.glb", &["--recipe", &recipe]);
    assert_eq!(track(&again), track(&still));
    let raw = rebone([
        "rebind",
        &source,
        &target,
        "-o",
        &scratch.path("x.glb"),
        "--recipe",
        &recipe,
        "--places",
        "raw",
    ]);
    assert_eq!(raw.code, 2);
    assert!(raw.err.contains("another factor an axis"), "{}", raw.err);
}

fn read_source(path: &str) -> Character {
    let bytes = std::fs::read(path).unwrap();
    let refuse = |uri: &str| Err(uri.to_owned());
    let document = rebone::read(&bytes, &ReadOptions::default(), &refuse).unwrap();
    Rig::new(document, Role::Source, None).unwrap().character
}

/// S0.13: files that do not fit each other, or the wish, are told so.
#[test]
fn what_does_not_fit_is_explained() {
    let scratch = Scratch::new();
    let (walk, adult, chibi) = (data("walk.glb"), data("adult.glb"), data("chibi.vrm"));
    let recipe = scratch.file("m.toml", b"method = \"channels\"\n");
    let bones = scratch.file(
        "cubes.bvh",
        b"HIERARCHY\nROOT x\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0\n",
    );
    let out = |name: &str| scratch.path(name);
    for (arguments, expected) in [
        (
            vec![&walk, &data("walk.bvh"), "-o", &out("a.glb")],
            "has no skin",
        ),
        (
            vec![&walk, &chibi, "-o", &out("a.vrm")],
            "name the output *.glb",
        ),
        (
            vec![&walk, &adult, "-o", &out("a.bvh")],
            "a .bvh holds no skin",
        ),
        (
            vec![&walk, &adult, "-o", &out("a.glb"), "--recipe", &recipe],
            "the method channels",
        ),
        (
            vec![&walk, &adult, "-o", &out("a.glb"), "--clip", "run"],
            "no clip is named \"run\"",
        ),
        (
            vec![&bones, &adult, "-o", &out("a.glb")],
            "no slot in common",
        ),
    ] {
        let run = rebone([&["rebind"], arguments.as_slice()].concat());
        assert_eq!(run.code, 2, "{arguments:?}: {}", run.out);
        assert!(run.err.contains(expected), "{arguments:?}: {}", run.err);
        assert!(run.err.contains("error: "), "{}", run.err);
    }
    assert_eq!(
        scratch.files(),
        ["cubes.bvh", "m.toml"],
        "nothing was written"
    );
}

/// S0.10: one set of inverse bind matrices in the `.retarget` file, those of the GLB, in less than 96 KiB.
#[test]
fn a_retarget_file_holds_the_same_matrices() {
    let scratch = Scratch::new();
    let (source, target) = (data("walk.glb"), data("brute.glb"));
    let asset_path = scratch.path("brute.retarget");
    rebone(["compile", &source, &target, "-o", &asset_path, "--rebind"]).done();
    let bytes = std::fs::read(&asset_path).unwrap();
    assert!(bytes.len() < 96 * 1024, "{} bytes", bytes.len());
    let asset = read_asset(&bytes).unwrap();
    let rebind = asset.rebind.unwrap();
    let path = scratch.path("brute.glb");
    rebone(["rebind", &source, &target, "-o", &path]).done();
    let (made, other) = (read(&path), read(&target));
    let (new, old) = (&made.skins[0], &other.skins[0]);
    let mut driven = 0;
    for (slot, &joint) in old.joints.iter().enumerate() {
        let bound = &rebind.joints[joint];
        let name = &asset.target.joints[joint];
        if !bound.is_driven {
            continue;
        }
        driven += 1;
        let source = rebind.nodes[bound.node].source.unwrap();
        let written = &made.skeleton.joints()[new.joints[slot]].name;
        assert_eq!(written, &asset.source.joints[source], "{name}");
        let inverse = rebind.inverse_bind(joint, old.inverse_bind[slot]);
        let off = new.inverse_bind[slot].to_cols_array();
        for (one, two) in off.iter().zip(inverse.to_cols_array()) {
            assert!((one - two).abs() < 1e-5, "{name}");
        }
    }
    assert!(driven > 40, "{driven}");
    // Without being asked for there are none.
    rebone(["compile", &source, &target, "-o", &asset_path]).done();
    let plain = std::fs::read(&asset_path).unwrap();
    assert!(read_asset(&plain).unwrap().rebind.is_none());
    assert!(plain.len() < bytes.len());
}
