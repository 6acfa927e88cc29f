//! `.retarget` files: what is written is read back, and nothing else is believed (S0.10).

use glam::{Affine3A, Quat};
use rebone_corpus::stride;
use rebone_model::Character;
use rebone_runtime::asset::{Asset, AssetError, AssetRig, VERSION, read_asset, write_asset};
use rebone_runtime::contact::{
    ContactEdit, ContactRules, DetectOptions, InPlace, PointKind, TouchSpan,
};
use rebone_runtime::stage::StageOp;
use rebone_runtime::{Workspace, apply_pose};
use rebone_setup::align::Correction;
use rebone_setup::feet::FeetChoice;
use rebone_setup::rebind::rebind;
use rebone_testkit::check::{asking, compiled_as};
use rebone_testkit::random::{
    BodyOptions, Generator, Keys, Motion, Rigged, random_body, random_convention,
};

fn side(character: &Character) -> AssetRig {
    let joints = character.skeleton.joints();
    AssetRig {
        name: character.name.clone(),
        joints: joints.iter().map(|joint| joint.name.clone()).collect(),
        kinds: joints.iter().map(|joint| joint.kind).collect(),
        meters_per_unit: 0.01,
        canonical_from_file: Quat::from_rotation_x(1.0),
    }
}

fn any_rules(seed: u64) -> ContactRules {
    if seed.is_multiple_of(3) {
        return ContactRules::default();
    }
    let edit = |name: &str, clip: Option<&str>| ContactEdit {
        clip: clip.map(str::to_owned),
        point: PointKind::parse(name).unwrap(),
        keeps_found: clip.is_none(),
        added: vec![TouchSpan {
            start: 0.5,
            end: 1.25,
            height: clip.map(|_| 0.1),
        }],
        removed: vec![[2.0, 3.0]; seed as usize % 2],
    };
    ContactRules {
        options: DetectOptions {
            speed_on: 0.3,
            ground: seed.is_multiple_of(2).then_some(-0.25),
            in_place: InPlace::Never,
            ..DetectOptions::default()
        },
        only_by_hand: seed.is_multiple_of(2),
        edits: vec![edit("leftHeel", None), edit("seat", Some("a clip"))],
    }
}

fn any_asset(seed: u64) -> Asset {
    let generator = &mut Generator::new(seed);
    let mut any = || {
        let options = BodyOptions::random(generator, false);
        let body = random_body(generator, &options);
        Rigged::new(&body, &random_convention(generator))
    };
    let (source, target) = (any(), any());
    let motion = Motion::random(generator, &source.body);
    let clip = source.clip(&motion, Keys::Mixed);
    let options = asking(|recipe| recipe.feet = FeetChoice::default());
    let mut compiled = compiled_as(&source, &target, &clip, Correction::Full, &options);
    // What was asked for of contacts is kept, too.
    for stage in &mut compiled.plan.stages {
        if let StageOp::Feet(feet) = &mut stage.op {
            feet.rules = any_rules(seed);
        }
    }
    Asset {
        source: side(&source.character),
        target: side(&target.character),
        rebind: (seed % 2 == 1).then(|| rebind(&compiled).rebind),
        plan: compiled.plan,
    }
}

/// Runs a plan, and the re-based skin if there is one, on the source's rest pose.
fn run(asset: &Asset) {
    let plan = &asset.plan;
    if let Some(rebind) = &asset.rebind {
        let mut nodes = rebind.rest_pose();
        rebind.pose(&plan.source.rest_pose(), &mut nodes);
        for (joint, bound) in rebind.joints.iter().enumerate() {
            assert!(bound.node < rebind.nodes.len());
            let _ = rebind.inverse_bind(joint, Affine3A::IDENTITY);
        }
        for (index, node) in rebind.nodes.iter().enumerate() {
            assert!(node.parent.is_none_or(|parent| parent < index));
        }
    }

    let mut target = plan.target.rest_pose();
    apply_pose(
        plan,
        &plan.source.rest_pose(),
        &mut target,
        &mut Workspace::new(plan),
    );
}

/// The hash of the header made to fit, so that the content itself is looked at.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let hash = bytes[24..]
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
    let length = u32::try_from(bytes.len()).unwrap();
    bytes[12..16].copy_from_slice(&length.to_le_bytes());
    bytes[16..24].copy_from_slice(&hash.to_le_bytes());
    bytes
}

#[test]
fn assets_come_back_as_they_were() {
    for seed in 0..60 {
        let asset = any_asset(seed);
        let bytes = write_asset(&asset).unwrap();
        assert!(
            bytes.len() < 64 * 1024,
            "seed {seed}: {} bytes",
            bytes.len()
        );
        assert_eq!(read_asset(&bytes).unwrap(), asset, "seed {seed}");
    }
}

#[test]
fn damage_is_found() {
    let bytes = write_asset(&any_asset(7)).unwrap();
    assert_eq!(read_asset(b"glTF"), Err(AssetError::NoAsset));
    for end in 0..bytes.len() {
        assert!(read_asset(&bytes[..end]).is_err(), "cut at {end}");
    }
    for at in 0..bytes.len() {
        let mut other = bytes.clone();
        other[at] ^= 0x41;
        assert!(read_asset(&other).is_err(), "changed at {at}");
    }
    let mut later = bytes.clone();
    let found = VERSION + 1;
    later[8..12].copy_from_slice(&found.to_le_bytes());
    assert_eq!(read_asset(&later), Err(AssetError::Version { found }));
    let error = AssetError::Version { found }.to_string();
    assert!(error.contains(&format!("version {found}")), "{error}");
}

#[test]
fn what_was_made_to_deceive_is_refused_or_runs() {
    let bytes = write_asset(&any_asset(11)).unwrap();
    let (mut refused, mut tried) = (0, 0);
    for end in (24..bytes.len()).step_by(7) {
        assert!(
            read_asset(&sealed(bytes[..end].to_vec())).is_err(),
            "cut at {end}"
        );
    }
    for at in (24..bytes.len()).step_by(stride()) {
        for change in [0x01, 0x80, 0xff] {
            tried += 1;
            let mut other = bytes.clone();
            other[at] ^= change;
            match read_asset(&sealed(other)) {
                Ok(asset) => run(&asset),
                Err(_) => refused += 1,
            }
        }
    }
    assert!(refused > tried / 12, "{refused} of {tried}");
}
