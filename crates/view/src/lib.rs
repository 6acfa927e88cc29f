//! rebone-view
