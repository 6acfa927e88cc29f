//! Settings of a recipe by their keys, as `feet.lock = 0.5`: what there is, and how one is put on top of a text.

use super::Recipe;
use crate::error::Error;
use rebone_model::skeleton::edit_distance;
use rebone_model::{Action, Remedy};
use serde_json::Value;
use toml::Table;

/// The JSON schema of recipes, as [`Recipe::parse`] reads them: for editors, and for whoever lists what can be chosen.
pub const SCHEMA: &str = include_str!("recipe.schema.json");

/// Something that a recipe can say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Where it stands: names of tables and of the key, with dots between. `NAME` stands for a name of the user's.
    pub key: String,
    /// What it may be, as `true`, `0 to 1`, `auto`; several are separated by ` | `.
    pub values: String,
    /// What it does, and what it is where it is left out.
    pub words: String,
}

/// Everything that a recipe can say, by keys in alphabetical order; of lists of tables the tables' own keys as well, with `[]` behind
/// the list's name.
pub fn settings() -> Vec<Setting> {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap_or_default();
    let mut found = Vec::new();
    Walk { schema: &schema }.below(&mut found, "", &schema);
    found
}

/// The text of a recipe with settings on top, each as `KEY=VALUE`: `feet.lock=0.5`, `preset=mixamo`. Values are those of TOML; what is no TOML
/// is taken for text. Later ones win.
///
/// ```
/// use rebone_setup::recipe::{Recipe, with_settings};
///
/// let text = with_settings("[feet]\nlock = 0.3\n", &["feet.lock=0.5", "preset=mixamo"])?;
/// assert_eq!(Recipe::parse(&text)?, Recipe::parse("feet.lock = 0.5\npreset = 'mixamo'")?);
/// # Ok::<(), rebone_setup::Error>(())
/// ```
///
/// # Errors
/// Where the text is no recipe, and where a setting has no `=`, an unknown key or a value that does not fit.
pub fn with_settings<S: AsRef<str>>(text: &str, settings: &[S]) -> Result<String, Error> {
    Recipe::parse(text)?;
    let wrong = |error: &dyn std::fmt::Display| refused(&error.to_string(), "the recipe");
    let mut all: Table = toml::from_str(text).map_err(|error| wrong(&error))?;
    for setting in settings {
        put(&mut all, table_of(setting.as_ref())?);
    }
    let text = toml::to_string(&all).map_err(|error| wrong(&error))?;
    Recipe::parse(&text)?;
    Ok(text)
}

/// A setting as the tables around its value.
fn table_of(setting: &str) -> Result<Table, Error> {
    let Some((key, value)) = setting.split_once('=') else {
        return Err(refused("a setting is a key, = and a value", setting));
    };
    let (key, value) = (key.trim(), value.trim());
    let as_text = Value::String(value.to_owned());
    let read = |value: &str| toml::from_str::<Table>(&format!("{key} = {value}"));
    let table = read(value).or_else(|_| read(&as_text.to_string()));
    let table = table.map_err(|_| refused("this is no key of a recipe", key))?;
    // Alone it is refused with its key, and not with a line of a text that nobody has written.
    let alone = toml::to_string(&table).unwrap_or_default();
    match Recipe::parse(&alone) {
        Ok(_) => Ok(table),
        Err(_) => Err(unfit(key, value)),
    }
}

