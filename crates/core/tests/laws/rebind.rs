//! A re-based skin (E1, S0.4 to S0.8): the source's own rotations move it as the retarget moves the target.

use crate::{any_clip, full_body};
use glam::{Affine3A, DAffine3, DMat3, DQuat, DVec3, Vec3};
use rebone_core::compile::Compiled;
use rebone_core::rebind::{
    PlaceKeys, Rebound, RetargetedBind, rebind, rebound_character, rebound_clip,
};
use rebone_core::runtime::{ClipOptions, apply_clip};
use rebone_model::sampling::sample_clip;
use rebone_model::{Clip, LocalPose, Mesh, Skeleton, Skin, Transform};
use rebone_testkit::check::{Choices, compiled};
use rebone_testkit::random::{
    Body, BodyOptions, Convention, Generator, Keys, Rigged, Stance, random_body, random_convention,
};

/// Bound of a skinned vertex, of the target's height. The requirement is 1e-4.
const BOUND: f64 = 1e-5;

/// A target with a skin that was bound in some other pose, and a cloud of vertices around its joints.
struct Case {
    source: Rigged,
    target: Rigged,
    clip: Clip,
    compiled: Compiled,
    bind: RetargetedBind,
    rebound: Rebound,
}

impl Case {
    fn new(generator: &mut Generator, source: Rigged, mut target: Rigged, keys: Keys) -> Self {
        let clip = any_clip(generator, &source, keys);
        add_skin(generator, &mut target);
        let compiled = compiled(&source, &target, &clip, &Choices::default());
        let bind = rebind(&compiled);
        let rebound =
            rebound_character(&source.character.skeleton, &target.character, &bind).unwrap();
        Self {
            source,
            target,
            clip,
            compiled,
            bind,
            rebound,
        }
    }

    fn rebound_clip(&self, keys: PlaceKeys) -> Clip {
        let skeleton = &self.source.character.skeleton;
        let (compiled, bind) = (&self.compiled, &self.bind);
        rebound_clip(skeleton, &self.clip, compiled, bind, &self.rebound, keys)
    }

    /// The farthest that a vertex is from where the retarget has it, of the height. With `from_hips`, both
    /// are seen from the hips.
    fn worst(&self, keys: PlaceKeys, from_hips: bool) -> f64 {
        let made = apply_clip(&self.compiled.plan, &self.clip, &ClipOptions::default());
        let own = self.rebound_clip(keys);
        let (new, old) = (&self.rebound.character, &self.target.character);
        let travel = self.compiled.plan.travel.unwrap();
        let hips = self.rebound.joint_of_node[self.bind.hips.unwrap()];
        let mut worst = 0.0f64;
        for time in self.clip.key_times() {
            let a = affines(&new.skeleton, &sample_clip(&new.skeleton, &own, time));
            let b = affines(&old.skeleton, &sample_clip(&old.skeleton, &made, time));
            let off = if from_hips {
                a[hips].translation - b[travel.target].translation
            } else {
                DVec3::ZERO
            };
            let one = skinned(&new.skins[0], &new.meshes[0], &a);
            let two = skinned(&old.skins[0], &old.meshes[0], &b);
            for (vertex, (one, two)) in one.zip(two).enumerate() {
                // What stands still does not travel with the hips.
                let stands = |&slot: &u16| {
                    let joint = old.skins[0].joints[usize::from(slot)];
                    self.bind.rebind.joints[joint].node == 0
                };
                if from_hips && old.meshes[0].joint_slots[vertex].iter().any(stands) {
                    continue;
                }
                worst = worst.max((one - two - off).length() / self.target.file_height());
            }
        }
        worst
    }
}

fn add_skin(generator: &mut Generator, target: &mut Rigged) {
    let skeleton = &target.character.skeleton;
    let height = target.file_height();
    // Bound in a pose of its own: every joint turned and moved.
    let turned = skeleton.joints().iter().map(|joint| {
        let mut local = joint.rest;
        local.rotation *= DQuat::from_scaled_axis(generator.vector(0.6)).as_quat();
        local.translation *= generator.between(0.9, 1.1) as f32;
        local
    });
    let bind = affines(skeleton, &LocalPose::new(turned.collect()));
    let joints: Vec<usize> = target.joint_of.clone();
    let inverse = |&joint: &usize| bind[joint].inverse().as_affine3a();
    let inverse_bind: Vec<Affine3A> = joints.iter().map(inverse).collect();
    let mut mesh = Mesh {
        skin: Some(0),
        ..Mesh::default()
    };
    for _ in 0..150 {
        let slots = [(); 4].map(|()| generator.below(joints.len()) as u16);
        let place = bind[joints[usize::from(slots[0])]].translation;
        let place = place + generator.vector(0.1 * height);
        mesh.positions.push(place.as_vec3());
        let weights = [(); 4].map(|()| generator.between(0.01, 1.0) as f32);
        let sum: f32 = weights.iter().sum();
        mesh.joint_slots.push(slots);
        mesh.joint_weights.push(weights.map(|weight| weight / sum));
    }
    target.character.skins = vec![Skin {
        name: "skin".to_owned(),
        joints,
        inverse_bind,
    }];
    target.character.meshes = vec![mesh];
}

