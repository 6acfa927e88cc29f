//! One retarget, and how far it is from what it should be.

use crate::oracle::{self, CommonPose, Placed, Seen, degrees_between};
use crate::random::Rigged;
use rebone_model::Clip;
use rebone_runtime::{ClipOptions, apply_clip};
use rebone_setup::align::{AlignOptions, Alignment, Correction, align};
use rebone_setup::compile::{CompileOptions, Compiled, Mapped, NO_CALIBRATIONS, compile};
use rebone_setup::hands::HandsMode;
use rebone_setup::recipe::Recipe;
use rebone_setup::root::RootScale;
use rebone_setup::transfer::Method;

/// The choices of a retarget.
#[derive(Clone, Copy, Debug, Default)]
pub struct Choices {
    /// The method.
    pub method: Method,
    /// What of the stances is corrected.
    pub correction: Correction,
    /// The law of travel.
    pub root_scale: RootScale,
}

/// The transfer alone: legs, hands and bodies move as transferred, and nothing is put right.
pub fn transfer_alone() -> CompileOptions {
    asking(|_| ())
}

/// The transfer, and what a recipe asks for on top.
pub fn asking(ask: impl FnOnce(&mut Recipe)) -> CompileOptions {
    let mut recipe = Recipe::default();
    recipe.feet.weight = 0.0;
    recipe.hands.mode = HandsMode::Off;
    recipe.ground = 0.0;
    recipe.own_body = 0.0;
    ask(&mut recipe);
    CompileOptions {
        recipe,
        ..CompileOptions::default()
    }
}

/// Compiles a pair with the true maps. Twist joints rest: the closed forms are of the transfer alone.
pub fn compiled(source: &Rigged, target: &Rigged, clip: &Clip, choices: &Choices) -> Compiled {
    let options = asking(|recipe| {
        recipe.method = choices.method;
        recipe.root_scale = choices.root_scale;
        recipe.twist = 0.0;
    });
    compiled_as(source, target, clip, choices.correction, &options)
}

/// Compiles a pair, source and target, with the true maps and all of the compiler's options.
pub fn compiled_as(
    source: &Rigged,
    target: &Rigged,
    clip: &Clip,
    correction: Correction,
    options: &CompileOptions,
) -> Compiled {
    let options_of_alignment = AlignOptions {
        correction,
        ..AlignOptions::default()
    };
    let from = aligned(source, &[clip], &options_of_alignment);
    let to = aligned(target, &[], &options_of_alignment);
    let (source, target) = (mapped(source, &from), mapped(target, &to));
    compile(&source, &target, &[clip], options).expect("the pair has slots in common")
}

/// The retarget pose of a character with its true map.
pub fn aligned(rigged: &Rigged, clips: &[&Clip], options: &AlignOptions) -> Alignment {
    align(&rigged.character, &rigged.map, clips, options)
}

/// A character as the compiler takes it.
pub fn mapped<'a>(rigged: &'a Rigged, alignment: &'a Alignment) -> Mapped<'a> {
    Mapped {
        character: &rigged.character,
        map: &rigged.map,
        meters_per_unit: 1.0 / rigged.convention.units,
        alignment,
        calibrations: &NO_CALIBRATIONS,
    }
}

/// Compiles a pair and applies the plan to a clip.
pub fn retarget(source: &Rigged, target: &Rigged, clip: &Clip, choices: &Choices) -> Clip {
    let plan = compiled(source, target, clip, choices).plan;
    apply_clip(&plan, clip, &ClipOptions::default()).expect("the clip is within the limits")
}

/// The worst differences found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Worst {
    /// Of positions, relative to the character's height.
    pub position: f64,
    /// Where and when that was.
    pub position_place: String,
    /// Of model-space rotations, degrees.
    pub degrees: f64,
    /// Where and when that was.
    pub degrees_place: String,
}

impl Worst {
    /// Takes in one joint at one time.
    pub fn add(&mut self, position: f64, degrees: f64, place: impl Fn() -> String) {
        if position > self.position || position.is_nan() {
            self.position = position;
            self.position_place = place();
        }
        if degrees > self.degrees || degrees.is_nan() {
            self.degrees = degrees;
            self.degrees_place = place();
        }
    }

    /// The worse of both.
    pub fn merge(&mut self, other: &Self) {
        self.add(other.position, 0.0, || other.position_place.clone());
        self.add(0.0, other.degrees, || other.degrees_place.clone());
    }

