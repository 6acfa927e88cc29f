//! A filmstrip as PNG.

use crate::canvas::Canvas;
use crate::cell::Painter;
use crate::color::Theme;
use crate::error::Error;
use crate::filmstrip_layout::filmstrip_layout;
use crate::layout::{Layout, side_by_side_layout, stages};
use crate::options::{Actor, FilmstripOptions};
use crate::stage::Stage;

/// A filmstrip as PNG: one row an actor, one column a time, each row on one floor line.
///
/// Times are even over each actor's clip, both ends included. The picture is as large as it needs to
/// be: [`Look::panel_height`](crate::Look::panel_height) sets the height of the tallest row.
///
/// Fails without actors, and where the picture would be larger than the options allow.
pub fn filmstrip_png(actors: &[Actor<'_>], options: &FilmstripOptions) -> Result<Vec<u8>, Error> {
    let look = &options.look;
    let stages = stages(actors, look)?;
    let layout = layout_of(&stages, options)?;
    let theme = Theme::new(look.background);
    let mut canvas = paper(&layout, &theme, true);
    let mut painter = Painter::new();
    let angle_degrees = look.view.angle_degrees();
    for place in &layout.places {
        let cell = layout.cell(&stages, place, angle_degrees, &mut painter.posed);
        painter.paint(&cell, &theme, |transfer, x, y, color, alpha| {
            canvas.blend(transfer, place.x + x, place.y + y, color, alpha);
        });
    }
    canvas.to_png()
}

/// The cells that the options ask for.
pub(crate) fn layout_of(stages: &[Stage<'_>], options: &FilmstripOptions) -> Result<Layout, Error> {
    let look = &options.look;
    if !options.side_by_side {
        return filmstrip_layout(stages, options.frames, look);
    }
    let start = |stage: &Stage<'_>| stage.clip.is_some().then(|| stage.span().0);
    let times: Vec<Vec<Option<f32>>> = stages.iter().map(|stage| vec![start(stage)]).collect();
    let mut layout = side_by_side_layout(stages, &times, &[look.view.angle_degrees()], 1, look)?;
    for place in &mut layout.places {
        place.time = start(&stages[place.stage]);
    }
    Ok(layout)
}

/// The picture without its cells: paper, panels, floor lines, writing.
pub(crate) fn paper(layout: &Layout, theme: &Theme, gradient: bool) -> Canvas {
    let mut canvas = Canvas::new(layout.width, layout.height, theme.paper);
    for panel in &layout.panels {
        canvas.panel(panel, theme, gradient);
        let ends = panel.x..panel.x + panel.width;
        if let Some(row) = panel.floor_y {
            canvas.level_line(ends, row, theme.line, FLOOR_LINE_OPACITY);
        }
    }
    for text in &layout.texts {
        canvas.text(text, theme);
    }
    canvas
}

/// Opacity of the line that runs through all cells of a row.
pub(crate) const FLOOR_LINE_OPACITY: f32 = 0.28;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Place;
    use crate::options::Look;
    use crate::options::{Camera, Heights, Style, TimeWindow};
    use crate::picture_file::{self, Picture};
    use crate::samples;
    use crate::svg::filmstrip_svg;
    use glam::{Quat, Vec3};
    use rebone_model::{Character, ImageData, Material, Mesh};

    fn small() -> FilmstripOptions {
        FilmstripOptions {
            frames: 3,
            look: Look {
                panel_height: 96,
                view: Camera::Front,
                ..Look::default()
            },
            ..FilmstripOptions::default()
        }
    }

    /// The small strip with another look.
    fn looking(change: impl FnOnce(&mut Look)) -> FilmstripOptions {
        let mut options = small();
        change(&mut options.look);
        options
    }

    fn decode(png: &[u8]) -> Picture {
        picture_file::decode(png).unwrap()
    }

    /// Mean place of the pixels of a red body in each cell, as share of the cell's width.
    fn red_middles(actor: Actor<'_>) -> Vec<f32> {
        let actors = [actor];
        let picture = decode(&filmstrip_png(&actors, &small()).unwrap());
        let look = small().look;
        let stages = stages(&actors, &look).unwrap();
        let layout = filmstrip_layout(&stages, small().frames, &look).unwrap();
        let middle_of = |place: &Place| {
            let (mut sum, mut count) = (0.0, 0.0);
            for y in place.y..place.y + place.height {
                for x in 0..place.width {
                    let [r, g, b, _] = picture.pixels[y * picture.width + place.x + x];
                    if r > 100 && g < 60 && b < 60 {
                        sum += x as f32;
                        count += 1.0;
                    }
                }
            }
            assert!(count > 20.0, "the body is seen");
            sum / count / place.width as f32
        };
        layout.places.iter().map(middle_of).collect()
    }

    fn red_tube() -> Character {
        let mut character = samples::tube();
        character.materials.push(Material {
            name: "red".into(),
            base_color: [0.8, 0.0, 0.0, 1.0],
            base_color_image: None,
            alpha_cutoff: None,
            double_sided: false,
        });
        character.meshes[0].material = Some(0);
        character
    }

    #[test]
    fn a_bending_limb_moves_to_where_it_bends() {
        let character = red_tube();
        // Seen from the front, +X is right; the first clip bends to -X.
        for (direction, sign) in [(1.0, -1.0), (-1.0, 1.0)] {
            let clip = samples::bend(direction);
            let middles = red_middles(Actor::new(&character, Some(&clip), ""));
            assert!((middles[1] - middles[0]) * sign > 0.03, "{middles:?}");
            assert!((middles[2] - middles[1]) * sign > 0.02, "{middles:?}");
        }
    }

    #[test]
    fn canonical_rotation_turns_the_picture() {
        let character = red_tube();
        let clip = samples::bend(1.0);
        let mut actor = Actor::new(&character, Some(&clip), "");
        actor.canonical_from_file = Quat::from_rotation_y(std::f32::consts::PI);
        actor.scale = 100.0;
        let middles = red_middles(actor);
        assert!(middles[2] - middles[0] > 0.05, "{middles:?}");
    }

    #[test]
    fn a_window_shows_its_part_of_the_clip() {
        let character = red_tube();
        let clip = samples::bend(1.0);
        let actors = [Actor::new(&character, Some(&clip), "")];
        let options = looking(|look| {
            look.window = TimeWindow {
                from: Some(0.25),
                to: Some(0.75),
            };
        });
        let stages = stages(&actors, &options.look).unwrap();
        let layout = layout_of(&stages, &options).unwrap();
        let times: Vec<_> = layout.places.iter().map(|place| place.time).collect();
        assert_eq!(times, [Some(0.25), Some(0.5), Some(0.75)]);
        for (from, to, shown) in [
            (Some(0.5), None, (0.5, 1.0)),
            (None, Some(9.0), (0.0, 1.0)),
            (Some(4.0), Some(5.0), (1.0, 1.0)),
            (Some(0.8), Some(0.2), (0.8, 0.8)),
            (Some(f32::NAN), Some(f32::INFINITY), (0.0, 1.0)),
        ] {
            assert_eq!(TimeWindow { from, to }.within(0.0, 1.0), shown);
        }
    }

    #[test]
    fn onion_skins_show_the_poses_before() {
        let character = red_tube();
        let clip = samples::bend(1.0);
        let actors = [Actor::new(&character, Some(&clip), "")];
        let faint = |onion| {
            let strip = FilmstripOptions {
                frames: 1,
                ..looking(|look| (look.onion, look.follow) = (onion, false))
            };
            let picture = decode(&filmstrip_png(&actors, &strip).unwrap());
            let is_faint = |pixel: &&[u8; 4]| {
                let [r, g, b, _] = **pixel;
                r > 150 && r > g.saturating_add(25) && g > 90 && b > 90
            };
            let svg = filmstrip_svg(
                &actors,
                &looking(|look| {
                    (look.onion, look.style) = (onion, Style::Skeleton);
                }),
            );
            let skeletons = svg.unwrap().matches("stroke-linejoin").count();
            (picture.pixels.iter().filter(is_faint).count(), skeletons)
        };
        let ((none, alone), (some, more)) = (faint(0), faint(3));
        assert!(some > none + 50, "{none} {some}");
        // Three pictures, the first without poses before it.
        assert_eq!((alone, more), (3, 3 + 2 * 3));
    }

    #[test]
    fn a_close_up_shows_its_part_larger() {
        let character = red_tube();
        let last = character.skeleton.len() - 1;
        let red = |close_up: Vec<usize>| {
            let actor = Actor {
                close_up,
                ..Actor::new(&character, None, "")
            };
            let picture = decode(&filmstrip_png(&[actor], &small()).unwrap());
            let is_red = |pixel: &&[u8; 4]| pixel[0] > 100 && pixel[1] < 60;
            let rows = picture.pixels.chunks(picture.width);
            let rows = rows.map(|row| row.iter().filter(is_red).count());
            rows.max().unwrap()
        };
        let (whole, part) = (red(Vec::new()), red(vec![last]));
        assert!(part as f32 > 1.4 * whole as f32, "{whole} {part}");
    }

    #[test]
    fn equal_input_gives_equal_bytes_in_every_style() {
        let character = red_tube();
        let clip = samples::bend(1.0);
        for style in [Style::Auto, Style::Mesh, Style::Skeleton, Style::Both] {
            let options = looking(|look| look.style = style);
            let actors = [
                Actor::new(&character, Some(&clip), "a title"),
                Actor::new(&character, None, "<&\u{0}>"),
            ];
            let png = filmstrip_png(&actors, &options).unwrap();
            assert_eq!(png, filmstrip_png(&actors, &options).unwrap());
            let svg = filmstrip_svg(&actors, &options).unwrap();
            assert_eq!(svg, filmstrip_svg(&actors, &options).unwrap());
            assert_eq!(svg.contains("<image"), style != Style::Skeleton);
            assert_eq!(
                svg.contains("<circle"),
                style as u8 >= Style::Skeleton as u8
            );
            assert_well_formed(&svg);
        }
    }

    /// Every tag is closed in order, every attribute quoted, and no stray sign stands in text.
    fn assert_well_formed(svg: &str) {
        let mut open = Vec::new();
        let mut rest = svg.trim();
        while let Some(start) = rest.find('<') {
            assert!(!rest[..start].contains('>'));
            let end = start + rest[start..].find('>').unwrap();
            let tag = &rest[start + 1..end];
            assert!(!tag.contains('<') && tag.matches('"').count().is_multiple_of(2));
            if let Some(name) = tag.strip_prefix('/') {
                assert_eq!(open.pop(), Some(name));
            } else if !tag.ends_with('/') {
                open.push(tag.split_whitespace().next().unwrap());
            }
            rest = &rest[end + 1..];
            assert!(!open.is_empty() || rest.is_empty(), "one root only");
        }
        assert!(open.is_empty());
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
    }

    #[test]
    fn very_different_sizes_become_equal_and_others_stay_true() {
        let character = samples::tube();
        let heights = |scale: f32, heights| {
            let mut small_one = Actor::new(&character, None, "");
            small_one.scale = scale;
            let actors = [Actor::new(&character, None, ""), small_one];
            let look = looking(|look| look.heights = heights).look;
            let stages = stages(&actors, &look).unwrap();
            let layout = filmstrip_layout(&stages, 1, &look).unwrap();
            layout.places[1].height as f32 / layout.places[0].height as f32
        };
        assert!((heights(0.5, Heights::Auto) - 0.5).abs() < 0.1);
        assert!((heights(0.1, Heights::Auto) - 1.0).abs() < 0.05);
        assert!((heights(0.5, Heights::Same) - 1.0).abs() < 0.05);
    }

    #[test]
    fn empty_and_broken_characters_are_survived() {
        let nobody = Character::default();
        let mut broken = samples::tube();
        broken.meshes[0].positions[3] = Vec3::NAN;
        broken.meshes[0].positions[5] = Vec3::splat(f32::INFINITY);
        broken.meshes[0].positions[7] = Vec3::splat(1e30);
        broken.meshes[0].normals[4] = Vec3::ZERO;
        broken.meshes[0].material = Some(77);
        broken.meshes[0].indices.extend([1, 1, 1, 900_000, 0, 2]);
        broken.skins[0].joints[1] = 55;
        broken.images.push(ImageData {
            bytes: b"nonsense".to_vec(),
        });
        broken.materials.push(Material {
            name: String::new(),
            base_color: [f32::NAN; 4],
            base_color_image: Some(0),
            alpha_cutoff: Some(0.5),
            double_sided: true,
        });
        broken.meshes.push(Mesh {
            skin: Some(9),
            joint: Some(99),
            ..broken.meshes[0].clone()
        });
        broken.meshes.push(Mesh::default());
        let clip = samples::bend(1.0);
        for style in [Style::Auto, Style::Both] {
            let mut tiny = Actor::new(&broken, Some(&clip), "tiny");
            tiny.scale = f32::NAN;
            tiny.canonical_from_file = Quat::from_xyzw(f32::NAN, 0.0, 0.0, 0.0);
            let actors = [
                Actor::new(&nobody, None, ""),
                Actor::new(&nobody, Some(&clip), "nobody"),
                tiny,
            ];
            for follow in [true, false] {
                let look = looking(|look| {
                    (look.style, look.follow, look.onion) = (style, follow, 2);
                });
                let options = FilmstripOptions { frames: 2, ..look };
                filmstrip_png(&actors, &options).unwrap();
                filmstrip_svg(&actors, &options).unwrap();
            }
        }
        assert_eq!(filmstrip_png(&[], &small()), Err(Error::NoActors));
        let options = looking(|look| look.max_pixels = 100);
        let actors = [Actor::new(&nobody, None, "")];
        assert!(matches!(
            filmstrip_svg(&actors, &options),
            Err(Error::TooLarge { .. })
        ));
    }
}
