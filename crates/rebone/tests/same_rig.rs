//! A clip that lies in a file of its own comes back exactly onto the character for which it was made, also if the file's
//! rest pose is a frame of the motion.

use crate::common::{corpus, made_here, read_file, retarget, rig};
use rebone::model::kinematics::model_pose;
use rebone::model::rotation::angle_between;
use rebone::model::sampling::sample_clip;
use rebone::model::{Interpolation, NewJoint, SkeletonBuilder, Track};
use rebone::output::write_character;
use rebone::setup::align::PoseChoice;
use rebone::setup::recipe::Described;
use rebone::stillness::moves;
use rebone::{Character, Clip, Format, Motion, ReadOptions, Recipe, Rig, Role};
use rebone_samples::{characters, clips};
use std::path::{Path, PathBuf};

const BARBARIAN: &str =
    "kaykit/addons/kaykit_character_pack_adventures/Characters/gltf/Barbarian.glb";

/// True where a moment of a clip has a bone out of its place: as a rest pose that is another body.
fn shifts_bones(target: &Rig, clip: &Clip, time: f32) -> bool {
    let skeleton = &target.character.skeleton;
    let pose = sample_clip(skeleton, clip, time);
    let hips = target.map.joint_named("hips").unwrap();
    let bones = (0..skeleton.len()).filter(|&joint| skeleton.is_ancestor(hips, joint));
    let mut bones = bones.map(|joint| {
        let rest = skeleton.joints()[joint].rest.translation;
        pose.transforms()[joint].translation.distance(rest) / rest.length()
    });
    bones.any(|share| share > 1e-3)
}

/// A file with nothing but joints and one clip, read back. `rest_at` is the moment of the clip that becomes its rest pose.
fn clip_only(target: &Rig, number: usize, rest_at: Option<f32>, format: Format) -> Rig {
    let clip = target.character.clips[number].clone();
    let own = &target.character.skeleton;
    let rest = rest_at.map_or_else(|| own.rest_pose(), |time| sample_clip(own, &clip, time));
    let mut builder = SkeletonBuilder::new();
    for (joint, transform) in own.joints().iter().zip(rest.transforms()) {
        builder.add(NewJoint {
            kind: joint.kind,
            end: joint.end,
            ..NewJoint::new(joint.name.clone(), joint.parent, *transform)
        });
    }
    let (skeleton, _) = builder.build().unwrap();
    let character = Character {
        name: target.character.name.clone(),
        skeleton,
        clips: vec![clip],
        ..Character::default()
    };
    let bytes = write_character(&character, format).unwrap().bytes;
    let nothing = |uri: &str| Err(format!("{uri} is not there"));
    let document = rebone::read(&bytes, &ReadOptions::default(), &nothing).unwrap();
    Rig::new(document, Role::Source, None).unwrap()
}

/// Files larger than this are left out: they take long.
const LARGEST_BYTES: u64 = 12_000_000;

/// Every character of the corpus with a skin and clips, of whatever kind.
fn characters_with_clips(corpus: &Path) -> Vec<(String, Rig)> {
    let files = rebone_corpus::files_below(corpus, &["fbx", "glb", "gltf", "vrm"]).unwrap();
    let small = |path: &&PathBuf| std::fs::metadata(path).unwrap().len() <= LARGEST_BYTES;
    let rigs = files.iter().filter(small).filter_map(|path| {
        let document = read_file(path).ok()?;
        let rig = Rig::new(document, Role::Target, None).ok()?;
        let is_known = rig.map.joint_named("hips").is_some();
        let has_clip = rig.character.clips.iter().any(moves);
        let name = path.strip_prefix(corpus).unwrap().display().to_string();
        (is_known && has_clip && !rig.character.skins.is_empty()).then_some((name, rig))
    });
    rigs.collect()
}

/// How far a copy is from its original: degrees, and the share of the height with the joint that is furthest.
fn off(target: &Rig, done: &Motion<'_>, original: &Clip, format: Format) -> (f32, f32, usize) {
    let skeleton = &target.character.skeleton;
    let height = target.alignment.measures.height as f32;
    let made = &done.clips[0].clip;
    let mut most = (0.0_f32, 0.0_f32, 0);
    // A BVH starts at zero and holds frames; between them it shows something else.
    let times = made.key_times();
    let shift = match format {
        Format::Bvh => original.time_span().0 - made.time_span().0,
        _ => 0.0,
    };
    for step in 0..8 {
        let time = times[step * (times.len() - 1) / 7];
        let before = model_pose(skeleton, &sample_clip(skeleton, original, time + shift));
        let after = model_pose(skeleton, &sample_clip(skeleton, made, time));
        for joint in done.compiled.links.iter().flat_map(|link| &link.target) {
            let turn = angle_between(before.rotation(*joint), after.rotation(*joint));
            most.0 = most.0.max(turn.to_degrees());
            let place = before.position(*joint).distance(after.position(*joint)) / height;
            if place > most.1 {
                (most.1, most.2) = (place, *joint);
            }
        }
    }
    most
}

