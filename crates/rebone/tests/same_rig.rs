//! A clip that lies in a file of its own comes back exactly onto the character for which it was made, also if the file's
//! rest pose is a frame of the motion.

use crate::common::{corpus, rig};
use rebone::core::align::PoseChoice;
use rebone::model::kinematics::model_pose;
use rebone::model::rotation::angle_between;
use rebone::model::sampling::sample_clip;
use rebone::model::{NewJoint, SkeletonBuilder};
use rebone::output::write_character;
use rebone::{Character, Clip, Format, ReadOptions, Recipe, Rig, Role, retarget};

const FILES: [&str; 10] = [
    "kaykit/addons/kaykit_character_pack_adventures/Characters/gltf/Barbarian.glb",
    "kaykit_anim/res/anim/Med_General.glb",
    "mesh2motion/static/animations/human-addon-animations.glb",
    "raylib/examples/models/resources/models/gltf/robot.glb",
    "quaternius/public/glb/cyberpunk_pack/Character.glb",
    "quaternius/public/glb/platformer_game_pack/Character.glb",
    "quaternius/public/glb/single_knight_pack/KnightCharacter.glb",
    "gltf_misc/gdquest/Player/model/gdbot.glb",
    "gltf_misc/sketchbook/build/assets/boxman.glb",
    "gltf_misc/wicked/Content/models/CesiumMan.glb",
];

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

#[test]
fn clips_in_files_of_their_own_are_copied() {
    let Some(corpus) = corpus() else { return };
    let mut problems = Vec::new();
    for file in FILES {
        let target = rig(&corpus.join(file), Role::Target);
        let skeleton = &target.character.skeleton;
        let height = target.alignment.measures.height as f32;
        let clips = target.character.clips.len();
        for number in (0..clips).step_by(1 + clips / 8) {
            let original = &target.character.clips[number];
            let (start, end) = original.time_span();
            for (format, rest_at) in [
                (Format::Glb, None),
                (Format::Glb, Some(start + 0.4 * (end - start))),
                (Format::Fbx, None),
                (Format::Fbx, Some(start)),
            ] {
                let source = clip_only(&target, number, rest_at, format);
                let shifted = rest_at.is_some_and(|time| shifts_bones(&target, original, time));
                let result = match retarget(&source, &target, &[], &Recipe::default()) {
                    Ok(result) => result,
                    // With bones out of their places it is another rig, and perhaps nobody stands in it.
                    Err(error) => {
                        println!("{file} {} {format:?} {rest_at:?}: {error}", original.name);
                        assert!(shifted, "{file} {}: {error}", original.name);
                        continue;
                    }
                };
                let (mut angle, mut place) = (0.0_f32, (0.0_f32, 0));
                for step in 0..8 {
                    let time = start + (end - start) * step as f32 / 7.0;
                    let before = model_pose(skeleton, &sample_clip(skeleton, original, time));
                    let made = &result.clips[0].clip;
                    let after = model_pose(skeleton, &sample_clip(skeleton, made, time));
                    for joint in result.compiled.links.iter().flat_map(|link| &link.target) {
                        let turn = angle_between(before.rotation(*joint), after.rotation(*joint));
                        angle = angle.max(turn.to_degrees());
                        let off = before.position(*joint).distance(after.position(*joint)) / height;
                        if off > place.0 {
                            place = (off, *joint);
                        }
                    }
                }
                let name = &skeleton.joints()[place.1].name;
                println!(
                    "{file} {} {format:?} {rest_at:?}: {angle:.5} degrees, {:.1e} of the height at {name}",
                    original.name, place.0
                );
                if !shifted && (angle > 0.01 || place.0 > 1e-4) {
                    problems.push(format!("{file} {} {format:?} {rest_at:?}: {angle} degrees, {} of the height at {name}", original.name, place.0));
                }
            }
        }
    }
    assert!(problems.is_empty(), "{}: {problems:#?}", problems.len());
}

/// A recipe that was written for the pair says what was found, so it changes nothing; another pose does.
#[test]
fn only_a_recipe_that_says_more_ends_the_copying() {
    let Some(corpus) = corpus() else { return };
    let target = rig(&corpus.join(FILES[0]), Role::Target);
    let clip = &target.character.clips[0];
    let source = clip_only(&target, 0, Some(clip.time_span().0), Format::Glb);
    let plain = retarget(&source, &target, &[], &Recipe::default()).unwrap();
    let written = Recipe::default().to_text(
        (&source.character, &source.map, &source.alignment),
        (&target.character, &target.map, &target.alignment),
    );
    let again = retarget(&source, &target, &[], &Recipe::parse(&written).unwrap()).unwrap();
    assert_eq!(plain.clips[0].clip, again.clips[0].clip);
    let mut posed = Recipe::default();
    posed.source.pose = Some(PoseChoice::Rest);
    let posed = retarget(&source, &target, &[], &posed).unwrap();
    assert_ne!(plain.clips[0].clip, posed.clips[0].clip);
}
