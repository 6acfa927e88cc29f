//! What the columns of the motion mean.

/// A coordinate axis, as index of a vector's component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ChannelAxis {
    X,
    Y,
    Z,
}

/// One column of the motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Channel {
    /// One coordinate of the joint's translation, in place of that of the `OFFSET`.
    Position(ChannelAxis),
    /// A rotation about one axis, degrees.
    Rotation(ChannelAxis),
}

impl Channel {
    /// The channel that a word names, in any letter case.
    pub(super) fn from_word(word: &[u8]) -> Option<Self> {
        let (letter, kind) = word.split_first()?;
        let axis = match letter.to_ascii_lowercase() {
            b'x' => ChannelAxis::X,
            b'y' => ChannelAxis::Y,
            b'z' => ChannelAxis::Z,
            _ => return None,
        };
        if kind.eq_ignore_ascii_case(b"rotation") {
            Some(Self::Rotation(axis))
        } else if kind.eq_ignore_ascii_case(b"position") {
            Some(Self::Position(axis))
        } else {
            None
        }
    }
}
