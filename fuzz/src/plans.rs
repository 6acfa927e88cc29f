//! Compiled pairs and compact clips: bytes of ours that somebody may have changed.

use crate::promises::{check_times, check_written};
use crate::puppet::puppet;
use rebone::apply_asset;
use rebone::model::{Clip, LocalPose, Transform};
use rebone::runtime::asset::{read_asset, write_asset};
use rebone::runtime::compact::{decode, encode};
use rebone::runtime::{ClipOptions, Workspace, apply_clip, apply_pose};

/// FNV-1a, 64 bits: both formats state it of their content, and a fuzzer cannot guess it.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// A `.retarget` file whose length and hash are put right first.
pub fn retarget_file(bytes: &[u8]) {
    let _ = read_asset(bytes);
    let mut bytes = bytes.to_vec();
    if bytes.len() < 24 {
        return;
    }
    let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    let sum = hash(&bytes[24..]);
    bytes[..8].copy_from_slice(b"RETARGET");
    bytes[12..16].copy_from_slice(&length.to_le_bytes());
    bytes[16..24].copy_from_slice(&sum.to_le_bytes());
    let Ok(asset) = read_asset(&bytes) else {
        return;
    };
    let written =
        write_asset(&asset).unwrap_or_else(|error| panic!("what was read is not written: {error}"));
    assert_eq!(read_asset(&written).as_ref(), Ok(&asset));
    // It runs on a pose and on a clip of its own source, and on a real one where that fits.
    let plan = &asset.plan;
    let [source, mut target] =
        [&plan.source, &plan.target].map(|rig| LocalPose::new(rig.rest.clone()));
    apply_pose(plan, &source, &mut target, &mut Workspace::new(plan));
    let _ = apply_clip(
        plan,
        &Clip::new("still", plan.source.len()),
        &ClipOptions::default(),
    );
    puppet(|source, _| {
        if let Ok(made) = apply_asset(&asset, source, &[]) {
            check_written(&made);
        }
    });
}

/// Joints of the rig of the compact clips of this target, at most.
const MOST_JOINTS: usize = 64;

/// A compact clip whose hash is put right first.
pub fn compact(bytes: &[u8]) {
    let mut bytes = bytes.to_vec();
    if bytes.len() < 16 {
        return;
    }
    let joints = usize::from(bytes[6]) % MOST_JOINTS;
    bytes[6..8].copy_from_slice(&[joints as u8, 0]);
    let sum = hash(&bytes[16..]);
    bytes[8..16].copy_from_slice(&sum.to_le_bytes());
    let rest = vec![Transform::IDENTITY; joints];
    let Ok(clip) = decode(&bytes, &rest) else {
        return;
    };
    check_times(&clip);
    assert_eq!(rebone::model::check::check_clip(&clip), Ok(()));
    if let Ok(again) = encode(&clip, &rest) {
        decode(&again, &rest)
            .unwrap_or_else(|error| panic!("our own compact clip is not read: {error}"));
    }
}
