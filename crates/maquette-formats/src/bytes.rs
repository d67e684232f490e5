//! The bounds-checked reader every parser uses.
//!
//! It knows the logical path of what is being read and checks each count against the bytes left before
//! anything is borrowed or allocated, in 64-bit arithmetic that cannot wrap for 32-bit counts. Bulk data
//! comes back as borrowed slices of the input. This is the only place that turns a count from a file into
//! an amount of memory.
//!
//! The same parser reads a file that breaks off, to show what there is of it: see [`Reader::of_part`].

use crate::format::{Error, Result};
use crate::layout::Typed;
use crate::trailing;
use maquette_scene::{Code, Diagnostic, Path, Segment, path};
use std::borrow::Cow;
use zerocopy::FromBytes;
use zerocopy::little_endian::U32;

/// The most items a list may claim whose items take far more memory than file bytes: the names and bones of
/// an animation, say. Lists of anything larger are bounded by the file itself.
pub const MAX_SMALL_ITEMS: u64 = 1 << 20;

/// Fails if a file does not begin with its magic.
pub fn begins_with(bytes: &[u8], magic: &[u8], code: &'static Code) -> Result<()> {
    if bytes.starts_with(magic) {
        return Ok(());
    }
    let begins = String::from_utf8_lossy(bytes.get(..magic.len()).unwrap_or(bytes)).into_owned();
    let finding = Diagnostic::new(code, path!("header", "magic"), format!("the file begins with {begins:?}"));
    Err(Error::Malformed(Box::new(finding.expected(format!("{:?}", String::from_utf8_lossy(magic))).at_offset(0))))
}

/// A cursor over a file's bytes.
#[derive(Clone)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    position: usize,
    truncated: &'static Code,
    too_many: &'static Code,
    extent: Extent,
    missing: u64,
}

/// What is made of a file that ends too early, or goes on for too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// It is refused.
    Exact,
    /// It is refused, but for a few bytes too many.
    Whole,
    /// What is not there is read as zeros, and all that is too much is taken.
    Part,
}

impl<'a> Reader<'a> {
    /// Reads from the start of `bytes`; `truncated` is the code for a file that ends too early.
    pub fn new(bytes: &'a [u8], truncated: &'static Code) -> Self {
        Reader { bytes, position: 0, truncated, too_many: truncated, extent: Extent::Whole, missing: 0 }
    }

    /// Reads what there is of a file that may end anywhere. Nothing that lies behind the end is an error: values are 0 there, tables,
    /// lists and texts have what is left, and [`missing`](Reader::missing) counts.
    ///
    /// What is read so holds every byte that is there and is walked in the same order. It may only be looked at: counts in it are those of what is
    /// there, not those of the file.
    pub fn of_part(bytes: &'a [u8], truncated: &'static Code) -> Self {
        Reader { extent: Extent::Part, ..Reader::new(bytes, truncated) }
    }

    /// Takes no byte too many.
    pub fn exactly(mut self) -> Self {
        self.extent = Extent::Exact;
        self
    }

    /// Sets the code for a list that claims more than [`MAX_SMALL_ITEMS`].
    pub fn too_many(mut self, code: &'static Code) -> Self {
        self.too_many = code;
        self
    }

    /// Bytes read so far.
    pub fn position(&self) -> u64 {
        self.position as u64
    }

    /// Bytes left.
    pub fn remaining(&self) -> u64 {
        (self.bytes.len() - self.position) as u64
    }

