//! Bounds within which readers work, whatever a file claims.

/// What a reader accepts. Sizes that a file claims are checked before memory is taken for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Nodes or joints. Default 100,000.
    pub nodes: usize,
    /// Numbers read from all animations together. Default 1,000,000,000.
    pub animation_values: usize,
    /// Numbers of all animations and skins together that a glTF file states without data: an accessor without a buffer
    /// view is all zeros, and 100 bytes of text may claim any count. Default 1,048,576.
    pub values_without_data: usize,
    /// The same of all meshes together, where sparse morph targets have such accessors. Default 67,108,864.
    pub mesh_values_without_data: usize,
    /// Bytes of one decoded buffer or image. Default 2 GiB.
    pub buffer_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            nodes: 100_000,
            animation_values: 1_000_000_000,
            values_without_data: 1 << 20,
            mesh_values_without_data: 1 << 26,
            buffer_bytes: 2 << 30,
        }
    }
}
