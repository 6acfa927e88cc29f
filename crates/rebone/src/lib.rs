//! rebone
