//! What is worth knowing about the space in which a character stands: unit, axes, the nodes above the
//! skeleton, roots, scales and places.
//!
//! Nothing found here needs mending: containers, scales and axes take part in every product, travel is
//! scaled by the bodies' sizes, and a result is written in the space of the file it goes into.

use crate::rig::Rig;
use crate::space::{Body, length, likely_unit, unit_name};
use glam::{DVec3, Vec3};
use rebone_model::axes::Axis;
use rebone_model::elementary::{Angle as _, Elementary as _};
use rebone_model::kinematics::model_pose;
use rebone_model::track::TrackValue;
use rebone_model::{Clip, JointKind, ModelPose, Track};
use rebone_setup::profile::{Part, Side, Stance};

/// Names that a sentence lists.
const LISTED: usize = 5;

/// Heights, metres, at which centimetres are not worth a word.
const USUAL_HEIGHT: std::ops::RangeInclusive<f64> = 0.3..=4.0;

/// Metres below which a skeleton has no size: a camera, a lamp, a single joint.
const NOTHING: f64 = 1e-6;

/// A body that leans by more than this does not stand along the stated axis.
const LYING_RADIANS: f64 = std::f64::consts::FRAC_PI_4;

/// Degrees within which a body looks along an axis.
const ALONG_AXIS_DEGREES: f64 = 5.0;

/// One thing worth saying.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Stable code in kebab-case.
    pub code: &'static str,
    /// The joint or node it is about, by unique name.
    pub joint: Option<String>,
    /// What was found, in a sentence.
    pub message: String,
}

/// Everything worth saying about a rig's space, the most general first.
pub fn audit(rig: &Rig) -> Vec<Finding> {
    let mut found = Findings {
        rig,
        rest: model_pose(&rig.character.skeleton, &rig.character.skeleton.rest_pose()),
        all: Vec::new(),
    };
    found.unit();
    found.axes();
    found.containers();
    found.roots();
    found.lengths();
    found.scales();
    found.place();
    found.all
}

struct Findings<'a> {
    rig: &'a Rig,
    rest: ModelPose,
    all: Vec<Finding>,
}

