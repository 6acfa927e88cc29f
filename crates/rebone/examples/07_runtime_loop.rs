//! A game's loop: one source pose drives a character every frame, without allocating.
//!
//! `cargo run --example 07_runtime_loop`

use rebone::model::sampling::sample_clip_into;
use rebone::runtime::Retargeter;
use rebone::{Retarget, Rig};

fn main() -> rebone::Result<()> {
    let walk = Rig::open("data/walk.bvh")?;
    let hero = Rig::open("data/brute.glb")?;
    let (asset, _) = Retarget::new(&walk, &hero).compile()?;
    let retargeter = Retargeter::new(asset.plan);
    let mut character = retargeter.workspace();
    character.set_elapsed(Some(1.0 / 60.0));
    let mut source_pose = walk.character.skeleton.rest_pose();
    let mut pose = hero.character.skeleton.rest_pose();
    for frame in 0..60 {
        let clip = &walk.character.clips[0];
        sample_clip_into(clip, frame as f32 / 60.0, &mut source_pose);
        retargeter.apply_pose(&source_pose, &mut pose, &mut character);
    }
    println!("{}", pose.transforms()[0].translation);
    Ok(())
}
