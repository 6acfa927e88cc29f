//! The chibi: 1 m tall, a third of it head, VRM 1.0: no joint is turned, the file labels them. T-pose.

mod clothes;
mod head;
mod joints;

use crate::body::{Body, character};
use crate::weights::named;
use clothes::{boots, hands, hoodie, legs, shorts, trimmings};
use head::{face, hair, head};
use joints::{CHAINS, hand, labels, rig};
use rebone_model::Character;

const SKIN: u32 = 0xf6cdb0;
const HAIR: u32 = 0xe58fa0;
const HOODIE: u32 = 0xf2c14e;
const SHORTS: u32 = 0x3f5d8a;
const BOOTS: u32 = 0x8a5a44;

const HEAD: usize = 0;
const HOODIE_PIECE: usize = 1;

/// The chibi with its skin and labels.
pub(super) fn chibi() -> Character {
    let rig = rig();
    let mut pieces = vec![
        head(),
        hoodie(&rig),
        shorts(&rig),
        legs(&rig),
        boots(&rig),
        hands(&rig),
    ];
    pieces.extend(hair(&rig));
    pieces.extend(face());
    pieces.extend(trimmings());
    let mut chains = named(CHAINS);
    chains.extend(hand().chains());
    let labels = labels(&rig);
    let mut character = character(Body {
        name: "chibi",
        rig: &rig,
        chains,
        pieces,
    });
    character.label_system = "vrm-1".to_owned();
    character.labels = labels;
    character
}
