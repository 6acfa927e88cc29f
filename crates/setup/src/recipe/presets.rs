//! Presets: recipes below the user's.

use super::{Recipe, reading};
use crate::error::Error;
use crate::pins::Pin;
use crate::preset::Preset;
use toml::{Table, Value};

/// What a preset says that the default does not.
pub(super) fn text(preset: Preset) -> &'static str {
    match preset {
        Preset::Faithful => "",
        Preset::Humanik => include_str!("presets/humanik.toml"),
        Preset::Mixamo => include_str!("presets/mixamo.toml"),
        Preset::MatchSource => include_str!("presets/match-source.toml"),
    }
}

impl Recipe {
    /// What a preset says.
    ///
    /// ```
    /// use rebone_setup::preset::Preset;
    /// use rebone_setup::recipe::Recipe;
    ///
    /// assert_eq!(Recipe::of(Preset::Humanik).feet.lock, 0.0);
    /// assert_eq!(Recipe::of(Preset::Faithful), Recipe::default());
    /// ```
    pub fn of(preset: Preset) -> Self {
        Self::default().with_preset(preset).unwrap_or_default()
    }

    /// The same choices on top of another preset.
    ///
    /// # Errors
    /// Only where a recipe was put together by a program and holds what cannot be written down.
    pub fn with_preset(&self, preset: Preset) -> Result<Self, Error> {
        let mut chosen = self.spoken()?;
        chosen.insert("preset".to_owned(), preset.name().into());
        reading::read(chosen)
    }

    /// What differs from the preset, as tables.
    ///
    /// # Errors
    /// Only where a recipe was put together by a program and holds what cannot be written down.
    pub(super) fn chosen(&self) -> Result<Table, Error> {
        let base = match self.preset == Preset::default() {
            true => Self::default(),
            false => Self::of(self.preset),
        };
        let mut chosen = difference(self.written()?, &base.written()?);
        if self.preset != Preset::default() {
            chosen.insert("preset".to_owned(), self.preset.name().into());
        }
        let usual = Table::try_from(Pin::default()).unwrap_or_default();
        let pins = chosen.get_mut("pins").and_then(Value::as_array_mut);
        for pin in pins.into_iter().flatten().filter_map(Value::as_table_mut) {
            *pin = difference(std::mem::take(pin), &usual);
        }
        Ok(chosen)
    }

    /// What is chosen, and what was only said: its values are those in force.
    pub(super) fn spoken(&self) -> Result<Table, Error> {
        let mut spoken = picked(&self.written()?, &self.said.0);
        put(&mut spoken, self.chosen()?);
        Ok(spoken)
    }

    /// All of it, with what the preset says.
    pub(super) fn written(&self) -> Result<Table, Error> {
        Table::try_from(self).map_err(|error| {
            super::wrong(
                format!("it cannot be written down: {error}"),
                "the recipe",
                "give finite numbers",
            )
        })
    }
}

/// The values of a table at the keys of another.
fn picked(all: &Table, keys: &Table) -> Table {
    let found = keys.iter().filter_map(|(key, typed)| {
        let value = match (all.get(key)?, typed) {
            (Value::Table(all), Value::Table(keys)) => {
                let inner = picked(all, keys);
                (!inner.is_empty()).then_some(Value::Table(inner))?
            }
            (value, _) => value.clone(),
        };
        Some((key.clone(), value))
    });
    found.collect()
}

/// What of a table is not in another, or is not the same there.
fn difference(own: Table, base: &Table) -> Table {
    let differing = own.into_iter().filter_map(|(key, value)| {
        let value = match (value, base.get(&key)) {
            (Value::Table(own), Some(Value::Table(base))) => {
                let inner = difference(own, base);
                (!inner.is_empty()).then_some(Value::Table(inner))
            }
            (value, base) => (Some(&value) != base).then_some(value),
        };
        Some((key, value?))
    });
    differing.collect()
}

/// Puts one table over another: tables are joined, everything else is replaced.
pub(super) fn put(below: &mut Table, above: Table) {
    for (key, value) in above {
        match (below.get_mut(&key), value) {
            (Some(Value::Table(below)), Value::Table(above)) => put(below, above),
            (_, value) => {
                below.insert(key, value);
            }
        }
    }
}
