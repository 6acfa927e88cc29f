//! A source, a target and a recipe: what is changed, shown, judged and taken away.

use crate::command::command_line;
use crate::failure::Failure;
use crate::given;
use crate::json;
use crate::poses;
use crate::rig::{Opened, Rig, all_poses, space};
use crate::shapes::{self, MadeJson, ResultJson, SidesJson};
use crate::written::file;
use js_sys::Float32Array;
use rebone::choices::Choices;
use rebone::core::asset::write_asset;
use rebone::core::by_hand::HandLinks;
use rebone::core::chains::Chains;
use rebone::core::links::links;
use rebone::core::mapping::ProfileChoice;
use rebone::core::report::verdict;
use rebone::measuring::Comparison;
use rebone::model::clip::find_clip;
use rebone::retargeting::{RetargetedClip, links_by_hand, with_overrides};
use rebone::saving::{save, take_root_paths};
use rebone::{Clip, Recipe, Retarget, RigMap, Warning, doubts};
use rebone::{report_json, report_page};
use serde::Serialize;
use std::rc::Rc;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// A side of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Source,
    Target,
}

fn side(name: &str) -> Result<Side, Failure> {
    match name {
        "source" => Ok(Side::Source),
        "target" => Ok(Side::Target),
        _ => Err(Failure::request(
            format!("\"{name}\" is no side of a pair"),
            "use source or target",
        )),
    }
}

/// What the last retarget has made.
#[derive(Debug)]
struct Done {
    retarget: Retarget,
    /// For each result its clip of the source.
    from: Vec<usize>,
    /// The results as they are written: without what no format has a place for.
    clips: Vec<Clip>,
}

/// A source, a target and a recipe. Changing the recipe throws the last result away; [`retarget`](Session::retarget) makes a new one.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Session {
    source: Rc<Opened>,
    target: Rc<Opened>,
    /// Mapped by the recipe's profile where it names one.
    rigs: [Option<rebone::Rig>; 2],
    choices: Choices,
    recipe: Recipe,
    /// Doubts about the recipe.
    doubts: Vec<Warning>,
    done: Option<Done>,
}

#[derive(Serialize)]
struct PairMapJson<'a> {
    source: rebone::json::MapJson<'a>,
    target: rebone::json::MapJson<'a>,
    links: Vec<rebone::json::LinkJson<'a>>,
    by_hand: Vec<rebone::json::HandLinkJson<'a>>,
}

#[derive(Serialize)]
struct PosesJson<'a> {
    source: rebone::pose_json::PoseJson<'a>,
    target: rebone::pose_json::PoseJson<'a>,
}

#[wasm_bindgen]
impl Session {
    /// Begins with an empty recipe: everything is found or takes its default.
    #[wasm_bindgen(constructor)]
    pub fn new(source: &Rig, target: &Rig) -> Session {
        Session {
            source: Rc::clone(&source.opened),
            target: Rc::clone(&target.opened),
            rigs: [None, None],
            choices: Choices::default(),
            recipe: Recipe::default(),
            doubts: Vec::new(),
            done: None,
        }
    }

    /// Takes another recipe: TOML or JSON, or the map of another tool. An empty text is an empty recipe.
    ///
    /// Throws where it is wrong; the session then keeps the old one.
    #[wasm_bindgen(js_name = setRecipe)]
    pub fn set_recipe(&mut self, text: &str) -> Result<(), JsValue> {
        Ok(self.take_recipe(text)?)
    }

    /// The recipe as TOML, with every joint that was found, to be edited or saved.
    pub fn recipe(&self) -> Result<String, JsValue> {
        let text = self
            .choices
            .text(self.rig(Side::Source), self.rig(Side::Target));
        Ok(text.map_err(Failure::from)?)
    }

    /// The slots of both sides with the recipe's joints, and which joint follows which.
    #[wasm_bindgen(unchecked_return_type = "PairMap")]
    pub fn map(&self) -> Result<JsValue, JsValue> {
        Ok(self.mapped()?)
    }

    /// The poses in which both look alike: where they are from, and how far each joint was turned for it.
    #[wasm_bindgen(unchecked_return_type = "PairPoses")]
    pub fn align(&self) -> Result<JsValue, JsValue> {
        Ok(self.aligned()?)
    }

