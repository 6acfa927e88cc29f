//! Where palms shall be.

use super::{Goals, MOST_ARMS, ReachStage, View, Work, point_of};
use crate::solve::smooth;
use glam::Vec3;

/// By how much palms that face the same way count as further apart.
const APART: f32 = 1.7;

/// Shares of `far` by which palms have passed each other: from the first on the arms begin to count as crossed, from the
/// second on in full.
const PASSED: [f32; 2] = [0.1, 0.35];

/// Shares of `far` that shoulders of a body that is shrunk are apart: up to the first it holds nothing, from the second on as others do.
/// They usually are half of `far` apart.
const SHRUNK: [f32; 2] = [0.05, 0.15];

impl ReachStage {
    /// How much a touch at a distance counts.
    fn weight(&self, distance: f32) -> f32 {
        if distance <= self.near {
            1.0
        } else if distance >= self.far {
            0.0
        } else {
            smooth((self.far - distance) / (self.far - self.near))
        }
    }

    fn source_palm(&self, source: &View<'_>, arm: usize) -> Vec3 {
        let arm = &self.arms[arm];
        source.point(arm.source_hand, arm.source_palm)
    }

    /// How much the two hands hold on to each other: by the distance of the palms, or from a palm to what the other hand
    /// holds.
    pub(crate) fn held(&self, source: &View<'_>) -> f32 {
        if !self.can_hold() {
            return 0.0;
        }
        let palms = [0, 1].map(|arm| self.source_palm(source, arm));
        let mut distance = palms[0].distance(palms[1]);
        for (arm, palm) in [(0, palms[1]), (1, palms[0])] {
            for &prop in &self.arms[arm].source_props {
                distance = distance.min(source.position(prop).distance(palm));
            }
        }
        // What the palms face makes it no less.
        if self.weight(distance) <= 0.0 {
            return 0.0;
        }
        let [n, m] = [0, 1].map(|arm: usize| {
            let arm = &self.arms[arm];
            source.rotation(arm.source_hand) * arm.source_facing
        });
        let near = self.weight(distance * (1.0 + 0.5 * (APART - 1.0) * (1.0 + n.dot(m))));
        near * (1.0 - self.crossed(source, palms[1] - palms[0])) * self.is_there(source)
    }

    /// 0 where the source's body is shrunk to next to nothing, as those are that appear or vanish: its hands are near each other without
    /// holding anything.
    fn is_there(&self, source: &View<'_>) -> f32 {
        if self.holds_at_any_distance() {
            return 1.0;
        }
        let [left, right] = self.shoulders(source);
        smooth((left.distance(right) / self.far - SHRUNK[0]) / (SHRUNK[1] - SHRUNK[0]))
    }

    fn shoulders(&self, source: &View<'_>) -> [Vec3; 2] {
        [0, 1].map(|arm: usize| source.position(self.arms[arm].source_upper))
    }

    /// How much the arms are crossed: whether the palms have passed each other on the way from shoulder to shoulder.
    fn crossed(&self, source: &View<'_>, way: Vec3) -> f32 {
        if self.far <= self.near {
            return 0.0;
        }
        let [left, right] = self.shoulders(source);
        let passed = -way.dot((right - left).normalize_or_zero());
        smooth((passed / self.far - PASSED[0]) / (PASSED[1] - PASSED[0]))
    }

    fn touch_weight(&self, source: &View<'_>, touch: usize) -> f32 {
        let touch = &self.touches[touch];
        let palm = self.source_palm(source, touch.arm);
        self.weight(source.position(touch.source).distance(palm))
    }

    /// How much this hand touches a prop.
    pub(crate) fn touches(&self, source: &View<'_>, arm: usize) -> f32 {
        let touches = self.touches.iter().enumerate();
        let own = touches.filter(|(_, touch)| touch.arm == arm);
        own.fold(0.0, |most, (touch, _)| {
            most.max(self.touch_weight(source, touch))
        })
    }

    /// True where a hand touches a prop.
    pub(super) fn touches_anything(&self, source: &View<'_>) -> bool {
        (0..self.touches.len()).any(|touch| self.touch_weight(source, touch) > 0.0)
    }
}

impl Work<'_> {
    /// Where the target's palm now is.
    pub(super) fn palm(&self, arm: usize) -> Vec3 {
        let arm = &self.stage.arms[arm];
        point_of(&self.target[arm.hand], arm.palm)
    }

    /// The goals of all arms, the first two of which hold on to each other by so much.
    pub(super) fn goals(&self, held: f32) -> Goals {
        let mut goals = [None; MOST_ARMS];
        for (index, touch) in self.stage.touches.iter().enumerate() {
            let weight = self.stage.touch_weight(&self.source, index);
            if weight <= 0.0 {
                continue;
            }
            let from_prop = self.stage.source_palm(&self.source, touch.arm)
                - self.source.position(touch.source);
            let goal = self.target[touch.target].position() + self.stage.linear * from_prop;
            let now = goals[touch.arm].unwrap_or_else(|| self.palm(touch.arm));
            goals[touch.arm] = Some(now.lerp(goal, weight));
        }
        if let Some(share) = self.stage.hold.filter(|_| held > 0.0) {
            let [a, b] = [0, 1].map(|arm| self.stage.source_palm(&self.source, arm));
            let [p, q] = [0, 1].map(|arm| goals[arm].unwrap_or_else(|| self.palm(arm)));
            let missing = (self.stage.linear * (b - a) - (q - p)) * held;
            goals[0] = Some(p - missing * share);
            goals[1] = Some(q + missing * (1.0 - share));
        }
        goals
    }
}
