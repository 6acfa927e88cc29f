//! From a fuzzer's bytes to a pair of files and a recipe.

use crate::body::humanoid;
use crate::raw_glb::{RawGlb, RawNode, RawTrack, RawVertex, number};
use libfuzzer_sys::arbitrary::{Result, Unstructured};
use std::fmt::Write as _;

/// What a case is made of.
pub(crate) struct Case {
    /// A GLB or a BVH with clips.
    pub(crate) source: Vec<u8>,
    /// A GLB with a skin, perhaps.
    pub(crate) target: Vec<u8>,
    /// In TOML.
    pub(crate) recipe: String,
    /// True where the pair is compiled as well.
    pub(crate) compiles: bool,
}

/// Numbers as broken exporters and careless tools make them.
const ODD: [f32; 20] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    1e-45,
    1e-38,
    1e-20,
    1e-8,
    0.999_999_9,
    100.0,
    1e4,
    1e10,
    -1e15,
    9e17,
    1e18,
    1e19,
    3e38,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
];

/// Presets by name, as a recipe writes them.
const PRESETS: [&str; 4] = ["faithful", "humanik", "mixamo", "match-source"];
const METHODS: [&str; 3] = ["model-delta", "rest-delta", "parent-delta"];

/// Further lines of a recipe; any of them go together.
const CHOICES: [&str; 12] = [
    "ground = 1.0",
    "rate_hz = 24",
    "mirror = true",
    "across_kinds = true",
    "twist = 0.5",
    "root_motion = { mode = \"extract\", axes = \"x z turn\", smooth_seconds = 0.1 }",
    "root_scale = [1.0, 0.5, 0.0]",
    "translations.all = \"none\"",
    "limits.use = \"human\"",
    "hands = { mode = \"auto\", near = 0.1, far = 0.2 }",
    "pins = [{ end = \"leftHand\", to = \"point\", point = [0.3, 1.2, 0.4], from = 0.1, until = 0.2 }]",
    "target.look_at = { point = [0, 1.5, 2], weight = 0.5 }",
];

/// Names that the mapping knows, and some that it does not.
const NAMES: [&str; 12] = [
    "Hips",
    "Spine",
    "Head",
    "LeftArm",
    "LeftHand",
    "RightFoot",
    "tail_01",
    "Bone.001",
    "b",
    "",
    "LeftFrontPaw",
    "Root",
];

/// Joints of a long body, at most.
const MOST_JOINTS: usize = 3_000;

/// Takes a case from bytes. Fails where they end too early.
pub(crate) fn described(bytes: &mut Unstructured<'_>) -> Result<Case> {
    let recipe = recipe(bytes)?;
    let compiles = bytes.ratio(1, 4)?;
    let as_bvh = bytes.ratio(1, 5)?;
    let nodes = body(bytes)?;
    let source = if as_bvh {
        bvh(bytes, &nodes)?
    } else {
        let mut clips = Vec::new();
        for _ in 0..bytes.int_in_range(0..=2)? {
            clips.push(clip(bytes, nodes.len())?);
        }
        RawGlb {
            nodes,
            clips,
            vertices: Vec::new(),
        }
        .bytes()
    };
    let nodes = body(bytes)?;
    let mut clips = Vec::new();
    if bytes.ratio(1, 4)? {
        clips.push(clip(bytes, nodes.len())?);
    }
    let vertices = vertices(bytes, nodes.len())?;
    let target = RawGlb {
        nodes,
        clips,
        vertices,
    }
    .bytes();
    Ok(Case {
        source,
        target,
        recipe,
        compiles,
    })
}

fn recipe(bytes: &mut Unstructured<'_>) -> Result<String> {
    let mut text = format!(
        "preset = \"{}\"\nmethod = \"{}\"\n",
        bytes.choose(&PRESETS)?,
        bytes.choose(&METHODS)?
    );
    let chosen: u16 = bytes.arbitrary()?;
    for (bit, line) in CHOICES.iter().enumerate() {
        if chosen >> bit & 1 == 1 {
            let _ = writeln!(text, "{line}");
        }
    }
    Ok(text)
}

