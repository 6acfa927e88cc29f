//! Settings of a recipe by their keys, as `feet.lock = 0.5`: what there is, and how one is put on top of a text.

use super::diff::leaves;
use super::presets::put;
use super::{Recipe, presets, reading};
use crate::error::Error;
use crate::preset::Preset;
use crate::values;
use rebone_model::skeleton::edit_distance;
use rebone_model::{Action, Remedy};
use serde_json::Value;
use std::collections::BTreeMap;
use toml::Table;

/// Something that a recipe can say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Where it stands: names of tables and of the key, with dots between. `NAME` stands for a name of the user's.
    pub key: String,
    /// What it may be, as `true`, `0 to 1`, `auto`; several are separated by ` | `.
    pub values: String,
    /// What it is where it is left out, also with which preset; empty where the words say it.
    pub default: String,
    /// What each of its words means, where they have words of their own.
    pub meanings: Vec<(String, String)>,
    /// What it does.
    pub words: String,
}

/// Everything that a recipe can say, by keys in alphabetical order; of lists of tables the tables' own keys as well, with `[]` behind
/// the list's name.
pub fn settings() -> Vec<Setting> {
    let mut found = Vec::new();
    below(&mut found, "", values::part(None));
    let presets = Preset::ALL.map(|preset| (preset.name(), of_preset(preset)));
    for setting in &mut found {
        let mut by_value: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (name, own) in &presets {
            if let Some(value) = own.get(&setting.key) {
                by_value
                    .entry(value.trim_matches('"'))
                    .or_default()
                    .push(name);
            }
        }
        for (value, names) in by_value {
            setting
                .default
                .push_str(&format!("; {value} with {}", names.join(", ")));
        }
    }
    found
}

/// All settings as a page of Markdown, a chapter for each table.
pub fn settings_page() -> String {
    let mut page = String::from(
        "# Settings\n\nEverything that a [recipe](recipe.md) can say; `rebone settings [WORD]` lists the same. This page is \
         made from the code.\n",
    );
    let (plain, tables): (Vec<Setting>, Vec<Setting>) = settings()
        .into_iter()
        .partition(|setting| !setting.key.contains('.'));
    chapter(&mut page, "A motion as a whole", &plain);
    let table_of = |setting: &Setting| setting.key.split('.').next().map(str::to_owned);
    for table in tables.chunk_by(|one, other| table_of(one) == table_of(other)) {
        let name = table.first().and_then(table_of).unwrap_or_default();
        chapter(&mut page, &format!("`{name}`"), table);
    }
    page
}

fn chapter(page: &mut String, title: &str, settings: &[Setting]) {
    page.push_str(&format!(
        "\n## {title}\n\n| key | may be | default | what it does |\n|---|---|---|---|\n"
    ));
    for setting in settings {
        let meanings = setting.meanings.iter();
        let meanings: String = meanings
            .map(|(word, meaning)| format!("<br>`{word}`: {meaning}"))
            .collect();
        let [values, words] =
            [&setting.values, &setting.words].map(|text| text.replace('|', "\\|"));
        let Setting { key, default, .. } = setting;
        page.push_str(&format!(
            "| `{key}` | {values} | {default} | {words}{meanings} |\n"
        ));
    }
}

/// The values of a preset, by key.
fn of_preset(preset: Preset) -> BTreeMap<String, String> {
    let own = reading::table(presets::text(preset));
    own.map(|own| leaves(&own)).unwrap_or_default()
}

/// The text of a recipe with settings on top, each as `KEY=VALUE`: `feet.lock=0.5`, `preset=mixamo`. Values are those of TOML; what is no
/// TOML is taken for text, for `on` or `off`, or for a list without its brackets. Later ones win.
///
/// ```
/// use rebone_setup::recipe::{Recipe, with_settings};
///
/// let text = with_settings("[feet]\nlock = 0.3\n", &["feet.lock=0.5", "preset=mixamo", "own_body=on"])?;
/// assert_eq!(Recipe::parse(&text)?, Recipe::parse("feet.lock = 0.5\npreset = 'mixamo'\nown_body = true")?);
/// # Ok::<(), rebone_setup::Error>(())
/// ```
///
/// # Errors
/// Where the text is no recipe, and where a setting has no `=`, an unknown key or a value that does not fit.
pub fn with_settings<S: AsRef<str>>(text: &str, settings: &[S]) -> Result<String, Error> {
    Recipe::parse(text)?;
    let mut all = reading::table(text)?;
    reading::write_out(&mut all);
    for setting in settings {
        put(&mut all, table_of(setting.as_ref())?);
    }
    let text = toml::to_string(&all).map_err(|error| refused(&error.to_string(), "the recipe"))?;
    Recipe::parse(&text)?;
    Ok(text)
}

/// A setting as the tables around its value.
fn table_of(setting: &str) -> Result<Table, Error> {
    let Some((key, value)) = setting.split_once('=') else {
        return Err(refused("a setting is a key, = and a value", setting));
    };
    let (key, value) = (key.trim(), value.trim());
    let as_text = toml::Value::String(value.to_owned()).to_string();
    let as_list = format!("[{value}]");
    let as_switch = match value {
        "on" => "true",
        "off" => "false",
        _ => value,
    };
    let read = |value: &str| toml::from_str::<Table>(&format!("{key} = {value}")).ok();
    // TOML wants a digit before the point.
    let as_number = value
        .parse::<f64>()
        .map_or_else(|_| value.to_owned(), |number| format!("{number:?}"));
    let mut tables = [value, &as_number, &as_text, as_switch, &as_list]
        .into_iter()
        .filter_map(read)
        .peekable();
    if tables.peek().is_none() {
        return Err(refused("this is no key of a recipe", key));
    }
    // Alone it is refused with its key.
    let fits = tables.find_map(|mut table| {
        reading::write_out(&mut table);
        reading::read(table.clone()).is_ok().then_some(table)
    });
    fits.ok_or_else(|| unfit(key, value))
}

