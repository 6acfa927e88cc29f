//! What is taken away from a session: files, and the command that makes them.

use crate::command::command_line;
use crate::failure::Failure;
use crate::given;
use crate::session::{Session, Side};
use crate::written::file;
use rebone::runtime::asset::write_asset;
use rebone::{Recipe, Retarget, doubts};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
impl Session {
    /// A file with the clips that were made. Within one family of formats everything else in the target's file is kept to the byte.
    #[wasm_bindgen(unchecked_return_type = "WrittenFile")]
    pub fn write(
        &self,
        #[wasm_bindgen(unchecked_param_type = "WrittenFormat")] format: &str,
    ) -> Result<JsValue, JsValue> {
        let format = given::format(format)?;
        let done = self.done()?;
        let output = rebone::write(self.rig(Side::Target), &done.clips, format);
        Ok(file(&output.map_err(Failure::from)?)?)
    }

    /// The compiled pair as a `.retarget` file, which runs on any clip of the source's rig.
    #[wasm_bindgen(js_name = writePlan, unchecked_return_type = "WrittenFile")]
    pub fn write_plan(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "string[]")] clips: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let names = given::names(clips, "clips")?;
        let (source, target) = (self.rig(Side::Source), self.rig(Side::Target));
        let pair = Retarget::new(source, target).clips(&names);
        let compiled = pair.recipe(self.recipe.clone()).compile();
        let (asset, mut warnings) = compiled.map_err(Failure::from)?;
        warnings.extend(self.doubts.iter().cloned());
        let bytes = write_asset(&asset).map_err(Failure::from)?;
        Ok(file(&rebone::output::Output {
            bytes,
            warnings: doubts::distinct(&warnings),
        })?)
    }

    /// The command that does the same: `recipe.toml` holds what [`recipe`](Session::recipe) says.
    #[wasm_bindgen(js_name = commandLine)]
    pub fn command_line(&self, output: &str) -> String {
        let clips: Vec<&str> = match &self.done {
            Some(done) if done.from.len() < self.rig(Side::Source).character.clips.len() => {
                let clips = &self.rig(Side::Source).character.clips;
                done.from
                    .iter()
                    .map(|&at| clips[at].name.as_str())
                    .collect()
            }
            _ => Vec::new(),
        };
        let names = [self.source.name.as_str(), self.target.name.as_str(), output];
        let has_recipe = self.recipe != Recipe::default() || self.choices.foreign.is_some();
        command_line(names, has_recipe.then_some("recipe.toml"), &clips)
    }
}
