//! `rebone licences`: whose code is inside, and under which terms.

use crate::common::rebone;

/// A text and a document with the notice of every library that is not Rust.
#[test]
fn licences_carry_the_notices_of_code_inside() {
    let text = rebone(["licences"]).done().out;
    assert!(text.contains("MIT OR Apache-2.0"), "{text}");
    let json = rebone(["licences", "--json"]).done().json();
    assert_eq!(json["licence"], "MIT OR Apache-2.0");
    let notices = json["notices"].as_array().unwrap();
    for (name, holder) in [
        ("ufbx", "Samuli Raivio"),
        ("meshoptimizer", "Arseny Kapoulkine"),
        ("three.js", "three.js authors"),
        ("@pixiv/three-vrm", "pixiv Inc."),
        ("fflate", "Arjun Barrett"),
    ] {
        let notice = notices.iter().find(|notice| notice["name"] == name);
        let words = notice.unwrap()["text"].as_str().unwrap();
        for part in [holder, "Permission is hereby granted", "AS IS"] {
            assert!(words.contains(part), "{name}: {part}");
        }
        assert!(text.contains(words.trim()), "{name}");
    }
    assert_eq!(rebone(["licenses"]).done().out, text);
}