/// What may stand at a key, in words.
pub(super) fn forms(key: &str) -> Option<String> {
    let is_it = |setting: &Setting| {
        let known = setting.key.split('.');
        let mut pairs = known.zip(key.split('.'));
        setting.key.split('.').count() == key.split('.').count()
            && pairs.all(|(known, given)| known == "NAME" || known == given)
    };
    let found = settings().into_iter().find(is_it);
    found.map(|setting| setting.values)
}

/// Why a setting is refused: its value does not fit, or there is no such key.
fn unfit(key: &str, value: &str) -> Error {
    if let Some(forms) = forms(key) {
        return refused(&format!("\"{value}\" does not fit; it is {forms}"), key);
    }
    let all = settings();
    let inner = all.iter().map(|setting| setting.key.as_str());
    let inner: Vec<&str> = inner
        .filter(|own| {
            own.strip_prefix(key)
                .is_some_and(|rest| rest.starts_with('.'))
        })
        .collect();
    if !inner.is_empty() {
        return refused(
            &format!("it is a table; its keys are {}", inner.join(", ")),
            key,
        );
    }
    let distance = |setting: &&Setting| edit_distance(&setting.key, key);
    let nearest = all.iter().min_by_key(distance);
    let nearest = nearest
        .map(|setting| setting.key.as_str())
        .unwrap_or_default();
    refused(
        &format!("there is no such key; the nearest is {nearest}"),
        key,
    )
}

fn refused(what: &str, place: &str) -> Error {
    Error::Recipe {
        what: what.to_owned(),
        place: place.to_owned(),
        remedy: Remedy::new(
            "say it as feet.lock=0.5 or preset=mixamo",
            &[Action::ListSettings],
        ),
    }
}

/// The settings below a key.
fn below(found: &mut Vec<Setting>, above: &str, part: &'static Value) {
    let properties = part["properties"].as_object().into_iter().flatten();
    for (name, own) in properties {
        let key = match above {
            "" => name.clone(),
            above => format!("{above}.{name}"),
        };
        let words = own["description"].as_str().unwrap_or_default();
        let is_elsewhere = [
            ("source", "Of the target only"),
            ("target", "Of the source only"),
        ]
        .iter()
        .any(|(side, only)| above == *side && words.starts_with(only));
        if is_elsewhere {
            continue;
        }
        setting(found, key, own, words);
    }
}

/// A setting, and those below it. `words` are its own, or those of the table of names that it is in.
fn setting(found: &mut Vec<Setting>, key: String, part: &'static Value, words: &str) {
    let alternatives = values::alternatives(part);
    let forms: Vec<String> = alternatives
        .iter()
        .filter_map(|own| values::plain(own))
        .collect();
    if !forms.is_empty() {
        let default = &part["default"];
        let default = default
            .as_str()
            .map_or_else(|| default.to_string(), str::to_owned);
        found.push(Setting {
            key: key.clone(),
            values: forms.join(" | "),
            default: if default == "null" {
                String::new()
            } else {
                default
            },
            meanings: alternatives.iter().filter_map(|own| meaning(own)).collect(),
            words: words.to_owned(),
        });
    }
    for own in alternatives {
        below(found, &key, own);
        let named = &own["additionalProperties"];
        if named.is_object() {
            let own = named["description"].as_str().unwrap_or(words);
            setting(found, format!("{key}.NAME"), named, own);
        }
        if own["items"]["$ref"].is_string() {
            for item in values::alternatives(&own["items"]) {
                below(found, &format!("{key}[]"), item);
            }
        }
    }
}

/// A word that a setting may be, and what it means.
fn meaning(part: &Value) -> Option<(String, String)> {
    let word = part["const"].as_str()?;
    Some((word.to_owned(), part["description"].as_str()?.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_put_over_a_text() {
        let text = "feet = 0.5\n[source.slots]\nhips = \"Hips\"\n";
        let read = |settings: &[&str]| Recipe::parse(&with_settings(text, settings)?);
        let both = read(&[
            "feet.lock=0.5",
            "source.slots.spine = Spine",
            "feet.lock = 1",
        ]);
        let expected = "feet = { weight = 0.5, lock = 1 }\n[source.slots]\nhips = \"Hips\"\nspine = \"Spine\"\n";
        assert_eq!(both, Recipe::parse(expected));
        assert_eq!(read(&[]), Recipe::parse(text));
        for (wrong, said) in [
            ("feet", "a setting is a key"),
            ("feet.lok=1", "the nearest is feet.lock"),
            (
                "hands=off",
                "its keys are hands.assist, hands.far, hands.lift, hands.mode",
            ),
            ("feet.lock=high", "does not fit; it is 0 to 1"),
            ("preset=mixam", "does not fit; it is faithful | "),
            ("=1", "no key"),
            ("a b=1", "no key"),
        ] {
            let error = read(&[wrong]).unwrap_err().to_string();
            assert!(error.contains(said), "{wrong}: {error}");
        }
    }

    #[test]
    fn all_settings_say_what_they_are() {
        let all = settings();
        for Setting {
            key, values, words, ..
        } in &all
        {
            assert!(
                !values.is_empty() && !words.is_empty(),
                "{key}: {values}; {words}"
            );
        }
        let keys: Vec<&str> = all.iter().map(|setting| setting.key.as_str()).collect();
        for key in ["preset", "feet.lock", "source.slots.NAME", "pins[].end"] {
            assert!(keys.contains(&key), "{key} is not among {keys:?}");
        }
    }
}
