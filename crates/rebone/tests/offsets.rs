//! The same walk once with a T-pose in its OFFSETs and once with six channels a joint and OFFSETs that
//! mean something else gives the same result.

use crate::common::{corpus, retarget, rig};
use rebone::model::kinematics::model_pose;
use rebone::model::rotation::angle_between;
use rebone::model::sampling::sample_clip;
use rebone::setup::align::PoseSource;
use rebone::{Recipe, Role};

#[test]
fn positions_of_the_clip_replace_useless_offsets() {
    let Some(corpus) = corpus() else { return };
    let plain = "bvh_misc/bvhtoolbox/tests/example_files/source/walk01.bvh";
    let plain = rig(&corpus.join(plain), Role::Source);
    let odd = rig(
        &corpus.join("derived/walk01_six_channels_x_rest.bvh"),
        Role::Source,
    );
    assert!(matches!(odd.alignment.pose_source, PoseSource::Offsets(_)));
    let hero = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/brute.glb");
    let target = rig(&hero, Role::Target);
    let results =
        [&plain, &odd].map(|source| retarget(source, &target, &[], &Recipe::default()).unwrap());
    let [expected, result] = results.map(|result| result.clips[0].clip.clone());
    let skeleton = &target.character.skeleton;
    for time in expected.key_times() {
        let a = model_pose(skeleton, &sample_clip(skeleton, &expected, time));
        let b = model_pose(skeleton, &sample_clip(skeleton, &result, time));
        for joint in 0..skeleton.len() {
            let degrees = angle_between(a.rotation(joint), b.rotation(joint)).to_degrees();
            assert!(
                degrees < 0.02,
                "{degrees} degrees at {}",
                skeleton.unique_name(joint)
            );
            assert!(a.position(joint).distance(b.position(joint)) < 1e-3);
        }
    }
}
