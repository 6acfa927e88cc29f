//! An actor made ready for drawing: upright on a floor at y = 0, in metres.

use crate::bones::{Carriers, Drawing, Resting, drawing, find_hips};
use crate::camera::Eye;
use crate::close_up::CloseUp;
use crate::options::{Actor, Look, Style, TimeWindow};
use crate::skinning::{Palettes, Surface};
use crate::texture::Textures;
use glam::{Affine3A, Vec2, Vec3, Vec3A};
use rebone_model::kinematics::update_model_pose;
use rebone_model::sampling::sample_clip_into;
use rebone_model::{Character, Clip, LocalPose, ModelPose};

/// Vertices a mesh that are looked at to find out how large a body is.
const MEASURED_VERTICES: usize = 3_000;
/// Times of the clip at which the floor is looked for.
const MEASURED_TIMES: usize = 16;

/// A motion that is further from the floor than this all the time, in heights, happens on another floor.
const ELSEWHERE: f32 = 1.5;

/// An actor with everything that does not change over time.
pub(crate) struct Stage<'a> {
    pub(crate) character: &'a Character,
    pub(crate) clip: Option<&'a Clip>,
    pub(crate) title: &'a str,
    /// World from model space, with the floor brought to y = 0.
    pub(crate) world_from_model: Affine3A,
    /// Height of the body, metres; positive.
    pub(crate) height: f32,
    pub(crate) surfaces: Vec<Surface<'a>>,
    pub(crate) textures: Textures,
    pub(crate) drawing: Drawing,
    pub(crate) shows_mesh: bool,
    pub(crate) shows_bones: bool,
    /// The part of the clip that is shown.
    pub(crate) shown: TimeWindow,
    /// The part that the camera comes close to; `None`: the whole body.
    pub(crate) close_up: Option<CloseUp>,
    hips: Option<usize>,
}

/// An actor at one time.
#[derive(Default)]
pub(crate) struct Posed {
    pub(crate) world: Vec<Affine3A>,
    pub(crate) palettes: Palettes,
    local: LocalPose,
    model: ModelPose,
}

impl<'a> Stage<'a> {
    pub(crate) fn new(actor: &'a Actor<'a>, look: &Look) -> Self {
        let character = actor.character;
        let surfaces: Vec<Surface<'a>> = character
            .meshes
            .iter()
            .map(|mesh| Surface::new(character, mesh))
            .filter(|surface| !surface.triangles.is_empty())
            .collect();
        let has_mesh = !surfaces.is_empty();
        let shows_mesh = has_mesh && look.style != Style::Skeleton;
        let mut stage = Self {
            character,
            clip: actor.clip,
            title: &actor.title,
            world_from_model: actor.world_from_model(),
            height: 1.0,
            textures: if shows_mesh {
                Textures::of(character)
            } else {
                Textures::default()
            },
            surfaces,
            drawing: Drawing::default(),
            shows_mesh,
            shows_bones: !has_mesh || matches!(look.style, Style::Skeleton | Style::Both),
            shown: look.window,
            close_up: None,
            hips: None,
        };
        let mut posed = Posed::default();
        stage.pose(None, &mut posed);
        let found = find_hips(character, &posed.world);
        let asked = actor.follow_joint;
        stage.hips = asked.filter(|&joint| joint < posed.world.len()).or(found);
        let carriers = Carriers {
            top: found,
            body: stage.hips,
        };
        let unmeasured = Resting {
            character,
            slots: &actor.slot_sides,
            world: &posed.world,
            height: stage.height,
        };
        stage.drawing = drawing(unmeasured, carriers);
        let floor = stage.measure(&mut posed);
        stage.world_from_model.translation.y -= floor;
        stage.pose(None, &mut posed);
        let body = Resting {
            character,
            slots: &actor.slot_sides,
            world: &posed.world,
            height: stage.height,
        };
        stage.drawing = drawing(body, carriers);
        stage.close_up = CloseUp::new(body, &stage.surfaces, &stage.drawing, &actor.close_up);
        stage
    }