    /// The retarget pose of a side.
    #[wasm_bindgen(js_name = retargetPose)]
    pub fn retarget_pose(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Side")] of: &str,
        #[wasm_bindgen(unchecked_param_type = "PoseSpace")] relative_to: &str,
    ) -> Result<Float32Array, JsValue> {
        let (of, relative_to) = (side(of)?, space(relative_to)?);
        let [source, target] = self.alignments()?;
        let (rig, map) = (self.rig(of), self.overridden(of)?);
        let alignment = if of == Side::Source { source } else { target };
        let clip = rebone::retarget_pose_clip(rig, &map, &alignment);
        let skeleton = &rig.character.skeleton;
        let numbers = poses::pose_at(skeleton, Some(&clip), 0.0, relative_to);
        Ok(Float32Array::from(numbers.as_slice()))
    }

    /// Retargets clips of the source, all where none is named, and says how well it went.
    #[wasm_bindgen(unchecked_return_type = "RetargetResult")]
    pub fn retarget(
        &mut self,
        #[wasm_bindgen(unchecked_optional_param_type = "string[]")] clips: &JsValue,
    ) -> Result<JsValue, JsValue> {
        Ok(self.run(&given::names(clips, "clips")?)?)
    }

    /// The pose of a clip at a time in seconds: on the source's side one of its own clips, on the target's one that was made.
    pub fn pose(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Side")] of: &str,
        clip: &str,
        seconds: f32,
        #[wasm_bindgen(unchecked_param_type = "PoseSpace")] relative_to: &str,
    ) -> Result<Float32Array, JsValue> {
        let (of, relative_to) = (side(of)?, space(relative_to)?);
        let clip = self.clip(of, clip)?;
        let skeleton = &self.rig(of).character.skeleton;
        let numbers = poses::pose_at(skeleton, Some(clip), seconds, relative_to);
        Ok(Float32Array::from(numbers.as_slice()))
    }

    /// All poses of a clip at a rate, frame after frame.
    pub fn poses(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Side")] of: &str,
        clip: &str,
        rate_hz: f64,
        #[wasm_bindgen(unchecked_param_type = "PoseSpace")] relative_to: &str,
    ) -> Result<Float32Array, JsValue> {
        let (of, relative_to) = (side(of)?, space(relative_to)?);
        Ok(all_poses(
            self.rig(of),
            self.clip(of, clip)?,
            rate_hz,
            relative_to,
        )?)
    }

    /// The figures of a clip that was made, of every frame, with contacts and bad moments.
    #[wasm_bindgen(unchecked_return_type = "Report")]
    pub fn report(&self, clip: &str) -> Result<JsValue, JsValue> {
        let (index, _) = self.made(clip)?;
        let done = self.done()?;
        let report = self.measured(done, index);
        Ok(json::value(&report_json::report(
            &report,
            &self.rig(Side::Target).map,
        ))?)
    }

    /// What the figures of a clip are made of, over time, to be plotted.
    #[wasm_bindgen(unchecked_return_type = "Series")]
    pub fn series(&self, clip: &str) -> Result<JsValue, JsValue> {
        let (index, made) = self.made(clip)?;
        let done = self.done()?;
        let measured = made.measured.as_ref().unwrap_or(&made.clip);
        let source = self.source_clip(done, index);
        let series = self
            .comparison(done)
            .series_noted(source, measured, &made.notes);
        Ok(json::value(&shapes::series(
            &series,
            &self.rig(Side::Target).map,
        ))?)
    }

    /// The report as one page without scripts from elsewhere: plots, pictures, figures.
    #[wasm_bindgen(js_name = reportPage)]
    pub fn report_page(&self) -> Result<String, JsValue> {
        Ok(self.page()?)
    }

    /// A file with the clips that were made. Within one family of formats everything else in the target's file is kept to the byte.
    #[wasm_bindgen(unchecked_return_type = "WrittenFile")]
    pub fn write(
        &self,
        #[wasm_bindgen(unchecked_param_type = "WrittenFormat")] format: &str,
    ) -> Result<JsValue, JsValue> {
        let format = given::format(format)?;
        let done = self.done()?;
        let whole = self.target.whole(format)?;
        let rig = whole.as_ref().unwrap_or_else(|| self.rig(Side::Target));
        let resources = |name: &str| self.target.beside(name);
        let output = save(&self.target.bytes, &resources, rig, &done.clips, format);
        Ok(file(&output.map_err(Failure::from)?)?)
    }

