//! Running the binary, and making files for it.

pub use rebone_corpus::corpus;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a run gave.
pub struct Run {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Run {
    /// The JSON document on standard output, which must be all there is.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| {
            panic!("no JSON: {error}\nout: {}\nerr: {}", self.out, self.err)
        })
    }

    /// The same, of a run that must have worked.
    pub fn done(self) -> Self {
        assert_eq!(self.code, 0, "{}{}", self.out, self.err);
        self
    }
}

/// Runs `rebone`; where it writes a file, a file of an earlier run may be replaced.
pub fn rebone<S: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = S>) -> Run {
    let mut arguments: Vec<std::ffi::OsString> = arguments
        .into_iter()
        .map(|argument| argument.as_ref().to_owned())
        .collect();
    let writes = |argument: &std::ffi::OsString| {
        argument == "-o" || argument == "demo" || argument == "convert"
    };
    let is_help = arguments.first().is_some_and(|first| first == "help");
    if !is_help && arguments.iter().any(writes) {
        arguments.push("--force".into());
    }
    rebone_as_typed(arguments)
}

/// Runs `rebone` with just these arguments.
pub fn rebone_as_typed<S: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = S>) -> Run {
    let output = Command::new(env!("CARGO_BIN_EXE_rebone"))
        .args(arguments)
        .env_remove("RUST_BACKTRACE")
        .output()
        .unwrap();
    Run {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A file of the project's own sample data.
pub fn data(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../data")
        .join(name);
    path.to_str().unwrap().to_owned()
}

/// Where files go that are looked at after the tests.
pub fn output(name: &str) -> String {
    let folder = std::env::var_os("REBONE_TEST_OUTPUT").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/test-output"),
        PathBuf::from,
    );
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(name).to_str().unwrap().to_owned()
}

/// A folder of its own, removed at the end.
pub struct Scratch(tempfile::TempDir);

impl Scratch {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    pub fn file(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.path(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    /// Names of all files, sorted.
    pub fn files(&self) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(self.0.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

/// A GLB's parts.
pub struct Glb {
    pub json: Value,
    pub bin: Vec<u8>,
}

impl Glb {
    pub fn sample(name: &str) -> Self {
        let bytes = std::fs::read(data(name)).unwrap();
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        let json = word(12);
        let bin = word(20 + json);
        Self {
            json: serde_json::from_slice(&bytes[20..20 + json]).unwrap(),
            bin: bytes[28 + json..28 + json + bin].to_vec(),
        }
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut json = serde_json::to_vec(&self.json).unwrap();
        json.resize(json.len().next_multiple_of(4), b' ');
        let mut bin = self.bin.clone();
        bin.resize(bin.len().next_multiple_of(4), 0);
        let total = 28 + json.len() + bin.len();
        let mut bytes = b"glTF\x02\0\0\0".to_vec();
        bytes.extend((total as u32).to_le_bytes());
        bytes.extend((json.len() as u32).to_le_bytes());
        bytes.extend(b"JSON");
        bytes.extend(json);
        bytes.extend((bin.len() as u32).to_le_bytes());
        bytes.extend(b"BIN\0");
        bytes.extend(bin);
        bytes
    }
}
