//! `rebone map`: which joint is which slot.

use crate::Outcome;
use crate::arguments::Map;
use crate::console;
use crate::failure::Failure;
use crate::files::Outputs;
use crate::json::{self, LinkJson, MapJson, WarningJson};
use crate::session::{self, Loaded, Wanted};
use crate::settings;
use crate::summary;
use crate::table::{Align, Table, count, some_of};
use rebone::core::chains::Chains;
use rebone::core::links::links;
use rebone::core::mapping::{Kind, profile_text};
use rebone::model::JointKind;
use rebone::{Recipe, Role, Warning};
use serde::Serialize;
use std::path::Path;

/// Below this a person should look at a slot.
const SURE: f32 = 0.8;

/// Levels of joints that are set in.
const DEEPEST_INDENT: usize = 20;

/// Runs the command.
pub(crate) fn run(arguments: &Map) -> Result<Outcome, Failure> {
    match &arguments.target {
        None => one(arguments),
        Some(target) => two(arguments, target),
    }
}

fn one(arguments: &Map) -> Result<Outcome, Failure> {
    let mut outputs = Outputs::new([arguments.source.as_path()]);
    if let Some(path) = &arguments.save_profile {
        outputs.announce(path)?;
    }
    let wanted = Wanted {
        skeleton: arguments.skeleton.as_deref(),
        profile: settings::profile(arguments.profile.as_deref())?,
        ..Wanted::new(Role::Target)
    };
    let loaded = session::load(&arguments.source, &wanted)?;
    save_profile(arguments, &loaded, &mut outputs)?;
    outputs.commit()?;
    let warnings = session::distinct(&loaded.rig.warnings);
    if arguments.json {
        console::document(&map_json(&loaded, &warnings))?;
    } else {
        console::data(&map_text(&loaded))?;
        console::warnings("", &that_matter(&loaded, &warnings));
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
    for path in [&arguments.output, &arguments.save_profile]
        .into_iter()
        .flatten()
    {
        outputs.announce(path)?;
    }
    let profile = settings::profile(arguments.profile.as_deref())?;
    let source_wanted = Wanted {
        skeleton: arguments.skeleton.as_deref(),
        profile,
        ..Wanted::new(Role::Source)
    };
    let target_wanted = Wanted {
        skeleton: arguments.target_skeleton.as_deref(),
        profile,
        ..Wanted::new(Role::Target)
    };
    let (source, target) = session::load_pair(
        (&arguments.source, &source_wanted),
        (target_path, &target_wanted),
    )?;
    let recipe = Recipe {
        across_kinds: arguments.across_kinds,
        ..Recipe::default()
    };
    let (source_map, target_map) = (&source.rig.map, &target.rig.map);
    // Without being asked for there are none, and the warning below says so.
    let chains = Chains::between(source_map, target_map, recipe.chains().as_ref());
    let kinds_differ = chains.is_err();
    let in_target_words = chains
        .ok()
        .flatten()
        .map_or_else(|| source_map.clone(), |chains| chains.map(source_map));
    let links = links(&in_target_words, target_map);
    let mut warnings = Vec::new();
    if links.is_empty() {
        let hint = if kinds_differ && !is_creature(&source) && !is_creature(&target) {
            "they are of different kinds; --across-kinds carries arms to front legs and legs to hind legs"
        } else {
            "name the joints in a recipe (-o RECIPE writes one to start from)"
        };
        warnings.push(Warning::new(
            "no-links",
            "no slot was found on both sides",
            hint,
        ));
    }
    if let Some(path) = &arguments.output {
        let mut text = recipe.to_text(
            (&source.rig.character, &source.rig.map),
            (&target.rig.character, &target.rig.map),
        );
        for (side, loaded) in [("source", &source), ("target", &target)] {
            if loaded.rig.map.kind == Kind::Other {
                text.push_str(&joints_remark(side, loaded));
            }
        }
        outputs.stage(path, text.as_bytes())?;
    }
    save_profile(arguments, &source, &mut outputs)?;
    let source_warnings = session::distinct(&source.rig.warnings);
    let target_warnings = session::distinct(&target.rig.warnings);
    let skeletons = (
        &source.rig.character.skeleton,
        &target.rig.character.skeleton,
    );
    let shaped: Vec<LinkJson<'_>> = links
        .iter()
        .map(|link| json::link(link, target_map, skeletons.0, skeletons.1))
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
    console::warnings("source", &that_matter(&source, &source_warnings));
    console::warnings("target", &that_matter(&target, &target_warnings));
    console::warnings("", &warnings);
    Ok(Outcome::Done)
}

/// Stages the profile of a rig where it is asked for.
fn save_profile(arguments: &Map, loaded: &Loaded, outputs: &mut Outputs) -> Result<(), Failure> {
    let Some(path) = &arguments.save_profile else {
        return Ok(());
    };
    let text = profile_text(&loaded.rig.character, &loaded.rig.map);
    outputs.stage(path, text.as_bytes())
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
    if is_creature(loaded) {
        return format!("{name}: recognised neither as a humanoid nor as a four-legged animal");
    }
    format!(
        "{name}: {}, {}, {}, {:.0} % sure",
        summary::kind(map),
        summary::naming(map),
        count(map.slots.len(), "slot"),
        100.0 * map.confidence
    )
}

/// Of no known kind, by all that was found.
fn is_creature(loaded: &Loaded) -> bool {
    loaded.rig.map.kind == Kind::Other && loaded.rig.map.slots.is_empty()
}

/// The joints of a rig as comments of a recipe, from which a person can fill the slots.
fn joints_remark(side: &str, loaded: &Loaded) -> String {
    let skeleton = &loaded.rig.character.skeleton;
    let mut text = format!(
        "\n# The {side} was not recognised as a humanoid. If it is one, give its joints to the slots\n\
         # (hips, spine, head, leftUpperArm, leftUpperLeg, ...) in [{side}.slots] above. Its joints:\n"
    );
    let mut depths: Vec<usize> = Vec::with_capacity(skeleton.len());
    for (index, joint) in skeleton.joints().iter().enumerate() {
        let depth = match joint
            .parent
            .and_then(|parent| Some((parent, depths.get(parent)?)))
        {
            Some((parent, depth)) => {
                depth + usize::from(skeleton.joints()[parent].kind == JointKind::Joint)
            }
            None => 0,
        };
        depths.push(depth);
        if joint.kind == JointKind::Joint {
            // Quoted, so that no name can end the comment.
            text.push_str(&format!(
                "# {}{}\n",
                "  ".repeat(depth.min(DEEPEST_INDENT)),
                serde_json::Value::from(skeleton.unique_name(index))
            ));
        }
    }
    text
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

/// The unit does not matter for a map, and what slots would help with not where none can be given.
fn that_matter(loaded: &Loaded, warnings: &[Warning]) -> Vec<Warning> {
    let matters = |warning: &&Warning| match warning.code {
        "unit-guessed" => false,
        "body-frame-unknown" => !is_creature(loaded),
        _ => true,
    };
    warnings.iter().filter(matters).cloned().collect()
}
