//! Takes of one rig in files of their own: one in which somebody stands shows how the joints of all lie.

use crate::error::Error;
use crate::rig::Rig;
use rebone_model::{Skeleton, Warning};
use rebone_setup::align::PoseSource;

/// From this plausibility on a pose is one in which somebody stands still.
const STANDS: f64 = 0.85;

/// Bones of two takes may differ by this share of their own length and [`OF_LONGEST`] together: files round their numbers.
const OF_OWN: f64 = 0.01;
/// The share of the longest bone that is added, so that short bones may differ as far as rounding goes.
const OF_LONGEST: f64 = 1e-3;

/// True if nobody stands still in a rig's reference pose, so that the pose of another take is a better one.
pub fn needs_rest(rig: &Rig) -> bool {
    let alignment = &rig.alignment;
    let may_be_motion = matches!(
        alignment.pose_source,
        PoseSource::Rest | PoseSource::First(_) | PoseSource::Frame(_)
    );
    let is_person = !rig.map.slots.is_empty() && rig.given.is_none();
    is_person && (alignment.is_guessed || may_be_motion && alignment.plausibility < STANDS)
}

/// The number of the take whose pose is that of a rig whose [rest pose is missing](needs_rest): the first of those in which
/// somebody stands best. `None` where none is of the same rig, or nobody stands in any.
pub fn best_take<'a>(rig: &Rig, takes: impl IntoIterator<Item = &'a Rig>) -> Option<usize> {
    let mut best: Option<(f64, usize)> = None;
    for (number, take) in takes.into_iter().enumerate() {
        let stands = take.alignment.plausibility;
        let is_better = best.is_none_or(|(known, _)| stands > known);
        let has_own_rest = take.given.is_none() && !needs_rest(take) && stands >= STANDS;
        if has_own_rest && is_better && are_of_one_rig(rig, take) {
            best = Some((stands, number));
        }
    }
    best.map(|(_, number)| number)
}

/// The rig with the pose of another take, which is called `name`. Where both files have one format and state the same unit and
/// axes, the up and forward axes are those of the take, too.
///
/// # Errors
///
/// Fails where fewer than half of the joints that are body parts are in the other take.
pub fn with_rest_of_take(rig: Rig, take: &Rig, name: &str) -> Result<Rig, Error> {
    let up_alone = rig.space.up;
    let mut rig = rig.with_rest_of_take(take)?;
    let up = rig.space.up;
    let mut message = format!(
        "nobody stands still in this motion; how the joints lie is taken from another one of the same rig: {name}"
    );
    let mut hint = "nothing has to be done if the result looks right";
    if up != up_alone {
        message += &format!(
            "; its up axis, {up}, is used, too, though this motion by itself stands along {up_alone}"
        );
        hint = "look at the result; if somebody lies in it who should stand, state the source's up axis";
    }
    rig.warnings
        .push(Warning::new("rest-from-take", message, hint));
    Ok(rig)
}

/// True where two skeletons have the same joints, and mostly bones of the same lengths: some joints slide.
fn are_of_one_rig(one: &Rig, other: &Rig) -> bool {
    let (one, other) = (&one.character.skeleton, &other.character.skeleton);
    let bones = |skeleton: &Skeleton| -> Vec<f64> {
        let joints = skeleton.joints().iter();
        let below = joints.filter(|joint| joint.parent.is_some());
        let lengths = below.map(|joint| f64::from(joint.rest.translation.length()));
        lengths.collect()
    };
    let mut pairs = one.joints().iter().zip(other.joints());
    let same_joints =
        one.len() == other.len() && pairs.all(|(a, b)| (&a.name, a.parent) == (&b.name, b.parent));
    let (own, theirs) = (bones(one), bones(other));
    let longest = theirs.iter().copied().fold(0.0, f64::max);
    let same_length =
        |(a, b): &(&f64, &f64)| (*a - *b).abs() <= OF_OWN * **b + OF_LONGEST * longest;
    let alike = own.iter().zip(&theirs).filter(same_length).count();
    same_joints && 4 * alike >= 3 * own.len()
}
