//! Bounds within which readers work, whatever a file claims.

/// What a reader accepts. Sizes that a file claims are checked before memory is taken for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Nodes or joints. Default 100,000.
    pub nodes: usize,
    /// Numbers read from all animations together. Default 1,000,000,000.
    pub animation_values: usize,
    /// Bytes of one decoded buffer or image. Default 2 GiB.
    pub buffer_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            nodes: 100_000,
            animation_values: 1_000_000_000,
            buffer_bytes: 2 << 30,
        }
    }
}
