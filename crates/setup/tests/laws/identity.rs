//! A = B.

use crate::{any_clip, any_rigged, say};
use rebone_testkit::check::{Choices, When, Worst, compiled, retarget, same_motion};
use rebone_testkit::random::{Generator, Keys};

#[test]
fn retargeting_to_oneself_returns_the_input_bit_for_bit() {
    for seed in rebone_corpus::seeds(0..200) {
        let generator = &mut Generator::new(seed);
        let rigged = any_rigged(generator, false);
        let keys = [Keys::Linear, Keys::Cubic, Keys::Step, Keys::Mixed][seed as usize % 4];
        let clip = any_clip(generator, &rigged, keys);
        let result = retarget(&rigged, &rigged, &clip, &Choices::default());
        for (joint, (before, after)) in clip.joints.iter().zip(&result.joints).enumerate() {
            let name = &rigged.character.skeleton.joints()[joint].name;
            assert_eq!(before.rotation, after.rotation, "seed {seed}: {name}");
            assert_eq!(before.translation, after.translation, "seed {seed}: {name}");
            assert_eq!(before.scale, after.scale, "seed {seed}: {name}");
        }
    }
}

#[test]
fn retargeting_to_oneself_looks_the_same_at_any_time() {
    let mut worst = Worst::default();
    for seed in rebone_corpus::seeds(100..130) {
        let generator = &mut Generator::new(seed);
        let rigged = any_rigged(generator, false);
        let clip = any_clip(generator, &rigged, Keys::Mixed);
        worst.merge(&same_motion(
            &rigged,
            &rigged,
            &clip,
            &Choices::default(),
            When::Anytime,
        ));
    }
    say("identity", &worst);
    worst.assert_within(1e-6, 1e-3, "identity");
}

#[test]
fn retargeting_changes_none_of_its_inputs_and_gives_the_same_twice() {
    for seed in rebone_corpus::seeds(200..210) {
        let generator = &mut Generator::new(seed);
        let (source, target) = (any_rigged(generator, false), any_rigged(generator, false));
        let clip = any_clip(generator, &source, Keys::Mixed);
        let (source_before, target_before, clip_before) =
            (source.clone(), target.clone(), clip.clone());
        let choices = Choices::default();
        let first = compiled(&source, &target, &clip, &choices);
        let second = compiled(&source, &target, &clip, &choices);
        assert_eq!(first.plan, second.plan);
        assert_eq!(
            retarget(&source, &target, &clip, &choices),
            retarget(&source, &target, &clip, &choices)
        );
        assert_eq!(clip, clip_before);
        assert_eq!(source.map, source_before.map);
        assert_eq!(target.map, target_before.map);
        assert_eq!(source.character.skeleton, source_before.character.skeleton);
        assert_eq!(target.character.skeleton, target_before.character.skeleton);
    }
}
