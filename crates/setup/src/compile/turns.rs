//! How joints turn: the method, and how chains of unlike length are shared out.

use super::{Both, CompileOptions};
use crate::error::Error;
use crate::links::Link;
use crate::transfer::chain::{Sides, SlotModes};
use crate::transfer::{Method, Turns, channels, model_delta, parent_delta, rest_delta};
use rebone_model::Warning;

/// How each chain of the target is shared out; tells of choices that change nothing.
pub(super) fn modes(
    both: &Both<'_>,
    links: &[Link],
    options: &CompileOptions,
    warnings: &mut Vec<Warning>,
) -> Result<SlotModes, Error> {
    let (map, chosen) = (both.target.map, &options.recipe.chain_modes);
    let (unused, why): (Vec<String>, _) = match options.recipe.method {
        Method::ModelDelta => (
            SlotModes::unused(map, chosen, links),
            "the rigs have no such chain in common",
        ),
        _ => (
            chosen.keys().cloned().collect(),
            "only the method model-delta shares chains out",
        ),
    };
    if !unused.is_empty() {
        let names = unused.join(", ");
        warnings.push(Warning::new(
            "chain-mode-unused",
            format!("the mode chosen for {names} changes nothing: {why}"),
            "delete the line, or give the slots joints in the recipe",
        ));
    }
    SlotModes::new(map, chosen)
}

/// How joints turn that are linked by slots or names.
pub(super) fn turns(
    both: &Both<'_>,
    links: &[Link],
    named: &[(usize, usize)],
    modes: &SlotModes,
    options: &CompileOptions,
) -> Turns {
    let source = (both.source.character, both.from);
    let target = (both.target.character, both.to);
    match options.recipe.method {
        Method::ModelDelta => {
            let sides = Sides {
                source: both.source.side(both.from),
                target: both.target.side(both.to),
            };
            model_delta::rotations(sides, links, named, modes)
        }
        Method::RestDelta => {
            rest_delta::rotations(source, target, links, options.recipe.embedding()).into()
        }
        Method::Channels => channels::rotations(source, target, links).into(),
        Method::ParentDelta => parent_delta::rotations(source, target, links).into(),
    }
}
