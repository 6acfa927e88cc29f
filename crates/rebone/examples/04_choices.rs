//! One motion by three presets, and by a recipe that switches the planting of feet off.
//!
//! `cargo run --example 04_choices`

use rebone::{Preset, Recipe, Retarget, Rig};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let walk = Rig::open("data/walk.bvh")?;
    let hero = Rig::open("data/brute.glb")?;
    for preset in [Preset::Faithful, Preset::Mixamo, Preset::Humanik] {
        let motion = Retarget::new(&walk, &hero).preset(preset).run()?;
        println!("{}: {}", preset.name(), motion.report().verdict().name());
    }
    let recipe = Recipe::parse("[feet]\nweight = 0.0\n")?;
    let motion = Retarget::new(&walk, &hero).recipe(recipe).run()?;
    println!("{}", motion.report());
    Ok(())
}
