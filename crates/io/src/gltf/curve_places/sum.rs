//! Several curves as one channel: all morph weights of a mesh move together in glTF.
//!
//! Where the curves have the same keys, these are kept. Otherwise the channel has a key wherever one of
//! them has, and is the same function of time: lines are splines too, and a step is two keys that lie as
//! near to each other as numbers can.

use rebone_model::{Curve, Interpolation};
use std::borrow::Cow;
use std::sync::Arc;

/// One number of the channel: the sum of curves, each times a factor; constant without any.
#[derive(Clone, Debug, Default)]
pub(super) struct Slot<'c> {
    pub constant: f32,
    pub shares: Vec<(f32, Cow<'c, Curve>)>,
}

/// Keys of a channel, in glTF's own layout.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Summed {
    pub interpolation: Interpolation,
    pub times: Arc<[f32]>,
    pub values: Vec<f32>,
}

/// The channel of some slots; `None` where no curve moves any. The curves have one component.
pub(super) fn sum(slots: &[Slot<'_>]) -> Option<Summed> {
    let mut curves = slots.iter().flat_map(|slot| &slot.shares);
    let (_, first) = curves.next()?;
    let same = |curve: &Curve| {
        curve.interpolation() == first.interpolation() && curve.times() == first.times()
    };
    if curves.all(|(_, curve)| same(curve)) && first.times().windows(2).all(|t| t[0] < t[1]) {
        return Some(with_keys_of(first, slots));
    }
    let interpolation = common(slots);
    let times = all_times(slots, interpolation);
    let mut values = Vec::with_capacity(times.len() * slots.len() * interpolation.values_per_key());
    for &time in &times {
        let now: Vec<Sample> = slots.iter().map(|slot| sample_slot(slot, time)).collect();
        if interpolation == Interpolation::CubicSpline {
            values.extend(now.iter().map(|sample| sample.slope_before));
        }
        values.extend(now.iter().map(|sample| sample.value));
        if interpolation == Interpolation::CubicSpline {
            values.extend(now.iter().map(|sample| sample.slope_after));
        }
    }
    Some(Summed {
        interpolation,
        times: times.into(),
        values,
    })
}

fn with_keys_of(first: &Curve, slots: &[Slot<'_>]) -> Summed {
    let parts = first.interpolation().values_per_key();
    let elements = first.times().len() * parts;
    let mut values = Vec::with_capacity(elements * slots.len());
    for element in 0..elements {
        let is_value = parts == 1 || element % parts == 1;
        for slot in slots {
            let shares = slot.shares.iter();
            let moved = shares.map(|(factor, curve)| factor * curve.values()[element]);
            let constant = if is_value { slot.constant } else { 0.0 };
            values.push(moved.fold(constant, |sum, share| sum + share));
        }
    }
    Summed {
        interpolation: first.interpolation(),
        times: Arc::clone(first.shared_times()),
        values,
    }
}

fn common(slots: &[Slot<'_>]) -> Interpolation {
    let curves = || slots.iter().flat_map(|slot| &slot.shares);
    let of = |wanted| move |(_, curve): &(f32, Cow<'_, Curve>)| curve.interpolation() == wanted;
    if curves().any(of(Interpolation::CubicSpline)) {
        Interpolation::CubicSpline
    } else if curves().all(of(Interpolation::Step)) {
        Interpolation::Step
    } else {
        Interpolation::Linear
    }
}

fn all_times(slots: &[Slot<'_>], interpolation: Interpolation) -> Vec<f32> {
    let mut times: Vec<f32> = Vec::new();
    for (_, curve) in slots.iter().flat_map(|slot| &slot.shares) {
        times.extend_from_slice(curve.times());
        if interpolation != Interpolation::Step && curve.interpolation() == Interpolation::Step {
            times.extend(curve.times().iter().skip(1).map(|time| time.next_down()));
        }
    }
    times.sort_by(f32::total_cmp);
    times.dedup();
    times
}

/// A value and how fast it changes before and after, per second.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sample {
    value: f32,
    slope_before: f32,
    slope_after: f32,
}

fn sample_slot(slot: &Slot<'_>, time: f32) -> Sample {
    let mut sum = Sample {
        value: slot.constant,
        ..Sample::default()
    };
    for (factor, curve) in &slot.shares {
        let share = sample(curve, time);
        sum.value += factor * share.value;
        sum.slope_before += factor * share.slope_before;
        sum.slope_after += factor * share.slope_after;
    }
    sum
}

fn sample(curve: &Curve, time: f32) -> Sample {
    let times = curve.times();
    let after = times.partition_point(|&key| key <= time);
    let (value, slope_after) = in_span(curve, after, time);
    // On a key the span in front of it may have another slope.
    let first_at = times.partition_point(|&key| key < time);
    let slope_before = match first_at == after {
        true => slope_after,
        false => in_span(curve, first_at, time).1,
    };
    Sample {
        value,
        slope_before,
        slope_after,
    }
}

/// Value and slope at a time in the span that ends with the key `after`.
fn in_span(curve: &Curve, after: usize, time: f32) -> (f32, f32) {
    let (times, values) = (curve.times(), curve.values());
    let is_cubic = curve.interpolation() == Interpolation::CubicSpline;
    let key = |key: usize| values[if is_cubic { 3 * key + 1 } else { key }];
    let Some(before) = after.checked_sub(1) else {
        return (key(0), 0.0);
    };
    if after == times.len() {
        return (key(before), 0.0);
    }
    let span = times[after] - times[before];
    if span <= 0.0 {
        return (key(before), 0.0);
    }
    let t = (time - times[before]) / span;
    let (from, to) = (key(before), key(after));
    match curve.interpolation() {
        Interpolation::Step => (from, 0.0),
        // The key itself keeps its bits.
        Interpolation::Linear if t == 0.0 => (from, (to - from) / span),
        Interpolation::Linear => (from + (to - from) * t, (to - from) / span),
        Interpolation::CubicSpline => {
            let (leave, arrive) = (values[3 * before + 2] * span, values[3 * after] * span);
            let (t2, t3) = (t * t, t * t * t);
            let value = (2.0 * t3 - 3.0 * t2 + 1.0) * from
                + (t3 - 2.0 * t2 + t) * leave
                + (3.0 * t2 - 2.0 * t3) * to
                + (t3 - t2) * arrive;
            let slope = (6.0 * t2 - 6.0 * t) * (from - to)
                + (3.0 * t2 - 4.0 * t + 1.0) * leave
                + (3.0 * t2 - 2.0 * t) * arrive;
            (value, slope / span)
        }
    }
}

/// The curve of something that is either on or off: above one half it is on.
pub(super) fn switched(curve: &Curve) -> Option<Curve> {
    const HALF: f32 = 0.5;
    let (times, mut keys) = (curve.times(), Vec::<(f32, f32)>::new());
    let value = |time: f32| sample(curve, time).value;
    let mut push = |time: f32, is_on: bool| {
        let value = f32::from(u8::from(is_on));
        if keys.last().is_none_or(|&(last, _)| time > last) {
            keys.push((time, value));
        }
    };
    for (place, &time) in times.iter().enumerate() {
        let now = value(time);
        push(time, now > HALF);
        let Some(&next_time) = times.get(place + 1) else {
            continue;
        };
        let next = value(next_time);
        if curve.interpolation() != Interpolation::Step && (now > HALF) != (next > HALF) {
            push(
                time + (next_time - time) * ((HALF - now) / (next - now)),
                next > HALF,
            );
        }
    }
    let (times, values): (Vec<f32>, Vec<f32>) = keys.into_iter().unzip();
    let target = curve.target().clone();
    Curve::new(target, Interpolation::Step, 1, times.into(), values).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebone_model::CurveTarget;

    fn curve(interpolation: Interpolation, times: &[f32], values: &[f32]) -> Cow<'static, Curve> {
        let target = CurveTarget::Expression {
            name: "a".to_owned(),
            preset: true,
        };
        Cow::Owned(Curve::new(target, interpolation, 1, times.into(), values.to_vec()).unwrap())
    }

    fn slot(shares: &[(f32, &Cow<'static, Curve>)]) -> Slot<'static> {
        Slot {
            constant: 0.0,
            shares: shares.iter().map(|&(f, c)| (f, c.clone())).collect(),
        }
    }

    #[test]
    fn equal_keys_are_kept() {
        let a = curve(
            Interpolation::CubicSpline,
            &[0.0, 1.0],
            &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
        );
        let constant = Slot {
            constant: 0.25,
            shares: Vec::new(),
        };
        let summed = sum(&[slot(&[(1.0, &a)]), constant, slot(&[(0.5, &a), (1.0, &a)])]).unwrap();
        assert_eq!(summed.interpolation, Interpolation::CubicSpline);
        assert_eq!(*summed.times, [0.0, 1.0]);
        let expected = [
            [1.0, 0.0, 1.5],
            [2.0, 0.25, 3.0],
            [3.0, 0.0, 4.5],
            [4.0, 0.0, 6.0],
            [5.0, 0.25, 7.5],
            [6.0, 0.0, 9.0],
        ];
        assert_eq!(summed.values, expected.as_flattened());
    }

    /// Each channel of the sum is, at any time, what its curves are.
    #[test]
    fn other_keys_give_the_same_function() {
        let curves = [
            curve(Interpolation::Linear, &[0.0, 1.0, 2.5], &[0.0, 1.0, 0.5]),
            curve(Interpolation::Step, &[0.2, 0.7, 1.9], &[0.1, 0.9, 0.3]),
            curve(
                Interpolation::CubicSpline,
                &[0.5, 1.5, 3.0],
                &[0.0, 0.2, 1.0, -1.0, 0.8, 0.5, 0.3, 0.1, 0.0],
            ),
        ];
        for some in [&curves[..], &curves[..2], &curves[1..], &curves[1..2]] {
            let slots: Vec<Slot<'_>> = some.iter().map(|curve| slot(&[(1.0, curve)])).collect();
            let summed = sum(&slots).unwrap();
            assert!(summed.times.windows(2).all(|pair| pair[0] < pair[1]));
            for (place, curve) in some.iter().enumerate() {
                let own = |element: usize| summed.values[element * some.len() + place];
                let elements = summed.values.len() / some.len();
                let channel = Curve::new(
                    curve.target().clone(),
                    summed.interpolation,
                    1,
                    Arc::clone(&summed.times),
                    (0..elements).map(own).collect(),
                );
                let channel = channel.unwrap();
                for step in 0..350u16 {
                    let time = f32::from(step) * 0.01 + 0.003;
                    let (a, b) = (sample(curve, time).value, sample(&channel, time).value);
                    assert!((a - b).abs() < 1e-5, "{time}: {a} {b}");
                }
            }
        }
    }

    #[test]
    fn switches_are_thrown_halfway() {
        let ramp = curve(Interpolation::Linear, &[0.0, 1.0, 2.0], &[0.0, 1.0, 0.0]);
        let switched = switched(&ramp).unwrap();
        assert_eq!(switched.times(), [0.0, 0.5, 1.0, 1.5, 2.0]);
        assert_eq!(switched.values(), [0.0, 1.0, 1.0, 0.0, 0.0]);
    }
}
