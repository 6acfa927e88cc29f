//! What a person pins: ends of the target's body to paths, points and joints.

use serde::{Deserialize, Serialize};

/// One pin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(extend("required" = ["end"])))]
pub struct Pin {
    /// What is pinned: the slot of a hand, of a foot, of the head or of the hips, or a joint of no slot.
    pub end: String,
    /// What it is pinned to. Left out: point or joint where one is given, else own.
    pub to: PinTo,
    /// With to = "point": to the left, up, forwards, metres.
    pub point: Option<[f64; 3]>,
    /// With to = "joint": a slot or joint of the target.
    pub joint: Option<String>,
    /// To the left, up, forwards, metres.
    pub offset: [f64; 3],
    /// How the way from the spot on the floor below the hips is stretched, to the body's left, up and forwards; of own and source only.
    #[cfg_attr(feature = "schema", schemars(inner(range(min = 0.0, max = 100.0))))]
    pub scale: [f64; 3],
    /// From when it counts in full, seconds of the clip. Left out: from the beginning.
    pub from: Option<f64>,
    /// Until when. Left out: to the end.
    pub until: Option<f64>,
    /// Seconds that it takes before from.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.0, max = 1000.0)))]
    pub blend_in: f64,
    /// Seconds that it takes after until.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.0, max = 1000.0)))]
    pub blend_out: f64,
    /// How much it counts.
    #[cfg_attr(feature = "schema", schemars(range(min = 0.0, max = 1.0)))]
    pub weight: f64,
}

/// What an end is pinned to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum PinTo {
    /// Its own path, to be offset and stretched.
    #[default]
    Own,
    /// The path of the source, scaled as the travel is.
    Source,
    /// A point.
    Point,
    /// A joint of the target.
    Joint,
}

impl PinTo {
    fn name(self) -> &'static str {
        match self {
            Self::Own => "own",
            Self::Source => "source",
            Self::Point => "point",
            Self::Joint => "joint",
        }
    }
}

impl Default for Pin {
    fn default() -> Self {
        Self {
            end: String::new(),
            to: PinTo::default(),
            point: None,
            joint: None,
            offset: [0.0; 3],
            scale: [1.0; 3],
            from: None,
            until: None,
            blend_in: Self::BLEND_SECONDS,
            blend_out: Self::BLEND_SECONDS,
            weight: 1.0,
        }
    }
}

impl Pin {
    /// Default of both blends.
    pub const BLEND_SECONDS: f64 = 0.2;

