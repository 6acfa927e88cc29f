//! Re-based skins of rigs that are no bodies.

use super::*;

/// Rigs that are no bodies, linked by hand: without hips there is no travel, and the topmost joint stays where the
/// target has it.
#[test]
fn rigs_without_hips_are_bound_by_their_links() {
    use rebone_model::{Character, NewJoint, SkeletonBuilder};
    use rebone_setup::align::{AlignOptions, align};
    use rebone_setup::by_hand::HandLinks;
    use rebone_setup::compile::{CompileOptions, Mapped, NO_CALIBRATIONS, compile};
    use rebone_setup::mapping::map_character;
    use rebone_testkit::check::transfer_alone;

    for seed in rebone_corpus::seeds(0..12) {
        let generator = &mut Generator::new(seed);
        let mut chain = |names: &[&str]| {
            let mut builder = SkeletonBuilder::new();
            for (index, name) in names.iter().enumerate() {
                let rest = Transform {
                    translation: generator.vector(1.0).as_vec3() + Vec3::Y,
                    rotation: generator.rotation().as_quat(),
                    scale: Vec3::ONE,
                };
                builder.add(NewJoint::new(*name, index.checked_sub(1), rest));
            }
            Character {
                name: names[0].to_owned(),
                skeleton: builder.build().unwrap().0,
                ..Character::default()
            }
        };
        let source = chain(&["boom", "between", "stick", "bucket"]);
        let mut target = chain(&["arm1", "arm2", "arm3", "tip"]);
        let mut clip = Clip::new("dig", 4);
        let times: std::sync::Arc<[f32]> = (0..6).map(|key| key as f32 * 0.2).collect();
        for tracks in &mut clip.joints {
            let values = times.iter().map(|_| generator.rotation().as_quat());
            let kind = rebone_model::Interpolation::Linear;
            tracks.rotation = rebone_model::Track::new(kind, times.clone(), values.collect()).ok();
        }
        let bind = affines(&target.skeleton, &target.skeleton.rest_pose());
        target.skins = vec![Skin {
            name: String::new(),
            joints: (0..4).collect(),
            inverse_bind: bind
                .iter()
                .map(|bind| bind.inverse().as_affine3a())
                .collect(),
        }];
        let (one, two) = (map_character(&source), map_character(&target));
        let options = AlignOptions::default();
        let aligned =
            [(&source, &one), (&target, &two)].map(|(c, map)| align(c, map, &[], &options));
        let [from, to] = &aligned;
        let mapped = |character, map, alignment| Mapped {
            character,
            map,
            alignment,
            meters_per_unit: 1.0,
            calibrations: &NO_CALIBRATIONS,
        };
        let by_hand = HandLinks {
            pairs: vec![(0, 0), (2, 1), (3, 2)],
            ..HandLinks::default()
        };
        let options = CompileOptions {
            by_hand,
            ..transfer_alone()
        };
        let pair = (mapped(&source, &one, from), mapped(&target, &two, to));
        let compiled = compile(&pair.0, &pair.1, &[&clip], &options).unwrap();
        let bind = rebind(&compiled);
        assert!(bind.hips.is_none());
        let rebound = rebound_character(&source.skeleton, &target, &bind).unwrap();
        let keys = PlaceKeys::Fitted;
        let new = rebound_clip(&source.skeleton, &clip, &compiled, &bind, &rebound, keys).unwrap();
        let made = apply_clip(&compiled.plan, &clip, &ClipOptions::default()).unwrap();
        for &time in times.iter() {
            let a = affines(
                &rebound.character.skeleton,
                &sample_clip(&rebound.character.skeleton, &new, time),
            );
            let b = affines(
                &target.skeleton,
                &sample_clip(&target.skeleton, &made, time),
            );
            let (skin, own) = (&rebound.character.skins[0], &target.skins[0]);
            for slot in 0..4 {
                let point = DVec3::new(0.3, 1.0, -0.2);
                let moved = |skin: &Skin, model: &[DAffine3]| {
                    let inverse = skin.inverse_bind[slot].as_daffine3();
                    (model[skin.joints[slot]] * inverse).transform_point3(point)
                };
                let off = moved(skin, &a).distance(moved(own, &b));
                assert!(off < 1e-4, "seed {seed}, slot {slot} at {time}: {off:.2e}");
            }
        }
    }
}
