//! A pair is compiled into a `.retarget` file once, and runs on any clip of the same source rig.
//!
//! `cargo run --example 08_plan_file`

use rebone::runtime::asset::{read_asset, write_asset};
use rebone::{Retarget, Rig, apply_asset};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let walk = Rig::open("data/walk.bvh")?;
    let hero = Rig::open("data/brute.glb")?;
    let (asset, warnings) = Retarget::new(&walk, &hero).compile()?;
    let bytes = write_asset(&asset)?;
    println!("{} bytes, {} warnings", bytes.len(), warnings.len());

    let again = read_asset(&bytes)?;
    let performed = apply_asset(&again, &walk, &[])?;
    println!("{}: {} clips", performed.name, performed.clips.len());
    Ok(())
}
