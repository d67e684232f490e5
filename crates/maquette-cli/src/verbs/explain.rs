//! `maquette explain`: what a code or a loss means, which field a byte belongs to.

use super::{look_at, print_json, printing};
use crate::args::ExplainArgs;
use crate::terminal::output;
use crate::{Verdict, style};
use maquette::explain::{ByteMeaning, CodeMeaning, LossMeaning, SHOWN_BYTES, byte, code, loss};
use maquette::scene::path::shortened;
use maquette::{Error, Input, Result};
use std::io::{self, Write};

pub fn run(args: &ExplainArgs) -> Result<Verdict> {
    let mut out = output(args.json);
    match args.offset {
        Some(offset) => {
            let input = Input::from_path(&args.subject)?;
            return look_at(&input, args.reading.dialect.as_deref(), |file| {
                let meaning = byte(&input, file, offset)?;
                match args.json {
                    true => print_json(&mut out, &meaning)?,
                    false => write_byte(&mut out, &meaning).map_err(printing)?,
                }
                out.flush().map_err(printing)
            });
        }
        None if args.subject.is_dir() => {
            return Err(Error::Usage(format!("{} is a folder; name a file and a byte of it", args.subject.display())));
        }
        None if args.subject.is_file() => {
            return Err(Error::Usage(format!(
                "say which byte of {} to explain: maquette explain {0} 0x2c",
                args.subject.display()
            )));
        }
        None => {
            let asked = args.subject.to_string_lossy();
            // No code and no loss has such a character.
            if asked.contains(['.', '/', '\\']) {
                return Err(Error::Usage(format!("there is no file {asked}")));
            }
            match (loss(&asked), args.json) {
                (Some(meaning), true) => print_json(&mut out, &meaning)?,
                (Some(meaning), false) => write_loss(&mut out, &meaning).map_err(printing)?,
                (None, true) => print_json(&mut out, &code(&asked)?)?,
                (None, false) => write_code(&mut out, &code(&asked)?).map_err(printing)?,
            }
        }
    }
    out.flush().map_err(printing)?;
    Ok(Verdict::Fine)
}

fn write_loss(out: &mut impl Write, meaning: &LossMeaning) -> io::Result<()> {
    writeln!(out, "{}, in the report of a conversion", style::bold(meaning.what))?;
    writeln!(out, "{}", meaning.why)
}

fn write_code(out: &mut impl Write, meaning: &CodeMeaning) -> io::Result<()> {
    let CodeMeaning { code, name, severity, format, why, .. } = meaning;
    writeln!(out, "{} {name}, {} {}", style::bold(code), article(severity), style::severity(severity))?;
    writeln!(out, "{why}")?;
    writeln!(
        out,
        "{}",
        style::dim(format_args!("A file that shows it: maquette sample broken.{format} --fault {code}"))
    )
}

fn article(word: &str) -> &'static str {
    if word.starts_with(['e', 'i']) { "an" } else { "a" }
}

fn write_byte(out: &mut impl Write, meaning: &ByteMeaning) -> io::Result<()> {
    let within = meaning.offset - meaning.field_offset + 1;
    let ByteMeaning { file, offset, byte, field_bytes, path, .. } = meaning;
    let path = shortened(path);
    let path = style::bold(&path);
    writeln!(out, "Byte {offset:#x} of {file} is {byte:#04x}, byte {within} of {field_bytes} of {path}")?;
    let mut row = |label: &str, text: &str| {
        if text.is_empty() {
            return Ok(());
        }
        writeln!(out, "  {} {text}", style::dim(format_args!("{label:<6}")))
    };
    row("about", &meaning.about)?;
    row("type", &format!("{}, at {:#x}", meaning.ty, meaning.field_offset))?;
    row("value", &meaning.value)?;
    let more = match meaning.field_bytes.saturating_sub(SHOWN_BYTES as u64) {
        0 => String::new(),
        more => format!(" … and {more} more"),
    };
    row("bytes", &format!("{}{more}", meaning.hex))?;
    let is_shown = within <= SHOWN_BYTES as u64;
    row(
        "around",
        &if is_shown { String::new() } else { format!("{}, from {:#x}", meaning.around, meaning.around_offset) },
    )
}
