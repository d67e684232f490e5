//! Which field of a file a byte belongs to, of the fields around a place: as many as memory has room for, however large the file is.

use maquette::dump::value;
use maquette::explain::SHOWN_BYTES;
use maquette::formats::layout::{Meaning, Type};
use maquette::formats::walk::{Container, Leaf, Visit, Walk, Walker};
use maquette::scene::diag::paragraph;
use maquette::scene::{Path, Segment};
use std::ops::Range;

/// So many runs are kept around a place. A table is one run, however long it is, so that most files are kept as a whole.
pub const MOST_RUNS: u64 = 1 << 15;

/// A text that is longer is not gone through for its end: it may be as long as the file, and is shown sixty times a second.
const LONG: usize = 1 << 16;

/// A run of bytes with one name: a number, a record, a table of them, text or a blob.
#[derive(Clone, Debug)]
struct Run {
    path: Path,
    bytes: Range<u64>,
    ty: Type,
    count: Option<usize>,
    doc: &'static str,
    meaning: Meaning,
    /// How many fields of the file come before.
    before: u64,
}

/// The fields around a place of a file.
#[derive(Clone, Debug, Default)]
pub struct Fields {
    runs: Vec<Run>,
    /// The bytes whose fields these are.
    pub bytes: Range<u64>,
}

/// A field: what has one value, or a list of numbers.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its full name.
    pub path: Path,
    /// Where it is.
    pub bytes: Range<u64>,
    /// What is stored.
    pub ty: Type,
    /// What its values stand for.
    pub meaning: Meaning,
    /// How many fields of the file come before.
    pub before: u64,
    doc: &'static str,
}

impl Fields {
    /// Those around a byte. The file is gone through twice, and nothing is kept of what is far away.
    pub fn around(file: &dyn Walk, offset: u64) -> Fields {
        let mut count = Count { offset, before: 0, all: 0, end: 0 };
        file.walk(&mut Walker::new(&mut count));
        let from = count.before.saturating_sub(MOST_RUNS / 2).min(count.all.saturating_sub(MOST_RUNS));
        let mut collect =
            Collect { path: Path::default(), wanted: from..from + MOST_RUNS, seen: 0, fields: 0, runs: Vec::new() };
        file.walk(&mut Walker::new(&mut collect));
        let runs = collect.runs;
        // What lies before the first run or behind the last has no field, if those are the first and the last of the file.
        let start = runs.first().filter(|_| from > 0).map_or(0, |run| run.bytes.start);
        let end = runs.last().filter(|_| from + MOST_RUNS < count.all).map_or(u64::MAX, |run| run.bytes.end);
        Fields { runs, bytes: start..end }
    }

    /// The field of a byte.
    pub fn at(&self, offset: u64) -> Option<Field> {
        let place = self.runs.partition_point(|run| run.bytes.end <= offset);
        self.runs.get(place).filter(|run| run.bytes.contains(&offset))?.field_at(offset)
    }

    /// The fields that begin or go on in these bytes.
    pub fn within(&self, bytes: Range<u64>) -> Vec<Field> {
        let mut fields: Vec<Field> = Vec::new();
        let mut at = bytes.start;
        while at < bytes.end {
            match self.at(at) {
                Some(field) => {
                    at = field.bytes.end.max(at + 1);
                    fields.push(field);
                }
                None => at += 1,
            }
        }
        fields
    }
}

impl Run {
    fn field_at(&self, offset: u64) -> Option<Field> {
        let mut inside = usize::try_from(offset.checked_sub(self.bytes.start)?).ok()?;
        let mut path = self.path.clone();
        let (mut ty, mut begin, mut before) = (self.ty, 0, self.before);
        let (mut doc, mut meaning) = (self.doc, self.meaning);
        if self.count.is_some() {
            let index = inside.checked_div(ty.bytes())?;
            path.push(index);
            (begin, inside) = (index * ty.bytes(), inside % ty.bytes());
            before += index as u64 * fields_of(ty);
        }
        loop {
            match ty {
                Type::Record(layout) => {
                    let holds = |offset: usize, ty: Type| (offset..offset + ty.bytes()).contains(&inside);
                    let place = layout.fields.iter().position(|field| holds(field.offset, field.ty))?;
                    let (earlier, rest) = layout.fields.split_at_checked(place)?;
                    let field = rest.first()?;
                    before += earlier.iter().map(|field| fields_of(field.ty)).sum::<u64>();
                    path.push(field.name);
                    (begin, inside) = (begin + field.offset, inside - field.offset);
                    (ty, doc, meaning) = (field.ty, field.doc, field.meaning);
                }
                Type::Array(&element @ (Type::Record(_) | Type::Array(..)), _) => {
                    let index = inside.checked_div(element.bytes())?;
                    path.push(index);
                    (begin, inside) = (begin + index * element.bytes(), inside % element.bytes());
                    before += index as u64 * fields_of(element);
                    ty = element;
                }
                _ => break,
            }
        }
        let start = self.bytes.start + begin as u64;
        let bytes = start..(start + ty.bytes() as u64).min(self.bytes.end);
        Some(Field { path, bytes, ty, meaning, before, doc })
    }
}

