//! What can touch, and how touches are found, to bytes and back.

use super::AssetError;
use super::read::{Reader, Sizes};
use super::write::Writer;
use crate::contact::{
    ContactEdit, ContactPoint, ContactPoints, ContactRules, DetectOptions, InPlace, PointKind,
    Touch, TouchSpan,
};

const TOUCHES: [Touch; 6] = [
    Touch::Heel,
    Touch::Toes,
    Touch::Hand,
    Touch::Knee,
    Touch::Seat,
    Touch::ToeTip,
];
const SIDES: [i8; 3] = [0, 1, -1];
const IN_PLACE: [InPlace; 2] = [InPlace::Auto, InPlace::Never];

impl Writer {
    pub(super) fn contacts(&mut self, contacts: &ContactPoints) -> Result<(), AssetError> {
        self.joint_or_none(contacts.hips)?;
        self.quat(contacts.canonical_from_file);
        self.number(contacts.leg);
        self.number(contacts.floor);
        self.number_or_none(Some(contacts.floor_within).filter(|within| within.is_finite()));
        self.count(contacts.points.len(), "points that touch")?;
        for point in &contacts.points {
            self.one_of(&TOUCHES, point.touch);
            self.one_of(&SIDES, point.side);
            self.bytes.push(u8::from(point.front));
            self.joint(point.joint)?;
            self.vec3(point.offset);
        }
        Ok(())
    }

    pub(super) fn rules(&mut self, rules: &ContactRules) -> Result<(), AssetError> {
        let options = rules.options.sound();
        for number in [
            options.speed_on,
            options.speed_release,
            options.height_on,
            options.height_release,
            options.shortest_seconds,
            options.gap_seconds,
        ] {
            self.number(number);
        }
        self.number_or_none(options.ground);
        self.one_of(&IN_PLACE, options.in_place);
        self.bytes.push(u8::from(rules.only_by_hand));
        self.count(rules.edits.len(), "edits of contacts")?;
        for edit in &rules.edits {
            self.bytes.push(u8::from(edit.clip.is_some()));
            if let Some(clip) = &edit.clip {
                self.text(clip)?;
            }
            self.one_of(&TOUCHES, edit.point.touch);
            self.one_of(&SIDES, edit.point.side);
            self.bytes.push(u8::from(edit.point.front));
            self.bytes.push(u8::from(edit.keeps_found));
            self.count(edit.added.len(), "contacts by hand")?;
            for span in &edit.added {
                self.number(span.start);
                self.number(span.end);
                self.number_or_none(span.height);
            }
            self.count(edit.removed.len(), "contacts taken out")?;
            for &[start, end] in &edit.removed {
                self.number(start);
                self.number(end);
            }
        }
        Ok(())
    }

    fn number_or_none(&mut self, number: Option<f32>) {
        self.bytes.push(u8::from(number.is_some()));
        if let Some(number) = number {
            self.number(number);
        }
    }
}

impl Reader<'_> {
    pub(super) fn contacts(&mut self, sizes: Sizes) -> Result<ContactPoints, AssetError> {
        let hips = self.place_or_none(sizes.source)?;
        let canonical_from_file = self.quat()?;
        let [leg, floor] = [self.number()?, self.number()?];
        // Files before version 4 do not say whether the rest pose shows the floor.
        let floor_within = match self.version {
            0..4 => f32::INFINITY,
            _ => self.number_or_none()?.unwrap_or(f32::INFINITY),
        };
        let points = self.list(17, |reader| {
            Ok(ContactPoint {
                touch: reader.one_of(&TOUCHES)?,
                side: reader.one_of(&SIDES)?,
                front: reader.flag()?,
                joint: reader.joint(sizes.source)?,
                offset: reader.vec3()?,
            })
        })?;
        Ok(ContactPoints {
            points,
            hips,
            canonical_from_file,
            leg,
            floor,
            floor_within,
        })
    }

    /// Files before version 3 have none: everything is found as usual.
    pub(super) fn rules(&mut self) -> Result<ContactRules, AssetError> {
        if self.version < 3 {
            return Ok(ContactRules::default());
        }
        let options = DetectOptions {
            speed_on: self.number()?,
            speed_release: self.number()?,
            height_on: self.number()?,
            height_release: self.number()?,
            shortest_seconds: self.number()?,
            gap_seconds: self.number()?,
            ground: self.number_or_none()?,
            in_place: self.one_of(&IN_PLACE)?,
        };
        if options != options.sound() {
            return Err(self.damaged("a bound of the contacts is out of its range"));
        }
        Ok(ContactRules {
            options,
            only_by_hand: self.flag()?,
            edits: self.list(9, |reader| {
                Ok(ContactEdit {
                    clip: if reader.flag()? {
                        Some(reader.text()?)
                    } else {
                        None
                    },
                    point: PointKind {
                        touch: reader.one_of(&TOUCHES)?,
                        side: reader.one_of(&SIDES)?,
                        front: reader.flag()?,
                    },
                    keeps_found: reader.flag()?,
                    added: reader.list(9, |reader| {
                        Ok(TouchSpan {
                            start: reader.number()?,
                            end: reader.number()?,
                            height: reader.number_or_none()?,
                        })
                    })?,
                    removed: reader.list(8, |reader| Ok([reader.number()?, reader.number()?]))?,
                })
            })?,
        })
    }

    fn number_or_none(&mut self) -> Result<Option<f32>, AssetError> {
        Ok(if self.flag()? {
            Some(self.number()?)
        } else {
            None
        })
    }
}
