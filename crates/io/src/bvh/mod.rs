//! Biovision hierarchies: a text file with one skeleton and one motion.
//!
//! The zero pose of a BVH has no rotations: a joint's rest translation is its `OFFSET`. Position
//! channels *replace* the `OFFSET`, they do not add to it. The rotation of a joint is the product of
//! its channels' rotations in the order in which they are listed, the first one outermost. A BVH
//! states neither unit nor axes, so both stay as they are and
//! [`FileSpace`](crate::FileSpace) is empty.
//!
//! Reading tolerates what exporters get wrong (counts, letter case, line ends, missing names) and
//! says so in warnings; what cannot be read for certain is an error that names the line.

mod angles;
mod channels;
mod frames;
mod hierarchy;
mod lexer;
mod motion;
mod numbers;
mod read;
mod text;
mod tree;
mod write;
mod write_character;

pub use read::read;
pub use write::{WriteOptions, write_clip_into};
pub use write_character::write_character;