impl Field {
    /// Its value, as people read it.
    pub fn value(&self, file: &[u8]) -> String {
        let bytes = slice(file, &self.bytes);
        if let (Type::Text(_), Some(first)) = (self.ty, bytes.get(..SHOWN_BYTES).filter(|_| bytes.len() > LONG)) {
            return format!("{:?} … of {} bytes", String::from_utf8_lossy(first), bytes.len());
        }
        value::brief(self.ty, bytes, self.meaning, SHOWN_BYTES)
    }

    /// What it is, and where that is known from.
    pub fn about(&self) -> String {
        paragraph(self.doc)
    }
}

/// These bytes of a file, as far as they are there.
pub fn slice<'f>(file: &'f [u8], bytes: &Range<u64>) -> &'f [u8] {
    let at = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX).min(file.len());
    file.get(at(bytes.start)..at(bytes.end)).unwrap_or_default()
}

/// How many fields a type has.
fn fields_of(ty: Type) -> u64 {
    match ty {
        Type::Record(layout) => layout.fields.iter().map(|field| fields_of(field.ty)).sum(),
        Type::Array(&element @ (Type::Record(_) | Type::Array(..)), count) => count as u64 * fields_of(element),
        _ => 1,
    }
}

struct Count {
    offset: u64,
    before: u64,
    all: u64,
    end: u64,
}

impl Visit for Count {
    fn open(&mut self, _: &Segment, _: Container, _: u64) {}
    fn close(&mut self) {}
    fn leaf(&mut self, _: &Segment, leaf: &Leaf<'_>) {
        if leaf.bytes.is_empty() {
            return;
        }
        self.all += 1;
        self.end = leaf.offset + leaf.bytes.len() as u64;
        self.before += u64::from(self.end <= self.offset);
    }
}

struct Collect {
    path: Path,
    wanted: Range<u64>,
    seen: u64,
    fields: u64,
    runs: Vec<Run>,
}

impl Visit for Collect {
    fn open(&mut self, name: &Segment, _: Container, _: u64) {
        self.path.push(name.clone());
    }

    fn close(&mut self) {
        self.path.pop();
    }

    fn leaf(&mut self, name: &Segment, leaf: &Leaf<'_>) {
        if leaf.bytes.is_empty() {
            return;
        }
        let is_nameless = matches!(name, Segment::Name(name) if name.is_empty());
        if self.wanted.contains(&self.seen) {
            self.runs.push(Run {
                path: if is_nameless { self.path.clone() } else { self.path.join(name.clone()) },
                bytes: leaf.offset..leaf.offset + leaf.bytes.len() as u64,
                ty: leaf.ty,
                count: leaf.count,
                doc: if is_nameless && leaf.doc.is_empty() { "Keys, punctuation and spaces." } else { leaf.doc },
                meaning: leaf.meaning,
                before: self.fields,
            });
        }
        self.seen += 1;
        self.fields += fields_of(leaf.ty) * leaf.count.map_or(1, |count| count as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maquette::Input;
    use maquette::formats::format::BUILT_IN;
    use maquette::formats::locate;

    #[test]
    fn every_byte_of_every_sample_has_the_field_that_explain_names() {
        for format in BUILT_IN.iter() {
            let main = maquette::sample::make(format.id, None).unwrap().main;
            let input = Input::from_bytes(format!("a.{}", format.extensions[0]), main);
            let opened = input.open(None).unwrap();
            let fields = Fields::around(&*opened.file, 0);
            let mut last: Option<Field> = None;
            for offset in 0..input.bytes().len() as u64 {
                let field = fields.at(offset).unwrap();
                let found = locate::field_at(&*opened.file, offset).unwrap();
                let (path, shown) = (found.path.to_string(), field.path.to_string());
                assert!(path.starts_with(&shown), "{}: {path} and {shown} at {offset}", format.id);
                assert!(field.bytes.start <= found.offset && found.offset + found.bytes <= field.bytes.end);
                if let Some(last) = last.filter(|last| last.bytes != field.bytes) {
                    assert_eq!(last.bytes.end, field.bytes.start);
                    assert_eq!(last.before + 1, field.before, "{}: neighbours differ in colour", format.id);
                }
                last = Some(field);
            }
            assert!(fields.at(input.bytes().len() as u64).is_none());
        }
    }

    #[test]
    fn of_very_many_fields_those_around_a_place_are_kept() {
        struct Many;
        impl Walk for Many {
            fn walk(&self, walker: &mut Walker<'_>) {
                for index in 0..4 * MOST_RUNS as usize {
                    walker.group(index, |walker| walker.value("id", &[7u8; 2], "An id."));
                }
            }
        }
        let end = 8 * MOST_RUNS;
        for offset in [0, 3 * MOST_RUNS + 1, end - 1] {
            let fields = Fields::around(&Many, offset);
            assert_eq!(fields.runs.len() as u64, MOST_RUNS);
            let field = fields.at(offset).unwrap();
            assert_eq!(field.path.to_string(), format!("[{}].id", offset / 2));
            assert_eq!(field.before, offset / 2);
            assert!(fields.bytes.contains(&offset));
        }
        assert!(Fields::around(&Many, 0).at(end - 1).is_none());
    }
}
