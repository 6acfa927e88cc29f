//! Retargets a walk from a BVH onto a character and writes the result.
//!
//! `cargo run --example 01_hello [OUT.glb]`

use rebone::{Format, ReadOptions, Recipe, Rig, Role, read, retarget, write};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let alone = |uri: &str| Err(format!("{uri} is not needed"));
    let walk = include_bytes!("../../../data/walk.bvh");
    let hero = include_bytes!("../../../data/brute.glb");

    let source = Rig::new(
        read(walk, &ReadOptions::default(), &alone)?,
        Role::Source,
        None,
    )?;
    let target = Rig::new(
        read(hero, &ReadOptions::default(), &alone)?,
        Role::Target,
        None,
    )?;
    let result = retarget(&source, &target, &[], &Recipe::default())?;

    let made = &result.clips[0];
    println!(
        "{} frames in {:.2} s",
        made.clip.frame_count(),
        made.clip.seconds()
    );
    println!("travel is scaled by {:.2}", result.compiled.root_scale);
    println!(
        "limbs are {:.1} degrees off on average",
        made.report.mean_direction_degrees
    );

    let clips = [made.clip.clone()];
    let output = write(hero, &alone, &target, &clips, Format::Glb)?;
    if let Some(path) = std::env::args().nth(1) {
        std::fs::write(path, output.bytes)?;
    }
    Ok(())
}
