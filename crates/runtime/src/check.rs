//! Whether constants that came from a file can run: every joint that they name is there, every range is one.
//!
//! Numbers that are not finite, and rotations that are no unit quaternions, are found by the reader of files before this.

/// Joints of the two rigs of a plan.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    pub(crate) source: usize,
    pub(crate) target: usize,
}

/// What is wrong, if anything.
pub(crate) type Checked = Result<(), &'static str>;

/// Fails with these words where something does not hold.
pub(crate) fn ensure(holds: bool, what: &'static str) -> Checked {
    if holds { Ok(()) } else { Err(what) }
}

/// Every joint, or place in a list, is below a limit.
pub(crate) fn within(places: impl IntoIterator<Item = usize>, limit: usize) -> Checked {
    let mut places = places.into_iter();
    ensure(
        places.all(|place| place < limit),
        "it names a joint that is not there",
    )
}

/// Joints that hang beside the body, with their carriers.
pub(crate) fn pairs_within(pairs: &[(usize, usize)], limit: usize) -> Checked {
    within(
        pairs.iter().flat_map(|&(joint, carrier)| [joint, carrier]),
        limit,
    )
}

/// The least is no more than the most, and both are angles.
pub(crate) fn is_range([least, most]: [f32; 2]) -> Checked {
    let are_angles = [least, most].iter().all(|end| end.abs() <= 7.0);
    ensure(least <= most && are_angles, "a range of angles is none")
}

/// From 0 to 1.
pub(crate) fn is_share(share: f32) -> bool {
    (0.0..=1.0).contains(&share)
}
