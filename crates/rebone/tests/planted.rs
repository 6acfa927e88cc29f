//! Feet that stand exactly in the source stand on every character, however long its legs are.
//!
//! Prints the worst slide of each pair, in per cent of the leg.

use crate::common::legs::{metres, with_legs};
use crate::common::retarget;
use glam::Vec3;
use rebone::Rig;
use rebone::io::Format;
use rebone::model::Character;
use rebone::model::kinematics::model_pose;
use rebone::model::sampling::sample_clip;
use rebone::setup::recipe::Recipe;
use rebone_samples::{characters, clips};

#[test]
fn planted_feet_stay() {
    let rig =
        |character: Character| Rig::from_character(character, Format::Glb, metres(), Vec::new());
    let all = characters();
    let adult = &all[0];
    let mut worst = 0.0f32;
    for sample in clips() {
        let mut mover = adult.clone();
        mover.clips = vec![sample.clip.clone()];
        let source = rig(mover);
        for character in &all {
            for times in [0.5, 1.0, 2.0] {
                let target = rig(with_legs(character, times));
                let result = retarget(&source, &target, &[], &Recipe::default()).unwrap();
                let clip = &result.clips[0].clip;
                let leg = target.alignment.measures.leg as f32;
                let mut most = (0.0f32, String::new());
                for contact in &sample.contacts {
                    let slot = source
                        .map
                        .slots
                        .iter()
                        .find(|(_, found)| found.joints.first() == Some(&contact.joint));
                    let (&slot, _) = slot.unwrap();
                    let Some(joint) = target.map.joint(slot) else {
                        continue;
                    };
                    let frames = ((contact.end - contact.start) * 60.0) as usize;
                    let places: Vec<Vec3> = (0..=frames)
                        .map(|frame| contact.start + frame as f32 / 60.0)
                        .map(|time| sample_clip(&target.character.skeleton, clip, time))
                        .map(|pose| model_pose(&target.character.skeleton, &pose).position(joint))
                        .collect();
                    let mean = places.iter().sum::<Vec3>() / places.len() as f32;
                    for (frame, place) in places.iter().enumerate() {
                        let off = 100.0 * place.distance(mean) / leg;
                        if off > most.0 {
                            let name = &target.character.skeleton.joints()[joint].name;
                            most = (
                                off,
                                format!(
                                    "{name} at frame {frame} of {frames} from {:.2}",
                                    contact.start
                                ),
                            );
                        }
                    }
                }
                println!(
                    "{:10} {:6} legs x {times}: {:.3} % {}",
                    sample.clip.name, character.name, most.0, most.1
                );
                worst = worst.max(most.0);
            }
        }
    }
    assert!(worst < 0.1, "{worst} % of the leg");
}
