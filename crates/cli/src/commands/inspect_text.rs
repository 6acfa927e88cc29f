//! What is in a file, as a person reads it.

use super::inspect::{Findings, keys, pose_kind};
use crate::json;
use crate::summary;
use crate::table::{Align, Table, count, some_of};
use rebone::Rig;
use rebone::audit::Finding;
use rebone::model::kinematics::model_pose;
use rebone::model::{JointKind, Transform, Vec3};
use rebone::setup::mapping::Kind;

/// The whole text; `joints` lists every joint too.
pub(crate) fn text(findings: &Findings, joints: bool) -> String {
    let mut text = head(findings);
    for (rig, found) in findings.rigs.iter().zip(&findings.space) {
        text.push('\n');
        text.push_str(&skeleton_text(rig, found, joints));
    }
    if findings
        .rigs
        .iter()
        .any(|rig| !rig.character.clips.is_empty())
    {
        text.push('\n');
        text.push_str(&clips_text(&findings.rigs));
    } else if !findings.rigs.is_empty() {
        text.push_str("\nno clips\n");
    }
    text
}

fn head(findings: &Findings) -> String {
    let mut parts = vec![findings.format.name().to_uppercase()];
    if let Some(rig) = findings.main_rig() {
        let guessed = if rig.space.unit_is_stated {
            ""
        } else {
            " (guessed from the body)"
        };
        let unit = findings.meters_per_unit().unwrap_or(1.0);
        // Ten digits are more than any unit has, and fewer than the noise of its computation.
        let unit = (unit * 1e10).round() / 1e10;
        parts.push(format!("1 unit = {unit} m{guessed}"));
        parts.push(format!("{} up", findings.stated.up.unwrap_or(rig.space.up)));
        let forward = findings.stated.forward.unwrap_or(rig.space.forward);
        parts.push(format!("faces {forward}"));
    }
    format!("{}: {}\n", findings.name, parts.join(", "))
}

fn skeleton_text(rig: &Rig, found: &[Finding], joints: bool) -> String {
    let skeleton = &rig.character.skeleton;
    let nodes = || skeleton.joints().iter().enumerate();
    let joint_count = nodes()
        .filter(|(_, joint)| joint.kind == JointKind::Joint)
        .count();
    let list_them = if joints { "" } else { " (--joints lists them)" };
    let mut text = format!(
        "skeleton \"{}\": {}{list_them}\n",
        rig.character.name,
        count(joint_count, "joint")
    );
    let mut line = |label: &str, value: String| text.push_str(&format!("  {label:<6} {value}\n"));
    let above: Vec<String> = nodes()
        .filter(|(_, joint)| joint.kind == JointKind::Ancestor)
        .map(|(index, joint)| {
            skeleton.unique_name(index).to_owned() + &describe_transform(&joint.rest)
        })
        .collect();
    if !above.is_empty() {
        line("above", some_of(&above, 6));
    }
    line("rest", rest_line(rig));
    if rig.alignment.candidates.len() > 1 && !rig.map.slots.is_empty() {
        line("poses", rig.alignment.explain_pose());
    }
    for (index, finding) in found.iter().enumerate() {
        let label = if index == 0 { "space" } else { "" };
        line(label, finding_line(finding));
    }
    line("map", map_line(rig));
    let skins = &rig.character.skins;
    line(
        "skin",
        match skins.len() {
            0 => "none".to_owned(),
            number => count(number, "skin"),
        },
    );
    if joints {
        text.push_str(&joints_text(rig));
    }
    text
}

fn rest_line(rig: &Rig) -> String {
    let height = rig.height_meters();
    let pose = match pose_kind(rig) {
        "unknown" => return format!("{height:.2} m high, no known standing pose"),
        "T" => "T-pose",
        "A" => "A-pose",
        "four-legged" => "on four legs",
        _ => "arms down",
    };
    let source = rig.alignment.pose_source.describe();
    format!("{height:.2} m high, {pose} in the {source}")
}

fn finding_line(finding: &Finding) -> String {
    match &finding.joint {
        Some(joint) if finding.code.starts_with("container-") => {
            format!("{joint} {}", finding.message)
        }
        _ => finding.message.clone(),
    }
}