    /// Start and end of what is shown of the clip, seconds; `(0, 0)` without clip.
    pub(crate) fn span(&self) -> (f32, f32) {
        let (start, end) = self.clip_span();
        self.shown.within(start, end)
    }

    /// Start and end of the whole clip, seconds; `(0, 0)` without clip.
    fn clip_span(&self) -> (f32, f32) {
        self.clip.map_or((0.0, 0.0), Clip::time_span)
    }

    /// Poses the actor at a time of its clip; `None`: in the rest pose.
    pub(crate) fn pose(&self, time: Option<f32>, posed: &mut Posed) {
        let skeleton = &self.character.skeleton;
        posed.local = skeleton.rest_pose();
        if let (Some(clip), Some(time)) = (self.clip, time) {
            sample_clip_into(clip, time, &mut posed.local);
        }
        update_model_pose(skeleton, &posed.local, &mut posed.model);
        posed.world.clear();
        posed.world.extend(
            (0..posed.model.len())
                .map(|joint| self.world_from_model * posed.model.model_from_joint(joint)),
        );
        posed.palettes.update(self.character, &posed.world);
    }

    /// The point on the floor under the hips.
    pub(crate) fn pivot(&self, posed: &Posed) -> Vec3 {
        let place = self.hips.and_then(|hips| posed.world.get(hips));
        let position = place.map_or(Vec3A::ZERO, |place| place.translation);
        if position.is_finite() {
            Vec3::new(position.x, 0.0, position.z)
        } else {
            Vec3::ZERO
        }
    }

    /// Calls `visit` for points that between them span what the camera frames.
    fn each_framed_point(&self, posed: &Posed, mut visit: impl FnMut(Vec3A)) {
        let Some(part) = &self.close_up else {
            return self.each_point(posed, visit);
        };
        let mut visit = |point: Vec3A| {
            if point.is_finite() {
                visit(point);
            }
        };
        if self.shows_mesh {
            let base = self.world_from_model;
            for (surface, chosen) in self.surfaces.iter().zip(&part.vertices) {
                let mut chosen = chosen.iter();
                surface.place(&posed.palettes, &posed.world, base, 1, |point, _| {
                    if chosen.next() == Some(&true) {
                        visit(point);
                    }
                });
            }
        }
        let placed = posed.world.iter().zip(&part.joints);
        placed
            .filter(|(_, is_part)| **is_part)
            .for_each(|(place, _)| visit(place.translation));
        for bone in &self.drawing.bones {
            // The end of a fingertip, which is no joint.
            if bone.to.is_none()
                && part.joints.get(bone.from) == Some(&true)
                && let Some((_, end)) = bone.ends(&posed.world)
            {
                visit(end);
            }
        }
    }

    /// The middle of what the camera frames.
    pub(crate) fn middle(&self, posed: &Posed) -> Option<Vec3> {
        let mut low = Vec3A::INFINITY;
        let mut high = Vec3A::NEG_INFINITY;
        self.each_framed_point(posed, |point| {
            low = low.min(point);
            high = high.max(point);
        });
        let middle = Vec3::from((low + high) * 0.5);
        middle.is_finite().then_some(middle)
    }

    /// Calls `visit` for points that between them span what is drawn.
    fn each_point(&self, posed: &Posed, mut visit: impl FnMut(Vec3A)) {
        if self.shows_mesh {
            let base = self.world_from_model;
            for surface in &self.surfaces {
                let stride = surface.mesh.positions.len() / MEASURED_VERTICES + 1;
                surface.place(&posed.palettes, &posed.world, base, stride, |point, _| {
                    if point.is_finite() {
                        visit(point);
                    }
                });
            }
        }
        if self.shows_bones || !self.shows_mesh {
            for bone in &self.drawing.bones {
                if let Some((from, to)) = bone.ends(&posed.world) {
                    for point in [from, to] {
                        if point.is_finite() {
                            visit(point);
                        }
                    }
                }
            }
        }
    }

