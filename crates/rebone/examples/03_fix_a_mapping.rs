//! Corrects a mapping with a recipe, as a person would in a text editor.
//!
//! `cargo run --example 03_fix_a_mapping`

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
    let source = open(include_bytes!("../../../data/wave.bvh"), Role::Source)?;
    let target = open(include_bytes!("../../../data/adult.glb"), Role::Target)?;

    // The toes stay with the feet: an empty list leaves a slot without joint.
    let recipe = Recipe::parse("[target.slots]\nleftToes = []\nrightToes = []\n")?;
    let plain = retarget(&source, &target, &[], &Recipe::default())?;
    let fixed = retarget(&source, &target, &[], &recipe)?;
    println!("links without the recipe: {}", plain.compiled.links.len());
    println!("links with the recipe:    {}", fixed.compiled.links.len());
    assert_eq!(plain.compiled.links.len(), fixed.compiled.links.len() + 2);

    // A recipe with every joint of both sides, to edit by hand.
    let text = recipe.to_text(
        (&source.character, &source.map),
        (&target.character, &target.map),
    );
    println!("{}", text.lines().take(12).collect::<Vec<_>>().join("\n"));
    Ok(())
}