fn affines(skeleton: &Skeleton, pose: &LocalPose) -> Vec<DAffine3> {
    let mut result: Vec<DAffine3> = Vec::new();
    for (joint, local) in skeleton.joints().iter().zip(pose.transforms()) {
        let local = matrix(local);
        result.push(joint.parent.map_or(local, |parent| result[parent] * local));
    }
    result
}

fn matrix(local: &Transform) -> DAffine3 {
    let rotation = local.rotation.as_dquat();
    DAffine3 {
        matrix3: DMat3::from_quat(rotation * (1.0 / rotation.length()))
            * DMat3::from_diagonal(local.scale.as_dvec3()),
        translation: local.translation.as_dvec3(),
    }
}

fn skinned<'a>(
    skin: &'a Skin,
    mesh: &'a Mesh,
    model: &'a [DAffine3],
) -> impl Iterator<Item = DVec3> + 'a {
    mesh.positions
        .iter()
        .enumerate()
        .map(move |(vertex, place)| {
            let slots = mesh.joint_slots[vertex]
                .iter()
                .zip(mesh.joint_weights[vertex]);
            slots
                .map(|(&slot, weight)| {
                    let slot = usize::from(slot);
                    let moved = model[skin.joints[slot]] * skin.inverse_bind[slot].as_daffine3();
                    moved.transform_point3(place.as_dvec3()) * f64::from(weight)
                })
                .sum()
        })
}

fn same(body: Body) -> Body {
    body
}

fn law(what: &str, one: impl Fn(Body) -> Body, other: impl Fn(Body) -> Body) {
    let mut worst = 0.0f64;
    for seed in 0..24 {
        let generator = &mut Generator::new(seed);
        let (mut a, mut b) = (full_body(generator), full_body(generator));
        if seed % 2 == 0 {
            (a, b) = (one(a), other(b));
        } else {
            (a, b) = (other(a), one(b));
        }
        let source = Rigged::new(&a, &random_convention(generator));
        let target = Rigged::new(&b, &random_convention(generator));
        let case = Case::new(generator, source, target, Keys::Mixed);
        assert!(case.bind.shared_out.is_empty(), "{what}, seed {seed}");
        let found = case.worst(PlaceKeys::Fitted, false);
        assert!(found <= BOUND, "{what}, seed {seed}: {found:.2e}");
        let raw = case.worst(PlaceKeys::Raw, true);
        assert!(raw <= BOUND, "{what}, seed {seed}, raw: {raw:.2e}");
        worst = worst.max(found).max(raw);
    }
    eprintln!("rebind, {what}: {worst:.2e} of the height");
}

/// Must hold for any axes, units, containers (0.01, Z-up), stances and bind poses (S0.3, S0.7, S0.8).
#[test]
fn raw_rotations_move_the_skin_as_a_retarget_does() {
    law("same joints", same, same);
}

/// Joints that only one side has (S0.2), in line and as leaves.
#[test]
fn missing_and_extra_joints_change_nothing() {
    let bare = |body: Body| body.without("leftShoulder").without("rightShoulder");
    law("clavicles", bare, same);
    let toes = |body: Body| body.without("leftToes").without("rightToes");
    law("toes", toes, same);
    law("neck", |body: Body| body.without("neck0"), same);
    let more = |body: Body| {
        body.with_joint_above("twist", "leftLowerArm", 0.5)
            .with_joint_above("pelvis", "leftUpperLeg", 0.3)
            .with_joint_above("belt", "spine0", 0.5)
            .with_leaf("tail", "hips", DVec3::new(0.0, 0.0, -0.2))
            .with_leaf("tip", "tail", DVec3::new(0.0, 0.0, -0.2))
            .with_joint_above("root", "hips", 0.0)
    };
    law("joints in line and leaves", more, same);
}

