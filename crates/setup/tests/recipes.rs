//! Recipes, their schema and their differences agree with each other and with the docs.

use jsonschema::Validator;
use rebone_model::Character;
use rebone_setup::mapping::map_character;
use rebone_setup::recipe::{Described, Recipe, SCHEMA, differences, settings};
use std::collections::BTreeSet;
use std::path::Path;
use toml::{Table, Value};

const DOCS: &str = include_str!("../../../docs/recipe.md");

/// Every key that there is, but for numbers within a range: [`everything`] adds those.
const EVERYTHING: &str = r#"
version = 1
profile = "humanoid"
preset = "mixamo"
align = "full"
method = "rest-delta"
root_scale = [1.0, 0.5, 0.0]
feet = { weight = 0.5, anchor = "ball", pull = 0.3, signed_pull = false, floor = "off", lock = 0.5, swing = [0.2, 0.5], bend = "steady", reach = "soft", standing = "leg-and-ankle" }
root_motion = { mode = "extract", axes = "x z turn", smooth_seconds = 0.1 }
additive = "first"
rate_hz = 30
across_kinds = true
twist = 0.5
ground = 0.5
own_body = 0.5
mirror = "ready"
chains.tail = ""
chain_modes.torso = "end-exact"
twist_shares."a b" = 0.5
curves."expression:aa" = "jawOpen"
translations.all = "none"
links = { tail = "Tail", belly = ["Spine", "Spine1"] }
hands = { mode = "auto", weight = 0.5, near = 0.1, far = 0.2, assist = 0.5, props = ["box"] }
pins = [
  { end = "leftHand", to = "point", point = [0.3, 1.2, 0.4], from = 1.5, until = 2.5, blend_in = 0.1, blend_out = 0.4 },
  { end = "leftFoot", to = "own", scale = [1, 1, 1.3], offset = [0.1, 0, 0], weight = 0.5 },
  { end = "rightHand", to = "joint", joint = "box" },
]
contacts = { found = false, speed = 0.3, speed_release = 1.5, height = 0.05, height_release = 2, shortest = 0.1, gap = 0.2, ground = "lowest", in_place = "never", points = { leftHeel = [[0.1, 0.5], [0.9, 1.3, 0.25]], seat = { add = [[1, 2]], remove = [[3, 4.5]] }, rightToes = { only = [[0, 1]] } }, clips = { walk = { rightHand = [] } } }
limits.use = "human"
limits.slots.head = { hinge = true, from = [0, 0], bend = [-10, 10.5], side = [0, 1], twist = [0, 0], soft = 3 }
limits.slots.neck = "none"
limits.slots.chest = { free = true }
[source]
pose = "frame 12"
up = "+Z"
forward = "-Y"
embed = false
root = "root"
slots = { hips = "Hips", spine = ["a", "b"], leftToes = [] }
calibration.head = { local = [0, 0, 10], replace = true }
place = { turn_degrees = 90, shift = [0, 1, 2], scale = 2 }
[target]
pose = 1.5
calibration.head = { world = [0, 0, 10] }
spacing = { arms = 5, legs = -2.5 }
look_at = { point = [0, 1.5, 2], weight = 0.5, neck = 0.3, yaw = 60, pitch = [20, 30], eyes = 10 }
weights.arms = 0.5
twins.Tail = "Tail"
"#;

/// A recipe that says all that can be said.
fn everything() -> String {
    let mut all = table(EVERYTHING);
    let keys = |key: &str| key.split('.').map(str::to_owned).collect::<Vec<_>>();
    let said: BTreeSet<Vec<String>> = paths(&all).into_iter().collect();
    for setting in settings() {
        let path = keys(&setting.key);
        let ranges = setting
            .values
            .split(" | ")
            .filter_map(|form| form.split_once(" to "));
        let range =
            ranges.filter_map(|(from, to)| from.parse::<f64>().ok().zip(to.parse::<f64>().ok()));
        let is_of_all = !setting.key.contains("NAME") && !setting.key.contains("[]");
        if let (Some((from, to)), true, false) = (range.last(), is_of_all, said.contains(&path)) {
            let table = path[..path.len() - 1].iter().fold(&mut all, |table, key| {
                let empty = Value::Table(Table::new());
                table
                    .entry(key.clone())
                    .or_insert(empty)
                    .as_table_mut()
                    .unwrap()
            });
            table.insert(
                path[path.len() - 1].clone(),
                Value::Float(0.6 * from + 0.4 * to),
            );
        }
    }
    toml::to_string(&all).unwrap()
}