    /// The bytes left, without taking them.
    pub fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.position..).unwrap_or_default()
    }

    /// How many bytes the part of a file lacks for what was asked of it so far.
    pub fn missing(&self) -> u64 {
        self.missing
    }

    /// Whether a read went past the end, so that what it gave need not make sense. Only ever of a part.
    pub fn ran_out(&self) -> bool {
        self.missing > 0
    }

    /// Whether this may be a part of a file: see [`Reader::of_part`].
    pub fn is_part(&self) -> bool {
        self.extent == Extent::Part
    }

    /// Whether this is a part of a file, and all of it has been read.
    pub fn is_cut_here(&self) -> bool {
        self.is_part() && self.remaining() == 0
    }

    /// Runs `read` one step further in. The path is put together only for an error, on its way out, so that
    /// reading what is sound costs nothing for it.
    #[inline]
    pub fn within<T>(&mut self, name: impl Into<Segment>, read: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        read(self).map_err(|error| error.inside(name.into()))
    }

    /// Reads `count` items into a list. `least_bytes` is the smallest size of an item on disk, which bounds
    /// how many there can be.
    pub fn list<T>(
        &mut self,
        name: &'static str,
        count: u64,
        least_bytes: u64,
        mut read: impl FnMut(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        self.within(name, |reader| {
            let mut items = Vec::with_capacity(reader.claim(count, least_bytes, size_of::<T>())?);
            for index in 0..count {
                if reader.is_cut_here() {
                    reader.lack(count - index, least_bytes);
                    break;
                }
                items.push(reader.within(index as usize, &mut read)?);
            }
            Ok(items)
        })
    }

    /// How many of `count` items to make room for; an error where there cannot be as many.
    fn claim(&self, count: u64, least_bytes: u64, bytes_in_memory: usize) -> Result<usize> {
        if count > MAX_SMALL_ITEMS && bytes_in_memory as u64 > 8 * least_bytes {
            return Err(self.unsupported(
                self.too_many,
                format!("{count} items are claimed"),
                format!("at most {MAX_SMALL_ITEMS}, so that no file can exhaust memory"),
            ));
        }
        if !self.is_part() {
            self.require(count, least_bytes)?;
        }
        let most = self.remaining().checked_div(least_bytes).map_or(0, |fitting| count.min(fitting + 1));
        Ok(most as usize)
    }

    /// A number, array or record, copied.
    #[inline]
    pub fn value<T: Typed>(&mut self, name: &'static str) -> Result<T> {
        match T::read_from_prefix(self.rest()) {
            Ok((value, _)) => {
                self.position += size_of::<T>();
                Ok(value)
            }
            Err(_) => self.value_of_part(name),
        }
    }

    /// What there is of a value, the rest of it zeros; an error unless this is a part.
    #[cold]
    fn value_of_part<T: Typed>(&mut self, name: &'static str) -> Result<T> {
        let each = size_of::<T>();
        let mut taken = self.elements(name, 1, each as u64)?.into_owned();
        taken.resize(each, 0);
        T::read_from_bytes(&taken).map_err(|_| self.cut_short(1, each as u64))
    }

    /// A 32-bit count.
    pub fn count(&mut self, name: &'static str) -> Result<u64> {
        Ok(u64::from(self.value::<U32>(name)?.get()))
    }

    /// Numbers or records one after another, borrowed.
    #[inline]
    pub fn table<T: Typed>(&mut self, name: &'static str, count: u64) -> Result<Cow<'a, [T]>> {
        let bytes = count.checked_mul(size_of::<T>() as u64).and_then(|bytes| usize::try_from(bytes).ok());
        if let Some(taken) = bytes.and_then(|bytes| self.rest().get(..bytes))
            && let Ok(elements) = <[T]>::ref_from_bytes(taken)
        {
            self.position += taken.len();
            return Ok(Cow::Borrowed(elements));
        }
        self.table_of_part(name, count)
    }

    /// What there is of a table, the last element made whole with zeros; an error unless this is a part.
    #[cold]
    fn table_of_part<T: Typed>(&mut self, name: &'static str, count: u64) -> Result<Cow<'a, [T]>> {
        let each = size_of::<T>() as u64;
        let padded = self.elements(name, count, each)?;
        let elements = <[T]>::ref_from_bytes(&padded).map_err(|_| self.cut_short(count, each))?;
        Ok(Cow::Owned(elements.to_vec()))
    }

    /// Bytes, borrowed.
    pub fn blob(&mut self, name: &'static str, bytes: u64) -> Result<Cow<'a, [u8]>> {
        self.elements(name, bytes, 1)
    }

    /// `count` elements of `each` bytes, borrowed as bytes.
    pub fn elements(&mut self, name: &'static str, count: u64, each: u64) -> Result<Cow<'a, [u8]>> {
        self.within(name, |reader| reader.take(count, each))
    }

    /// Text up to a NUL, borrowed without it.
    pub fn text_to_nul(&mut self, name: impl Into<Segment>) -> Result<Cow<'a, [u8]>> {
        self.within(name, |reader| {
            let rest = reader.rest();
            let end = match rest.iter().position(|&byte| byte == 0) {
                Some(end) => end,
                None if reader.is_part() => {
                    reader.lack(1, 1);
                    reader.position = reader.bytes.len();
                    return Ok(Cow::Borrowed(rest));
                }
                None => {
                    return Err(reader.fail(
                        reader.truncated,
                        format!("text begins at {:#x} and the file ends before its NUL", reader.position),
                        "text that ends with a NUL byte",
                    ));
                }
            };
            reader.position += end + 1;
            Ok(Cow::Borrowed(rest.get(..end).unwrap_or_default()))
        })
    }

    /// What is left behind the last of `what`. More than a few bytes are an error of this code.
    pub fn trailing(&mut self, code: &'static Code, what: &str) -> Result<Cow<'a, [u8]>> {
        let (rest, end) = (self.rest(), self.position());
        let is_taken = match self.extent {
            Extent::Exact => rest.is_empty(),
            Extent::Whole => trailing::are_few(rest.len() as u64, end),
            Extent::Part => true,
        };
        if !is_taken {
            return Err(self.fail(
                code,
                format!("{} bytes follow the last {what}", rest.len()),
                format!("a file of {end} bytes for these counts"),
            ));
        }
        self.position = self.bytes.len();
        Ok(Cow::Borrowed(rest))
    }

    /// An error at this place. Its path is what the calls of [`within`](Reader::within) around it make it.
    pub fn fail(&self, code: &'static Code, message: impl Into<String>, expected: impl Into<String>) -> Error {
        Error::Malformed(Box::new(self.finding(code, message, expected)))
    }

    /// Something legal at this place that is beyond what we take.
    pub fn unsupported(&self, code: &'static Code, message: impl Into<String>, expected: impl Into<String>) -> Error {
        Error::Unsupported(Box::new(self.finding(code, message, expected)))
    }

    fn finding(&self, code: &'static Code, message: impl Into<String>, expected: impl Into<String>) -> Diagnostic {
        Diagnostic::new(code, Path::default(), message).expected(expected).at_offset(self.position())
    }

    /// Refuses a count that the bytes left cannot hold.
    fn require(&self, count: u64, each: u64) -> Result<()> {
        match count.checked_mul(each) {
            Some(total) if total <= self.remaining() => Ok(()),
            _ => Err(self.cut_short(count, each)),
        }
    }

    /// This many elements. Of a part, those that are there, the last made whole with zeros.
    fn take(&mut self, count: u64, each: u64) -> Result<Cow<'a, [u8]>> {
        let rest = self.rest();
        if let Some(taken) = count.checked_mul(each).and_then(|total| rest.get(..usize::try_from(total).ok()?)) {
            self.position += taken.len();
            return Ok(Cow::Borrowed(taken));
        }
        if !self.is_part() {
            return Err(self.cut_short(count, each));
        }
        self.lack(count, each);
        self.missing = self.missing.saturating_sub(rest.len() as u64);
        self.position = self.bytes.len();
        let mut padded = Cow::Borrowed(rest);
        let whole = rest.len().next_multiple_of(each.max(1) as usize);
        if whole > rest.len() {
            padded.to_mut().resize(whole, 0);
        }
        Ok(padded)
    }

    /// Counts what a part does not have.
    fn lack(&mut self, count: u64, each: u64) {
        self.missing = self.missing.saturating_add(count.saturating_mul(each));
    }

    fn cut_short(&self, count: u64, each: u64) -> Error {
        let need = u128::from(count) * u128::from(each);
        let asked = if count == 1 || each == 1 {
            format!("{need} bytes are needed")
        } else {
            format!("{count} × {each} = {need} bytes are needed")
        };
        self.fail(
            self.truncated,
            format!("{asked} at {:#x}, but only {} are left", self.position, self.remaining()),
            format!("at least {} bytes in the file, it has {}", u128::from(self.position()) + need, self.bytes.len()),
        )
    }
}
