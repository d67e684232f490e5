//! A [`File`] told in file order: every byte has a name, and encoding keeps the bytes.

use super::keys::FrameWidth;
use super::*;
use crate::trailing;
use crate::walk::{Walk, Walker};
use maquette_scene::Segment;

impl Walk for File<'_> {
    fn walk(&self, walker: &mut Walker<'_>) {
        walker.record("header", &self.header());
        if !self.extra_header.is_empty() {
            walker.blob(
                "extra_header",
                &self.extra_header,
                "More header than version 1 has; ignored. [doc: SEAnim_Header]",
            );
        }
        if self.stores_bones() {
            self.walk_bone_names(walker);
            self.walk_modifiers(walker);
            self.walk_bones(walker);
        }
        if self.stores_notes() {
            self.walk_notes(walker);
        }
        if self.data_presence_flags & PRESENCE_CUSTOM != 0 {
            walker.group("custom", |walker| {
                let size = U32::new(self.custom.len() as u32);
                walker.value("size", &size, "Size of the custom data in bytes. [doc: SEAnim File Structure]");
                walker.blob("data", &self.custom, "Whatever its writer put there. [doc: SEANIM_PRESENCE_FLAGS]");
            });
        }
        self.trailer.walk(walker);
        trailing::walk(walker, &self.trailing);
    }
}

impl File<'_> {
    fn stores_bones(&self) -> bool {
        self.data_presence_flags & PRESENCE_BONES != 0 || !self.bones.is_empty() || !self.modifiers.is_empty()
    }

    fn stores_notes(&self) -> bool {
        self.data_presence_flags & PRESENCE_NOTES != 0 || !self.notes.is_empty()
    }

    fn header(&self) -> Header {
        // Lists too long for their counts cannot come from a parse; a reader would stop at what the count says.
        let (bone_count, modifier_count) = match self.stores_bones() {
            true => (self.bones.len() as u32, self.stored_modifiers().len() as u8),
            false => (self.unstored.bone_count, self.unstored.modifier_count),
        };
        let header_size = match (self.header_size, self.extra_header.len()) {
            (HeaderSize::WithoutItself, 0) => HEADER_BYTES_WITHOUT_SIZE,
            (_, extra) => HEADER_BYTES.saturating_add(extra as u16),
        };
        Header {
            magic: FixedText(*MAGIC),
            version: VERSION.into(),
            header_size: header_size.into(),
            anim_type: self.anim_type,
            anim_flags: self.anim_flags,
            data_presence_flags: self.data_presence_flags,
            data_property_flags: self.data_property_flags,
            reserved1: self.reserved1,
            framerate: self.framerate,
            frame_count: self.frame_count.into(),
            bone_count: bone_count.into(),
            bone_anim_modifier_count: modifier_count,
            reserved2: self.reserved2,
            note_count: match self.stores_notes() {
                true => U32::new(self.notes.len() as u32),
                false => self.unstored.note_count.into(),
            },
        }
    }

    /// The modifiers that a one-byte count can say.
    fn stored_modifiers(&self) -> &[Modifier] {
        self.modifiers.get(..0xff).unwrap_or(&self.modifiers)
    }

    fn walk_bone_names(&self, walker: &mut Walker<'_>) {
        walker.list("bone_names", |walker| {
            let mut text = Vec::new();
            for (index, bone) in self.bones.iter().enumerate() {
                with_nul(&mut text, &bone.name);
                walker.text(index, &text, "Name of the bone, ended by a NUL. [doc: SEAnim File Structure]");
            }
        });
    }

    fn walk_modifiers(&self, walker: &mut Walker<'_>) {
        macro_rules! table {
            ($Record:ident, $plain:ty) => {{
                let record = |modifier: &Modifier| $Record {
                    index: (modifier.index as $plain).into(),
                    anim_type_override: modifier.anim_type_override,
                };
                let records: Vec<$Record> = self.stored_modifiers().iter().map(record).collect();
                walker.table("modifiers", &records, "");
            }};
        }
        match FrameWidth::holding(self.bones.len() as u32) {
            FrameWidth::One => table!(Modifier8, u8),
            FrameWidth::Two => table!(Modifier16, u16),
            FrameWidth::Four => table!(Modifier32, u32),
        }
    }

    fn walk_bones(&self, walker: &mut Walker<'_>) {
        walker.items("bones", &self.bones, |walker, bone| self.walk_bone(bone, walker));
    }

    fn walk_bone(&self, bone: &Bone<'_>, walker: &mut Walker<'_>) {
        let doc = "0 for an ordinary bone, 1 for a cosmetic one. [doc: SEAnim_BoneData]";
        walker.value("flags", &bone.flags, doc);
        for channel in self.channels() {
            let shape = self.shape(channel);
            let bytes = bone.keys(channel).stored_as(shape);
            let count = (bytes.len() / shape.bytes()) as u32;
            let doc = "Number of keys that follow, as wide as a frame number. [doc: SEAnim_BoneData]";
            walk_frame(walker, channel.count_name(), shape.frame, count, doc);
            walker.table_of(channel.name(), shape.ty(), &bytes, channel.doc());
        }
    }

    fn walk_notes(&self, walker: &mut Walker<'_>) {
        let width = self.frame_width();
        walker.list("notes", |walker| {
            let mut text = Vec::new();
            for (index, note) in self.notes.iter().enumerate() {
                walker.group(index, |walker| {
                    walk_frame(walker, "frame", width, note.frame, "The frame it happens on. [doc: SEAnim_Note]");
                    with_nul(&mut text, &note.name);
                    walker.text("name", &text, "What happens, ended by a NUL. [doc: SEAnim_Note]");
                });
            }
        });
    }
}

fn with_nul(text: &mut Vec<u8>, name: &[u8]) {
    text.clear();
    text.extend_from_slice(name);
    text.push(0);
}

/// A frame number or a count of keys; one that is too large becomes the largest that fits.
fn walk_frame(walker: &mut Walker<'_>, name: impl Into<Segment>, width: FrameWidth, number: u32, doc: &'static str) {
    let number = number.min(width.largest());
    match width {
        FrameWidth::One => walker.value(name, &(number as u8), doc),
        FrameWidth::Two => walker.value(name, &U16::new(number as u16), doc),
        FrameWidth::Four => walker.value(name, &U32::new(number), doc),
    }
}
