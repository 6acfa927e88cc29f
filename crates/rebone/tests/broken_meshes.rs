//! Meshes as tools break them: what they say of a body counts where it can, and a body of which they say nothing is told of.

use crate::common::{made_here, mover, retarget, retargeted};
use rebone::model::kinematics::model_pose;
use rebone::model::rotation::angle_between;
use rebone::model::sampling::sample_clip;
use rebone::model::skin_hull::tell_unbound;
use rebone::model::{Character, Clip, Mesh, Skeleton, Vec3};
use rebone::setup::profile::{Part, Side};
use rebone::{Recipe, Rig};
use rebone_samples::{characters, hard_clips, touching_clips};

/// Frames of a clip that are looked at.
const FRAMES: usize = 12;

/// Where a seventh of the vertices is lost, hands touch elsewhere: joints may turn by so much more or less.
const LOST_DEGREES: f32 = 15.0;

/// What a broken mesh still says of its body.
#[derive(Clone, Copy, PartialEq)]
enum Says {
    /// Everything.
    All,
    /// Nearly everything: a seventh of the vertices is lost.
    Most,
    /// Nothing of trunk and arms.
    Nothing,
}

/// A character whose meshes are changed.
fn changed(character: &Character, change: impl FnMut(&mut Mesh)) -> Character {
    let mut broken = character.clone();
    broken.hull.clear();
    broken.meshes.iter_mut().for_each(change);
    broken
}

/// A triangle without weights.
fn triangle(at: Vec3, joint: usize) -> Mesh {
    Mesh {
        positions: vec![at, at + Vec3::X, at + Vec3::Y],
        indices: vec![0, 1, 2],
        joint: Some(joint),
        ..Mesh::default()
    }
}

/// Each with its name and what it says.
fn broken_bodies(rig: &Rig) -> Vec<(&'static str, Character, Says)> {
    let character = &rig.character;
    let joint_of = |part, side| rig.map.joint_of(part, side).unwrap();
    let hips = joint_of(Part::Hips, Side::Center);
    let hand = joint_of(Part::Hand, Side::Right);
    let mut slots = character.skins[0].joints.iter();
    let slot = slots.position(|&joint| joint == hips).unwrap() as u16;
    let change = |change: fn(&mut Mesh)| changed(character, change);
    let also = |more: Vec<Mesh>| {
        let mut broken = changed(character, |_| {});
        broken.meshes.extend(more);
        broken
    };
    let bind = |mesh: &mut Mesh| {
        mesh.joint_slots.fill([slot, 0, 0, 0]);
        mesh.joint_weights.fill([1.0, 0.0, 0.0, 0.0]);
    };
    let stray = |mesh: &mut Mesh| {
        for way in [Vec3::X, Vec3::NEG_Y, Vec3::Z] {
            mesh.positions.push(20.0 * way);
            mesh.joint_slots.push([slot, 0, 0, 0]);
            mesh.joint_weights.push([1.0, 0.0, 0.0, 0.0]);
        }
    };
    let one_triangle = |mesh: &mut Mesh| {
        mesh.positions.truncate(3);
        mesh.joint_slots.truncate(3);
        mesh.joint_weights.truncate(3);
        mesh.indices = vec![0, 1, 2];
    };
    let mut single = changed(character, one_triangle);
    single.meshes.truncate(1);
    let triangles: usize = character
        .meshes
        .iter()
        .map(|own| own.indices.len() / 3)
        .sum();
    let copies = std::iter::repeat_n(&character.meshes, 500_000 / triangles);
    vec![
        (
            "holes",
            change(|mesh| {
                let kept = mesh.indices.chunks(3).step_by(2);
                mesh.indices = kept.flatten().copied().collect();
            }),
            Says::All,
        ),
        ("double layers", also(character.meshes.clone()), Says::All),
        (
            "inverted faces",
            change(|mesh| mesh.indices.chunks_mut(3).for_each(<[u32]>::reverse)),
            Says::All,
        ),
        (
            "half a million triangles",
            also(copies.flatten().cloned().collect()),
            Says::All,
        ),
        (
            "a prop far away",
            also(vec![triangle(30.0 * Vec3::X, hips)]),
            Says::All,
        ),
        (
            "a prop far below",
            also(vec![triangle(-30.0 * Vec3::Y, hand)]),
            Says::All,
        ),
        ("stray vertices", changed(character, stray), Says::All),
        (
            "weights of 2",
            change(|mesh| {
                let weights = mesh.joint_weights.iter_mut().flatten();
                weights.for_each(|weight| *weight *= 2.0);
            }),
            Says::All,
        ),
        (
            "weights that are no numbers",
            change(|mesh| {
                let weights = mesh.joint_weights.iter_mut();
                weights.step_by(7).for_each(|own| own[0] = f32::NAN);
            }),
            Says::Most,
        ),
        (
            "joints that are not there",
            change(|mesh| {
                let slots = mesh.joint_slots.iter_mut();
                slots.step_by(7).for_each(|own| own[0] = 9999);
            }),
            Says::Most,
        ),
        (
            "places that are no numbers",
            change(|mesh| {
                let places = mesh.positions.iter_mut();
                places.step_by(7).for_each(|place| place.y = f32::NAN);
            }),
            Says::Most,
        ),
        ("one triangle", single, Says::Nothing),
        (
            "no weights",
            change(|mesh| mesh.joint_weights.fill([0.0; 4])),
            Says::Nothing,
        ),
        (
            "no skin",
            change(|mesh| {
                mesh.skin = None;
                mesh.joint_slots.clear();
                mesh.joint_weights.clear();
            }),
            Says::Nothing,
        ),
        (
            "all weights on one joint",
            changed(character, bind),
            Says::Nothing,
        ),
    ]
}

