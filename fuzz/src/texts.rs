//! What people write: recipes, profiles, and maps of other tools.

use crate::promises::check_times;
use crate::puppet::puppet;
use rebone::choices::{Choices, json_of_toml};
use rebone::model::check::check_clip;
use rebone::setup::foreign::{self, Tool};
use rebone::setup::mapping::{ProfileChoice, map_character_as, profile_text};
use rebone::setup::profile::custom::read_profile;
use rebone::setup::recipe::Described;
use rebone::{Recipe, Retarget};
use std::cell::Cell;

/// A recipe in TOML or JSON. What it writes of itself is a recipe again.
pub fn recipe(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let Ok(choices) = Choices::parse_any(text) else {
        return;
    };
    if Recipe::parse(text).is_ok() {
        // JSON has no word for infinity, so that a text that holds it says so and no more.
        let _ = json_of_toml(text);
    }
    puppet(|source, target| {
        if let Ok(written) = choices.text(source, target) {
            let again = Choices::parse(&written)
                .unwrap_or_else(|error| panic!("our own recipe is not read: {error}\n{written}"));
            let twice = again.text(source, target);
            assert_eq!(twice.ok().as_deref(), Some(written.as_str()));
        }
    });
}

/// A recipe that is followed.
pub fn recipe_use(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let Ok(choices) = Choices::parse_any(text) else {
        return;
    };
    puppet(|source, target| {
        let (recipe, _) = choices.for_pair(source, target);
        let Ok(made) = Retarget::new(source, target).recipe(recipe.clone()).run() else {
            return;
        };
        for made in &made.clips {
            assert_eq!(check_clip(&made.clip), Ok(()));
            check_times(&made.clip);
        }
    });
}

/// Profiles kept so far: a program keeps each that it reads as long as it runs.
const MOST_PROFILES: u32 = 20_000;

thread_local! {
    static PROFILES: Cell<u32> = const { Cell::new(0) };
}

/// A user's profile, or the map of another tool.
pub fn map(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    if Tool::of_text(text).is_none() {
        profile(text);
        return;
    }
    let Ok(map) = foreign::read(text) else {
        return;
    };
    puppet(|source, target| {
        let [from, to] = [source, target].map(|rig| (&rig.character, &rig.map));
        let (recipe, _) = map.recipe(from, to);
        let [described_from, described_to] =
            [from, to].map(|(character, map)| Described::new(character, map));
        let written = recipe
            .to_text(described_from, described_to)
            .expect("a recipe that was read");
        Recipe::parse(&written)
            .unwrap_or_else(|error| panic!("our own recipe is not read: {error}\n{written}"));
        let Ok(hands) = rebone::pairing::links_by_hand(source, target, &recipe) else {
            return;
        };
        // Writing takes much longer than reading, so each input writes for one tool.
        for tool in Tool::ALL
            .into_iter()
            .skip(bytes.len() % Tool::ALL.len())
            .take(1)
        {
            if let Ok(written) = foreign::write(tool, Some(from), to, &hands) {
                foreign::read(&written.text).unwrap_or_else(|error| {
                    panic!("our own map of {} is not read: {error}", tool.name())
                });
            }
        }
    });
}

fn profile(text: &str) {
    let count = PROFILES.get();
    if count >= MOST_PROFILES {
        return;
    }
    let Ok(profile) = read_profile(text) else {
        return;
    };
    PROFILES.set(count + 1);
    puppet(|source, _| {
        let map = map_character_as(&source.character, ProfileChoice::Custom(profile));
        let written = profile_text(&source.character, &map);
        read_profile(&written)
            .unwrap_or_else(|error| panic!("our own profile is not read: {error}\n{written}"));
    });
}
