//! The tools whose maps are known, and how a text is told apart.

use serde_json::Value;

/// A tool whose maps are read and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tool {
    /// Unreal Engine's IK Rig: retarget chains.
    Unreal,
    /// Unity's human avatar.
    Unity,
    /// Godot's `BoneMap`.
    Godot,
    /// HumanIK skeleton definitions of MotionBuilder and Maya.
    HumanIk,
    /// Rokoko's add-on for Blender.
    Rokoko,
    /// Auto-Rig Pro's remap presets.
    AutoRigPro,
    /// Expy-Kit's rig presets.
    ExpyKit,
    /// KeeMap's bone lists.
    KeeMap,
    /// retargeting-threejs.
    Threejs,
    /// QtMeshEditor.
    QtMesh,
}

impl Tool {
    /// All tools.
    pub const ALL: [Self; 10] = [
        Self::Unreal,
        Self::Unity,
        Self::Godot,
        Self::HumanIk,
        Self::Rokoko,
        Self::AutoRigPro,
        Self::ExpyKit,
        Self::KeeMap,
        Self::Threejs,
        Self::QtMesh,
    ];

    /// Short name, as typed.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unreal => "unreal",
            Self::Unity => "unity",
            Self::Godot => "godot",
            Self::HumanIk => "humanik",
            Self::Rokoko => "rokoko",
            Self::AutoRigPro => "auto-rig-pro",
            Self::ExpyKit => "expy-kit",
            Self::KeeMap => "keemap",
            Self::Threejs => "threejs",
            Self::QtMesh => "qtmesh",
        }
    }

    /// Name for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::Unreal => "Unreal IK Rig",
            Self::Unity => "Unity avatar",
            Self::Godot => "Godot BoneMap",
            Self::HumanIk => "HumanIK definition",
            Self::Rokoko => "Rokoko naming scheme",
            Self::AutoRigPro => "Auto-Rig Pro",
            Self::ExpyKit => "Expy-Kit",
            Self::KeeMap => "KeeMap",
            Self::Threejs => "retargeting-threejs",
            Self::QtMesh => "QtMeshEditor",
        }
    }

    /// The tool of this short name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name)
    }

    /// The tool whose maps alone have this extension, in lower case and without point.
    pub fn of_extension(extension: &str) -> Option<Self> {
        match extension {
            "tres" => Some(Self::Godot),
            "meta" => Some(Self::Unity),
            "xml" | "hikskldef" => Some(Self::HumanIk),
            "bmap" => Some(Self::AutoRigPro),
            "bonemap" => Some(Self::QtMesh),
            _ => None,
        }
    }

    /// True where a map is about one rig rather than about a pair.
    pub fn is_of_one_rig(self) -> bool {
        matches!(
            self,
            Self::Unreal | Self::Unity | Self::Godot | Self::HumanIk | Self::ExpyKit
        )
    }

    /// The tool that wrote a text, judged by what only its maps have.
    pub fn of_text(text: &str) -> Option<Self> {
        let start = text.trim_start_matches('\u{feff}').trim_start();
        if start.starts_with(['{', '['])
            && let Ok(value) = serde_json::from_str::<Value>(start)
        {
            return of_json(&value);
        }
        let has = |part: &str| text.contains(part);
        if has("bone_map/") || has("type=\"BoneMap\"") {
            Some(Self::Godot)
        } else if has("oneName:") && has("umanName:") {
            Some(Self::Unity)
        } else if has("<match_list") || (has("<config_root") && has("<item")) {
            Some(Self::HumanIk)
        } else if has("expykit_retarget") || has("skeleton.spine.") {
            Some(Self::ExpyKit)
        } else if has("ChainName=") || has("add_retarget_chain(") || has("\"ChainName\"") {
            Some(Self::Unreal)
        } else if super::auto_rig_pro::looks_like(text) {
            Some(Self::AutoRigPro)
        } else {
            None
        }
    }
}

fn of_json(value: &Value) -> Option<Tool> {
    if value.get("rokoko_custom_names").is_some() {
        Some(Tool::Rokoko)
    } else if value.get("boneMapNames").is_some() {
        Some(Tool::Threejs)
    } else if value
        .get("schema")
        .and_then(Value::as_str)
        .is_some_and(|schema| schema.starts_with("qtmesh-bonemap"))
    {
        Some(Tool::QtMesh)
    } else if value
        .get("bones")
        .and_then(Value::as_array)
        .is_some_and(|bones| {
            bones
                .iter()
                .any(|bone| bone.get("SourceBoneName").is_some())
        })
    {
        Some(Tool::KeeMap)
    } else if super::unreal::holds_chains(value) {
        Some(Tool::Unreal)
    } else {
        None
    }
}
