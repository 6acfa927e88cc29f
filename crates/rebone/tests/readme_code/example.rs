use rebone::{Retarget, Rig};

fn main() -> rebone::Result<()> {
    let (walk, hero) = (Rig::open("data/walk.bvh")?, Rig::open("data/brute.glb")?);
    let motion = Retarget::new(&walk, &hero).run()?;
    println!("{}", motion.report());
    motion.save("walk.glb")
}
