//! Bodies that lie, crawl or sit on the floor, measured on the posed skin.
//!
//! Prints what each body makes of each clip; `REBONE_HARD=FOLDER` also writes the results there, to be looked at.

use crate::common::{corpus, keep, made_here, mover, retargeted, with_meshes};
use rebone::model::Clip;
use rebone::model::kinematics::model_pose;
use rebone::model::sampling::sample_clip;
use rebone::report::ConstantKind;
use rebone::setup::profile::Part;
use rebone::{Recipe, Rig, Role};
use rebone_samples::{characters, lying_clips};
use rebone_testkit::skin::PosedSkin;

/// Frames of a clip that are looked at.
const FRAMES: usize = 24;

/// A girl of VRM, and a robot with arms longer than its legs, of the corpus.
const BODIES: [&str; 2] = [
    "vrm/godot-vrm/vrm_samples/Godette_vrm_v4.vrm",
    "raylib/examples/models/resources/models/gltf/robot.glb",
];

/// How deep a vertex of the body is in the floor at most, percent of the height, how far the lowest is above it, and how far
/// the lowest of the hips.
fn off_floor(rig: &Rig, clip: &Clip) -> [f64; 3] {
    let skeleton = &rig.character.skeleton;
    let joints = rig.map.slots.values().flat_map(|found| &found.joints);
    let mut is_body = vec![false; skeleton.len()];
    joints.for_each(|&joint| is_body[joint] = true);
    let is_hips = |joint: usize| {
        let slots = rig.map.slots.iter();
        let mut hips = slots.filter(|(slot, _)| {
            matches!(
                rig.map.profile.info(**slot).part,
                Part::Hips | Part::UpperLeg
            )
        });
        hips.any(|(_, found)| found.joints.contains(&joint))
    };
    let (start, end) = clip.time_span();
    let up = rig.alignment.canonical_from_file;
    let mut most = [0.0_f64; 3];
    for frame in 0..FRAMES {
        let time = start + (end - start) * frame as f32 / (FRAMES - 1) as f32;
        let pose = model_pose(skeleton, &sample_clip(skeleton, clip, time));
        let skin = PosedSkin::new(&rig.character, &pose);
        let lowest = |counts: &dyn Fn(usize) -> bool| {
            let vertices = skin.vertices_of(counts).into_iter();
            let heights = vertices.map(|vertex| (up * skin.vertices[vertex]).y);
            100.0 * heights.fold(f64::INFINITY, f64::min) / rig.alignment.measures.height
        };
        let [body, hips] = [lowest(&|joint| is_body[joint]), lowest(&is_hips)];
        most = [most[0].max(-body), most[1].max(body), most[2].max(hips)];
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
            "{}: in the floor, above it, hips above it {own:.2?} % of the height",
            clip.name
        );
        for (body, target) in &bodies {
            let name = format!("{} on {body}", clip.name);
            let made = retargeted(&source, target, &Recipe::default());
            keep(&name, target, &made.clip);
            let found = off_floor(target, &made.clip);
            let step = made.report.pops.as_ref().unwrap().step_added_degrees;
            // What was turned so that the body rests on the floor is no error.
            let constant = made.report.constant.iter();
            let of_trunk = constant.filter(|error| error.kind != ConstantKind::Leg);
            let constant = of_trunk.map(|error| error.degrees).fold(0.0, f64::max);
            println!(
                "{name}: {found:.2?}, {step:.1} degrees added in a frame, {constant:.1} degrees off all the time"
            );
            // The robot's forearms and shins are as thick as its thighs are long, and its head is as large as its trunk: level
            // limbs stay in the floor, and hips above it.
            let [deepest, hips, off] = match *body {
                "robot" => [9.0, 21.0, 21.0],
                _ => [0.5, 4.0, 10.0],
            };
            assert!(found[0] < deepest && found[1] < 1.0, "{name}: {found:?}");
            if clip.name.starts_with("lying") {
                assert!(found[2] < hips, "{name}: {found:?}");
            }
            assert!(constant < off, "{name}: {constant} degrees");
            assert!(step < 5.0, "{name}: {step} degrees");
        }
    }
}
