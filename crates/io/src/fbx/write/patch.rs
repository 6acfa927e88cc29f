//! Replacing the animation of an existing file.
//!
//! Objects of animation and their connections are taken out, new ones are put in. `Takes` loses its
//! entries, `Definitions` gets the new numbers, and the properties that hold the span of time and the
//! name of the active animation are set. Everything else is written as it was read.

use super::animation::{Animation, Style, TYPES, add_clip};
use super::objects::{Ids, long};
use super::targets::{curves_not_kept, find_morphs, find_targets, unkept_tracks};
use crate::fbx::scene::{LoadOptions, load};
use crate::fbx::syntax::{Node, Tree, Value};
use crate::{Error, Limits, Output};
use rebone_model::{Character, Clip, Skeleton, Warning};
use std::collections::{BTreeMap, BTreeSet};

/// Puts clips in place of the animation of a file of version 7.
pub(super) fn patch(
    target: &[u8],
    mut tree: Tree<'_>,
    character: &Character,
    clips: &[Clip],
) -> Result<Output, Error> {
    let options = LoadOptions {
        dom: true,
        ..LoadOptions::default()
    };
    let scene = load(target, &Limits::default(), options)?;
    let skeleton = &character.skeleton;
    check_joints(&scene, skeleton)?;
    let targets = find_targets(&scene, skeleton);
    let mut warnings = unkept_tracks(&scene, skeleton, &targets, clips);
    if moves_something(&scene) {
        warnings.push(Warning::new(
            "fbx-animation-replaced",
            "the target's own animation is not in the result",
            "keep the original file, if it is still needed",
        ));
    }

    let (removed, removed_counts) = remove_animation(&mut tree);
    remove_connections(&mut tree, &removed);
    let mut animation = Animation::default();
    let mut ids = Ids::beside(used_ids(&tree));
    let style = Style {
        encoding: tree.encoding,
        version: tree.version,
        ticks: scene.metadata.ktime_second.max(1),
    };
    let mut lost = Vec::new();
    for clip in clips.iter().filter(|clip| !clip.is_empty()) {
        let (morphs, unknown) = find_morphs(&scene, clip);
        lost.extend(unknown);
        add_clip(
            &mut animation,
            clip,
            skeleton,
            &targets,
            &morphs,
            style,
            &mut ids,
        );
    }
    warnings.extend(curves_not_kept(lost));
    drop(scene);

    let mut counts = counts_of(&animation);
    for (name, count) in removed_counts {
        *counts.entry(name).or_insert(0) -= count;
    }
    count_objects(&mut tree, &counts);
    empty_takes(&mut tree);
    set_span(&mut tree, &animation);
    set_active(&mut tree, &animation);
    children_of(&mut tree, "Objects").extend(animation.objects);
    children_of(&mut tree, "Connections").extend(animation.connections);
    Ok(Output {
        bytes: tree.write()?,
        warnings,
    })
}

/// Checks that the file has the node of each joint.
fn check_joints(scene: &ufbx::Scene, skeleton: &Skeleton) -> Result<(), Error> {
    let mut joints = skeleton.joints().iter();
    match joints.find(|joint| joint.node as usize >= scene.nodes.count) {
        None => Ok(()),
        Some(joint) => Err(Error::caller(
            format!("joint \"{}\" is none of this file", joint.name),
            "target",
            "give the character as it was read from this very file",
        )),
    }
}

/// True where a curve of the file has two different values.
fn moves_something(scene: &ufbx::Scene) -> bool {
    (&scene.anim_curves)
        .into_iter()
        .any(|curve| curve.min_value < curve.max_value)
}

/// The ids of all objects, and those that connections speak of.
fn used_ids(tree: &Tree<'_>) -> BTreeSet<i64> {
    let mut used = BTreeSet::new();
    let children = |name| tree.node(name).map_or(&[][..], |node| &node.children);
    for node in children("Objects").iter().chain(children("Documents")) {
        used.extend(node.integer(0));
    }
    for node in children("Connections") {
        used.extend((1..4).filter_map(|index| node.integer(index)));
    }
    used
}

fn is_animation(node: &Node<'_>) -> bool {
    TYPES.iter().any(|name| node.name == name.as_bytes())
}

/// Takes the objects out; returns their ids, and how many of each type there were.
fn remove_animation(tree: &mut Tree<'_>) -> (BTreeSet<i64>, BTreeMap<&'static str, i64>) {
    let mut ids = BTreeSet::new();
    let mut counts = BTreeMap::new();
    for objects in nodes_of(tree, "Objects") {
        objects.children.retain(|node| {
            if !is_animation(node) {
                return true;
            }
            ids.extend(node.integer(0));
            for name in TYPES {
                if node.name == name.as_bytes() {
                    *counts.entry(name).or_insert(0) += 1;
                }
            }
            false
        });
    }
    (ids, counts)
}

