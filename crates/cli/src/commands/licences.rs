//! `rebone licences`: the licence of this program, and the notices of other people's code inside.

use crate::Outcome;
use crate::console;
use crate::failure::Failure;
use serde::Serialize;

/// Code that is not Rust and that the program holds. Its licences ask that copies carry the notice.
#[derive(Serialize)]
struct Notice {
    name: &'static str,
    /// What the program does with it.
    purpose: &'static str,
    /// The SPDX expression.
    licence: &'static str,
    /// The licence file of its authors, word by word.
    text: &'static str,
}

const NOTICES: [Notice; 5] = [
    Notice {
        name: "ufbx",
        purpose: "reads FBX",
        licence: "MIT OR Unlicense",
        text: include_str!("../notices/ufbx.txt"),
    },
    Notice {
        name: "meshoptimizer",
        purpose: "reads compressed glTF",
        licence: "MIT",
        text: include_str!("../notices/meshoptimizer.txt"),
    },
    Notice {
        name: "three.js",
        purpose: "draws the studio's page",
        licence: "MIT",
        text: include_str!("../notices/three.txt"),
    },
    Notice {
        name: "@pixiv/three-vrm",
        purpose: "shows VRM in the studio's page",
        licence: "MIT",
        text: include_str!("../notices/three-vrm.txt"),
    },
    Notice {
        name: "fflate",
        purpose: "packs ZIP files in the studio's page",
        licence: "MIT",
        text: include_str!("../notices/fflate.txt"),
    },
];

#[derive(Serialize)]
struct LicencesJson {
    version: &'static str,
    licence: &'static str,
    notices: &'static [Notice],
}

/// Runs the command.
pub(crate) fn run() -> Result<Outcome, Failure> {
    let document = LicencesJson {
        version: env!("CARGO_PKG_VERSION"),
        licence: env!("CARGO_PKG_LICENSE"),
        notices: &NOTICES,
    };
    let LicencesJson {
        version, licence, ..
    } = document;
    let mut text = format!(
        "Rebone {version}, by {}. Licence: {licence}, at your choice.\n\nIt holds code of other people:\n",
        env!("CARGO_PKG_AUTHORS")
    );
    for notice in &NOTICES {
        let Notice {
            name,
            purpose,
            licence,
            text: words,
        } = notice;
        text.push_str(&format!(
            "\n== {name} ({purpose}): {licence}\n\n{}\n",
            words.trim()
        ));
    }
    console::answer(&document, &text, &[])?;
    Ok(Outcome::Done)
}
