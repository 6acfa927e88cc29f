//! Who is drawn, and how.

use glam::Quat;
use rebone_model::Clamp as _;
use rebone_model::{Character, Clip};

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
        }
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
    /// Degrees from the front, positive to the actor's left: -90 is [`Camera::Side`], 180 behind.
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

/// How a filmstrip is drawn: one row an actor, one column a time, even over the actor's clip.
#[derive(Clone, Debug, PartialEq)]
pub struct FilmstripOptions {
    /// Cells a row; default 8. An actor without clip gets one. 0 counts as 1, more than 512 as 512.
    pub frames: usize,
    /// Height of the tallest row's picture, pixels; default 300. Kept between 32 and 4096.
    pub panel_height: u32,
    /// What of the characters is drawn; default [`Style::Auto`].
    pub style: Style,
    /// Where the camera stands; default [`Camera::ThreeQuarter`].
    pub view: Camera,
    /// The camera follows the hips over the floor, so that each cell is as wide as the body; default
    /// true. False keeps the camera still: the body crosses the cell.
    pub follow: bool,
    /// How the sizes of the actors relate; default [`Heights::Auto`].
    pub heights: Heights,
    /// All actors side by side on one floor line, each at the start of its clip; default false: one row an
    /// actor.
    pub side_by_side: bool,
    /// Colour of the paper, sRGB; default white. Panels and writing derive from it, light on dark too.
    pub background: [u8; 3],
    /// Pixels the whole picture may have; default 64 million.
    pub max_pixels: u64,
}

impl Default for FilmstripOptions {
    fn default() -> Self {
        Self {
            frames: 8,
            panel_height: 300,
            style: Style::Auto,
            view: Camera::ThreeQuarter,
            follow: true,
            heights: Heights::Auto,
            side_by_side: false,
            background: [255, 255, 255],
            max_pixels: 64_000_000,
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
    /// Height of the picture without its writing, pixels; default 360. Kept between 32 and 4096.
    pub panel_height: u32,
    /// What of the characters is drawn; default [`Style::Auto`].
    pub style: Style,
    /// Where the camera stands (turntable: where it starts); default [`Camera::ThreeQuarter`].
    pub view: Camera,
    /// The camera follows the hips over the floor; default true.
    pub follow: bool,
    /// How the sizes of the actors relate; default [`Heights::Auto`].
    pub heights: Heights,
    /// Colour of the paper, sRGB; default white.
    pub background: [u8; 3],
    /// Turntable only: plays the clip while turning; default false: stands in the clip's first pose.
    pub play: bool,
    /// Pixels that all frames together may have; default 128 million.
    pub max_pixels: u64,
}

impl Default for GifOptions {
    fn default() -> Self {
        Self {
            rate_hz: 20.0,
            seconds: None,
            panel_height: 360,
            style: Style::Auto,
            view: Camera::ThreeQuarter,
            follow: true,
            heights: Heights::Auto,
            background: [255, 255, 255],
            play: false,
            max_pixels: 128_000_000,
        }
    }
}

/// The options that all kinds of pictures share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    pub(crate) panel_height: u32,
    pub(crate) style: Style,
    pub(crate) view: Camera,
    pub(crate) follow: bool,
    pub(crate) heights: Heights,
    pub(crate) background: [u8; 3],
    pub(crate) max_pixels: u64,
}

impl From<&FilmstripOptions> for Look {
    fn from(options: &FilmstripOptions) -> Self {
        Self {
            panel_height: options.panel_height.clamped(32, 4096),
            style: options.style,
            view: options.view,
            follow: options.follow,
            heights: options.heights,
            background: options.background,
            max_pixels: options.max_pixels,
        }
    }
}

impl From<&GifOptions> for Look {
    fn from(options: &GifOptions) -> Self {
        Self {
            panel_height: options.panel_height.clamped(32, 4096),
            style: options.style,
            view: options.view,
            follow: options.follow,
            heights: options.heights,
            background: options.background,
            max_pixels: options.max_pixels,
        }
    }
}
