//! Reading accessors: typed elements of a buffer view, of any component type, packed or interleaved, sparse or not.
//!
//! Every bound is checked once, in [`Accessors::elements`], before anything is read or allocated; nothing is assumed about alignment. What is
//! read in all is bounded by the size of the buffers, because a hostile document may read the same bytes over and over.

use super::buffers::{Buffers, Found};
use super::check::{ACCESSOR_BOUNDS, ACCESSOR_TYPE, REFERENCE, SPARSE_INDICES, STRIDE, TOO_MANY_ITEMS};
use super::schema::{Accessor, Document};
use crate::bytes::MAX_SMALL_ITEMS;
use crate::pieces;
use crate::rules::index_into;
use maquette_scene::{Diagnostic, Path, path};
use std::borrow::Cow;
use std::cell::Cell;
use zerocopy::little_endian::{F32, I16, U16, U32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

/// The component type of an accessor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Component {
    /// Signed byte.
    I8,
    /// Unsigned byte.
    U8,
    /// Signed 16-bit integer.
    I16,
    /// Unsigned 16-bit integer.
    U16,
    /// Unsigned 32-bit integer.
    U32,
    /// 32-bit float.
    F32,
}

impl Component {
    /// The component type with this `componentType` in the JSON.
    pub fn from_code(code: u32) -> Option<Component> {
        Some(match code {
            5120 => Component::I8,
            5121 => Component::U8,
            5122 => Component::I16,
            5123 => Component::U16,
            5125 => Component::U32,
            5126 => Component::F32,
            _ => return None,
        })
    }

    /// Size in bytes.
    pub fn bytes(self) -> usize {
        match self {
            Component::I8 | Component::U8 => 1,
            Component::I16 | Component::U16 => 2,
            Component::U32 | Component::F32 => 4,
        }
    }

    /// What a normalised integer is divided by.
    fn divisor(self) -> f32 {
        match self {
            Component::I8 => 127.0,
            Component::U8 => 255.0,
            Component::I16 => 32767.0,
            Component::U16 => 65535.0,
            Component::U32 => 4_294_967_295.0,
            Component::F32 => 1.0,
        }
    }

    /// The value that a stored component stands for: of a normalised integer, a fraction of 1.
    pub fn decoded(self, stored: f32, normalized: bool) -> f32 {
        match normalized && self != Component::F32 {
            true => (stored / self.divisor()).max(-1.0),
            false => stored,
        }
    }
}

/// Columns and rows of a `type` of element.
pub fn shape(kind: &str) -> Option<(usize, usize)> {
    Some(match kind {
        "SCALAR" => (1, 1),
        "VEC2" => (1, 2),
        "VEC3" => (1, 3),
        "VEC4" => (1, 4),
        "MAT2" => (2, 2),
        "MAT3" => (3, 3),
        "MAT4" => (4, 4),
        _ => return None,
    })
}

/// The accessors of a document, and how much may still be read through them.
pub struct Accessors<'a> {
    /// The JSON that describes them.
    pub document: &'a Document,
    /// The data they read.
    pub buffers: &'a Buffers<'a>,
    left: Cell<u64>,
    left_for_keys: Cell<u64>,
}

/// What small files may read of the same bytes, as primitives share vertices, ..
const FOR_ALL: u64 = 256 << 20;
/// .. and of keys, which every further step repeats for each channel.
const FOR_KEYS: u64 = 16 << 20;

/// An accessor whose every element is known to be there.
#[derive(Clone, Copy)]
pub struct Elements<'a> {
    /// From the first element; nothing where all are zero.
    bytes: Option<&'a [u8]>,
    stride: usize,
    /// How many elements.
    pub count: usize,
    /// The type of a component.
    pub component: Component,
    /// Components of an element.
    pub width: usize,
    /// Whether integers are normalised: stand for 0 to 1, or for -1 to 1.
    pub normalized: bool,
    changes: Option<Changes<'a>>,
}

/// The elements that a sparse accessor replaces.
#[derive(Clone, Copy)]
struct Changes<'a> {
    indices: &'a [u8],
    index: Component,
    values: &'a [u8],
}