/// Mostly numbers of the size of a body, sometimes odd ones.
fn float(bytes: &mut Unstructured<'_>) -> Result<f32> {
    Ok(match bytes.int_in_range(0..=19)? {
        0..=3 => *bytes.choose(&ODD)?,
        4 => f32::from_bits(bytes.arbitrary()?),
        _ => f32::from(bytes.arbitrary::<i8>()?) / 64.0,
    })
}

fn floats<const N: usize>(bytes: &mut Unstructured<'_>) -> Result<[f32; N]> {
    let mut values = [0.0; N];
    for value in &mut values {
        *value = float(bytes)?;
    }
    Ok(values)
}

/// A rotation, which is unit more often than not.
fn rotation(bytes: &mut Unstructured<'_>) -> Result<[f32; 4]> {
    let values: [f32; 4] = floats(bytes)?;
    if bytes.ratio(1, 5)? {
        return Ok(values);
    }
    let length = values.iter().map(|value| value * value).sum::<f32>().sqrt();
    Ok(if length > 0.0 {
        values.map(|value| value / length)
    } else {
        [0.0, 0.0, 0.0, 1.0]
    })
}

fn body(bytes: &mut Unstructured<'_>) -> Result<Vec<RawNode>> {
    let mut nodes = match bytes.int_in_range(0..=9)? {
        0 => Vec::new(),
        _ => humanoid(),
    };
    // All of it in another unit, or none.
    if bytes.ratio(1, 4)? {
        let scale = float(bytes)?;
        for node in &mut nodes {
            node.translation = node.translation.map(|part| part * scale);
        }
    }
    for _ in 0..bytes.int_in_range(0..=6)? {
        change(bytes, &mut nodes)?;
    }
    if bytes.ratio(1, 40)? {
        let count = bytes.int_in_range(1..=MOST_JOINTS)?;
        let is_chain = bytes.arbitrary()?;
        let node = added(bytes, nodes.len())?;
        for step in 0..count {
            let parent = if is_chain && step > 0 {
                Some(nodes.len() - 1)
            } else {
                node.parent
            };
            nodes.push(RawNode {
                name: node.name.clone(),
                parent,
                ..node
            });
        }
    }
    if nodes.is_empty() {
        nodes.push(added(bytes, 0)?);
    }
    Ok(nodes)
}

fn added(bytes: &mut Unstructured<'_>, count: usize) -> Result<RawNode> {
    let parent = if count == 0 || bytes.ratio(1, 8)? {
        None
    } else {
        Some(bytes.int_in_range(0..=count - 1)?)
    };
    Ok(RawNode {
        name: (*bytes.choose(&NAMES)?).to_owned(),
        parent,
        translation: floats(bytes)?,
        rotation: [0.0, 0.0, 0.0, 1.0],
        scale: [1.0; 3],
    })
}

fn change(bytes: &mut Unstructured<'_>, nodes: &mut Vec<RawNode>) -> Result<()> {
    let kind = bytes.int_in_range(0..=6)?;
    if kind == 6 || nodes.is_empty() {
        let node = added(bytes, nodes.len())?;
        nodes.push(node);
        return Ok(());
    }
    let place = bytes.choose_index(nodes.len())?;
    let node = &mut nodes[place];
    match kind {
        0 => node.translation = floats(bytes)?,
        1 => node.rotation = rotation(bytes)?,
        2 => node.scale = floats(bytes)?,
        3 => node.scale = [float(bytes)?; 3],
        4 => node.name = (*bytes.choose(&NAMES)?).to_owned(),
        _ if place > 0 => node.parent = Some(bytes.int_in_range(0..=place - 1)?),
        _ => {}
    }
    Ok(())
}

fn times(bytes: &mut Unstructured<'_>) -> Result<Vec<f32>> {
    if bytes.ratio(1, 3)? {
        let count = bytes.int_in_range(0..=5)?;
        return (0..count).map(|_| float(bytes)).collect();
    }
    let count: u16 = bytes.int_in_range(0..=24)?;
    let start = if bytes.ratio(1, 4)? {
        float(bytes)?
    } else {
        0.0
    };
    let step = if bytes.ratio(1, 4)? {
        float(bytes)?
    } else {
        1.0 / 30.0
    };
    Ok((0..count)
        .map(|key| start + f32::from(key) * step)
        .collect())
}

