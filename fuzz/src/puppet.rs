//! A pair of sound characters, for targets whose input is something else.

use crate::body::humanoid;
use crate::promises::no_files;
use crate::raw_glb::{RawGlb, RawTrack};
use rebone::{ReadOptions, Rig, Role, read};
use std::sync::LazyLock;

/// A source with a short clip, and a target that is half as tall.
static PAIR: LazyLock<(Rig, Rig)> = LazyLock::new(|| {
    let mut small = humanoid();
    for node in &mut small {
        node.translation = node.translation.map(|part| part / 2.0);
    }
    let source = RawGlb {
        nodes: humanoid(),
        clips: vec![step()],
        vertices: Vec::new(),
    };
    let target = RawGlb {
        nodes: small,
        ..RawGlb::default()
    };
    (rig(&source, Role::Source), rig(&target, Role::Target))
});

/// Calls a function with the pair.
pub(crate) fn puppet(with: impl FnOnce(&Rig, &Rig)) {
    let (source, target) = &*PAIR;
    with(source, target);
}

fn rig(file: &RawGlb, role: Role) -> Rig {
    let document = read(&file.bytes(), &ReadOptions::default(), &no_files);
    let rig = document
        .map_err(rebone::Error::from)
        .and_then(|document| Rig::new(document, role, None));
    rig.unwrap_or_else(|error| panic!("the puppet is not read: {error}"))
}

/// Half a step: three keys for the hips and both thighs.
fn step() -> Vec<RawTrack> {
    let times = vec![0.0, 0.25, 0.5];
    let track = |node, path, values: &[f32]| RawTrack {
        node,
        path,
        interpolation: "LINEAR",
        times: times.clone(),
        values: values.to_vec(),
    };
    let swing = [
        0.2, 0.0, 0.0, 0.98, 0.0, 0.0, 0.0, 1.0, -0.2, 0.0, 0.0, 0.98,
    ];
    vec![
        track(
            0,
            "translation",
            &[0.0, 1.0, 0.0, 0.0, 0.98, 0.1, 0.0, 1.0, 0.3],
        ),
        track(13, "rotation", &swing),
        track(17, "rotation", &swing),
        track(6, "rotation", &swing),
    ]
}
