use rebone::{Format, ReadOptions, Recipe, Rig, Role, read, retarget, write};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (walk, hero) = (
        std::fs::read("data/walk.bvh")?,
        std::fs::read("data/brute.glb")?,
    );
    let alone = |uri: &str| Err(format!("{uri} is not needed"));
    let source = Rig::new(
        read(&walk, &ReadOptions::default(), &alone)?,
        Role::Source,
        None,
    )?;
    let target = Rig::new(
        read(&hero, &ReadOptions::default(), &alone)?,
        Role::Target,
        None,
    )?;
    let result = retarget(&source, &target, &[], &Recipe::default())?;
    let clips = [result.clips[0].clip.clone()];
    std::fs::write(
        "walk.glb",
        write(&hero, &alone, &target, &clips, Format::Glb)?.bytes,
    )?;
    Ok(())
}
