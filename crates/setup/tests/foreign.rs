//! Maps of other tools: read in the shapes that they have, and written so that they say the same again.

use rebone_corpus::stride;
use rebone_model::{Character, NewJoint, SkeletonBuilder, Transform, Vec3};
use rebone_setup::by_hand::{Followed, HandLinks, hand_links};
use rebone_setup::foreign::{Content, ForeignMap, Tool, read, write};
use rebone_setup::links::links;
use rebone_setup::mapping::{
    MapOptions, ProfileChoice, RigMap, apply_overrides, map_character, map_character_as,
    map_character_with,
};
use rebone_setup::recipe::Recipe;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A character of the sample data.
fn sample(name: &str) -> Character {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../data")
        .join(name);
    let bytes = std::fs::read(path).unwrap();
    let none = |_: &str| Err("no other files".to_owned());
    let document = rebone_io::read(&bytes, &rebone_io::ReadOptions::default(), &none).unwrap();
    document.characters.into_iter().next().unwrap()
}

/// A body of 19 joints in the names of a tool, in the order of [`BODY`].
fn body(names: [&str; 19]) -> Character {
    let mut builder = SkeletonBuilder::new();
    for (name, (parent, at)) in names.iter().zip(BODY) {
        let rest = Transform::from_translation(Vec3::from(at));
        builder.add(NewJoint::new(*name, parent, rest));
    }
    Character {
        skeleton: builder.build().unwrap().0,
        ..Character::default()
    }
}

/// Hips, three joints of the torso, neck, head, left clavicle, arm, forearm, hand, the same right, left
/// thigh, shin, foot. The right leg is of no use to these tests.
const BODY: [(Option<usize>, [f32; 3]); 19] = [
    (None, [0.0, 1.0, 0.0]),
    (Some(0), [0.0, 0.1, 0.0]),
    (Some(1), [0.0, 0.1, 0.0]),
    (Some(2), [0.0, 0.1, 0.0]),
    (Some(3), [0.0, 0.2, 0.0]),
    (Some(4), [0.0, 0.1, 0.0]),
    (Some(3), [0.05, 0.15, 0.0]),
    (Some(6), [0.15, 0.0, 0.0]),
    (Some(7), [0.3, 0.0, 0.0]),
    (Some(8), [0.25, 0.0, 0.0]),
    (Some(3), [-0.05, 0.15, 0.0]),
    (Some(10), [-0.15, 0.0, 0.0]),
    (Some(11), [-0.3, 0.0, 0.0]),
    (Some(12), [-0.25, 0.0, 0.0]),
    (Some(0), [0.1, -0.05, 0.0]),
    (Some(14), [0.0, -0.45, 0.0]),
    (Some(15), [0.0, -0.42, 0.0]),
    (Some(16), [0.0, -0.05, 0.15]),
    (Some(0), [0.0, 0.0, -0.2]),
];

fn unreal() -> Character {
    body([
        "pelvis",
        "spine_01",
        "spine_02",
        "spine_03",
        "neck_01",
        "head",
        "clavicle_l",
        "upperarm_l",
        "lowerarm_l",
        "hand_l",
        "clavicle_r",
        "upperarm_r",
        "lowerarm_r",
        "hand_r",
        "thigh_l",
        "calf_l",
        "foot_l",
        "ball_l",
        "tail_01",
    ])
}

fn mixamo() -> Character {
    body([
        "mixamorig:Hips",
        "mixamorig:Spine",
        "mixamorig:Spine1",
        "mixamorig:Spine2",
        "mixamorig:Neck",
        "mixamorig:Head",
        "mixamorig:LeftShoulder",
        "mixamorig:LeftArm",
        "mixamorig:LeftForeArm",
        "mixamorig:LeftHand",
        "mixamorig:RightShoulder",
        "mixamorig:RightArm",
        "mixamorig:RightForeArm",
        "mixamorig:RightHand",
        "mixamorig:LeftUpLeg",
        "mixamorig:LeftLeg",
        "mixamorig:LeftFoot",
        "mixamorig:LeftToeBase",
        "mixamorig:Tail",
    ])
}

/// A map with no slot, so that a test does not lean on what is found anyway.
fn empty(character: &Character) -> RigMap {
    let nothing = MapOptions {
        labels: false,
        dialects: false,
        words: false,
        shape: false,
        forward: None,
    };
    map_character_with(character, &nothing)
}

