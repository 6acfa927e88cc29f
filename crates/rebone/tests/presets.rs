//! What each preset makes of every source of the corpus, of whole clips and frame by frame as in a game, by the report's own figures.
//!
//! Prints a table: slide of standing feet (% of the leg a second), penetration (% of the height, the mean of the worst frames), jerk over the
//! source's, and by how many degrees a joint turns more in a frame than the source's: mean, 95th percentile and most of the pairs.

use crate::common::lists::{MORE_SOURCES, SOURCES, clip_of, target_path};
use crate::common::{corpus, retarget, rig};
use rebone::measuring::Comparison;
use rebone::model::sampling::sample_clip_into;
use rebone::model::{Clip, Interpolation, Track};
use rebone::report::Report;
use rebone::runtime::Retargeter;
use rebone::setup::preset::Preset;
use rebone::setup::recipe::Recipe;
use rebone::{Rig, Role};
use std::sync::Arc;

const TARGETS: [&str; 4] = [
    "project/adult.glb",
    "project/chibi.vrm",
    "kaykit/addons/kaykit_character_pack_adventures/Characters/gltf/Knight.glb",
    "mpfb/derived/mpfb_mixamo.glb",
];

/// Slide, penetration, jerk and added steps (95th percentile) at most: of clips, and of single poses.
const MOST: [(Preset, [[f64; 4]; 2]); 3] = [
    (
        Preset::Faithful,
        [[1.5, 0.02, 1.08, 13.0], [3.2, 0.07, 1.2, 11.0]],
    ),
    (
        Preset::Mixamo,
        [[4.6, 0.9, 1.12, 16.0], [4.6, 0.9, 1.15, 36.0]],
    ),
    (
        Preset::Humanik,
        [[4.6, 1.1, 1.1, 17.0], [4.6, 1.1, 1.16, 52.0]],
    ),
];

/// Feet that slide so much in the source (% of the leg a second) run on the spot: nobody who sees one frame after another knows by how much.
const IN_PLACE: f64 = 20.0;

/// The clip as single poses make it, told how much time passes.
fn as_it_runs(retargeter: &Retargeter, clip: &Clip) -> Clip {
    let plan = retargeter.plan();
    let mut workspace = retargeter.workspace();
    let (mut from, mut to) = (plan.source.rest_pose(), plan.target.rest_pose());
    let times: Arc<[f32]> = clip.key_times().into();
    let mut joints = vec![(Vec::new(), Vec::new()); plan.target.len()];
    for (frame, &time) in times.iter().enumerate() {
        let before = frame.checked_sub(1).map(|before| times[before]);
        workspace.set_elapsed(before.map(|before| time - before).or(Some(1.0 / 60.0)));
        sample_clip_into(clip, time, &mut from);
        retargeter.apply_pose(&from, &mut to, &mut workspace);
        for (joint, own) in joints.iter_mut().zip(to.transforms()) {
            joint.0.push(own.translation);
            joint.1.push(own.rotation);
        }
    }
    let mut made = Clip::new(clip.name.clone(), joints.len());
    for (tracks, (places, turns)) in made.joints.iter_mut().zip(joints) {
        tracks.translation = Track::computed(Interpolation::Linear, Arc::clone(&times), places);
        tracks.rotation = Track::computed(Interpolation::Linear, Arc::clone(&times), turns);
    }
    made
}

/// Figures of one pair: slide of source and target, penetration, jerk over the source's, added degrees.
fn figures(report: &Report) -> Option<[f64; 5]> {
    let slide = report.feet.as_ref()?.slide_percent_per_second;
    let jerk = report.jerk?;
    Some([
        slide.source,
        slide.target,
        report.floor.as_ref()?.penetration_max_percent.target,
        jerk.target.max(2.5) / jerk.source.max(2.5),
        report.pops.as_ref()?.step_added_degrees,
    ])
}

#[test]
fn presets_keep_feet_and_joints_quiet() {
    let Some(corpus) = corpus() else { return };
    let targets = TARGETS.map(|file| rig(&target_path(&corpus, file), Role::Target));
    let sources: Vec<(Rig, &str)> = SOURCES
        .into_iter()
        .chain(MORE_SOURCES)
        .map(|(file, clip)| (rig(&corpus.join(file), Role::Source), clip))
        .collect();
    println!("preset, how | pairs | slide source -> target | penetration | jerk | added");
    for (preset, most) in MOST {
        let recipe = Recipe::of(preset);
        let mut rows: [Vec<[f64; 5]>; 2] = Default::default();
        for (source, name) in &sources {
            let clip = clip_of(source, name);
            for target in &targets {
                let names = std::slice::from_ref(&clip.name);
                let result = retarget(source, target, names, &recipe).unwrap();
                rows[0].extend(figures(&result.clips[0].report));
                let retargeter = Retargeter::new(result.compiled.plan.clone());
                let made = as_it_runs(&retargeter, clip);
                let (compiled, map) = (&result.compiled, &result.target_map);
                let comparison = Comparison::new(source, target, compiled, map, &recipe);
                rows[1].extend(figures(&comparison.report(clip, &made)));
            }
        }
        for ((how, rows), most) in ["clip", "running"].into_iter().zip(&rows).zip(most) {
            let mean_of = |rows: &[&[f64; 5]], column: usize| {
                rows.iter().map(|row| row[column]).sum::<f64>() / rows.len() as f64
            };
            let all: Vec<&[f64; 5]> = rows.iter().collect();
            let mean = |column: usize| mean_of(&all, column);
            let travels = all.iter().copied().filter(|row| row[0] < IN_PLACE);
            let travels: Vec<&[f64; 5]> = travels.collect();
            let slide = [0, 1].map(|side| mean_of(&travels, side));
            let mut added: Vec<f64> = rows.iter().map(|row| row[4]).collect();
            added.sort_by(f64::total_cmp);
            let late = added[added.len() * 95 / 100];
            let found = [slide[1], mean(2), mean(3), late];
            println!(
                "{}, {how} | {} | {:.2} -> {:.2} | {:.3} | {:.2} | {:.2} {:.1} {:.1}",
                preset.name(),
                rows.len(),
                slide[0],
                found[0],
                found[1],
                found[2],
                mean(4),
                late,
                added.last().unwrap()
            );
            let is_fine = found.iter().zip(most).all(|(found, most)| *found < most);
            assert!(is_fine, "{}, {how}: {found:?} of {most:?}", preset.name());
        }
    }
}
