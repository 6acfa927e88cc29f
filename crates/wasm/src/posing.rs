//! The retarget pose by hand: turns of a slot, the other side, the T-pose; the places of pins; the ranges of limits.

use crate::failure::Failure;
use crate::given;
use crate::json;
use crate::session::{Session, Side, side};
use rebone::RigMap;
use rebone::model::Quat;
use rebone::setup::align::{
    Alignment, Calibration, CalibrationAxes, Calibrations, mirrored, t_pose, turned,
};
use rebone::setup::limits::{JointLimit, limits};
use rebone::setup::profile::Slot;
use rebone::setup::recipe::calibrations;
use serde::Serialize;
use std::collections::BTreeMap;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[derive(Serialize)]
struct MirroredJson<'a> {
    slot: &'a str,
    calibration: Option<Calibration>,
}

#[derive(Serialize)]
struct LimitJson {
    hinge: bool,
    from: [f64; 2],
    bend: [f64; 2],
    side: [f64; 2],
    twist: [f64; 2],
    soft: f64,
}

impl From<&JointLimit> for LimitJson {
    fn from(own: &JointLimit) -> Self {
        let &JointLimit {
            hinge,
            from,
            bend,
            side,
            twist,
            soft,
        } = own;
        Self {
            hinge,
            from,
            bend,
            side,
            twist,
            soft,
        }
    }
}

/// A side in its retarget pose, with what a person has turned.
struct Posed {
    map: RigMap,
    alignment: Alignment,
    calibrations: Calibrations,
}

impl Posed {
    fn slot(&self, name: &str) -> Result<Slot, Failure> {
        self.map.profile.find(name).ok_or_else(|| {
            let kind = self.map.profile.name;
            Failure::request(
                format!("a body of the kind {kind} has no slot \"{name}\""),
                "map() lists the slots",
            )
        })
    }
}

fn axes(name: &str) -> Result<CalibrationAxes, Failure> {
    match name {
        "local" => Ok(CalibrationAxes::Local),
        "world" => Ok(CalibrationAxes::World),
        _ => Err(Failure::request(
            format!("\"{name}\" are no axes of a calibration"),
            "use local or world",
        )),
    }
}

fn turn(numbers: &[f32]) -> Result<Quat, Failure> {
    let length = numbers.iter().map(|own| own * own).sum::<f32>().sqrt();
    match numbers {
        &[x, y, z, w] if length.is_finite() && length > 1e-6 => {
            let [x, y, z, w] = [x, y, z, w].map(|own| own / length);
            Ok(Quat::from_xyzw(x, y, z, w))
        }
        _ => Err(Failure::request(
            "this is no rotation",
            "give the four numbers of a quaternion: x, y, z, w",
        )),
    }
}

#[wasm_bindgen]
impl Session {
    /// The calibration of a slot after a further turn about the body's axes (a quaternion x, y, z, w), as the recipe would have it.
    ///
    /// The turn 0, 0, 0, 1 tells the slot's calibration about the other axes.
    #[wasm_bindgen(js_name = turnedSlot, unchecked_return_type = "SlotCalibration")]
    pub fn turned_slot(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Side")] of: &str,
        slot: &str,
        by: &[f32],
        #[wasm_bindgen(unchecked_param_type = "\"local\" | \"world\"")] about: &str,
    ) -> Result<JsValue, JsValue> {
        let posed = self.posed(side(of)?)?;
        let found = posed.slot(slot)?;
        let made = turned(
            &posed.alignment,
            &posed.map,
            found,
            posed.calibrations.get(&found),
            turn(by)?.as_dquat(),
            axes(about)?,
        );
        let made = made.ok_or_else(|| no_joint(slot))?;
        Ok(json::value(&made)?)
    }

    /// The slot on the other side, and the calibration that mirrors this slot's; none where this slot has none.
    #[wasm_bindgen(js_name = mirroredSlot, unchecked_return_type = "MirroredSlot")]
    pub fn mirrored_slot(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Side")] of: &str,
        slot: &str,
    ) -> Result<JsValue, JsValue> {
        let posed = self.posed(side(of)?)?;
        let found = posed.slot(slot)?;
        let made = mirrored(&posed.alignment, &posed.map, &posed.calibrations, found);
        let (twin, calibration) = made.ok_or_else(|| {
            Failure::request(
                format!("{slot} has no other side"),
                "choose a slot of the left or the right whose other side has a joint",
            )
        })?;
        Ok(json::value(&MirroredJson {
            slot: posed.map.profile.info(twin).name,
            calibration,
        })?)
    }

    /// Calibrations that bring slots of a person into the T-pose, all where none is named. Slots that stand so already are not in it.
    #[wasm_bindgen(js_name = tPose, unchecked_return_type = "Record<string, SlotCalibration>")]
    pub fn t_pose(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Side")] of: &str,
        #[wasm_bindgen(unchecked_optional_param_type = "string[]")] slots: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let of = side(of)?;
        let posed = self.posed(of)?;
        let names = given::names(slots, "slots")?;
        let slots: Result<Vec<Slot>, Failure> = names.iter().map(|name| posed.slot(name)).collect();
        let made = t_pose(
            &self.rig(of).character,
            &posed.map,
            &posed.alignment,
            &posed.calibrations,
            &slots?,
        );
        let named: BTreeMap<&str, &Calibration> = made
            .iter()
            .map(|(&slot, own)| (posed.map.profile.info(slot).name, own))
            .collect();
        Ok(json::value(&named)?)
    }

    /// Where an end of the target is at a time of a clip that was made: metres to the left, up and forwards, as a pin's point.
    #[wasm_bindgen(js_name = pinPlace, unchecked_return_type = "[number, number, number]")]
    pub fn pin_place(&self, end: &str, clip: &str, seconds: f32) -> Result<JsValue, JsValue> {
        let made = &self.made(clip)?.1.clip;
        let [source, target] = [Side::Source, Side::Target].map(|side| self.rig(side));
        let place = rebone::pin_place(source, target, &self.recipe, end, made, seconds);
        Ok(json::value(&place.map_err(Failure::from)?)?)
    }

    /// How far slots of the target may turn with this recipe, degrees. Slots that may turn as they like are not in it.
    #[wasm_bindgen(js_name = slotLimits, unchecked_return_type = "Record<string, SlotRanges>")]
    pub fn slot_limits(&self) -> Result<JsValue, JsValue> {
        let map = self.overridden(Side::Target)?;
        let own = &self.recipe.limits;
        let (found, _) = limits(&map, own.choice, &own.slots).map_err(Failure::from)?;
        let named: BTreeMap<&str, LimitJson> = found
            .iter()
            .map(|(&slot, limit)| (map.profile.info(slot).name, limit.into()))
            .collect();
        Ok(json::value(&named)?)
    }
}

impl Session {
    fn posed(&self, of: Side) -> Result<Posed, Failure> {
        let [source, target] = self.alignments()?;
        let map = self.overridden(of)?;
        let (alignment, own) = match of {
            Side::Source => (source, &self.recipe.source),
            Side::Target => (target, &self.recipe.target),
        };
        let (calibrations, _) = calibrations(&map, &own.calibration)?;
        Ok(Posed {
            map,
            alignment,
            calibrations,
        })
    }
}

fn no_joint(slot: &str) -> Failure {
    Failure::request(
        format!("there is no joint for {slot}"),
        "give the slot a joint first",
    )
}