fn read_as(tool: Tool, text: &str) -> ForeignMap {
    let map = read(text).unwrap_or_else(|error| panic!("{tool:?}: {error}\n{text}"));
    assert_eq!(map.tool, tool, "{text}");
    map
}

/// Joints by slot, after a foreign map was put on an empty one.
fn slots(
    map: &ForeignMap,
    character: &Character,
) -> (BTreeMap<String, Vec<String>>, Vec<&'static str>) {
    let (overrides, warnings) = map.slots(character, &empty(character));
    (
        overrides,
        warnings.iter().map(|warning| warning.code).collect(),
    )
}

fn check_slots(
    map: &ForeignMap,
    character: &Character,
    expected: &[(&str, &[&str])],
    codes: &[&str],
) {
    let (found, told) = slots(map, character);
    let expected: BTreeMap<String, Vec<String>> = expected
        .iter()
        .map(|(slot, joints)| {
            let joints = joints.iter().map(|joint| (*joint).to_owned());
            ((*slot).to_owned(), joints.collect())
        })
        .collect();
    assert_eq!(found, expected, "{:?}", map.tool);
    assert_eq!(told, codes, "{:?}", map.tool);
}

#[test]
fn godot_resources_and_import_settings_are_read() {
    let expected: &[(&str, &[&str])] = &[
        ("hips", &["pelvis"]),
        ("spine", &["spine_01"]),
        ("leftUpperArm", &["upperarm_l"]),
    ];
    for text in [
        "[gd_resource type=\"BoneMap\" load_steps=2 format=3]\n\n[sub_resource type=\"SkeletonProfileHumanoid\" id=\"1\"]\n\n\
         [resource]\nprofile = SubResource(\"1\")\nbone_map/Root = &\"\"\nbone_map/Hips = &\"pelvis\"\nbone_map/Spine = &\"spine_01\"\n\
         bone_map/LeftUpperArm = &\"upperarm_l\"\nbone_map/LeftEye = &\"\"\n",
        "[gd_resource type=\"BoneMap\" format=3]\n[resource]\nbonemap = {\n\"Hips\": &\"pelvis\",\n\"Spine\": &\"spine_01\",\n\
         \"Jaw\": &\"\",\n\"LeftUpperArm\": &\"upperarm_l\"\n}\n",
        "[remap]\n\nimporter=\"scene\"\n\n_subresources={\n\"nodes\": {\n\"PATH:Skeleton3D\": {\n\"retarget/bone_map\": Object(BoneMap,\
         \"profile\":Object(SkeletonProfileHumanoid,\"root_bone\":&\"Root\")\n,\"bonemap\":null,\"bone_map/Root\":&\"\",\
         \"bone_map/Hips\":&\"pelvis\",\"bone_map/Spine\":&\"spine_01\",\"bone_map/LeftUpperArm\":&\"upperarm_l\")\n}\n}\n}\n",
    ] {
        check_slots(&read_as(Tool::Godot, text), &unreal(), expected, &[]);
    }
}

#[test]
fn unity_meta_files_are_read() {
    let text = "fileFormatVersion: 2\nguid: 00\nModelImporter:\n  humanDescription:\n    serializedVersion: 3\n    human:\n\
        \x20   - boneName: mixamorig:Hips\n      humanName: Hips\n      limit:\n        min: {x: 0, y: 0, z: 0}\n        length: 0\n\
        \x20   - boneName: \"mixamorig:Spine\"\n      humanName: Spine\n\
        \x20   - boneName: 'mixamorig:LeftArm'\n      humanName: LeftUpperArm\n\
        \x20   - boneName: thumb\n      humanName: Left Thumb Proximal\n\
        \x20   - boneName: mixamorig:Tail\n      humanName: Tail\n\
        \x20   skeleton:\n    - name: mixamorig:Hips\n      parentName: \n";
    let map = read_as(Tool::Unity, text);
    check_slots(
        &map,
        &mixamo(),
        &[
            ("hips", &["mixamorig:Hips"]),
            ("spine", &["mixamorig:Spine"]),
            ("leftUpperArm", &["mixamorig:LeftArm"]),
        ],
        &["foreign-joint-missing", "foreign-part-unknown"],
    );
    // Unity's thumb begins a joint earlier.
    let Content::Slots { slots, .. } = &map.content else {
        panic!("slots")
    };
    assert_eq!(slots["leftThumbMetacarpal"], ["thumb"]);
}

