//! From a path to its bytes, and from a byte to its path.

use crate::layout::{Field, Type};
use crate::walk::{Container, Leaf, Visit, Walk, Walker};
use maquette_scene::{Path, Report, Segment};
use std::collections::HashMap;

/// One step from a typed run of bytes into a part of it.
#[derive(Clone, Copy)]
struct Step {
    offset: usize,
    ty: Type,
    field: Option<&'static Field>,
}

fn step_into(ty: Type, segment: &Segment) -> Option<Step> {
    match (ty, segment) {
        (Type::Record(layout), Segment::Name(name)) => {
            let field = layout.fields.iter().find(|field| field.name == name)?;
            Some(Step { offset: field.offset, ty: field.ty, field: Some(field) })
        }
        (Type::Array(element, count), Segment::Index(index)) if *index < count => {
            Some(Step { offset: element.bytes() * index, ty: *element, field: None })
        }
        (Type::Blob(bytes) | Type::Text(bytes), Segment::Index(index)) if *index < bytes => {
            Some(Step { offset: *index, ty: Type::U8, field: None })
        }
        _ => None,
    }
}

/// Fills in the byte offset of every finding from the file's walk, in one pass, and sorts them by it.
///
/// A path that leads nowhere gets the offset of the deepest part that exists. A finding that has an
/// offset already keeps it.
pub fn resolve(file: &(impl Walk + ?Sized), report: &mut Report) {
    let mut wanted = Wanted::default();
    for (item, finding) in report.items().iter().enumerate() {
        if finding.offset.is_none() && !finding.path.segments().is_empty() {
            wanted.insert(finding.path.segments(), item);
        }
    }
    if !wanted.below.is_empty() {
        let mut search = Search { stack: vec![Some(&wanted)], found: HashMap::new() };
        file.walk(&mut Walker::new(&mut search));
        let found = search.found;
        for (item, finding) in report.items_mut().iter_mut().enumerate() {
            finding.offset = finding.offset.or(found.get(&item).copied());
        }
    }
    report.sort_by_offset();
}

/// The wanted paths as a tree, so that each container costs one look-up, however many are wanted.
#[derive(Default)]
struct Wanted {
    items: Vec<usize>,
    below: HashMap<Segment, Wanted>,
}

impl Wanted {
    fn insert(&mut self, path: &[Segment], item: usize) {
        match path {
            [] => self.items.push(item),
            [first, rest @ ..] => self.below.entry(first.clone()).or_default().insert(rest, item),
        }
    }
}

struct Search<'w> {
    stack: Vec<Option<&'w Wanted>>,
    found: HashMap<usize, u64>,
}

impl<'w> Search<'w> {
    fn child(&self, name: &Segment) -> Option<&'w Wanted> {
        self.stack.last().copied().flatten().and_then(|wanted| wanted.below.get(name))
    }

    /// Everything at or below `wanted` is here unless found deeper.
    fn mark(&mut self, wanted: &Wanted, offset: u64) {
        for &item in &wanted.items {
            self.found.insert(item, offset);
        }
        for below in wanted.below.values() {
            self.mark(below, offset);
        }
    }

    fn descend(&mut self, wanted: &Wanted, ty: Type, offset: u64) {
        self.mark(wanted, offset);
        for (segment, below) in &wanted.below {
            if let Some(step) = step_into(ty, segment) {
                self.descend(below, step.ty, offset + step.offset as u64);
            }
        }
    }
}

impl Visit for Search<'_> {
    fn open(&mut self, name: &Segment, _: Container, offset: u64) {
        let child = self.child(name);
        if let Some(wanted) = child {
            self.mark(wanted, offset);
        }
        self.stack.push(child);
    }

    fn close(&mut self) {
        self.stack.pop();
    }

    fn leaf(&mut self, name: &Segment, leaf: &Leaf<'_>) {
        let Some(wanted) = self.child(name) else { return };
        let Some(count) = leaf.count else { return self.descend(wanted, leaf.ty, leaf.offset) };
        self.mark(wanted, leaf.offset);
        for (segment, below) in &wanted.below {
            if let Segment::Index(index) = segment
                && *index < count
            {
                self.descend(below, leaf.ty, leaf.offset + (index * leaf.ty.bytes()) as u64);
            }
        }
    }
}

/// A field found in a file.
#[derive(Debug)]
pub struct Found {
    /// Its full name.
    pub path: Path,
    /// Where it begins.
    pub offset: u64,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Its type.
    pub ty: Type,
    /// The record field it is, if it is one.
    pub field: Option<&'static Field>,
    /// What the leaf it lies in is, for leaves that are not records.
    pub doc: &'static str,
}

/// The innermost field that holds the byte at `offset`. Arrays of numbers are one field with its
/// element named in the path; `None` if the file ends before.
pub fn field_at(file: &(impl Walk + ?Sized), offset: u64) -> Option<Found> {
    let mut at = At { offset, path: Path::default(), found: None };
    file.walk(&mut Walker::new(&mut at));
    at.found
}

struct At {
    offset: u64,
    path: Path,
    found: Option<Found>,
}

impl Visit for At {
    fn open(&mut self, name: &Segment, _: Container, _: u64) {
        self.path.push(name.clone());
    }

    fn close(&mut self) {
        self.path.pop();
    }

    fn leaf(&mut self, name: &Segment, leaf: &Leaf<'_>) {
        let Some(mut inside) = self.offset.checked_sub(leaf.offset).map(|inside| inside as usize) else { return };
        if inside >= leaf.bytes.len() {
            return;
        }
        let mut path = self.path.join(name.clone());
        let mut ty = leaf.ty;
        let mut begin = 0;
        if leaf.count.is_some() {
            let index = inside.checked_div(ty.bytes()).unwrap_or(0);
            path.push(index);
            begin = index * ty.bytes();
            inside -= begin;
        }
        let mut field = None;
        loop {
            let next = match ty {
                Type::Record(layout) => layout
                    .fields
                    .iter()
                    .find(|field| (field.offset..field.offset + field.ty.bytes()).contains(&inside))
                    .map(|found| {
                        (Segment::from(found.name), Step { offset: found.offset, ty: found.ty, field: Some(found) })
                    }),
                Type::Array(element, _) => inside
                    .checked_div(element.bytes())
                    .map(|index| (Segment::from(index), Step { offset: index * element.bytes(), ty: *element, field })),
                _ => None,
            };
            let Some((segment, step)) = next else { break };
            path.push(segment);
            begin += step.offset;
            inside -= step.offset;
            ty = step.ty;
            field = step.field;
        }
        let bytes = leaf.bytes.get(begin..begin + ty.bytes()).unwrap_or_default().to_vec();
        self.found = Some(Found { path, offset: leaf.offset + begin as u64, bytes, ty, field, doc: leaf.doc });
    }
}
