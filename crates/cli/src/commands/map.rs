//! `rebone map`: which joint is which slot.

use super::map_text::{doubt_of, head, is_creature, joints_remark, map_text};
use crate::Outcome;
use crate::arguments::Map;
use crate::choices::Choices;
use crate::console;
use crate::failure::Failure;
use crate::json::{self, HandLinkJson, LinkJson, MapJson, WarningJson};
use crate::outputs::Outputs;
use crate::session::{self, Loaded};
use crate::table::{Align, Table, some_of};
use crate::values;
use rebone::model::Skeleton;
use rebone::opening::Opening;
use rebone::pairing::links_by_hand;
use rebone::setup::by_hand::HandLinks;
use rebone::setup::chains::Chains;
use rebone::setup::foreign::{self, Tool};
use rebone::setup::links::{Link, links};
use rebone::setup::mapping::{Kind, profile_text};
use rebone::setup::recipe::Described;
use rebone::{Recipe, Remedy, Role, Warning};
use serde::Serialize;
use std::path::Path;

/// Runs the command.
pub(crate) fn run(arguments: &Map) -> Result<Outcome, Failure> {
    match &arguments.target {
        None => one(arguments),
        Some(target) => two(arguments, target),
    }
}

fn one(arguments: &Map) -> Result<Outcome, Failure> {
    let mut outputs = Outputs::new([arguments.source.as_path()]);
    for path in [&arguments.output, &arguments.save_profile]
        .into_iter()
        .flatten()
    {
        outputs.announce(path)?;
    }
    let choices = choices(arguments)?;
    let wanted = Opening {
        skeleton: arguments.skeleton.as_deref(),
        profile: values::profile(choices.recipe.profile.as_deref())?,
        ..Opening::new(Role::Target)
    };
    let mut loaded = session::load(&arguments.source, &wanted)?;
    let mut own = Vec::new();
    if arguments.recipe.is_some() {
        let (recipe, warnings) = choices.for_one(&loaded);
        loaded = choices.with_slots(loaded, &recipe.target)?;
        own = warnings;
    }
    if let Some(path) = &arguments.output {
        let Some(tool) = tool_of(arguments, path)? else {
            return Err(Failure::at(
                path,
                "a recipe is about a source and a target, but there is only one file",
                "give a target, or name the tool whose map is to be written (--as unity, --as godot, ...)",
            ));
        };
        let rig = (&loaded.rig.character, &loaded.rig.map);
        let written = foreign::write(tool, None, rig, &HandLinks::default())
            .map_err(|error| Failure::in_file(path, error))?;
        own.extend(written.warnings);
        outputs.stage(path, written.text.as_bytes())?;
    }
    save_profile(arguments, &loaded, &mut outputs)?;
    let mut warnings = session::distinct(&loaded.rig.warnings);
    warnings.extend(own);
    outputs.commit(|| {
        if console::wants_json() {
            return console::document(&map_json(&loaded, &warnings));
        }
        let mut text = map_text(&loaded);
        if let Some(path) = &arguments.output {
            text.push_str(&format!("wrote {}\n", path.display()));
        }
        console::data(&text)?;
        console::warnings("", &that_matter(&loaded, &warnings));
        Ok(())
    })?;
    Ok(Outcome::Done)
}

/// What a person has chosen: the file's choices with those of the command line on top.
fn choices(arguments: &Map) -> Result<Choices, Failure> {
    let mut choices = Choices::open(arguments.recipe.as_deref())?;
    let own = &mut choices.recipe;
    own.profile = arguments.profile.clone().or(own.profile.take());
    own.across_kinds |= arguments.across_kinds;
    Ok(choices)
}

/// The tool whose map goes into a file; `None` for a recipe.
fn tool_of(arguments: &Map, path: &Path) -> Result<Option<Tool>, Failure> {
    if arguments.tool.is_some() {
        return Ok(arguments.tool);
    }
    let extension = path.extension().unwrap_or_default();
    let extension = extension.to_string_lossy().to_lowercase();
    if ["json", "py"].contains(&extension.as_str()) {
        return Err(Failure::at(
            path,
            format_args!("several tools have maps named *.{extension}"),
            "name the tool: --as unreal, --as keemap, ...; a recipe is named *.toml",
        ));
    }
    Ok(Tool::of_extension(&extension))
}

