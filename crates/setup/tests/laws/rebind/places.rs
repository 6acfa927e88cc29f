//! Where the nodes of a re-based skin are, and how they travel (S0.4 to S0.6, S0.12).

use super::*;
use rebone_testkit::random::{Convention, Stance};

/// S0.5, S0.6: local and world matrices belong together, and joints lie where the model has them.
#[test]
fn joints_lie_where_the_model_has_them() {
    for seed in rebone_corpus::seeds(0..40) {
        let generator = &mut Generator::new(seed);
        let (source, target) = (
            crate::any_rigged(generator, false),
            crate::any_rigged(generator, false),
        );
        let case = Case::new(generator, source, target, Keys::Linear);
        let bind = &case.bind;
        let height = case.target.file_height();
        for (node, own) in bind.rebind.nodes.iter().enumerate() {
            let above = own
                .parent
                .map_or(DAffine3::IDENTITY, |parent| bind.world[parent]);
            let off = above * bind.local[node] * bind.world[node].inverse();
            assert!(off.abs_diff_eq(DAffine3::IDENTITY, 1e-9 * height.max(1.0)));
        }
        let mut driven = 0;
        for (joint, bound) in bind.rebind.joints.iter().enumerate() {
            if !bound.is_driven {
                continue;
            }
            let node = bound.node;
            driven += 1;
            let off = bind.world[node].translation - bind.pose_retarget[joint].translation;
            assert!(off.length() < 2e-6 * height, "seed {seed}, joint {joint}");
        }
        assert!(driven >= 15);
        // In the retarget pose itself the skin stands as R · M⁻¹ puts it.
        let mut pose = bind.rebind.rest_pose();
        bind.rebind.pose(&bind.source_pose, &mut pose);
        let nodes = affines(&case.rebound.character.skeleton, &rest_with(&case, &pose));
        let skin = &case.target.character.skins[0];
        let mesh = &case.target.character.meshes[0];
        let wanted = skinned(skin, mesh, &bind.pose_retarget);
        let found = skinned(&case.rebound.character.skins[0], mesh, &nodes);
        for (wanted, found) in wanted.zip(found) {
            assert!((wanted - found).length() < 1e-5 * height, "seed {seed}");
        }
    }
}

/// The new character's rest pose with the nodes posed.
fn rest_with(case: &Case, nodes: &LocalPose) -> LocalPose {
    let mut pose = case.rebound.character.skeleton.rest_pose();
    for (&joint, local) in case.rebound.joint_of_node.iter().zip(nodes.transforms()) {
        pose.transforms_mut()[joint] = *local;
    }
    pose
}

/// S0.4: the seed's own loop, with its root rule, on skeletons that go joint by joint and bind poses alike:
/// `translation = inv(K_p) · M_p · t_i`, rotations of the animation.
#[test]
fn the_retargeted_bind_pose_is_that_of_the_seed() {
    for seed in rebone_corpus::seeds(0..12) {
        let generator = &mut Generator::new(seed);
        let body = full_body(generator);
        let plain = |stance: Stance, axes: Option<u64>| Convention {
            joint_axes: axes,
            stance,
            ..Convention::default()
        };
        let source = Rigged::new(&body, &plain(Stance::default(), Some(seed)));
        let scaled = body.scaled(1.3);
        let target = Rigged::new(&scaled, &plain(Stance::default(), Some(seed + 99)));
        let case = Case::new(generator, source, target, Keys::Linear);
        let (animation, model) = (
            &case.source.character.skeleton,
            &case.target.character.skeleton,
        );
        let model_bind = affines(model, &model.rest_pose());
        let mut retargeted: Vec<DAffine3> = Vec::new();
        for (index, joint) in animation.joints().iter().enumerate() {
            // Both skeletons list the same joints in the same order.
            let rotation = DAffine3::from_quat(joint.rest.rotation.as_dquat());
            let own = model.joints()[index].rest.translation.as_dvec3();
            let world = match joint.parent {
                None => DAffine3::from_translation(own) * rotation,
                Some(parent) => {
                    let place = retargeted[parent].inverse() * model_bind[parent];
                    let local = DAffine3::from_translation(place.transform_point3(own)) * rotation;
                    retargeted[parent] * local
                }
            };
            retargeted.push(world);
        }
        for (joint, bound) in case.bind.rebind.joints.iter().enumerate() {
            let own = case.bind.world[bound.node];
            // The container's scale is the motion scale, which the seed multiplies into the root's keys.
            let turn = own.matrix3 * (1.0 / own.matrix3.determinant().cbrt());
            let wanted = &retargeted[joint];
            let off = (own.translation - wanted.translation).length();
            assert!(off < 1e-5, "seed {seed}, joint {joint}: {off:.2e}");
            assert!(
                turn.abs_diff_eq(wanted.matrix3, 1e-5),
                "seed {seed}, joint {joint}"
            );
        }
    }
}

