//! rebone-core
