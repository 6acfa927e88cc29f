//! One clip drives 1,000 characters of ten kinds, each at its own moment of the walk.
//!
//! `cargo run --release --example 09_crowd`

use rebone::model::sampling::sample_clip_into;
use rebone::model::{LocalPose, NewJoint, SkeletonBuilder};
use rebone::runtime::{Batch, Retargeter};
use rebone::{ReadOptions, Recipe, Rig, Role, compile_asset, read};
use std::time::Instant;

const EACH: usize = 100;

type Failure = Box<dyn std::error::Error>;

fn open(bytes: &[u8], role: Role) -> Result<Rig, Failure> {
    let alone = |uri: &str| Err(format!("{uri} is not needed"));
    let document = read(bytes, &ReadOptions::default(), &alone)?;
    Ok(Rig::new(document, role, None)?)
}

/// The same character with shorter or longer shins and forearms: another kind of body.
fn of_other_build(rig: &Rig, longer: f32) -> Result<Rig, Failure> {
    let slots = ["leftFoot", "rightFoot", "leftHand", "rightHand"];
    let ends: Vec<_> = slots
        .iter()
        .filter_map(|slot| rig.map.joint_named(slot))
        .collect();
    let mut builder = SkeletonBuilder::new();
    for (index, joint) in rig.character.skeleton.joints().iter().enumerate() {
        let mut rest = joint.rest;
        rest.translation *= if ends.contains(&index) { longer } else { 1.0 };
        let kind = joint.kind;
        builder.add(NewJoint {
            kind,
            ..NewJoint::new(&joint.name, joint.parent, rest)
        });
    }
    let mut character = rig.character.clone();
    (character.skeleton, _) = builder.build()?;
    character.skins.clear();
    Ok(Rig::from_character(
        character,
        rig.format,
        rig.stated,
        Vec::new(),
    ))
}

fn main() -> Result<(), Failure> {
    let source = open(include_bytes!("../../../data/walk.bvh"), Role::Source)?;
    let clip = &source.character.clips[0];
    let builds = [
        open(include_bytes!("../../../data/adult.glb"), Role::Target)?,
        open(include_bytes!("../../../data/brute.glb"), Role::Target)?,
        open(include_bytes!("../../../data/chibi.vrm"), Role::Target)?,
    ];
    let mut kinds: Vec<(Rig, Retargeter, Batch)> = Vec::new();
    for kind in 0..10 {
        let rig = of_other_build(&builds[kind % 3], 0.8 + 0.05 * kind as f32)?;
        let retargeter = Retargeter::new(
            compile_asset(&source, &rig, &[], &Recipe::default())?
                .0
                .plan,
        );
        let batch = retargeter.batch(EACH);
        kinds.push((rig, retargeter, batch));
    }

    let rest = source.character.skeleton.rest_pose();
    let mut moments: Vec<LocalPose> = vec![rest; EACH];
    let mut crowd: Vec<Vec<LocalPose>> = kinds
        .iter()
        .map(|kind| vec![kind.1.plan().target.rest_pose(); EACH])
        .collect();
    let (start, end) = clip.time_span();
    let mut spent = 0.0;
    for frame in 0..60 {
        for (character, pose) in moments.iter_mut().enumerate() {
            let time = frame as f32 / 60.0 + character as f32 * 0.037;
            sample_clip_into(clip, start + time % (end - start), pose);
        }
        let now = Instant::now();
        for ((_, retargeter, batch), poses) in kinds.iter_mut().zip(&mut crowd) {
            retargeter.apply_poses(&moments, poses, batch);
        }
        spent += now.elapsed().as_secs_f64();
    }
    for ((rig, ..), poses) in kinds.iter().zip(&crowd) {
        let hips = rig.map.joint_named("hips").unwrap_or(0);
        let heights = poses
            .iter()
            .map(|pose| pose.transforms()[hips].translation.y);
        let (low, high) = heights.fold((f32::MAX, f32::MIN), |(low, high), y| {
            (low.min(y), high.max(y))
        });
        println!(
            "{:10} {EACH} characters, hips between {low:.3} and {high:.3}",
            rig.character.name
        );
    }
    println!(
        "{:.0} ns a character and frame",
        1e9 * spent / (60 * 10 * EACH) as f64
    );
    Ok(())
}
