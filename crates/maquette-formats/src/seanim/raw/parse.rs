//! From bytes to a [`File`]: the ways a file may be read, and which of them ends where the file does.

use super::blend::Trailer;
use super::keys::{FrameWidth, Keys};
use super::*;
use crate::bytes::Reader;
use crate::format::{Error, Result};
use crate::seanim::check::{
    BAD_MAGIC, HEADER_TOO_SMALL, TOO_MANY_ITEMS, TRAILING_BYTES, TRUNCATED, UNSUPPORTED_VERSION,
};
use crate::trailing::{self, Gap};
use maquette_scene::{Diagnostic, path};
use zerocopy::FromBytes;

/// Whether a block is taken to be in the file.
#[derive(Clone, Copy, PartialEq)]
enum Block {
    Stored,
    Absent,
}

/// One way to read a file.
#[derive(Clone, Copy)]
struct Reading {
    dialect: Dialect,
    bones: Block,
    notes: Block,
}

impl Reading {
    /// The likeliest way to read a file with this header in this dialect, and the others.
    ///
    /// Flags say which blocks are there. Some writers store bones without any flag, and some readers read notes
    /// without theirs; where a count contradicts the flags, both are tried.
    fn all(header: &Header, dialect: Dialect) -> (Reading, Vec<Reading>) {
        let flags = header.data_presence_flags;
        let claims_bones = header.bone_count.get() > 0 || header.bone_anim_modifier_count > 0;
        let (bones, other_bones) = match (flags & PRESENCE_BONES != 0, claims_bones) {
            (true, _) => (Block::Stored, None),
            (false, true) => (Block::Stored, Some(Block::Absent)),
            (false, false) => (Block::Absent, None),
        };
        let (notes, other_notes) = match (flags & PRESENCE_NOTES != 0, header.note_count.get() > 0) {
            (true, _) => (Block::Stored, None),
            (false, true) => (Block::Absent, Some(Block::Stored)),
            (false, false) => (Block::Absent, None),
        };
        let others = [(Some(bones), other_notes), (other_bones, Some(notes)), (other_bones, other_notes)];
        let reading =
            |(bones, notes): (Option<Block>, Option<Block>)| Some(Reading { dialect, bones: bones?, notes: notes? });
        (Reading { dialect, bones, notes }, others.into_iter().filter_map(reading).collect())
    }
}

