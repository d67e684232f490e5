//! From a path to its bytes, and from a byte to its path.

use crate::layout::{Field, Type};
use crate::walk::{Container, Leaf, Visit, Walk, Walker};
use maquette_scene::{Diagnostic, Path, Report, Segment};
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

/// As [`resolve`], for one finding.
pub fn located(file: &(impl Walk + ?Sized), mut finding: Diagnostic) -> Diagnostic {
    let mut report = Report::default();
    report.push(finding.clone());
    resolve(file, &mut report);
    finding.offset = report.items().first().and_then(|found| found.offset);
    finding
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
#[non_exhaustive]
pub struct Found {
    /// Its full name.
    pub path: Path,
    /// Where it begins.
    pub offset: u64,
    /// How many bytes it has.
    pub bytes: u64,
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
        let (offset, bytes) = (leaf.offset + begin as u64, ty.bytes() as u64);
        self.found = Some(Found { path, offset, bytes, ty, field, doc: leaf.doc });
    }
}

/// Why a section was not found.
#[derive(Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Miss {
    /// The deepest part of the path that exists.
    pub reached: Path,
    /// What there is in it.
    pub children: Vec<String>,
}

/// Shows the visitor one part of the file: a container, a table, an element of it, a field.
pub fn section(file: &(impl Walk + ?Sized), path: &Path, visitor: &mut dyn Visit) -> Result<(), Miss> {
    let mut section = Section {
        path: path.segments(),
        matched: 0,
        depth: 0,
        inside: 0,
        found: false,
        miss: Miss::default(),
        visitor,
    };
    file.walk(&mut Walker::new(&mut section));
    if section.found { Ok(()) } else { Err(section.miss) }
}

struct Section<'p, 'v> {
    path: &'p [Segment],
    /// How many open containers follow the path, from the outside.
    matched: usize,
    /// How many containers are open that are not part of the section.
    depth: usize,
    /// How many containers of the section are open.
    inside: usize,
    found: bool,
    miss: Miss,
    visitor: &'v mut dyn Visit,
}

impl Section<'_, '_> {
    /// Whether `name` is the next step of the path; if not, it is remembered as what there is instead.
    fn follows(&mut self, name: &Segment) -> bool {
        if self.depth != self.matched {
            return false;
        }
        let follows = self.path.get(self.matched) == Some(name);
        if self.miss.reached.segments().len() == self.matched {
            self.remember(name);
        }
        follows
    }

    fn remember(&mut self, name: &Segment) {
        match name {
            Segment::Name(name) => self.miss.children.push(name.to_string()),
            Segment::Index(index) => self.miss.children = vec![up_to(index + 1)],
        }
    }

    fn reach(&mut self, deeper: &[Segment]) {
        if deeper.len() > self.miss.reached.segments().len() {
            self.miss = Miss { reached: deeper.to_vec().into(), children: Vec::new() };
        }
    }
}

fn up_to(count: usize) -> String {
    match count {
        0 => "nothing".into(),
        1 => "[0]".into(),
        _ => format!("[0] to [{}]", count - 1),
    }
}

impl Visit for Section<'_, '_> {
    fn open(&mut self, name: &Segment, container: Container, offset: u64) {
        if self.inside > 0 {
            self.inside += 1;
            return self.visitor.open(name, container, offset);
        }
        if self.follows(name) {
            self.matched += 1;
            self.reach(self.path.get(..self.matched).unwrap_or_default());
            if self.matched == self.path.len() {
                self.found = true;
                self.inside = 1;
                return self.visitor.open(name, container, offset);
            }
        }
        self.depth += 1;
    }

    fn close(&mut self) {
        if self.inside > 0 {
            self.inside -= 1;
            self.visitor.close();
            self.matched -= usize::from(self.inside == 0);
            return;
        }
        self.depth -= 1;
        self.matched = self.matched.min(self.depth);
    }

    fn leaf(&mut self, name: &Segment, leaf: &Leaf<'_>) {
        if self.inside > 0 {
            return self.visitor.leaf(name, leaf);
        }
        if !self.follows(name) {
            return;
        }
        let mut part = *leaf;
        for step in self.matched + 1..=self.path.len() {
            self.reach(self.path.get(..step).unwrap_or_default());
            let Some(segment) = self.path.get(step) else { break };
            let Some(deeper) = part_of(&part, segment) else {
                self.miss.children = parts(&part);
                return;
            };
            part = deeper;
        }
        self.found = true;
        self.visitor.leaf(self.path.last().unwrap_or(name), &part);
    }
}

/// One step into a leaf.
fn part_of<'a>(leaf: &Leaf<'a>, segment: &Segment) -> Option<Leaf<'a>> {
    let step = match (leaf.count, segment) {
        (Some(count), Segment::Index(index)) if *index < count => {
            Step { offset: index * leaf.ty.bytes(), ty: leaf.ty, field: None }
        }
        (Some(_), _) => return None,
        (None, _) => step_into(leaf.ty, segment)?,
    };
    Some(Leaf {
        offset: leaf.offset + step.offset as u64,
        bytes: leaf.bytes.get(step.offset..step.offset + step.ty.bytes())?,
        ty: step.ty,
        count: None,
        doc: leaf.doc,
        meaning: step.field.map_or(leaf.meaning, |field| field.meaning),
    })
}

/// What can be stepped into.
fn parts(leaf: &Leaf<'_>) -> Vec<String> {
    match (leaf.count, leaf.ty) {
        (Some(count), _) | (None, Type::Array(_, count) | Type::Blob(count)) => vec![up_to(count)],
        (None, Type::Record(layout)) => layout.fields.iter().map(|field| field.name.to_owned()).collect(),
        _ => Vec::new(),
    }
}
