//! Real clips on real characters: every source of one list on every target of another, written to files
//! and read back. Prints the table of limb-direction errors and leaves the files for the glTF validator.

use crate::common::lists::{SOURCES, TARGETS, clip_of, stem, target_path};
use crate::common::{corpus, output_folder, retarget, rig};
use rebone::{Format, Recipe, Role, write};
use std::fmt::Write as _;

#[test]
fn every_source_on_every_target() {
    let Some(corpus) = corpus() else { return };
    let folder = output_folder("matrix");
    let targets: Vec<_> = TARGETS
        .iter()
        .map(|file| target_path(&corpus, file))
        .map(|path| {
            let target = rig(&path, Role::Target);
            (path, target)
        })
        .collect();
    let mut table = String::from(
        "| source | target | k | upper arm | lower arm | upper leg | lower leg | worst |\n|---|---|---|---|---|---|---|---|\n",
    );
    let mut problems = Vec::new();
    for (file, clip_name) in SOURCES {
        let source_path = corpus.join(file);
        let source = rig(&source_path, Role::Source);
        let clip = clip_of(&source, clip_name);
        for (target_path, target) in &targets {
            let name = format!("{} on {}", stem(&source_path), stem(target_path));
            // How limbs follow is told of the transfer; where feet go is judged in `feet.rs`.
            let mut recipe = Recipe::default();
            recipe.feet.weight = 0.0;
            recipe.hands.mode = rebone::setup::hands::HandsMode::Off;
            recipe.ground = 0.0;
            recipe.own_body = 0.0;
            let names = std::slice::from_ref(&clip.name);
            let result = match retarget(&source, target, names, &recipe) {
                Ok(result) => result,
                Err(error) => {
                    problems.push(format!("{name}: {error}"));
                    continue;
                }
            };
            let made = &result.clips[0];
            let limb = |part: &str| {
                let found: Vec<f64> = made
                    .report
                    .direction
                    .iter()
                    .filter(|entry| target.map.profile.info(entry.slot).name.ends_with(part))
                    .map(|entry| entry.mean_degrees)
                    .collect();
                if found.is_empty() {
                    return "–".to_owned();
                }
                format!("{:.1}", found.iter().sum::<f64>() / found.len() as f64)
            };
            let worst = made
                .report
                .direction
                .iter()
                .map(|entry| entry.max_degrees)
                .fold(0.0, f64::max);
            let _ = writeln!(
                table,
                "| {} | {} | {:.3} | {} | {} | {} | {} | {worst:.1} |",
                stem(&source_path),
                stem(target_path),
                result.compiled.root_scale,
                limb("UpperArm"),
                limb("LowerArm"),
                limb("UpperLeg"),
                limb("LowerLeg"),
            );
            // Limbs follow within the dead-band of 2 degrees. Where the source's feet are IK joints beside
            // the legs, its ankles leave its shins by up to 10 degrees, which is no error of the target.
            let loose = file.contains("platformer");
            if worst > if loose { 10.5 } else { 2.1 } {
                problems.push(format!("{name}: a limb is {worst:.1} degrees off"));
            }
            let is_fbx = target.format == Format::Fbx;
            let format = if is_fbx { Format::Fbx } else { Format::Glb };
            let output = write(target, std::slice::from_ref(&made.clip), format);
            let output = match output {
                Ok(output) => output,
                Err(error) => {
                    problems.push(format!("{name}: {error}"));
                    continue;
                }
            };
            let name = format!("{}--{}", stem(&source_path), stem(target_path));
            let path = folder.join(format!("{name}.{}", format.name()));
            std::fs::write(&path, output.bytes).unwrap();
            if !is_fbx {
                crate::common::write_baseline(&path, target_path);
            }
            let again = rig(&path, Role::Target);
            let read = again.character.clips.last().unwrap();
            // FBX may need keys between those of the source, where angles turn unevenly.
            let (frames, wanted) = (read.frame_count(), clip.frame_count());
            let all_there = if is_fbx {
                frames >= wanted
            } else {
                frames == wanted
            };
            if (read.seconds() - clip.seconds()).abs() > 1e-4 || !all_there {
                problems.push(format!(
                    "{name}: {} frames in {} s instead of {} in {} s",
                    read.frame_count(),
                    read.seconds(),
                    clip.frame_count(),
                    clip.seconds()
                ));
            }
        }
    }
    std::fs::write(folder.join("table.md"), &table).unwrap();
    println!("{table}");
    assert!(problems.is_empty(), "{problems:#?}");
}
