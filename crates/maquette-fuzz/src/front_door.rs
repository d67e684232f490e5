//! Files of any format, through what the command calls: one door an execution.

use crate::choices::Choices;
use crate::file::fitting;
use crate::outlets::OUTLETS;
use maquette::convert::{ConvertOptions, convert};
use maquette::dump::{Form, dump};
use maquette::edit::{Edits, Up};
use maquette::formats::format::{Opened, Size};
use maquette::info::Info;
use maquette::scene::valid;
use maquette::textures::{As, extract};
use maquette::{Input, ReadOptions, WriteOptions, check, diff, explain};

/// Gives these bytes, of no stated format, to what the command offers for a file; panics on a finding.
pub fn run(data: &[u8]) {
    let input = Input::from_bytes("model", data.to_vec());
    let checked = check::check(&input, None, Default::default());
    let Ok(opened) = input.open(None) else { return };
    assert!(checked.readable, "it was opened");
    let mut choices = Choices::of(data);
    match choices.below(8) {
        0 => look(&input, &opened, &mut choices),
        1 => drop(extract(&input, None, choices.one(&[As::Png, As::Dds, As::Srgb]))),
        _ => change(&input, &mut choices),
    }
}

fn look(input: &Input, opened: &Opened<'_>, choices: &mut Choices) {
    Info::of(input, opened);
    let form = choices.one(&[Form::Tree { most: Some(4) }, Form::Tree { most: None }, Form::Json, Form::Hex]);
    dump(opened, form, None, &mut std::io::sink()).expect("a sink takes everything");
    let offset = choices.below(input.bytes().len() + 1) as u64;
    let named = explain::byte(input, opened, offset).is_ok();
    assert_eq!(named, offset < input.bytes().len() as u64, "the byte at {offset:#x}");
}

fn change(input: &Input, choices: &mut Choices) {
    let outlet = choices.one(&OUTLETS);
    let Ok(before) = input.read(&ReadOptions::default()) else { return };
    if outlet.is_too_much(&before.scene) {
        return;
    }
    let options = ConvertOptions {
        read: ReadOptions { size: choices.one(&[Size::AsStored, Size::Original]), ..ReadOptions::default() },
        edits: Edits {
            flip_v: choices.below(8) == 0,
            scale: choices.one(&[None, None, None, Some(0.01), Some(1e30)]),
            up: choices.one(&[Up::Y, Up::Y, Up::Z]),
            ..Edits::default()
        },
        write: WriteOptions {
            format: Some(outlet.format.id.into()),
            dialect: Some(outlet.dialect.into()),
            optimize: choices.below(32) == 0,
            fit: fitting(choices),
            ..WriteOptions::default()
        },
    };
    let Ok(output) = convert(input, None, &options) else { return };
    let written = Input::from_bytes("model", output.main.into());
    // Its companion files are not there now, so it may be refused, as a glTF file is without its buffer.
    let reading = ReadOptions { dialect: Some(outlet.dialect.into()), ..ReadOptions::default() };
    let Ok(after) = written.read(&reading) else { return };
    assert_eq!(valid::check(&after.scene), Ok(()), "read back from {outlet}");
    _ = diff::diff(&before.scene, &after.scene, 1e-4);
}
