//! The frame of a body from its mapped joints: up, left and forward, and what they tell. Source: docs/laws.md, "Body axes".

use super::Kind;
use super::draft::{Draft, SIDES};
use super::rig::Rig;
use rebone_model::{Vec3, Warning};

/// Directions of a body, measured on one set of positions.
pub(super) struct BodyFrame {
    /// From the pelvis to the shoulders, a unit vector.
    pub(super) up: Vec3,
    /// From the right joints to the left ones, as the names say, perpendicular to `up`.
    pub(super) left: Vec3,
    /// Mean direction from the hips to the ends of the legs.
    pub(super) legs: Vec3,
    /// Mean length of the legs.
    pub(super) leg_length: f32,
}

fn mean_of(draft: &Draft, positions: &[Vec3], slot: &str) -> Option<Vec3> {
    let left = positions[draft.sided(SIDES[0], slot)?];
    let right = positions[draft.sided(SIDES[1], slot)?];
    Some((left + right) / 2.0)
}

fn apart(draft: &Draft, positions: &[Vec3], slot: &str) -> Vec3 {
    match (draft.sided(SIDES[0], slot), draft.sided(SIDES[1], slot)) {
        (Some(left), Some(right)) => positions[left] - positions[right],
        _ => Vec3::ZERO,
    }
}

/// The body frame of a pose; `None` where the joints needed are missing or coincide.
pub(super) fn frame_of(draft: &Draft, positions: &[Vec3]) -> Option<BodyFrame> {
    let pelvis = mean_of(draft, positions, "UpperLeg")?;
    let shoulders = mean_of(draft, positions, "UpperArm")?;
    let up = (shoulders - pelvis).try_normalize()?;
    let ends = ["Foot", "LowerLeg"]
        .iter()
        .find_map(|slot| mean_of(draft, positions, slot))?;
    let legs = ends - pelvis;
    let across = apart(draft, positions, "UpperLeg") + apart(draft, positions, "UpperArm");
    let left = across.reject_from_normalized(up).try_normalize()?;
    Some(BodyFrame {
        up,
        left,
        legs: legs.try_normalize()?,
        leg_length: legs.length(),
    })
}

/// Positions in which the body stands upright: those of the rest pose, else those where the skin
/// was bound. `None` where neither will do (all joints on one line, a crouching rest).
pub(super) fn upright<'a>(rig: &'a Rig, draft: &Draft) -> Option<(&'a [Vec3], BodyFrame)> {
    [&rig.rest, &rig.bind].into_iter().find_map(|positions| {
        let frame = frame_of(draft, positions)?;
        (frame.up.dot(frame.legs) < -0.6).then_some((positions.as_slice(), frame))
    })
}

/// True if the rest or bind pose shows a standing person: the trunk above the legs, and the limbs of both sides alike.
pub(super) fn stands_at_rest(rig: &Rig, draft: &Draft) -> bool {
    let Some((positions, frame)) = upright(rig, draft) else {
        return false;
    };
    let ways = |upper: &str, lower: &str| {
        SIDES.map(|side| {
            let way = positions[draft.sided(side, lower)?] - positions[draft.sided(side, upper)?];
            Some(way.normalize_or_zero())
        })
    };
    let mirrored = |way: Vec3| way - 2.0 * way.dot(frame.left) * frame.left;
    let are_alike = |pair: [Option<Vec3>; 2]| match pair {
        [Some(left), Some(right)] => mirrored(left).dot(right) > 0.95,
        _ => true,
    };
    let limbs = [
        ("UpperLeg", "LowerLeg"),
        ("LowerLeg", "Foot"),
        ("UpperArm", "LowerArm"),
        ("LowerArm", "Hand"),
    ];
    limbs
        .into_iter()
        .all(|(upper, lower)| are_alike(ways(upper, lower)))
}

/// Whether the mapped joints make a humanoid: two legs, two arms, and something between them that
/// is not a four-legged animal's body.
pub(super) fn kind_of(rig: &Rig, draft: &Draft) -> Kind {
    let limb = |upper: &str, others: [&str; 2]| {
        SIDES.iter().all(|side| {
            draft.sided(side, upper).is_some()
                && others.iter().any(|slot| draft.sided(side, slot).is_some())
        })
    };
    let trunk = ["hips", "spine", "neck", "head"];
    let trunk = trunk
        .iter()
        .filter(|slot| draft.first(slot).is_some())
        .count();
    let limbs = limb("UpperLeg", ["LowerLeg", "Foot"]) && limb("UpperArm", ["LowerArm", "Hand"]);
    if !limbs || trunk < 2 || (is_on_all_fours(rig, draft) && !stands_in_clips(rig, draft)) {
        Kind::Other
    } else {
        Kind::Humanoid
    }
}

