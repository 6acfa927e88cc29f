//! Every character in a thread of its own; rigs are shared.
//!
//! `cargo run --example 11_threads`

use rebone::{Retarget, Rig};
use std::panic::resume_unwind;
use std::thread;

fn main() -> rebone::Result<()> {
    let walk = &Rig::open("data/walk.bvh")?;
    let heroes = ["data/adult.glb", "data/brute.glb", "data/chibi.vrm"];
    thread::scope(|scope| {
        let perform = |path: &'static str| {
            let hero = Rig::open(path)?;
            println!("{}", Retarget::new(walk, &hero).run()?.report());
            rebone::Result::Ok(())
        };
        for running in heroes.map(|path| scope.spawn(move || perform(path))) {
            running
                .join()
                .unwrap_or_else(|panic| resume_unwind(panic))?;
        }
        Ok(())
    })
}
