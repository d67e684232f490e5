//! A file in another dialect: another header and other texture records before and behind the same tables, which are borrowed.
//!
//! Dialects that cannot hold how the pixels are stored want other pixels. Those are not made here.

use super::mips;
use super::raw::{Dialect, File, Texture};
use std::borrow::Cow;

/// The same file in this dialect; `None` where the pixels of a texture would have to change, or something follows the last table.
pub fn recast<'f>(file: &'f File<'_>, dialect: Dialect) -> Option<File<'f>> {
    let is_wide = dialect.header_bytes() > Dialect::Document.header_bytes();
    if !file.trailing.is_empty() || !is_wide && u32::try_from(file.image_buffer.len()).is_err() {
        return None;
    }
    let channels = mips::chains(file).into_iter().map(|chain| chain.map(|chain| chain.channels));
    let textures = file.textures.iter().zip(channels).map(|(texture, channels)| held(texture, channels?, dialect));
    Some(File {
        dialect,
        evidence: "made as such".into(),
        header_padding: 0,
        vertices: Cow::Borrowed(&file.vertices),
        indices: Cow::Borrowed(&file.indices),
        image_buffer: Cow::Borrowed(&file.image_buffer),
        textures: textures.collect::<Option<_>>()?,
        meshes: Cow::Borrowed(&file.meshes),
        materials: Cow::Borrowed(&file.materials),
        joints: Cow::Borrowed(&file.joints),
        animations: Cow::Borrowed(&file.animations),
        tracks: Cow::Borrowed(&file.tracks),
        keyframes: Cow::Borrowed(&file.keyframes),
        trailing: Cow::default(),
    })
}

/// A texture as this dialect holds it.
fn held(texture: &Texture, channels: u32, dialect: Dialect) -> Option<Texture> {
    let channels = match (texture.compression, channels) {
        (0, 4) => 4,
        (0, 2) if matches!(dialect, Dialect::Channels | Dialect::Wide) => 2,
        (1, _) if dialect != Dialect::WideEarly => 2,
        (2, _) if dialect != Dialect::WideEarly => 4,
        _ => return None,
    };
    Some(Texture { channels, padding: 0, ..*texture })
}
