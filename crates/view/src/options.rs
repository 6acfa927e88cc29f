//! Who is drawn, and how.

use glam::{Affine3A, Quat, Vec3};
use rebone_model::Clamp as _;
use rebone_model::rotation::normalized_or_identity;
use rebone_model::{Character, Clip};
use rebone_setup::profile::Side;

/// A character in a picture, with the motion it performs.
#[derive(Clone, Debug)]
pub struct Actor<'a> {
    /// Who.
    pub character: &'a Character,
    /// What it does; `None` shows the rest pose.
    pub clip: Option<&'a Clip>,
    /// Written above its pictures; may be empty.
    pub title: String,
    /// Turns the character's model space to +Y up, +Z forward.
    pub canonical_from_file: Quat,
    /// Metres per unit of the character's model space. Anything but a positive number counts as 1.
    pub scale: f32,
    /// The joint that the camera follows over the floor, and above which no joint is drawn that moves no
    /// skin; default `None`: found by labels, names and shape.
    pub follow_joint: Option<usize>,
    /// Per joint the side of the slot that it is in, `None` if it is in no slot. Limbs are coloured by it; joints in no
    /// slot have the colour of the slot above. Default (empty): sides are found by place and names.
    pub slot_sides: Vec<Option<Side>>,
    /// The camera comes close to these joints and what hangs from them; default (empty): the whole body.
    pub close_up: Vec<usize>,
}

impl<'a> Actor<'a> {
    /// An actor whose character already stands +Y up, +Z forward, in metres.
    pub fn new(character: &'a Character, clip: Option<&'a Clip>, title: impl Into<String>) -> Self {
        Self {
            character,
            clip,
            title: title.into(),
            canonical_from_file: Quat::IDENTITY,
            scale: 1.0,
            follow_joint: None,
            slot_sides: Vec::new(),
            close_up: Vec::new(),
        }
    }

    /// World from model space, with the file's origin on the floor. Numbers that are no size and no turn count as not given.
    pub(crate) fn world_from_model(&self) -> Affine3A {
        let scale = if self.scale.is_finite() && self.scale > 0.0 {
            self.scale
        } else {
            1.0
        };
        let turn = if self.canonical_from_file.is_finite() {
            normalized_or_identity(self.canonical_from_file)
        } else {
            Quat::IDENTITY
        };
        Affine3A::from_scale_rotation_translation(Vec3::splat(scale), turn, Vec3::ZERO)
    }
}

/// What of a character is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Its meshes where it has some, else its skeleton.
    #[default]
    Auto,
    /// Its meshes; its skeleton where it has none.
    Mesh,
    /// Its skeleton.
    Skeleton,
    /// Its meshes with the skeleton shining through.
    Both,
}

/// Where the camera stands, around the actor's vertical axis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Camera {
    /// In front, 35 degrees to the actor's right: the actor looks to the right of the picture.
    #[default]
    ThreeQuarter,
    /// Straight in front.
    Front,
    /// On the actor's right: it looks, and walks, to the right of the picture.
    Side,
    /// Behind: left is left in the picture.
    Back,
    /// On the actor's left: it walks to the left of the picture.
    Left,
    /// Straight above: the actor faces the bottom of the picture.
    Top,
    /// Degrees from the front, positive to the actor's left: -90 is [`Camera::Side`], 180 [`Camera::Back`].
    Angle(f32),
}

/// How the sizes of several actors relate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Heights {
    /// True sizes; the same height where one actor is more than three times as tall as another.
    #[default]
    Auto,
    /// True sizes: one metre is equally long for all.
    True,
    /// All equally tall.
    Same,
}

/// Which part of every clip is shown, in seconds of the clip's own time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TimeWindow {
    /// Where it starts; default (`None`): where the clip starts.
    pub from: Option<f32>,
    /// Where it ends; default (`None`): where the clip ends.
    pub to: Option<f32>,
}