fn validator() -> Validator {
    jsonschema::validator_for(&serde_json::from_str(SCHEMA).unwrap()).unwrap()
}

fn is_valid(validator: &Validator, table: &Table) -> bool {
    validator.is_valid(&serde_json::to_value(table).unwrap())
}

fn parses(table: &Table) -> bool {
    Recipe::parse(&toml::to_string(table).unwrap()).is_ok()
}

fn table(text: &str) -> Table {
    toml::from_str(text).unwrap()
}

/// What stands between ```` ```toml ```` and ```` ``` ````.
fn blocks(page: &str) -> Vec<&str> {
    let parts = page.split("```toml\n").skip(1);
    parts.filter_map(|part| part.split("```").next()).collect()
}

/// The paths of all keys, those of tables before those of what is in them.
fn paths(table: &Table) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for (key, value) in table {
        found.push(vec![key.clone()]);
        let inner = value.as_table().map(paths).unwrap_or_default();
        found.extend(
            inner
                .into_iter()
                .map(|path| [vec![key.clone()], path].concat()),
        );
    }
    found
}

/// Every key, also of tables in lists.
fn used_keys(table: &Table) -> BTreeSet<String> {
    let mut found: BTreeSet<String> = table.keys().cloned().collect();
    for value in table.values() {
        let inner: Vec<&Value> = match value {
            Value::Array(values) => values.iter().collect(),
            value => vec![value],
        };
        let tables = inner.into_iter().filter_map(Value::as_table);
        found.extend(tables.flat_map(used_keys));
    }
    found
}

/// The table in which a path ends.
fn above<'a>(table: &'a mut Table, path: &[String]) -> &'a mut Table {
    path[..path.len() - 1]
        .iter()
        .fold(table, |table, key| table[key].as_table_mut().unwrap())
}

/// S4.9: recipes of the docs, of earlier versions and those that are written are what the schema says.
#[test]
fn recipes_are_valid() {
    let validator = validator();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let mut folders = vec![root];
    let mut pages = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                pages.push((path.clone(), std::fs::read_to_string(path).unwrap()));
            }
        }
    }
    let mut recipes = 0;
    for (path, page) in &pages {
        for text in blocks(page) {
            if Recipe::parse(text).is_ok() {
                recipes += 1;
                assert!(
                    is_valid(&validator, &table(text)),
                    "{}: {text}",
                    path.display()
                );
            }
        }
    }
    assert!(recipes >= 5, "{recipes}");
    let nobody = Character::default();
    let map = map_character(&nobody);
    let text = everything();
    let everything = Recipe::parse(&text).unwrap();
    let written = everything
        .to_text(Described::new(&nobody, &map), Described::new(&nobody, &map))
        .unwrap();
    let read = Recipe::parse(&written).unwrap();
    // Slots are written as a map has them, and nobody has any.
    let mut expected = everything.clone();
    expected.source.slots.retain(|_, joints| joints.is_empty());
    assert_eq!(read, expected, "{written}");
    for text in [
        &text,
        blocks(DOCS)[0],
        &written,
        include_str!("old/v1_walk_on_chibi.toml"),
    ] {
        let parsed = Recipe::parse(text);
        assert!(parsed.is_ok(), "{parsed:?}");
        let errors: Vec<_> = validator
            .iter_errors(&serde_json::to_value(table(text)).unwrap())
            .map(|error| error.to_string())
            .collect();
        assert!(errors.is_empty(), "{errors:?}");
    }
}

