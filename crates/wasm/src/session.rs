//! A source, a target and a recipe: what is changed, shown, judged and taken away.

use crate::failure::Failure;
use crate::given;
use crate::json;
use crate::poses;
use crate::rig::{Opened, Rig, all_poses, space};
use crate::shapes::{MadeJson, ResultJson, SidesJson};
use js_sys::Float32Array;
use rebone::choices::Choices;
use rebone::model::clip::find_clip;
use rebone::overrides::with_overrides;
use rebone::pairing::links_by_hand;
use rebone::report::verdict;
use rebone::saving::take_root_paths;
use rebone::setup::align::Aligned;
use rebone::setup::by_hand::HandLinks;
use rebone::setup::chains::Chains;
use rebone::setup::compile::Compiled;
use rebone::setup::links::links;
use rebone::setup::mapping::ProfileChoice;
use rebone::{Clip, Recipe, Retarget, RetargetedClip, RigMap, Warning, doubts, report_json};
use serde::Serialize;
use std::rc::Rc;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// A side of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Source,
    Target,
}

pub(crate) fn side(name: &str) -> Result<Side, Failure> {
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
pub(crate) struct Done {
    pub(crate) compiled: Compiled,
    pub(crate) target_map: RigMap,
    pub(crate) made: Vec<RetargetedClip>,
    /// Doubts about the pair.
    pub(crate) warnings: Vec<Warning>,
    /// For each result its clip of the source.
    pub(crate) from: Vec<usize>,
    /// The results as they are written: without what no format has a place for.
    pub(crate) clips: Vec<Clip>,
}

/// A source, a target and a recipe. Changing the recipe throws the last result away; [`retarget`](Session::retarget) makes a new one.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Session {
    pub(crate) source: Rc<Opened>,
    pub(crate) target: Rc<Opened>,
    /// Mapped by the recipe's profile where it names one.
    rigs: [Option<rebone::Rig>; 2],
    pub(crate) choices: Choices,
    pub(crate) recipe: Recipe,
    /// Doubts about the recipe.
    pub(crate) doubts: Vec<Warning>,
    pub(crate) done: Option<Done>,
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
}

impl Session {
    pub(crate) fn opened(&self, side: Side) -> &Opened {
        match side {
            Side::Source => &self.source,
            Side::Target => &self.target,
        }
    }

    pub(crate) fn rig(&self, side: Side) -> &rebone::Rig {
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

    pub(crate) fn overridden(&self, side: Side) -> Result<RigMap, Failure> {
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
        let bodies = [(source, &maps[0]), (target, &maps[1])].map(|(rig, map)| Aligned {
            map,
            ..rig.aligned()
        });
        let clips: Vec<_> = source.character.clips.iter().collect();
        let chains = Chains::between_bodies(
            &bodies[0],
            &bodies[1],
            &clips,
            self.recipe.chains().as_ref(),
        );
        // Kinds that nobody asked to bring together share nothing.
        let found = chains
            .unwrap_or_else(|_| Some(Chains::none(&maps[0], &maps[1])))
            .map_or_else(|| maps[0].clone(), |chains| chains.map(&maps[0]));
        let found = links(&found, &maps[1]);
        let hand: HandLinks = links_by_hand(source, target, &self.recipe)?;
        let skeletons = [source, target].map(|rig| &rig.character.skeleton);
        let own = |opened: &Opened| opened.name.clone();
        json::document(&PairMapJson {
            source: rebone::json::map(own(&self.source), skeletons[0], &maps[0], &source.warnings),
            target: rebone::json::map(own(&self.target), skeletons[1], &maps[1], &target.warnings),
            links: found
                .iter()
                .map(|link| rebone::json::link(link, &maps[1], skeletons[0], skeletons[1]))
                .collect(),
            by_hand: rebone::json::by_hand(&hand, skeletons[0], skeletons[1]),
        })
    }

    pub(crate) fn alignments(&self) -> Result<[rebone::setup::align::Alignment; 2], Failure> {
        let (source, target) = (self.rig(Side::Source), self.rig(Side::Target));
        Ok(rebone::retarget_poses(source, target, &self.recipe)?)
    }

    fn aligned(&self) -> Result<JsValue, Failure> {
        let [source, target] = self.alignments()?;
        let maps = [
            self.overridden(Side::Source)?,
            self.overridden(Side::Target)?,
        ];
        json::document(&PosesJson {
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
        let motion = Retarget::new(source, target)
            .clips(names)
            .recipe(self.recipe.clone())
            .run()?;
        let mut clips: Vec<Clip> = motion.clips.iter().map(|made| made.clip.clone()).collect();
        take_root_paths(&mut clips);
        let done = Done {
            compiled: motion.compiled,
            target_map: motion.target_map,
            made: motion.clips,
            warnings: motion.warnings,
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
            doubts::of_pair([source, target], &done.compiled, &done.warnings);
        of_pair.extend(self.doubts.iter().cloned());
        let made = done.made.iter().map(|made| MadeJson {
            name: &made.clip.name,
            start: made.clip.time_span().0,
            seconds: made.clip.seconds(),
            frames: made.clip.frame_count(),
            verdict: verdict(&made.report).name(),
            report: report_json::report(&made.report, &target.map),
        });
        json::document(&ResultJson {
            clips: made.collect(),
            root_scale: done.compiled.root_scales.to_array().into(),
            warnings: SidesJson {
                source: rebone::json::warnings(&of_source),
                target: rebone::json::warnings(&of_target),
                pair: rebone::json::warnings(&of_pair),
            },
        })
    }

    pub(crate) fn done(&self) -> Result<&Done, Failure> {
        self.done.as_ref().ok_or_else(|| {
            Failure::request(
                "nothing was retargeted since the recipe was set",
                "call retarget() first",
            )
        })
    }

    /// A result by name, with its number.
    pub(crate) fn made(&self, name: &str) -> Result<(usize, &RetargetedClip), Failure> {
        let made = &self.done()?.made;
        let found = made.iter().position(|made| made.clip.name == name);
        let index = found.ok_or_else(|| no_clip(name))?;
        Ok((index, &made[index]))
    }

    pub(crate) fn clip(&self, side: Side, name: &str) -> Result<&Clip, Failure> {
        match side {
            Side::Source => {
                let clips = &self.rig(side).character.clips;
                find_clip(clips, name).ok_or_else(|| no_clip(name))
            }
            Side::Target => Ok(&self.made(name)?.1.clip),
        }
    }
}

fn no_clip(name: &str) -> Failure {
    Failure::request(
        format!("there is no clip \"{name}\""),
        "the names are those that retarget() gave, and those of the source's description",
    )
}
