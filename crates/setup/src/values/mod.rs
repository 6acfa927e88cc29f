//! Values of settings: how they are read where a person may write one in several ways, and whether they are what the schema says.

mod check;
#[cfg(feature = "schema")]
pub(crate) mod forms;

pub(crate) use check::{alternatives, check, part, plain, read_part};

use serde::{Deserialize, Deserializer, Serializer};

/// The JSON schema of recipes: for editors, for whoever lists what can be chosen, and to check what was typed.
pub const SCHEMA: &str = include_str!("recipe.schema.json");

/// True, false, or how much.
#[derive(Deserialize)]
#[serde(untagged)]
enum Weight {
    Switch(bool),
    Number(f64),
}

/// Reads a weight: true is 1, false 0.
pub(crate) fn weight<'de, D: Deserializer<'de>>(reader: D) -> Result<f64, D::Error> {
    Ok(match Weight::deserialize(reader)? {
        Weight::Switch(is_on) => f64::from(u8::from(is_on)),
        Weight::Number(weight) => weight,
    })
}

/// Reads and writes what has a name of its own, as a text.
pub(crate) trait Named: Sized {
    /// What one is called in messages: `axis`.
    const WHAT: &'static str;
    /// The one of this name.
    fn named(name: &str) -> Option<Self>;
    /// Its name.
    fn written(&self) -> String;
}

/// For `#[serde(with)]` of an optional [`Named`].
pub(crate) mod named {
    use super::{Deserialize, Deserializer, Named, Serializer};
    use serde::de::Error as _;

    pub(crate) fn serialize<S: Serializer, T: Named>(
        value: &Option<T>,
        writer: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => writer.serialize_some(&value.written()),
            None => writer.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>, T: Named>(
        reader: D,
    ) -> Result<Option<T>, D::Error> {
        let text = String::deserialize(reader)?;
        let found = T::named(&text);
        let wrong = || D::Error::custom(format!("\"{text}\" is no {}", T::WHAT));
        found.map(Some).ok_or_else(wrong)
    }
}

/// For `#[serde(with)]` of two numbers, or false for none.
pub(crate) mod two_or_off {
    use super::{Deserialize, Deserializer, Serializer};
    use serde::Serialize;

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Form {
        Off(bool),
        Two([f64; 2]),
    }

    pub(crate) fn serialize<S: Serializer>(
        value: &Option<[f64; 2]>,
        writer: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Some(two) => two.serialize(writer),
            None => writer.serialize_bool(false),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        reader: D,
    ) -> Result<Option<[f64; 2]>, D::Error> {
        match Form::deserialize(reader)? {
            Form::Two(two) => Ok(Some(two)),
            Form::Off(false) => Ok(None),
            Form::Off(true) => Err(serde::de::Error::custom("give two numbers, or false")),
        }
    }
}

/// One name, or several.
pub(crate) fn names_by_slot<'de, D: Deserializer<'de>>(
    reader: D,
) -> Result<std::collections::BTreeMap<String, Vec<String>>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Names {
        One(String),
        Several(Vec<String>),
    }
    let typed = std::collections::BTreeMap::<String, Names>::deserialize(reader)?;
    let each = typed.into_iter().map(|(slot, names)| match names {
        Names::One(name) => (slot, vec![name]),
        Names::Several(names) => (slot, names),
    });
    Ok(each.collect())
}

/// The error of a text that is none of a kind.
pub(crate) fn unknown<E: serde::de::Error>(what: &str, text: &str) -> E {
    E::custom(format!("\"{text}\" is no {what}"))
}
