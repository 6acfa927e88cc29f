//! The stage that plants feet, to bytes and back.

use super::AssetError;
use super::read::{Reader, Sizes};
use super::write::Writer;
use crate::solve::two_bone::{Bend, Reach};
use crate::stage::{Anchor, FeetStage, FloorRule, Kinematics, Leg, MOST_LEGS, Stand};
use glam::Vec3;

const ANCHORS: [Anchor; 2] = [Anchor::Sole, Anchor::Ball];
const FLOOR_RULES: [FloorRule; 3] = [FloorRule::Off, FloorRule::AsSource, FloorRule::Soles];
/// Fewest bytes of a leg: without toes and what touches. Files before version 3 have one vector less.
const LEAST_LEG: usize = 1 + 4 * 2 + 3 + 16 + 2 * 12 + 6 * 4 + 2;

const BENDS: [Bend; 2] = [Bend::Switch, Bend::Steady];

/// Ways to bend of files before [`STEADY_ALONE`], and whether that was one way.
pub(super) const OLD_BENDS: [(Bend, bool); 4] = [
    (Bend::Switch, false),
    (Bend::Steady, false),
    (Bend::Steady, true),
    (Bend::Steady, false),
];

/// Until this version legs had two more ways to bend by the law of cosines.
pub(super) const STEADY_ALONE: u32 = 7;

impl Writer {
    pub(super) fn feet(&mut self, feet: &FeetStage) -> Result<(), AssetError> {
        self.kinematics(&feet.source)?;
        self.kinematics(&feet.target)?;
        self.joint(feet.hips)?;
        self.quat(feet.hips_frame);
        self.mat3(feet.linear);
        for vector in [feet.shift, feet.up, feet.left] {
            self.vec3(vector);
        }
        for number in [feet.floor, feet.size, feet.pull, feet.lock, feet.rise] {
            self.number(number);
        }
        self.bytes.push(u8::from(feet.signed_pull));
        self.one_of(&ANCHORS, feet.anchor);
        self.one_of(&FLOOR_RULES, feet.floor_rule);
        self.one_of(&BENDS, feet.bend);
        self.bytes.push(u8::from(feet.one_way));
        self.reach(&feet.reach);
        self.bytes.push(u8::from(feet.stand.is_some()));
        let stand = feet.stand.unwrap_or(Stand {
            lift: 0.0,
            least: 0.0,
        });
        self.number(stand.lift);
        self.number(stand.least);
        self.bytes.push(u8::from(feet.swing.is_some()));
        for height in feet.swing.unwrap_or_default() {
            self.number(height);
        }
        self.contacts(&feet.contacts)?;
        self.rules(&feet.rules)?;
        self.count(feet.attached.len(), "joints beside the body")?;
        for &(joint, carrier) in &feet.attached {
            self.joint(joint)?;
            self.joint(carrier)?;
        }
        self.count(feet.legs.len(), "legs")?;
        for leg in &feet.legs {
            self.leg(leg)?;
        }
        Ok(())
    }

    fn leg(&mut self, leg: &Leg) -> Result<(), AssetError> {
        self.bytes.push(u8::from(leg.carries));
        for place in [leg.source_foot, leg.thigh, leg.shin, leg.foot] {
            self.joint(place)?;
        }
        for place in [leg.source_thigh, leg.source_toes, leg.toes] {
            self.joint_or_none(place)?;
        }
        self.quat(leg.foot_frame);
        self.vec3(leg.forward);
        self.vec3(leg.ahead);
        self.vec3(leg.along);
        for number in [
            leg.sole,
            leg.aside,
            leg.ankle_height,
            leg.ball,
            leg.toes_height,
            leg.length,
        ] {
            self.number(number);
        }
        self.joint_or_none(leg.heel_point)?;
        self.joint_or_none(leg.ball_point)?;
        Ok(())
    }

    pub(super) fn reach(&mut self, reach: &Reach) {
        for number in [reach.most, reach.soft_from, reach.fold_from] {
            self.number(number);
        }
    }

    pub(super) fn one_of<E: PartialEq>(&mut self, all: &[E], one: E) {
        let found = all.iter().position(|other| *other == one);
        self.bytes.push(found.unwrap_or(0) as u8);
    }

    pub(super) fn kinematics(&mut self, kinematics: &Kinematics) -> Result<(), AssetError> {
        self.count(kinematics.len(), "joints that a stage looks at")?;
        for place in 0..kinematics.len() {
            self.joint(kinematics.joint(place))?;
            self.joint_or_none(kinematics.above(place))?;
        }
        Ok(())
    }
}

