use super::*;
use std::path::PathBuf;

fn corpus() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut open: Vec<PathBuf> = rebone_corpus::corpus().into_iter().collect();
    while let Some(folder) = open.pop() {
        let Ok(entries) = std::fs::read_dir(folder) else {
            continue;
        };
        for entry in entries.flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path
                .extension()
                .is_some_and(|extension| extension.eq_ignore_ascii_case("fbx"))
            {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// A file of the corpus by the end of its path.
fn file(end: &str) -> Option<Vec<u8>> {
    let path = corpus().into_iter().find(|path| path.ends_with(end));
    std::fs::read(path?).ok()
}

#[test]
fn what_is_read_is_written_byte_for_byte() {
    let files = corpus();
    if files.is_empty() {
        println!("SKIPPED: no corpus");
        return;
    }
    let (mut same, mut whole) = (0, 0);
    for path in files {
        let bytes = std::fs::read(&path).unwrap();
        let fuzzed = path.to_string_lossy().contains("fuzz");
        match parse(&bytes) {
            Ok(tree) => {
                assert!(tree.write().unwrap() == bytes, "{}", path.display());
                same += 1;
                whole += usize::from(!fuzzed);
            }
            // Its binary header was damaged.
            Err(_) if fuzzed || path.ends_with("transparentTest.fbx") => {}
            Err(error) => panic!("{}: {error}", path.display()),
        }
    }
    println!("{same} files, of which {whole} are meant to be whole");
    assert!(whole > 200);
}

/// Also where everything moves, the footer is padded as it would have been.
#[test]
fn footers_move_with_the_file() {
    let mut moved = 0;
    for path in corpus() {
        let bytes = std::fs::read(&path).unwrap();
        let Ok(mut tree) = parse(&bytes) else {
            continue;
        };
        if tree.encoding == Encoding::Text || tree.version < 7000 {
            continue;
        }
        let old_length = bytes.len() % 16;
        for more in 0..16 {
            let text = "x".repeat(more);
            tree.nodes
                .push(Node::new("More", vec![Value::from_text(text)]));
            let written = tree.write().unwrap();
            let again = parse(&written).unwrap();
            // Nearly all files end at a multiple of 16, or, from Blender, 4 bytes before one.
            if old_length != 5 {
                assert_eq!(written.len() % 16, old_length, "{}", path.display());
            }
            assert_eq!(again.nodes.len(), tree.nodes.len());
            assert_eq!(again.write().unwrap(), written);
            tree.nodes.pop();
        }
        moved += 1;
    }
    if moved == 0 {
        println!("SKIPPED: no corpus");
    } else {
        assert!(moved > 50, "{moved}");
    }
}

/// Files that are cut off or have other bytes end in a tree or an error; a tree can be written.
#[test]
fn damage_ends_in_an_error_or_a_tree() {
    for end in [
        "maya_game_sausage_7500_binary_spin.fbx",
        "maya_game_sausage_7500_ascii_spin.fbx",
        "blender_293_half_skinned_7400_binary.fbx",
    ] {
        let Some(bytes) = file(end) else {
            println!("SKIPPED: no corpus");
            return;
        };
        let mut state = 0x9E37_79B9_u32;
        let mut random = move || {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state as usize
        };
        for round in 0..400 {
            let mut broken = bytes.clone();
            if round % 4 == 0 {
                broken.truncate(random() % bytes.len());
            } else {
                for _ in 0..1 + random() % 6 {
                    let place = random() % broken.len();
                    broken[place] = random() as u8;
                }
            }
            if let Ok(tree) = parse(&broken) {
                tree.write().unwrap();
                for node in &tree.nodes {
                    for child in &node.children {
                        child.all_values();
                    }
                }
            }
        }
    }
}

#[test]
fn what_nests_too_deep_is_refused() {
    let mut text = String::from("; FBX 7.4.0 project file\n");
    for _ in 0..100_000 {
        text.push_str("a: {");
    }
    assert!(matches!(parse(text.as_bytes()), Err(Error::Limit(_))));
    let mut bytes = binary::MAGIC.to_vec();
    bytes.push(0);
    bytes.extend(7400u32.to_le_bytes());
    let end = 27 + 14 * 100_000u32;
    for _ in 0..100_000 {
        bytes.extend(end.to_le_bytes());
        bytes.extend([0; 8]);
        bytes.extend([1, b'a']);
    }
    assert!(matches!(parse(&bytes), Err(Error::Limit(_))));
}

#[test]
fn values_are_decoded_and_written_in_both_encodings() {
    let text = b"; FBX 7.4.0 project file\r\nFBXHeaderExtension:  {\r\n\tFBXVersion: 7400\r\n}\r\n\
        Objects:  {\r\n\tModel: 12, \"Model::a &quot;b&quot;\", \"Mesh\" {\r\n\t\tShading: T\r\n\t}\r\n\
        ;gone\r\n\tB: 1.5,-2\r\n}\r\n";
    let mut tree = parse(text).unwrap();
    assert_eq!(tree.version, 7400);
    assert_eq!(tree.write().unwrap(), text);
    let objects = tree
        .nodes
        .iter_mut()
        .find(|n| n.name == b"Objects")
        .unwrap();
    let model = objects.child("Model").unwrap();
    assert_eq!(model.integer(0), Some(12));
    assert!(model.has_text(1, "Model::a \"b\"") && model.value(3).is_none());
    assert!(model.child("Shading").unwrap().has_text(0, "T"));
    let numbers = objects.child("B").unwrap().all_values();
    assert_eq!(numbers, [Value::Double(1.5), Value::Long(-2)]);
    objects.children.pop();
    objects.children.push(
        Node::new(
            "New",
            vec![Value::Name("x".into(), "Class"), Value::Long(7)],
        )
        .with(vec![Node::new("Keys", vec![Value::Floats(vec![0.5, 2.0])])]),
    );
    let written = String::from_utf8(tree.write().unwrap()).unwrap();
    let expected =
        "\tNew: \"Class::x\", 7 {\r\n\t\tKeys: *2 {\r\n\t\t\ta: 0.5,2\r\n\t\t}\r\n\t}\r\n}\r\n";
    assert!(written.ends_with(expected), "{written}");
    assert!(!written.contains("gone"));

    let mut binary = Tree::new(7500);
    let all = vec![
        Value::Bool(true),
        Value::Int(-3),
        Value::Long(1 << 40),
        Value::Float(0.5),
        Value::Double(0.25),
        Value::from_text("text"),
        Value::Raw(vec![1, 2].into()),
    ];
    binary.nodes = vec![
        Node::new("All", all.clone()),
        Node::new("List", vec![Value::Ints(vec![1])]).with(Vec::new()),
    ];
    let bytes = binary.write().unwrap();
    assert_eq!(bytes.len() % 16, 0);
    let tree = parse(&bytes).unwrap();
    assert_eq!(tree.nodes[0].all_values(), all);
    assert_eq!(tree.nodes[1].value(0), Some(Value::KeptArray));
    assert_eq!(tree.write().unwrap(), bytes);
    let mut big_endian = bytes;
    big_endian[22] = 1;
    assert!(is_big_endian(&big_endian));
    assert!(matches!(parse(&big_endian), Err(Error::Unsupported(_))));
}