/// A joint that carries several and is missing in the target is there once for each of them.
#[test]
fn a_missing_chest_is_there_once_for_each_branch() {
    let more = |body: Body| body.with_joint_above("belt", "leftShoulder", 0.0);
    law("joint above a shoulder", more, same);
    for seed in 0..8 {
        let generator = &mut Generator::new(seed);
        let target = full_body(generator);
        let target = (0..3).fold(target, |body, index| body.without(&format!("spine{index}")));
        let source = Rigged::new(&full_body(generator), &random_convention(generator));
        let target = Rigged::new(&target, &random_convention(generator));
        let case = Case::new(generator, source, target, Keys::Linear);
        let spine = case.source.joint_of[case.source.body.find("spine1").unwrap()];
        let nodes = case.bind.rebind.nodes.iter();
        let copies = nodes.filter(|node| node.source == Some(spine)).count();
        assert_eq!(copies, 3, "neck and both shoulders");
        let found = case.worst(PlaceKeys::Fitted, false);
        assert!(found <= BOUND, "seed {seed}: {found:.2e}");
    }
}

/// A torso cut otherwise is bent joint by joint: the limbs still turn exactly, only places differ.
#[test]
fn torsos_of_other_lengths_keep_the_turns() {
    for (from, to) in [(3, 1), (1, 3), (5, 3), (2, 4)] {
        let generator = &mut Generator::new(from * 10 + to);
        let mut body = |spine: u64| {
            let spine = spine as usize;
            random_body(
                generator,
                &BodyOptions {
                    spine,
                    ..BodyOptions::default()
                },
            )
        };
        let (a, b) = (body(from), body(to));
        let source = Rigged::new(&a, &random_convention(generator));
        let target = Rigged::new(&b, &random_convention(generator));
        let case = Case::new(generator, source, target, Keys::Linear);
        let expected = if to == 1 { 0 } else { to as usize - 1 };
        assert_eq!(case.bind.shared_out.len(), expected, "all but the last");
        let found = case.worst(PlaceKeys::Fitted, true);
        eprintln!("rebind, spine {from} onto {to}: {found:.2e} of the height");
        let made = apply_clip(&case.compiled.plan, &case.clip, &ClipOptions::default());
        let own = case.rebound_clip(PlaceKeys::Fitted);
        let (new, old) = (
            &case.rebound.character.skeleton,
            &case.target.character.skeleton,
        );
        for time in case.clip.key_times() {
            let a = affines(new, &sample_clip(new, &own, time));
            let b = affines(old, &sample_clip(old, &made, time));
            for (joint, bound) in case.bind.rebind.joints.iter().enumerate() {
                let is_trunk = case.bind.shared_out.contains(&joint);
                if !bound.is_driven || is_trunk {
                    continue;
                }
                let node = bound.node;
                let frame = bound.node_from_joint.as_daffine3();
                let moved = a[case.rebound.joint_of_node[node]] * frame;
                let off = moved.matrix3 * b[joint].matrix3.inverse() - DMat3::IDENTITY;
                let most = off
                    .to_cols_array()
                    .iter()
                    .fold(0.0f64, |m, x| m.max(x.abs()));
                assert!(most < 2e-5, "{from} onto {to}, joint {joint}: {most:.2e}");
            }
        }
    }
}

/// S0.5, S0.6: local and world matrices belong together, and joints lie where the model has them.
#[test]
fn joints_lie_where_the_model_has_them() {
    for seed in 0..40 {
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
    for seed in 0..12 {
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
    for seed in 0..12 {
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

/// Rigs that are no bodies, linked by hand: without hips there is no travel, and the topmost joint stays where the
/// target has it.
#[test]
fn rigs_without_hips_are_bound_by_their_links() {
    use rebone_core::align::{AlignOptions, align};
    use rebone_core::by_hand::HandLinks;
    use rebone_core::compile::{CompileOptions, Mapped, NO_CALIBRATIONS, compile};
    use rebone_core::mapping::map_character;
    use rebone_model::{Character, NewJoint, SkeletonBuilder};

    for seed in 0..12 {
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
            ..CompileOptions::default()
        };
        let pair = (mapped(&source, &one, from), mapped(&target, &two, to));
        let compiled = compile(&pair.0, &pair.1, &[&clip], &options).unwrap();
        let bind = rebind(&compiled);
        assert!(bind.hips.is_none());
        let rebound = rebound_character(&source.skeleton, &target, &bind).unwrap();
        let keys = PlaceKeys::Fitted;
        let new = rebound_clip(&source.skeleton, &clip, &compiled, &bind, &rebound, keys);
        let made = apply_clip(&compiled.plan, &clip, &ClipOptions::default());
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