    fn box_of(&self, posed: &Posed) -> Option<(Vec3A, Vec3A)> {
        let mut bounds: Option<(Vec3A, Vec3A)> = None;
        self.each_point(posed, |point| {
            let (low, high) = bounds.unwrap_or((point, point));
            bounds = Some((low.min(point), high.max(point)));
        });
        bounds
    }

    /// Sets the height and returns where the floor is.
    ///
    /// The floor is 0 where the character rests on it, so that what sinks or floats can be seen, unless
    /// the whole motion happens far from it. Else it is as low as the body comes at most times: a few
    /// outliers below do not count.
    fn measure(&mut self, posed: &mut Posed) -> f32 {
        let rest = self.box_of(posed);
        // The whole clip, so that every window on it has one floor and one height.
        let (start, end) = self.clip_span();
        let mut lowest = Vec::new();
        let mut tallest = Vec::new();
        if self.clip.is_some() {
            for step in 0..MEASURED_TIMES {
                let time = start + (end - start) * step as f32 / (MEASURED_TIMES - 1) as f32;
                self.pose(Some(time), posed);
                if let Some((low, high)) = self.box_of(posed) {
                    lowest.push(low.y);
                    tallest.push(high.y - low.y);
                }
            }
        }
        lowest.sort_by(f32::total_cmp);
        tallest.sort_by(f32::total_cmp);
        let animated_low = lowest.get(lowest.len() / 8).copied();
        let animated_tall = tallest.get(tallest.len() / 2).copied();
        let (rest_low, rest_tall, rest_size) = rest.map_or((0.0, 0.0, 0.0), |(low, high)| {
            (low.y, high.y - low.y, (high - low).max_element())
        });
        let height = rest_tall.max(animated_tall.unwrap_or(0.0));
        let height = if height > 0.2 * rest_size {
            height
        } else {
            rest_size
        };
        self.height = if height.is_finite() && height > 1e-6 {
            height
        } else {
            1.0
        };
        let tolerance = 0.06 * self.height;
        let rests_on_zero = rest_low.abs() <= tolerance;
        // Somebody who flies and lands has a floor to land on.
        let far = ELSEWHERE * self.height;
        let elsewhere = lowest.first().is_some_and(|low| *low > far)
            || lowest.last().is_some_and(|low| *low < -far);
        match animated_low {
            Some(low) if !rests_on_zero || elsewhere => low,
            None if !rests_on_zero => rest_low,
            _ => 0.0,
        }
    }

