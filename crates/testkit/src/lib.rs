//! rebone-testkit