impl Findings<'_> {
    fn say(&mut self, code: &'static str, joint: Option<usize>, message: String) {
        let joint = joint.map(|joint| self.name(joint).to_owned());
        self.all.push(Finding {
            code,
            joint,
            message,
        });
    }

    fn name(&self, joint: usize) -> &str {
        self.rig.character.skeleton.unique_name(joint)
    }

    fn names(&self, joints: &[usize]) -> String {
        let shown: Vec<&str> = joints
            .iter()
            .take(LISTED)
            .map(|&joint| self.name(joint))
            .collect();
        match joints.len() - shown.len() {
            0 => shown.join(", "),
            more => format!("{} and {more} more", shown.join(", ")),
        }
    }

    /// Height of the body, units.
    fn height(&self) -> f64 {
        self.rig.alignment.measures.height
    }

    fn in_meters(&self, units: f64) -> String {
        length(units * self.rig.space.meters_per_unit)
    }

    fn of_kind(&self, kind: JointKind) -> Vec<usize> {
        let joints = self.rig.character.skeleton.joints().iter().enumerate();
        joints
            .filter(|(_, joint)| joint.kind == kind)
            .map(|(index, _)| index)
            .collect()
    }

    fn unit(&mut self) {
        let rig = self.rig;
        let meters = self.height() * rig.space.meters_per_unit;
        let body = Body {
            height: self.height(),
            joints: rig.character.skeleton.len(),
            is_humanoid: rig.map.profile.stance == Stance::Upright && !rig.map.slots.is_empty(),
            is_animal: rig.map.profile.stance != Stance::Upright && !rig.map.slots.is_empty(),
        };
        if meters < NOTHING {
            return;
        }
        let high = length(meters);
        if !rig.space.unit_is_stated {
            let unit = unit_name(rig.space.meters_per_unit);
            let text = format!(
                "the file states no unit: {:.4} units of height are taken as {high}, so the numbers are {unit}",
                self.height()
            );
            self.say("unit-guessed", None, text);
        } else if let Some(likely) = likely_unit(&rig.file_space, &body, meters) {
            let text = format!(
                "the numbers are {} by the file, which makes the body {high} high; they are rather {}, \
                 which makes it {}",
                unit_name(likely.stated),
                unit_name(likely.unit),
                length(meters / likely.stated * likely.unit)
            );
            self.say("unit-unlikely", None, text);
        } else if let Some(unit) = rig.file_space.meters_per_unit
            && unit != 1.0
            && !(unit == 0.01 && USUAL_HEIGHT.contains(&meters))
        {
            let text = format!(
                "the numbers are {}, as the file states, and the body is {high} high",
                unit_name(unit)
            );
            self.say("unit-stated", None, text);
        }
    }

    fn axes(&mut self) {
        let (alignment, file) = (&self.rig.alignment, &self.rig.file_space);
        if self.height() * self.rig.space.meters_per_unit < NOTHING {
            return;
        }
        match file.up {
            Some(Axis::PositiveY) => {}
            Some(up) => self.say("up-axis", None, format!("{up} is up, as the file states")),
            None => {
                let up = Axis::nearest(alignment.up().as_vec3());
                let text = format!("{up} is up, as the body shows; the file does not state it");
                self.say("up-axis", None, text);
            }
        }
        if self.rig.map.slots.is_empty() {
            return;
        }
        let stands = self.rig.alignment.up().as_vec3();
        if let Some(up) = self.rig.stated.up
            && up.direction().as_dvec3().angle_apart(stands.as_dvec3()) > LYING_RADIANS
        {
            let along = Axis::nearest(stands);
            let text = format!("the body stands along {along}, although {up} is up");
            self.say("up-axis", None, text);
        }
        let facing = self.rig.alignment.forward().as_vec3();
        let axis = Axis::nearest(facing);
        let off = axis
            .direction()
            .as_dvec3()
            .angle_apart(facing.as_dvec3())
            .to_degrees();
        let converted = file.up != self.rig.stated.up;
        let seen = if converted { " (seen with +Y up)" } else { "" };
        if off > ALONG_AXIS_DEGREES {
            let text = format!(
                "the body faces {off:.0}° off {axis}{seen}, as its shoulders and hips show"
            );
            self.say("facing", None, text);
        } else if axis != Axis::PositiveZ {
            let text = format!("the body faces {axis}{seen}, as its shoulders and hips show");
            self.say("facing", None, text);
        }
    }

    /// Nodes above the skeleton, and whether a clip moves them.
    fn containers(&mut self) {
        let rig = self.rig;
        let above = self.of_kind(JointKind::Ancestor);
        let mut active = Vec::new();
        for &index in &above {
            let rest = rig.character.skeleton.joints()[index].rest;
            let before = self.all.len();
            let angle = 2.0 * rest.rotation.w.abs().min(1.0).arc_cosine().to_degrees();
            if angle > 0.05 {
                let axis = rest.rotation.xyz().abs();
                let main = Axis::nearest(axis);
                let about = if axis.normalize_or_zero().dot(main.direction()) > 0.999 {
                    let sign = rest.rotation.xyz().dot(main.direction()) * rest.rotation.w;
                    let turned = if sign < 0.0 { -angle } else { angle };
                    format!("{turned:.0}° about {}", &main.name()[1..])
                } else {
                    format!("{angle:.0}°")
                };
                let text = format!("stands above the skeleton and turns it by {about}");
                self.say("container-turned", Some(index), text);
            }
            if (rest.scale - Vec3::ONE).abs().max_element() > 1e-5 && is_uniform(rest.scale) {
                let text = format!(
                    "stands above the skeleton and scales it by {}",
                    rest.scale.x
                );
                self.say("container-scaled", Some(index), text);
            }
            let parent_size = rig.character.skeleton.parent(index).map_or(1.0, |parent| {
                f64::from(self.rest.model_from_joint(parent).matrix3.x_axis.length())
            });
            let moved = f64::from(rest.translation.length()) * parent_size;
            if moved > 0.01 * self.height() {
                let text = format!(
                    "stands above the skeleton and moves it by {}",
                    self.in_meters(moved)
                );
                self.say("container-moved", Some(index), text);
            }
            let clips = &rig.character.clips;
            let moving = clips.iter().filter(|clip| moves(clip, index)).count();
            if moving > 0 {
                let text = format!(
                    "stands above the skeleton and moves in {moving} of {} clips; its motion counts as the body's",
                    clips.len()
                );
                self.say("container-animated", Some(index), text);
            }
            if self.all.len() > before {
                active.push(index);
            }
        }
        if active.len() > 1 {
            let text = format!(
                "{} nodes above the skeleton act on it, one inside the other: {}",
                active.len(),
                self.names(&active)
            );
            self.say("containers-nested", None, text);
        }
    }

    fn roots(&mut self) {
        let skeleton = &self.rig.character.skeleton;
        let is_root = |&joint: &usize| {
            skeleton
                .parent(joint)
                .is_none_or(|above| skeleton.joints()[above].kind == JointKind::Ancestor)
        };
        let joints = self.of_kind(JointKind::Joint);
        let roots: Vec<usize> = joints.into_iter().filter(is_root).collect();
        if roots.len() > 1 {
            let text = format!(
                "{} joints have no joint above: {}",
                roots.len(),
                self.names(&roots)
            );
            self.say("several-roots", None, text);
        }
    }

    fn lengths(&mut self) {
        let skeleton = &self.rig.character.skeleton;
        let least = 1e-4 * self.height() as f32;
        let lies_on_parent = |&joint: &usize| {
            skeleton.parent(joint).is_some_and(|above| {
                skeleton.joints()[above].kind == JointKind::Joint
                    && self
                        .rest
                        .position(joint)
                        .distance(self.rest.position(above))
                        < least
            })
        };
        let joints = self.of_kind(JointKind::Joint);
        let joints: Vec<usize> = joints.into_iter().filter(lies_on_parent).collect();
        if !joints.is_empty() {
            let text = format!(
                "{} at the place of the joint above: {}",
                match joints.len() {
                    1 => "one joint lies".to_owned(),
                    number => format!("{number} joints lie"),
                },
                self.names(&joints)
            );
            let only = (joints.len() == 1).then(|| joints[0]);
            self.say("zero-length", only, text);
        }
    }

    fn scales(&mut self) {
        let skeleton = &self.rig.character.skeleton;
        let scale = |joint: usize| skeleton.joints()[joint].rest.scale;
        let all = 0..skeleton.len();
        let uneven: Vec<usize> = all
            .clone()
            .filter(|&joint| !is_uniform(scale(joint)))
            .collect();
        let mirrored: Vec<usize> = all
            .filter(|&joint| scale(joint).to_array().iter().product::<f32>() < 0.0)
            .collect();
        if !uneven.is_empty() {
            let text = format!(
                "scaled unlike along its axes: {}; rotations are carried over without it",
                self.names(&uneven)
            );
            self.say("scale-non-uniform", Some(uneven[0]), text);
        }
        if !mirrored.is_empty() {
            let text = format!("mirrored by a negative scale: {}", self.names(&mirrored));
            self.say("scale-negative", Some(mirrored[0]), text);
        }
    }

    /// Where the body stands in the rest pose.
    fn place(&mut self) {
        let Some(hips) = self.rig.map.joint_of(Part::Hips, Side::Center) else {
            return;
        };
        let turn = self.rig.alignment.canonical_from_file;
        let at = |joint: usize| turn * self.rest.position(joint).as_dvec3();
        let aside = (at(hips) * DVec3::new(1.0, 0.0, 1.0)).length();
        if aside > 0.5 * self.height() {
            let text = format!(
                "the body stands {} away from the origin in the rest pose",
                self.in_meters(aside)
            );
            self.say("away-from-origin", Some(hips), text);
        }
        let measures = &self.rig.alignment.measures;
        if measures.leg > 0.0 && measures.hips_height < 0.2 * measures.leg {
            let text = "the hips joint lies on the floor, so its height is no measure of the body";
            self.say("hips-on-floor", Some(hips), text.to_owned());
        }
    }
}

fn is_uniform(scale: Vec3) -> bool {
    let size = scale.abs();
    size.max_element() - size.min_element() <= 1e-3 * size.max_element()
}

/// True where a node's tracks do not keep one value.
fn moves(clip: &Clip, node: usize) -> bool {
    fn varies<T: TrackValue>(track: Option<&Track<T>>) -> bool {
        track.is_some_and(|track| {
            let values = track.values();
            values.iter().any(|value| *value != values[0])
        })
    }
    clip.joints.get(node).is_some_and(|tracks| {
        varies(tracks.translation.as_ref())
            || varies(tracks.rotation.as_ref())
            || varies(tracks.scale.as_ref())
    })
}