impl Reader<'_> {
    pub(super) fn feet(&mut self, sizes: Sizes) -> Result<FeetStage, AssetError> {
        let source = self.kinematics(sizes.source)?;
        let target = self.kinematics(sizes.target)?;
        let hips = self.joint(sizes.target)?;
        let hips_frame = self.quat()?;
        let linear = self.mat3()?;
        let [shift, up, left] = [self.vec3()?, self.vec3()?, self.vec3()?];
        let [floor, size, pull] = [self.number()?, self.number()?, self.number()?];
        let [lock, rise] = [self.number()?, self.number()?];
        let signed_pull = self.flag()?;
        let anchor = self.one_of(&ANCHORS)?;
        let floor_rule = self.one_of(&FLOOR_RULES)?;
        let (bend, one_way) = match self.version {
            STEADY_ALONE.. => (self.one_of(&BENDS)?, self.flag()?),
            _ => self.one_of(&OLD_BENDS)?,
        };
        let reach = self.reach()?;
        let stands = self.flag()?;
        let stand = Stand {
            lift: self.number()?,
            least: self.number()?,
        };
        let swings = self.flag()?;
        let swing = [self.number()?, self.number()?];
        let contacts = self.contacts(sizes)?;
        let rules = self.rules()?;
        let attached = self.list(4, |reader| {
            Ok((reader.joint(sizes.target)?, reader.joint(sizes.target)?))
        })?;
        let legs = self.list(LEAST_LEG, |reader| {
            reader.leg(source.len(), target.len(), contacts.points.len())
        })?;
        if legs.len() > MOST_LEGS {
            return Err(self.damaged("a body has too many legs"));
        }
        Ok(FeetStage {
            hips,
            hips_frame,
            linear,
            shift,
            up,
            left,
            floor,
            size,
            anchor,
            pull,
            signed_pull,
            floor_rule,
            reach,
            bend,
            one_way,
            legs: legs.into(),
            swing: swings.then_some(swing),
            lock,
            rise,
            contacts,
            rules,
            stand: stands.then_some(stand),
            attached,
            source,
            target,
        })
    }

    fn leg(&mut self, source: usize, target: usize, points: usize) -> Result<Leg, AssetError> {
        let carries = self.flag()?;
        let source_foot = self.joint(source)?;
        let [thigh, shin, foot] = [
            self.joint(target)?,
            self.joint(target)?,
            self.joint(target)?,
        ];
        Ok(Leg {
            carries,
            source_foot,
            thigh,
            shin,
            foot,
            source_thigh: self.place_or_none(source)?,
            source_toes: self.place_or_none(source)?,
            toes: self.place_or_none(target)?,
            foot_frame: self.quat()?,
            forward: self.vec3()?,
            ahead: self.vec3()?,
            // New in version 3.
            along: if self.version < 3 {
                Vec3::ZERO
            } else {
                self.vec3()?
            },
            sole: self.number()?,
            aside: self.number()?,
            ankle_height: self.number()?,
            ball: self.number()?,
            toes_height: self.number()?,
            length: self.number()?,
            heel_point: self.place_or_none(points)?,
            ball_point: self.place_or_none(points)?,
        })
    }

    pub(super) fn reach(&mut self) -> Result<Reach, AssetError> {
        let [most, soft_from, fold_from] = [self.number()?, self.number()?, self.number()?];
        let is_share = |share: f32| (0.0..=1.0).contains(&share);
        if ![most, soft_from, fold_from].into_iter().all(is_share) || soft_from > most {
            return Err(self.damaged("the reach of a limb is no share of its length"));
        }
        Ok(Reach {
            most,
            soft_from,
            fold_from,
        })
    }

    pub(super) fn one_of<E: Copy>(&mut self, all: &[E]) -> Result<E, AssetError> {
        let tag = usize::from(self.byte()?);
        let found = all.get(tag).copied();
        found.ok_or_else(|| self.damaged("there is a choice of no known kind"))
    }

    pub(super) fn place_or_none(&mut self, places: usize) -> Result<Option<usize>, AssetError> {
        Ok(match self.flag()? {
            true => Some(self.joint(places)?),
            false => None,
        })
    }

    pub(super) fn kinematics(&mut self, joints: usize) -> Result<Kinematics, AssetError> {
        let steps = self.list(3, |reader| {
            Ok((reader.joint(joints)?, reader.place_or_none(joints)?))
        })?;
        let kinematics = Kinematics::from_steps(steps);
        kinematics.ok_or_else(|| self.damaged("joints that a stage looks at are out of order"))
    }
}