/// True where the clips show two legs, two arms and a trunk that is in line with the legs for at least half of the time.
pub(super) fn stands_in_clips(rig: &Rig, draft: &Draft) -> bool {
    let moments = rig.moments();
    let stands = moments.iter().filter(|positions| {
        frame_of(draft, positions).is_some_and(|frame| frame.up.dot(frame.legs) < -0.6)
    });
    2 * stands.count() > moments.len()
}

/// True where the trunk lies across the legs and the arms reach down beside them.
pub(super) fn is_on_all_fours(rig: &Rig, draft: &Draft) -> bool {
    let across = |positions: &[Vec3]| -> Option<bool> {
        let frame = frame_of(draft, positions)?;
        let shoulders = mean_of(draft, positions, "UpperArm")?;
        let pelvis = mean_of(draft, positions, "UpperLeg")?;
        let ends = ["Hand", "LowerArm"];
        let ends = ends
            .iter()
            .find_map(|slot| mean_of(draft, positions, slot))?;
        let arms = (ends - shoulders).try_normalize()?;
        let drop = (ends - pelvis).dot(frame.legs) / frame.leg_length.max(f32::MIN_POSITIVE);
        Some(frame.up.dot(frame.legs).abs() < 0.6 && arms.dot(frame.legs) > 0.6 && drop > 0.5)
    };
    across(&rig.rest) == Some(true) && across(&rig.bind) == Some(true)
}

/// Where the body looks, as far as its shape tells: a direction whose length is how sure it is
/// (about 1 for toes or eyes, less for knees).
pub(super) fn facing(rig: &Rig, draft: &Draft, positions: &[Vec3], up: Vec3) -> Vec3 {
    let mut sum = Vec3::ZERO;
    let mut vote = |from: Option<Vec3>, to: Option<Vec3>, weight: f32| {
        if let (Some(from), Some(to)) = (from, to) {
            let way = (to - from).reject_from_normalized(up);
            let length = (to - from).length();
            if way.length() > 0.2 * length && length > 1e-6 {
                sum += weight * way.normalize_or_zero();
            }
        }
    };
    let at = |slot: &str| mean_of(draft, positions, slot);
    let toes = at("Toes").or_else(|| {
        let tips = SIDES.map(|side| foot_tip(rig, draft, positions, side));
        match tips {
            [Some(left), Some(right)] => Some((left + right) / 2.0),
            _ => None,
        }
    });
    vote(at("Foot"), toes, 1.0);
    vote(
        draft.first("head").map(|head| positions[head]),
        at("Eye"),
        1.0,
    );
    let knee = match (at("UpperLeg"), at("Foot")) {
        (Some(hip), Some(foot)) => Some((hip + foot) / 2.0),
        _ => None,
    };
    if let (Some(straight), Some(bent)) = (knee, at("LowerLeg")) {
        let way = (bent - straight).reject_from_normalized(up);
        let leg = (bent - at("Foot").unwrap_or(bent)).length();
        if way.length() > 0.04 * leg {
            sum += 0.4 * way.normalize_or_zero();
        }
    }
    sum
}

/// The end of a foot where no toe joint is mapped: the file's end point.
fn foot_tip(rig: &Rig, draft: &Draft, positions: &[Vec3], side: &str) -> Option<Vec3> {
    let foot = draft.sided(side, "Foot")?;
    let joint = &rig.skeleton.joints()[foot];
    // NOTE: an end point is in the foot's own axes; without rotations these are the model's.
    let unturned = rig.up_from(foot).into_iter().all(|above| {
        let rest = &rig.skeleton.joints()[above].rest;
        rest.rotation.is_near_identity()
    });
    joint
        .end
        .filter(|_| unturned)
        .map(|end| positions[foot] + end)
}

/// Checks the sides that names or labels state against the shape of the body.
pub(super) fn check_sides(rig: &Rig, draft: &Draft) -> Option<Warning> {
    let (positions, frame) = upright(rig, draft)?;
    let forward = facing(rig, draft, positions, frame.up);
    let left = frame.up.cross(forward);
    let agreement = left.dot(frame.left);
    (agreement < -0.6).then(|| {
        Warning::new(
            "sides-swapped",
            "the joints named left are on the body's right, going by where its toes, eyes and knees point",
            "if the character walks backwards or crosses its arms, swap the sides in a recipe",
        )
    })
}
