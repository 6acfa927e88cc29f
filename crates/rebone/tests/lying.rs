//! Bodies that lie, crawl or sit on the floor, measured on the posed skin.
//!
//! Prints what each body makes of each clip; `REBONE_HARD=FOLDER` also writes the results there, to be looked at.

use crate::common::{corpus, keep, made_here, mover, retargeted, with_meshes};
use rebone::model::Clip;
use rebone::model::kinematics::model_pose;
use rebone::model::sampling::sample_clip;
use rebone::{Recipe, Rig, Role};
use rebone_testkit::sample::{characters, lying_clips};
use rebone_testkit::skin::PosedSkin;

/// Frames of a clip that are looked at.
const FRAMES: usize = 24;

/// A girl of VRM, and a robot with arms longer than its legs, of the corpus.
const BODIES: [&str; 2] = [
    "vrm/godot-vrm/vrm_samples/Godette_vrm_v4.vrm",
    "raylib/examples/models/resources/models/gltf/robot.glb",
];

/// How deep a vertex of the body is in the floor at most, percent of the height, and how far the lowest is above it.
fn off_floor(rig: &Rig, clip: &Clip) -> [f64; 2] {
    let skeleton = &rig.character.skeleton;
    let joints = rig.map.slots.values().flat_map(|found| &found.joints);
    let mut is_body = vec![false; skeleton.len()];
    joints.for_each(|&joint| is_body[joint] = true);
    let (start, end) = clip.time_span();
    let up = rig.alignment.canonical_from_file;
    let mut most = [0.0_f64; 2];
    for frame in 0..FRAMES {
        let time = start + (end - start) * frame as f32 / (FRAMES - 1) as f32;
        let pose = model_pose(skeleton, &sample_clip(skeleton, clip, time));
        let skin = PosedSkin::new(&rig.character, &pose);
        let body = skin.vertices_of(|joint| is_body[joint]);
        let heights = body.iter().map(|&vertex| (up * skin.vertices[vertex]).y);
        let lowest = heights.fold(f64::INFINITY, f64::min);
        let lowest = 100.0 * lowest / rig.alignment.measures.height;
        most = [most[0].max(-lowest), most[1].max(lowest)];
    }
    most
}

#[test]
fn bodies_lie_on_the_floor() {
    let all = characters();
    let mut bodies = vec![
        ("brute", made_here(all[1].clone())),
        ("chibi", made_here(all[2].clone())),
    ];
    if let Some(corpus) = corpus() {
        let more = ["girl", "robot"].into_iter().zip(BODIES);
        bodies
            .extend(more.map(|(name, file)| (name, with_meshes(&corpus.join(file), Role::Target))));
    }
    for clip in lying_clips() {
        let source = mover(&all[0], &clip);
        let own = off_floor(&source, &clip);
        println!(
            "{}: in the floor and above it {own:.2?} % of the height",
            clip.name
        );
        for (body, target) in &bodies {
            let name = format!("{} on {body}", clip.name);
            let made = retargeted(&source, target, &Recipe::default());
            keep(&name, target, &made.clip);
            let found = off_floor(target, &made.clip);
            let step = made.report.pops.as_ref().unwrap().step_added_degrees;
            println!("{name}: {found:.2?}, {step:.1} degrees added in a frame");
            // The robot's forearms and shins are as thick as its thighs are long: level ones stay in the floor.
            let deepest = if *body == "robot" { 8.0 } else { 0.5 };
            assert!(found[0] < deepest && found[1] < 1.0, "{name}: {found:?}");
            assert!(step < 5.0, "{name}: {step} degrees");
        }
    }
}
