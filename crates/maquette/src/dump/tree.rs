//! The tree: one line a field, indented by depth, long tables and lists cut short.

use super::value::text;
use super::{Dumper, Sink};
use maquette_formats::layout::{Field, Meaning, Type};
use maquette_formats::walk::{Container, Leaf, Visit};
use maquette_scene::Segment;
use std::fmt::Display;
use std::io::{self, Write};

/// Numbers to a line in tables of plain numbers.
const NUMBERS_A_LINE: usize = 12;

pub(super) struct Tree<'o> {
    sink: Sink<'o>,
    most: usize,
    /// For each open container: how many items it has had.
    items: Vec<usize>,
    /// How many containers deep we are inside an item that is left out; 0 while printing.
    skipping: usize,
}

impl<'o> Tree<'o> {
    pub(super) fn new(out: &'o mut dyn Write, most: Option<usize>) -> Self {
        Tree { sink: Sink::new(out), most: most.unwrap_or(usize::MAX), items: Vec::new(), skipping: 0 }
    }

    fn line(&mut self, depth: usize, text: std::fmt::Arguments<'_>) {
        self.sink.put(format_args!("{:width$}{text}\n", "", width = 2 * depth));
    }

    fn field(&mut self, depth: usize, name: &str, value: impl Display) {
        self.line(depth, format_args!("{name:<24} {value}"));
    }

    fn record(&mut self, depth: usize, fields: &[Field], bytes: &[u8]) {
        for field in fields {
            let part = bytes.get(field.offset..field.offset + field.ty.bytes()).unwrap_or_default();
            match field.ty {
                Type::Record(layout) => {
                    self.line(depth, format_args!("{}", field.name));
                    self.record(depth + 1, layout.fields, part);
                }
                ty => self.field(depth, field.name, text(ty, part, field.meaning)),
            }
        }
    }

    fn table(&mut self, depth: usize, leaf: &Leaf<'_>, count: usize) {
        let shown = count.min(self.most);
        let each = leaf.ty.bytes().max(1);
        match leaf.ty {
            Type::Record(layout) => {
                for (index, bytes) in leaf.bytes.chunks(each).take(shown).enumerate() {
                    self.line(depth, format_args!("[{index}]"));
                    self.record(depth + 1, layout.fields, bytes);
                }
                self.more(depth, count - shown);
            }
            ty => {
                let shown = count.min(self.most.saturating_mul(NUMBERS_A_LINE));
                let values = leaf.bytes.get(..shown * each).unwrap_or_default();
                for (row, bytes) in values.chunks(each * NUMBERS_A_LINE).enumerate() {
                    let numbers: Vec<_> =
                        bytes.chunks(each).map(|one| text(ty, one, Meaning::Plain).to_string()).collect();
                    self.line(depth, format_args!("[{}] {}", row * NUMBERS_A_LINE, numbers.join(" ")));
                }
                self.more(depth, count - shown);
            }
        }
    }

    fn more(&mut self, depth: usize, count: usize) {
        if count > 0 {
            self.line(depth, format_args!("… {count} more"));
        }
    }

    /// Counts an item of the innermost container; false if it is past what is shown.
    fn show_next(&mut self, name: &Segment) -> bool {
        let Some(items) = self.items.last_mut() else { return true };
        *items += 1;
        !matches!(name, Segment::Index(index) if *index >= self.most)
    }
}

fn label(name: &Segment) -> String {
    match name {
        Segment::Name(name) => name.to_string(),
        Segment::Index(index) => format!("[{index}]"),
    }
}

impl Visit for Tree<'_> {
    fn open(&mut self, name: &Segment, _: Container, offset: u64) {
        if self.skipping > 0 || !self.show_next(name) {
            self.skipping += 1;
            return;
        }
        let depth = self.items.len();
        self.line(depth, format_args!("{}  at {offset:#x}", label(name)));
        self.items.push(0);
    }

    fn close(&mut self) {
        if self.skipping > 0 {
            self.skipping -= 1;
            return;
        }
        let items = self.items.pop().unwrap_or(0);
        // Groups never have so many children; lists are cut.
        self.more(self.items.len() + 1, items.saturating_sub(self.most));
    }

    fn leaf(&mut self, name: &Segment, leaf: &Leaf<'_>) {
        if self.skipping > 0 || !self.show_next(name) {
            return;
        }
        let depth = self.items.len();
        match (leaf.count, leaf.ty) {
            (Some(count), ty) => {
                self.line(depth, format_args!("{}  {count} × {} at {:#x}", label(name), ty.name(), leaf.offset));
                self.table(depth + 1, leaf, count);
            }
            (None, Type::Record(layout)) => {
                self.line(
                    depth,
                    format_args!("{}  {}, {} bytes at {:#x}", label(name), layout.name, layout.bytes, leaf.offset),
                );
                self.record(depth + 1, layout.fields, leaf.bytes);
            }
            (None, ty) => self.field(depth, &label(name), text(ty, leaf.bytes, leaf.meaning)),
        }
    }
}

impl Dumper for Tree<'_> {
    fn finish(self) -> io::Result<()> {
        self.sink.finish()
    }
}
