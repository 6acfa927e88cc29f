//! Actors side by side as animated GIF.

use crate::canvas::Canvas;
use crate::cell::Painter;
use crate::color::Theme;
use crate::error::Error;
use crate::filmstrip::paper;
use crate::layout::{Layout, side_by_side_layout, stages};
use crate::options::{Actor, GifOptions, Look};
use crate::palette::Histogram;
use crate::stage::Stage;
use ::gif::{DisposalMethod, Encoder, Frame, Repeat};
use rebone_model::Clamp as _;
use std::borrow::Cow;
use std::rc::Rc;

/// Angles from which a turntable is measured.
const MEASURED_ANGLES: usize = 12;

/// The actors side by side on one floor line, each playing its clip, as an endless GIF.
///
/// Fails without actors, and where the frames together would have more pixels than the options allow.
pub fn playback_gif(actors: &[Actor<'_>], options: &GifOptions) -> Result<Vec<u8>, Error> {
    playback(&stages(actors, &options.look)?, options)
}

/// The same of stages.
pub(crate) fn playback(stages: &[Stage<'_>], options: &GifOptions) -> Result<Vec<u8>, Error> {
    let look = &options.look;
    let pace = Pace::of_playback(options, stages);
    let angle_degrees = look.view.angle_degrees();
    let (layout, frames) = animate(stages, &pace, look, |_| angle_degrees, true)?;
    encode(&layout, frames, &pace)
}

/// The images of [`playback_gif`] in full colour, each as a PNG, in their order.
pub fn playback_pngs(actors: &[Actor<'_>], options: &GifOptions) -> Result<Vec<Vec<u8>>, Error> {
    let look = &options.look;
    let stages = stages(actors, look)?;
    let pace = Pace::of_playback(options, &stages);
    let angle_degrees = look.view.angle_degrees();
    let (_, frames) = animate(&stages, &pace, look, |_| angle_degrees, true)?;
    frames.map(|canvas| canvas.to_png()).collect()
}

/// The actors side by side, seen from all around, as an endless GIF.
///
/// They stand in the first pose of their clip, or play it where [`GifOptions::play`] says so. Fails
/// like [`playback_gif`].
pub fn turntable_gif(actors: &[Actor<'_>], options: &GifOptions) -> Result<Vec<u8>, Error> {
    let look = &options.look;
    let stages = stages(actors, look)?;
    let pace = Pace::new(options, 4.0);
    let start_degrees = look.view.angle_degrees();
    let step_degrees = 360.0 / pace.frames as f32;
    let angle_at = |frame: usize| start_degrees + step_degrees * frame as f32;
    let (layout, frames) = animate(&stages, &pace, look, angle_at, options.play)?;
    encode(&layout, frames, &pace)
}

/// When frames are shown.
struct Pace {
    frames: usize,
    /// Hundredths of a second.
    delay: u16,
}

impl Pace {
    /// The pace of actors that play their clips.
    fn of_playback(options: &GifOptions, stages: &[Stage<'_>]) -> Self {
        let longest = stages.iter().map(seconds_of).fold(0.0, f32::max);
        Self::new(options, longest.min(10.0))
    }

    fn new(options: &GifOptions, default_seconds: f32) -> Self {
        let rate_hz = if options.rate_hz.is_finite() {
            options.rate_hz.clamped(1.0, 50.0)
        } else {
            20.0
        };
        let delay = (100.0 / rate_hz).round() as u16;
        let seconds = options.seconds.filter(|seconds| seconds.is_finite());
        let seconds = seconds.unwrap_or(default_seconds).clamped(0.0, 120.0);
        // The last moment of a loop is its first again and not shown twice.
        let frames = (seconds * 100.0 / f32::from(delay)).round().max(1.0) as usize;
        Self { frames, delay }
    }

    fn seconds(&self, frame: usize) -> f32 {
        frame as f32 * f32::from(self.delay) / 100.0
    }
}

fn seconds_of(stage: &Stage<'_>) -> f32 {
    let (start, end) = stage.span();
    end - start
}

/// Time of an actor's clip at a moment of the animation.
fn time_at(stage: &Stage<'_>, moment: f32, play: bool) -> Option<f32> {
    stage.clip?;
    let (start, _) = stage.span();
    let length = seconds_of(stage);
    if !play || length <= 0.0 {
        return Some(start);
    }
    Some(start + moment % length)
}

/// Layout and images, which are drawn one by one.
fn animate<'a>(
    stages: &'a [Stage<'a>],
    pace: &'a Pace,
    look: &Look,
    angle_at: impl Fn(usize) -> f32 + 'a,
    play: bool,
) -> Result<(Rc<Layout>, impl Iterator<Item = Canvas> + 'a), Error> {
    let times: Vec<Vec<Option<f32>>> = stages
        .iter()
        .map(|stage| {
            let mut times: Vec<Option<f32>> = (0..pace.frames)
                .map(|frame| time_at(stage, pace.seconds(frame), play))
                .collect();
            times.dedup();
            times
        })
        .collect();
    let turning = angle_at(0) != angle_at(pace.frames / 2);
    let angle_count = if turning { MEASURED_ANGLES } else { 1 };
    let angles: Vec<f32> = (0..angle_count)
        .map(|index| angle_at(index * pace.frames / angle_count))
        .collect();
    let images = pace.frames as u64;
    let layout = Rc::new(side_by_side_layout(stages, &times, &angles, images, look)?);
    let theme = Theme::new(look.background);
    let empty = paper(&layout, &theme, false);
    let mut painter = Painter::new();
    let drawn = Rc::clone(&layout);
    let frames = (0..pace.frames).map(move |frame| {
        let layout = &drawn;
        let mut canvas = empty.clone();
        for place in &layout.places {
            let mut place = *place;
            place.time = time_at(&stages[place.stage], pace.seconds(frame), play);
            let cell = layout.cell(stages, &place, angle_at(frame), &mut painter.posed);
            painter.paint(&cell, &theme, |transfer, x, y, color, alpha| {
                canvas.blend(transfer, place.x + x, place.y + y, color, alpha);
            });
        }
        canvas
    });
    Ok((layout, frames))
}

fn encode(
    layout: &Layout,
    frames: impl Iterator<Item = Canvas>,
    pace: &Pace,
) -> Result<Vec<u8>, Error> {
    // All images are kept, because they share one palette.
    let frames: Vec<Vec<[u8; 3]>> = frames.map(|canvas| canvas.pixels).collect();
    let mut histogram = Histogram::new();
    for frame in &frames {
        histogram.add(frame);
    }
    let palette = histogram.palette();
    let unchanged = palette.colors.len() as u8;
    let mut colors: Vec<u8> = palette.colors.as_flattened().to_vec();
    colors.extend([0, 0, 0]);
    let (width, height) = (layout.width, layout.height);
    let mut bytes = Vec::new();
    let mut encoder =
        Encoder::new(&mut bytes, width as u16, height as u16, &colors).map_err(Error::encode)?;
    encoder
        .set_repeat(Repeat::Infinite)
        .map_err(Error::encode)?;
    let mut shown: Vec<u8> = Vec::new();
    for pixels in &frames {
        let indices: Vec<u8> = pixels.iter().map(|&pixel| palette.index(pixel)).collect();
        let area = changed_area(&shown, &indices, width, height);
        let mut buffer = Vec::with_capacity(area.width * area.height);
        for y in area.top..area.top + area.height {
            let row = y * width + area.left..y * width + area.left + area.width;
            for at in row {
                let same = shown.get(at) == Some(&indices[at]);
                buffer.push(if same { unchanged } else { indices[at] });
            }
        }
        let frame = Frame {
            delay: pace.delay,
            dispose: DisposalMethod::Keep,
            transparent: Some(unchanged),
            left: area.left as u16,
            top: area.top as u16,
            width: area.width as u16,
            height: area.height as u16,
            buffer: Cow::Owned(buffer),
            ..Frame::default()
        };
        encoder.write_frame(&frame).map_err(Error::encode)?;
        shown = indices;
    }
    drop(encoder);
    Ok(bytes)
}

struct Area {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
}

/// The smallest rectangle that holds all that changed; one pixel where nothing did.
fn changed_area(shown: &[u8], indices: &[u8], width: usize, height: usize) -> Area {
    if shown.len() != indices.len() {
        return Area {
            left: 0,
            top: 0,
            width,
            height,
        };
    }
    let mut low = (width, height);
    let mut high = (0, 0);
    for (at, (before, after)) in shown.iter().zip(indices).enumerate() {
        if before != after {
            let (x, y) = (at % width, at / width);
            low = (low.0.min(x), low.1.min(y));
            high = (high.0.max(x + 1), high.1.max(y + 1));
        }
    }
    if low.0 >= high.0 {
        (low, high) = ((0, 0), (1, 1));
    }
    Area {
        left: low.0,
        top: low.1,
        width: high.0 - low.0,
        height: high.1 - low.1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture_file;
    use crate::samples;

    fn small() -> GifOptions {
        GifOptions {
            rate_hz: 10.0,
            look: Look {
                panel_height: 64,
                ..GifOptions::default().look
            },
            ..GifOptions::default()
        }
    }

    fn decode(bytes: &[u8]) -> Vec<Frame<'static>> {
        let mut decoder = ::gif::DecodeOptions::new().read_info(bytes).unwrap();
        let mut frames = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            frames.push(frame.clone());
        }
        frames
    }

    #[test]
    fn playback_has_a_frame_a_tick_and_is_deterministic() {
        let character = samples::tube();
        let clip = samples::bend(1.0);
        let actors = [
            Actor::new(&character, Some(&clip), "one"),
            Actor::new(&character, None, "rest"),
        ];
        let bytes = playback_gif(&actors, &small()).unwrap();
        let frames = decode(&bytes);
        assert_eq!(frames.len(), 10);
        assert!(frames.iter().all(|frame| frame.delay == 10));
        assert!(
            frames[5].width < frames[0].width,
            "only what moved is stored"
        );
        assert_eq!(bytes, playback_gif(&actors, &small()).unwrap());
        let images = playback_pngs(&actors, &small()).unwrap();
        assert_eq!(images.len(), frames.len());
        let first = picture_file::decode(&images[0]).unwrap();
        assert_eq!(first.width, usize::from(frames[0].width));
        assert!(images[0] != images[5] && images[5] != images[9], "it moves");
    }

    #[test]
    fn turntable_turns_for_as_long_as_asked() {
        let character = samples::tube();
        let options = GifOptions {
            seconds: Some(0.6),
            play: true,
            ..small()
        };
        let clip = samples::bend(1.0);
        let actors = [Actor::new(&character, Some(&clip), "")];
        assert_eq!(decode(&turntable_gif(&actors, &options).unwrap()).len(), 6);
    }

    #[test]
    fn limits_hold() {
        let character = samples::tube();
        let options = GifOptions {
            look: Look {
                max_pixels: 1000,
                ..small().look
            },
            ..small()
        };
        let actors = [Actor::new(&character, None, "")];
        assert!(matches!(
            playback_gif(&actors, &options),
            Err(Error::TooLarge { limit: 1000, .. })
        ));
        assert_eq!(playback_gif(&[], &small()), Err(Error::NoActors));
    }
}