fn remove_connections(tree: &mut Tree<'_>, removed: &BTreeSet<i64>) {
    for connections in nodes_of(tree, "Connections") {
        connections.children.retain(|node| {
            !(1..4)
                .filter_map(|index| node.integer(index))
                .any(|id| id != 0 && removed.contains(&id))
        });
    }
}

fn counts_of(animation: &Animation) -> BTreeMap<&'static str, i64> {
    let mut counts = BTreeMap::new();
    for object in &animation.objects {
        for name in TYPES {
            if object.name == name.as_bytes() {
                *counts.entry(name).or_insert(0) += 1;
            }
        }
    }
    counts
}

/// Adds `differences` to the numbers in `Definitions`.
fn count_objects(tree: &mut Tree<'_>, differences: &BTreeMap<&'static str, i64>) {
    let Some(definitions) = nodes_of(tree, "Definitions").next() else {
        return;
    };
    let mut total = 0;
    for (name, difference) in differences {
        total += difference;
        if *difference == 0 {
            continue;
        }
        let old = definitions
            .children
            .iter_mut()
            .find(|node| node.name == b"ObjectType" && node.has_text(0, name));
        match old {
            Some(node) => {
                if let Some(count) = node.child_mut("Count") {
                    add(count, *difference);
                }
            }
            None => {
                let count = Node::new("Count", vec![int(*difference)]);
                let header = vec![Value::from_text(*name)];
                definitions
                    .children
                    .push(Node::new("ObjectType", header).with(vec![count]));
            }
        }
    }
    if let Some(count) = definitions.child_mut("Count").filter(|_| total != 0) {
        add(count, total);
    }
}

fn add(count: &mut Node<'_>, difference: i64) {
    let new = count.integer(0).unwrap_or(0).saturating_add(difference);
    count.set_values(vec![int(new.max(0))]);
}

fn int(number: i64) -> Value<'static> {
    Value::Int(i32::try_from(number).unwrap_or(i32::MAX))
}

fn empty_takes(tree: &mut Tree<'_>) {
    for takes in nodes_of(tree, "Takes") {
        takes.children.retain(|node| node.name != b"Take");
        if let Some(current) = takes
            .child_mut("Current")
            .filter(|node| !node.has_text(0, ""))
        {
            current.set_values(vec![Value::from_text("")]);
        }
    }
}

/// Sets the span of time that programs show, where the file has one.
fn set_span(tree: &mut Tree<'_>, animation: &Animation) {
    let Some((start, stop)) = animation.span else {
        return;
    };
    for settings in nodes_of(tree, "GlobalSettings") {
        if let Some(properties) = settings.child_mut("Properties70") {
            set_property(properties, "TimeSpanStart", long(start));
            set_property(properties, "TimeSpanStop", long(stop));
        }
    }
}

/// Names the first clip as the active one, where the file names one.
fn set_active(tree: &mut Tree<'_>, animation: &Animation) {
    let name = animation.names.first().cloned().unwrap_or_default();
    for documents in nodes_of(tree, "Documents") {
        for document in &mut documents.children {
            if let Some(properties) = document.child_mut("Properties70") {
                let value = Value::from_text(name.clone());
                set_property(properties, "ActiveAnimStackName", value);
            }
        }
    }
}

/// Changes the value of a property that is there.
fn set_property<'a>(properties: &mut Node<'a>, name: &str, value: Value<'a>) {
    let line = properties
        .children
        .iter_mut()
        .find(|line| line.name == b"P" && line.has_text(0, name));
    if let Some(line) = line {
        let mut values = line.all_values();
        if values.len() == 5 && values[4] != value {
            values[4] = value;
            line.set_values(values);
        }
    }
}

fn nodes_of<'t, 'a>(tree: &'t mut Tree<'a>, name: &str) -> impl Iterator<Item = &'t mut Node<'a>> {
    tree.nodes
        .iter_mut()
        .filter(move |node| node.name == name.as_bytes())
}

/// The children of the last top-level node of a name, which is made where there is none.
fn children_of<'t, 'a>(tree: &'t mut Tree<'a>, name: &'static str) -> &'t mut Vec<Node<'a>> {
    let place = tree
        .nodes
        .iter()
        .rposition(|node| node.name == name.as_bytes());
    let place = place.unwrap_or_else(|| {
        tree.nodes
            .push(Node::new(name, Vec::new()).with(Vec::new()));
        tree.nodes.len() - 1
    });
    let node = &mut tree.nodes[place];
    node.end_list();
    &mut node.children
}
