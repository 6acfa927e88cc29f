//! The files of the command line, and those that glTF files among them name.

use crate::choices::Choices;
use crate::failure::Failure;
use crate::files;
use crate::sources;
use crate::studio::address;
use percent_encoding::percent_decode_str;
use rebone::{Format, disk};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Bytes of JSON that are looked through for names.
const LARGEST_JSON: u64 = 256 << 20;

/// What a file is to the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Role {
    /// Whose motion it is: the first file.
    Source,
    /// Who gets it: the others.
    Target,
    /// What was chosen: a `.toml`.
    Recipe,
}

/// One file of the command line.
#[derive(Clone, Debug)]
struct Shared {
    path: PathBuf,
    name: String,
    role: Role,
    /// Names as in the file, with slashes, and as addresses.
    beside: BTreeMap<String, String>,
}

/// All of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Given {
    files: Vec<Shared>,
}

/// `given.json`.
#[derive(Serialize)]
struct ListJson<'a> {
    files: Vec<FileJson<'a>>,
}

#[derive(Serialize)]
struct FileJson<'a> {
    name: &'a str,
    url: String,
    role: Role,
    /// Other files that it names, for readers that cannot follow an address.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    beside: Vec<BesideJson<'a>>,
}

#[derive(Serialize)]
struct BesideJson<'a> {
    name: &'a str,
    url: String,
}

impl Given {
    /// Looks at files, so that what is wrong with them is said before a browser opens. Fails where one is missing
    /// or of no known format, and where there are two recipes.
    pub(crate) fn open(paths: &[PathBuf]) -> Result<Self, Failure> {
        let mut files: Vec<Shared> = Vec::new();
        for path in paths {
            let has = |role| files.iter().any(|file| file.role == role);
            let role = if is_recipe(path) {
                Role::Recipe
            } else if has(Role::Source) {
                Role::Target
            } else {
                Role::Source
            };
            if role == Role::Recipe && has(Role::Recipe) {
                return Err(Failure::at(
                    path,
                    "a recipe was given already",
                    "give one; others can be opened in the page",
                ));
            }
            files.push(Shared::open(path, role)?);
        }
        Ok(Self { files })
    }

    /// The list; `None` where nothing was given.
    pub(super) fn list(&self) -> Option<String> {
        if self.files.is_empty() {
            return None;
        }
        let url = |number: usize, name: &str| {
            let number = number.to_string();
            let start = ["given", number.as_str()].into_iter();
            address::encoded(start.chain(name.split('/')))
        };
        let files = self
            .files
            .iter()
            .enumerate()
            .map(|(number, file)| FileJson {
                name: &file.name,
                url: url(number, &file.name),
                role: file.role,
                beside: file
                    .beside
                    .iter()
                    .map(|(name, place)| BesideJson {
                        name,
                        url: url(number, place),
                    })
                    .collect(),
            });
        let list = ListJson {
            files: files.collect(),
        };
        serde_json::to_string(&list).ok()
    }

    /// A file, or one that it names, with its length in bytes.
    pub(super) fn file(&self, number: usize, name: &str) -> Option<(File, u64)> {
        let file = self.files.get(number)?;
        if name == file.name {
            return disk::open_regular(&file.path).ok();
        }
        let is_named = file.beside.values().any(|place| place == name);
        let place = is_named.then(|| disk::place_beside(&file.path, name).ok())??;
        disk::open_regular(&place).ok()
    }
}

impl Shared {
    fn open(path: &Path, role: Role) -> Result<Self, Failure> {
        check(path, role)?;
        let name = servable(&files::name_of(path));
        let beside = if role == Role::Recipe {
            BTreeMap::new()
        } else {
            references(path).unwrap_or_default()
        };
        Ok(Self {
            path: path.to_owned(),
            name,
            role,
            beside,
        })
    }
}

fn is_recipe(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("toml"))
}

/// A name as addresses may hold it.
fn servable(name: &str) -> String {
    if address::is_plain(name) {
        return name.to_owned();
    }
    let known = |letter: char| letter.is_alphanumeric() || "._- ".contains(letter);
    let name: String = name
        .chars()
        .map(|letter| if known(letter) { letter } else { '_' })
        .collect();
    format!("_{name}")
}

fn check(path: &Path, role: Role) -> Result<(), Failure> {
    files::check_readable(path)?;
    if role == Role::Recipe {
        return Choices::open(Some(path)).map(drop);
    }
    if sources::is_known(path)? {
        return Ok(());
    }
    match Format::detect(&files::beginning(path)?) {
        Err(error) => Err(Failure::in_file(path, error)),
        Ok(_) => Err(Failure::at(
            path,
            "it is JSON, but not called *.gltf",
            "name a character, a motion or a recipe; `rebone map SOURCE TARGET --recipe MAP -o recipe.toml` makes a \
             recipe of the map of another tool",
        )),
    }
}

/// The parts of a glTF that name files.
#[derive(Deserialize)]
struct Gltf {
    #[serde(default)]
    buffers: Vec<Naming>,
    #[serde(default)]
    images: Vec<Naming>,
}

#[derive(Deserialize)]
struct Naming {
    uri: Option<String>,
}

