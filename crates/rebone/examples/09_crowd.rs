//! One walk drives 1,000 characters of a kind, each at its own moment.
//!
//! `cargo run --release --example 09_crowd`

use rebone::model::sampling::sample_clip;
use rebone::runtime::Retargeter;
use rebone::{Retarget, Rig};
use std::time::Instant;

fn main() -> rebone::Result<()> {
    let walk = Rig::open("data/walk.bvh")?;
    let hero = Rig::open("data/brute.glb")?;
    let retargeter = Retargeter::new(Retarget::new(&walk, &hero).compile()?.0.plan);
    let (skeleton, clip) = (&walk.character.skeleton, &walk.character.clips[0]);
    let moments = (0..1000).map(|number| sample_clip(skeleton, clip, number as f32 * 0.001));
    let moments: Vec<_> = moments.collect();
    let mut crowd = vec![hero.character.skeleton.rest_pose(); 1000];
    let mut batch = retargeter.batch(1000);
    let start = Instant::now();
    retargeter.apply_poses(&moments, &mut crowd, &mut batch);
    println!("{:?} a character", start.elapsed() / 1000);
    Ok(())
}
