//! Bodies that appear out of nothing, by scales of the joint above all others: once they are there, they move as those that were there
//! all the time.

use crate::common::legs::metres;
use crate::common::retarget;
use glam::Vec3;
use rebone::Rig;
use rebone::io::Format;
use rebone::model::kinematics::model_pose;
use rebone::model::sampling::sample_clip;
use rebone::model::{Clip, Interpolation, Track};
use rebone::setup::profile::{Part, Side};
use rebone::setup::recipe::Recipe;
use rebone_samples::{characters, clips};

/// Seconds in which the body grows.
const GROWS: f32 = 0.3;

/// Seconds behind that in which smoothers still know of it.
const SETTLED: f32 = 0.4;

/// Directions of both thighs and shins, as seen in the file.
fn legs(rig: &Rig, clip: &Clip, time: f32) -> Vec<Vec3> {
    let skeleton = &rig.character.skeleton;
    let pose = model_pose(skeleton, &sample_clip(skeleton, clip, time));
    let place = |part, side| pose.position(rig.map.joint_of(part, side).unwrap());
    let bones = [
        [Part::UpperLeg, Part::LowerLeg],
        [Part::LowerLeg, Part::Foot],
    ];
    let of =
        |side| bones.map(|[from, to]| (place(to, side) - place(from, side)).normalize_or_zero());
    [Side::Left, Side::Right].into_iter().flat_map(of).collect()
}

#[test]
fn a_body_that_grows_from_a_point_moves_its_legs_as_one_that_was_there() {
    let rig = |character| Rig::from_character(character, Format::Glb, metres(), Vec::new());
    let all = characters();
    for sample in clips() {
        let plain = sample.clip;
        let mut grown = plain.clone();
        let root = all[0]
            .skeleton
            .joints()
            .iter()
            .position(|joint| joint.parent.is_none())
            .unwrap();
        grown.joints[root].scale = Some(
            Track::new(
                Interpolation::Linear,
                vec![0.0, GROWS].into(),
                vec![Vec3::ZERO, Vec3::ONE],
            )
            .unwrap(),
        );
        grown.name = "grown".to_owned();
        let mut mover = all[0].clone();
        mover.clips = vec![plain.clone(), grown.clone()];
        let source = rig(mover);
        for character in &all[1..] {
            let target = rig(character.clone());
            let made = [&plain, &grown].map(|clip| {
                let names = std::slice::from_ref(&clip.name);
                let mut result = retarget(&source, &target, names, &Recipe::default()).unwrap();
                result.clips.remove(0).clip
            });
            let (mut tiny, mut later) = (0.0f32, 0.0f32);
            for time in plain.key_times() {
                let [own, other] = [&made[0], &made[1]].map(|clip| legs(&target, clip, time));
                let apart = own
                    .iter()
                    .zip(&other)
                    .map(|(own, other)| own.angle_between(*other).to_degrees());
                let most = apart.fold(0.0, f32::max);
                if time > 0.0 && time < GROWS {
                    tiny = tiny.max(most);
                } else if time > GROWS + SETTLED {
                    later = later.max(most);
                }
            }
            let name = format!("{} on {}", plain.name, character.name);
            println!("{name}: {tiny:.1} degrees while it grows, {later:.2} behind");
            // While it grows its feet have no place in the world, and legs are as transferred.
            assert!(tiny < 15.0 && later < 1.0, "{name}: {tiny}, {later}");
        }
    }
}
