//! The hand-labelled rigs of the corpus.

pub use rebone_corpus::corpus;
use rebone_io::Document;
use rebone_model::{Character, NewJoint, Skeleton, SkeletonBuilder};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// One rig of the truth.
pub struct Truth {
    pub id: String,
    pub files: Vec<PathBuf>,
    pub kind: String,
    /// Kinds that are right too, and `kind` itself.
    pub kinds: Vec<String>,
    pub loose_fingers: bool,
    pub absent: Vec<String>,
    /// For each slot the joints that are right; `None` among them: no joint is right too.
    pub slots: BTreeMap<String, Vec<Option<String>>>,
}

fn strings(value: Option<&toml::Value>) -> Vec<String> {
    let list = value.and_then(toml::Value::as_array);
    let texts = list.into_iter().flatten().filter_map(toml::Value::as_str);
    texts.map(str::to_owned).collect()
}

/// All rigs of the truth, by the names of their files.
pub fn read_truth(corpus: &Path) -> Vec<Truth> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(corpus.join("truth"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "toml")
        })
        .collect();
    paths.sort();
    paths.iter().map(|path| one_truth(corpus, path)).collect()
}

fn one_truth(corpus: &Path, path: &Path) -> Truth {
    let table: toml::Table = std::fs::read_to_string(path).unwrap().parse().unwrap();
    let text = |key: &str| table[key].as_str().unwrap().to_owned();
    let mut slots: BTreeMap<String, Vec<Option<String>>> = BTreeMap::new();
    for (slot, joint) in table["slots"].as_table().unwrap() {
        let first = joint.as_str().or_else(|| joint[0].as_str()).unwrap();
        let choices = slots.entry(slot.clone()).or_default();
        choices.push(Some(first.to_owned()));
    }
    let ambiguous = table.get("ambiguous").and_then(toml::Value::as_table);
    for (slot, more) in ambiguous.into_iter().flatten() {
        for choice in more.as_array().unwrap() {
            let first = strings(Some(choice)).into_iter().next();
            slots.entry(slot.clone()).or_default().push(first);
        }
    }
    let mut files = vec![text("file")];
    files.extend(strings(table.get("also")));
    let mut kinds = strings(table.get("kind_accept"));
    kinds.push(text("kind"));
    Truth {
        id: text("id"),
        files: files.iter().map(|file| corpus.join(file)).collect(),
        kind: text("kind"),
        kinds,
        loose_fingers: table.get("loose_fingers").is_some(),
        absent: strings(table.get("absent")),
        slots,
    }
}

/// True where a truth file's reference means this joint.
pub fn means(skeleton: &Skeleton, joint: usize, reference: &str) -> bool {
    let at = &skeleton.joints()[joint];
    if let Some(node) = reference.strip_prefix('#') {
        return node == at.node.to_string();
    }
    match reference.rsplit_once('/') {
        Some((parent, name)) => {
            let above = at.parent.map(|above| &skeleton.joints()[above].name);
            at.name == name && above.is_some_and(|above| above == parent)
        }
        None => at.name == reference,
    }
}

/// The characters of a file.
pub fn read(path: &Path) -> Result<Vec<Character>, String> {
    read_document(path).map(|document| document.characters)
}

/// What a file holds.
pub fn read_document(path: &Path) -> Result<Document, String> {
    let told = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let bytes = std::fs::read(path).map_err(|error| told(&error))?;
    let folder = path.parent().unwrap();
    let resources = |uri: &str| std::fs::read(folder.join(uri)).map_err(|e| e.to_string());
    rebone_io::read(&bytes, &rebone_io::ReadOptions::default(), &resources)
        .map_err(|error| told(&error))
}

/// The character with other names for its joints.
pub fn renamed(character: &Character, name: &dyn Fn(usize, &str) -> String) -> Character {
    let mut builder = SkeletonBuilder::new();
    for (index, joint) in character.skeleton.joints().iter().enumerate() {
        builder.add(NewJoint {
            name: name(index, &joint.name),
            parent: joint.parent,
            rest: joint.rest,
            kind: joint.kind,
            node: joint.node,
            end: joint.end,
        });
    }
    Character {
        skeleton: builder.build().unwrap().0,
        name: String::new(),
        labels: Vec::new(),
        label_system: String::new(),
        ..character.clone()
    }
}
