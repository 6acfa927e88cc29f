//! A recipe corrects what was found: here the toes stay with the feet.
//!
//! `cargo run --example 03_fix_a_mapping`

use rebone::{Recipe, Retarget, Rig};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let wave = Rig::open("data/wave.bvh")?;
    let hero = Rig::open("data/adult.glb")?;
    let found = Retarget::new(&wave, &hero).run()?;

    // An empty list leaves a slot without a joint.
    let recipe = Recipe::parse("[target.slots]\nleftToes = []\nrightToes = []\n")?;
    let fixed = Retarget::new(&wave, &hero).recipe(recipe).run()?;
    let links = [&found, &fixed].map(|motion| motion.compiled.links.len());
    println!("{} links were found, {} are left", links[0], links[1]);
    assert_eq!(links[0], links[1] + 2);
    Ok(())
}
