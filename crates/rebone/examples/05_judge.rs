//! Figures of a result, and a check that a pipeline would do on them.
//!
//! `cargo run --example 05_judge`

use rebone::report::{Verdict, figures};
use rebone::{Retarget, Rig};

fn main() -> rebone::Result<()> {
    let walk = Rig::open("data/walk.bvh")?;
    let hero = Rig::open("data/chibi.vrm")?;
    let motion = Retarget::new(&walk, &hero).run()?;
    for made in &motion.clips {
        for figure in figures(&made.report) {
            let (kind, verdict) = (figure.kind, figure.verdict.name());
            println!(
                "{verdict:4}  {:32} {:.3} {}",
                kind.title, figure.value, kind.unit
            );
        }
    }
    assert_ne!(motion.report().verdict(), Verdict::Fail);
    Ok(())
}
