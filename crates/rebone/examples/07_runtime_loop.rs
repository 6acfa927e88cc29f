//! One source pose drives three characters every frame, without allocating.
//!
//! `cargo run --example 07_runtime_loop`

use rebone::model::sampling::sample_clip_into;
use rebone::runtime::Retargeter;
use rebone::{ReadOptions, Recipe, Rig, Role, compile_asset, read};

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

    // A game does this part beforehand and loads the `.retarget` file.
    let mut crowd = Vec::new();
    for hero in &heroes {
        let (asset, _) = compile_asset(&source, hero, &[], &Recipe::default())?;
        let retargeter = Retargeter::new(asset.plan);
        let pose = retargeter.plan().target.rest_pose();
        let workspace = retargeter.workspace();
        crowd.push((retargeter, pose, workspace));
    }

    let mut source_pose = source.character.skeleton.rest_pose();
    for frame in 0..60 {
        sample_clip_into(clip, frame as f32 / 60.0, &mut source_pose);
        for (retargeter, pose, workspace) in &mut crowd {
            retargeter.apply_pose(&source_pose, pose, workspace);
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