    /// The compiled pair as a `.retarget` file, which runs on any clip of the source's rig.
    #[wasm_bindgen(js_name = writePlan, unchecked_return_type = "WrittenFile")]
    pub fn write_plan(
        &self,
        #[wasm_bindgen(unchecked_optional_param_type = "string[]")] clips: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let names = given::names(clips, "clips")?;
        let (source, target) = (self.rig(Side::Source), self.rig(Side::Target));
        let (asset, mut warnings) =
            rebone::compile_asset(source, target, &names, &self.recipe).map_err(Failure::from)?;
        warnings.extend(self.doubts.iter().cloned());
        let bytes = write_asset(&asset).map_err(Failure::from)?;
        Ok(file(&rebone::output::Output {
            bytes,
            warnings: doubts::distinct(&warnings),
        })?)
    }

    /// A GIF of the source beside the result. Characters have their meshes where they were opened with them.
    pub fn gif(
        &self,
        clip: &str,
        #[wasm_bindgen(unchecked_optional_param_type = "GifOptions")] options: &JsValue,
    ) -> Result<Vec<u8>, JsValue> {
        Ok(self.playback(clip, options)?)
    }

    /// The command that does the same: `recipe.toml` holds what [`recipe`](Session::recipe) says.
    #[wasm_bindgen(js_name = commandLine)]
    pub fn command_line(&self, output: &str) -> String {
        let clips: Vec<&str> = match &self.done {
            Some(done) if done.from.len() < self.rig(Side::Source).character.clips.len() => {
                let clips = &self.rig(Side::Source).character.clips;
                done.from
                    .iter()
                    .map(|&at| clips[at].name.as_str())
                    .collect()
            }
            _ => Vec::new(),
        };
        let names = [self.source.name.as_str(), self.target.name.as_str(), output];
        let has_recipe = self.recipe != Recipe::default() || self.choices.foreign.is_some();
        command_line(names, has_recipe.then_some("recipe.toml"), &clips)
    }
}

impl Session {
    fn opened(&self, side: Side) -> &Opened {
        match side {
            Side::Source => &self.source,
            Side::Target => &self.target,
        }
    }

    fn rig(&self, side: Side) -> &rebone::Rig {
        let own = &self.rigs[usize::from(side == Side::Target)];
        own.as_ref().unwrap_or(&self.opened(side).rig)
    }

    fn take_recipe(&mut self, text: &str) -> Result<(), Failure> {
        let choices = Choices::parse_any(text)?;
        let profile = match choices.recipe.profile.as_deref() {
            None => ProfileChoice::Auto,
            Some("humanoid") => ProfileChoice::Humanoid,
            Some("quadruped") => ProfileChoice::Quadruped,
            Some(other) => {
                return Err(Failure::request(
                    format!("the recipe names the profile \"{other}\", which is a file"),
                    "open both files with its text as their profile, and take it out of the recipe",
                ));
            }
        };
        let mapped = |opened: &Opened| {
            let is_own = profile == ProfileChoice::Auto || profile == opened.profile;
            (!is_own).then(|| opened.rig.clone().mapped_as(profile))
        };
        let before =
            std::mem::replace(&mut self.rigs, [mapped(&self.source), mapped(&self.target)]);
        let (recipe, doubts) = choices.for_pair(self.rig(Side::Source), self.rig(Side::Target));
        let check = |side: Side, own| with_overrides(self.rig(side), own).map(|_| ());
        let fits = check(Side::Source, &recipe.source).and(check(Side::Target, &recipe.target));
        if let Err(error) = fits {
            self.rigs = before;
            return Err(error.into());
        }
        self.choices = choices;
        self.recipe = recipe;
        self.doubts = doubts;
        self.done = None;
        Ok(())
    }

    fn overridden(&self, side: Side) -> Result<RigMap, Failure> {
        let own = match side {
            Side::Source => &self.recipe.source,
            Side::Target => &self.recipe.target,
        };
        Ok(with_overrides(self.rig(side), own)?)
    }

