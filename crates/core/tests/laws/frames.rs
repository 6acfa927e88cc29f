//! One pose at a time gives what the whole clip gives.

use crate::{any_clip, any_rigged, say};
use rebone_core::runtime::{ClipOptions, Workspace, apply_clip, apply_pose};
use rebone_core::transfer::Method;
use rebone_model::sampling::sample_clip;
use rebone_testkit::check::{Choices, When, Worst, compiled, times};
use rebone_testkit::oracle::degrees_between;
use rebone_testkit::random::{Convention, Generator, Keys, Rigged};

/// Not to the bit: a clip's tracks go through one 4×4 matrix a track, a pose through products of
/// quaternions. Both are within a few grains of single precision of the truth.
#[test]
fn apply_pose_equals_apply_clip_at_every_key() {
    let mut worst = Worst::default();
    for seed in rebone_corpus::seeds(0..400) {
        let generator = &mut Generator::new(seed);
        let (source, mut target) = (any_rigged(generator, false), any_rigged(generator, false));
        let method = Method::ALL[seed as usize % 4];
        if method == Method::Channels {
            // It copies file units: a joint of a file in centimetres would be lost in one in kilometres.
            let units = source.convention.units;
            let convention = target.convention.clone();
            target = Rigged::new(
                &target.body,
                &Convention {
                    units,
                    ..convention
                },
            );
        }
        let clip = any_clip(generator, &source, Keys::Mixed);
        let choices = Choices {
            method,
            ..Choices::default()
        };
        let plan = compiled(&source, &target, &clip, &choices).plan;
        let result = apply_clip(&plan, &clip, &ClipOptions::default()).unwrap();
        let mut workspace = Workspace::new(&plan);
        let mut pose = plan.target.rest_pose();
        let scale = target.containers().0.matrix3.determinant().cbrt();
        let height = (target.file_height() / scale) as f32;
        for time in times(&clip, When::Keys) {
            let from = sample_clip(&source.character.skeleton, &clip, time);
            apply_pose(&plan, &from, &mut pose, &mut workspace);
            let whole = sample_clip(&target.character.skeleton, &result, time);
            let joints = whole.transforms().iter().zip(pose.transforms());
            for (joint, (whole, single)) in joints.enumerate() {
                let size = height.max(single.translation.length());
                let apart = whole.translation.distance(single.translation) / size;
                let scaled = (whole.scale - single.scale).length() / single.scale.length();
                let turned = degrees_between(whole.rotation.as_dquat(), single.rotation.as_dquat());
                worst.add(f64::from(apart.max(scaled)), turned, || {
                    format!("joint {joint} at {time}, seed {seed}")
                });
            }
        }
    }
    say("apply_pose (position of the height)", &worst);
    worst.assert_within(1e-5, 1e-4, "apply_pose");
}