    /// A pin in one line: what is pinned, `=`, what it is pinned to, then any of the rest, as in
    /// `leftHand=point(0.3,1.2,0.4) @1.5..2.5 blend(0.2,0.4)` or `leftFoot=own scale(1,1,1.3) offset(0.05,0,0) weight(0.5)`.
    ///
    /// Fails with a sentence that says what is wrong and what would be right.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (end, rest) = text
            .split_once('=')
            .ok_or("give END=GOAL, as leftHand=point(0.3,1.2,0.4) @1.5..2.5")?;
        let mut pin = Self {
            end: end.trim().to_owned(),
            ..Self::default()
        };
        let mut has_goal = false;
        let mut rest = rest.trim_start();
        while !rest.is_empty() {
            let (word, inner, behind) = item(rest)?;
            rest = behind;
            if pin.take_goal(word, inner)? {
                has_goal = true;
            } else {
                pin.take_detail(word, inner)?;
            }
        }
        if !has_goal {
            return Err(
                "say what it is pinned to: own, source, point(x,y,z) or joint(NAME)".to_owned(),
            );
        }
        pin.check()
            .map_err(|(key, what)| format!("{key}: {what}"))?;
        Ok(pin)
    }

    /// Takes an item that says what the end is pinned to. False for any other item.
    fn take_goal(&mut self, word: &str, inner: Option<&str>) -> Result<bool, String> {
        self.to = match (word, inner) {
            ("own", None) => PinTo::Own,
            ("source", None) => PinTo::Source,
            ("point", Some(inner)) => {
                self.point = Some(three(word, inner)?);
                PinTo::Point
            }
            ("joint", Some(name)) => {
                self.joint = Some(name.trim().to_owned());
                PinTo::Joint
            }
            _ => return Ok(false),
        };
        Ok(true)
    }

    /// Takes an item that says how and when the end is pinned.
    fn take_detail(&mut self, word: &str, inner: Option<&str>) -> Result<(), String> {
        match (word, inner) {
            ("offset", Some(inner)) => self.offset = three(word, inner)?,
            ("scale", Some(inner)) => {
                self.scale = match numbers(word, inner)?.as_slice() {
                    [all] => [*all; 3],
                    [x, y, z] => [*x, *y, *z],
                    _ => return Err("give one scale, or three: left, up, forwards".to_owned()),
                };
            }
            ("weight", Some(inner)) => match numbers(word, inner)?.as_slice() {
                [weight] => self.weight = *weight,
                _ => return Err("give one weight, as weight(0.5)".to_owned()),
            },
            ("blend", Some(inner)) => match numbers(word, inner)?.as_slice() {
                [both] => (self.blend_in, self.blend_out) = (*both, *both),
                [before, after] => (self.blend_in, self.blend_out) = (*before, *after),
                _ => return Err("give one time or two, as blend(0.2,0.4)".to_owned()),
            },
            (span, None) if span.starts_with('@') => {
                let (from, until) = span[1..]
                    .split_once("..")
                    .ok_or("give the span as @1.5..2.5, @1.5.. or @..2.5")?;
                let time = |text: &str| match text {
                    "" => Ok(None),
                    text => numbers("@", text).map(|all| all.first().copied()),
                };
                (self.from, self.until) = (time(from)?, time(until)?);
            }
            _ => {
                return Err(format!(
                    "there is no \"{word}\" for a pin; use own, source, point(x,y,z), joint(NAME), and @FROM..UNTIL, \
                     offset(x,y,z), scale(x,y,z), blend(in,out), weight(w)"
                ));
            }
        }
        Ok(())
    }

    /// Whether all numbers are what they must be: the key that is wrong, and what is wrong.
    pub fn check(&self) -> Result<(), (&'static str, String)> {
        let is_small = |value: &f64| value.abs() < 1e6;
        if self.end.is_empty() {
            return Err((
                "end",
                "nothing is pinned; give a slot or a joint".to_owned(),
            ));
        }
        let has_own = match self.to {
            PinTo::Point => self.point.is_some() && self.joint.is_none(),
            PinTo::Joint => self.joint.is_some() && self.point.is_none(),
            PinTo::Own | PinTo::Source => self.point.is_none() && self.joint.is_none(),
        };
        if !has_own {
            let to = self.to.name();
            return Err((
                "to",
                format!(
                    "to = \"{to}\" does not go with its goal; give own or source alone, point with point = [x, y, z], or joint with joint = \"NAME\""
                ),
            ));
        }
        if let Some(point) = self.point
            && !point.iter().all(is_small)
        {
            return Err(("point", "the point is nowhere; give metres".to_owned()));
        }
        if !self.offset.iter().all(is_small) {
            return Err(("offset", "give metres, finite numbers".to_owned()));
        }
        if !self.scale.iter().all(|scale| (0.0..=100.0).contains(scale)) {
            return Err(("scale", "give numbers from 0 to 100".to_owned()));
        }
        if self.scale != [1.0; 3] && !matches!(self.to, PinTo::Own | PinTo::Source) {
            return Err((
                "scale",
                "a point and a joint are not stretched; leave it out".to_owned(),
            ));
        }
        if !(0.0..=1.0).contains(&self.weight) {
            return Err(("weight", "give a number from 0 to 1".to_owned()));
        }
        for (key, blend) in [("blend_in", self.blend_in), ("blend_out", self.blend_out)] {
            if !(0.0..=1000.0).contains(&blend) {
                return Err((key, "give seconds from 0 to 1000".to_owned()));
            }
        }
        let times = [self.from, self.until];
        if !times.iter().flatten().all(is_small) {
            return Err(("from", "give seconds, finite numbers".to_owned()));
        }
        match times {
            [Some(from), Some(until)] if until < from => Err((
                "until",
                format!("it ends at {until}, before it begins at {from}"),
            )),
            _ => Ok(()),
        }
    }
}

