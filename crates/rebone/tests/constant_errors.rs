//! A part that is off by one angle all the time is told of, although the alignment is what is wrong.

use crate::common::lists::{clip_of, target_path};
use crate::common::{corpus, retarget, rig};
use rebone::report::{ConstantError, FigureKind, Verdict};
use rebone::setup::align::{Calibration, CalibrationAxes};
use rebone::{Motion, Recipe, Rig, Role};
use std::path::Path;

/// A source, its clip, and a target. Both have knuckles.
type Case = (&'static str, &'static str, &'static str);

const CASES: [Case; 5] = [
    (
        "mesh2motion/static/animations/human-addon-animations.glb",
        "",
        "mpfb/derived/mpfb_default.glb",
    ),
    (
        "ozz/media/fbx/pab/walk.fbx",
        "",
        "vrm/saturday06/tests/resources/unity/VrmaInspector/Assets/StreamingAssets/Example.vrm",
    ),
    (
        "vrm/tk256/VRMA/original_01.vrma",
        "",
        "mesh2motion/static/skeletons/human-skeleton.glb",
    ),
    (
        "bvh_misc/animateddrawings/examples/bvh/rokoko/jesse_dance.bvh",
        "",
        "ozz/media/fbx/pab/arnaud.fbx",
    ),
    (
        "mesh2motion/static/animations/CarnegieMellonAnimations/91_48.fbx",
        "",
        "mpfb/derived/mpfb_game_engine.glb",
    ),
];

/// How far something is off on purpose, degrees.
const PLANTED: f64 = 20.0;

/// A part of the target's retarget pose and axes about which it is turned: arms point aside in that pose, so a turn about x
/// would not move a forearm.
const PLANTS: [(&str, &str, &[usize]); 4] = [
    ("leftLowerArm", "arm_constant", &[1, 2]),
    ("rightLowerArm", "arm_constant", &[1, 2]),
    ("head", "head_constant", &[0, 1, 2]),
    ("leftHand", "palm_constant", &[0, 1, 2]),
];

struct Pair {
    source: Rig,
    target: Rig,
    clip: String,
}

impl Pair {
    fn new(corpus: &Path, source: &str, clip: &str, target: &str) -> Self {
        let source = rig(&corpus.join(source), Role::Source);
        Self {
            clip: clip_of(&source, clip).name.clone(),
            target: rig(&target_path(corpus, target), Role::Target),
            source,
        }
    }

    fn made(&self, recipe: &Recipe) -> Motion<'_> {
        retarget(
            &self.source,
            &self.target,
            std::slice::from_ref(&self.clip),
            recipe,
        )
        .unwrap()
    }

    /// The error of the slot that is called like this.
    fn error(&self, made: &Motion<'_>, slot: &str) -> Option<ConstantError> {
        let slot = self.target.map.profile.find(slot)?;
        let mut errors = made.clips[0].report.constant.iter();
        errors.find(|error| error.slot == slot).copied()
    }
}

#[test]
fn a_planted_error_is_told() {
    let Some(corpus) = corpus() else { return };
    for case in CASES {
        let (source, clip, target) = case;
        let pair = Pair::new(&corpus, source, clip, target);
        let plain = pair.made(&Recipe::default());
        let told = |made: &Motion<'_>, slot: &str| {
            let of_slot = |warning: &rebone::model::Warning| {
                warning.code == "constant-error" && warning.message.starts_with(slot)
            };
            made.warnings.iter().any(of_slot)
        };
        for (slot, figure, axes) in PLANTS {
            let Some(own) = pair.error(&plain, slot) else {
                // Nothing of these files shows where a head looks.
                let shows_no_look = case.0.starts_with("ozz") || case.0.contains("rokoko");
                assert!(slot == "head" && shows_no_look, "{case:?} {slot}");
                continue;
            };
            assert!(!told(&plain, slot), "{case:?}: {slot} {own:?}");
            for &axis in axes {
                let mut degrees = [0.0; 3];
                degrees[axis] = PLANTED;
                let turn = Calibration::about(CalibrationAxes::World, degrees);
                let mut recipe = Recipe::default();
                recipe.target.calibration.insert(slot.to_owned(), turn);
                let made = pair.made(&recipe);
                let found = pair.error(&made, slot).unwrap();
                let off = (found.degrees - PLANTED).abs();
                // Hands that meet pull a forearm back by a few degrees.
                assert!(
                    off < own.degrees + 4.0,
                    "{case:?}: {slot} {axis} {found:?}, before {own:?}"
                );
                let report = &made.clips[0].report;
                let judged = FigureKind::find(figure).unwrap().of(report).unwrap();
                assert!(judged.value >= found.degrees);
                assert_ne!(judged.verdict, Verdict::Pass, "{case:?}: {slot} {axis}");
                assert!(told(&made, slot), "{case:?}: {slot} {axis}");
            }
        }
    }
}
