//! One picture of one actor at one time.

mod floor;

pub(crate) use floor::{ARROW, grid_radius, grid_spacing};

use crate::camera::Eye;
use crate::color::{Theme, Transfer};
use crate::raster::{NOTHING, SAMPLES_PER_SIDE, Samples};
use crate::scene::Scene;
use crate::shade::{Setup, Shader};
use crate::shadow::Shadows;
use crate::stage::{Posed, Stage};
use floor::Floor;
use glam::{Vec2, Vec3, Vec3A};

/// Opacity of a skeleton that shines through a mesh.
const OVERLAY_OPACITY: f32 = 0.86;
/// Opacity of the earliest and of the latest pose behind a picture.
const GHOST_OPACITY: [f32; 2] = [0.14, 0.34];
/// Opacity of what is under the floor.
const SUNK_OPACITY: f32 = 0.32;

/// Draws cells; its buffers are kept from cell to cell.
pub(crate) struct Painter {
    pub(crate) transfer: Transfer,
    pub(crate) posed: Posed,
    scene: Scene,
    shadows: Shadows,
    body: Samples,
    overlay: Samples,
}

/// How strongly the pose number `index` of `count` earlier ones shows.
pub(crate) fn ghost_opacity(index: usize, count: usize) -> f32 {
    let [first, last] = GHOST_OPACITY;
    first + (last - first) * (index + 1) as f32 / count as f32
}

/// What a cell shows.
pub(crate) struct Cell<'a> {
    pub(crate) stage: &'a Stage<'a>,
    /// `None` for the rest pose.
    pub(crate) time: Option<f32>,
    /// Times of earlier poses that are drawn faintly behind it.
    pub(crate) ghosts: Vec<f32>,
    pub(crate) eye: Eye,
    pub(crate) pivot: Vec3,
    /// Pixels.
    pub(crate) width: usize,
    /// Pixels.
    pub(crate) height: usize,
    /// How far the body goes from a pivot that stays, metres.
    pub(crate) travel: f32,
    /// Size of what is seen, metres; grid lines go by it.
    pub(crate) scale: f32,
    /// Grid lines are drawn; shadows always are.
    pub(crate) lines: bool,
    /// The facing arrow is drawn where lines are.
    pub(crate) arrow: bool,
    /// Bones are drawn where the stage shows them.
    pub(crate) bones: bool,
}

impl Painter {
    pub(crate) fn new() -> Self {
        Self {
            transfer: Transfer::new(),
            posed: Posed::default(),
            scene: Scene::default(),
            shadows: Shadows::default(),
            body: Samples::default(),
            overlay: Samples::default(),
        }
    }

    /// Gives `sink` the linear colour (times alpha) and alpha of every pixel (x, y) that is not empty, from back to front:
    /// some pixels several times.
    pub(crate) fn paint(
        &mut self,
        cell: &Cell<'_>,
        theme: &Theme,
        mut sink: impl FnMut(&Transfer, usize, usize, Vec3A, f32),
    ) {
        let count = cell.ghosts.len();
        for (index, &ghost) in cell.ghosts.iter().enumerate() {
            let opacity = ghost_opacity(index, count);
            self.paint_pose(cell, Some(ghost), None, |transfer, x, y, color, alpha| {
                sink(transfer, x, y, color * opacity, alpha * opacity);
            });
        }
        self.paint_pose(cell, cell.time, Some(theme), sink);
    }

