//! Writing a whole character as a new file.

use super::buffers::data_uri;
use super::motion_json::{MotionJson, Placement};
use super::splice::quoted;
use super::write_into::{numbers, unit_components};
use super::write_meshes::{Binary, List, named, primitive, skin, surfaces};
use super::{Container, glb};
use crate::{Error, Output};
use rebone_model::{Character, Clip, Joint, Mesh, Quat, Vec3};
use std::borrow::Cow;
use std::fmt::Write;

/// Writes a character with its skins, meshes, materials, images, labels and clips as a new file.
///
/// Joint i of the skeleton becomes node i, except where a skin spans several roots: glTF wants these
/// under one node, which is then added in front. Labels of the system `vrm-1` make the file a VRM 1.0
/// avatar, those of `vrma` a VRM animation. Clips without tracks are left out, glTF has none such.
///
/// Fails for a skeleton without joints, for clips, skins or meshes that do not fit it, and for GLBs
/// beyond 4 GiB.
pub fn write_character(character: &Character, container: Container) -> Result<Output, Error> {
    check(character)?;
    let first_node = usize::from(needs_common_root(character));
    let mut binary = Binary::default();
    let mut nodes = Nodes::new(character, first_node);
    let meshes = nodes.add_meshes(character, first_node, &mut binary);
    let mut skins = List::default();
    for entry in &character.skins {
        skins.push(&skin(entry, first_node, &mut binary));
    }
    let surfaces = surfaces(character, &mut binary);
    binary.align();
    let clips: Cow<'_, [_]> = if character.clips.iter().any(Clip::is_empty) {
        let filled = character.clips.iter().filter(|clip| !clip.is_empty());
        filled.cloned().collect()
    } else {
        Cow::Borrowed(&character.clips)
    };
    let placement = Placement {
        first_accessor: binary.accessors.count,
        first_view: binary.views.count,
    };
    let motion = MotionJson::new(&clips, placement, |joint| joint + first_node);
    for (list, elements) in [
        (&mut binary.accessors, &motion.accessors),
        (&mut binary.views, &motion.views(0, binary.bytes.len())),
    ] {
        if !elements.is_empty() {
            list.push(elements);
        }
    }

    let byte_length = binary.bytes.len() + motion.byte_len();
    let mut json = String::from(r#"{"asset":{"generator":"rebone","version":"2.0"}"#);
    let uri = (container == Container::Gltf).then(|| {
        let mut bytes = std::mem::take(&mut binary.bytes);
        motion.append_bytes(&mut bytes);
        data_uri("application/octet-stream", &bytes)
    });
    json.push_str(&vrm_extension(character, first_node));
    // Writing into a String cannot fail.
    let _ = write!(
        json,
        r#","scene":0,"scenes":[{{"nodes":[{}]}}]"#,
        nodes.roots.join(",")
    );
    let node_list = nodes.finish();
    for (key, elements) in [
        ("nodes", &node_list),
        ("meshes", &meshes.text),
        ("skins", &skins.text),
        ("materials", &surfaces.materials.text),
        ("textures", &surfaces.textures.text),
        ("images", &surfaces.images.text),
        ("animations", &motion.animations),
        ("accessors", &binary.accessors.text),
        ("bufferViews", &binary.views.text),
    ] {
        if !elements.is_empty() {
            let _ = write!(json, r#","{key}":[{elements}]"#);
        }
    }
    if byte_length > 0 {
        let uri = uri.map_or_else(String::new, |uri| format!(r#","uri":"{uri}""#));
        let _ = write!(json, r#","buffers":[{{"byteLength":{byte_length}{uri}}}]"#);
    }
    json.push('}');
    if container == Container::Gltf {
        return Ok(Output {
            bytes: json.into_bytes(),
            warnings: Vec::new(),
        });
    }
    let write_bin = |out: &mut Vec<u8>| {
        out.extend_from_slice(&binary.bytes);
        motion.append_bytes(out);
    };
    let bytes = glb::join(&json, byte_length, write_bin, &[])?;
    Ok(Output {
        bytes,
        warnings: Vec::new(),
    })
}

fn check(character: &Character) -> Result<(), Error> {
    let joints = character.skeleton.len();
    let unfit = |what: String, place: String| {
        Err(Error::caller(
            what,
            place,
            "write only what belongs to one skeleton",
        ))
    };
    if joints == 0 {
        return unfit(
            "the skeleton has no joints".to_owned(),
            "character".to_owned(),
        );
    }
    for (index, clip) in character.clips.iter().enumerate() {
        if clip.joints.len() != joints {
            return unfit(
                format!("the clip is for {} joints of {joints}", clip.joints.len()),
                format!("clips[{index}] \"{}\"", clip.name),
            );
        }
    }
    for (index, skin) in character.skins.iter().enumerate() {
        let fits = skin.inverse_bind.len() == skin.joints.len()
            && !skin.joints.is_empty()
            && skin.joints.iter().all(|&joint| joint < joints);
        if !fits {
            return unfit(
                "the skin names joints or matrices that do not exist".to_owned(),
                format!("skins[{index}]"),
            );
        }
    }
    for (index, mesh) in character.meshes.iter().enumerate() {
        let vertices = mesh.positions.len();
        let fits = mesh.skin.is_none_or(|skin| skin < character.skins.len())
            && mesh.joint.is_none_or(|joint| joint < joints)
            && mesh
                .material
                .is_none_or(|material| material < character.materials.len())
            && mesh.positions.iter().all(|position| position.is_finite())
            && mesh
                .indices
                .iter()
                .all(|&index| (index as usize) < vertices);
        if !fits {
            return unfit(
                "the mesh names something that does not exist, or a position is not finite"
                    .to_owned(),
                format!("meshes[{index}]"),
            );
        }
    }
    Ok(())
}

/// True where the joints of a skin lie under several roots.
fn needs_common_root(character: &Character) -> bool {
    let joints = character.skeleton.joints();
    let mut roots: Vec<usize> = Vec::with_capacity(joints.len());
    for (index, joint) in joints.iter().enumerate() {
        roots.push(joint.parent.map_or(index, |parent| roots[parent]));
    }
    character.skins.iter().any(|skin| {
        let mut of_skin = skin.joints.iter().map(|&joint| roots[joint]);
        let first = of_skin.next();
        of_skin.any(|root| Some(root) != first)
    })
}

/// A node without its children, and those.
struct NodeText {
    text: String,
    children: Vec<String>,
}

struct Nodes {
    nodes: Vec<NodeText>,
    roots: Vec<String>,
}

impl Nodes {
    fn new(character: &Character, first_node: usize) -> Self {
        let mut this = Self {
            nodes: Vec::new(),
            roots: Vec::new(),
        };
        if first_node > 0 {
            this.add(format!(r#""name":{}"#, quoted(&character.name)), None);
        }
        for joint in character.skeleton.joints() {
            let container = (first_node > 0).then_some(0);
            let parent = joint.parent.map(|parent| parent + first_node);
            this.add(joint_text(joint), parent.or(container));
        }
        this
    }

    fn add(&mut self, text: String, parent: Option<usize>) {
        let index = self.nodes.len().to_string();
        match parent {
            Some(parent) => self.nodes[parent].children.push(index),
            None => self.roots.push(index),
        }
        self.nodes.push(NodeText {
            text,
            children: Vec::new(),
        });
    }

    /// Adds a node for each run of meshes that share name and carrier; returns the meshes.
    fn add_meshes(
        &mut self,
        character: &Character,
        first_node: usize,
        binary: &mut Binary,
    ) -> List {
        let mut meshes = List::default();
        let carrier = |mesh: &Mesh| (mesh.name.clone(), mesh.skin, mesh.joint);
        let drawn: Vec<&Mesh> = character
            .meshes
            .iter()
            .filter(|mesh| !mesh.positions.is_empty() && mesh.indices.len() >= 3)
            .collect();
        for run in drawn.chunk_by(|a, b| carrier(a) == carrier(b)) {
            let mut primitives = List::default();
            for mesh in run {
                primitives.push(&primitive(mesh, binary));
            }
            let (name, skin, joint) = carrier(run[0]);
            let text = format!(r#""primitives":[{}]{}"#, primitives.text, named(&name));
            let index = meshes.push(&format!("{{{text}}}"));
            let skin_text = skin.map_or_else(String::new, |skin| format!(r#","skin":{skin}"#));
            let parent = joint
                .filter(|_| skin.is_none())
                .map(|joint| joint + first_node);
            let text = format!(r#""mesh":{index}{}{skin_text}"#, named(&name));
            self.add(text, parent);
        }
        meshes
    }

    fn finish(self) -> String {
        let mut list = List::default();
        for node in self.nodes {
            let children = if node.children.is_empty() {
                String::new()
            } else {
                format!(r#","children":[{}]"#, node.children.join(","))
            };
            list.push(&format!("{{{}{children}}}", node.text));
        }
        list.text
    }
}

fn joint_text(joint: &Joint) -> String {
    let mut text = format!(r#""name":{}"#, quoted(&joint.name));
    let rest = &joint.rest;
    // Writing into a String cannot fail.
    if rest.translation != Vec3::ZERO {
        let _ = write!(
            text,
            r#","translation":{}"#,
            numbers(&rest.translation.to_array())
        );
    }
    if rest.rotation != Quat::IDENTITY {
        let _ = write!(
            text,
            r#","rotation":{}"#,
            numbers(&unit_components(rest.rotation))
        );
    }
    if rest.scale != Vec3::ONE {
        let _ = write!(text, r#","scale":{}"#, numbers(&rest.scale.to_array()));
    }
    text
}

/// `,"extensions":...,"extensionsUsed":...` for labelled characters, else nothing.
fn vrm_extension(character: &Character, first_node: usize) -> String {
    let (name, more) = match character.label_system.as_str() {
        "vrm-1" => {
            let title = if character.name.is_empty() {
                "character"
            } else {
                &character.name
            };
            let meta = format!(
                r#","meta":{{"authors":["unknown"],"licenseUrl":"https://vrm.dev/licenses/1.0/","name":{}}}"#,
                quoted(title)
            );
            ("VRMC_vrm", meta)
        }
        "vrma" => ("VRMC_vrm_animation", String::new()),
        _ => return String::new(),
    };
    if character.labels.is_empty() {
        return String::new();
    }
    let mut bones = List::default();
    let mut seen: Vec<&str> = Vec::new();
    for label in &character.labels {
        if seen.contains(&label.label.as_str()) || label.joint >= character.skeleton.len() {
            continue;
        }
        seen.push(&label.label);
        let node = label.joint + first_node;
        bones.push(&format!(r#"{}:{{"node":{node}}}"#, quoted(&label.label)));
    }
    format!(
        r#","extensions":{{"{name}":{{"humanoid":{{"humanBones":{{{}}}}}{more},"specVersion":"1.0"}}}},"extensionsUsed":["{name}"]"#,
        bones.text
    )
}
