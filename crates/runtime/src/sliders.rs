//! Source joints whose translation and scale move target joints.

use super::op::{LinearOp, Plan, is_at_rest};
use super::program::listed;
use glam::{BVec4A, Vec3, Vec4};
use rebone_model::Transform;

/// Where a source joint leaves target joints at rest.
#[derive(Clone, Copy, Debug)]
pub(super) struct SliderRest {
    pub(super) source: u32,
    /// Translation and scale as [`numbers`](Self::numbers) says them; not a number where no translation does.
    rest: [Vec4; 2],
}

impl SliderRest {
    /// A translation and a scale in two vectors that lie in memory as they lie in a transform.
    #[inline(always)]
    fn numbers(of: &Transform) -> [Vec4; 2] {
        let (way, scale) = (of.translation, of.scale);
        [
            Vec4::new(way.x, way.y, way.z, scale.x),
            Vec4::new(way.z, scale.x, scale.y, scale.z),
        ]
    }

    /// True where this translation of the source joint leaves its targets' at rest.
    pub(super) fn keeps_place(&self, now: Vec3) -> bool {
        is_at_rest(now, self.rest[0].truncate())
    }

    /// All true where the source joint, now so, certainly leaves its targets at rest.
    #[inline(always)]
    pub(super) fn keeps(&self, now: &Transform) -> BVec4A {
        let [first, second] = Self::numbers(now);
        first.cmpeq(self.rest[0]) & second.cmpeq(self.rest[1])
    }
}

/// What the translation and scale of a source joint move.
#[derive(Clone, Debug)]
pub(super) struct Slider {
    /// Slides of the plan.
    pub(super) slides: Vec<usize>,
    /// Scales of the plan.
    pub(super) scales: Vec<usize>,
}

impl Slider {
    /// Target joints that leave their rest place, and where they are.
    pub(super) fn slid<'a>(
        &'a self,
        plan: &'a Plan,
        rest: &SliderRest,
        now: &Transform,
    ) -> impl Iterator<Item = (usize, Vec3)> + 'a {
        let (keeps, from) = (rest.keeps_place(now.translation), now.translation);
        let slides = self.slides.iter().filter(move |_| !keeps);
        slides.map(move |&index| {
            let slide = &plan.slides[index];
            (slide.target, slide.place(from))
        })
    }

    /// Target joints that stretch, and how large they are.
    pub(super) fn stretched<'a>(
        &'a self,
        plan: &'a Plan,
        rest: &SliderRest,
        now: &Transform,
    ) -> impl Iterator<Item = (usize, Vec3)> + 'a {
        let (own, scale) = (plan.source.rest[rest.source as usize].scale, now.scale);
        self.scales.iter().map(move |&index| {
            let op = &plan.scales[index];
            let rest = plan.target.rest[op.target].scale;
            (op.target, op.stretched(rest, own, scale))
        })
    }
}

/// The sliders of a plan, each with where it leaves its targets at rest.
pub(super) fn sliders(plan: &Plan) -> Vec<(SliderRest, Slider)> {
    let sources = plan.slides.iter().map(|op| op.source);
    let mut sources: Vec<usize> = sources
        .chain(plan.scales.iter().map(|op| op.source))
        .collect();
    sources.sort_unstable();
    sources.dedup();
    let slider = |source: usize| {
        let slides = listed(&plan.slides, |op| op.source == source);
        let rest = plan.source.rest[source];
        let keeps = |&index: &usize| {
            let slide: &LinearOp = &plan.slides[index];
            let rest = plan.target.rest[slide.target].translation;
            let made = slide.place(plan.source.rest[source].translation);
            made.abs_diff_eq(rest, 1e-5 * rest.length())
        };
        let mut at_rest = SliderRest {
            source: source as u32,
            rest: SliderRest::numbers(&rest),
        };
        if !slides.iter().all(keeps) {
            // Equal to nothing, not even itself.
            at_rest.rest[0].x = f32::NAN;
        }
        let slider = Slider {
            slides,
            scales: listed(&plan.scales, |op| op.source == source),
        };
        (at_rest, slider)
    };
    sources.into_iter().map(slider).collect()
}
