//! HumanIK skeleton definitions: which joint is which part of a HumanIK character.
//!
//! Shape: `<config_root><match_list><item key="Hips" value="pelvis"/> ...</match_list></config_root>`; a part
//! without joint has an empty value. Source: readers and writers of these files in public pipeline tools for
//! Maya (tpDcc's HumanIK data library).

use super::Content;
use super::words::HUMANIK;
use crate::error::Error;
use std::fmt::Write as _;

pub(super) fn read(text: &str) -> Result<Content, Error> {
    let mut pairs = Vec::new();
    for part in text.split("<item").skip(1) {
        let tag = part.split('>').next().unwrap_or_default();
        if let (Some(word), Some(joint)) = (attribute(tag, "key"), attribute(tag, "value")) {
            pairs.push((word, joint));
        }
    }
    Ok(HUMANIK.content(pairs))
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let mut rest = tag;
    loop {
        let at = rest.find(name)?;
        let own = rest[..at].ends_with(char::is_whitespace);
        rest = &rest[at + name.len()..];
        let value = rest.trim_start().strip_prefix('=').map(str::trim_start);
        if let Some(value) = value.filter(|_| own) {
            let quote = value
                .chars()
                .next()
                .filter(|first| ['"', '\''].contains(first))?;
            return value[1..].split(quote).next().map(unescaped);
        }
    }
}

/// The five entities of XML.
const ENTITIES: [(&str, &str); 5] = [
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&quot;", "\""),
    ("&apos;", "'"),
    ("&amp;", "&"),
];

fn unescaped(text: &str) -> String {
    let mut text = text.to_owned();
    for (entity, character) in ENTITIES {
        text = text.replace(entity, character);
    }
    text
}

pub(super) fn write(pairs: &[(String, String)]) -> String {
    let mut text =
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<config_root>\n  <match_list>\n".to_owned();
    for (word, joint) in pairs {
        let mut value = joint.clone();
        for (entity, character) in ENTITIES.iter().rev() {
            value = value.replace(character, entity);
        }
        let _ = writeln!(text, "    <item key=\"{word}\" value=\"{value}\"/>");
    }
    text + "  </match_list>\n</config_root>\n"
}
