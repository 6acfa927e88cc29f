//! Errors as JavaScript sees them: `Error`s with a stable `code`, what is wrong, and what to do about it.

use js_sys::{Array, Error, Reflect};
use rebone::Remedy;
use wasm_bindgen::JsValue;

/// Why something could not be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Stable, in kebab-case.
    pub code: &'static str,
    /// What is wrong, and where.
    pub message: String,
    /// What to do about it.
    pub remedy: Remedy,
}

impl Failure {
    /// A request that cannot be met.
    pub fn request(message: impl Into<String>, remedy: impl Into<Remedy>) -> Self {
        Self {
            code: "request",
            message: message.into(),
            remedy: remedy.into(),
        }
    }
}

impl From<rebone::Error> for Failure {
    fn from(error: rebone::Error) -> Self {
        let (message, remedy) = error.parts();
        Self {
            code: error.code(),
            message,
            remedy,
        }
    }
}

impl From<rebone::setup::Error> for Failure {
    fn from(error: rebone::setup::Error) -> Self {
        rebone::Error::from(error).into()
    }
}

impl From<rebone::runtime::asset::AssetError> for Failure {
    fn from(error: rebone::runtime::asset::AssetError) -> Self {
        let text = error.to_string();
        let (message, remedy) = text
            .split_once("; ")
            .unwrap_or((&text, "give a file that was written as a plan (writePlan)"));
        Self {
            code: "plan",
            message: message.to_owned(),
            remedy: remedy.into(),
        }
    }
}

impl From<rebone::view::Error> for Failure {
    fn from(error: rebone::view::Error) -> Self {
        Self {
            code: "picture",
            message: error.to_string(),
            remedy: "ask for a smaller picture, or for fewer frames".into(),
        }
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self {
            code: "internal",
            message: format!("a result cannot be put into JSON: {error}"),
            remedy: "please report it with the files".into(),
        }
    }
}

impl From<Failure> for JsValue {
    fn from(failure: Failure) -> Self {
        let error = Error::new(&failure.message);
        error.set_name("ReboneError");
        for (key, value) in [
            ("code", failure.code),
            ("remedy", failure.remedy.text.as_str()),
        ] {
            // A fresh error takes any property.
            let _ = Reflect::set(&error, &key.into(), &value.into());
        }
        let actions = rebone::json::actions(&failure.remedy);
        let actions: Array = actions.into_iter().map(JsValue::from).collect();
        let _ = Reflect::set(&error, &"actions".into(), &actions);
        error.into()
    }
}
