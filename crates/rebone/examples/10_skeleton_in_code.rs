//! A character that no file holds: a skeleton built in code takes the walk.
//!
//! `cargo run --example 10_skeleton_in_code`

use rebone::io::{FileSpace, Format};
use rebone::model::{NewJoint, SkeletonBuilder};
use rebone::{Character, Retarget, Rig};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let hero = Rig::open("data/adult.glb")?;
    let mut builder = SkeletonBuilder::new();
    for joint in hero.character.skeleton.joints() {
        let mut rest = joint.rest;
        rest.translation *= 1.5;
        builder.add(NewJoint::new(&joint.name, joint.parent, rest));
    }
    let giant = Character {
        skeleton: builder.build()?.0,
        ..Character::default()
    };
    let giant = Rig::from_character(giant, Format::Glb, FileSpace::default(), Vec::new());
    let motion = Retarget::new(&Rig::open("data/walk.bvh")?, &giant).run()?;
    println!("{}", motion.report());
    Ok(())
}
