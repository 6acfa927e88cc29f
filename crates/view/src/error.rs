//! Why there is no picture.

/// Why a picture could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The caller gave no actors.
    #[error("there is nobody to draw: the list of actors is empty; pass at least one")]
    NoActors,
    /// The picture would be larger than the options allow.
    #[error(
        "the picture would have {pixels} pixels and the limit is {limit}; \
         ask for fewer frames, fewer actors or a smaller panel_height, or raise max_pixels"
    )]
    TooLarge {
        /// Pixels of the picture, over all its frames.
        pixels: u64,
        /// [`max_pixels`](crate::Look::max_pixels) of the options.
        limit: u64,
    },
    /// The image encoder refused.
    #[error("the picture could not be encoded: {message}; this is a bug in rebone-view")]
    Encode {
        /// The encoder's own words.
        message: String,
    },
}

impl Error {
    pub(crate) fn encode(error: impl std::fmt::Display) -> Self {
        Self::Encode {
            message: error.to_string(),
        }
    }
}
