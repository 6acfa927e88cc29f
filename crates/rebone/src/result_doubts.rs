//! What the figures of a finished retarget make doubtful.

use crate::retargeted_clip::RetargetedClip;
use rebone_model::{Action, Remedy, Warning};
use rebone_report::{ConstantError, ConstantKind};
use rebone_runtime::Plan;
use rebone_runtime::stage::StageOp;
use rebone_setup::mapping::RigMap;

/// Limbs that are further off than this on average are no matter of taste.
const FAR_OFF_DEGREES: f64 = 30.0;

/// A source whose feet are deeper in its floor than this, percent of the height, in more than
/// [`IN_FLOOR_FRAMES_PERCENT`] of the frames, has another floor.
const IN_FLOOR_PERCENT: f64 = 6.0;
/// The share of frames, percent, below which feet in the floor are a stumble or a landing and no wrong floor.
const IN_FLOOR_FRAMES_PERCENT: f64 = 20.0;

/// Doubts about the clips that a plan made.
pub(crate) fn doubts_about(
    made: &[RetargetedClip],
    plan: &Plan,
    target_map: &RigMap,
) -> Vec<Warning> {
    let far_off = made.iter().filter_map(|made| limbs_far_off(made, plan));
    let floors = made.iter().filter_map(floor_doubt);
    far_off
        .chain(floors)
        .chain(constant_errors(made, target_map))
        .collect()
}

/// Tells of limbs that point elsewhere.
fn limbs_far_off(made: &RetargetedClip, plan: &Plan) -> Option<Warning> {
    let off = made.report.mean_direction_degrees;
    (off > FAR_OFF_DEGREES).then(|| {
        Warning::new(
            "limbs-far-off",
            format!(
                "in \"{}\" the limbs are {off:.0} degrees off the source's on average",
                made.clip.name
            ),
            far_off_hint(plan),
        )
    })
}

/// What to look at where limbs point elsewhere; first what was asked for, if that turns limbs.
fn far_off_hint(plan: &Plan) -> String {
    let asked = plan
        .stages
        .iter()
        .filter(|stage| stage.weight > 0.0)
        .filter_map(|stage| match &stage.op {
            StageOp::Weights(_) => Some("weights"),
            StageOp::Limits(_) => Some("limits"),
            StageOp::Spacing(_) => Some("spacing"),
            _ => None,
        });
    let asked: Vec<&str> = asked.collect();
    let usual = "check the map, the poses, and that the method is model-delta";
    if asked.is_empty() {
        return format!("look at the result; {usual}");
    }
    format!(
        "the {} that the target has turn its limbs away, which may be all; if it looks wrong without them too, {usual}",
        asked.join(", ")
    )
}

/// Tells of a floor in which the source itself is: few motions are meant like that, so the floor may be a wrong one.
fn floor_doubt(made: &RetargetedClip) -> Option<Warning> {
    let figures = made.report.floor.as_ref()?;
    let deep = figures.penetration_max_percent.source;
    let share = figures.penetration_frames_percent.source;
    (deep > IN_FLOOR_PERCENT && share > IN_FLOOR_FRAMES_PERCENT).then(|| {
        Warning::new(
            "floor-unsure",
            format!(
                "in \"{}\" the source's feet are up to {deep:.0} % of its height below the floor that was found, in {share:.0} % of the frames",
                made.clip.name
            ),
            Remedy::new("say where the floor is if the result stands too low", &[Action::StateFloor]),
        )
    })
}

/// Tells of parts that are off all the time, each once.
fn constant_errors(results: &[RetargetedClip], target_map: &RigMap) -> Vec<Warning> {
    let mut worst: Vec<(ConstantError, &str)> = Vec::new();
    for made in results {
        for &error in &made.report.constant {
            let name = made.clip.name.as_str();
            match worst.iter_mut().find(|(known, _)| known.is_of(&error)) {
                Some(known) if known.0.degrees >= error.degrees => {}
                Some(known) => *known = (error, name),
                None => worst.push((error, name)),
            }
        }
    }
    worst.retain(|(error, _)| error.degrees >= error.kind.good_to());
    let told = worst.into_iter().map(|(error, clip)| {
        let slot = target_map.profile.info(error.slot).name;
        let what = match error.kind {
            ConstantKind::Arm | ConstantKind::Leg => "points",
            ConstantKind::Head => "looks",
            ConstantKind::Palm => "is held",
        };
        Warning::new(
            "constant-error",
            format!("{slot} {what} {:.0} degrees away from the source's all the time in \"{clip}\"", error.degrees),
            "compare source and result side by side; if it looks wrong, choose another rest pose for the side that is off, or calibrate the joint",
        )
    });
    told.collect()
}
