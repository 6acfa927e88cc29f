//! `rebone align`: the retarget pose, slot by slot, and why.

use crate::Outcome;
use crate::arguments::Align as Arguments;
use crate::choices::Choices;
use crate::console;
use crate::failure::Failure;
use crate::json::{self, WarningJson};
use crate::session::{self, Loaded};
use crate::table::{Align, Table, count};
use crate::values;
use rebone::opening::Opening;
use rebone::pose_json::{self, PoseJson, deserves_a_look, is_nothing};
use rebone::setup::align::{Alignment, Found, doubts};
use rebone::setup::profile::Stance;
use rebone::{Recipe, Role, Warning, retarget_poses};
use serde::Serialize;

/// Below this a pose is hardly one of a standing person.
const PLAUSIBLE: f64 = 0.5;

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Failure> {
    let choices = Choices::open(arguments.recipe.as_deref())?;
    let profile = values::profile(choices.recipe.profile.as_deref())?;
    let wanted = |role, skeleton| Opening {
        skeleton,
        profile,
        ..Opening::new(role)
    };
    let skeleton = arguments.skeleton.as_deref();
    let Some(path) = &arguments.other else {
        let loaded = session::load(&arguments.file, &wanted(Role::Target, skeleton))?;
        let (recipe, doubts) = choices.for_one(&loaded);
        let loaded = choices.with_slots(loaded, &recipe.target)?;
        // A pair of twice the same rig, of which the first is as it was found.
        let mut alone = Recipe::default();
        alone.target = recipe.target;
        let [_, pose] = retarget_poses(&loaded.rig, &loaded.rig, &alone)
            .map_err(|error| choices.failure(&arguments.file, error))?;
        return told(&[Side { loaded, pose }], &doubts);
    };
    let (source, target) = session::load_pair(
        (&arguments.file, &wanted(Role::Source, skeleton)),
        (
            path,
            &wanted(Role::Target, arguments.target_skeleton.as_deref()),
        ),
    )?;
    let (recipe, doubts) = choices.for_pair(&source, &target);
    let source = choices.with_slots(source, &recipe.source)?;
    let target = choices.with_slots(target, &recipe.target)?;
    let [from, to] = retarget_poses(&source.rig, &target.rig, &recipe)
        .map_err(|error| choices.failure(path, error))?;
    let source = Side {
        loaded: source,
        pose: from,
    };
    let target = Side {
        loaded: target,
        pose: to,
    };
    told(&[source, target], &doubts)
}

/// A rig with its retarget pose.
struct Side {
    loaded: Loaded,
    pose: Alignment,
}

/// `doubts` are about the recipe.
fn told(sides: &[Side], doubts: &[Warning]) -> Result<Outcome, Failure> {
    let mut warnings: Vec<Vec<Warning>> = sides.iter().map(Side::warnings).collect();
    if console::wants_json() {
        if let Some(last) = warnings.last_mut() {
            last.extend_from_slice(doubts);
        }
        let files = sides.iter().zip(&warnings);
        console::document(&AlignJson {
            files: files.map(|(side, warnings)| side.json(warnings)).collect(),
        })?;
        return Ok(Outcome::Done);
    }
    let texts: Vec<String> = sides.iter().map(Side::text).collect();
    console::data(&texts.join("\n"))?;
    for (index, warnings) in warnings.iter().enumerate() {
        let about = match (sides.len(), index) {
            (1, _) => "",
            (_, 0) => "source",
            _ => "target",
        };
        console::warnings(about, warnings);
    }
    console::warnings("", doubts);
    Ok(Outcome::Done)
}

impl Side {
    /// What was found about map and pose, and what else deserves a look. The unit does not matter for a pose.
    fn warnings(&self) -> Vec<Warning> {
        let rig = &self.loaded.rig;
        let mut all: Vec<Warning> = rig.warnings.clone();
        all.retain(|warning| !warning.code.starts_with("unit"));
        all.extend(doubts(&rig.character, &rig.map, &self.pose));
        session::distinct(&all)
    }

