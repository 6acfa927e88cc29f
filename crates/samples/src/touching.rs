//! Motions whose hands touch the own body. They are for tests only and are not among the files.

use super::arm_ik::HandGoal;
use super::hard::{SOFT, Stage, there_and_back};
use super::puppet::{Puppet, SIDES};
use glam::Vec3;
use rebone_model::rotation::slerp;
use rebone_model::sampling::sample_clip;
use rebone_model::{Clip, Interpolation, Track};
use std::sync::Arc;

/// Hands that touch the own body.
#[derive(Clone, Debug)]
pub struct TouchingClip {
    /// The motion of the adult's skeleton, 60 keys a second.
    pub clip: Clip,
    /// Whether the left hand touches, and the right one.
    pub hands: [bool; 2],
    /// The slots of the humanoid profile whose skin the left hand touches, and the right one.
    pub touched: [Vec<&'static str>; 2],
}

/// Seconds that each motion takes.
const SECONDS: f32 = 3.0;

/// Seconds in which the hands have come to touch.
pub const TOUCHING: [f32; 2] = [1.1, 1.9];

/// Of a hand on the left: a joint that it is near to, the way from there to the knuckles, and where fingers, palm and elbow point to.
#[derive(Clone, Copy)]
struct Place {
    joint: &'static str,
    ways: [Vec3; 4],
}

/// Hands on hips, thighs, head, face, brow, chin, shoulders and arms.
pub fn touching_clips() -> Vec<TouchingClip> {
    let stage = Stage::new(Puppet::new(60.0));
    let both = [true, true];
    let right = [false, true];
    let trunk = [["hips", "spine"]; 2];
    let others = [
        ["rightUpperArm", "rightLowerArm"],
        ["leftUpperArm", "leftLowerArm"],
    ];
    let head = [["head", "neck"]; 2];
    let vec = Vec3::new;
    let both_as = |place: Place| [place, place];
    let clip =
        |name: &str, places: [Place; 2], hands: [bool; 2], touched: [[&'static str; 2]; 2]| {
            let clip = recorded(&stage, name, &places, hands);
            TouchingClip {
                clip,
                hands,
                touched: touched.map(Vec::from),
            }
        };
    let place = |joint: &'static str, ways: [Vec3; 4]| Place { joint, ways };
    vec![
        clip(
            "hands on hips",
            both_as(place(
                "Hips",
                [
                    vec(0.175, 0.05, 0.04),
                    vec(-0.2, -0.5, 0.8),
                    vec(-1.0, -0.2, 0.0),
                    vec(1.0, 0.1, -0.6),
                ],
            )),
            both,
            trunk,
        ),
        clip(
            "hands on thighs",
            both_as(place(
                "LeftUpLeg",
                [
                    vec(0.0, -0.22, 0.155),
                    vec(-0.2, -1.0, 0.3),
                    vec(0.0, 0.0, -1.0),
                    vec(1.0, -0.2, -0.5),
                ],
            )),
            both,
            [["leftUpperLeg", "hips"], ["rightUpperLeg", "hips"]],
        ),
        clip(
            "hands on head",
            both_as(place(
                "Head",
                [
                    vec(0.05, 0.255, 0.02),
                    vec(-1.0, 0.25, 0.0),
                    vec(-0.1, -1.0, 0.0),
                    vec(1.0, 0.3, 0.1),
                ],
            )),
            both,
            head,
        ),
        clip(
            "hands behind the head",
            both_as(place(
                "Head",
                [
                    vec(0.045, 0.06, -0.145),
                    vec(-0.9, 0.4, 0.0),
                    vec(0.0, 0.0, 1.0),
                    vec(1.0, 0.1, 0.2),
                ],
            )),
            both,
            head,
        ),
        clip(
            "face palm",
            both_as(place(
                "Head",
                [
                    vec(0.02, 0.08, 0.135),
                    vec(-0.4, 0.9, 0.0),
                    vec(0.0, 0.0, -1.0),
                    vec(0.6, -1.0, 0.2),
                ],
            )),
            right,
            head,
        ),
        clip(
            "salute",
            both_as(place(
                "Head",
                [
                    vec(0.11, 0.13, 0.07),
                    vec(-0.95, 0.25, 0.1),
                    vec(0.0, 0.1, 1.0),
                    vec(1.0, -0.6, 0.2),
                ],
            )),
            right,
            head,
        ),
        clip(
            "hand on the other shoulder",
            both_as(place(
                "RightArm",
                [
                    vec(-0.01, 0.03, 0.1),
                    vec(-1.0, 0.3, -0.3),
                    vec(-0.2, -0.3, -1.0),
                    vec(0.5, -0.8, 0.6),
                ],
            )),
            right,
            [
                ["rightUpperArm", "rightShoulder"],
                ["leftUpperArm", "leftShoulder"],
            ],
        ),
        clip(
            "crossed arms",
            [
                place(
                    "RightArm",
                    [
                        vec(-0.02, -0.2, 0.16),
                        vec(-1.0, 0.15, -0.2),
                        vec(0.0, 0.0, -1.0),
                        vec(1.0, -0.8, 0.3),
                    ],
                ),
                place(
                    "RightArm",
                    [
                        vec(-0.02, -0.26, 0.18),
                        vec(-1.0, 0.1, -0.2),
                        vec(0.0, 0.0, -1.0),
                        vec(1.0, -0.8, 0.3),
                    ],
                ),
            ],
            both,
            others,
        ),
        clip(
            "hug of oneself",
            [
                place(
                    "RightArm",
                    [
                        vec(-0.03, -0.02, 0.1),
                        vec(-1.0, 0.4, -0.5),
                        vec(0.3, -0.2, -1.0),
                        vec(0.5, -0.9, 0.6),
                    ],
                ),
                place(
                    "RightArm",
                    [
                        vec(-0.03, -0.08, 0.13),
                        vec(-1.0, 0.3, -0.5),
                        vec(0.3, -0.1, -1.0),
                        vec(0.5, -0.9, 0.6),
                    ],
                ),
            ],
            both,
            others,
        ),
        clip(
            "thinking",
            both_as(place(
                "Head",
                [
                    vec(-0.03, -0.05, 0.12),
                    vec(-0.5, 0.8, 0.1),
                    vec(0.0, 0.1, -1.0),
                    vec(0.1, -1.0, 0.3),
                ],
            )),
            right,
            head,
        ),
    ]
}

/// From standing to the hands' places and back. Joints turn on the shortest way: hands that are led through the air would roll about
/// themselves.
fn recorded(stage: &Stage, name: &str, places: &[Place; 2], hands: [bool; 2]) -> Clip {
    let goals = |is_there: bool| {
        [0, 1].map(|side| {
            let mirror = Vec3::new(SIDES[side].1, 1.0, 1.0);
            let place = &places[side];
            let joint = stage.at(place.joint);
            let [knuckles, fingers, palm, elbow] = place.ways.map(|way| way * mirror);
            HandGoal {
                knuckles: joint * mirror + knuckles,
                fingers,
                palm,
                elbow,
                weight: f32::from(is_there && hands[side]),
            }
        })
    };
    let still =
        |is_there: bool| stage.clip_with_hands(name, SECONDS, &|_, _| {}, &|_| goals(is_there));
    let [from, to] = [still(false), still(true)];
    let raise = there_and_back([0.1, 0.8, 2.2, 2.9]);
    let mut clip = from.clone();
    let times: Arc<[f32]> = from.key_times().into();
    let skeleton = stage.skeleton();
    let [from, to] = [from, to].map(|still| sample_clip(skeleton, &still, 0.0));
    let poses = from.transforms().iter().zip(to.transforms());
    for (made, (from, to)) in clip.joints.iter_mut().zip(poses) {
        if from.rotation != to.rotation {
            let turn = |time: &f32| slerp(from.rotation, to.rotation, raise.soft(*time, SOFT));
            let values = times.iter().map(turn).collect();
            made.rotation = Track::new(Interpolation::Linear, Arc::clone(&times), values).ok();
        }
    }
    clip
}