impl TimeWindow {
    /// The part of a span from `start` to `end` that is shown. A window beside the span gives the nearest end of it.
    pub fn within(self, start: f32, end: f32) -> (f32, f32) {
        let inside = |time: Option<f32>, usual: f32| {
            let time = time.filter(|time| time.is_finite()).unwrap_or(usual);
            time.min(end).max(start)
        };
        let from = inside(self.from, start);
        (from, inside(self.to, end).max(from))
    }
}

/// How actors are seen: what pictures of every kind share.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// Height of the tallest picture without its writing, pixels; default 300, of a GIF 360. Kept between 32 and 4096.
    pub panel_height: u32,
    /// What of the characters is drawn; default [`Style::Auto`].
    pub style: Style,
    /// Where the camera stands (turntable: where it starts); default [`Camera::ThreeQuarter`].
    pub view: Camera,
    /// The camera follows the hips over the floor, so that each picture is as wide as the body; default true. False keeps
    /// the camera still, so that travel and sliding show.
    pub follow: bool,
    /// How the sizes of the actors relate; default [`Heights::Auto`].
    pub heights: Heights,
    /// The part of every clip that is shown; default: all of it.
    pub window: TimeWindow,
    /// Onion skins: how many earlier poses are drawn faintly behind each picture; default 0, at most 32. In a filmstrip
    /// they share the time since the picture before (with one picture: all time, and the picture is the last moment); in
    /// an animation they are 0.1 s apart.
    pub onion: usize,
    /// Colour of the paper, sRGB; default white. Panels and writing derive from it, light on dark too.
    pub background: [u8; 3],
    /// Pixels that all images together may have; default 64 million, of a GIF 128 million.
    pub max_pixels: u64,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            panel_height: 300,
            style: Style::Auto,
            view: Camera::ThreeQuarter,
            follow: true,
            heights: Heights::Auto,
            window: TimeWindow::default(),
            onion: 0,
            background: [255, 255, 255],
            max_pixels: 64_000_000,
        }
    }
}

impl Look {
    /// The height of a picture in pixels, within its bounds.
    pub(crate) fn height(&self) -> f32 {
        self.panel_height.clamped(32, 4096) as f32
    }

    /// Earlier poses behind each picture, within their bounds.
    pub(crate) fn ghosts(&self) -> usize {
        self.onion.min(32)
    }
}

/// How a filmstrip is drawn: one row an actor, one column a time, even over the actor's clip.
#[derive(Clone, Debug, PartialEq)]
pub struct FilmstripOptions {
    /// Cells a row; default 8. An actor without clip gets one. 0 counts as 1, more than 512 as 512.
    pub frames: usize,
    /// All actors side by side on one floor line, each at the start of its clip; default false: one row an
    /// actor.
    pub side_by_side: bool,
    /// How the actors are seen.
    pub look: Look,
}

impl Default for FilmstripOptions {
    fn default() -> Self {
        Self {
            frames: 8,
            side_by_side: false,
            look: Look::default(),
        }
    }
}

/// How an animated picture is drawn: the actors side by side on one floor line.
#[derive(Clone, Debug, PartialEq)]
pub struct GifOptions {
    /// Frames a second; default 20. Rounded to what GIF can say, whole hundredths of a second a frame;
    /// kept between 1 and 50.
    pub rate_hz: f32,
    /// Length; default (`None`): the longest clip, at most 10 s, or 4 s for a turntable. Shorter clips
    /// start again. Kept between one frame and 120 s.
    pub seconds: Option<f32>,
    /// Turntable only: plays the clip while turning; default false: stands in the clip's first pose.
    pub play: bool,
    /// How the actors are seen.
    pub look: Look,
}

impl Default for GifOptions {
    fn default() -> Self {
        Self {
            rate_hz: 20.0,
            seconds: None,
            play: false,
            look: Look {
                panel_height: 360,
                max_pixels: 128_000_000,
                ..Look::default()
            },
        }
    }
}
