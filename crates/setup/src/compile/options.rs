//! What a person chose for a pair.

use super::{SlideModes, TwistChoice};
use crate::align::SameRig;
use crate::by_hand::HandLinks;
use crate::chains::ChainChoices;
use crate::feet::FeetChoice;
use crate::hands::HandsChoice;
use crate::limits::Limits;
use crate::mirror::MirrorChoice;
use crate::pins::Pin;
use crate::procedural::{LookAt, Spacing};
use crate::root::RootScale;
use crate::root_motion::{RootMotion, SourcePlace};
use crate::transfer::chain::ChainModes;
use crate::transfer::{Method, rest_delta};
use rebone_runtime::contact::ContactRules;
use std::collections::BTreeMap;

/// The user's choices.
#[derive(Clone, Debug, Default)]
pub struct CompileOptions {
    /// How rotations are transferred.
    pub method: Method,
    /// The law of the motion scale.
    pub root_scale: RootScale,
    /// Which containers count, for [`Method::RestDelta`].
    pub embedding: rest_delta::Embedding,
    /// Joints that a person has linked; they win over slots. Default: none.
    pub by_hand: HandLinks,
    /// Chains between characters of different kinds: `None` where nobody asked for them, empty for those
    /// that go together by themselves. Default `None`.
    pub chains: Option<ChainChoices>,
    /// How far the target's slots may turn. Default: none is limited.
    pub limits: Limits,
    /// How far the target's arms and legs are spread. Default: what its profile says, usually not at all.
    pub spacing: Option<Spacing>,
    /// A point at which the target looks. Default: none.
    pub look_at: Option<LookAt>,
    /// How feet are planted. Default `None`: legs move as transferred.
    pub feet: Option<FeetChoice>,
    /// How contacts of the source are found, and what of them is a person's own; lengths in metres. Default: everything is
    /// found.
    pub contacts: ContactRules,
    /// Take the lowest place of the source's feet for its floor. Default false. A height in `contacts` wins.
    pub lowest_floor: bool,
    /// How hands that touch each other are brought together. Default `None`: arms move as transferred.
    pub hands: Option<HandsChoice>,
    /// How much bodies that lie, sit, kneel or crawl are kept on the floor, 0 to 1. Default 0.
    pub ground: f64,
    /// How much forearms and hands are kept out of trunk and head, 0 to 1. Default 0.
    pub own_body: f64,
    /// Ends of the target's body that are pinned. Default: none.
    pub pins: Vec<Pin>,
    /// Which joint carries the travel. Default: as in the source.
    pub root_motion: RootMotion,
    /// Root joints by name, of source and target: `Some("")` for none. Default `None`: as found.
    pub roots: [Option<String>; 2],
    /// How the joints go together where both files hold one rig: then the target does exactly what the source does, at the
    /// source's heights. Default `None`.
    pub same_rig: Option<SameRig>,
    /// Where the whole source is put. Default: where it is.
    pub source_place: SourcePlace,
    /// Weights of target joints, slots or groups of slots, by name (E42). Default: none.
    pub weights: BTreeMap<String, f64>,
    /// Whether the target shows the motion in the mirror. Default: no.
    pub mirror: MirrorChoice,
    /// Twins of the target by name, on top of those that are found (see [`name_twins`](crate::mirror::name_twins)).
    /// Default: none.
    pub twins: BTreeMap<String, String>,
    /// Frames a second of the result, where known. Default `None`.
    pub rate_hz: Option<f64>,
    /// How chains are shared out, by slot or part, for [`Method::ModelDelta`]. Default: each as suits its part.
    pub chain_modes: ChainModes,
    /// Whether and how limbs share their roll with twist joints. Default: by place.
    pub twist: TwistChoice,
    /// How joints other than the hips slide along, by slot, part or joint. Default: in proportion to their bones.
    pub translations: SlideModes,
}
