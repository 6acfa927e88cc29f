//! One frame by all laws.

use super::goals::{Foot, above_floor, sole, sole_or_toes};
use super::hips::{Hanging, over_stretch, pull, raw};
use super::knee::{Copied, bend};
use super::side::below;
use super::slides::translations;
use super::turns::{delta, turns};
use super::{Constants, Laws, Side, legs, model};
use crate::oracle::{Local, Placed, rest, unit};
use glam::{DAffine3, DQuat, DVec3};
use rebone_setup::profile::{Part, Side as BodySide};

/// What became of one leg.
#[derive(Clone, Copy, Debug, Default)]
pub struct LegOutcome {
    /// g, canonical, target file units.
    pub goal: DVec3,
    /// Over-stretch p of the leg: what pulls the hips.
    pub over_stretch: f64,
    /// Whether the ankle got there.
    pub reaches: bool,
}

/// A target in one frame.
#[derive(Clone, Debug)]
pub struct Posed {
    /// Local transforms.
    pub locals: Vec<Local>,
    /// Every joint in the file's model space.
    pub joints: Vec<Placed>,
    /// Left and right; nothing of the kind where the laws of the legs are off.
    pub legs: [LegOutcome; 2],
    /// How far short legs pulled the hips, canonical, target file units.
    pub pulled: DVec3,
}

/// The target's pose for local transforms of the source; `None` where a side lacks hips or legs.
pub fn retarget_pose(
    source: &Side<'_>,
    target: &Side<'_>,
    laws: &Laws,
    locals: &[Local],
) -> Option<Posed> {
    let law = Constants::new(source, target, laws)?;
    let hips = |side: &Side<'_>| side.joint(Part::Hips, BodySide::Center);
    let (from_hips, to_hips) = (hips(source)?, hips(target)?);
    let (from_legs, to_legs) = (legs(source)?, legs(target)?);

    let pose = model(source, locals);
    let from = |joint: usize| pose[joint].affine.translation - DVec3::Y * source.floor;
    let mut wanted = turns(source, target, laws, &pose);
    let places = translations(source, target, laws, law.ratio, locals);
    let copied = posed(target, &wanted, &places, None);
    let to = |joint: usize| copied.1[joint].affine.translation;

    let thighs = 0.5 * (from(from_legs[0].thigh) + from(from_legs[1].thigh));
    let ankles = 0.5 * (from(from_legs[0].foot) + from(from_legs[1].foot));
    let raw = raw(&law, thighs, ankles, delta(source, &pose, from_hips));
    let middle = 0.5 * (to(to_legs[0].thigh) + to(to_legs[1].thigh));

    let mut outcome = [LegOutcome::default(); 2];
    let mut pulled = DVec3::ZERO;
    if laws.legs {
        let hanging = [0, 1].map(|index| {
            let (own, other) = (from_legs[index], to_legs[index]);
            let foot = Foot {
                sign: own.sign,
                index,
                ankle: from(own.foot),
                toes: own.toes.map(from),
                turn: delta(source, &pose, own.foot),
            };
            let toes = other.toes.map(|toes| to(toes) - to(other.foot));
            let mut goal = if laws.toes {
                sole_or_toes(&law, &foot, toes)
            } else {
                sole(&law, &foot)
            };
            if laws.floor {
                goal = above_floor(&law, &foot, goal, toes);
            }
            Hanging {
                thigh: raw + to(other.thigh) - middle,
                goal,
                reach: (to(other.foot) - to(other.thigh)).length(),
            }
        });
        pulled = pull(laws, &hanging);
        for (index, hanging) in hanging.iter().enumerate() {
            let leg = to_legs[index];
            let forward = delta(source, &pose, from_legs[index].thigh) * DVec3::Z;
            let bent = bend(&Copied {
                thigh: to(leg.shin) - to(leg.thigh),
                shin: to(leg.foot) - to(leg.shin),
                forward,
                goal: hanging.goal - (hanging.thigh + pulled),
            });
            outcome[index] = LegOutcome {
                goal: hanging.goal + DVec3::Y * target.floor,
                over_stretch: over_stretch(laws, hanging),
                reaches: bent.reaches,
            };
            turn_piece(
                target,
                &mut wanted,
                &copied.1,
                leg.thigh,
                leg.shin,
                bent.thigh,
            );
            turn_piece(
                target,
                &mut wanted,
                &copied.1,
                leg.shin,
                leg.foot,
                bent.shin,
            );
            // What hangs from the shin beside the foot goes along; foot and toes stay as copied.
            wanted[leg.foot] = Some(copied.1[leg.foot].rotation);
        }
    }
    let place = raw + pulled + to(to_hips) - middle + DVec3::Y * target.floor;
    let (locals, joints) = posed(target, &wanted, &places, Some((to_hips, place)));
    let back = target.canonical_from_file.conjugate();
    let joints = joints.iter().map(|placed| Placed {
        rotation: unit(back * placed.rotation),
        affine: DAffine3::from_quat(back) * placed.affine,
    });
    Some(Posed {
        joints: joints.collect(),
        locals,
        legs: outcome,
        pulled,
    })
}

/// Turns what has a wish of its own from one joint on down to, but without, another.
fn turn_piece(
    side: &Side<'_>,
    wanted: &mut [Option<DQuat>],
    copied: &[Placed],
    first: usize,
    end: usize,
    turn: DQuat,
) {
    let is_below = |top: usize, joint: usize| joint == top || side.skeleton.is_ancestor(top, joint);
    for (joint, wish) in wanted.iter_mut().enumerate() {
        let is_of_piece = is_below(first, joint) && !is_below(end, joint);
        if is_of_piece && (wish.is_some() || joint == first) {
            *wish = Some(unit(turn * copied[joint].rotation));
        }
    }
}

/// Local and canonical transforms of a pose with wanted rotations, local translations, and a place for one joint.
fn posed(
    side: &Side<'_>,
    wanted: &[Option<DQuat>],
    places: &[DVec3],
    placed: Option<(usize, DVec3)>,
) -> (Vec<Local>, Vec<Placed>) {
    let root = Placed {
        rotation: side.canonical_from_file,
        affine: DAffine3::from_quat(side.canonical_from_file),
    };
    let rest = rest(side.skeleton);
    let (mut locals, mut joints): (Vec<Local>, Vec<Placed>) = (Vec::new(), Vec::new());
    for (index, joint) in side.skeleton.joints().iter().enumerate() {
        let above = joint.parent.map_or(root, |parent| joints[parent]);
        let rotation = wanted[index].map_or(rest[index].rotation, |wish| {
            unit(above.rotation.conjugate() * wish)
        });
        let translation = match placed {
            Some((at, place)) if at == index => above.affine.inverse().transform_point3(place),
            _ => places[index],
        };
        let local = Local {
            translation,
            rotation,
            scale: rest[index].scale,
        };
        joints.push(below(&above, &local));
        locals.push(local);
    }
    (locals, joints)
}
