//! Hands that touch each other, bodies on the floor, arms and the own body, and ends of the body that are pinned.

use super::sharing::share;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use rebone::Recipe;
use rebone::setup::hands::HandsMode;
use rebone::setup::pins::Pin;
use rebone::setup::recipe::SourceFloor;

/// What of a recipe concerns what the body touches.
#[derive(Args, Debug, Default)]
pub(crate) struct Touching {
    /// Which hands are brought together as they are in the source [default: auto; off with the presets humanik and mixamo]
    #[arg(long, value_name = "MODE", value_parser = mode_parser())]
    pub(crate) hands: Option<HandsMode>,
    /// How much bodies that lie, sit, kneel or crawl are kept on the floor: 0 to 1, on or off [default: on with the preset
    /// faithful, else off]
    #[arg(long, value_name = "WEIGHT", value_parser = share)]
    pub(crate) ground: Option<f32>,
    /// How much forearms and hands are kept out of trunk and head: 0 to 1, on or off [default: on with the preset faithful,
    /// else off]
    #[arg(long, value_name = "WEIGHT", value_parser = share)]
    pub(crate) own_body: Option<f32>,
    /// Where the source's floor is: a height in its file in metres, file (the zero plane of the file), or lowest (where the
    /// feet are lowest in the clips) [default: found from the rest pose and from where feet stand]
    #[arg(long, value_name = "FLOOR", value_parser = SourceFloor::parse, allow_hyphen_values = true)]
    pub(crate) floor: Option<SourceFloor>,
    /// Pin a hand, a foot, the head, the hips or a joint of no slot: to point(x,y,z) (metres: left, up, forwards),
    /// joint(NAME), source (the source's path) or own (its own path), then any of @FROM..UNTIL (seconds),
    /// offset(x,y,z), scale(x,y,z), blend(in,out), weight(w), as "leftHand=point(0.3,1.2,0.4) @1.5..2.5"; may be
    /// given several times
    #[arg(long, value_name = "END=GOAL", value_parser = Pin::parse)]
    pub(crate) pin: Vec<Pin>,
}

impl Touching {
    /// Puts these choices on top of a recipe's.
    pub(crate) fn put_into(&self, recipe: &mut Recipe) {
        recipe.hands.mode = self.hands.or(recipe.hands.mode);
        recipe.ground = self.ground.map(f64::from).or(recipe.ground);
        recipe.own_body = self.own_body.map(f64::from).or(recipe.own_body);
        recipe.contacts.ground = self.floor.or(recipe.contacts.ground);
        recipe.pins.extend(self.pin.iter().cloned());
    }
}

fn mode_parser() -> impl TypedValueParser<Value = HandsMode> {
    let value = |mode: HandsMode| {
        PossibleValue::new(mode.name()).help(match mode {
            HandsMode::Off => "None: arms move as transferred",
            HandsMode::Auto => "Those that are near each other in the source, or near a prop",
            HandsMode::Always => "Both, all the time, for what is held with hands far apart",
        })
    };
    PossibleValuesParser::new(HandsMode::ALL.map(value))
        .try_map(|name| HandsMode::parse(&name).ok_or("there is no such mode"))
}
