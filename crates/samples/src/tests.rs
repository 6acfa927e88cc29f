use super::*;
use glam::Vec3;
use rebone_model::kinematics::model_pose;
use rebone_model::sampling::sample_clip;

#[test]
fn planted_joints_do_not_move() {
    let skeleton = adult::rig().skeleton;
    let climbs = [(0.17, false), (-0.17, false), (0.06, true)];
    let climbs = climbs.map(|(rise, slope)| {
        let depth = 0.29;
        stairs(Climb { rise, depth, slope }).0
    });
    for sample in clips().into_iter().chain(climbs) {
        let position = |joint: usize, time: f32| {
            model_pose(&skeleton, &sample_clip(&skeleton, &sample.clip, time)).position(joint)
        };
        assert!(sample.contacts.len() >= 3);
        for contact in &sample.contacts {
            let held = position(contact.joint, contact.start);
            let times = sample.clip.key_times();
            for (index, &time) in times.iter().enumerate() {
                if time < contact.start - 1e-4 || time > contact.end + 1e-4 {
                    continue;
                }
                let drift = position(contact.joint, time).distance(held);
                assert!(
                    drift < 1e-4,
                    "{} {contact:?} at {time}: {drift}",
                    sample.clip.name
                );
                // Between two keys rotations are interpolated, so the foot may tremble a little.
                if let Some(&next) = times.get(index + 1).filter(|t| **t <= contact.end + 1e-4) {
                    let drift = position(contact.joint, 0.5 * (time + next)).distance(held);
                    assert!(
                        drift < 2.5e-3,
                        "{} {contact:?} after {time}: {drift}",
                        sample.clip.name
                    );
                }
            }
        }
    }
}

#[test]
fn the_walk_loops() {
    let samples = clips();
    let clip = &samples[0].clip;
    let skeleton = adult::rig().skeleton;
    let first = sample_clip(&skeleton, clip, 0.0);
    let last = sample_clip(&skeleton, clip, clip.seconds());
    for (a, b) in first.transforms().iter().zip(last.transforms()) {
        assert!(rebone_model::rotation::angle_between(a.rotation, b.rotation) < 1e-3);
    }
    let way = last.transforms()[0].translation - first.transforms()[0].translation;
    assert!(way.z > 2.0 && way.x.abs() < 1e-4 && way.y.abs() < 1e-4);
}

#[test]
fn the_jump_flies_as_gravity_tells() {
    let samples = clips();
    let track = samples[2].clip.joints[0].translation.as_ref().unwrap();
    let heights: Vec<f32> = track.values().iter().map(|value| value.y).collect();
    let rate = 60.0;
    let falling = heights
        .windows(3)
        .filter(|w| ((w[0] - 2.0 * w[1] + w[2]) * rate * rate + 9.81).abs() < 0.1)
        .count();
    assert!(falling >= 27, "{falling}");
}

#[test]
fn skins_are_sound() {
    let characters = characters();
    for character in &characters {
        let mesh = &character.meshes[0];
        assert!(mesh.positions.len() < 10_000, "{}", mesh.positions.len());
        assert!(mesh.indices.len() / 3 > 6_000);
        let lowest = mesh.positions.iter().map(|p| p.y).fold(f32::MAX, f32::min);
        assert!(lowest.abs() < 2e-3, "{lowest}");
        for (weights, normal) in mesh.joint_weights.iter().zip(&mesh.normals) {
            assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            assert!((normal.length() - 1.0).abs() < 1e-4);
        }
        let model = model_pose(&character.skeleton, &character.skeleton.rest_pose());
        let skin = &character.skins[0];
        for (&joint, bind) in skin.joints.iter().zip(&skin.inverse_bind) {
            let product = model.model_from_joint(joint) * *bind;
            assert!(
                product
                    .transform_point3(Vec3::ONE)
                    .abs_diff_eq(Vec3::ONE, 1e-5)
            );
        }
    }
    let height = |index: usize| characters[index].extent_along(Vec3::Y);
    assert!(height(1) > height(0) - 0.1 && height(0) > 1.6 && height(2) < 1.05);
}

#[test]
fn the_two_sides_are_alike() {
    for character in characters() {
        let mesh = &character.meshes[0];
        let center: f32 = mesh.positions.iter().map(|p| p.x).sum();
        assert!((center / mesh.positions.len() as f32).abs() < 0.01);
    }
}

#[test]
fn every_file_is_read_back_without_a_doubt() {
    let files = files().unwrap();
    let total: usize = files.iter().map(|(_, bytes)| bytes.len()).sum();
    assert!(total < 3_600_000, "{total}");
    for (name, bytes) in &files {
        let options = rebone_io::ReadOptions::default();
        let document = rebone_io::read(bytes, &options, &|_| Err(String::new())).unwrap();
        assert!(
            document.warnings.is_empty(),
            "{name}: {:?}",
            document.warnings
        );
        assert_eq!(document.characters.len(), 1, "{name}");
        let read = &document.characters[0];
        let clips = usize::from(!["adult.glb", "brute.glb", "chibi.vrm"].contains(&name.as_str()));
        assert_eq!(read.clips.len(), clips, "{name}");
        let is_chibi = name == "chibi.vrm";
        assert_eq!(read.labels.len(), if is_chibi { 53 } else { 0 }, "{name}");
    }
}

#[test]
fn hands_are_where_a_clap_and_a_box_want_them() {
    let rig = adult::rig();
    let samples = clips();
    let named = |name: &str| {
        let mut all = samples.iter().map(|sample| &sample.clip);
        all.find(|clip| clip.name == name).unwrap()
    };
    let knuckles = |clip: &Clip, side: &str, time: f32| {
        let pose = model_pose(&rig.skeleton, &sample_clip(&rig.skeleton, clip, time));
        let fingers = ["Index", "Middle", "Ring", "Pinky"];
        let places = fingers
            .map(|finger| pose.position(rig.joint(&format!("mixamorig:{side}Hand{finger}1"))));
        places.into_iter().sum::<Vec3>() / 4.0
    };
    let apart = |clip: &Clip, time: f32| {
        knuckles(clip, "Left", time).distance(knuckles(clip, "Right", time))
    };
    let carry = named("carry");
    for time in carry.key_times() {
        assert!((apart(carry, time) - carry::WIDTH).abs() < 1e-4, "{time}");
    }
    let clap = named("clap");
    for meeting in clap::meetings() {
        // At the key that is nearest.
        let time = (meeting * 30.0).round() / 30.0;
        let distance = apart(clap, time);
        assert!(
            (clap::CLOSED - 1e-4..0.08).contains(&distance),
            "{time}: {distance}"
        );
    }
    assert!(apart(clap, 0.0) > 0.5);
}
