//! What a person can do about an error or a warning.

/// What to do about an error or a warning.
///
/// The text is complete, but it names no flag, command or function, because a library does not know which front end its
/// user has. Each front end says for the [`actions`](Self::actions) how they are done there.
///
/// ```
/// use rebone_model::{Action, Remedy};
///
/// let remedy = Remedy::new("choose one clip", &[Action::ChooseClip]);
/// assert_eq!(remedy.to_string(), "choose one clip");
/// assert_eq!(remedy.actions[0].key(), "choose-clip");
/// // Most remedies are words alone.
/// assert!(Remedy::from("check the file").actions.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Remedy {
    /// A sentence without a full stop.
    pub text: String,
    /// The actions that it speaks of, in its order. Usually empty.
    pub actions: &'static [Action],
}

impl Remedy {
    /// Words with the actions that they speak of.
    pub fn new(text: impl Into<String>, actions: &'static [Action]) -> Self {
        Self {
            text: text.into(),
            actions,
        }
    }
}

impl From<String> for Remedy {
    fn from(text: String) -> Self {
        Self::new(text, &[])
    }
}

impl From<&str> for Remedy {
    fn from(text: &str) -> Self {
        Self::new(text, &[])
    }
}

impl std::fmt::Display for Remedy {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.text)
    }
}

macro_rules! actions {
    ($($(#[$about:meta])* $name:ident = $key:literal,)*) => {
        /// Something that front ends offer, each in its way: by a flag, an option of a function or a button.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Action {
            $($(#[$about])* $name,)*
        }

        impl Action {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// Stable name in kebab-case.
            pub fn key(self) -> &'static str {
                match self {
                    $(Self::$name => $key,)*
                }
            }
        }
    };
}

actions! {
    /// Choose one of several clips.
    ChooseClip = "choose-clip",
    /// Choose the frame of a clip from which the rest pose is taken.
    ChooseRestFrame = "choose-rest-frame",
    /// Choose one of several skeletons of a file.
    ChooseSkeleton = "choose-skeleton",
    /// Compare which joint of the source drives which joint of the target.
    CompareLinks = "compare-links",
    /// Connect the limbs of characters of different kinds.
    ConnectKinds = "connect-kinds",
    /// Draw the likeliest ways to read the file.
    DrawReadings = "draw-readings",
    /// Give another file of the same rig for its rest pose.
    GiveRestPose = "give-rest-pose",
    /// Take the path over the ground out of the result.
    KeepInPlace = "keep-in-place",
    /// Learn joint limits from clips of the same rig.
    LearnLimits = "learn-limits",
    /// List the clips of a file.
    ListClips = "list-clips",
    /// List the points of a body that can touch something.
    ListContactPoints = "list-contact-points",
    /// List the joints of a file.
    ListJoints = "list-joints",
    /// List what a recipe can say.
    ListSettings = "list-settings",
    /// Bake fewer frames per second.
    LowerRate = "lower-rate",
    /// Mirror without joint axes of an older convention.
    MirrorExactly = "mirror-exactly",
    /// Say in a recipe which joint is in which slot.
    NameJoints = "name-joints",
    /// Say which joints are each other's mirror images.
    NameTwins = "name-twins",
    /// Compile a plan whose mirror can be switched on.
    PrepareMirror = "prepare-mirror",
    /// Retarget the clips, instead of what was asked for.
    Retarget = "retarget",
    /// Retarget a layer onto the rig of its base.
    RetargetLayer = "retarget-layer",
    /// Write the profile of a character as an example.
    SaveProfile = "save-profile",
    /// Choose the root scale from the legs.
    ScaleByLegs = "scale-by-legs",
    /// State how high the floor of the source is.
    StateFloor = "state-floor",
}