impl<'a> Accessors<'a> {
    /// The accessors of a document; `also` is the size of what else may be read.
    pub fn new(document: &'a Document, buffers: &'a Buffers<'a>, also: u64) -> Accessors<'a> {
        let bytes = buffers.bytes().saturating_add(also).saturating_mul(64);
        let [left, left_for_keys] = [FOR_ALL, FOR_KEYS].map(|more| Cell::new(bytes.saturating_add(more)));
        Accessors { document, buffers, left, left_for_keys }
    }

    /// Counts bytes that are about to be allocated or looked at against the bound.
    pub fn spend(&self, bytes: u64, at: impl FnOnce() -> Path) -> Found<()> {
        spend(&self.left, bytes, at)
    }

    /// The same for bytes of keys, which are bounded more closely.
    pub fn spend_for_keys(&self, bytes: u64, at: impl FnOnce() -> Path) -> Found<()> {
        spend(&self.left_for_keys, bytes, at)
    }

    /// The elements of an accessor.
    pub fn elements(&self, index: usize) -> Found<Elements<'a>> {
        let document = self.document;
        let at = || path!("json", "accessors", index);
        let Some(accessor) = document.accessors.get(index) else {
            let finding = Diagnostic::new(&REFERENCE, path!("json", "accessors"), format!("the accessor is {index}"));
            return Err(Box::new(finding.expected(index_into(document.accessors.len(), "accessors"))));
        };
        let (component, columns, rows) = typed(accessor, at)?;
        // The columns of a matrix begin at multiples of four bytes.
        let column = match columns {
            1 => rows * component.bytes(),
            _ => (rows * component.bytes()).next_multiple_of(4),
        };
        let each = columns * column;
        let mut elements = Elements {
            bytes: None,
            stride: each,
            count: accessor.count,
            component,
            width: columns * rows,
            normalized: accessor.normalized.unwrap_or(false),
            changes: None,
        };
        match accessor.buffer_view {
            Some(view) => {
                elements.stride = self.stride(view, each)?;
                let bytes = self.buffers.view(document, view)?;
                let from = accessor.byte_offset.unwrap_or(0);
                elements.bytes = Some(within(bytes, from, accessor.count, elements.stride, each).ok_or_else(|| {
                    let message = format!(
                        "{} elements of {each} bytes, one every {}, from byte {from} of the view",
                        accessor.count, elements.stride
                    );
                    let finding = Diagnostic::new(&ACCESSOR_BOUNDS, at(), message);
                    Box::new(finding.expected(format!("elements within the view's {} bytes", bytes.len())))
                })?);
            }
            None if accessor.count as u64 > MAX_SMALL_ITEMS => {
                let message = format!("{} elements are claimed, and no view holds them", accessor.count);
                let finding = Diagnostic::new(&TOO_MANY_ITEMS, at().join("count"), message);
                let expected =
                    format!("at most {MAX_SMALL_ITEMS} that are all zero, so that no file can exhaust memory");
                return Err(Box::new(finding.expected(expected)));
            }
            None => {}
        }
        elements.changes = self.changes(accessor, each, index)?;
        Ok(elements)
    }

    fn stride(&self, view: usize, each: usize) -> Found<usize> {
        let stride = self.document.buffer_views.get(view).and_then(|view| view.byte_stride);
        match stride {
            None => Ok(each),
            Some(stride) if stride >= each => Ok(stride),
            Some(stride) => {
                let message = format!("the stride is {stride}, and an element has {each} bytes");
                let at = path!("json", "bufferViews", view, "byteStride");
                Err(Box::new(Diagnostic::new(&STRIDE, at, message).expected(format!("at least {each}"))))
            }
        }
    }

    fn changes(&self, accessor: &Accessor, each: usize, index: usize) -> Found<Option<Changes<'a>>> {
        let Some(sparse) = accessor.sparse.as_ref().filter(|sparse| sparse.count > 0) else { return Ok(None) };
        let at = || path!("json", "accessors", index, "sparse");
        let fail = |code, at: Path, message: String, expected: &str| {
            Err(Box::new(Diagnostic::new(code, at, message).expected(expected)))
        };
        let kind = sparse.indices.component_type;
        let component = Component::from_code(kind)
            .filter(|component| matches!(component, Component::U8 | Component::U16 | Component::U32));
        let Some(component) = component else {
            let at = at().join("indices").join("componentType");
            return fail(&ACCESSOR_TYPE, at, format!("the component type is {kind}"), "5121, 5123 or 5125");
        };
        let table = |view: usize, offset: Option<usize>, each: usize, name: &'static str| {
            let bytes = self.buffers.view(self.document, view)?;
            let from = offset.unwrap_or(0);
            within(bytes, from, sparse.count, each, each).ok_or_else(|| {
                let message = format!("{} elements of {each} bytes from byte {from} of the view", sparse.count);
                let finding = Diagnostic::new(&ACCESSOR_BOUNDS, at().join(name), message);
                Box::new(finding.expected(format!("elements within the view's {} bytes", bytes.len())))
            })
        };
        let indices = table(sparse.indices.buffer_view, sparse.indices.byte_offset, component.bytes(), "indices")?;
        let values = table(sparse.values.buffer_view, sparse.values.byte_offset, each, "values")?;
        self.spend(indices.len() as u64, at)?;
        let changes = Changes { indices, index: component, values };
        let mut before = None;
        for element in changes.indices() {
            if before.is_some_and(|before| element <= before) || element as usize >= accessor.count {
                let message = format!("element {element} of {} is changed, after {before:?}", accessor.count);
                return fail(&SPARSE_INDICES, at().join("indices"), message, "elements that exist, in rising order");
            }
            before = Some(element);
        }
        Ok(Some(changes))
    }
}