    /// Fails where a difference is above its bound.
    ///
    /// # Panics
    /// Then, with the place.
    pub fn assert_within(&self, position: f64, degrees: f64, what: &str) {
        // Both comparisons are false for NaN.
        assert!(
            self.position <= position && self.degrees <= degrees,
            "{what}: {self}; bounds {position:.0e} and {degrees:.0e}",
        );
    }
}

impl std::fmt::Display for Worst {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            formatter,
            "position {:.2e} of the height at {}, rotation {:.2e} degrees at {}",
            self.position, self.position_place, self.degrees, self.degrees_place
        )
    }
}

/// When two motions are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// At the keys of the source clip.
    Keys,
    /// At 67 times that fall between keys too.
    Anytime,
}

/// The times at which a clip is looked at.
pub fn times(clip: &Clip, when: When) -> Vec<f32> {
    match when {
        When::Keys => clip.key_times(),
        When::Anytime => {
            let (start, end) = clip.time_span();
            (0..67)
                .map(|step| start + (end - start) * step as f32 / 66.0)
                .collect()
        }
    }
}

/// The joints of a clip at a time, free of the convention.
pub fn seen_at(rigged: &Rigged, clip: &Clip, time: f32) -> Vec<Seen> {
    oracle::seen(rigged, &pose_at(rigged, clip, time))
}

/// The joints of a clip at a time, in the file's model space.
pub fn pose_at(rigged: &Rigged, clip: &Clip, time: f32) -> Vec<Placed> {
    let skeleton = &rigged.character.skeleton;
    oracle::model(skeleton, &oracle::sample(skeleton, clip, time))
}

/// Compares the joints that two characters share by key; positions only where both bodies are one.
pub fn compare(
    a: &Rigged,
    seen_a: &[Seen],
    b: &Rigged,
    seen_b: &[Seen],
    time: f32,
    worst: &mut Worst,
) {
    for (index, joint) in a.body.joints.iter().enumerate() {
        let Some(other) = b.body.find(&joint.key) else {
            continue;
        };
        let (one, two) = (&seen_a[index], &seen_b[other]);
        let apart = (one.position - two.position).length() / b.body.height();
        worst.add(apart, degrees_between(one.turn, two.turn), || {
            format!("{} at {time:.3} s", joint.key)
        });
    }
}

/// Retargets between two conventions of one body and compares what is seen of source and target.
pub fn same_motion(
    source: &Rigged,
    target: &Rigged,
    clip: &Clip,
    choices: &Choices,
    when: When,
) -> Worst {
    let result = retarget(source, target, clip, choices);
    let mut worst = Worst::default();
    for time in times(clip, when) {
        let from = seen_at(source, clip, time);
        let to = seen_at(target, &result, time);
        compare(source, &from, target, &to, time, &mut worst);
    }
    worst
}

/// Retargets between two bodies and compares with the closed form, at the keys.
pub fn closed_form(
    source: &Rigged,
    target: &Rigged,
    clip: &Clip,
    choices: &Choices,
    common: CommonPose,
) -> Worst {
    let result = retarget(source, target, clip, choices);
    let mut worst = Worst::default();
    for time in times(clip, When::Keys) {
        let pose = pose_at(source, clip, time);
        let wanted = oracle::seen(target, &oracle::transfer(source, target, &pose, common));
        let found = seen_at(target, &result, time);
        compare(target, &wanted, target, &found, time, &mut worst);
    }
    worst
}

/// Like [`compare`], but the hips' places apart from all others, which count as seen from the hips.
pub fn compare_from_hips(
    a: &Rigged,
    seen_a: &[Seen],
    b: &Rigged,
    seen_b: &[Seen],
    time: f32,
    shape: &mut Worst,
    travel: &mut Worst,
) {
    let hips = |rigged: &Rigged, seen: &[Seen]| {
        let hips = rigged.body.slot("hips").unwrap_or(0);
        seen[hips].position
    };
    let (hips_a, hips_b) = (hips(a, seen_a), hips(b, seen_b));
    let from = |seen: &[Seen], hips| -> Vec<Seen> {
        seen.iter()
            .map(|joint| Seen {
                position: joint.position - hips,
                ..*joint
            })
            .collect()
    };
    let (shape_a, shape_b) = (from(seen_a, hips_a), from(seen_b, hips_b));
    compare(a, &shape_a, b, &shape_b, time, shape);
    let apart = (hips_a - hips_b).length() / b.body.height();
    travel.add(apart, 0.0, || format!("hips at {time:.3} s"));
}
