//! The hex map: every byte of the file beside the name and the value of the field it belongs to.

use super::value::text;
use super::{Dumper, Sink};
use maquette_formats::layout::{Meaning, Type};
use maquette_formats::walk::{Container, Leaf, Visit};
use maquette_scene::{Path, Segment};
use std::fmt::{Display, Write as _};
use std::io::{self, Write};

const BYTES_A_LINE: usize = 16;

pub(super) struct Hex<'o> {
    sink: Sink<'o>,
    path: Path,
}

impl<'o> Hex<'o> {
    /// Fields of a section are named in full.
    pub(super) fn new(out: &'o mut dyn Write, section: Option<&Path>) -> Self {
        let mut path = section.cloned().unwrap_or_default();
        path.pop();
        Hex { sink: Sink::new(out), path }
    }

    fn field(&mut self, offset: u64, bytes: &[u8], ty: Type, meaning: Meaning) {
        match ty {
            Type::Record(layout) => {
                for field in layout.fields {
                    let part = bytes.get(field.offset..field.offset + field.ty.bytes()).unwrap_or_default();
                    self.path.push(field.name);
                    self.field(offset + field.offset as u64, part, field.ty, field.meaning);
                    self.path.pop();
                }
            }
            Type::Array(&element @ (Type::Record(_) | Type::Array(..)), _) => {
                for (index, part) in bytes.chunks(element.bytes().max(1)).enumerate() {
                    self.path.push(index);
                    self.field(offset + (index * element.bytes()) as u64, part, element, meaning);
                    self.path.pop();
                }
            }
            _ => self.rows(offset, bytes, text(ty, bytes, meaning)),
        }
    }

    fn rows(&mut self, offset: u64, bytes: &[u8], value: impl Display) {
        let mut hex = String::with_capacity(3 * BYTES_A_LINE + 1);
        for (row, bytes) in bytes.chunks(BYTES_A_LINE).enumerate() {
            hex.clear();
            for (column, byte) in bytes.iter().enumerate() {
                let _ = write!(hex, "{}{byte:02x} ", if column == BYTES_A_LINE / 2 { " " } else { "" });
            }
            let at = offset + (row * BYTES_A_LINE) as u64;
            match row {
                0 => self.sink.put(format_args!("{at:08x}  {hex:<49} {}  {value}\n", self.path)),
                _ => self.sink.put(format_args!("{at:08x}  {}\n", hex.trim_end())),
            }
        }
    }
}

impl Visit for Hex<'_> {
    fn open(&mut self, name: &Segment, _: Container, _: u64) {
        self.path.push(name.clone());
    }

    fn close(&mut self) {
        self.path.pop();
    }

    fn leaf(&mut self, name: &Segment, leaf: &Leaf<'_>) {
        self.path.push(name.clone());
        match leaf.count {
            None => self.field(leaf.offset, leaf.bytes, leaf.ty, leaf.meaning),
            Some(_) => {
                let each = leaf.ty.bytes().max(1);
                for (index, bytes) in leaf.bytes.chunks(each).enumerate() {
                    self.path.push(index);
                    self.field(leaf.offset + (index * each) as u64, bytes, leaf.ty, Meaning::Plain);
                    self.path.pop();
                }
            }
        }
        self.path.pop();
    }
}

impl Dumper for Hex<'_> {
    fn finish(self) -> io::Result<()> {
        self.sink.finish()
    }
}
