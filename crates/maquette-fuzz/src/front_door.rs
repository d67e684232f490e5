//! Files of any format, through what the command calls: one door an execution.

use crate::choices::Choices;
use crate::file::fitting;
use crate::scene::outlets;
use maquette::convert::{ConvertOptions, Up, convert, load};
use maquette::dump::{Form, dump};
use maquette::formats::format::{Opened, Size};
use maquette::info::Info;
use maquette::scene::loss::LossReport;
use maquette::scene::valid;
use maquette::textures::{As, extract};
use maquette::{Input, check, diff, explain};

/// One execution.
pub fn run(data: &[u8]) {
    let input = Input::from_bytes("model", data.to_vec());
    let checked = check::check(&input, None, Default::default());
    let Ok(opened) = input.open(None) else { return };
    assert!(checked.readable, "it was opened");
    let mut choices = Choices::of(data);
    match choices.below(8) {
        0 => look(&input, &opened, &mut choices),
        1 => drop(extract(&input, None, choices.one(&[As::Png, As::Dds]))),
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
    let outlets: Vec<_> = outlets().collect();
    let (format, dialect) = choices.one(&outlets);
    let options = ConvertOptions {
        to: Some(format.id.into()),
        dialect: Some(dialect.into()),
        size: choices.one(&[None, Some(Size::Original)]),
        flip_v: choices.below(8) == 0,
        scale: choices.one(&[None, None, None, Some(0.01), Some(1e30)]),
        up: choices.one(&[Up::Y, Up::Y, Up::Z]),
        optimize: choices.below(32) == 0,
        fit: fitting(choices),
        ..ConvertOptions::default()
    };
    let Ok(converted) = convert(input, None, &options) else { return };
    let written = Input::from_bytes("model", converted.main);
    let reading = ConvertOptions { read_dialect: Some(dialect.into()), ..ConvertOptions::default() };
    // What went beside it is not there now, so it may be refused, as without its buffer a glTF file is.
    let Ok(after) = load(&written, &reading, &mut LossReport::default()) else { return };
    assert_eq!(valid::check(&after), Ok(()), "read back from {} {dialect}", format.id);
    if let Ok(before) = load(input, &ConvertOptions::default(), &mut LossReport::default()) {
        diff::diff(&before, &after, 1e-4);
    }
}
