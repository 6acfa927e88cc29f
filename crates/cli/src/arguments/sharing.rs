//! How single parts of the motion are carried over; the same for whatever compiles a pair.

use clap::Args;
use rebone::Recipe;
use rebone::setup::compile::SlideMode;
use rebone::setup::transfer::chain::ChainMode;

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
    /// How joints that slide do so in the target: a slot, part, joint or `all`, and stretch, scaled, absolute,
    /// orient-and-scale or none [default: stretch]; may be given several times
    #[arg(long, value_name = "JOINT=MODE", value_parser = slide_mode)]
    pub(crate) translation: Vec<(String, SlideMode)>,
    /// A morph target or expression that is called otherwise in the target: target name = source name
    /// (expression:aa=jawOpen); may be given several times
    #[arg(long, value_name = "TARGET=SOURCE", value_parser = curve_name)]
    pub(crate) curve: Vec<(String, String)>,
    /// How much of a limb's roll its twist joints share: 0 to 1, on or off [default: on]
    #[arg(long, value_name = "WEIGHT", value_parser = share)]
    pub(crate) twist: Option<f32>,
    /// How much feet are brought to where they belong, and hips and legs with them: 0 to 1, on or off [default: on]
    #[arg(long, value_name = "WEIGHT", value_parser = share)]
    pub(crate) feet: Option<f32>,
    /// How much feet that touch the floor are held where they touch it: 0 to 1, on or off [default: the preset's]
    #[arg(long, value_name = "WEIGHT", value_parser = share)]
    pub(crate) foot_lock: Option<f32>,
}

impl Sharing {
    /// Puts these choices on top of a recipe's.
    pub(crate) fn put_into(&self, recipe: &mut Recipe) {
        recipe.chain_modes.extend(self.chain.iter().cloned());
        recipe.translations.extend(self.translation.iter().cloned());
        recipe.curves.extend(self.curve.iter().cloned());
        recipe.twist.weight = self.twist.unwrap_or(recipe.twist.weight);
        recipe.feet.weight = self.feet.map(f64::from).or(recipe.feet.weight);
        recipe.feet.lock = self.foot_lock.map(f64::from).or(recipe.feet.lock);
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

/// `on`, `off`, `0.5`.
pub(super) fn share(text: &str) -> Result<f32, String> {
    match (text, text.parse::<f32>()) {
        ("on", _) => Ok(1.0),
        ("off", _) => Ok(0.0),
        (_, Ok(weight)) if (0.0..=1.0).contains(&weight) => Ok(weight),
        _ => Err("give on, off, or a number from 0 to 1".to_owned()),
    }
}

/// `aa=jawOpen`.
fn curve_name(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((target, source)) if !target.is_empty() => Ok((target.to_owned(), source.to_owned())),
        _ => Err("give the target's name and the source's, as expression:aa=jawOpen".to_owned()),
    }
}

/// `all=none`.
fn slide_mode(text: &str) -> Result<(String, SlideMode), String> {
    let modes = || SlideMode::ALL.map(SlideMode::name).join(", ");
    let Some((joint, mode)) = text.rsplit_once('=') else {
        return Err("give a slot, part, joint or all, and a mode, as all=none".to_owned());
    };
    let mode = SlideMode::parse(mode)
        .ok_or_else(|| format!("there is no mode \"{mode}\"; use one of {}", modes()))?;
    Ok((joint.to_owned(), mode))
}
