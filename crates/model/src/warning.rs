//! Doubts that do not stop the work.

use crate::remedy::Remedy;

/// Something survivable that a person should know about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Stable code in kebab-case; each has a page in `docs/warnings`.
    pub code: &'static str,
    /// The joint it is about, by unique name.
    pub joint: Option<String>,
    /// What was found, in a sentence.
    pub message: String,
    /// What to do about it.
    pub remedy: Remedy,
}

impl Warning {
    /// A warning about no joint in particular.
    pub fn new(code: &'static str, message: impl Into<String>, remedy: impl Into<Remedy>) -> Self {
        Self {
            code,
            joint: None,
            message: message.into(),
            remedy: remedy.into(),
        }
    }

    /// The same warning, about a joint.
    pub fn at_joint(mut self, joint: impl Into<String>) -> Self {
        self.joint = Some(joint.into());
        self
    }
}

impl std::fmt::Display for Warning {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}", self.message)?;
        if let Some(joint) = &self.joint {
            write!(formatter, " (joint \"{joint}\")")?;
        }
        write!(formatter, "; {} [{}]", self.remedy, self.code)
    }
}