fn clip(bytes: &mut Unstructured<'_>, joints: usize) -> Result<Vec<RawTrack>> {
    let mut tracks: Vec<RawTrack> = Vec::new();
    for _ in 0..bytes.int_in_range(1..=8)? {
        let times = match tracks.last() {
            Some(track) if bytes.ratio(1, 2)? => track.times.clone(),
            _ => times(bytes)?,
        };
        let path = *bytes.choose(&["rotation", "rotation", "translation", "scale"])?;
        let interpolation = *bytes.choose(&["LINEAR", "LINEAR", "STEP", "CUBICSPLINE"])?;
        let width = if path == "rotation" { 4 } else { 3 };
        let count = times.len() * if interpolation == "CUBICSPLINE" { 3 } else { 1 };
        let mut values = Vec::with_capacity(count * width);
        // A few values that come again and again.
        let mut few = Vec::new();
        for _ in 0..bytes.int_in_range(1..=4)? {
            few.push(if path == "rotation" {
                rotation(bytes)?.to_vec()
            } else {
                floats::<3>(bytes)?.to_vec()
            });
        }
        for key in 0..count {
            values.extend(&few[key % few.len()]);
        }
        tracks.push(RawTrack {
            node: bytes.choose_index(joints)?,
            path,
            interpolation,
            times,
            values,
        });
    }
    Ok(tracks)
}

fn vertices(bytes: &mut Unstructured<'_>, joints: usize) -> Result<Vec<RawVertex>> {
    if !bytes.ratio(1, 3)? {
        return Ok(Vec::new());
    }
    let mut vertices = Vec::new();
    for _ in 0..3 * bytes.int_in_range(1..=4)? {
        vertices.push(RawVertex {
            position: floats(bytes)?,
            joint: u16::try_from(bytes.choose_index(joints)?).unwrap_or(0),
            weight: if bytes.ratio(1, 4)? {
                float(bytes)?
            } else {
                1.0
            },
        });
    }
    Ok(vertices)
}

/// The body as BVH, with frames of few different numbers.
fn bvh(bytes: &mut Unstructured<'_>, nodes: &[RawNode]) -> Result<Vec<u8>> {
    let mut text = String::from("HIERARCHY\n");
    let mut channels = 0;
    let mut open: Vec<usize> = Vec::new();
    // Depth first, as the format nests; a second root is left out.
    let mut stack = vec![0];
    while let Some(node) = stack.pop() {
        while open
            .last()
            .is_some_and(|last| Some(*last) != nodes[node].parent)
        {
            open.pop();
            text.push_str("}\n");
        }
        let RawNode {
            name,
            translation: [x, y, z],
            ..
        } = &nodes[node];
        let word = if open.is_empty() { "ROOT" } else { "JOINT" };
        let places = if open.is_empty() {
            "6 Xposition Yposition Zposition"
        } else {
            "3"
        };
        channels += if open.is_empty() { 6 } else { 3 };
        let _ = write!(
            text,
            "{word} {name}\n{{\nOFFSET {} {} {}\nCHANNELS {places} Zrotation Xrotation Yrotation\n",
            number(*x),
            number(*y),
            number(*z)
        );
        open.push(node);
        stack.extend((0..nodes.len()).filter(|&child| nodes[child].parent == Some(node)));
    }
    text.push_str(&"}\n".repeat(open.len()));
    let frames = bytes.int_in_range(0..=6)?;
    let seconds = if bytes.ratio(1, 4)? {
        float(bytes)?
    } else {
        1.0 / 30.0
    };
    let _ = write!(
        text,
        "MOTION\nFrames: {frames}\nFrame Time: {}\n",
        number(seconds)
    );
    let few: [f32; 7] = floats(bytes)?;
    for at in 0..frames * channels {
        let end = if (at + 1) % channels == 0 { '\n' } else { ' ' };
        let _ = write!(text, "{}{end}", number(few[at % few.len()] * 20.0));
    }
    Ok(text.into_bytes())
}
