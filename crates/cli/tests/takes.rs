//! Takes of one rig in one folder: where one shows how the joints lie, the others need no rest pose.

use crate::common::{Scratch, data, rebone, rebone_as_typed};

/// A person whose bones lie along +Y, and the channels of all joints.
const PERSON: &str = "HIERARCHY
ROOT Hips {
OFFSET 0 0 0
CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
JOINT Spine { OFFSET 0 10 0 CHANNELS 3 Zrotation Xrotation Yrotation
JOINT Neck { OFFSET 0 40 0 CHANNELS 3 Zrotation Xrotation Yrotation
JOINT Head { OFFSET 0 10 0 CHANNELS 3 Zrotation Xrotation Yrotation
End Site { OFFSET 0 20 0 } } }
JOINT LeftArm { OFFSET 18 38 0 CHANNELS 3 Zrotation Xrotation Yrotation
JOINT LeftForeArm { OFFSET 0 28 0 CHANNELS 3 Zrotation Xrotation Yrotation
JOINT LeftHand { OFFSET 0 25 0 CHANNELS 3 Zrotation Xrotation Yrotation
End Site { OFFSET 0 15 0 } } } }
JOINT RightArm { OFFSET -18 38 0 CHANNELS 3 Zrotation Xrotation Yrotation
JOINT RightForeArm { OFFSET 0 28 0 CHANNELS 3 Zrotation Xrotation Yrotation
JOINT RightHand { OFFSET 0 25 0 CHANNELS 3 Zrotation Xrotation Yrotation
End Site { OFFSET 0 15 0 } } } } }
JOINT LeftUpLeg { OFFSET 10 0 0 CHANNELS 3 Zrotation Xrotation Yrotation
JOINT LeftLeg { OFFSET 0 42 0 CHANNELS 3 Zrotation Xrotation Yrotation
JOINT LeftFoot { OFFSET 0 42 0 CHANNELS 3 Zrotation Xrotation Yrotation
JOINT LeftToe { OFFSET 0 15 0 CHANNELS 3 Zrotation Xrotation Yrotation
End Site { OFFSET 0 6 0 } } } } }
JOINT RightUpLeg { OFFSET -10 0 0 CHANNELS 3 Zrotation Xrotation Yrotation
JOINT RightLeg { OFFSET 0 42 0 CHANNELS 3 Zrotation Xrotation Yrotation
JOINT RightFoot { OFFSET 0 42 0 CHANNELS 3 Zrotation Xrotation Yrotation
JOINT RightToe { OFFSET 0 15 0 CHANNELS 3 Zrotation Xrotation Yrotation
End Site { OFFSET 0 6 0 } } } } }
}
";

/// A take: for each frame how far the left and the right thigh are raised. Both arms point ahead where they are.
fn take(thighs: impl Iterator<Item = [f64; 2]>) -> String {
    let frames: Vec<String> = thighs
        .map(|[left, right]| {
            let height = 92.0 - 0.3 * left.max(right);
            let [ahead, lean] = if left > 0.0 || right > 0.0 {
                [80.0, 35.0]
            } else {
                [0.0, 0.0]
            };
            let none = "0 0 0";
            let leg = |raised: f64| {
                let (thigh, shin) = (format!("180 {raised} 0"), format!("0 {} 0", -1.4 * raised));
                format!("{thigh} {shin} 0 80 0 {none}")
            };
            let arm = |side: f64| format!("{} {ahead} 0 0 {} 0 {none}", -90.0 * side, 0.9 * ahead);
            format!(
                "0 {height} 0 {none} 0 {lean} 0 {none} {none} {} {} {} {}",
                arm(1.0),
                arm(-1.0),
                leg(left),
                leg(right)
            )
        })
        .collect();
    format!(
        "{PERSON}MOTION\nFrames: {}\nFrame Time: 0.033333\n{}\n",
        frames.len(),
        frames.join("\n")
    )
}

fn folder() -> Scratch {
    let folder = Scratch::new();
    let run = (0..24).map(|frame| {
        let phase = f64::from(frame) * 0.26;
        [60.0 + 25.0 * phase.sin(), 60.0 - 25.0 * phase.sin()]
    });
    folder.file("run.bvh", take(run).as_bytes());
    let stand = std::iter::repeat_n([0.0, 0.0], 24);
    folder.file("stand.bvh", take(stand).as_bytes());
    folder
}

fn has_warning(warnings: &serde_json::Value, code: &str) -> bool {
    let mut all = warnings.as_array().unwrap().iter();
    all.any(|warning| warning["code"] == code)
}

#[test]
fn a_folder_of_takes_is_read_with_the_one_that_stands() {
    let (takes, scratch) = (folder(), Scratch::new());
    let (run, adult) = (takes.path("run.bvh"), data("adult.glb"));
    // Alone it is refused or guessed, and says so.
    let alone = rebone([
        "retarget",
        &run,
        &adult,
        "-o",
        &scratch.path("alone.glb"),
        "--json",
    ]);
    assert!(!alone.err.contains("rest-from-take") && !alone.out.contains("rest-from-take"));
    let together = rebone([
        "retarget",
        &takes.path(""),
        &adult,
        "-o",
        &scratch.path("together.glb"),
        "--json",
    ]);
    assert!(has_warning(
        &together.done().json()["warnings"],
        "rest-from-take"
    ));
}

#[test]
fn a_batch_names_the_take_that_gave_the_pose() {
    let (takes, scratch) = (folder(), Scratch::new());
    let out = scratch.path("out");
    let (from, adult) = (takes.path(""), data("adult.glb"));
    let go = || rebone_as_typed(["batch", &from, "-t", &adult, "-o", &out, "--json"]).json();
    let entry = || {
        let text = std::fs::read_to_string(format!("{out}/manifest.jsonl")).unwrap();
        let mut entries = text.lines().map(|line| serde_json::from_str(line).unwrap());
        let of_run =
            |entry: &serde_json::Value| entry["source"].as_str().unwrap().ends_with("run.bvh");
        entries.rfind(of_run).unwrap()
    };
    assert_eq!(go()["jobs"], 2);
    let first = entry();
    assert!(has_warning(&first["warnings"], "rest-from-take"), "{first}");
    assert!(
        first["rest"]["source"]
            .as_str()
            .unwrap()
            .ends_with("stand.bvh")
    );
    assert_eq!(go()["up_to_date"], 2);
    // Another take that stands: what was made with the old one is made again.
    takes.file(
        "stand.bvh",
        take(std::iter::repeat_n([0.0, 0.0], 30)).as_bytes(),
    );
    assert_eq!(go()["up_to_date"], 0);
    assert_ne!(entry()["rest"]["sha256"], first["rest"]["sha256"]);
}

/// One motion can be drawn in the two likeliest ways to read it.
#[test]
fn the_ways_to_read_a_file_are_drawn() {
    let (takes, scratch) = (folder(), Scratch::new());
    let (run, picture) = (takes.path("run.bvh"), scratch.path("readings.svg"));
    let drawn = rebone(["render", &run, "--readings", "-o", &picture, "--json"]).done();
    assert_eq!(drawn.json()["rows"].as_array().unwrap().len(), 2);
    let svg = std::fs::read_to_string(picture).unwrap();
    // The body leans ahead in every frame, so +Z would be up if +Y were not.
    assert!(svg.contains("+Y up") && svg.contains("+Z up"));
    let two = rebone([
        "render",
        &run,
        &run,
        "--readings",
        "-o",
        &scratch.path("two.svg"),
    ]);
    assert_eq!(two.code, 2);
}