impl<'a> File<'a> {
    /// Parses a file in the dialect that its bytes show: 1.0.2, or 1.0.1 where only that ends at the end of the file.
    pub fn parse(bytes: &'a [u8]) -> Result<File<'a>> {
        let header = read_header(bytes)?;
        let frames = header.frame_count.get();
        let corrected = exactly(bytes, &header, Dialect::Corrected);
        if !Dialect::differ_at(frames) {
            let file = corrected.or_else(|error| with_trailing(bytes, &header, &[Dialect::Corrected], error))?;
            let end = file.end_in_words();
            let evidence = format!("the blocks end {end}; with a frame count of {frames}, 1.0.1 is the same");
            return Ok(file.with_evidence(evidence));
        }
        let first = exactly(bytes, &header, Dialect::First);
        let numbers =
            |dialect: Dialect| format!("{}-byte frame numbers ({})", dialect.frame_width(frames).bytes(), dialect.id());
        let [two, one] = [Dialect::Corrected, Dialect::First].map(numbers);
        match (corrected, first) {
            (Ok(file), other) => {
                let end = file.end_in_words();
                let too = if other.is_ok() { "they do too, and 1.0.2 comes first" } else { "they do not" };
                Ok(file.with_evidence(format!("read with {two}, the blocks end {end}; with {one} {too}")))
            }
            (Err(_), Ok(file)) => {
                let end = file.end_in_words();
                Ok(file.with_evidence(format!("read with {one}, the blocks end {end}; with {two} they do not")))
            }
            (Err(corrected), Err(first)) => {
                let file = with_trailing(bytes, &header, Dialect::ALL, further(corrected, first))?;
                let (end, width) = (file.end_in_words(), file.frame_width().bytes());
                Ok(file.with_evidence(format!("read with {width}-byte frame numbers, the blocks end {end}")))
            }
        }
    }

    /// Parses a file in this dialect, whatever its bytes suggest.
    pub fn parse_as(bytes: &'a [u8], dialect: Dialect) -> Result<File<'a>> {
        let header = read_header(bytes)?;
        let file =
            exactly(bytes, &header, dialect).or_else(|error| with_trailing(bytes, &header, &[dialect], error))?;
        Ok(file.with_evidence("asked for".into()))
    }

    /// Parses what there is of a file, in this dialect or in the one that misses least: see [`Reader::of_part`].
    pub fn parse_part(bytes: &'a [u8], dialect: Option<Dialect>) -> Result<File<'a>> {
        let header = match bytes.len() < size_of::<Header>() && bytes.starts_with(MAGIC) {
            true => Reader::of_part(bytes, &TRUNCATED).value("header")?,
            false => read_header(bytes)?,
        };
        let dialects = dialect.map_or(Dialect::ALL.to_vec(), |dialect| vec![dialect]);
        let part = |dialect| {
            let reader = &mut part_reader(bytes);
            let file = File::read(reader, bytes, &header, Reading::all(&header, dialect).0)?;
            Ok((reader.missing().max(file.trailing.len() as u64), file))
        };
        let parts = dialects.into_iter().map(part).collect::<Result<Vec<_>>>()?;
        let nearest = parts.into_iter().min_by_key(|(distance, _)| *distance).map(|(_, file)| file);
        nearest.ok_or_else(|| too_small(&header))
    }

    fn end_in_words(&self) -> String {
        match (&self.trailer, &*self.trailing) {
            (Trailer::None, []) => "exactly at the end of the file".into(),
            (Trailer::None, left) => {
                format!("{} bytes before the end of the file, nearer than in any other way", left.len())
            }
            _ => "exactly at an SEBlend trailer".into(),
        }
    }

    /// Adds what was found about blocks that the flags do not promise.
    fn with_evidence(mut self, mut evidence: String) -> File<'a> {
        let no_channel = self.data_presence_flags & PRESENCE_BONES == 0;
        if no_channel && !(self.bones.is_empty() && self.modifiers.is_empty()) {
            evidence += &format!("; {} bones are stored although no channel flag is set", self.bones.len());
        }
        if self.unstored.bone_count > 0 || self.unstored.modifier_count > 0 {
            evidence += &format!("; the {} bones that are counted are not stored", self.unstored.bone_count);
        }
        if self.data_presence_flags & PRESENCE_NOTES == 0 && !self.notes.is_empty() {
            evidence += &format!("; {} notes are stored although their flag is not set", self.notes.len());
        }
        if self.unstored.note_count > 0 {
            evidence += &format!("; the {} notes that are counted are not stored", self.unstored.note_count);
        }
        self.evidence = evidence;
        self
    }

    fn read(reader: &mut Reader<'a>, bytes: &'a [u8], header: &Header, reading: Reading) -> Result<File<'a>> {
        reader.value::<Header>("header")?;
        let header_size = match header.header_size.get() {
            HEADER_BYTES_WITHOUT_SIZE => HeaderSize::WithoutItself,
            _ => HeaderSize::WithItself,
        };
        let extra = header.header_size.get().saturating_sub(HEADER_BYTES);
        let mut file = File {
            dialect: reading.dialect,
            evidence: String::new(),
            header_size,
            anim_type: header.anim_type,
            anim_flags: header.anim_flags,
            data_presence_flags: header.data_presence_flags,
            data_property_flags: header.data_property_flags,
            reserved1: header.reserved1,
            framerate: header.framerate,
            frame_count: header.frame_count.get(),
            reserved2: header.reserved2,
            unstored: Unstored::default(),
            extra_header: reader.blob("extra_header", u64::from(extra))?,
            bones: Vec::new(),
            modifiers: Vec::new(),
            notes: Vec::new(),
            custom: Cow::Borrowed(&[]),
            trailer: Trailer::None,
            trailing: Cow::default(),
        };
        match reading.bones {
            Block::Stored => file.read_bones(reader, header)?,
            Block::Absent => {
                file.unstored.bone_count = header.bone_count.get();
                file.unstored.modifier_count = header.bone_anim_modifier_count;
            }
        }
        match reading.notes {
            Block::Stored => file.notes = read_notes(reader, header, file.frame_width())?,
            Block::Absent => file.unstored.note_count = header.note_count.get(),
        }
        if header.data_presence_flags & PRESENCE_CUSTOM != 0 {
            file.custom = reader.within("custom", |reader| {
                let size = reader.count("size")?;
                reader.blob("data", size)
            })?;
        }
        match Trailer::read(bytes, reader.position()) {
            Some(trailer) => file.trailer = trailer,
            None => file.trailing = reader.trailing(&TRAILING_BYTES, "block")?,
        }
        Ok(file)
    }

    fn read_bones(&mut self, reader: &mut Reader<'a>, header: &Header) -> Result<()> {
        let count = u64::from(header.bone_count.get());
        let names = reader.list("bone_names", count, 1, read_name).map_err(|error| match self.header_size {
            HeaderSize::WithItself => error,
            HeaderSize::WithoutItself => too_small(header),
        })?;
        self.modifiers = read_modifiers(reader, header)?;
        let width = self.frame_width();
        let least_bytes = 1 + self.channels().count() as u64 * width.bytes();
        let mut names = names.into_iter();
        let [loc, rot, scale] = Channel::ALL.map(|channel| self.shape(channel));
        self.bones = reader.list("bones", count, least_bytes, |reader| {
            let mut bone = Bone {
                name: names.next().unwrap_or_default(),
                flags: reader.value("flags")?,
                loc: Keys::new(loc),
                rot: Keys::new(rot),
                scale: Keys::new(scale),
            };
            for channel in self.channels() {
                let shape = self.shape(channel);
                let count = u64::from(read_frame(reader, channel.count_name(), width)?);
                let bytes = reader.elements(channel.name(), count, shape.bytes() as u64)?;
                *bone.keys_mut(channel) = Keys::from_bytes(shape, bytes).unwrap_or(Keys::new(shape));
            }
            Ok(bone)
        })?;
        // Names come before all bones: those of bones that were cut off are there.
        let cut = |name| Bone { name, flags: 0, loc: Keys::new(loc), rot: Keys::new(rot), scale: Keys::new(scale) };
        self.bones.extend(names.map(cut));
        Ok(())
    }
}

fn whole_reader(bytes: &[u8]) -> Reader<'_> {
    Reader::new(bytes, &TRUNCATED).too_many(&TOO_MANY_ITEMS)
}

