//! How the translation of a joint other than the hips is carried over.
//!
//! t_B = t_B0 + ρ · R · (t_A − t_A0), with t_A0 and t_B0 the translations at rest and R the turn between both parents'
//! axes in the retarget pose.
//!
//! | mode | ρ, R |
//! |---|---|
//! | `stretch` | ρ = ℓ_B/ℓ_A, the lengths of t_B0 and t_A0: a bone grows by as much of its own length |
//! | `scaled` | ρ as the body travels |
//! | `absolute` | ρ = 1: as many metres |
//! | `orient-and-scale` | ρ = ℓ_B/ℓ_A, and R the shortest arc from t_A0 to t_B0: t_B = ρ · R · t_A |
//! | `none` | ρ = 0: the joint keeps its place |
//!
//! A part that flies off the source's body shall not tear the target's apart. Where a joint gets as far as s > ℓ_A from t_A0 in the
//! clips, `stretch` has ρ = ℓ_B/s. Bones of one rig keep ρ = ℓ_B/ℓ_A.
//!
//! Degenerate cases: where ℓ_A or ℓ_B is next to nothing, `stretch` and `orient-and-scale` are `scaled`.
//! Source: docs/laws.md, "Sliding joints".

use crate::error::Error;
use crate::mapping::RigMap;
use crate::profile::parts::part_named;
use crate::translations::{SlideMode, SlideModes};
use rebone_model::Skeleton;

/// The mode of every joint of the target.
///
/// Fails with [`Error::Recipe`] where a name is none of these.
pub(super) fn slide_modes(
    skeleton: &Skeleton,
    map: &RigMap,
    modes: &SlideModes,
) -> Result<Vec<SlideMode>, Error> {
    let all = modes.get("all").copied().unwrap_or_default();
    let mut result = vec![all; skeleton.len()];
    let mut own = Vec::new();
    for (name, &mode) in modes {
        let slot = map.profile.find(name);
        let part = part_named(name).filter(|_| slot.is_none());
        if let Some(part) = part {
            for (slot, found) in &map.slots {
                if map.profile.info(*slot).part == part {
                    found.joints.iter().for_each(|&joint| result[joint] = mode);
                }
            }
        } else if let Some(slot) = slot {
            let joints = map.slots.get(&slot).map(|found| found.joints.as_slice());
            own.extend(
                joints
                    .unwrap_or_default()
                    .iter()
                    .map(|&joint| (joint, mode)),
            );
        } else if name != "all" {
            let joint = skeleton.find(name).map_err(|error| Error::Recipe {
                what: error.to_string(),
                place: format!("translations.{name}"),
                remedy: "name a slot, a part, a joint of the target, or all".into(),
            })?;
            own.push((joint, mode));
        }
    }
    for (joint, mode) in own {
        result[joint] = mode;
    }
    Ok(result)
}
