//! What small files may not come to unasked: some formats say once for each use what a scene says once.

use super::{FitOptions, pack};
use crate::ops;
use maquette_formats::format::{self, Caps, Space, TextureStorage};
use maquette_scene::Scene;
use std::fmt;

/// The most that is made of a scene where a format repeats things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Vertices of meshes that several nodes draw.
    pub vertices: u64,
    /// Pixels of textures that are made of others, without mip levels.
    pub pixels: u64,
    /// Tracks of joints in all clips.
    pub tracks: u64,
}

impl Limits {
    /// Those that hold unless others are asked for: about a gigabyte of tracks, some of the others.
    pub const DEFAULT: Limits = Limits { vertices: 1 << 24, pixels: 1 << 30, tracks: 1 << 22 };

    /// Whether so much may be made.
    pub fn check(&self, of: Repeated, count: u64) -> Result<(), Excess> {
        let most = match of {
            Repeated::Meshes => self.vertices,
            Repeated::PackedTextures | Repeated::UnpackedTextures => self.pixels,
            Repeated::Tracks => self.tracks,
        };
        if count > most { Err(Excess { of, count, most }) } else { Ok(()) }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits::DEFAULT
    }
}

/// What is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Repeated {
    /// A mesh for each node that draws it.
    Meshes,
    /// Textures for each material that has others of them together.
    PackedTextures,
    /// Textures for each pair of packed maps.
    UnpackedTextures,
    /// A track for each joint in each clip.
    Tracks,
}

impl Repeated {
    /// What is counted: `vertices`.
    pub fn counted(self) -> &'static str {
        match self {
            Repeated::Meshes => "vertices",
            Repeated::PackedTextures | Repeated::UnpackedTextures => "pixels",
            Repeated::Tracks => "tracks",
        }
    }

    /// The option of the command that allows more.
    pub fn option(self) -> &'static str {
        match self {
            Repeated::Meshes => "--max-vertices",
            Repeated::PackedTextures | Repeated::UnpackedTextures => "--max-pixels",
            Repeated::Tracks => "--max-tracks",
        }
    }
}

/// More than a limit allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Excess {
    /// What there would be too much of.
    pub of: Repeated,
    /// How much there would be.
    pub count: u64,
    /// How much there may be.
    pub most: u64,
}

impl fmt::Display for Excess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Excess { of, count, most } = self;
        let (what, instead) = match of {
            Repeated::Meshes => ("a mesh for each node that draws one", ""),
            Repeated::PackedTextures => ("textures for each material", "; --max-size makes them smaller"),
            Repeated::UnpackedTextures => ("textures made of packed maps", ""),
            Repeated::Tracks => ("a track for each joint in each clip", ""),
        };
        let (counted, option) = (of.counted(), of.option());
        write!(f, "{what} would come to {count} {counted}; at most {most} are made, unless {option} says more{instead}")
    }
}

impl std::error::Error for Excess {}

/// Whether a scene may be fitted to these caps.
pub fn check(scene: &Scene, caps: &Caps, options: &FitOptions) -> Result<(), Excess> {
    if caps.space == Space::Model && caps.meshes {
        let own: u64 = scene.meshes.iter().flat_map(|mesh| &mesh.primitives).map(|it| it.streams.len() as u64).sum();
        // What is not repeated is no more than there is.
        let drawn = Some(scene.drawn_vertices()).filter(|&drawn| drawn > own);
        options.limits.check(Repeated::Meshes, drawn.unwrap_or(0))?;
    }
    match caps.textures {
        TextureStorage::Pixels => {
            options.limits.check(Repeated::PackedTextures, pack::pixels(scene, &options.textures))
        }
        TextureStorage::EncodedImages | TextureStorage::FileNames => ops::unpack::check(scene, &options.limits),
        TextureStorage::None => Ok(()),
    }
}

/// Whether a format has room for the textures that will be made: as its writer tells, but before they are.
pub fn check_texture_room(scene: &Scene, caps: &Caps, options: &FitOptions) -> format::Result<()> {
    let has_end = caps.textures == TextureStorage::Pixels && caps.texture_room.is_some();
    let bytes = if has_end { pack::bytes(scene, caps, &options.textures) } else { 0 };
    caps.check_texture_bytes(bytes)
}

/// Whether a scene that was fitted may be written. Which nodes are joints is known only now.
pub fn check_fitted(scene: &Scene, caps: &Caps, options: &FitOptions) -> Result<(), Excess> {
    let joints = scene.skins.iter().map(|skin| skin.joints.len() as u64).max().unwrap_or(0);
    let is_model = caps.space == Space::Model && caps.meshes;
    let tracks = if is_model { joints.saturating_mul(scene.clips.len() as u64) } else { 0 };
    options.limits.check(Repeated::Tracks, tracks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_excess_says_how_much_how_much_may_be_and_what_allows_more() {
        let limits = Limits { vertices: 1, pixels: 2, tracks: 3 };
        let all = [Repeated::Meshes, Repeated::PackedTextures, Repeated::UnpackedTextures, Repeated::Tracks];
        for (of, most) in all.into_iter().zip([1, 2, 2, 3]) {
            assert_eq!(limits.check(of, most), Ok(()));
            let excess = limits.check(of, most + 1).unwrap_err();
            assert_eq!((excess.of, excess.count, excess.most), (of, most + 1, most));
            let text = excess.to_string();
            let parts = [format!("{} {};", most + 1, of.counted()), format!("most {most} "), of.option().to_owned()];
            assert!(parts.iter().all(|part| text.contains(part)), "{text}");
        }
    }
}
