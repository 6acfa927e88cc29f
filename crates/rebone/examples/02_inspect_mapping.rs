//! Which joint is which part of the body, and how sure that is.
//!
//! `cargo run --example 02_inspect_mapping [FILE]`

use rebone::Rig;

fn main() -> rebone::Result<()> {
    let path = std::env::args().nth(1);
    let rig = Rig::open(path.as_deref().unwrap_or("data/chibi.vrm"))?;
    println!("joints are named as in {}", rig.map.dialect);
    for (slot, found) in &rig.map.slots {
        let slot = rig.map.profile.info(*slot).name;
        let skeleton = &rig.character.skeleton;
        let joints = found.joints.iter().map(|&at| skeleton.unique_name(at));
        let joints = joints.collect::<Vec<_>>().join(", ");
        println!("{slot:24} {joints:32} {:.2}", found.confidence);
    }
    for warning in &rig.warnings {
        println!("warning: {warning}");
    }
    Ok(())
}