/// Whatever one key is replaced by: what is read is valid, and what is of the wrong type, a word that is none or no
/// key at all is refused by both.
#[test]
fn the_schema_refuses_only_what_is_no_recipe() {
    let validator = validator();
    let whole = table(&everything());
    let others = [
        Value::Boolean(true),
        Value::Integer(-700),
        Value::Float(0.5),
        Value::String("zzz".to_owned()),
        Value::Array(Vec::new()),
        Value::Array(vec![Value::Integer(1); 3]),
        Value::Table(Table::new()),
        Value::Table(
            [("zzz".to_owned(), Value::Integer(1))]
                .into_iter()
                .collect(),
        ),
    ];
    let (mut refused_by_both, mut tried) = (0, 0);
    for path in paths(&whole) {
        let key = path.last().unwrap();
        let mut mutants = Vec::new();
        let mut without = whole.clone();
        above(&mut without, &path).remove(key);
        mutants.push(without);
        let is_table = above(&mut whole.clone(), &path)[key].is_table();
        for other in &others {
            // What reads tables also takes their values as a list. Nobody is told so, and the schema does not.
            if is_table && other.is_array() {
                continue;
            }
            let mut changed = whole.clone();
            above(&mut changed, &path).insert(key.clone(), other.clone());
            mutants.push(changed);
        }
        let mut refused = 0;
        for mutant in mutants {
            tried += 1;
            let valid = is_valid(&validator, &mutant);
            assert!(!parses(&mutant) || valid, "{path:?}: {mutant}");
            refused += usize::from(!valid);
        }
        assert!(refused > 0, "the schema lets anything stand at {path:?}");
        refused_by_both += refused;
        let mut renamed = whole.clone();
        let own = above(&mut renamed, &path);
        let value = own.remove(key).unwrap();
        own.insert(format!("{key}zzz"), value);
        assert!(
            !parses(&renamed) || is_valid(&validator, &renamed),
            "{path:?}"
        );
    }
    println!("{refused_by_both} of {tried} refused by both");
    for text in [
        "speed = 3",
        "method = \"magic\"",
        "rate_hz = \"fast\"",
        "[source]\npose = \"bend\"",
        "[target.calibration]\nhead = { }",
        "[target.calibration]\nhead = { local = [0, 0, 1], world = [0, 0, 1] }",
        "[target.calibration]\nhead = { local = [0, 0] }",
        "[target.look_at]\nweight = 2",
        "[target.weights]\narms = -0.5",
        "[chain_modes]\nspine = \"bendy\"",
        "root_scale = [1, 2]",
        "root_motion = { mode = \"hips\", axes = \"q\" }",
        "limits.slots.head = \"few\"",
        "twist = 2.0",
        "version = 9",
    ] {
        assert!(Recipe::parse(text).is_err(), "{text}");
        assert!(!is_valid(&validator, &table(text)), "{text}");
    }
}

/// The tests of this file try every key. (The page of settings shows them all.)
#[test]
fn every_key_of_the_schema_is_tried() {
    let schema: serde_json::Value = serde_json::from_str(SCHEMA).unwrap();
    let names = |of: &serde_json::Value| -> BTreeSet<String> {
        let properties = of["properties"].as_object();
        properties
            .into_iter()
            .flat_map(|all| all.keys().cloned())
            .collect()
    };
    let used = |text: &str| -> BTreeSet<String> { used_keys(&table(text)) };
    let definitions = schema["definitions"].as_object().unwrap();
    let mut all = names(&schema);
    for definition in definitions.values() {
        all.extend(names(definition));
    }
    let tried = used(&everything());
    let missing: Vec<_> = all.difference(&tried).collect();
    assert!(missing.is_empty(), "EVERYTHING lacks {missing:?}");
    assert!(all.len() > 50, "{}", all.len());
}

/// A recipe without one of its keys differs from the whole in just that key.
#[test]
fn every_key_makes_a_difference() {
    let whole = table(&everything());
    let recipe = Recipe::parse(&everything()).unwrap();
    let mut tried = 0;
    for path in paths(&whole) {
        let mut without = whole.clone();
        above(&mut without, &path).remove(path.last().unwrap());
        let key = path.join(".");
        let Ok(other) = Recipe::parse(&toml::to_string(&without).unwrap()) else {
            // A calibration without angles, a mode of root motion without its name.
            assert!(
                key.contains("calibration") || key == "root_motion.mode",
                "{key}"
            );
            continue;
        };
        if other == recipe {
            assert!(
                ["version", "limits.slots.head.from"].contains(&key.as_str()),
                "{key}"
            );
            continue;
        }
        tried += 1;
        let found = differences(&recipe, &other).unwrap();
        assert!(!found.is_empty(), "{key}");
        for difference in found {
            let near = difference.key.replace('"', "");
            assert!(
                near.starts_with(&key) || key.starts_with(&near),
                "{key}: {difference}"
            );
        }
    }
    assert!(tried > 60, "{tried}");
}
