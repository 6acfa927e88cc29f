//! How single parts of the motion are carried over; the same for whatever compiles a pair.

use clap::Args;
use rebone::Recipe;
use rebone::core::transfer::chain::ChainMode;

const CHAINS: &str = "\
How a chain of joints is shared out where the rigs have unlike numbers of them: a slot (spine, leftUpperArm) or part
(torso, neck, finger, tail), and one of these; may be given several times

Possible values:
- auto:                what suits the part [default]
- overlap:             mean of what the source turns beside each joint
- mid-slerp:           what the source turns at the middle of each bone
- end-exact:           what it turns at the end of each bone
- spread-by-length:    the whole turn in shares by length
- spread:              the whole turn in shares by number, as HumanIK does
- one-to-one:          first with first
- one-to-one-reversed: last with last
- match-chain:         bones lie along the curve of the source's
- copy-local:          first with first, each against its own parent
- none:                it rests";

/// Choices about single parts.
#[derive(Args, Debug, Default)]
pub(crate) struct Sharing {
    /// How a chain of joints is shared out where the rigs have unlike numbers of them; may be given several times
    #[arg(long, value_name = "SLOT=MODE", value_parser = chain_mode, long_help = CHAINS)]
    pub(crate) chain: Vec<(String, ChainMode)>,
}

impl Sharing {
    /// Puts these choices on top of a recipe's.
    pub(crate) fn put_into(&self, recipe: &mut Recipe) {
        recipe.chain_modes.extend(self.chain.iter().cloned());
    }
}

/// `spine=end-exact`.
fn chain_mode(text: &str) -> Result<(String, ChainMode), String> {
    let modes = || ChainMode::ALL.map(ChainMode::name).join(", ");
    let Some((chain, mode)) = text.split_once('=') else {
        return Err("give a slot or part and a mode, as spine=end-exact".to_owned());
    };
    let mode = ChainMode::parse(mode)
        .ok_or_else(|| format!("there is no mode \"{mode}\"; use one of {}", modes()))?;
    Ok((chain.to_owned(), mode))
}