fn spend(left: &Cell<u64>, bytes: u64, at: impl FnOnce() -> Path) -> Found<()> {
    match left.get().checked_sub(bytes) {
        Some(rest) => {
            left.set(rest);
            Ok(())
        }
        None => {
            let message = "the same bytes are read over and over, more than 64 times the buffers' size in all";
            let finding = Diagnostic::new(&TOO_MANY_ITEMS, at(), message);
            Err(Box::new(finding.expected("less, so that no file can exhaust memory")))
        }
    }
}

fn typed(accessor: &Accessor, at: impl Fn() -> Path) -> Found<(Component, usize, usize)> {
    let fail = |field: &'static str, message: String, expected: &str| {
        Err(Box::new(Diagnostic::new(&ACCESSOR_TYPE, at().join(field), message).expected(expected)))
    };
    let Some(component) = Component::from_code(accessor.component_type) else {
        let message = format!("the component type is {}", accessor.component_type);
        return fail("componentType", message, "5120, 5121, 5122, 5123, 5125 or 5126");
    };
    match shape(&accessor.kind) {
        Some((columns, rows)) => Ok((component, columns, rows)),
        None => {
            let message = format!("the type is {:?}", accessor.kind);
            fail("type", message, "SCALAR, VEC2, VEC3, VEC4, MAT2, MAT3 or MAT4")
        }
    }
}

/// The bytes of `count` elements; `None` if they are not all there.
fn within(bytes: &[u8], from: usize, count: usize, stride: usize, each: usize) -> Option<&[u8]> {
    let length = match count.checked_sub(1) {
        None => 0,
        Some(last) => last.checked_mul(stride)?.checked_add(each)?,
    };
    bytes.get(from..from.checked_add(length)?)
}

impl Changes<'_> {
    fn indices(&self) -> impl Iterator<Item = u32> + '_ {
        self.indices.chunks_exact(self.index.bytes()).map(|bytes| match *bytes {
            [a] => u32::from(a),
            [a, b] => u32::from(u16::from_le_bytes([a, b])),
            [a, b, c, d] => u32::from_le_bytes([a, b, c, d]),
            _ => 0,
        })
    }
}

impl<'a> Elements<'a> {
    /// Whether a buffer view holds the elements; without one, all but the sparse ones are zero.
    pub fn is_backed(&self) -> bool {
        self.bytes.is_some()
    }

    /// The distance between neighbouring values of normalised integers; 0 for other components.
    pub fn step(&self) -> f32 {
        let normalised = self.normalized && self.component != Component::F32;
        if normalised { self.component.divisor().recip() } else { 0.0 }
    }

    /// Whether sparse elements replace some.
    pub fn is_sparse(&self) -> bool {
        self.changes.is_some()
    }

