//! A filmstrip of source and result, as `rebone render` draws it.
//!
//! `cargo run --example 12_picture`

use rebone::view::{Actor, FilmstripOptions, filmstrip_png};
use rebone::{Retarget, Rig};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let walk = Rig::open("data/walk.bvh")?;
    let hero = Rig::open("data/chibi.vrm")?;
    let motion = Retarget::new(&walk, &hero).run()?;
    let made = &motion.clips[0].clip;
    let mut source = Actor::new(&walk.character, walk.character.clips.first(), "source");
    source.scale = walk.space.meters_per_unit as f32;
    let result = Actor::new(&hero.character, Some(made), "result");
    let png = filmstrip_png(&[source, result], &FilmstripOptions::default())?;
    std::fs::write("walk.png", png)?;
    Ok(())
}