    /// The body at one time, with the floor where there is a theme.
    fn paint_pose(
        &mut self,
        cell: &Cell<'_>,
        time: Option<f32>,
        theme: Option<&Theme>,
        mut sink: impl FnMut(&Transfer, usize, usize, Vec3A, f32),
    ) {
        let stage = cell.stage;
        stage.pose(time, &mut self.posed);
        self.scene
            .fill(stage, &self.posed, &cell.eye, &self.transfer, cell.bones);
        self.shadows.cast(&self.scene, &cell.eye, stage.height);
        let (width, height) = (
            cell.width * SAMPLES_PER_SIDE,
            cell.height * SAMPLES_PER_SIDE,
        );
        self.body.reset(width, height);
        self.scene
            .rasterize(&mut self.body, stage, &self.transfer, false);
        let has_overlay = self.scene.overlay_start < self.scene.triangles.len();
        if has_overlay {
            self.overlay.reset(width, height);
            self.scene
                .rasterize(&mut self.overlay, stage, &self.transfer, true);
        }
        let shader = Shader {
            scene: &self.scene,
            stage,
            shadows: &self.shadows,
            transfer: &self.transfer,
            to_light: cell.eye.light(),
            to_eye: -cell.eye.forward,
            halfway: (cell.eye.light() - cell.eye.forward).normalize_or(Vec3A::Y),
            sunk_below: -0.008 * stage.height,
        };
        let floor = theme.map(|theme| Floor::new(cell, &self.shadows, theme, &self.transfer));
        let (mut body, mut over) = (None, None);
        for y in 0..cell.height {
            let row = floor
                .as_ref()
                .and_then(|floor| Some((floor, floor.row(y, cell.width)?)));
            for x in 0..cell.width {
                let (mut color, mut alpha) = resolve(&self.body, &shader, &mut body, x, y);
                if has_overlay {
                    let (above, share) = resolve(&self.overlay, &shader, &mut over, x, y);
                    color = color * (1.0 - share * OVERLAY_OPACITY) + above * OVERLAY_OPACITY;
                    alpha += (1.0 - alpha) * share * OVERLAY_OPACITY;
                }
                if alpha < 0.999
                    && let Some((floor, row)) = &row
                    && (row.first..row.after).contains(&x)
                {
                    let (below, share) = floor.at(row, x);
                    color += below * (1.0 - alpha);
                    alpha += share * (1.0 - alpha);
                }
                if alpha > 0.0 {
                    sink(&self.transfer, x, y, color, alpha);
                }
            }
        }
    }
}

/// Colour (times alpha) and alpha of a pixel of one layer, from its four samples.
#[inline]
fn resolve(
    samples: &Samples,
    shader: &Shader<'_>,
    setup: &mut Option<Setup>,
    x: usize,
    y: usize,
) -> (Vec3A, f32) {
    let top = y * SAMPLES_PER_SIDE * samples.width + x * SAMPLES_PER_SIDE;
    let bottom = top + samples.width;
    let places = [top, top + 1, bottom, bottom + 1];
    let seen = places.map(|at| samples.triangle[at]);
    if seen == [NOTHING; 4] {
        return (Vec3A::ZERO, 0.0);
    }
    let corner = Vec2::new((x * SAMPLES_PER_SIDE) as f32, (y * SAMPLES_PER_SIDE) as f32);
    let mut one = |triangle, at| {
        let (color, sunk) = shader.shade(setup, triangle, at);
        let share = if sunk { SUNK_OPACITY } else { 1.0 };
        (color * share, share)
    };
    if shader.scene.is_smooth(seen) {
        return one(seen[0], corner + 1.0);
    }
    let mut color = Vec3A::ZERO;
    let mut alpha = 0.0;
    for first in 0..4 {
        let triangle = seen[first];
        if triangle == NOTHING || seen[..first].contains(&triangle) {
            continue;
        }
        // Once for each triangle, in the middle of its samples.
        let (mut middle, mut count) = (Vec2::ZERO, 0.0);
        for (index, _) in seen
            .iter()
            .enumerate()
            .filter(|(_, other)| **other == triangle)
        {
            middle += Vec2::new((index % 2) as f32 + 0.5, (index / 2) as f32 + 0.5);
            count += 1.0;
        }
        let (sample, share) = one(triangle, corner + middle / count);
        color += sample * count;
        alpha += share * count;
    }
    (color * 0.25, alpha * 0.25)
}