/// Why a setting is refused: its value does not fit, or there is no such key.
fn unfit(key: &str, value: &str) -> Error {
    let all = settings();
    let is_it = |setting: &&Setting| {
        let known = setting.key.split('.');
        let mut pairs = known.zip(key.split('.'));
        setting.key.split('.').count() == key.split('.').count()
            && pairs.all(|(known, given)| known == "NAME" || known == given)
    };
    if let Some(known) = all.iter().find(is_it) {
        let what = format!("\"{value}\" does not fit; it is {}", known.values);
        return refused(&what, key);
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

/// Puts one table over another: tables are joined, everything else is replaced.
fn put(below: &mut Table, above: Table) {
    for (key, value) in above {
        match (below.get_mut(&key), value) {
            (Some(toml::Value::Table(below)), toml::Value::Table(above)) => put(below, above),
            (_, value) => {
                below.insert(key, value);
            }
        }
    }
}

/// A walk through a schema.
struct Walk<'a> {
    schema: &'a Value,
}

impl<'a> Walk<'a> {
    /// The alternatives that a part of the schema stands for, references resolved.
    fn alternatives(&self, part: &'a Value) -> Vec<&'a Value> {
        if let Some(path) = part["$ref"].as_str() {
            let path = path.trim_start_matches('#');
            let named = self.schema.pointer(path);
            return named.map_or_else(Vec::new, |named| self.alternatives(named));
        }
        let lists = ["anyOf", "allOf", "oneOf"];
        match lists.iter().find_map(|list| part[*list].as_array()) {
            Some(parts) => parts
                .iter()
                .flat_map(|part| self.alternatives(part))
                .collect(),
            None => vec![part],
        }
    }

    /// The settings below a key.
    fn below(&self, found: &mut Vec<Setting>, above: &str, part: &'a Value) {
        let properties = part["properties"].as_object().into_iter().flatten();
        for (name, own) in properties {
            let key = match above {
                "" => name.clone(),
                above => format!("{above}.{name}"),
            };
            self.setting(found, key, own);
        }
    }

    fn setting(&self, found: &mut Vec<Setting>, key: String, part: &'a Value) {
        let alternatives = self.alternatives(part);
        let plain: Vec<String> = alternatives.iter().filter_map(|own| plain(own)).collect();
        let words = part["description"].as_str().unwrap_or_default();
        if !plain.is_empty() {
            found.push(Setting {
                key: key.clone(),
                values: plain.join(" | "),
                words: words.to_owned(),
            });
        }
        for own in alternatives {
            self.below(found, &key, own);
            if own["additionalProperties"].is_object() {
                self.setting_of_names(found, &key, (own, words));
            }
            if own["items"]["$ref"].is_string() {
                for item in self.alternatives(&own["items"]) {
                    self.below(found, &format!("{key}[]"), item);
                }
            }
        }
    }

    /// A table whose keys are names of the user's.
    fn setting_of_names(
        &self,
        found: &mut Vec<Setting>,
        key: &str,
        (part, words): (&'a Value, &str),
    ) {
        let before = found.len();
        self.setting(found, format!("{key}.NAME"), &part["additionalProperties"]);
        if let Some(own) = found.get_mut(before)
            && own.words.is_empty()
        {
            words.clone_into(&mut own.words);
        }
    }
}

/// What a value may be that is no table and no list of tables.
fn plain(part: &Value) -> Option<String> {
    if let Some(values) = part["enum"].as_array() {
        let names = values.iter().filter_map(Value::as_str);
        return Some(names.collect::<Vec<_>>().join(" | "));
    }
    let bounds = ["minimum", "maximum"].map(|bound| part[bound].as_f64());
    match part["type"].as_str()? {
        "boolean" => Some("true | false".to_owned()),
        kind @ ("number" | "integer") => Some(match bounds {
            [Some(least), Some(most)] => format!("{least} to {most}"),
            [Some(least), None] => format!("a {kind} from {least}"),
            _ => format!("a {kind}"),
        }),
        "string" => Some("\"text\"".to_owned()),
        "array" => {
            let item = plain(&part["items"])?;
            Some(format!("[{item}, ...]"))
        }
        _ => None,
    }
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
        let expected = "feet.lock = 1\n[source.slots]\nhips = \"Hips\"\nspine = \"Spine\"\n";
        assert_eq!(both, Recipe::parse(expected));
        assert_eq!(read(&[]), Recipe::parse(text));
        for (wrong, said) in [
            ("feet", "a setting is a key"),
            ("feet.lok=1", "the nearest is feet.lock"),
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
        for Setting { key, values, words } in &all {
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
