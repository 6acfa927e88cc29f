//! Written files: bytes with what could not be kept.

use crate::failure::Failure;
use crate::json;
use js_sys::{Object, Reflect, Uint8Array};
use rebone::output::Output;
use wasm_bindgen::JsValue;

/// The object `{ bytes, warnings }`.
pub(crate) fn file(output: &Output) -> Result<JsValue, Failure> {
    let object = Object::new();
    let bytes = Uint8Array::from(output.bytes.as_slice());
    let warnings = json::value(&rebone::json::warnings(&output.warnings))?;
    for (key, value) in [("bytes", bytes.into()), ("warnings", warnings)] {
        // A fresh object takes any property.
        let _ = Reflect::set(&object, &key.into(), &value);
    }
    Ok(object.into())
}
