//! Twins that a person names.

use super::Twins;
use crate::error::Error;
use rebone_model::{Action, Remedy, Skeleton};

/// Puts twins by name on top of those that were found: two joints, one joint twice for one that is its own, or a joint
/// and `""` for one that has none. `place` is where they were typed.
///
/// Fails with [`Error::Recipe`] where a name is that of no joint or of several.
pub fn name_twins<'a>(
    twins: &mut Twins,
    skeleton: &Skeleton,
    pairs: impl IntoIterator<Item = (&'a str, &'a str)>,
    place: &str,
) -> Result<(), Error> {
    let find = |name: &str| {
        skeleton.find(name).map_err(|error| Error::Recipe {
            what: error.to_string(),
            place: place.to_owned(),
            remedy: Remedy::new(
                "write the joint's name as the file has it",
                &[Action::ListJoints],
            ),
        })
    };
    for (first, second) in pairs {
        match (first, second) {
            (joint, "") | ("", joint) => twins.separate(find(joint)?),
            (first, second) => twins.pair(find(first)?, find(second)?),
        }
    }
    Ok(())
}
