//! The Dog engine's files: the same magic, version and extension as NLM, and other contents after the indices.
//!
//! The author of the NiteLite engine reused magic and version for his next engine. There, each mesh ends with
//! six 64-bit texture ids and six texture records instead of one image, and the file with a skeleton of named bones.
//! Such files are not read here; they are recognised, so that the user learns what they are.

use super::check::TRUNCATED;
use super::raw::{Aabb, HashPlace, Vertex};
use crate::bytes::Reader;
use crate::format::Result;
use zerocopy::little_endian::U32;

/// Textures of a mesh: albedo, normal, metalness, roughness, occlusion, emissive.
const TEXTURES: usize = 6;
/// A path longer than this is no path.
const LONGEST_NAME: u64 = 4096;
/// A bone's index, rotation, translation and scale.
const BONE_BYTES: u64 = 44;

/// Where the first mesh's texture ids begin, if the file reads as the Dog engine's.
///
/// A texture or bone with a name decides; a file without any has to agree to its last byte.
pub fn after_first_indices(bytes: &[u8], place: HashPlace) -> Option<u64> {
    let reader = &mut Reader::new(bytes, &TRUNCATED);
    let mut reading = Reading { first_ids: None, names: 0 };
    let to_the_end = reading.file(reader, place).is_ok_and(|()| reader.remaining() == 0);
    reading.first_ids.filter(|_| to_the_end || reading.names > 0)
}

struct Reading {
    first_ids: Option<u64>,
    names: u32,
}

impl Reading {
    fn file(&mut self, reader: &mut Reader<'_>, place: HashPlace) -> Result<()> {
        reader.blob("header", place.header_bytes() - 4)?;
        let has_bones = reader.count("has_bones")? != 0;
        reader.value::<Aabb>("aabb")?;
        for _ in 0..reader.count("mesh_count")? {
            self.mesh(reader)?;
        }
        if has_bones {
            for _ in 0..reader.count("bone_count")? {
                self.name(reader)?;
                reader.blob("bone", BONE_BYTES)?;
            }
        }
        Ok(())
    }

    fn mesh(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        let vertex_count = reader.count("vertex_count")?;
        let index_count = reader.count("index_count")?;
        reader.table::<Vertex>("vertices", vertex_count)?;
        reader.table::<U32>("indices", index_count)?;
        let ids = reader.position();
        let names_before = self.names;
        let textures = self.textures(reader);
        if textures.is_err() {
            // Names count only where all six records of their mesh make sense.
            self.names = names_before;
        } else {
            self.first_ids.get_or_insert(ids);
        }
        textures
    }

    fn textures(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        reader.elements("ids", TEXTURES as u64, 8)?;
        for _ in 0..TEXTURES {
            let embedded = reader.count("embedded")?;
            self.name(reader)?;
            match embedded {
                0 => {}
                1 => {
                    let size = reader.count("image_bytes")?;
                    reader.blob("image", size)?;
                }
                _ => return Err(reader.fail(&TRUNCATED, "not a texture record", "0 or 1")),
            }
        }
        Ok(())
    }

    fn name(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        let length = reader.count("name_bytes")?;
        let name = reader.blob("name", length)?;
        let readable = std::str::from_utf8(&name).is_ok_and(|name| !name.chars().any(char::is_control));
        if length > LONGEST_NAME || !readable {
            return Err(reader.fail(&TRUNCATED, "not a name", "text"));
        }
        self.names += u32::from(length > 0);
        Ok(())
    }
}
