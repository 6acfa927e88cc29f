//! Shows which joint is which slot, and how sure that is.
//!
//! `cargo run --example 02_inspect_mapping [FILE]`

use rebone::{ReadOptions, Rig, Role, read};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let bytes = match std::env::args().nth(1) {
        Some(path) => std::fs::read(path)?,
        None => include_bytes!("../../../data/chibi.vrm").to_vec(),
    };
    let alone = |uri: &str| Err(format!("{uri} is not needed"));
    let document = read(&bytes, &ReadOptions::default(), &alone)?;
    let rig = Rig::new(document, Role::Target, None)?;

    println!(
        "{} ({}), rest pose {}",
        rig.character.name,
        rig.map.dialect,
        rig.alignment.rest_kind.name()
    );
    for (slot, found) in &rig.map.slots {
        let names: Vec<&str> = found
            .joints
            .iter()
            .map(|&joint| rig.character.skeleton.unique_name(joint))
            .collect();
        let slot = rig.map.profile.info(*slot).name;
        println!(
            "{slot:24} {:32} {:.2} by {}",
            names.join(", "),
            found.confidence,
            found.evidence
        );
    }
    for warning in &rig.warnings {
        println!("warning: {warning}");
    }
    Ok(())
}