/// The files in its own folder that a glTF names; `None` for other and for broken files, of which the page tells.
fn references(path: &Path) -> Option<BTreeMap<String, String>> {
    let json = json_of(path)?;
    let text = json.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&json);
    let gltf: Gltf = serde_json::from_slice(text).ok()?;
    let named = gltf.buffers.into_iter().chain(gltf.images);
    let references = named.filter_map(|naming| {
        let uri = naming.uri?;
        let names = address::referred(&uri)?;
        let decoded = percent_decode_str(&uri).decode_utf8().ok()?;
        Some((decoded.into_owned(), names.join("/")))
    });
    Some(references.collect())
}

/// The JSON of a glTF or GLB.
fn json_of(path: &Path) -> Option<Vec<u8>> {
    let format = Format::detect(&files::beginning(path).ok()?).ok()?;
    let mut file = File::open(path).ok()?;
    let length = match format {
        Format::Gltf => LARGEST_JSON,
        Format::Glb => {
            // Header of the file (magic, version, length), then of the first chunk (length, kind).
            let mut header = [0; 20];
            file.read_exact(&mut header).ok()?;
            let [.., a, b, c, d, _, _, _, _] = header;
            u64::from(u32::from_le_bytes([a, b, c, d])).min(LARGEST_JSON)
        }
        _ => return None,
    };
    let mut json = Vec::new();
    file.take(length).read_to_end(&mut json).ok()?;
    Some(json)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(names: &[(&str, &str)]) -> (tempfile::TempDir, Result<Given, Failure>) {
        let folder = tempfile::tempdir().unwrap();
        let paths: Vec<PathBuf> = names
            .iter()
            .map(|(name, text)| {
                let path = folder.path().join(name);
                std::fs::write(&path, text).unwrap();
                path
            })
            .collect();
        let given = Given::open(&paths);
        (folder, given)
    }

    #[test]
    fn the_first_is_the_source_and_toml_the_recipe() {
        let motion = "HIERARCHY\nROOT Hips\n";
        let (_folder, found) = given(&[
            ("r.TOML", ""),
            ("a b.bvh", motion),
            ("c.bvh", motion),
            ("d.bvh", motion),
        ]);
        let list = found.unwrap().list().unwrap();
        assert_eq!(
            list,
            "{\"files\":[{\"name\":\"r.TOML\",\"url\":\"given/0/r.TOML\",\"role\":\"recipe\"},\
             {\"name\":\"a b.bvh\",\"url\":\"given/1/a%20b.bvh\",\"role\":\"source\"},\
             {\"name\":\"c.bvh\",\"url\":\"given/2/c.bvh\",\"role\":\"target\"},\
             {\"name\":\"d.bvh\",\"url\":\"given/3/d.bvh\",\"role\":\"target\"}]}"
        );
        assert_eq!(Given::default().list(), None);
    }

    #[test]
    fn what_is_no_character_motion_or_recipe_is_refused() {
        for (files, word) in [
            (&[("a.toml", ""), ("b.toml", "")][..], "already"),
            (&[("a.toml", "foot = {")], "a.toml"),
            (&[("notes.txt", "hello")], "format"),
            (&[("map.json", "{}")], "rebone map"),
            (&[("empty", "")], "empty"),
        ] {
            let (_folder, found) = given(files);
            let message = found.unwrap_err().to_string();
            assert!(message.contains(word), "{message}");
        }
        for path in ["missing.bvh", "src"] {
            assert!(Given::open(&[path.into()]).is_err(), "{path}");
        }
    }

    #[test]
    fn only_files_that_a_gltf_names_are_read_beside_it() {
        let text = r#"{"asset":{"version":"2.0"},"buffers":[{"uri":"a%20b.bin"},{"uri":"data:;base64,AA=="},
            {"uri":"../secret.bin"},{}],"images":[{"uri":"./maps/skin.png"},{"uri":"https://x/y.png"}]}"#;
        let (folder, found) = given(&[("hero.gltf", text)]);
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("maps")).unwrap();
        for name in ["a b.bin", "maps/skin.png", "other.bin"] {
            std::fs::write(at(name), name).unwrap();
        }
        let found = found.unwrap();
        let list: serde_json::Value = serde_json::from_str(&found.list().unwrap()).unwrap();
        assert_eq!(
            list["files"][0]["beside"],
            serde_json::json!([
                {"name": "./maps/skin.png", "url": "given/0/maps/skin.png"},
                {"name": "a b.bin", "url": "given/0/a%20b.bin"},
            ])
        );
        let content = |number, name| {
            let (mut file, length) = found.file(number, name)?;
            let mut content = String::new();
            file.read_to_string(&mut content).unwrap();
            assert_eq!(length, content.len() as u64);
            Some(content)
        };
        assert_eq!(content(0, "a b.bin").unwrap(), "a b.bin");
        assert_eq!(content(0, "maps/skin.png").unwrap(), "maps/skin.png");
        assert_eq!(content(0, "hero.gltf").unwrap(), text);
        for name in ["other.bin", "../secret.bin", "maps", "", "hero.gltf/"] {
            assert_eq!(content(0, name), None, "{name}");
        }
        assert_eq!(content(1, "hero.gltf"), None);
    }

    #[test]
    fn odd_names_can_be_asked_for() {
        for name in [".hidden.bvh", "a:b.bvh", "a\\b.bvh", "歩く.bvh"] {
            let servable = servable(name);
            assert!(address::is_plain(&servable), "{servable}");
            assert!(servable.ends_with(".bvh"));
        }
        assert_eq!(servable("歩く.bvh"), "歩く.bvh");
    }
}