    /// Every component as it is stored, where they are tightly packed floats and none is replaced.
    pub fn packed_floats(&self) -> Option<&'a [F32]> {
        let is_same = self.component == Component::F32 && self.is_packed();
        <[F32]>::ref_from_bytes(self.bytes.filter(|_| is_same)?).ok()
    }

    /// Every element as memory holds it: where the file has them packed, aligned, in this machine's byte order, and none is replaced.
    fn as_in_memory<T: FromBytes + Immutable + KnownLayout>(&self, component: Component) -> Option<&'a [T]> {
        let is_same = cfg!(target_endian = "little") && self.component == component && self.is_packed();
        <[T]>::ref_from_bytes(self.bytes.filter(|_| is_same)?).ok()
    }

    /// Whether elements follow one another, and none is replaced.
    fn is_packed(&self) -> bool {
        self.stride == self.each() && !self.is_sparse()
    }

    /// Bytes of an element.
    fn each(&self) -> usize {
        self.width * self.component.bytes()
    }

    /// The bytes of all elements, one after another.
    fn packed(&self) -> Cow<'a, [u8]> {
        match self.bytes {
            Some(bytes) if self.is_packed() => Cow::Borrowed(bytes),
            _ => {
                let mut packed = vec![0; self.count * self.each()];
                self.pack(&mut packed);
                Cow::Owned(packed)
            }
        }
    }

    /// Puts the bytes of all elements one after another into `into`, which is zero and has room for them.
    fn pack(&self, into: &mut [u8]) {
        let each = self.each();
        match (self.bytes, each) {
            (Some(bytes), _) if self.stride == each => {
                into.iter_mut().zip(bytes).for_each(|(into, byte)| *into = *byte);
            }
            (Some(bytes), 4) => gather::<4>(bytes, self.stride, into),
            (Some(bytes), 8) => gather::<8>(bytes, self.stride, into),
            (Some(bytes), 12) => gather::<12>(bytes, self.stride, into),
            (Some(bytes), 16) => gather::<16>(bytes, self.stride, into),
            (Some(bytes), _) => {
                let elements = bytes.chunks(self.stride.max(1)).zip(into.chunks_exact_mut(each.max(1)));
                elements.for_each(|(from, into)| into.iter_mut().zip(from).for_each(|(into, byte)| *into = *byte));
            }
            (None, _) => {}
        }
        if let Some(changes) = &self.changes {
            for (index, value) in changes.indices().zip(changes.values.chunks_exact(each.max(1))) {
                let from = index as usize * each;
                if let Some(element) = into.get_mut(from..from + each) {
                    element.copy_from_slice(value);
                }
            }
        }
    }

    /// Every element as floats; `None` if elements do not have `N` components.
    pub fn floats<const N: usize>(&self) -> Option<Vec<[f32; N]>> {
        (self.width == N).then(|| {
            if let Some(elements) = self.as_in_memory(Component::F32) {
                return copied(elements, [0.0; N]);
            }
            let mut elements = vec![[0.0; N]; self.count];
            self.fill_floats(elements.as_flattened_mut());
            elements
        })
    }

    fn fill_floats(&self, into: &mut [f32]) {
        let (divisor, least) = match self.normalized {
            true => (self.component.divisor(), -1.0),
            false => (1.0, f32::NEG_INFINITY),
        };
        let value = |stored: f32| (stored / divisor).max(least);
        let bytes = &self.packed();
        match self.component {
            Component::I8 => convert(bytes, into, |x: i8| value(f32::from(x))),
            Component::U8 => convert(bytes, into, |x: u8| value(f32::from(x))),
            Component::I16 => convert(bytes, into, |x: I16| value(f32::from(x.get()))),
            Component::U16 => convert(bytes, into, |x: U16| value(f32::from(x.get()))),
            Component::U32 => convert(bytes, into, |x: U32| value(x.get() as f32)),
            Component::F32 => convert(bytes, into, F32::get),
        }
    }

    /// Every element as unsigned integers; `None` if they are no such, or do not have `N` components.
    pub fn integers<const N: usize>(&self) -> Option<Vec<[u32; N]>> {
        let unsigned = matches!(self.component, Component::U8 | Component::U16 | Component::U32);
        (self.width == N && unsigned).then(|| {
            if let Some(elements) = self.as_in_memory(Component::U32) {
                return copied(elements, [0; N]);
            }
            let mut elements = vec![[0; N]; self.count];
            self.fill_integers(elements.as_flattened_mut());
            elements
        })
    }

    fn fill_integers(&self, into: &mut [u32]) {
        let bytes = &self.packed();
        match self.component {
            Component::U8 => convert(bytes, into, |x: u8| u32::from(x)),
            Component::U16 => convert(bytes, into, |x: U16| u32::from(x.get())),
            _ => convert(bytes, into, U32::get),
        }
    }
}

/// The first `N` bytes of every `stride`.
fn gather<const N: usize>(bytes: &[u8], stride: usize, into: &mut [u8]) {
    for (from, into) in bytes.chunks(stride.max(1)).zip(into.as_chunks_mut::<N>().0) {
        if let Some(from) = from.first_chunk() {
            *into = *from;
        }
    }
}

/// A copy of these elements. Its memory is fresh, which takes longer than copying, so that another thread takes part.
fn copied<T: Copy + Send + Sync>(elements: &[T], zero: T) -> Vec<T> {
    let mut copy = vec![zero; elements.len()];
    pieces::fill(elements, &mut copy, |element| *element);
    copy
}

fn convert<T: FromBytes + Immutable + Unaligned + Copy + Sync, U: Send>(
    bytes: &[u8],
    into: &mut [U],
    value: impl Fn(T) -> U + Sync,
) {
    pieces::fill(<[T]>::ref_from_bytes(bytes).unwrap_or_default(), into, |from| value(*from));
}
