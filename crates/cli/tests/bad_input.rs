//! Whatever is wrong with a file: exit code 2, a message that names the file and says what to do,
//! nothing on standard output, and no output file.

use crate::common::{Glb, Scratch, data, rebone};
use serde_json::json;

/// Every way in which a source can be broken, made from the sample walk.
fn broken_sources() -> Vec<(&'static str, Vec<u8>)> {
    let glb = |edit: &dyn Fn(&mut Glb)| {
        let mut glb = Glb::sample("walk.glb");
        edit(&mut glb);
        glb.bytes()
    };
    let whole = Glb::sample("walk.glb").bytes();
    let bvh = std::fs::read_to_string(data("walk.bvh")).unwrap();
    let mut claims_4_gb = whole.clone();
    claims_4_gb[8..12].copy_from_slice(&u32::MAX.to_le_bytes());
    let mut chunk_of_4_gb = whole.clone();
    chunk_of_4_gb[12..16].copy_from_slice(&(u32::MAX - 3).to_le_bytes());
    vec![
        ("empty.glb", Vec::new()),
        ("header_only.glb", whole[..12].to_vec()),
        ("truncated_json.glb", whole[..200].to_vec()),
        ("truncated_bin.glb", whole[..whole.len() - 5000].to_vec()),
        ("claims_4_gb.glb", claims_4_gb),
        ("chunk_of_4_gb.glb", chunk_of_4_gb),
        ("picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec()),
        ("text.txt", b"Dear reader,\n".to_vec()),
        ("other.json", b"{\"name\": \"no glTF\"}".to_vec()),
        ("broken.gltf", b"{\"asset\": {\"version\": \"2.0\"".to_vec()),
        ("truncated.bvh", bvh.as_bytes()[..600].to_vec()),
        ("nan.bvh", replaced_number(&bvh, "nan")),
        ("inf.bvh", replaced_number(&bvh, "1e999")),
        (
            "nan_rotation.glb",
            glb(&|glb| {
                let output = glb.json["animations"][0]["samplers"][0]["output"].clone();
                let view = &glb.json["accessors"][output.as_u64().unwrap() as usize]["bufferView"];
                let view = &glb.json["bufferViews"][view.as_u64().unwrap() as usize];
                let at = view["byteOffset"].as_u64().unwrap_or(0) as usize;
                glb.bin[at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes());
            }),
        ),
        (
            "inf_rest.glb",
            glb(&|glb| glb.json["nodes"][0]["translation"] = json!([1e300, 0, 0])),
        ),
        (
            "cycle.glb",
            glb(&|glb| {
                let parent = first_parent(glb);
                let child = glb.json["nodes"][parent]["children"][0].as_u64().unwrap() as usize;
                let children = &mut glb.json["nodes"][child]["children"];
                if children.is_null() {
                    *children = json!([]);
                }
                children.as_array_mut().unwrap().push(json!(parent));
            }),
        ),
        (
            "child_out_of_range.glb",
            glb(&|glb| {
                let parent = first_parent(glb);
                glb.json["nodes"][parent]["children"][0] = json!(99_999);
            }),
        ),
        (
            "wrong_count.glb",
            glb(&|glb| {
                let output = glb.json["animations"][0]["samplers"][0]["output"].clone();
                glb.json["accessors"][output.as_u64().unwrap() as usize]["count"] = json!(3);
            }),
        ),
        (
            "accessor_out_of_range.glb",
            glb(&|glb| glb.json["animations"][0]["samplers"][0]["output"] = json!(54_321)),
        ),
        (
            "accessor_beyond_buffer.glb",
            glb(&|glb| {
                let input = glb.json["animations"][0]["samplers"][0]["input"].clone();
                let at = input.as_u64().unwrap() as usize;
                glb.json["accessors"][at]["count"] = json!(4_000_000_000u64);
            }),
        ),
        (
            "view_beyond_buffer.glb",
            glb(&|glb| {
                for view in glb.json["bufferViews"].as_array_mut().unwrap() {
                    view["byteLength"] = json!(4_294_967_295u64);
                }
            }),
        ),
        (
            "missing_buffer.glb",
            glb(&|glb| glb.json["buffers"][0]["uri"] = json!("not%20there.bin")),
        ),
        (
            "buffer_outside_folder.glb",
            glb(&|glb| glb.json["buffers"][0]["uri"] = json!("../../../etc/passwd")),
        ),
        (
            "absolute_buffer.glb",
            glb(&|glb| glb.json["buffers"][0]["uri"] = json!("/etc/passwd")),
        ),
        (
            "version_1.glb",
            glb(&|glb| glb.json["asset"]["version"] = json!("1.0")),
        ),
        (
            "clip_without_joints.glb",
            glb(&|glb| {
                for channel in glb.json["animations"][0]["channels"]
                    .as_array_mut()
                    .unwrap()
                {
                    channel["target"].as_object_mut().unwrap().remove("node");
                }
            }),
        ),
        (
            "clip_of_missing_joints.glb",
            glb(&|glb| {
                glb.json["animations"][0]["channels"][0]["target"]["node"] = json!(77_777);
            }),
        ),
        ("no_clip.glb", Glb::sample("adult.glb").bytes()),
    ]
}

/// The BVH with another text for the first number of its last row.
fn replaced_number(bvh: &str, number: &str) -> Vec<u8> {
    let mut lines: Vec<String> = bvh.lines().map(str::to_owned).collect();
    let last = lines.last_mut().unwrap();
    let rest = last.split_once(char::is_whitespace).unwrap().1.to_owned();
    *last = format!("{number} {rest}");
    lines.join("\n").into_bytes()
}

fn first_parent(glb: &Glb) -> usize {
    let nodes = glb.json["nodes"].as_array().unwrap();
    nodes.iter().position(|n| n["children"].is_array()).unwrap()
}

/// Runs a command that must fail because of `culprit`, and checks how it does.
fn must_fail(scratch: &Scratch, culprit: &str, arguments: &[&str]) -> String {
    let before = scratch.files();
    let run = rebone(arguments);
    assert_eq!(run.code, 2, "{culprit}: {}{}", run.out, run.err);
    if arguments.contains(&"--json") {
        let error = &run.json()["error"];
        for key in ["code", "message", "where", "remedy"] {
            assert!(error.get(key).is_some(), "{culprit}: no {key}: {error}");
        }
    } else {
        assert_eq!(run.out, "", "{culprit}: data in spite of an error");
    }
    let message = run.err.lines().last().unwrap_or_default().to_owned();
    assert!(message.starts_with("error: "), "{culprit}: {}", run.err);
    assert!(
        message.contains(culprit),
        "{culprit} is not named: {message}"
    );
    assert!(message.contains("; "), "{culprit}: no remedy: {message}");
    assert!(!run.err.contains("panicked"), "{culprit}: {}", run.err);
    assert!(
        !message.contains("was not made for"),
        "{culprit}: {message}"
    );
    assert_eq!(scratch.files(), before, "{culprit}: files were left behind");
    message
}

#[test]
fn broken_sources_are_refused() {
    for (name, bytes) in broken_sources() {
        let scratch = Scratch::new();
        let source = scratch.file(name, &bytes);
        let out = scratch.path("out.glb");
        let adult = data("adult.glb");
        for json in [false, true] {
            let mut arguments = vec!["retarget", &source, &adult, "-o", &out];
            arguments.extend(json.then_some("--json"));
            let message = must_fail(&scratch, name, &arguments);
            if json {
                println!("{message}");
            }
        }
    }
}

#[test]
fn broken_targets_are_refused() {
    let motion_only = [
        "clip_without_joints.glb",
        "clip_of_missing_joints.glb",
        "no_clip.glb",
    ];
    for (name, bytes) in broken_sources() {
        if motion_only.contains(&name) {
            continue;
        }
        let scratch = Scratch::new();
        let target = scratch.file(name, &bytes);
        let out = scratch.path("out.glb");
        must_fail(
            &scratch,
            name,
            &["retarget", &data("walk.bvh"), &target, "-o", &out],
        );
    }
}

#[test]
fn a_target_without_skeleton_is_refused() {
    let scratch = Scratch::new();
    let bare = br#"{"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"name":"Box"}]}"#;
    let target = scratch.file("box.gltf", bare);
    let out = scratch.path("out.glb");
    let walk = data("walk.bvh");
    let message = must_fail(
        &scratch,
        "box.gltf",
        &["retarget", &walk, &target, "-o", &out],
    );
    assert!(message.contains("no skeleton"), "{message}");
    // Looking into it is fine.
    let found = rebone(["inspect", &target, "--json"]).done().json();
    assert_eq!(found["skeletons"], json!([]));
    assert_eq!(found["warnings"][0]["code"], "no-skeleton");
}

#[test]
fn a_buffer_beside_the_file_is_found_and_no_other() {
    let scratch = Scratch::new();
    let mut glb = Glb::sample("walk.glb");
    glb.json["buffers"][0]["uri"] = json!("the%20motion.bin");
    scratch.file("the motion.bin", &glb.bin);
    let text = serde_json::to_vec(&glb.json).unwrap();
    let source = scratch.file("walk.gltf", &text);
    let out = scratch.path("out.glb");
    rebone(["retarget", &source, &data("brute.glb"), "-o", &out]).done();

    let inner = Scratch::new();
    scratch.file("private.bin", &glb.bin);
    glb.json["buffers"][0]["uri"] = json!("link.bin");
    let source = inner.file("walk.gltf", &serde_json::to_vec(&glb.json).unwrap());
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(scratch.path("private.bin"), inner.path("link.bin")).unwrap();
        let out = inner.path("out.glb");
        let adult = data("adult.glb");
        let message = must_fail(
            &inner,
            "walk.gltf",
            &["retarget", &source, &adult, "-o", &out],
        );
        assert!(message.contains("outside"), "{message}");
    }
}

