//! How much of a slot was corrected, and what showed it.

/// What showed the roll of a slot, or what else its correction rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// Nothing: the slot moves along with the one above.
    None,
    /// Where the joints are shows the direction; roll is taken over from the slot above.
    Direction,
    /// An elbow or knee that is bent in the reference pose shows its hinge, and so the roll.
    Hinge,
    /// The elbow or knee is straight in the reference pose, but bends in the clip about one axis.
    HingeOfClip,
    /// The knuckles show the palm.
    Palm,
    /// The palm is judged by the thumb alone, for want of a second finger.
    Thumb,
    /// The toes show where the foot points.
    Toes,
    /// The joint's own axes: they lie along the body's, as tools lay them in a T-pose.
    Axes,
    /// The mean over the moments of the clip in which the body is upright.
    MeanOfClip,
    /// The user.
    Calibration,
}

impl Evidence {
    /// `none`, `direction`, `hinge`, `hinge-of-clip`, `palm`, `thumb`, `toes`, `axes`, `mean-of-clip`,
    /// `calibration`.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Direction => "direction",
            Self::Hinge => "hinge",
            Self::HingeOfClip => "hinge-of-clip",
            Self::Palm => "palm",
            Self::Thumb => "thumb",
            Self::Toes => "toes",
            Self::Axes => "axes",
            Self::MeanOfClip => "mean-of-clip",
            Self::Calibration => "calibration",
        }
    }

    /// In words.
    pub fn describe(self) -> &'static str {
        match self {
            Self::None => "moves along",
            Self::Direction => "direction of the joints",
            Self::Hinge => "bent joint",
            Self::HingeOfClip => "hinge in the clip",
            Self::Palm => "knuckles",
            Self::Thumb => "thumb",
            Self::Toes => "toes",
            Self::Axes => "the joint's axes",
            Self::MeanOfClip => "mean of the clip",
            Self::Calibration => "calibrated by hand",
        }
    }
}

/// What was done to a slot, beyond moving along with the slot above.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reason {
    /// How far its direction was turned, degrees.
    pub swing_degrees: f64,
    /// How far it was turned about its own length, degrees; signed, counter-clockwise about the way from
    /// the slot's joint to the next.
    pub roll_degrees: f64,
    /// What showed it.
    pub evidence: Evidence,
}