    fn mapped(&self) -> Result<JsValue, Failure> {
        let (source, target) = (self.rig(Side::Source), self.rig(Side::Target));
        let maps = [
            self.overridden(Side::Source)?,
            self.overridden(Side::Target)?,
        ];
        let chains = Chains::between(&maps[0], &maps[1], self.recipe.chains().as_ref());
        // Kinds that nobody asked to bring together share nothing.
        let found = chains
            .unwrap_or_else(|_| Some(Chains::none(&maps[0], &maps[1])))
            .map_or_else(|| maps[0].clone(), |chains| chains.map(&maps[0]));
        let found = links(&found, &maps[1]);
        let hand: HandLinks = links_by_hand(source, target, &self.recipe)?;
        let skeletons = [source, target].map(|rig| &rig.character.skeleton);
        let own = |opened: &Opened| opened.name.clone();
        json::value(&PairMapJson {
            source: rebone::json::map(own(&self.source), skeletons[0], &maps[0], &source.warnings),
            target: rebone::json::map(own(&self.target), skeletons[1], &maps[1], &target.warnings),
            links: found
                .iter()
                .map(|link| rebone::json::link(link, &maps[1], skeletons[0], skeletons[1]))
                .collect(),
            by_hand: rebone::json::by_hand(&hand, skeletons[0], skeletons[1]),
        })
    }

    fn alignments(&self) -> Result<[rebone::core::align::Alignment; 2], Failure> {
        let (source, target) = (self.rig(Side::Source), self.rig(Side::Target));
        Ok(rebone::retarget_poses(source, target, &self.recipe)?)
    }

    fn aligned(&self) -> Result<JsValue, Failure> {
        let [source, target] = self.alignments()?;
        let maps = [
            self.overridden(Side::Source)?,
            self.overridden(Side::Target)?,
        ];
        json::value(&PosesJson {
            source: rebone::pose_json::pose(self.rig(Side::Source), &maps[0], &source),
            target: rebone::pose_json::pose(self.rig(Side::Target), &maps[1], &target),
        })
    }

    fn run(&mut self, names: &[String]) -> Result<JsValue, Failure> {
        let (source, target) = (self.rig(Side::Source), self.rig(Side::Target));
        let chosen = source.clips(names)?;
        let all = &source.character.clips;
        let from: Vec<usize> = chosen
            .iter()
            .filter_map(|clip| all.iter().position(|own| std::ptr::eq(own, *clip)))
            .collect();
        let retarget = rebone::retarget(source, target, names, &self.recipe)?;
        let mut clips: Vec<Clip> = retarget
            .clips
            .iter()
            .map(|made| made.clip.clone())
            .collect();
        take_root_paths(&mut clips);
        let done = Done {
            retarget,
            from,
            clips,
        };
        let shown = self.result(&done);
        self.done = Some(done);
        shown
    }

    fn result(&self, done: &Done) -> Result<JsValue, Failure> {
        let (source, target) = (self.rig(Side::Source), self.rig(Side::Target));
        let [of_source, of_target, mut of_pair] =
            doubts::of_retarget(source, target, &done.retarget);
        of_pair.extend(self.doubts.iter().cloned());
        let made = done.retarget.clips.iter().map(|made| MadeJson {
            name: &made.clip.name,
            start: made.clip.time_span().0,
            seconds: made.clip.seconds(),
            frames: made.clip.frame_count(),
            verdict: verdict(&made.report).name(),
            report: report_json::report(&made.report, &target.map),
        });
        json::value(&ResultJson {
            clips: made.collect(),
            root_scale: done.retarget.compiled.root_scales.to_array().into(),
            warnings: SidesJson {
                source: rebone::json::warnings(&of_source),
                target: rebone::json::warnings(&of_target),
                pair: rebone::json::warnings(&of_pair),
            },
        })
    }

    fn done(&self) -> Result<&Done, Failure> {
        self.done.as_ref().ok_or_else(|| {
            Failure::request(
                "nothing was retargeted since the recipe was set",
                "call retarget() first",
            )
        })
    }

    /// A result by name, with its number.
    fn made(&self, name: &str) -> Result<(usize, &RetargetedClip), Failure> {
        let made = &self.done()?.retarget.clips;
        let found = made.iter().position(|made| made.clip.name == name);
        let index = found.ok_or_else(|| no_clip(name))?;
        Ok((index, &made[index]))
    }

