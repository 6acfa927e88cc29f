//! What an animal is built like.

use glam::DVec3;

/// How an animal is built. Metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Build {
    /// Height of the hip joints.
    pub hind: f64,
    /// Height of the shoulder joints.
    pub front: f64,
    /// From hips to shoulders.
    pub trunk: f64,
    /// Distance of the paws of a pair.
    pub width: f64,
    /// True: stands on hooves (fetlock high above the floor, front legs bend at the wrist, forwards). False: on paws
    /// (front legs bend at the elbow, backwards).
    pub hooves: bool,
    /// Joints of the neck.
    pub necks: usize,
}

impl Build {
    /// About a wolf.
    pub const WOLF: Self = Self {
        hind: 0.70,
        front: 0.62,
        trunk: 0.75,
        width: 0.18,
        hooves: false,
        necks: 2,
    };
}

/// A leg: numbers of its joints.
#[derive(Clone, Debug, PartialEq)]
pub struct Limb {
    /// True for the front pair.
    pub front: bool,
    /// +1 left, -1 right.
    pub sign: f64,
    /// From hip or shoulder to the toes.
    pub joints: Vec<usize>,
}

impl Limb {
    /// The joint that orients the paw.
    pub fn paw(&self) -> usize {
        self.joints[self.joints.len() - 2]
    }

    /// The joint below it.
    pub fn toes(&self) -> usize {
        self.joints[self.joints.len() - 1]
    }
}

/// One joint in the standing pose.
#[derive(Clone, Debug, PartialEq)]
pub struct AnimalJoint {
    /// Its name.
    pub name: String,
    /// The joint above.
    pub parent: Option<usize>,
    /// Canonical, metres.
    pub place: DVec3,
}

/// An animal that stands on the origin, its shoulders ahead of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Animal {
    /// How it is built.
    pub build: Build,
    /// Parents before children.
    pub joints: Vec<AnimalJoint>,
    /// Left hind, right hind, left front, right front.
    pub limbs: Vec<Limb>,
}

/// Heights and places to the front of a leg's joints, as shares of the height of the first.
type Shape = &'static [(&'static str, f64, f64)];

const HIND_PAW: Shape = &[
    ("HindUpper", 1.0, 0.0),
    ("HindLower", 0.64, 0.14),
    ("HindCannon", 0.33, -0.16),
    ("HindPaw", 0.09, -0.05),
    ("HindToes", 0.03, 0.03),
];
const FRONT_PAW: Shape = &[
    ("FrontUpper", 1.0, 0.0),
    ("FrontLower", 0.60, -0.14),
    ("FrontPaw", 0.10, 0.0),
    ("FrontToes", 0.03, 0.07),
];
const HIND_HOOF: Shape = &[
    ("HindUpper", 1.0, 0.0),
    ("HindLower", 0.68, 0.12),
    ("HindCannon", 0.42, -0.14),
    ("HindPaw", 0.16, -0.10),
    ("HindToes", 0.05, -0.03),
];
const FRONT_HOOF: Shape = &[
    ("FrontUpper", 1.0, 0.0),
    ("FrontLower", 0.50, 0.05),
    ("FrontPaw", 0.15, -0.01),
    ("FrontToes", 0.05, 0.06),
];

impl Animal {
    /// Puts an animal together.
    pub fn new(build: Build) -> Self {
        let mut joints: Vec<AnimalJoint> = Vec::new();
        let mut add = |name: String, parent: Option<usize>, place: DVec3| {
            joints.push(AnimalJoint {
                name,
                parent,
                place,
            });
            joints.len() - 1
        };
        let Build {
            hind, front, trunk, ..
        } = build;
        let back = 1.08 * hind;
        let withers = 1.15 * front;
        let at = |y: f64, z: f64| DVec3::new(0.0, y, z);
        let hips = add("Hips".to_owned(), None, at(back, -0.05 * trunk));
        let spine = add("Spine".to_owned(), Some(hips), at(back, 0.4 * trunk));
        let chest = add("Spine1".to_owned(), Some(spine), at(withers, 0.85 * trunk));
        let mut neck = chest;
        for index in 0..build.necks {
            let share = index as f64 / build.necks as f64;
            let place = at(withers + 0.3 * share * front, (1.1 + 0.25 * share) * trunk);
            neck = add(format!("Neck{}", index + 1), Some(neck), place);
        }
        let head = at(withers + 0.35 * front, 1.45 * trunk);
        add("Head".to_owned(), Some(neck), head);
        let tail = add("Tail1".to_owned(), Some(hips), at(back, -0.15 * trunk));
        add("Tail2".to_owned(), Some(tail), at(0.8 * back, -0.4 * trunk));
        let mut limbs = Vec::new();
        for is_front in [false, true] {
            let (height, above, z) = if is_front {
                (front, chest, trunk)
            } else {
                (hind, hips, 0.0)
            };
            let shape = match (build.hooves, is_front) {
                (false, false) => HIND_PAW,
                (false, true) => FRONT_PAW,
                (true, false) => HIND_HOOF,
                (true, true) => FRONT_HOOF,
            };
            for (side, sign) in [("Left", 1.0), ("Right", -1.0)] {
                let mut own = Vec::new();
                for (name, up, ahead) in shape {
                    let place =
                        DVec3::new(0.5 * sign * build.width, up * height, z + ahead * height);
                    let parent = own.last().copied().unwrap_or(above);
                    own.push(add(format!("{side}{name}"), Some(parent), place));
                }
                limbs.push(Limb {
                    front: is_front,
                    sign,
                    joints: own,
                });
            }
        }
        Self {
            build,
            joints,
            limbs,
        }
    }

    /// Place of a joint when standing.
    pub fn place(&self, joint: usize) -> DVec3 {
        self.joints[joint].place
    }
}
