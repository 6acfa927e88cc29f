//! What the tests of the other crates share: sample characters, random characters and motions, a second
//! and naive implementation of the transfer, and the comparison of the two. Not published.

#[allow(clippy::expect_used)]
pub mod check;
pub mod oracle;
#[allow(clippy::expect_used)]
pub mod random;
pub mod sample;