#[test]
fn humanik_definitions_are_read() {
    let text = "<?xml version=\"1.0\"?><config_root><match_list><item key=\"Reference\" value=\"root\"/>\
        <item key=\"Hips\" value=\"pelvis\" /><item value=\"spine_01\" key=\"Spine\"/><item key=\"Spine1\" value=\"spine_02\"/>\
        <item key=\"Spine2\" value=\"spine_03\"/><item key='LeftToeBase' value='ball_l'/><item key=\"LeftArmRoll\" value=\"twist\"/>\
        <item key=\"RightArm\" value=\"\"/></match_list></config_root>";
    check_slots(
        &read_as(Tool::HumanIk, text),
        &unreal(),
        &[
            ("hips", &["pelvis"]),
            ("spine", &["spine_01"]),
            ("chest", &["spine_02"]),
            ("upperChest", &["spine_03"]),
            ("leftToes", &["ball_l"]),
        ],
        &["foreign-part-unknown"],
    );
}

#[test]
fn expy_kit_presets_are_read_without_prefix() {
    let text = "import bpy\nskeleton = bpy.context.object.data.expykit_retarget\n\nskeleton.spine.hips = 'Hips'\n\
        skeleton.spine.spine = 'Spine'\nskeleton.spine.spine1 = 'Spine1'\nskeleton.left_arm.arm = 'LeftArm'\n\
        skeleton.left_arm.arm_twist = ''\nskeleton.left_arm_ik.arm = 'Control'\nskeleton.face.jaw = ''\nskeleton.left_leg.toe = 'LeftToeBase'\n";
    check_slots(
        &read_as(Tool::ExpyKit, text),
        &mixamo(),
        &[
            ("hips", &["mixamorig:Hips"]),
            ("spine", &["mixamorig:Spine"]),
            ("chest", &["mixamorig:Spine1"]),
            ("leftUpperArm", &["mixamorig:LeftArm"]),
            ("leftToes", &["mixamorig:LeftToeBase"]),
        ],
        &["foreign-names-differ"],
    );
}

#[test]
fn unreal_chains_are_read_from_text_json_and_scripts() {
    let expected: &[(&str, &[&str])] = &[
        ("hips", &["pelvis"]),
        ("spine", &["spine_01"]),
        ("chest", &["spine_02"]),
        ("upperChest", &["spine_03"]),
        ("neck", &["neck_01"]),
        ("head", &["head"]),
        ("leftShoulder", &["clavicle_l"]),
        ("leftUpperArm", &["upperarm_l"]),
        ("leftLowerArm", &["lowerarm_l"]),
        ("leftHand", &["hand_l"]),
        ("leftUpperLeg", &["thigh_l"]),
        ("leftLowerLeg", &["calf_l"]),
        ("leftFoot", &["foot_l"]),
        ("leftToes", &["ball_l"]),
    ];
    let chains = [
        ("Spine", "spine_01", "spine_03"),
        ("Neck", "neck_01", "neck_01"),
        ("Head", "head", "head"),
        ("LeftClavicle", "clavicle_l", "clavicle_l"),
        ("LeftArm", "upperarm_l", "hand_l"),
        ("Leg_L", "thigh_l", "ball_l"),
        ("Tail", "tail_01", "tail_01"),
    ];
    let joined = |form: &dyn Fn(&str, &str, &str) -> String, separator: &str| {
        let parts: Vec<String> = chains.iter().map(|(a, b, c)| form(a, b, c)).collect();
        parts.join(separator)
    };
    let text = joined(
        &|name, start, end| {
            format!(
                "(ChainName=\"{name}\",StartBone=(BoneName=\"{start}\"),EndBone=(BoneName=\"{end}\"),IKGoalName=\"\")"
            )
        },
        ",",
    );
    let json = joined(
        &|name, start, end| {
            format!(
                "{{\"ChainName\": \"{name}\", \"StartBone\": {{\"BoneName\": \"{start}\"}}, \"EndBone\": {{\"BoneName\": \"{end}\"}}, \"IKGoalName\": \"None\"}}"
            )
        },
        ",",
    );
    let script = joined(
        &|name, start, end| {
            format!("c.add_retarget_chain('{name}', \"{start}\", \"{end}\", \"None\")")
        },
        "\n",
    );
    for text in [
        format!("RetargetDefinition=(RootBone=\"pelvis\",BoneChains=({text}))"),
        format!(
            "[{{\"Type\": \"IKRigDefinition\", \"Properties\": {{\"RetargetDefinition\": {{\"RootBone\": \"pelvis\", \"BoneChains\": [{json}]}}}}}}]"
        ),
        format!("c.set_retarget_root(\"pelvis\")\n{script}\n"),
    ] {
        check_slots(
            &read_as(Tool::Unreal, &text),
            &unreal(),
            expected,
            &["foreign-part-unknown"],
        );
    }
}