fn part_reader(bytes: &[u8]) -> Reader<'_> {
    Reader::of_part(bytes, &TRUNCATED).too_many(&TOO_MANY_ITEMS)
}

/// The file in this dialect, read in the first way that leaves nothing.
fn exactly<'a>(bytes: &'a [u8], header: &Header, dialect: Dialect) -> Result<File<'a>> {
    let read = |reading| File::read(&mut whole_reader(bytes).exactly(), bytes, header, reading);
    let (likeliest, others) = Reading::all(header, dialect);
    let mut result = read(likeliest);
    for reading in others {
        result = result.or_else(|earlier| read(reading).map_err(|error| further(earlier, error)));
    }
    result
}

/// The file in one of these dialects, read in the one way that leaves a few bytes, or the error that was met before.
fn with_trailing<'a>(bytes: &'a [u8], header: &Header, dialects: &[Dialect], error: Error) -> Result<File<'a>> {
    let ways = dialects.iter().flat_map(|&dialect| {
        let (likeliest, others) = Reading::all(header, dialect);
        std::iter::once(likeliest).chain(others)
    });
    let gap = |reading| {
        let reader = &mut part_reader(bytes);
        let file = File::read(reader, bytes, header, reading).ok()?;
        Some(Gap { missing: reader.missing(), left: file.trailing.len() as u64 })
    };
    match trailing::only_near(bytes.len() as u64, &ways.collect::<Vec<_>>(), gap) {
        Some(reading) => File::read(&mut whole_reader(bytes), bytes, header, reading),
        None => Err(error),
    }
}

