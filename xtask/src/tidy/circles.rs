//! No circles among the modules at the top of a crate: each can be read, tested and moved with what it stands on.

use super::Texts;
use super::source::shipped;
use std::collections::{BTreeMap, BTreeSet};

/// By module the modules that it names.
type Graph = BTreeMap<String, BTreeSet<String>>;

pub(super) fn check(texts: &Texts) -> Vec<String> {
    let sources: BTreeSet<&str> = texts
        .keys()
        .filter_map(|path| path.find("/src/").map(|at| &path[..at + "/src/".len()]))
        .collect();
    let circle = |source: &&str| {
        let circle = circle_of(&graph(texts, source))?;
        let circle = circle.join(" -> ");
        Some(format!("{source}: modules in a circle: {circle}"))
    };
    sources.iter().filter_map(circle).collect()
}

/// Which modules of a crate name which others by `crate::`.
fn graph(texts: &Texts, source: &str) -> Graph {
    let mut graph = Graph::new();
    for (path, text) in shipped(texts, &[source]) {
        let name = path[source.len()..].split('/').next().unwrap_or_default();
        let name = name.strip_suffix(".rs").unwrap_or(name);
        let named = graph.entry(name.to_owned()).or_default();
        for (at, word) in text.match_indices("crate::") {
            let before = text[..at].chars().next_back();
            if before.is_some_and(|before| before.is_alphanumeric() || before == '_') {
                continue;
            }
            named.extend(firsts(&text[at + word.len()..]));
        }
        named.remove(name);
    }
    let known: BTreeSet<String> = graph.keys().cloned().collect();
    for named in graph.values_mut() {
        named.retain(|other| known.contains(other));
    }
    graph
}

/// The first names of a path, or of all paths of a group in braces.
fn firsts(text: &str) -> Vec<String> {
    let name = |text: &str| -> String {
        let is_of_name = |c: &char| c.is_alphanumeric() || *c == '_';
        text.trim_start().chars().take_while(is_of_name).collect()
    };
    let Some(group) = text.strip_prefix('{') else {
        return vec![name(text)];
    };
    let (mut depth, mut names) = (0, vec![name(group)]);
    for (at, letter) in group.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => names.push(name(&group[at + 1..])),
            _ => {}
        }
    }
    names
}

/// A way from a module back to itself, if there is one.
fn circle_of(graph: &Graph) -> Option<Vec<String>> {
    let mut done = BTreeSet::new();
    graph
        .keys()
        .find_map(|start| back_to_itself(graph, &mut vec![start.clone()], &mut done))
}

/// Follows what the last module of a way names; `done` are modules from which no circle can be reached.
fn back_to_itself(
    graph: &Graph,
    way: &mut Vec<String>,
    done: &mut BTreeSet<String>,
) -> Option<Vec<String>> {
    let last = way.last()?.clone();
    if done.contains(&last) {
        return None;
    }
    for next in &graph[&last] {
        if let Some(at) = way.iter().position(|module| module == next) {
            way.push(next.clone());
            return Some(way[at..].to_vec());
        }
        way.push(next.clone());
        let found = back_to_itself(graph, way, done);
        if found.is_some() {
            return found;
        }
        way.pop();
    }
    done.insert(last);
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaints(files: &[(&str, &str)]) -> Vec<String> {
        let texts = files.iter();
        check(
            &texts
                .map(|(path, text)| (format!("crates/a/src/{path}"), (*text).to_owned()))
                .collect(),
        )
    }

    #[test]
    fn a_circle_is_told_of_with_its_way() {
        let found = complaints(&[
            ("one.rs", "use crate::two::Two;"),
            ("two/mod.rs", "pub struct Two;"),
            ("two/deep.rs", "use crate::{four::Four, three::{A, B}};"),
            ("three.rs", "fn f() { crate::one::g() }"),
            ("four.rs", ""),
        ]);
        assert_eq!(
            found,
            ["crates/a/src/: modules in a circle: one -> two -> three -> one"]
        );
    }

    #[test]
    fn what_only_goes_down_is_no_circle() {
        let found = complaints(&[
            ("lib.rs", "mod one;"),
            ("one.rs", "use crate::two::Two;\nuse crate::three::Three;"),
            ("two.rs", "use crate::three::Three;\nuse crate::two::Two;"),
            (
                "three.rs",
                "// crate::one\n#[cfg(test)]\nmod tests {\n    use crate::one::One;\n}\n",
            ),
        ]);
        assert!(found.is_empty(), "{found:?}");
    }
}