/// The first joint whose rotations are not those of the source, to the bit. A joint that stands still has one key, or none.
fn with_other_turns<'a>(done: &Motion<'_>, source: &'a Rig) -> Option<&'a str> {
    let (from, made) = (&source.character.clips[0], &done.clips[0].clip);
    let links = done.compiled.links.iter();
    let mut pairs = links.flat_map(|link| link.source.iter().zip(&link.target));
    let (&own, _) = pairs.find(|&(&own, &joint)| {
        let turns = &made.joints[joint].rotation;
        let moves = turns.as_ref().is_some_and(|turns| turns.times().len() > 1);
        moves && *turns != from.joints[own].rotation
    })?;
    Some(&source.character.skeleton.joints()[own].name)
}

#[test]
fn clips_in_files_of_their_own_are_copied() {
    let Some(corpus) = corpus() else { return };
    let mut problems = Vec::new();
    let mut count = 0;
    for (file, target) in characters_with_clips(&corpus) {
        let clips = target.character.clips.len();
        for number in (0..clips).step_by(1 + clips / 6) {
            let original = &target.character.clips[number];
            if !moves(original) {
                continue;
            }
            let (start, end) = original.time_span();
            for (format, rest_at) in [
                (Format::Glb, None),
                (Format::Glb, Some(start + 0.4 * (end - start))),
                (Format::Fbx, None),
                (Format::Fbx, Some(start)),
                (Format::Bvh, None),
            ] {
                let name = format!("{file} {} {format:?} {rest_at:?}", original.name);
                let source = clip_only(&target, number, rest_at, format);
                let shifted = rest_at.is_some_and(|time| shifts_bones(&target, original, time));
                let done = match retarget(&source, &target, &[], &Recipe::default()) {
                    Ok(done) => done,
                    // With bones out of their places it is another rig, and perhaps nobody stands in it.
                    Err(error) => {
                        if !shifted {
                            problems.push(format!("{name}: {error}"));
                        }
                        continue;
                    }
                };
                count += 1;
                let (angle, place, joint) = off(&target, &done, original, format);
                let keeps_keys = format == Format::Glb && rest_at.is_none();
                if let Some(joint) = with_other_turns(&done, &source).filter(|_| keeps_keys) {
                    problems.push(format!("{name}: {joint} has other keys"));
                }
                let joint = &target.character.skeleton.joints()[joint].name;
                if !shifted && (angle > 0.01 || place > 1e-4) {
                    problems.push(format!(
                        "{name}: {angle} degrees, {place} of the height at {joint}"
                    ));
                }
            }
        }
    }
    println!("{count} copies");
    assert!(problems.is_empty(), "{}: {problems:#?}", problems.len());
}

/// A recipe that was written for the pair says what was found, so it changes nothing; another pose does.
#[test]
fn only_a_recipe_that_says_more_ends_the_copying() {
    let Some(corpus) = corpus() else { return };
    let target = rig(&corpus.join(BARBARIAN), Role::Target);
    let clip = &target.character.clips[0];
    let source = clip_only(&target, 0, Some(clip.time_span().0), Format::Glb);
    let plain = retarget(&source, &target, &[], &Recipe::default()).unwrap();
    let written = Recipe::default().to_text(
        Described::aligned(&source.character, &source.map, &source.alignment),
        Described::aligned(&target.character, &target.map, &target.alignment),
    );
    let written = written.unwrap();
    let again = retarget(&source, &target, &[], &Recipe::parse(&written).unwrap()).unwrap();
    assert_eq!(plain.clips[0].clip, again.clips[0].clip);
    let mut posed = Recipe::default();
    posed.source.pose = Some(PoseChoice::Rest);
    let posed = retarget(&source, &target, &[], &posed).unwrap();
    assert_ne!(plain.clips[0].clip, posed.clips[0].clip);
}

/// A file of many clips, in one of which all bones grow, is of the rig at whose rest its joints are all the same.
#[test]
fn a_clip_whose_bones_grow_does_not_end_the_copying() {
    let adult = characters().remove(0);
    let plain = clips().remove(0).clip;
    let mut growing = plain.clone();
    growing.name = "growing".to_owned();
    for (joint, tracks) in adult.skeleton.joints().iter().zip(&mut growing.joints) {
        let rest = joint.rest.translation;
        let (times, values) = (vec![0.0, 1.0].into(), vec![rest * 0.1, rest]);
        tracks.translation = Track::new(Interpolation::Linear, times, values).ok();
    }
    let mut mover = adult.clone();
    mover.clips = vec![plain.clone(), growing];
    mover.meshes.clear();
    mover.skins.clear();
    mover.hull.clear();
    let source = made_here(mover);
    let adult = made_here(adult);
    let done = retarget(&source, &adult, &[], &Recipe::default()).unwrap();
    assert!(done.compiled.copies);
    assert_eq!(done.clips[0].clip.joints, plain.joints);
}

/// A figure whose legs hang from its root, and the same figure whose legs hang from its hips, with the same names: two rigs.
#[test]
fn legs_that_hang_elsewhere_make_another_rig() {
    let Some(corpus) = corpus() else { return };
    let pack = corpus.join("quaternius/public/glb/platformer_game_pack");
    let source = rig(&pack.join("Character.glb"), Role::Source);
    let target = rig(&pack.join("Character_HumanoidRig.glb"), Role::Target);
    let clips = ["CharacterArmature|Idle".to_owned()];
    let done = retarget(&source, &target, &clips, &Recipe::default()).unwrap();
    assert!(!done.compiled.copies);
    let float = done.clips[0].report.floor.as_ref().unwrap();
    let float = float.float_frames_percent.unwrap().target;
    assert_eq!(float, 0.0);
}