/// The error of the reading that made sense for longer; the first of two that are equal.
fn further(first: Error, second: Error) -> Error {
    let offset = |error: &Error| error.diagnostic().and_then(|diagnostic| diagnostic.offset);
    if offset(&second) > offset(&first) { second } else { first }
}

/// The header, if it is one: magic, version and size are as they must be.
fn read_header(bytes: &[u8]) -> Result<Header> {
    if !bytes.starts_with(MAGIC) {
        let begins = String::from_utf8_lossy(bytes.get(..MAGIC.len()).unwrap_or(bytes)).into_owned();
        let finding = Diagnostic::new(&BAD_MAGIC, path!("header", "magic"), format!("the file begins with {begins:?}"));
        return Err(Error::Malformed(Box::new(finding.expected("\"SEAnim\"").at_offset(0))));
    }
    let version = bytes.get(6..8).and_then(|bytes| U16::read_from_bytes(bytes).ok()).map(U16::get);
    if let Some(version) = version.filter(|&version| version != VERSION) {
        let message = format!("the version is {version}");
        let finding = Diagnostic::new(&UNSUPPORTED_VERSION, path!("header", "version"), message);
        return Err(Error::Unsupported(Box::new(finding.expected("1, the only version described").at_offset(6))));
    }
    let header = Reader::new(bytes, &TRUNCATED).value::<Header>("header")?;
    match header.header_size.get() {
        HEADER_BYTES.. | HEADER_BYTES_WITHOUT_SIZE => Ok(header),
        _ => Err(too_small(&header)),
    }
}

fn too_small(header: &Header) -> Error {
    let message = format!("the header's size is {:#x}", header.header_size.get());
    let finding = Diagnostic::new(&HEADER_TOO_SMALL, path!("header", "header_size"), message);
    Error::Malformed(Box::new(finding.expected("0x1c, or more for a longer header").at_offset(8)))
}

/// Text up to a NUL, named by the list it is in.
pub(super) fn read_name<'a>(reader: &mut Reader<'a>) -> Result<Cow<'a, [u8]>> {
    if !reader.is_part() && !reader.rest().contains(&0) {
        let message = "the file ends before the NUL of the name that begins here";
        return Err(reader.fail(&TRUNCATED, message, "a name that ends with a NUL byte"));
    }
    reader.text_to_nul("name")
}

fn read_frame(reader: &mut Reader<'_>, name: &'static str, width: FrameWidth) -> Result<u32> {
    Ok(match width {
        FrameWidth::One => u32::from(reader.value::<u8>(name)?),
        FrameWidth::Two => u32::from(reader.value::<U16>(name)?.get()),
        FrameWidth::Four => reader.value::<U32>(name)?.get(),
    })
}

fn read_modifiers(reader: &mut Reader<'_>, header: &Header) -> Result<Vec<Modifier>> {
    macro_rules! read {
        ($Record:ty) => {
            reader
                .table::<$Record>("modifiers", u64::from(header.bone_anim_modifier_count))?
                .iter()
                .map(|record| Modifier { index: record.index.into(), anim_type_override: record.anim_type_override })
                .collect()
        };
    }
    Ok(match FrameWidth::holding(header.bone_count.get()) {
        FrameWidth::One => read!(Modifier8),
        FrameWidth::Two => read!(Modifier16),
        FrameWidth::Four => read!(Modifier32),
    })
}

fn read_notes<'a>(reader: &mut Reader<'a>, header: &Header, width: FrameWidth) -> Result<Vec<Note<'a>>> {
    reader.list("notes", u64::from(header.note_count.get()), width.bytes() + 1, |reader| {
        Ok(Note { frame: read_frame(reader, "frame", width)?, name: reader.text_to_nul("name")? })
    })
}
