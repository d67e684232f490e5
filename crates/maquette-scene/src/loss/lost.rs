//! Everything a conversion can lose, by one name for each: the vocabulary of every reader, pass and writer.
//!
//! The names are for people, so they say what is missed in the result and not which field it came from; a detail that one format
//! alone has shares the name `format details`. The doc comment of an entry is what `maquette explain` prints for it and what
//! `docs/losses.md` is made of.

use crate::diag::paragraph;
use std::fmt;

macro_rules! lost {
    ($($group:literal { $($(#[doc = $why:literal])+ $name:ident = $word:literal,)+ })+) => {
        /// What a loss is of.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Lost {
            $($($(#[doc = $why])+ $name,)+)+
        }

        impl Lost {
            /// Every entry, by what it belongs to.
            pub const GROUPS: &'static [(&'static str, &'static [Lost])] = &[$(($group, &[$(Lost::$name),+])),+];

            /// The words used in text and JSON: `vertex colours`.
            pub const fn word(self) -> &'static str {
                match self {
                    $($(Lost::$name => $word,)+)+
                }
            }

            /// What it means for the result, in a sentence or two.
            pub fn why(self) -> String {
                paragraph(match self {
                    $($(Lost::$name => concat!($($why, "\n"),+),)+)+
                })
            }
        }
    };
}

lost! {
    "Shape" {
        /// Whole meshes: they are not drawn any more, or were never drawn. Their geometry is in the source alone.
        Meshes = "meshes",
        /// Pieces of a mesh. Dropped: they had nothing that could be drawn, or are points. Baked: each became a mesh of its own.
        Primitives = "primitives",
        /// Triangles, or corners left over that make none. Baked: strips and fans became single triangles, which look the same.
        Triangles = "triangles",
        /// Line segments. Baked: loops and strips became single segments.
        Lines = "lines",
        /// How vertices are shared between triangles, or vertices that no triangle uses. What is drawn looks the same.
        Vertices = "vertices",
        /// Directions of the surface, which decide about its shading. Baked: made anew, one for each triangle, because there were none.
        Normals = "normals",
        /// Directions of the texture on the surface, which normal maps need. Baked: made anew from the texture coordinates.
        Tangents = "tangents",
        /// Where pictures lie on the surface, in the first set.
        TextureCoordinates = "texture coordinates",
        /// Sets of texture coordinates beyond those the target holds. Pictures that use them lie wrong, or are lost too.
        UvSets = "UV sets",
        /// Colours or opacity of vertices; surfaces have the colour of their material instead.
        VertexColours = "vertex colours",
        /// Shapes a mesh can be morphed into, or what morphs them. Baked: the mixture at rest became the shape.
        MorphTargets = "morph targets",
        /// Motion of morph targets, such as faces that speak.
        MorphAnimation = "morph animation",
    }
    "Tree and skeleton" {
        /// Nodes of the tree. Dropped: empty ones, such as sockets. Baked: their transform went into the vertices or joints below them, and nothing moved.
        Nodes = "nodes",
        /// Which node hangs on which. Baked: another root was added above, or nodes were hung up anew, where nothing moved.
        Hierarchy = "hierarchy",
        /// One mesh drawn at several nodes became several meshes.
        Instances = "instances",
        /// How transforms of nodes are stored, such as a matrix that became translation, rotation and scale.
        NodeTransforms = "node transforms",
        /// What binds a mesh to a skeleton: without it the mesh does not bend.
        Skins = "skins",
        /// Joints of a skeleton. Baked: nodes became joints, or joints that move nothing became nodes.
        Joints = "joints",
        /// Which joints move a vertex, and how much. Approximated: the smallest were left out; the error is a length at worst.
        Influences = "influences",
        /// The pose in which a mesh is bound to its joints. Baked: vertices were moved so that it agrees with the pose at rest.
        BindPoses = "bind poses",
        /// The pose without a clip. Clips look the same; a model that plays none stands as it was bound.
        RestPoses = "rest poses",
        /// Slanted transforms, as an uneven scale above a rotation makes; they became translation, rotation and scale.
        Shear = "shear",
    }
    "Motion" {
        /// Whole clips.
        Clips = "clips",
        /// What a clip does to one node, such as one that the model does not have.
        Tracks = "tracks",
        /// Single keys. Baked: a key was added where the target needs one. Approximated: keys were put in order or rounded.
        Keys = "keys",
        /// When keys are: moved to the ticks or frames of the target. The error is in seconds.
        KeyTimes = "key times",
        /// Quaternions of nodes or keys that were not of unit length. They are normalised and rotate the same way; the error is how far a length was from 1.
        RotationLengths = "rotation lengths",
        /// Curves became straight pieces. The error is a length that no vertex is off by more, even if all joints of a chain were off their most at one moment and in one
        /// direction: what `--tolerance` allows, or more where that takes more keys than a clip may have (131072, or four for each that it had; 256 for each in a short one), where
        /// single precision is too coarse, where a curve turns around within a microsecond, or where the target has ticks. The report says which, and what the rest of a clip is
        /// off by where it turns around so.
        CubicSplines = "cubic splines",
        /// Jumps became ramps: very short ones, or those of a tick or a frame where the target has these. The error is in seconds.
        Steps = "steps",
        /// How long a clip is.
        Durations = "durations",
        /// The frames a second that keys were made at. Motion is the same; an editor may show other frame numbers.
        FrameRates = "frame rates",
        /// Whether a clip is meant to repeat.
        LoopFlags = "loop flags",
        /// Names at moments of a clip, such as footsteps.
        Events = "events",
        /// Whether values replace the pose at rest or are added to it. Baked: it was worked into the keys.
        Blending = "blending",
    }
    "Surfaces" {
        /// Whole materials: surfaces that had one are plain, and the last use of a material is gone. Baked: equal ones became one.
        Materials = "materials",
        /// Colour and opacity of a material.
        BaseColours = "base colours",
        /// How metallic and how rough a surface is.
        MetalnessAndRoughness = "metalness and roughness",
        /// Light that a surface gives off, its colour or its strength.
        Emission = "emission",
        /// How strongly normal maps and occlusion maps work.
        TextureStrengths = "texture strengths",
        /// Whether opacity cuts out or mixes with what is behind.
        AlphaModes = "alpha modes",
        /// Whether the back of a surface is drawn.
        DoubleSidedness = "double-sidedness",
        /// Surfaces that light leaves alone become surfaces with shading.
        UnlitSurfaces = "unlit surfaces",
        /// A material's use of a picture, such as its normal map.
        Textures = "textures",
        /// Pictures moved, turned or scaled on a surface.
        TextureTransforms = "texture transforms",
        /// How a picture goes on beyond its edge.
        TextureWrapping = "texture wrapping",
        /// How a picture is smoothed near and far.
        TextureFilters = "texture filters",
        /// Pictures: the file is missing, unused, or of a kind that the target cannot hold.
        Images = "images",
        /// The pixels of a picture: encoded or decoded anew. Approximated: their values changed by up to the error, of 1. Truncated: normals that pointed below the
        /// surface are level with it, or some are made up because the image file is damaged, such as the lower half of a JPEG that is cut short.
        Pixels = "pixels",
        /// How many pixels a picture has: it was halved until it fits `--max-size`, or its largest levels were left out for that.
        TextureSizes = "texture sizes",
        /// Smaller versions of a picture, made in advance. Engines can make them again.
        MipLevels = "mip levels",
    }
    "Names" {
        /// Names of nodes and joints. Clips of other files find their joints by them.
        NodeNames = "node names",
        /// Names of meshes, and of what binds them to a skeleton.
        MeshNames = "mesh names",
        /// Names of materials.
        MaterialNames = "material names",
        /// Names of pictures and paths of their files.
        ImageNames = "image names",
        /// Names of clips; where a file holds one, its own name may stand for it.
        ClipNames = "clip names",
    }
    "The whole" {
        /// The model was brought to the size that the target wants; the file stores the original size as well. Converting that file with
        /// `--denormalise` brings the original size back; without it, the model stays as small or large as it is stored.
        ModelSize = "model size",
        /// Scenes of the file other than the one it shows first.
        Scenes = "scenes",
        /// Cameras and lights, which belong to a stage and not to a model.
        CamerasAndLights = "cameras and lights",
        /// Who has the rights to the model, as its file says. Whoever passes the result on may have to name them beside it.
        Copyright = "copyright",
        /// Data that only the program of its author understands, such as custom properties or vertex attributes of one's own. Whoever needs it in the
        /// result has to bring it there another way: glTF alone keeps the `extras` of nodes, meshes, materials, clips and the whole.
        Extras = "extras",
        /// What an extension of the format adds, where it is not known here.
        Extensions = "extensions",
        /// A file that belongs to the model and is missing or cannot be read.
        CompanionFiles = "companion files",
        /// A detail of the file that nothing else has a word for, and nothing shows: a hash, an order, a spare byte.
        FormatDetails = "format details",
    }
}

impl Lost {
    /// Every entry.
    pub fn all() -> impl Iterator<Item = Lost> {
        Lost::GROUPS.iter().flat_map(|(_, entries)| entries.iter().copied())
    }

    /// What it belongs to: `Shape`, `Motion`, ..
    pub fn group(self) -> &'static str {
        let group = Lost::GROUPS.iter().find(|(_, entries)| entries.contains(&self));
        group.map_or("", |(group, _)| group)
    }

    /// The entry of these words, in any case.
    pub fn by_word(word: &str) -> Option<Lost> {
        Lost::all().find(|lost| lost.word().eq_ignore_ascii_case(word))
    }
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_entry_is_found_by_its_own_words() {
        let words: HashSet<&str> = Lost::all().map(Lost::word).collect();
        assert_eq!(words.len(), Lost::all().count());
        for lost in Lost::all() {
            assert_eq!(Lost::by_word(&lost.word().to_uppercase()), Some(lost));
        }
        assert_eq!(Lost::by_word("vertex"), None);
    }

    #[test]
    fn whoever_loses_the_size_is_told_how_to_have_it_back() {
        assert!(Lost::ModelSize.why().contains("`--denormalise`"));
    }

    #[test]
    fn explanations_are_sentences() {
        for lost in Lost::all() {
            let why = lost.why();
            assert!(why.ends_with('.') && !why.contains('\n') && !why.starts_with(' '), "{lost}: {why:?}");
        }
    }
}
