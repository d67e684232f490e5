//! The JSON dump: one document, every field, streamed.

use super::value::{json, write_json, write_string};
use super::{Dumper, Sink};
use maquette_formats::walk::{Container, Leaf, Visit};
use maquette_scene::{Path, Segment};
use std::io::{self, Write};

pub(super) struct Json<'o> {
    sink: Sink<'o>,
    /// For each open container: its closing bracket, and whether it has members.
    open: Vec<(char, bool)>,
}

impl<'o> Json<'o> {
    /// A dump of the whole file is an object of its sections; a dump of one section is that section.
    pub(super) fn new(out: &'o mut dyn Write, section: Option<&Path>) -> Self {
        let mut json = Json { sink: Sink::new(out), open: Vec::new() };
        if section.is_none() {
            json.begin(Container::Group);
        }
        json
    }

    fn begin(&mut self, container: Container) {
        let (open, close) = match container {
            Container::Group => ('{', '}'),
            Container::List => ('[', ']'),
        };
        self.sink.put(format_args!("{open}"));
        self.open.push((close, false));
    }

    /// The comma before a member, and its key.
    fn key(&mut self, name: &Segment) {
        let Some((bracket, has_members)) = self.open.last_mut() else { return };
        let separator = if std::mem::replace(has_members, true) { "," } else { "" };
        let mut key = String::new();
        if let (Segment::Name(name), '}') = (name, *bracket) {
            // Writing to memory does not fail.
            let _ = write_string(&mut key, name.as_bytes());
            key.push(':');
        }
        self.sink.put(format_args!("{separator}{key}"));
    }
}

impl Visit for Json<'_> {
    fn open(&mut self, name: &Segment, container: Container, _: u64) {
        self.key(name);
        self.begin(container);
    }

    fn close(&mut self) {
        if let Some((bracket, _)) = self.open.pop() {
            self.sink.put(format_args!("{bracket}"));
        }
    }

    fn leaf(&mut self, name: &Segment, leaf: &Leaf<'_>) {
        self.key(name);
        if leaf.count.is_none() {
            return self.sink.put(format_args!("{}", json(leaf.ty, leaf.bytes, leaf.offset)));
        }
        self.sink.put(format_args!("["));
        let each = leaf.ty.bytes().max(1);
        // Elements are short and many: each is put together before it is written.
        let mut element = String::new();
        for (index, bytes) in leaf.bytes.chunks(each).enumerate() {
            element.clear();
            element.push_str(if index > 0 { "," } else { "" });
            // Writing to memory does not fail.
            let _ = write_json(&mut element, leaf.ty, bytes, leaf.offset + (index * each) as u64);
            self.sink.put(format_args!("{element}"));
        }
        self.sink.put(format_args!("]"));
    }
}

impl Dumper for Json<'_> {
    fn finish(mut self) -> io::Result<()> {
        while !self.open.is_empty() {
            self.close();
        }
        self.sink.put(format_args!("\n"));
        self.sink.finish()
    }
}
