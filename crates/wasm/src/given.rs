//! What JavaScript hands over: options as plain objects, every field optional.

use crate::failure::Failure;
use js_sys::{Array, Object, Reflect, Uint8Array};
use rebone::Format;
use std::collections::BTreeMap;
use wasm_bindgen::{JsCast, JsValue};

/// A field of an object; `None` where it, or the whole object, is not there.
pub(crate) fn field(options: &JsValue, name: &str) -> Option<JsValue> {
    if !options.is_object() {
        return None;
    }
    let value = Reflect::get(options, &name.into()).ok()?;
    (!value.is_undefined() && !value.is_null()).then_some(value)
}

fn wrong(name: &str, wanted: &str) -> Failure {
    Failure::request(
        format!("the option \"{name}\" is not {wanted}"),
        "correct the call; the types of the package say what each option is",
    )
}

pub(crate) fn text(options: &JsValue, name: &str) -> Result<Option<String>, Failure> {
    let value = field(options, name);
    let text = |value: JsValue| value.as_string().ok_or_else(|| wrong(name, "text"));
    value.map(text).transpose()
}

pub(crate) fn flag(options: &JsValue, name: &str) -> Result<bool, Failure> {
    let value = field(options, name);
    let flag = |value: JsValue| value.as_bool().ok_or_else(|| wrong(name, "true or false"));
    Ok(value.map(flag).transpose()?.unwrap_or(false))
}

pub(crate) fn number(options: &JsValue, name: &str) -> Result<Option<f64>, Failure> {
    let value = field(options, name);
    let number = |value: JsValue| value.as_f64().ok_or_else(|| wrong(name, "a number"));
    value.map(number).transpose()
}

/// Names, in their order.
pub(crate) fn names(list: &JsValue, name: &str) -> Result<Vec<String>, Failure> {
    if list.is_undefined() || list.is_null() {
        return Ok(Vec::new());
    }
    let list = list
        .dyn_ref::<Array>()
        .ok_or_else(|| wrong(name, "a list of names"))?;
    list.iter()
        .map(|entry| {
            entry
                .as_string()
                .ok_or_else(|| wrong(name, "a list of names"))
        })
        .collect()
}

/// Files by name, from an object or a `Map`.
pub(crate) fn files(options: &JsValue, name: &str) -> Result<BTreeMap<String, Vec<u8>>, Failure> {
    let Some(value) = field(options, name) else {
        return Ok(BTreeMap::new());
    };
    let wanted = "an object or a Map from names to Uint8Arrays";
    let entries = match value.dyn_ref::<js_sys::Map>() {
        Some(map) => Array::from(&map.entries()),
        None => Object::entries(
            value
                .dyn_ref::<Object>()
                .ok_or_else(|| wrong(name, wanted))?,
        ),
    };
    entries
        .iter()
        .map(|entry| {
            let pair = Array::from(&entry);
            let bytes = pair.get(1);
            let bytes = bytes.dyn_ref::<Uint8Array>();
            match (pair.get(0).as_string(), bytes) {
                (Some(name), Some(bytes)) => Ok((name, bytes.to_vec())),
                _ => Err(wrong(name, wanted)),
            }
        })
        .collect()
}

/// A format by the end of a file's name: `glb`, `fbx`.
pub(crate) fn format(name: &str) -> Result<Format, Failure> {
    Format::from_extension(name.trim_start_matches('.')).ok_or_else(|| {
        Failure::request(
            format!("\"{name}\" is no format that can be written"),
            "use fbx, glb, gltf, vrm, vrma or bvh",
        )
    })
}
