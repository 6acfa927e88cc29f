//! Without a disk: bytes come in, and bytes go out.
//!
//! `cargo run --example 06_bytes`

use rebone::{Format, Retarget, Rig};

fn main() -> rebone::Result<()> {
    let walk = include_bytes!("../../../data/walk.bvh").to_vec();
    let hero = include_bytes!("../../../data/adult.glb").to_vec();
    let walk = Rig::from_bytes("walk.bvh", walk)?;
    let hero = Rig::from_bytes("adult.glb", hero)?;
    let motion = Retarget::new(&walk, &hero).run()?;
    for format in [Format::Glb, Format::Fbx, Format::Bvh] {
        let written = motion.write(format)?;
        println!("{}: {} bytes", format.name(), written.bytes.len());
        for warning in &written.warnings {
            println!("  {warning}");
        }
    }
    Ok(())
}
