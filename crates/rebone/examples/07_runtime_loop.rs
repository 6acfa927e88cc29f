//! One source pose drives three characters every frame, without allocating.
//!
//! `cargo run --example 07_runtime_loop`

use rebone::core::runtime::{Workspace, apply_pose};
use rebone::model::sampling::sample_clip_into;
use rebone::{ReadOptions, Recipe, Rig, Role, read, retarget};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let alone = |uri: &str| Err(format!("{uri} is not needed"));
    let open = |bytes: &[u8], role| -> Result<Rig, Box<dyn std::error::Error>> {
        Ok(Rig::new(
            read(bytes, &ReadOptions::default(), &alone)?,
            role,
            None,
        )?)
    };
    let source = open(include_bytes!("../../../data/walk.bvh"), Role::Source)?;
    let clip = &source.character.clips[0];
    let heroes = [
        open(include_bytes!("../../../data/adult.glb"), Role::Target)?,
        open(include_bytes!("../../../data/brute.glb"), Role::Target)?,
        open(include_bytes!("../../../data/chibi.vrm"), Role::Target)?,
    ];

    let mut crowd = Vec::new();
    for hero in &heroes {
        let plan = retarget(&source, hero, &[], &Recipe::default())?
            .compiled
            .plan;
        let pose = plan.target.rest_pose();
        let workspace = Workspace::new(&plan);
        crowd.push((plan, pose, workspace));
    }

    let mut source_pose = source.character.skeleton.rest_pose();
    for frame in 0..60 {
        sample_clip_into(clip, frame as f32 / 60.0, &mut source_pose);
        for (plan, pose, workspace) in &mut crowd {
            apply_pose(plan, &source_pose, pose, workspace);
        }
    }
    for (hero, (_, pose, _)) in heroes.iter().zip(&crowd) {
        let hips = hero.map.joint_named("hips").unwrap_or(0);
        println!(
            "{:10} hips at {:.3}",
            hero.character.name,
            pose.transforms()[hips].translation
        );
    }
    Ok(())
}
