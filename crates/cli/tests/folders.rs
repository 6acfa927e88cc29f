//! A folder of motion files as one source.

use crate::common::{Scratch, data, rebone};

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(data(name)).unwrap()
}

/// A folder with a BVH, two GLBs whose clips have one name, and things that are no motion.
fn moves() -> Scratch {
    let folder = Scratch::new();
    folder.file("b_march.bvh", &sample("walk.bvh"));
    folder.file("a_stroll.glb", &sample("walk.glb"));
    folder.file("c_stride.glb", &sample("walk.glb"));
    folder.file("hero.glb", &sample("adult.glb"));
    folder.file("notes.txt", b"Dear reader,\n");
    folder.file("list.json", b"{\"files\": 3}");
    folder.file(".hidden.glb", b"no glTF");
    folder
}

fn clip_names(json: &serde_json::Value) -> Vec<&str> {
    let clips = json["clips"].as_array().unwrap();
    clips.iter().map(|c| c["name"].as_str().unwrap()).collect()
}

#[test]
fn all_clips_of_a_folder_go_into_one_file() {
    let (folder, results) = (moves(), Scratch::new());
    let (from, out) = (folder.path(""), results.path("out.glb"));
    let base = ["retarget", &from, &data("brute.glb"), "-o", &out, "--json"];
    let run = rebone(base).done();
    let json = run.json();
    assert_eq!(clip_names(&json), ["a_stroll", "b_march", "c_stride"]);
    for (clip, file) in json["clips"].as_array().unwrap().iter().zip([
        "a_stroll.glb",
        "b_march.bvh",
        "c_stride.glb",
    ]) {
        assert!(clip["source"].as_str().unwrap().ends_with(file), "{clip}");
        assert!(clip["root_scale"]["horizontal"].as_f64().unwrap() > 0.5);
    }
    for skipped in ["notes.txt", "list.json", "hero.glb"] {
        assert!(run.err.contains(skipped), "{}", run.err);
    }
    assert!(!run.err.contains(".hidden"), "{}", run.err);
    let found = rebone(["inspect", &out, "--json"]).done().json();
    let names = clip_names(&found);
    assert!(
        names.ends_with(&["a_stroll", "b_march", "c_stride"]),
        "{names:?}"
    );

    // A clip of a folder is the clip of its file.
    let (all, one) = (results.path("one_of.glb"), results.path("one.glb"));
    let march = folder.path("b_march.bvh");
    let brute = data("brute.glb");
    rebone(["retarget", &from, &brute, "-o", &all, "--clip", "b_march"]).done();
    rebone(["retarget", &march, &brute, "-o", &one]).done();
    assert_eq!(std::fs::read(&all).unwrap(), std::fs::read(&one).unwrap());
}

#[test]
fn target_and_result_may_lie_in_the_folder() {
    let folder = moves();
    let (from, target, out) = (
        folder.path(""),
        folder.path("hero.glb"),
        folder.path("out.glb"),
    );
    for _ in 0..2 {
        let json = rebone(["retarget", &from, &target, "-o", &out, "--json"])
            .done()
            .json();
        assert_eq!(clip_names(&json), ["a_stroll", "b_march", "c_stride"]);
    }
}

/// A motion of something without limbs.
const BOX: &str = "HIERARCHY\nROOT box\n{\nOFFSET 0 0 0\n\
    CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n\
    End Site\n{\nOFFSET 0 1 0\n}\n}\n\
    MOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0 0 0 0\n0 1 0 0 0 0\n";

#[test]
fn what_is_wrong_with_a_folder_is_said() {
    let folder = moves();
    let results = Scratch::new();
    let out = results.path("out.glb");
    let (from, brute) = (folder.path(""), data("brute.glb"));
    let fails = |arguments: &[&str], words: &[&str]| {
        let run = rebone(arguments);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{}", run.err);
        for word in words {
            assert!(run.err.contains(word), "no {word} in {}", run.err);
        }
        assert_eq!(results.files(), Vec::<String>::new());
    };
    let base = ["retarget", &from, &brute, "-o", &out];
    fails(
        &[&base[..], &["--clip", "march"]].concat(),
        &["did you mean", "b_march"],
    );
    let bvh = results.path("out.bvh");
    fails(
        &["retarget", &from, &brute, "-o", &bvh],
        &["a BVH holds one clip, but 3", "a_stroll"],
    );
    folder.file("d_broken.glb", b"glTF\x02\0\0\0");
    fails(&base, &["d_broken.glb"]);
    std::fs::remove_file(folder.path("d_broken.glb")).unwrap();
    folder.file("e_box.bvh", BOX.as_bytes());
    let there = folder.path("e_box.bvh");
    let command = format!("rebone map {there} {brute}");
    fails(&base, &[&command, "be left out"]);

    let empty = Scratch::new();
    empty.file("notes.txt", b"Dear reader,\n");
    empty.file("hero.glb", &sample("adult.glb"));
    fails(
        &["retarget", &empty.path(""), &brute, "-o", &out],
        &[
            "no file in this folder holds a motion",
            "without motion: hero.glb",
        ],
    );
}
