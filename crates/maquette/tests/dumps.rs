//! What dumps promise: every byte of every fixture named once, JSON that parses, sections that are parts of the whole.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use maquette::Input;
use maquette::dump::{Form, dump};
use maquette::formats::aem;
use maquette::formats::format::BUILT_IN;
use serde_json::Value;

fn each_sample(mut look: impl FnMut(&str, &Input)) {
    for format in BUILT_IN {
        for dialect in format.dialects {
            let bytes = (format.sample)(dialect.id).main;
            let name = format!("{} {}", format.id, dialect.id);
            look(&name, &Input::from_bytes(name.clone(), bytes));
        }
    }
}

fn dumped(input: &Input, form: Form, section: Option<&str>) -> String {
    let opened = input.open(None).unwrap();
    let section = section.map(|section| section.parse().unwrap());
    let mut out = Vec::new();
    dump(&opened, form, section.as_ref(), &mut out).unwrap_or_else(|error| panic!("{error}"));
    String::from_utf8(out).unwrap()
}

#[test]
fn the_hex_map_holds_every_byte_in_order() {
    each_sample(|name, input| {
        let mut bytes = Vec::new();
        for line in dumped(input, Form::Hex, None).lines() {
            let (offset, rest) = line.split_once("  ").unwrap();
            assert_eq!(u64::from_str_radix(offset, 16).unwrap(), bytes.len() as u64, "{name}: {line}");
            // Sixteen columns of two digits and a blank, one more blank in the middle.
            let columns: String = rest.chars().take(49).collect();
            bytes.extend(columns.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).unwrap()));
        }
        assert!(bytes == input.bytes(), "{name}");
    });
}

#[test]
fn every_byte_can_be_explained() {
    each_sample(|name, input| {
        let opened = input.open(None).unwrap();
        for offset in 0..input.bytes().len() as u64 {
            let meaning = maquette::explain::byte(input, &opened, offset).unwrap();
            let field = meaning.field_offset..meaning.field_offset + meaning.field_bytes;
            assert!(field.contains(&offset), "{name} {offset:#x}: {meaning:?}");
            assert!(meaning.about.contains('['), "{name}: {} says not where it is known from", meaning.path);
            if meaning.ty != "u8" || !meaning.path.ends_with(']') {
                let found = dumped(input, Form::Hex, Some(&meaning.path));
                assert!(found.starts_with(&format!("{:08x}", meaning.field_offset)), "{name}: {}", meaning.path);
            }
        }
        assert!(maquette::explain::byte(input, &opened, input.bytes().len() as u64).is_err());
    });
}

#[test]
fn json_sections_are_parts_of_the_whole() {
    fn visit(input: &Input, name: &str, path: &str, whole: &Value) {
        let section: Value = serde_json::from_str(&dumped(input, Form::Json, Some(path))).unwrap();
        assert_eq!(section, *whole, "{name} {path}");
        match whole {
            Value::Object(fields) if !fields.contains_key("bytes") => {
                for (key, value) in fields {
                    visit(input, name, &format!("{path}.{key}"), value);
                }
            }
            Value::Array(items) => {
                for (index, value) in items.iter().enumerate().take(2) {
                    visit(input, name, &format!("{path}[{index}]"), value);
                }
            }
            _ => {}
        }
    }
    each_sample(|name, input| {
        let whole: Value = serde_json::from_str(&dumped(input, Form::Json, None)).unwrap();
        for (key, value) in whole.as_object().unwrap() {
            visit(input, name, key, value);
        }
    });
}

#[test]
fn the_tree_is_cut_short_unless_all_is_asked_for() {
    let input = Input::from_bytes("post.aem", aem::sample("document").main);
    let short = dumped(&input, Form::Tree { most: Some(2) }, None);
    assert!(short.contains("… 26 more"), "{short}");
    assert!(!short.contains("[27]"));
    assert!(dumped(&input, Form::Tree { most: None }, None).contains("[27]"));
}

#[test]
fn a_missing_section_says_what_there_is() {
    let input = Input::from_bytes("post.aem", aem::sample("document").main);
    let opened = input.open(None).unwrap();
    let ask = |path: &str| {
        let path = path.parse().unwrap();
        dump(&opened, Form::Json, Some(&path), &mut Vec::new()).unwrap_err().to_string()
    };
    assert!(ask("bones").contains("the file, it has header, vertices"), "{}", ask("bones"));
    assert!(ask("joints[3]").contains("[0] to [2]"), "{}", ask("joints[3]"));
    assert!(ask("joints[0].mother").contains("inverse_bind_matrix"), "{}", ask("joints[0].mother"));
    assert!(ask("header.version.x").contains("it has no parts"), "{}", ask("header.version.x"));
}
