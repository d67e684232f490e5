//! The bounds-checked reader every parser uses.
//!
//! It knows the logical path of what is being read and checks each count against the bytes left before
//! anything is borrowed or allocated, in 64-bit arithmetic that cannot wrap for 32-bit counts. Bulk data
//! comes back as borrowed slices of the input. This is the only place that turns a count from a file into
//! an amount of memory.

use crate::format::{Error, Result};
use crate::layout::Typed;
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
}

impl<'a> Reader<'a> {
    /// Reads from the start of `bytes`; `truncated` is the code for a file that ends too early.
    pub fn new(bytes: &'a [u8], truncated: &'static Code) -> Self {
        Reader { bytes, position: 0, truncated, too_many: truncated }
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
            if count > MAX_SMALL_ITEMS && size_of::<T>() as u64 > 8 * least_bytes {
                return Err(reader.unsupported(
                    reader.too_many,
                    format!("{count} items are claimed"),
                    format!("at most {MAX_SMALL_ITEMS}, so that no file can exhaust memory"),
                ));
            }
            reader.require(count, least_bytes)?;
            let mut items = Vec::with_capacity(count as usize);
            for index in 0..count as usize {
                items.push(reader.within(index, &mut read)?);
            }
            Ok(items)
        })
    }

    /// A number, array or record, copied.
    pub fn value<T: Typed>(&mut self, name: &'static str) -> Result<T> {
        self.within(name, |reader| {
            let taken = reader.take(1, size_of::<T>() as u64)?;
            T::read_from_bytes(taken).map_err(|_| reader.cut_short(1, size_of::<T>() as u64))
        })
    }

    /// A 32-bit count.
    pub fn count(&mut self, name: &'static str) -> Result<u64> {
        Ok(u64::from(self.value::<U32>(name)?.get()))
    }

    /// Numbers or records one after another, borrowed.
    pub fn table<T: Typed>(&mut self, name: &'static str, count: u64) -> Result<Cow<'a, [T]>> {
        self.within(name, |reader| {
            let each = size_of::<T>() as u64;
            let taken = reader.take(count, each)?;
            <[T]>::ref_from_bytes(taken).map(Cow::Borrowed).map_err(|_| reader.cut_short(count, each))
        })
    }

    /// Bytes, borrowed.
    pub fn blob(&mut self, name: &'static str, bytes: u64) -> Result<Cow<'a, [u8]>> {
        self.within(name, |reader| Ok(Cow::Borrowed(reader.take(bytes, 1)?)))
    }

    /// `count` elements of `each` bytes, borrowed as bytes.
    pub fn elements(&mut self, name: &'static str, count: u64, each: u64) -> Result<Cow<'a, [u8]>> {
        self.within(name, |reader| Ok(Cow::Borrowed(reader.take(count, each)?)))
    }

    /// Text up to a NUL, borrowed without it.
    pub fn text_to_nul(&mut self, name: impl Into<Segment>) -> Result<Cow<'a, [u8]>> {
        self.within(name, |reader| {
            let rest = reader.rest();
            let Some(end) = rest.iter().position(|&byte| byte == 0) else {
                return Err(reader.fail(
                    reader.truncated,
                    format!("text begins at {:#x} and the file ends before its NUL", reader.position),
                    "text that ends with a NUL byte",
                ));
            };
            reader.position += end + 1;
            Ok(Cow::Borrowed(rest.get(..end).unwrap_or_default()))
        })
    }

    /// Fails if anything is left behind the last of `what`.
    pub fn end(&self, code: &'static Code, what: &str) -> Result<()> {
        match self.remaining() {
            0 => Ok(()),
            left => Err(self.fail(
                code,
                format!("{left} bytes follow the last {what}"),
                format!("a file of {} bytes for these counts", self.position()),
            )),
        }
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

    fn take(&mut self, count: u64, each: u64) -> Result<&'a [u8]> {
        self.require(count, each)?;
        let total = (count * each) as usize;
        let taken = self.rest().get(..total).unwrap_or_default();
        self.position += total;
        Ok(taken)
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