#[derive(Serialize)]
struct PairJson<'a> {
    source: MapJson<'a>,
    target: MapJson<'a>,
    links: Vec<LinkJson<'a>>,
    by_hand: Vec<HandLinkJson<'a>>,
    warnings: Vec<WarningJson<'a>>,
}

/// Two rigs, and what goes together.
struct Pair {
    source: Loaded,
    target: Loaded,
    recipe: Recipe,
    links: Vec<Link>,
    by_hand: HandLinks,
    /// Doubts about the pair.
    warnings: Vec<Warning>,
}

fn two(arguments: &Map, target_path: &Path) -> Result<Outcome, Failure> {
    let mut outputs = Outputs::new([arguments.source.as_path(), target_path]);
    for path in [&arguments.output, &arguments.save_profile]
        .into_iter()
        .flatten()
    {
        outputs.announce(path)?;
    }
    let mut pair = Pair::open(arguments, target_path)?;
    if let Some(path) = &arguments.output {
        let text = pair.written(arguments, path)?;
        outputs.stage(path, text.as_bytes())?;
    }
    let Pair { source, target, .. } = &pair;
    save_profile(arguments, source, &mut outputs)?;
    let source_warnings = session::distinct(&source.rig.warnings);
    let target_warnings = session::distinct(&target.rig.warnings);
    if console::wants_json() {
        let document = PairJson {
            source: map_json(source, &source_warnings),
            target: map_json(target, &target_warnings),
            links: pair.links_json(),
            by_hand: pair.by_hand_json(),
            warnings: json::warnings(&pair.warnings),
        };
        outputs.commit(|| console::document(&document))?;
        return Ok(Outcome::Done);
    }
    let mut text = pair.text();
    if let Some(path) = &arguments.output {
        text.push_str(&format!("wrote {}\n", path.display()));
    }
    outputs.commit(|| console::data(&text))?;
    console::warnings("source", &that_matter(source, &source_warnings));
    console::warnings("target", &that_matter(target, &target_warnings));
    console::warnings("", &pair.warnings);
    Ok(Outcome::Done)
}

impl Pair {
    fn open(arguments: &Map, target_path: &Path) -> Result<Self, Failure> {
        let choices = choices(arguments)?;
        let profile = values::profile(choices.recipe.profile.as_deref())?;
        let source_wanted = Opening {
            skeleton: arguments.skeleton.as_deref(),
            profile,
            ..Opening::new(Role::Source)
        };
        let target_wanted = Opening {
            skeleton: arguments.target_skeleton.as_deref(),
            profile,
            ..Opening::new(Role::Target)
        };
        let (mut source, mut target) = session::load_pair(
            (&arguments.source, &source_wanted),
            (target_path, &target_wanted),
        )?;
        let (recipe, mut warnings) = choices.for_pair(&source, &target);
        if arguments.recipe.is_some() {
            source = choices.with_slots(source, &recipe.source)?;
            target = choices.with_slots(target, &recipe.target)?;
        }
        let asked = arguments.recipe.as_deref().unwrap_or(target_path);
        let by_hand = links_by_hand(&source.rig, &target.rig, &recipe)
            .map_err(|error| Failure::in_file(asked, error))?;
        // Without being asked for there are no chains between kinds, and the warning below says so.
        let clips: Vec<_> = source.rig.character.clips.iter().collect();
        let chains = Chains::between_bodies(
            &source.rig.aligned(),
            &target.rig.aligned(),
            &clips,
            recipe.chains().as_ref(),
        );
        let differ = chains.as_ref().err().map(rebone::setup::Error::remedy);
        let (source_map, target_map) = (&source.rig.map, &target.rig.map);
        let in_target_words = chains
            .unwrap_or_else(|_| Some(Chains::none(source_map, target_map)))
            .map_or_else(|| source_map.clone(), |chains| chains.map(source_map));
        let links = links(&in_target_words, target_map);
        if links.is_empty() && by_hand.pairs.is_empty() {
            let has_creature = is_creature(&source) || is_creature(&target);
            warnings.push(Warning::new(
                "no-links",
                "no slot was found on both sides",
                without_links(has_creature, differ),
            ));
        }
        Ok(Self {
            source,
            target,
            recipe,
            links,
            by_hand,
            warnings,
        })
    }