/// The next item of a text: its word, what stands in parentheses behind it, and what follows.
fn item(text: &str) -> Result<(&str, Option<&str>, &str), String> {
    let ends = |c: char| c.is_whitespace() || c == '(' || c == '@';
    let mut letters = text.char_indices().skip(1);
    let end = letters
        .find(|(_, c)| ends(*c))
        .map_or(text.len(), |(at, _)| at);
    let (word, behind) = text.split_at(end);
    let Some(inner) = behind.strip_prefix('(') else {
        return Ok((word, None, behind.trim_start()));
    };
    // Names of joints may have parentheses of their own.
    let mut depth = 1;
    for (at, c) in inner.char_indices() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if depth == 0 {
            return Ok((word, Some(&inner[..at]), inner[at + 1..].trim_start()));
        }
    }
    Err(format!("\"{word}(\" is not closed"))
}

fn numbers(word: &str, text: &str) -> Result<Vec<f64>, String> {
    let all: Result<Vec<f64>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    all.map_err(|_| format!("\"{text}\" behind {word} are no numbers"))
}

fn three(word: &str, text: &str) -> Result<[f64; 3], String> {
    let all = numbers(word, text)?;
    <[f64; 3]>::try_from(all).map_err(|_| format!("give three numbers, as {word}(0.3,1.2,0.4)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pins_are_read_from_one_line() {
        let pin = Pin::parse("leftHand=point(0.3, 1.2,-0.4)@1.5..2.5").unwrap();
        assert_eq!((pin.to, pin.point), (PinTo::Point, Some([0.3, 1.2, -0.4])));
        assert_eq!((pin.from, pin.until), (Some(1.5), Some(2.5)));
        let pin =
            Pin::parse("leftFoot=own scale(1,1,1.3) offset(0.1,0,0) weight(0.5) blend(0.1) @..2")
                .unwrap();
        assert_eq!((pin.scale, pin.weight), ([1.0, 1.0, 1.3], 0.5));
        assert_eq!((pin.from, pin.until, pin.blend_out), (None, Some(2.0), 0.1));
        let pin = Pin::parse("head=joint(a (b)) @1..").unwrap();
        assert_eq!((pin.joint.as_deref(), pin.from), (Some("a (b)"), Some(1.0)));
        let plain = Pin {
            end: "hips".to_owned(),
            to: PinTo::Source,
            ..Pin::default()
        };
        assert_eq!(Pin::parse("hips=source"), Ok(plain.clone()));
        let spanned = Pin {
            from: Some(1.0),
            until: Some(2.0),
            ..plain
        };
        assert_eq!(Pin::parse("hips=source@1..2"), Ok(spanned));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, expected) in [
            ("leftHand", "END=GOAL"),
            ("leftHand=", "say what it is pinned to"),
            ("=own", "nothing is pinned"),
            ("a=offset(1,2,3)", "say what it is pinned to"),
            ("a=point(1,2)", "three numbers"),
            ("a=point(1,2,x)", "no numbers"),
            ("a=point(1,2,inf)", "nowhere"),
            ("a=point(1,2,3", "not closed"),
            ("a=fly", "there is no \"fly\""),
            ("a=own @2..1", "before it begins"),
            ("a=own @2", "give the span"),
            ("a=own weight(2)", "from 0 to 1"),
            ("a=joint(b) scale(2)", "not stretched"),
            ("a=own blend(1,2,3)", "one time or two"),
        ] {
            let error = Pin::parse(text).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