/// All keys of rotation are the source's own, to the bit, and with raw hips those of translation too.
#[test]
fn the_keys_are_the_sources_own() {
    let generator = &mut Generator::new(7);
    let source = Rigged::new(&full_body(generator), &random_convention(generator));
    let target = Rigged::new(&full_body(generator), &random_convention(generator));
    let case = Case::new(generator, source, target, Keys::Mixed);
    let hips = case.compiled.plan.travel.unwrap().source;
    for keys in [
        PlaceKeys::Raw,
        PlaceKeys::Fitted,
        PlaceKeys::Scaled([1.0, 2.0, 3.0]),
    ] {
        let made = case.rebound_clip(keys);
        for (node, &joint) in case
            .bind
            .rebind
            .nodes
            .iter()
            .zip(&case.rebound.joint_of_node)
        {
            let Some(source) = node.source else { continue };
            assert_eq!(
                made.joints[joint].rotation,
                case.clip.joints[source].rotation
            );
            if keys == PlaceKeys::Raw && source == hips {
                let own = &case.clip.joints[source].translation;
                assert_eq!(&made.joints[joint].translation, own);
                assert!(own.is_some());
            }
        }
    }
}

/// S0.12: a factor an axis, to the left, up and forward, whatever the files' axes are.
#[test]
fn hips_travel_by_a_factor_an_axis() {
    for seed in rebone_corpus::seeds(0..12) {
        let generator = &mut Generator::new(seed);
        let source = Rigged::new(&full_body(generator), &random_convention(generator));
        let target = Rigged::new(&full_body(generator), &random_convention(generator));
        let case = Case::new(generator, source, target, Keys::Linear);
        let factors = [0.5, 2.0, 0.0];
        let units = case.target.convention.units / case.source.convention.units;
        let made = case.rebound_clip(PlaceKeys::Scaled(factors.map(|factor| factor * units)));
        let skeleton = &case.rebound.character.skeleton;
        let hips = case.rebound.joint_of_node[case.bind.hips.unwrap()];
        let own = &case.source.character.skeleton;
        let own_hips = case.compiled.plan.travel.unwrap().source;
        let place = |time: f32| {
            let new = affines(skeleton, &sample_clip(skeleton, &made, time))[hips].translation;
            let old = affines(own, &sample_clip(own, &case.clip, time))[own_hips].translation;
            let (to, from) = (&case.target.convention, &case.source.convention);
            let new = to.file_from_canonical.conjugate() * new / to.units;
            let old = from.file_from_canonical.conjugate() * old / from.units;
            (new, old)
        };
        let times = case.clip.key_times();
        let start = place(times[0]);
        for &time in &times {
            let now = place(time);
            let (way, own) = (now.0 - start.0, now.1 - start.1);
            let wanted = own * DVec3::from_array(factors);
            assert!(
                (way - wanted).length() < 2e-5,
                "seed {seed}: {way} {wanted}"
            );
        }
    }
}

/// S0.12: what is no hips keeps the constant offset of the model, whatever the source's keys say.
#[test]
fn offsets_of_other_joints_are_constant() {
    let generator = &mut Generator::new(3);
    let source = Rigged::new(&full_body(generator), &random_convention(generator));
    let target = Rigged::new(&full_body(generator), &random_convention(generator));
    let mut case = Case::new(generator, source, target, Keys::Linear);
    // Files often repeat the rest translation of every joint as a key.
    for (joint, own) in case.source.character.skeleton.joints().iter().enumerate() {
        let tracks = &mut case.clip.joints[joint];
        let constant = rebone_model::Track::constant(own.rest.translation);
        tracks.translation.get_or_insert(constant);
    }
    let made = case.rebound_clip(PlaceKeys::Raw);
    let moving: Vec<usize> = (0..made.joints.len())
        .filter(|&joint| made.joints[joint].translation.is_some())
        .collect();
    let nodes = &case.bind.rebind.nodes;
    for joint in moving {
        let node = case.rebound.joint_of_node.iter().position(|&j| j == joint);
        assert!(nodes[node.unwrap()].takes_translation, "joint {joint}");
    }
    let offset = |node: usize| nodes[node].rest.translation;
    assert!((0..nodes.len()).any(|node| offset(node).distance(Vec3::ZERO) > 0.0));
    let found = case.worst(PlaceKeys::Fitted, false);
    assert!(found <= BOUND, "{found:.2e}");
}
