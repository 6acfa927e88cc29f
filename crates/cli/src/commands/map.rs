//! `rebone map`: which joint is which slot.

use crate::Outcome;
use crate::arguments::Map;
use crate::console;
use crate::failure::Failure;
use crate::files::Outputs;
use crate::json::{self, LinkJson, MapJson, WarningJson};
use crate::session::{self, Loaded, Wanted};
use crate::summary;
use crate::table::{Align, Table, count, some_of};
use rebone::core::links::links;
use rebone::core::mapping::Kind;
use rebone::{Recipe, Role, Warning};
use serde::Serialize;
use std::path::Path;

/// Below this a person should look at a slot.
const SURE: f32 = 0.8;

/// Runs the command.
pub(crate) fn run(arguments: &Map) -> Result<Outcome, Failure> {
    match &arguments.target {
        None => one(arguments),
        Some(target) => two(arguments, target),
    }
}

fn one(arguments: &Map) -> Result<Outcome, Failure> {
    let wanted = Wanted {
        skeleton: arguments.skeleton.as_deref(),
        ..Wanted::new(Role::Target)
    };
    let loaded = session::load(&arguments.source, &wanted)?;
    let warnings = session::distinct(&loaded.rig.warnings);
    if arguments.json {
        console::document(&map_json(&loaded, &warnings))?;
    } else {
        console::data(&map_text(&loaded))?;
        console::warnings("", &without_unit(&warnings));
    }
    Ok(Outcome::Done)
}

#[derive(Serialize)]
struct PairJson<'a> {
    source: MapJson<'a>,
    target: MapJson<'a>,
    links: Vec<LinkJson<'a>>,
    warnings: Vec<WarningJson<'a>>,
}

fn two(arguments: &Map, target_path: &Path) -> Result<Outcome, Failure> {
    let mut outputs = Outputs::new([arguments.source.as_path(), target_path]);
    if let Some(path) = &arguments.output {
        outputs.announce(path)?;
    }
    let source_wanted = Wanted {
        skeleton: arguments.skeleton.as_deref(),
        ..Wanted::new(Role::Source)
    };
    let target_wanted = Wanted {
        skeleton: arguments.target_skeleton.as_deref(),
        ..Wanted::new(Role::Target)
    };
    let (source, target) = session::load_pair(
        (&arguments.source, &source_wanted),
        (target_path, &target_wanted),
    )?;
    let links = links(&source.rig.map, &target.rig.map);
    let mut warnings = Vec::new();
    if links.is_empty() {
        warnings.push(Warning::new(
            "no-links",
            "no slot was found on both sides",
            "name the joints in a recipe (-o RECIPE writes one to start from)",
        ));
    }
    if let Some(path) = &arguments.output {
        let text = Recipe::default().to_text(
            (&source.rig.character, &source.rig.map),
            (&target.rig.character, &target.rig.map),
        );
        outputs.stage(path, text.as_bytes())?;
    }
    let source_warnings = session::distinct(&source.rig.warnings);
    let target_warnings = session::distinct(&target.rig.warnings);
    let skeletons = (
        &source.rig.character.skeleton,
        &target.rig.character.skeleton,
    );
    let shaped: Vec<LinkJson<'_>> = links
        .iter()
        .map(|link| json::link(link, &source.rig.map, skeletons.0, skeletons.1))
        .collect();
    outputs.commit()?;
    if arguments.json {
        console::document(&PairJson {
            source: map_json(&source, &source_warnings),
            target: map_json(&target, &target_warnings),
            links: shaped,
            warnings: json::warnings(&warnings),
        })?;
        return Ok(Outcome::Done);
    }
    let mut table = Table::new(&[
        ("SLOT", Align::Left),
        ("SOURCE", Align::Left),
        ("TARGET", Align::Left),
    ]);
    for link in &shaped {
        table.row(link.cells());
    }
    let mut text = format!("source {}\ntarget {}\n", head(&source), head(&target));
    if !links.is_empty() {
        text.push_str(&table.text(0));
    }
    let linked: [Vec<usize>; 2] = [
        links.iter().flat_map(|link| link.source.clone()).collect(),
        links.iter().flat_map(|link| link.target.clone()).collect(),
    ];
    for (side, loaded, linked) in [
        ("source", &source, &linked[0]),
        ("target", &target, &linked[1]),
    ] {
        let names = slots_without(loaded, linked);
        if !names.is_empty() {
            text.push_str(&format!("only in the {side}: {}\n", some_of(&names, 12)));
        }
    }
    if let Some(path) = &arguments.output {
        text.push_str(&format!("wrote {}\n", path.display()));
    }
    console::data(&text)?;
    console::warnings("source", &without_unit(&source_warnings));
    console::warnings("target", &without_unit(&target_warnings));
    console::warnings("", &warnings);
    Ok(Outcome::Done)
}

/// Names of the slots none of whose joints is among `linked`.
fn slots_without(loaded: &Loaded, linked: &[usize]) -> Vec<String> {
    let map = &loaded.rig.map;
    map.slots
        .iter()
        .filter(|(_, found)| !found.joints.iter().any(|joint| linked.contains(joint)))
        .map(|(slot, _)| json::slot_name(map, *slot).to_owned())
        .collect()
}

fn map_json<'a>(loaded: &'a Loaded, warnings: &'a [Warning]) -> MapJson<'a> {
    json::map(
        loaded.input.path.display().to_string(),
        &loaded.rig.character.skeleton,
        &loaded.rig.map,
        warnings,
    )
}

/// `hero.vrm: humanoid, vrm-1 names, 97 % sure`.
fn head(loaded: &Loaded) -> String {
    let map = &loaded.rig.map;
    let name = loaded.input.path.display();
    if map.kind == Kind::Other && map.slots.is_empty() {
        return format!("{name}: not recognised as a humanoid");
    }
    format!(
        "{name}: {}, {}, {}, {:.0} % sure",
        map.kind.name(),
        summary::naming(map),
        count(map.slots.len(), "slot"),
        100.0 * map.confidence
    )
}

fn map_text(loaded: &Loaded) -> String {
    let (map, skeleton) = (&loaded.rig.map, &loaded.rig.character.skeleton);
    let mut text = head(loaded);
    text.push('\n');
    if !map.slots.is_empty() {
        let mut table = Table::new(&[
            ("SLOT", Align::Left),
            ("JOINTS", Align::Left),
            ("SURE", Align::Right),
            ("BY", Align::Left),
        ]);
        for (slot, found) in &map.slots {
            let doubt = if found.confidence < SURE {
                "  <- please check"
            } else {
                ""
            };
            table.row(vec![
                json::slot_name(map, *slot).to_owned(),
                json::names(skeleton, &found.joints).join(" > "),
                format!("{:.0} %", 100.0 * found.confidence),
                format!("{}{doubt}", found.evidence),
            ]);
        }
        text.push_str(&table.text(0));
    }
    let unmapped: Vec<String> = json::names(skeleton, &map.unmapped)
        .into_iter()
        .map(str::to_owned)
        .collect();
    if !unmapped.is_empty() {
        text.push_str(&format!(
            "{} in no slot: {}\n",
            count(unmapped.len(), "joint"),
            some_of(&unmapped, 12)
        ));
    }
    text
}

/// The unit does not matter for a map.
fn without_unit(warnings: &[Warning]) -> Vec<Warning> {
    let matters = |warning: &&Warning| warning.code != "unit-guessed";
    warnings.iter().filter(matters).cloned().collect()
}