fn map_line(rig: &Rig) -> String {
    let map = &rig.map;
    if map.kind == Kind::Other && map.slots.is_empty() {
        return "recognised neither as a humanoid nor as a four-legged animal".to_owned();
    }
    format!(
        "{}, {}, {}, {:.0} % sure ({} in no slot)",
        summary::kind(map),
        summary::naming(map),
        count(map.slots.len(), "slot"),
        100.0 * map.confidence,
        count(map.unmapped.len(), "joint")
    )
}

/// What a container does, in brackets; nothing for one that does nothing.
fn describe_transform(transform: &Transform) -> String {
    let mut parts = Vec::new();
    if transform.translation.length() > 1e-6 {
        parts.push(format!("moved {}", vector(transform.translation)));
    }
    let angle_degrees = 2.0 * transform.rotation.w.abs().min(1.0).acos().to_degrees();
    if angle_degrees > 0.05 {
        parts.push(format!("turned {angle_degrees:.0}°"));
    }
    let scale = transform.scale;
    if (scale - Vec3::ONE).abs().max_element() > 1e-6 {
        if (scale - scale.x).abs().max_element() <= 1e-6 * scale.x.abs() {
            parts.push(format!("scaled {}", scale.x));
        } else {
            parts.push(format!("scaled {}", vector(scale)));
        }
    }
    if parts.is_empty() {
        String::new()
    } else {
        format!(" ({})", parts.join(", "))
    }
}

fn vector(vector: Vec3) -> String {
    format!("{:.2} {:.2} {:.2}", vector.x, vector.y, vector.z)
}

/// The joints as a tree.
fn joints_text(rig: &Rig) -> String {
    let skeleton = &rig.character.skeleton;
    let rest = model_pose(skeleton, &skeleton.rest_pose());
    let mut slots = vec![""; skeleton.len()];
    for (slot, found) in &rig.map.slots {
        for &joint in &found.joints {
            slots[joint] = json::slot_name(&rig.map, *slot);
        }
    }
    let mut depths = vec![0usize; skeleton.len()];
    let mut table = Table::new(&[
        ("JOINT", Align::Left),
        ("SLOT", Align::Left),
        ("X (m)", Align::Right),
        ("Y (m)", Align::Right),
        ("Z (m)", Align::Right),
    ]);
    for index in in_tree_order(skeleton) {
        let joint = &skeleton.joints()[index];
        if joint.kind == JointKind::Ancestor {
            continue;
        }
        depths[index] = match joint.parent {
            Some(parent) if skeleton.joints()[parent].kind == JointKind::Joint => {
                depths[parent] + 1
            }
            _ => 0,
        };
        let position = rest.position(index) * rig.space.meters_per_unit as f32;
        let indent = "  ".repeat(depths[index].min(40));
        let mut cells = vec![
            format!("{indent}{}", skeleton.unique_name(index)),
            slots[index].to_owned(),
        ];
        cells.extend(position.to_array().map(|part| format!("{part:.3}")));
        table.row(cells);
    }
    table.text(2)
}

/// Every node right after its parent's earlier descendants.
pub(super) fn in_tree_order(skeleton: &rebone::model::Skeleton) -> Vec<usize> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); skeleton.len()];
    let mut waiting = Vec::new();
    for (index, joint) in skeleton.joints().iter().enumerate().rev() {
        match joint.parent {
            Some(parent) => children[parent].push(index),
            None => waiting.push(index),
        }
    }
    let mut order = Vec::with_capacity(skeleton.len());
    while let Some(index) = waiting.pop() {
        order.push(index);
        waiting.append(&mut children[index]);
    }
    order
}

fn clips_text(rigs: &[Rig]) -> String {
    let several = rigs
        .iter()
        .filter(|rig| !rig.character.clips.is_empty())
        .count()
        > 1;
    let mut columns = vec![
        ("CLIP", Align::Left),
        ("SECONDS", Align::Right),
        ("FRAMES", Align::Right),
        ("JOINTS", Align::Right),
        ("KEYS", Align::Right),
        ("INTERPOLATION", Align::Left),
    ];
    if several {
        columns.push(("SKELETON", Align::Left));
    }
    let mut table = Table::new(&columns);
    for rig in rigs {
        for clip in &rig.character.clips {
            let keys = keys(clip);
            let mut cells = vec![
                clip.name.clone(),
                format!("{:.2}", clip.seconds()),
                clip.frame_count().to_string(),
                clip.animated_joint_count().to_string(),
                keys.count.to_string(),
                keys.interpolation.join(", "),
            ];
            if several {
                cells.push(rig.character.name.clone());
            }
            table.row(cells);
        }
    }
    table.text(0)
}