#[test]
fn pairs_are_read_and_become_links() {
    let pairs = [
        ("mixamorig:Hips", "pelvis"),
        ("mixamorig:LeftArm", "upperarm_l"),
        ("mixamorig:Tail", "tail_01"),
    ];
    let arp = pairs.map(|(from, to)| {
        format!(
            "{to}%False%ABSOLUTE%0.0,0.0,0.0%0.0,0.0,0.0%1.0%False%False%\n{from}\nFalse\nFalse\n\n"
        )
    });
    let arp = arp.concat()
        + "None%False%ABSOLUTE%0.0,0.0,0.0%0.0,0.0,0.0%1.0%False%False%\nmixamorig:Spine\nFalse\nFalse\n\n";
    let keemap = pairs.map(|(from, to)| {
        serde_json::json!({"name": from, "SourceBoneName": from, "DestinationBoneName": to, "has_twist_bone": false}).to_string()
    });
    let keemap = format!(
        "{{\"bones\": [{}], \"source_rig_name\": \"Root\"}}",
        keemap.join(",")
    );
    let threejs: BTreeMap<&str, &str> = pairs.into();
    let threejs = serde_json::json!({"boneMapNames": threejs, "srcKeyBones": {}}).to_string();
    let qtmesh = pairs.map(|(from, to)| serde_json::json!({"source": from, "target": to}));
    let qtmesh = serde_json::json!({"schema": "qtmesh-bonemap-v1", "name": "x", "pairs": qtmesh})
        .to_string();
    for (tool, text) in [
        (Tool::AutoRigPro, arp),
        (Tool::KeeMap, keemap),
        (Tool::Threejs, threejs),
        (Tool::QtMesh, qtmesh),
    ] {
        let map = read_as(tool, &text);
        let (source, target) = (mixamo(), unreal());
        let maps = (empty(&source), empty(&target));
        let (recipe, warnings) = map.recipe((&source, &maps.0), (&target, &maps.1));
        assert!(warnings.is_empty(), "{tool:?}: {warnings:?}");
        let expected: BTreeMap<String, Followed> = pairs
            .iter()
            .map(|(from, to)| ((*to).to_owned(), (*from).into()))
            .collect();
        assert_eq!(recipe.links, expected, "{tool:?}");

        // With the source's slots known, the pairs tell the target's; what is in no slot stays a link.
        let mut known = maps.0.clone();
        let own = |slot: &str, joint: &str| (slot.to_owned(), vec![joint.to_owned()]);
        let own = [
            own("hips", "mixamorig:Hips"),
            own("leftUpperArm", "mixamorig:LeftArm"),
        ];
        apply_overrides(&mut known, &source, &own.into()).unwrap();
        let (recipe, _) = map.recipe((&source, &known), (&target, &maps.1));
        assert_eq!(recipe.target.slots["leftUpperArm"], ["upperarm_l"]);
        assert_eq!(recipe.links.keys().collect::<Vec<_>>(), ["tail_01"]);

        // The other way round it is read as it is meant, and told.
        let (recipe, warnings) = map.recipe((&target, &maps.1), (&source, &maps.0));
        assert_eq!(recipe.links["mixamorig:Tail"], Followed::from("tail_01"));
        assert_eq!(warnings[0].code, "foreign-map-reversed");
    }
}

