//! What a browser shows: avatars and VRM animations that Rebone writes, played by @pixiv/three-vrm.
//!
//! Needs Node.js and the packages that `xtask/play_vrm.mjs` names, in the folder of the environment
//! variable `REBONE_NODE_MODULES`; without them nothing is checked, which the test says.
use crate::common::{Scratch, corpus, data, output, rebone};
use rebone::model::kinematics::model_pose;
use rebone::model::sampling::sample_clip;
use rebone::model::{Character, Clip, CurveTarget, Vec3};
use rebone::{ReadOptions, Rig, Role};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

/// How far a joint may be from where Rebone has it, metres.
const TOLERANCE: f32 = 1e-4;
/// How far a morph weight may be off.
const WEIGHT_TOLERANCE: f32 = 1e-4;
const TIMES: u8 = 10;
/// VRM's names; all of them mean the same joint in both versions.
const JOINTS: [&str; 9] = [
    "hips",
    "head",
    "leftHand",
    "rightHand",
    "leftFoot",
    "rightFoot",
    "leftLowerArm",
    "leftThumbDistal",
    "rightThumbDistal",
];

/// The folder with the packages.
fn packages() -> Option<PathBuf> {
    let folder = std::env::var_os("REBONE_NODE_MODULES").map(PathBuf::from);
    let folder = folder.and_then(|folder| std::path::absolute(folder).ok());
    let has = |folder: &PathBuf| {
        let modules = folder.join("node_modules/@pixiv");
        modules.join("three-vrm").is_dir() && modules.join("three-vrm-animation").is_dir()
    };
    let runs = || Command::new("node").arg("--version").output().is_ok();
    let found = folder.filter(|folder| has(folder) && runs());
    if found.is_none() {
        println!(
            "SKIPPED: players of VRM; REBONE_NODE_MODULES names no folder with @pixiv/three-vrm"
        );
    }
    found
}