    /// Extent of the body at the given times in the image plane of a camera with focal length 1, as
    /// (lowest x, lowest y), (highest x, highest y); y down. `eye_at` gives the camera for a pose.
    pub(crate) fn window(
        &self,
        times: &[Option<f32>],
        posed: &mut Posed,
        eye_at: impl Fn(&Posed) -> Eye,
    ) -> (Vec2, Vec2) {
        let mut low = Vec2::INFINITY;
        let mut high = Vec2::NEG_INFINITY;
        for &time in times {
            self.pose(time, posed);
            let eye = eye_at(posed);
            self.each_framed_point(posed, |point| {
                if let Some(pixel) = eye.project(point) {
                    low = low.min(pixel.truncate());
                    high = high.max(pixel.truncate());
                }
            });
        }
        if low.cmple(high).all() {
            (low, high)
        } else {
            let eye = eye_at(posed);
            let pixel = |y| eye.project(Vec3A::Y * y).unwrap_or_default().truncate();
            (pixel(self.height), pixel(0.0))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;
    use rebone_model::{
        Character, Interpolation, JointKind, NewJoint, SkeletonBuilder, Track, Transform,
    };

    #[test]
    fn the_camera_follows_the_joint_that_it_is_told() {
        let character = samples::tube();
        let clip = samples::bend(1.0);
        let mut actor = Actor::new(&character, Some(&clip), "");
        let pivot = |actor: &Actor<'_>| {
            let stage = Stage::new(actor, &Look::default());
            let mut posed = Posed::default();
            stage.pose(Some(0.0), &mut posed);
            posed.world[1].translation.x = 3.0;
            stage.pivot(&posed)
        };
        assert_eq!(pivot(&actor).x, 0.0);
        actor.follow_joint = Some(1);
        assert_eq!(pivot(&actor).x, 3.0);
        actor.follow_joint = Some(99);
        assert_eq!(pivot(&actor).x, 0.0, "no such joint");
    }

    #[test]
    fn skinless_joints_above_the_body_are_not_drawn() {
        let mut character = samples::tube();
        let mut actor_joints = |own: bool, follow: Option<usize>| {
            for weights in &mut character.meshes[0].joint_weights {
                *weights = if own {
                    [0.5, 0.5, 0.0, 0.0]
                } else {
                    [0.0, 1.0, 0.0, 0.0]
                };
            }
            let mut actor = Actor::new(&character, None, "");
            actor.follow_joint = follow;
            let stage = Stage::new(
                &actor,
                &Look {
                    style: Style::Skeleton,
                    ..Look::default()
                },
            );
            stage.drawing.knobs.len()
        };
        assert_eq!(actor_joints(true, Some(1)), 2);
        assert_eq!(actor_joints(false, None), 2);
        assert_eq!(actor_joints(false, Some(1)), 1);
    }

    /// Heights of the root over the floor, in a clip in which it goes from one height to another.
    fn root_heights(from: f32, to: f32) -> [f32; 2] {
        let character = samples::tube();
        let mut clip = samples::bend(1.0);
        let places = vec![from * Vec3::Y, to * Vec3::Y];
        let track = Track::new(Interpolation::Linear, vec![0.0, 1.0].into(), places);
        clip.joints[0].translation = track.ok();
        let actor = Actor::new(&character, Some(&clip), "");
        let stage = Stage::new(&actor, &Look::default());
        [0.0, 1.0].map(|time| {
            let mut posed = Posed::default();
            stage.pose(Some(time), &mut posed);
            posed.world[0].translation.y
        })
    }

    #[test]
    fn who_flies_and_lands_has_the_floor_to_land_on() {
        let [_, landed] = root_heights(9.0, 0.0);
        assert!(landed.abs() < 1e-3, "{landed}");
        let [started, _] = root_heights(0.0, 9.0);
        assert!(started.abs() < 1e-3, "{started}");
        // A motion on another floor far away is seen on that.
        let [high, _] = root_heights(90.0, 90.0);
        assert!(high.abs() < 1.0, "{high}");
    }

    #[test]
    fn of_several_roots_the_body_is_drawn_and_not_a_prop() {
        let mut builder = SkeletonBuilder::new();
        let mut add = |name: &str, kind, parent, at: Vec3| {
            let joint = NewJoint::new(name, parent, Transform::from_translation(at));
            builder.add(NewJoint { kind, ..joint })
        };
        // Far apart, so that no joint has most of the box of all below it.
        let above = add("above", JointKind::Ancestor, None, Vec3::ZERO);
        let at = Vec3::new(4.0, 0.0, 0.0);
        add("prop", JointKind::Joint, Some(above), at);
        let root = add("root", JointKind::Joint, Some(above), Vec3::ZERO);
        let middle = add("middle", JointKind::Joint, Some(root), Vec3::Y);
        add("tip", JointKind::Joint, Some(middle), Vec3::Y);
        let (skeleton, _) = builder.build().unwrap();
        let character = Character {
            skeleton,
            ..Character::default()
        };
        let actor = Actor::new(&character, None, "");
        let stage = Stage::new(&actor, &Look::default());
        let drawn: Vec<usize> = stage.drawing.knobs.iter().map(|knob| knob.joint).collect();
        assert_eq!(drawn, [2, 3, 4]);
    }
}