#[test]
fn other_characters_than_humanoids_are_refused_with_a_way_out() {
    let scratch = Scratch::new();
    let stick = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\n\
                 JOINT b\n{\nOFFSET 0 1 0\nCHANNELS 3 Xrotation Yrotation Zrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n}\n\
                 MOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0 0 0 0\n1 1 1 1 1 1\n";
    let source = scratch.file("stick.bvh", stick.as_bytes());
    let out = scratch.path("out.glb");
    let adult = data("adult.glb");
    let message = must_fail(
        &scratch,
        "stick.bvh",
        &["retarget", &source, &adult, "-o", &out],
    );
    assert!(message.contains("rebone map"), "{message}");
}

/// Names come from strangers: what a terminal would obey is written out, on both streams.
#[cfg(unix)]
#[test]
fn names_cannot_command_the_terminal() {
    let scratch = Scratch::new();
    let walk = std::fs::read_to_string(data("walk.bvh")).unwrap();
    let evil = "\u{1b}]0;title\u{7}\u{9b}2J";
    let hostile = scratch.file(
        &format!("{evil}.bvh"),
        walk.replacen("Spine", &format!("Spine{evil}"), 1)
            .as_bytes(),
    );
    let missing = scratch.path(&format!("{evil}-missing.bvh"));
    let text = rebone(["inspect", &hostile, "--joints"]).done();
    let warned = rebone(["map", &hostile, &hostile]);
    let failed = rebone(["inspect", &missing]);
    for (about, shown) in [
        ("inspect", &text.out),
        ("inspect", &text.err),
        ("map", &warned.out),
        ("map", &warned.err),
        ("missing", &failed.err),
    ] {
        let obeyed = |letter: char| letter.is_control() && letter != '\n' && letter != '\t';
        assert!(!shown.contains(obeyed), "{about}: {shown:?}");
    }
    assert!(
        text.out.contains("Spine\\u{1b}]0;title\\u{7}\\u{9b}2J"),
        "{}",
        text.out
    );
    assert!(failed.err.contains("\\u{1b}]0;title"), "{}", failed.err);
    // A script gets the name as it is.
    let json = rebone(["inspect", &hostile, "--joints", "--json"])
        .done()
        .json();
    assert!(json.to_string().contains("Spine\\u001b]0;title"), "{json}");
}