/// One line a request, as the player prints them.
fn play(packages: &Path, requests: &[Value], scratch: &Scratch) -> Vec<Value> {
    let request = scratch.path("request.json");
    std::fs::write(&request, Value::from(requests).to_string()).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../xtask/play_vrm.mjs");
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

fn read(path: &str) -> Character {
    let bytes = std::fs::read(path).unwrap();
    let refuse = |uri: &str| Err(uri.to_owned());
    let document = rebone::read(&bytes, &ReadOptions::default(), &refuse).unwrap();
    Rig::new(document, Role::Target, None).unwrap().character
}

/// An avatar with a new clip, and the same as a VRM animation.
struct Case {
    name: String,
    character: Character,
    avatar: String,
    animation: String,
}

impl Case {
    fn new(source: &str, clip: Option<&str>, target: &str) -> Self {
        let stem = |path: &str| {
            Path::new(path)
                .file_stem()
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned()
        };
        let name = format!("{} onto {}", stem(source), stem(target));
        let [avatar, animation] = ["vrm", "vrma"].map(|extension| {
            let path = output(&format!("played {name}.{extension}"));
            let mut arguments = vec!["retarget", source, target, "-o", &path];
            if let Some(clip) = clip {
                arguments.extend(["--clip", clip]);
            }
            rebone(arguments).done();
            path
        });
        Self {
            name,
            character: read(&avatar),
            avatar,
            animation,
        }
    }

    fn clip(&self) -> &Clip {
        self.character.clips.last().unwrap()
    }

    fn times(&self) -> Vec<f32> {
        let seconds = self.clip().seconds();
        let step = seconds / f32::from(TIMES - 1);
        (0..TIMES).map(|time| f32::from(time) * step).collect()
    }

    /// The avatar's own clip, and the animation on the avatar as it was.
    fn requests(&self, target: &str) -> [Value; 2] {
        let times = self.times();
        [
            json!({"avatar": self.avatar, "clip": self.clip().name, "times": times, "joints": JOINTS}),
            json!({"avatar": target, "animation": self.animation, "times": times, "joints": JOINTS}),
        ]
    }

    /// The farthest that any joint is from where it should be, and what moved most from its rest.
    fn compare(&self, played: &Value) -> (f32, f32) {
        let skeleton = &self.character.skeleton;
        let rest = model_pose(skeleton, &skeleton.rest_pose());
        let (mut off, mut moved, mut compared) = (0.0f32, 0.0f32, 0);
        for label in &self.character.labels {
            let Some(places) = played["joints"].get(&label.label) else {
                continue;
            };
            for (time, place) in self.times().into_iter().zip(places.as_array().unwrap()) {
                let pose = model_pose(skeleton, &sample_clip(skeleton, self.clip(), time));
                let ours = pose.position(label.joint);
                let theirs: Vec<f32> = serde_json::from_value(place.clone()).unwrap();
                off = off.max(ours.distance(Vec3::from_slice(&theirs)));
                moved = moved.max(ours.distance(rest.position(label.joint)));
                compared += 1;
            }
        }
        assert!(compared >= 40, "{}: only {compared} places", self.name);
        (off, moved)
    }
}

fn avatars() -> Vec<String> {
    let mut avatars = vec![data("chibi.vrm")];
    if let Some(corpus) = corpus() {
        for path in [
            "vrm/godot-vrm/vrm_samples/Godette_vrm_v4.vrm",
            "vrm/bevy_vrm/assets/cool_loops.vrm",
            "vrm/saturday06/tests/resources/unity/VrmaInspector/Assets/StreamingAssets/Example.vrm",
            "vrm/saturday06/tests/resources/unity/VrmaRecorder/debug_robot.vrm",
            "vrm/saturday06/tests/resources/vrm/5.2/out/blend/modifier_shapekey_vrm1.vrm",
        ] {
            let path = corpus.join(path);
            assert!(path.is_file(), "{}", path.display());
            avatars.push(path.to_str().unwrap().to_owned());
        }
    }
    avatars
}

/// VRM and VRMA outputs play in three-vrm, with hips and hands where Rebone has them.
#[test]
fn joints_are_where_a_player_has_them() {
    let Some(packages) = packages() else {
        return;
    };
    let scratch = Scratch::new();
    let mut sources = vec![data("walk.glb"), data("sit_stand.bvh")];
    if let Some(corpus) = corpus() {
        let idle = corpus.join("vrm/chatvrm/public/idle_loop.vrma");
        sources.push(idle.to_str().unwrap().to_owned());
    }
    let mut cases = Vec::new();
    let mut requests = Vec::new();
    for target in avatars() {
        for source in &sources {
            let case = Case::new(source, None, &target);
            requests.extend(case.requests(&target));
            cases.push(case);
        }
    }
    let played = play(&packages, &requests, &scratch);
    let mut wrong = Vec::new();
    for (case, played) in cases.iter().zip(played.chunks(2)) {
        for (kind, played) in ["vrm", "vrma"].into_iter().zip(played) {
            let (off, moved) = case.compare(played);
            println!(
                "{} as {kind}: {off:.1e} m off of {moved:.3} m moved",
                case.name
            );
            assert!(moved > 0.01, "{} as {kind} does not move", case.name);
            if off > TOLERANCE {
                wrong.push(format!("{} as {kind}: {off} m", case.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Expressions that drive an avatar's morph targets do what the player makes of the expressions.
#[test]
fn expressions_show_the_same_face() {
    let (Some(packages), Some(corpus)) = (packages(), corpus()) else {
        return;
    };
    let scratch = Scratch::new();
    let corpus_file = |path: &str| corpus.join(path).to_str().unwrap().to_owned();
    let source =
        corpus_file("vrm/three-vrm/packages/three-vrm-animation/examples/models/test.vrma");
    let has_expression = read(&source).clips.iter().any(|clip| {
        let mut targets = clip.curves.iter().map(rebone::model::Curve::target);
        targets.any(|target| matches!(target, CurveTarget::Expression { .. }))
    });
    assert!(has_expression, "the source has lost its expressions");
    let target = corpus_file("vrm/godot-vrm/vrm_samples/Godette_vrm_v4.vrm");
    let case = Case::new(&source, None, &target);
    let played = play(&packages, &case.requests(&target), &scratch);
    let morphs = |played: &Value| -> Vec<Vec<f32>> {
        serde_json::from_value(played["morphs"]["Face"].clone()).unwrap()
    };
    let (own, expressed) = (morphs(&played[0]), morphs(&played[1]));
    let mut most = 0.0f32;
    for (own, expressed) in own.iter().zip(&expressed) {
        for (a, b) in own.iter().zip(expressed) {
            assert!((a - b).abs() < WEIGHT_TOLERANCE, "{own:?} {expressed:?}");
            most = most.max(*a);
        }
    }
    assert_eq!(own.len(), usize::from(TIMES));
    assert!(most > 0.1, "no morph target moves");
}