/// By how much joints turn differently in two clips, at most, degrees.
fn apart(skeleton: &Skeleton, clips: [&Clip; 2]) -> f32 {
    let (start, end) = clips[0].time_span();
    let mut most = 0.0_f32;
    for frame in 0..FRAMES {
        let time = start + (end - start) * frame as f32 / (FRAMES - 1) as f32;
        let poses = clips.map(|clip| model_pose(skeleton, &sample_clip(skeleton, clip, time)));
        for joint in 0..skeleton.len() {
            let [own, other] = poses.each_ref().map(|pose| pose.rotation(joint));
            let angle = angle_between(own, other).to_degrees();
            assert!(angle.is_finite());
            most = most.max(angle);
        }
    }
    most
}

#[test]
fn broken_meshes_say_what_they_can() {
    let all = characters();
    let touching = touching_clips().into_iter().take(2).map(|own| own.clip);
    let lying = hard_clips().into_iter();
    let lying = lying.filter(|clip| clip.name == "push-up");
    let sources: Vec<Rig> = touching
        .chain(lying)
        .map(|clip| mover(&all[0], &clip))
        .collect();
    for character in &all[1..] {
        let clean = made_here(character.clone());
        let skeleton = &clean.character.skeleton;
        let result = |target: &Rig, source: &Rig| {
            let made = retargeted(source, target, &Recipe::default());
            made.clip
        };
        let good: Vec<Clip> = sources.iter().map(|own| result(&clean, own)).collect();
        for (name, mut broken, says) in broken_bodies(&clean) {
            let name = format!("{} with {name}", character.name);
            broken.hull = rebone::model::hull_of(&broken);
            tell_unbound(std::slice::from_mut(&mut broken), true);
            let target = made_here(broken);
            let made = retarget(&sources[0], &target, &[], &Recipe::default()).unwrap();
            let mut warnings = made.warnings.iter();
            let is_told = warnings.any(|warning| warning.code == "skin-unbound");
            assert_eq!(is_told, says == Says::Nothing, "{name}");
            let results = sources.iter().map(|source| result(&target, source));
            let turns: Vec<f32> = results
                .zip(&good)
                .map(|(own, good)| apart(skeleton, [&own, good]))
                .collect();
            println!("{name}: {turns:.2?} degrees from the whole mesh");
            let most = match says {
                Says::All => 0.0,
                Says::Most => LOST_DEGREES,
                Says::Nothing => continue,
            };
            assert!(turns.iter().all(|turn| *turn <= most), "{name}: {turns:?}");
        }
    }
}