#[test]
fn rokoko_schemes_are_read_for_both_rigs() {
    let text = r#"{"rokoko_custom_names": true, "version": 1, "bones": {
        "hip": ["pelvis", "mixamorig:hips"],
        "spine": ["spine_01", "spine_02", "mixamorig:spine"],
        "leftUpperArm": ["upperarm_l", "mixamorig:leftarm"],
        "custom_bone_mixamorig:tail": ["mixamorig:tail", "tail_01"],
        "wing": ["wing_l"]
    }, "shapes": {}}"#;
    let map = read_as(Tool::Rokoko, text);
    let (source, target) = (mixamo(), unreal());
    let (recipe, warnings) = map.recipe((&source, &empty(&source)), (&target, &empty(&target)));
    assert_eq!(recipe.source.slots["spine"], ["mixamorig:Spine"]);
    assert_eq!(recipe.target.slots["chest"], ["spine_02"]);
    assert_eq!(recipe.target.slots["leftUpperArm"], ["upperarm_l"]);
    assert_eq!(recipe.links["tail_01"], Followed::from("mixamorig:Tail"));
    let codes: Vec<&str> = warnings.iter().map(|warning| warning.code).collect();
    assert!(codes.contains(&"foreign-part-unknown"), "{codes:?}");
}

#[test]
fn what_is_no_map_is_refused_with_a_remedy() {
    for (text, part) in [
        ("", "no known tool"),
        ("hello", "no known tool"),
        ("{\"bones\": []}", "no known tool"),
        (
            "{\"schema\": \"qtmesh-bonemap-v9\", \"pairs\": []}",
            "qtmesh-bonemap-v1",
        ),
        ("{\"boneMapNames\": 3}", "boneMapNames"),
        ("{\"rokoko_custom_names\": true, \"bones\": 1}", "bones"),
        (
            "[gd_resource type=\"BoneMap\" format=3]\n",
            "links no joint",
        ),
        (
            "<config_root><match_list></match_list></config_root>",
            "links no joint",
        ),
        ("x.add_retarget_chain(name, start, end)", "links no joint"),
    ] {
        let error = read(text).unwrap_err().to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
    // Nothing in a file makes a reader stop or panic.
    for text in [
        "bone_map/",
        "bone_map/Hips = &\"open",
        "ChainName=",
        "boneName:\nhumanName:",
        "<match_list<item key=",
        "a%True%%\n",
        "skeleton.spine.hips =",
        "add_retarget_chain(\"",
        "bonemap = {\"a\" \"b\" type=\"BoneMap\"",
    ] {
        let _ = read(text);
    }
}

/// Files cut off anywhere, and files with any character changed, end in an error or in a map that can be used.
#[test]
fn broken_maps_end_in_an_error_or_a_recipe() {
    let (source, target) = (mixamo(), unreal());
    let maps = (map_character(&source), map_character(&target));
    let (from, to) = ((&source, &maps.0), (&target, &maps.1));
    for tool in Tool::ALL {
        let text = write(tool, Some(from), to, &HandLinks::default())
            .unwrap()
            .text;
        let starts: Vec<usize> = text.char_indices().map(|pair| pair.0).collect();
        for (index, &at) in starts.iter().enumerate().step_by(stride()) {
            let new = ['"', '\\', '{', '\n', '%', ' ', '尾', ':'][index % 8];
            let rest = text[at..]
                .chars()
                .next()
                .map_or("", |old| &text[at + old.len_utf8()..]);
            for broken in [text[..at].to_owned(), format!("{}{new}{rest}", &text[..at])] {
                let Ok(map) = read(&broken) else { continue };
                let (recipe, _) = map.recipe(from, to);
                let (mut source_map, mut target_map) = maps.clone();
                apply_overrides(&mut source_map, &source, &recipe.source.slots).unwrap();
                apply_overrides(&mut target_map, &target, &recipe.target.slots).unwrap();
                hand_links(&source, &target, &recipe.links).unwrap();
            }
        }
    }
}

/// What a rig's map is worth in a tool that has one joint a slot: slot by slot, the torso as one chain.
fn worth(map: &RigMap, character: &Character) -> BTreeMap<String, String> {
    let name = |joint: usize| character.skeleton.unique_name(joint).to_owned();
    let mut result = BTreeMap::new();
    for (slot, found) in &map.slots {
        result.insert(
            map.profile.info(*slot).name.to_owned(),
            name(found.joints[0]),
        );
    }
    result
}

#[test]
fn maps_of_one_rig_come_back() {
    for file in ["adult.glb", "brute.glb", "chibi.vrm", "walk.bvh"] {
        let character = sample(file);
        let map = map_character(&character);
        assert!(map.slots.len() > 15, "{file}");
        for tool in Tool::ALL.into_iter().filter(|tool| tool.is_of_one_rig()) {
            let written = write(tool, None, (&character, &map), &HandLinks::default()).unwrap();
            let (overrides, warnings) =
                read_as(tool, &written.text).slots(&character, &empty(&character));
            assert!(warnings.is_empty(), "{file} as {tool:?}: {warnings:?}");
            let mut back = empty(&character);
            apply_overrides(&mut back, &character, &overrides).unwrap();
            let (mut expected, found) = (worth(&map, &character), worth(&back, &character));
            let lost: BTreeSet<String> = expected
                .keys()
                .filter(|slot| !found.contains_key(*slot))
                .cloned()
                .collect();
            let no_place = ["jaw", "leftEye", "rightEye"];
            assert!(
                lost.iter().all(|slot| no_place.contains(&slot.as_str())),
                "{file} as {tool:?} lost {lost:?}"
            );
            expected.retain(|slot, _| found.contains_key(slot));
            assert_eq!(found, expected, "{file} as {tool:?}");
            if !lost.is_empty() {
                assert_eq!(written.warnings[0].code, "foreign-not-kept");
            }
        }
    }
}

/// Tools for people have no word for the legs of an animal, and it is said.
#[test]
fn what_only_an_animal_has_is_told() {
    let character = unreal();
    let mut map = map_character_as(&character, ProfileChoice::Quadruped);
    let chosen = [("hips", "pelvis"), ("leftHindUpperLeg", "thigh_l")];
    let chosen = chosen.map(|(slot, joint)| (slot.to_owned(), vec![joint.to_owned()]));
    map.slots.clear();
    apply_overrides(&mut map, &character, &chosen.into()).unwrap();
    for tool in [Tool::Godot, Tool::Unity, Tool::HumanIk, Tool::ExpyKit] {
        let written = write(tool, None, (&character, &map), &HandLinks::default()).unwrap();
        assert!(
            written.warnings[0]
                .message
                .ends_with("has no place for thigh_l"),
            "{tool:?}"
        );
    }
}

/// A foot beside the body, at an IK joint, ends no chain; thigh and shin are still one.
#[test]
fn unreals_chain_of_a_leg_ends_above_a_foot_beside_the_body() {
    let character = unreal();
    let mut builder = SkeletonBuilder::new();
    for joint in character.skeleton.joints() {
        let parent = joint.parent.filter(|_| joint.name != "foot_l");
        builder.add(NewJoint::new(joint.name.clone(), parent, joint.rest));
    }
    let character = Character {
        skeleton: builder.build().unwrap().0,
        ..Character::default()
    };
    let mut map = empty(&character);
    let chosen = [
        ("hips", "pelvis"),
        ("leftUpperLeg", "thigh_l"),
        ("leftLowerLeg", "calf_l"),
        ("leftFoot", "foot_l"),
    ];
    let chosen = chosen.map(|(slot, joint)| (slot.to_owned(), vec![joint.to_owned()]));
    apply_overrides(&mut map, &character, &chosen.into()).unwrap();
    let written = write(
        Tool::Unreal,
        None,
        (&character, &map),
        &HandLinks::default(),
    )
    .unwrap();
    assert!(
        written.text.contains("\"thigh_l\", \"calf_l\""),
        "{}",
        written.text
    );
    assert!(
        written.warnings[0]
            .message
            .ends_with("has no place for foot_l")
    );
    let (back, warnings) =
        read_as(Tool::Unreal, &written.text).slots(&character, &empty(&character));
    assert!(warnings.is_empty(), "{warnings:?}");
    assert_eq!(back["leftLowerLeg"], ["calf_l"]);
}

/// Target joint and the source joint that it follows one to one.
fn pairs_of(
    source: (&Character, &RigMap),
    target: (&Character, &RigMap),
    by_hand: &HandLinks,
) -> BTreeMap<String, String> {
    let mut result = BTreeMap::new();
    let mut put = |from: usize, to: usize| {
        result.insert(
            target.0.skeleton.unique_name(to).to_owned(),
            source.0.skeleton.unique_name(from).to_owned(),
        );
    };
    for link in links(source.1, target.1) {
        if link.source.len() == link.target.len() {
            link.source
                .iter()
                .zip(&link.target)
                .for_each(|(&from, &to)| put(from, to));
        } else {
            put(link.source[0], link.target[0]);
        }
    }
    for &(from, to) in &by_hand.pairs {
        put(from, to);
    }
    for &to in &by_hand.left_out {
        result.remove(target.0.skeleton.unique_name(to));
    }
    result
}

#[test]
fn maps_of_pairs_come_back() {
    let source = sample("walk.bvh");
    let source_map = map_character(&source);
    for file in ["adult.glb", "brute.glb", "chibi.vrm"] {
        let target = sample(file);
        let target_map = map_character(&target);
        let (from, to) = ((&source, &source_map), (&target, &target_map));
        // One joint is linked otherwise, and one is taken out.
        let name = |rig: (&Character, &RigMap), slot: &str| {
            let joint = rig.1.joint_named(slot).unwrap();
            rig.0.skeleton.unique_name(joint).to_owned()
        };
        let typed = BTreeMap::from([
            (name(to, "head"), Followed::One(name(from, "neck"))),
            (name(to, "leftHand"), Followed::from("")),
        ]);
        for typed in [BTreeMap::new(), typed] {
            let by_hand = hand_links(&source, &target, &typed).unwrap();
            let expected = pairs_of(from, to, &by_hand);
            for tool in Tool::ALL.into_iter().filter(|tool| !tool.is_of_one_rig()) {
                let written = write(tool, Some(from), to, &by_hand).unwrap();
                let out = written
                    .warnings
                    .iter()
                    .any(|told| told.message.contains("(taken out)"));
                assert_eq!(out, !typed.is_empty(), "{tool:?}");
                let map = read_as(tool, &written.text);
                let blank = (empty(&source), empty(&target));
                let (recipe, warnings) = map.recipe((&source, &blank.0), (&target, &blank.1));
                let told = warnings
                    .iter()
                    .filter(|warning| warning.code != "foreign-names-differ");
                assert_eq!(told.count(), 0, "{file} as {tool:?}: {warnings:?}");
                let found = with_recipe(&recipe, (&source, blank.0), (&target, blank.1));
                let one_to_one = matches!(tool, Tool::AutoRigPro | Tool::Threejs | Tool::QtMesh);
                for (joint, followed) in &expected {
                    let back = found.get(joint);
                    // A source joint that drives two joints has one place in these formats.
                    let shared = expected.values().filter(|other| *other == followed).count() > 1;
                    if one_to_one && shared && back.is_none() {
                        assert!(
                            written
                                .warnings
                                .iter()
                                .any(|warning| warning.message.contains(joint.as_str()))
                        );
                        continue;
                    }
                    assert_eq!(back, Some(followed), "{file} as {tool:?}: {joint}");
                }
            }
        }
    }
}

/// What a recipe links one to one.
fn with_recipe(
    recipe: &Recipe,
    source: (&Character, RigMap),
    target: (&Character, RigMap),
) -> BTreeMap<String, String> {
    let (mut from, mut to) = (source.1, target.1);
    apply_overrides(&mut from, source.0, &recipe.source.slots).unwrap();
    apply_overrides(&mut to, target.0, &recipe.target.slots).unwrap();
    let by_hand = hand_links(source.0, target.0, &recipe.links).unwrap();
    pairs_of((source.0, &from), (target.0, &to), &by_hand)
}

#[test]
fn a_map_of_what_is_linked_anyway_adds_nothing() {
    let (source, target) = (sample("walk.bvh"), sample("brute.glb"));
    let maps = (map_character(&source), map_character(&target));
    let (from, to) = ((&source, &maps.0), (&target, &maps.1));
    for tool in [Tool::KeeMap, Tool::QtMesh] {
        let written = write(tool, Some(from), to, &HandLinks::default()).unwrap();
        let (recipe, _) = read_as(tool, &written.text).recipe(from, to);
        assert!(recipe.target.slots.is_empty() && recipe.source.slots.is_empty());
        // Only a torso of unlike count is no matter of pairs.
        let torso: BTreeSet<&str> = rebone_setup::links::torso(&maps.1)
            .into_iter()
            .map(|joint| target.skeleton.unique_name(joint))
            .collect();
        assert!(
            recipe
                .links
                .keys()
                .all(|joint| torso.contains(joint.as_str())),
            "{:?}",
            recipe.links
        );
    }
}
