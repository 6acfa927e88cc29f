//! `rebone settings`: what a recipe and `--set` can say.

use crate::Outcome;
use crate::arguments;
use crate::console;
use crate::failure::Failure;
use rebone::setup::recipe::{Setting, settings};
use serde::Serialize;

#[derive(Serialize)]
struct SettingsJson<'a> {
    settings: Vec<SettingJson<'a>>,
}

#[derive(Serialize)]
struct SettingJson<'a> {
    key: &'a str,
    values: &'a str,
    default: &'a str,
    description: &'a str,
}

/// Runs the command.
pub(crate) fn run(arguments: &arguments::Settings) -> Result<Outcome, Failure> {
    let word = arguments.word.as_deref().unwrap_or_default().to_lowercase();
    let all = settings();
    let is_meant = |setting: &&Setting| {
        [&setting.key, &setting.values, &setting.words]
            .iter()
            .any(|text| text.to_lowercase().contains(&word))
    };
    let found: Vec<&Setting> = all.iter().filter(is_meant).collect();
    if found.is_empty() {
        return Err(Failure::new(
            format!("no setting speaks of \"{word}\""),
            "`rebone settings` lists all of them",
        ));
    }
    let document = SettingsJson {
        settings: found.iter().map(|setting| json(setting)).collect(),
    };
    let blocks = found.iter().map(|setting| block(setting));
    let mut text: String = blocks.collect();
    text.push_str("Say one in a recipe, or on the command line as --set KEY=VALUE.\n");
    console::answer(&document, &text, &[])?;
    Ok(Outcome::Done)
}

fn json(setting: &Setting) -> SettingJson<'_> {
    SettingJson {
        key: &setting.key,
        values: &setting.values,
        default: &setting.default,
        description: &setting.words,
    }
}

/// A setting's lines.
fn block(setting: &Setting) -> String {
    let Setting {
        key, values, words, ..
    } = setting;
    let mut text = format!("{key} = {values}\n    {words}\n");
    for (word, meaning) in &setting.meanings {
        text.push_str(&format!("      {word}: {meaning}\n"));
    }
    if !setting.default.is_empty() {
        text.push_str(&format!("    Default: {}.\n", setting.default));
    }
    text.push('\n');
    text
}