    fn clip(&self, side: Side, name: &str) -> Result<&Clip, Failure> {
        match side {
            Side::Source => {
                let clips = &self.rig(side).character.clips;
                find_clip(clips, name).ok_or_else(|| no_clip(name))
            }
            Side::Target => Ok(&self.made(name)?.1.clip),
        }
    }

    fn source_clip(&self, done: &Done, index: usize) -> &Clip {
        &self.rig(Side::Source).character.clips[done.from[index]]
    }

    /// Measures in every frame: who asks for figures wants them all.
    fn comparison<'a>(&'a self, done: &'a Done) -> Comparison<'a> {
        let rigs = (self.rig(Side::Source), self.rig(Side::Target));
        let compiled = (&done.retarget.compiled, &done.retarget.target_map);
        let mut comparison = Comparison::new(rigs, compiled, &self.recipe);
        comparison.options.frames = Some(usize::MAX);
        comparison
    }

    fn measured(&self, done: &Done, index: usize) -> rebone::core::report::Report {
        let made = &done.retarget.clips[index];
        if made.report.frames_measured == made.report.frames {
            return made.report.clone();
        }
        let measured = made.measured.as_ref().unwrap_or(&made.clip);
        self.comparison(done)
            .report_noted(self.source_clip(done, index), measured, &made.notes)
    }

    fn page(&self) -> Result<String, Failure> {
        let done = self.done()?;
        let comparison = self.comparison(done);
        let reports: Vec<_> = (0..done.clips.len())
            .map(|index| self.measured(done, index))
            .collect();
        let [mut all, of_target, of_pair] = doubts::of_retarget(
            self.rig(Side::Source),
            self.rig(Side::Target),
            &done.retarget,
        );
        all.extend(of_target);
        all.extend(of_pair);
        all.extend(self.doubts.iter().cloned());
        let rows: Vec<report_page::Row<'_>> = done
            .retarget
            .clips
            .iter()
            .zip(&reports)
            .enumerate()
            .map(|(index, (made, report))| report_page::Row {
                source: self.rig(Side::Source),
                source_name: self.source.stem().to_owned(),
                clip: self.source_clip(done, index),
                results: vec![report_page::Column {
                    target: self.rig(Side::Target),
                    name: self.target.stem().to_owned(),
                    made: made.measured.as_ref().unwrap_or(&made.clip),
                    comparison: &comparison,
                    report,
                    notes: Some(&made.notes),
                }],
            })
            .collect();
        let figures: Vec<_> = reports
            .iter()
            .map(|report| report_json::report(report, &self.rig(Side::Target).map))
            .collect();
        let words = report_page::Words {
            title: format!("{} onto {}", self.source.name, self.target.name),
            results: vec![self.target.name.clone()],
            failed: &[],
            warnings: &doubts::distinct(&all),
            json: serde_json::to_string(&figures)?,
        };
        Ok(report_page::html(&rows, words)?)
    }

    fn playback(&self, clip: &str, options: &JsValue) -> Result<Vec<u8>, Failure> {
        let (index, made) = self.made(clip)?;
        let done = self.done()?;
        let own = rebone::view::GifOptions::default();
        let view = match given::text(options, "view")?.as_deref() {
            None => own.view,
            Some("front") => rebone::view::Camera::Front,
            Some("side") => rebone::view::Camera::Side,
            Some("three-quarter") => rebone::view::Camera::ThreeQuarter,
            Some(other) => {
                return Err(Failure::request(
                    format!("\"{other}\" is no view"),
                    "use front, side or three-quarter",
                ));
            }
        };
        let height = given::number(options, "height")?;
        let gif = rebone::view::GifOptions {
            view,
            panel_height: height.map_or(own.panel_height, |pixels| pixels.max(0.0) as u32),
            ..own
        };
        let actors = [
            report_page::actor(
                self.rig(Side::Source),
                Some(self.source_clip(done, index)),
                self.source.stem(),
            ),
            report_page::actor(self.rig(Side::Target), Some(&made.clip), self.target.stem()),
        ];
        Ok(rebone::view::playback_gif(&actors, &gif)?)
    }
}

fn no_clip(name: &str) -> Failure {
    Failure::request(
        format!("there is no clip \"{name}\""),
        "the names are those that retarget() gave, and those of the source's description",
    )
}
