//! Re-based skins in an independent player: three.js, driven by the source's raw rotations.
//!
//! Needs Node.js and the package that `xtask/skinned_vertices.mjs` names, in the folder of the environment
//! variable `REBONE_NODE_MODULES`; without it nothing is checked, which the test says.
use crate::common::{Scratch, corpus, data, output, rebone};
use rebone::{ReadOptions, Rig, Role};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

/// How far a vertex may be from where the retarget has it, of the height.
const TOLERANCE: f64 = 1e-4;

/// The folder with the package.
fn packages() -> Option<PathBuf> {
    let folder = std::env::var_os("REBONE_NODE_MODULES").map(PathBuf::from);
    let folder = folder.and_then(|folder| std::path::absolute(folder).ok());
    let runs = || Command::new("node").arg("--version").output().is_ok();
    let found = folder.filter(|folder| folder.join("node_modules/three").is_dir() && runs());
    if found.is_none() {
        println!(
            "SKIPPED: re-based skins in three.js; REBONE_NODE_MODULES names no folder with three"
        );
    }
    found
}

/// What the player found, one value a request.
fn play(packages: &Path, requests: &[Value]) -> Vec<Value> {
    let scratch = Scratch::new();
    let request = scratch.path("request.json");
    std::fs::write(&request, Value::from(requests).to_string()).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../xtask/skinned_vertices.mjs");
    let run = Command::new("node")
        .arg(script)
        .arg(request)
        .env("REBONE_NODE_MODULES", packages)
        .output()
        .unwrap();
    assert!(
        run.status.success(),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
    let lines = String::from_utf8(run.stdout).unwrap();
    let played: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(played.len(), requests.len());
    played
}

/// A clip, a character, and whether its torso is cut as the source's, so that a node can do what a retarget
/// does.
struct Pair {
    source: String,
    clip: &'static str,
    target: String,
    is_exact: bool,
}

fn pairs() -> Vec<Pair> {
    let pair = |source: &str, clip, target: &str, is_exact| Pair {
        source: data(source),
        clip,
        target: data(target),
        is_exact,
    };
    let mut pairs = vec![
        pair("walk.glb", "walk", "adult.glb", true),
        pair("jump.glb", "jump", "adult.glb", true),
        pair("jump.glb", "jump", "chibi.vrm", true),
        pair("walk.glb", "walk", "brute.glb", false),
        pair("sit_stand.glb", "sit_stand", "chibi.vrm", false),
    ];
    let Some(corpus) = corpus() else {
        return pairs;
    };
    let file = |path: &str| corpus.join(path).to_str().unwrap().to_owned();
    const CHOP: &str = "Rig_Medium|Melee_1H_Attack_Chop";
    let fight = "kaykit_anim/res/anim/Med_CombatMelee.glb";
    let robot = "raylib/examples/models/resources/models/gltf/robot.glb";
    let human = "quaternius/public/glb/platformer_game_pack/Character_HumanoidRig.glb";
    for (source, clip, target, is_exact) in [
        (
            fight,
            CHOP,
            "gltf_misc/sketchbook/build/assets/boxman.glb",
            true,
        ),
        (fight, CHOP, robot, true),
        (
            fight,
            CHOP,
            "vrm/godot-vrm/vrm_samples/Godette_vrm_v4.vrm",
            true,
        ),
        (fight, CHOP, human, true),
        // Feet and legs that hang from other joints than in the target.
        (robot, "Robot_Running", human, true),
        (
            robot,
            "Robot_Dance",
            "gltf_misc/wicked/Content/models/CesiumMan.glb",
            true,
        ),
        (fight, CHOP, "mpfb/derived/mpfb_mixamo.glb", false),
        (fight, CHOP, "mpfb/derived/mpfb_game_engine.glb", false),
    ] {
        pairs.push(Pair {
            source: file(source),
            clip,
            target: file(target),
            is_exact,
        });
    }
    pairs
}

/// The re-based character driven by the raw rotations of the source's own file, and by its own clip, shows
/// what `rebone retarget` shows: every skinned vertex within 1e-4 of the height.
#[test]
fn raw_rotations_show_what_a_retarget_shows() {
    let Some(packages) = packages() else { return };
    let pairs = pairs();
    let scratch = Scratch::new();
    let mut requests = Vec::new();
    let mut names = Vec::new();
    for (index, pair) in pairs.iter().enumerate() {
        let stem = |path: &str| {
            Path::new(path)
                .file_stem()
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned()
        };
        let name = format!("{} onto {}", stem(&pair.source), stem(&pair.target));
        // What a retarget writes into somebody's file is as valid as that was; other tests look at it.
        let paths = [
            output(&format!("rebound {index} {name}.glb")),
            scratch.path(&format!("retargeted {index}.glb")),
        ];
        // Raw rotations reach for nothing, so feet, hands and what lies are left as transferred.
        let plain = [
            ["--feet", "off"],
            ["--hands", "off"],
            ["--ground", "0"],
            ["--own-body", "0"],
        ];
        let plain = &plain.concat()[..];
        let commands = [("rebind", &[][..]), ("retarget", plain)];
        for ((command, more), path) in commands.into_iter().zip(&paths) {
            let own = [command, &pair.source, &pair.target, "-o", path];
            let clip = ["--clip", pair.clip];
            rebone(own.iter().chain(&clip).chain(more)).done();
        }
        let times = key_times(pair);
        let [rebound, retargeted] = &paths;
        let own = json!({"rebound": rebound, "retargeted": retargeted, "clip": pair.clip, "times": times});
        let mut raw = own.clone();
        raw["source"] = json!(pair.source);
        requests.extend([raw, own]);
        names.push(name);
    }
    let played = play(&packages, &requests);
    let mut wrong = Vec::new();
    for ((pair, name), played) in pairs.iter().zip(&names).zip(played.chunks(2)) {
        for (driver, found) in ["the source's file", "its own clip"]
            .into_iter()
            .zip(played)
        {
            let number = |key: &str| found[key].as_f64().unwrap();
            let height = number("height");
            let (worst, mean) = (number("worst") / height, number("mean") / height);
            println!(
                "{name}, driven by {driver}: vertices {} off by {worst:.1e} of the height at most, {mean:.1e} on average",
                found["vertices"]
            );
            assert!(
                number("vertices") >= 100.0 && number("tracks") >= 10.0,
                "{name}: {found}"
            );
            assert_eq!(number("unmatched"), 0.0, "{name}: {found}");
            assert!(number("moved") > 0.01 * height, "{name} does not move");
            if pair.is_exact && worst > TOLERANCE {
                wrong.push(format!("{name}, driven by {driver}: {worst:.1e}"));
            }
            assert!(worst < 0.2, "{name}: {worst}");
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Some of the clip's key times: between them a retarget interpolates what it has computed at keys.
fn key_times(pair: &Pair) -> Vec<f32> {
    let bytes = std::fs::read(&pair.source).unwrap();
    let refuse = |uri: &str| Err(uri.to_owned());
    let document = rebone::read(&bytes, &ReadOptions::default(), &refuse).unwrap();
    let rig = Rig::new(document, Role::Source, None).unwrap();
    let times = rig.clips(&[pair.clip.to_owned()]).unwrap()[0].key_times();
    let every = times.len().div_ceil(6);
    times.into_iter().step_by(every).collect()
}
