//! Results as plain objects.

use crate::failure::Failure;
use js_sys::JSON;
use rebone::json::Document;
use serde::Serialize;
use wasm_bindgen::JsValue;

/// A plain object. A trip by text is what browsers are fastest at.
pub(crate) fn value(shape: &impl Serialize) -> Result<JsValue, Failure> {
    parsed(&serde_json::to_string(shape)?)
}

/// A plain object with the number of its shape, as the documents of the command line have it.
pub(crate) fn document(shape: &impl Serialize) -> Result<JsValue, Failure> {
    value(&Document::new(shape))
}

/// The object that a JSON text says.
pub(crate) fn parsed(text: &str) -> Result<JsValue, Failure> {
    JSON::parse(text).map_err(|_| Failure {
        code: "internal",
        message: "a result is no JSON".to_owned(),
        remedy: "please report it with the files".into(),
    })
}
