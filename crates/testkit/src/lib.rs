//! What the tests of the other crates share: animals, random characters and motions, second and
//! naive implementations of the transfer and of the motion laws, and comparisons. Not published.

#[allow(clippy::expect_used)]
pub mod animal;
#[allow(clippy::expect_used)]
pub mod check;
pub mod laws;
pub mod oracle;
#[allow(clippy::expect_used)]
pub mod random;
pub mod skin;
