//! A walk from a BVH, performed by a character in a GLB.
//!
//! `cargo run --example 01_hello`

use rebone::{Retarget, Rig};

fn main() -> rebone::Result<()> {
    let walk = Rig::open("data/walk.bvh")?;
    let hero = Rig::open("data/brute.glb")?;
    let motion = Retarget::new(&walk, &hero).run()?;
    println!("{}", motion.report());
    motion.save("hero_walk.glb")
}