    fn json<'a>(&'a self, warnings: &'a [Warning]) -> FileJson<'a> {
        let rig = &self.loaded.rig;
        FileJson {
            file: self.loaded.input.path.display().to_string(),
            pose: pose_json::pose(rig, &rig.map, &self.pose),
            warnings: json::warnings(warnings),
        }
    }

    fn text(&self) -> String {
        let rig = &self.loaded.rig;
        let pose = &self.pose;
        let likeness = format!(
            "{:.0} % like {}{}",
            100.0 * pose.plausibility,
            stance(rig.map.profile.stance),
            mark(pose.plausibility < PLAUSIBLE)
        );
        let body = format!("{} up, faces {}", rig.space.up, rig.space.forward);
        let mut text = format!("{}\n", self.loaded.input.path.display());
        for (what, words) in [
            ("pose", pose.explain_pose()),
            ("stands", likeness),
            ("body", body),
            ("measures", self.measures_in_words()),
        ] {
            text.push_str(&format!("  {what:<9} {words}\n"));
        }
        text + &self.slots_text()
    }

    fn measures_in_words(&self) -> String {
        let meters_per_unit = self.loaded.rig.space.meters_per_unit;
        let metres = |length: f64| format!("{:.2} m", length * meters_per_unit);
        let measures = &self.pose.measures;
        format!(
            "legs {}, hips {} wide, hips {} high, ankles {} ({}), head {}",
            metres(measures.leg),
            metres(measures.hip_width),
            metres(measures.hips_height),
            metres(measures.ankle_height),
            match measures.ankle_found {
                Found::Joints => "by joints",
                Found::Mesh => "by the skin",
                Found::Clip => "by the clips",
                Found::Table => "guessed",
            },
            metres(measures.head_height)
        )
    }

    /// A table of the slots that were corrected, and how many others there are.
    fn slots_text(&self) -> String {
        let mut table = Table::new(&[
            ("SLOT", Align::Left),
            ("JOINT", Align::Left),
            ("SWING", Align::Right),
            ("ROLL", Align::Right),
            ("BY", Align::Left),
        ]);
        let map = &self.loaded.rig.map;
        let (mut changed, mut kept) = (0, 0);
        for (&slot, reason) in &self.pose.reasons {
            let Some(joint) = map.joint(slot) else {
                continue;
            };
            if is_nothing(reason) {
                kept += 1;
                continue;
            }
            changed += 1;
            let needs_look = deserves_a_look(map.profile.info(slot).part, reason);
            let skeleton = &self.loaded.rig.character.skeleton;
            table.row(vec![
                json::slot_name(map, slot).to_owned(),
                skeleton.unique_name(joint).to_owned(),
                degrees(reason.swing_degrees),
                degrees(reason.roll_degrees),
                format!("{}{}", reason.evidence.describe(), mark(needs_look)),
            ]);
        }
        let mut text = String::new();
        if changed > 0 {
            text.push_str(&table.text(2));
        }
        if kept > 0 {
            let noun = if changed > 0 { "other slot" } else { "slot" };
            text.push_str(&format!(
                "  {} as in the {}\n",
                count(kept, noun),
                self.pose.pose_source.describe()
            ));
        }
        text
    }
}

/// Marks a value that a person should check.
fn mark(needs_look: bool) -> &'static str {
    if needs_look { "  <- please look" } else { "" }
}

/// What a body is compared with.
fn stance(stance: Stance) -> &'static str {
    match stance {
        Stance::Upright => "a person who stands, best with the arms out",
        Stance::FourLegged => "an animal on four legs",
        Stance::Free => "a body that is equal left and right",
    }
}

/// `-0.02` is no turn to the other side.
fn degrees(angle: f64) -> String {
    let rounded = (angle * 10.0).round() / 10.0;
    format!("{:.1}°", rounded + 0.0)
}

#[derive(Serialize)]
struct AlignJson<'a> {
    files: Vec<FileJson<'a>>,
}

#[derive(Serialize)]
struct FileJson<'a> {
    file: String,
    #[serde(flatten)]
    pose: PoseJson<'a>,
    warnings: Vec<WarningJson<'a>>,
}