    /// The recipe or the map of another tool that goes into a file; adds what that cannot say to the warnings.
    fn written(&mut self, arguments: &Map, path: &Path) -> Result<String, Failure> {
        let [from, to] = [&self.source.rig, &self.target.rig];
        if let Some(tool) = tool_of(arguments, path)? {
            let source = Some((&from.character, &from.map));
            let target = (&to.character, &to.map);
            let written = foreign::write(tool, source, target, &self.by_hand)
                .map_err(|error| Failure::in_file(path, error))?;
            self.warnings.extend(written.warnings);
            return Ok(written.text);
        }
        let [from, to] =
            [from, to].map(|rig| Described::aligned(&rig.character, &rig.map, &rig.alignment));
        let text = self.recipe.to_text(from, to);
        let mut text = text.map_err(|error| Failure::in_file(path, error))?;
        for (side, loaded) in [("source", &self.source), ("target", &self.target)] {
            if loaded.rig.map.kind == Kind::Other {
                text.push_str(&joints_remark(side, loaded));
            }
        }
        Ok(text)
    }

    fn skeletons(&self) -> [&Skeleton; 2] {
        [&self.source, &self.target].map(|loaded| &loaded.rig.character.skeleton)
    }

    fn links_json(&self) -> Vec<LinkJson<'_>> {
        let [source, target] = self.skeletons();
        let map = &self.target.rig.map;
        let links = self.links.iter();
        links
            .map(|link| json::link(link, map, source, target))
            .collect()
    }

    fn by_hand_json(&self) -> Vec<HandLinkJson<'_>> {
        let [source, target] = self.skeletons();
        json::by_hand(&self.by_hand, source, target)
    }

    fn text(&self) -> String {
        let Self { source, target, .. } = self;
        let mut text = format!("source {}\ntarget {}\n", head(source), head(target));
        let own = self.by_hand_json();
        if !self.links.is_empty() || !own.is_empty() {
            text.push_str(&self.table(&own).text(0));
        }
        for (side, loaded, joints_of) in [
            (
                "source",
                source,
                (|link| &link.source) as fn(&Link) -> &Vec<usize>,
            ),
            ("target", target, |link| &link.target),
        ] {
            let linked: Vec<usize> = self.links.iter().flat_map(joints_of).copied().collect();
            let names = slots_without(loaded, &linked);
            if !names.is_empty() {
                text.push_str(&format!("only in the {side}: {}\n", some_of(&names, 12)));
            }
        }
        text
    }

    fn table(&self, by_hand: &[HandLinkJson<'_>]) -> Table {
        let mut table = Table::new(&[
            ("SLOT", Align::Left),
            ("SOURCE", Align::Left),
            ("TARGET", Align::Left),
            ("", Align::Left),
        ]);
        for (link, cells) in self.links.iter().zip(self.links_json()) {
            let doubts = [
                ("source", doubt_of(&self.source, &link.source)),
                ("target", doubt_of(&self.target, &link.target)),
            ];
            let doubts: Vec<String> = doubts
                .into_iter()
                .filter_map(|(side, doubt)| Some(format!("{side} {}", doubt?)))
                .collect();
            let mut row = cells.cells();
            if !doubts.is_empty() {
                row.push(format!("<- please check: {}", doubts.join("; ")));
            }
            table.row(row);
        }
        for link in by_hand {
            table.row(vec![
                "by hand".to_owned(),
                link.source.unwrap_or("nothing").to_owned(),
                link.target.to_owned(),
            ]);
        }
        table
    }
}

/// What to do where nothing goes together; `differ` is what helps bodies of different kinds.
fn without_links(has_creature: bool, differ: Option<Remedy>) -> Remedy {
    match differ {
        _ if has_creature => {
            "link their joints by hand ([links] in a recipe; -o RECIPE writes one to start from)"
                .into()
        }
        Some(differ) => Remedy {
            text: format!("they are of different kinds; {}", differ.text),
            ..differ
        },
        None => "name the joints in a recipe (-o RECIPE writes one to start from)".into(),
    }
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

/// The unit does not matter for a map, and what slots would help with not where none can be given.
fn that_matter(loaded: &Loaded, warnings: &[Warning]) -> Vec<Warning> {
    let matters = |warning: &&Warning| match warning.code {
        "unit-guessed" => false,
        "body-frame-unknown" => !is_creature(loaded),
        _ => true,
    };
    warnings.iter().filter(matters).cloned().collect()
}
