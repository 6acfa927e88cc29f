//! Rebone in browsers and in Node.js: the crates of the command line as one WebAssembly module, with nothing of theirs written twice.
//!
//! [`Rig`](rig::Rig) is an opened file, [`Session`](session::Session) a source, a target and a recipe. Both are called from a worker,
//! since a retarget takes its time. Results are plain objects, whose TypeScript types are in `types.d.ts`; errors are `Error`s with a
//! stable `code` and a `remedy`. Nothing is fetched and nothing is stored.
//!
//! The crate compiles on any machine; only its tests of plain Rust run there.

#![cfg_attr(not(test), warn(clippy::too_many_lines))]

#[cfg(target_arch = "wasm32")]
mod c_library;
mod command;
pub mod curves;
pub mod failure;
mod given;
mod json;
mod judging;
pub mod meshes;
pub mod poses;
mod posing;
pub mod rig;
pub mod session;
mod shapes;
mod taking;
mod written;

use failure::Failure;
use rebone::output::write_character;
use rebone::runtime::asset::read_asset;
use rebone::saving::take_root_paths;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = include_str!("types.d.ts");

/// What editors check recipes against.
const RECIPE_SCHEMA: &str = rebone::setup::recipe::SCHEMA;

/// Runs once, when the module is loaded: a defect becomes an `Error` that says so, where it would be a trap without words.
#[wasm_bindgen(start)]
pub fn start() {
    #[cfg(target_arch = "wasm32")]
    std::panic::set_hook(Box::new(|about| {
        let failure = Failure {
            code: "internal",
            message: format!(
                "rebone {} came upon a case it was not made for ({about})",
                env!("CARGO_PKG_VERSION")
            ),
            remedy: "load the module anew, and please report it with the files".into(),
        };
        wasm_bindgen::throw_val(failure.into());
    }));
}

/// The version of the package.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// The JSON schema of recipes.
#[wasm_bindgen(js_name = recipeSchema, unchecked_return_type = "object")]
pub fn recipe_schema() -> Result<JsValue, JsValue> {
    Ok(json::parsed(RECIPE_SCHEMA)?)
}

/// A recipe's TOML as a plain object, to be edited.
#[wasm_bindgen(js_name = recipeToJson, unchecked_return_type = "Record<string, unknown>")]
pub fn recipe_to_json(toml: &str) -> Result<JsValue, JsValue> {
    let text = rebone::choices::json_of_toml(toml).map_err(Failure::from)?;
    Ok(json::parsed(&text)?)
}

/// A recipe's JSON text as TOML, to be read by people. Throws where it is no recipe.
#[wasm_bindgen(js_name = recipeToToml)]
pub fn recipe_to_toml(json: &str) -> Result<String, JsValue> {
    let text = rebone::choices::toml_of_json(json).map_err(Failure::from)?;
    rebone::Recipe::parse(&text).map_err(Failure::from)?;
    Ok(text)
}

/// The name of a file's format, told by its content. Throws where it is none that is read.
#[wasm_bindgen(js_name = formatOf)]
pub fn format_of(bytes: &[u8]) -> Result<String, JsValue> {
    let format = rebone::Format::detect(bytes).map_err(rebone::Error::from);
    Ok(format.map_err(Failure::from)?.name().to_owned())
}

/// Runs a `.retarget` file on clips of a rig, all where none is named. The result is the target's skeleton with its clips.
#[wasm_bindgen(js_name = applyPlan, unchecked_return_type = "WrittenFile")]
pub fn apply_plan(
    plan: &[u8],
    rig: &rig::Rig,
    #[wasm_bindgen(unchecked_param_type = "\"fbx\" | \"glb\" | \"gltf\" | \"bvh\"")] format: &str,
    #[wasm_bindgen(unchecked_optional_param_type = "string[]")] clips: &JsValue,
) -> Result<JsValue, JsValue> {
    Ok(applied(plan, rig, format, clips)?)
}

fn applied(plan: &[u8], rig: &rig::Rig, format: &str, clips: &JsValue) -> Result<JsValue, Failure> {
    let format = given::format(format)?;
    if matches!(format, rebone::Format::Vrm | rebone::Format::Vrma) {
        return Err(Failure::request(
            "a .retarget file holds a skeleton, but no avatar",
            "write a GLB, FBX or BVH, or use a session",
        ));
    }
    let asset = read_asset(plan)?;
    let names = given::names(clips, "clips")?;
    let mut character = rebone::apply_asset(&asset, &rig.opened.rig, &names)?;
    take_root_paths(&mut character.clips);
    written::file(&write_character(&character, format)?)
}
