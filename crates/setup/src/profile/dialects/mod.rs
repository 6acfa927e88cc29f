//! The built-in dialects: data files, in the order in which they are tried.

use super::dialect::DialectFile;

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        [$(DialectFile::new(include_str!(concat!($name, ".toml")))),*]
    };
}

/// All files. Of dialects that explain a rig equally well the first one wins.
pub(crate) static FILES: [DialectFile; 47] = files![
    "humanik",
    "mixamo",
    "unreal",
    "vrm",
    "unity",
    "vroid",
    "rigify-deform-named",
    "rigify-metarig-named",
    "rigify-deform",
    "rigify-metarig",
    "character-creator",
    "biped",
    "cmu",
    "lafan1",
    "biovision",
    "rokoko",
    "smpl",
    "xsens",
    "mmd",
    "makehuman",
    "daz-genesis8",
    "daz-genesis9",
    "poser",
    "kaykit",
    "quaternius",
    "source-engine",
    "second-life",
    "renderpeople",
    "optitrack",
    "arkit",
    "bandai-namco",
    "openpose",
    "khronos-figure",
    "proanimation",
    "kenney",
    "godette",
    "gdbot",
    "boxman",
    "french-two-bone",
    "auto-rig-pro",
    "kinect",
    "azure-kinect",
    "mmd-english",
    "roblox-r15",
    "robot-kyle",
    "unitree-g1",
    "unitree-h1",
];
