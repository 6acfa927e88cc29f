//! rebone-cli
fn main() {}
