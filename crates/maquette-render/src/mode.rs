//! What of a model a picture shows.

/// What of a model a picture shows.
///
/// [`Mode::Shaded`] alone is lit and tone-mapped. Colours of all others are encoded as sRGB and no more, data is shown as it is: 0 is black, 1 is white.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// The model in light.
    #[default]
    Shaded,
    /// Base colour, with opacity.
    BaseColour,
    /// Opacity, as grey: 1 for opaque materials, and of masked ones what decides about being cut out.
    Opacity,
    /// Normals with the normal map, in scene space: `n · 0.5 + 0.5`.
    NormalMap,
    /// Roughness, as grey.
    Roughness,
    /// The occlusion of the material, as grey.
    Occlusion,
    /// Metalness, as grey.
    Metalness,
    /// Emitted colour.
    Emissive,
    /// Where a vertex is within the bounds of what is drawn: 0 to 1 along each axis.
    VertexPosition,
    /// Normals of vertices, in scene space: `n · 0.5 + 0.5`.
    VertexNormal,
    /// Tangents of vertices, likewise.
    VertexTangent,
    /// Bitangents of vertices, likewise.
    VertexBitangent,
    /// A checker of eight by eight fields on the first set of texture coordinates, coloured by where in the texture they are.
    UvChecker,
    /// Joints as colours, mixed by weight.
    Weights,
    /// How many joints move a vertex: grey for none, then blue, green, yellow, red for one to four, purple for more.
    InfluenceCount,
    /// Edges of triangles; hidden ones are faint.
    Wireframe,
    /// How many triangles cover a sample, drawn or hidden: from blue to red and white.
    Overdraw,
    /// How fine the base colour is: how many texels there would be across the whole model. Dark blue for 32, then blue, green, yellow, red and white for four times as many each.
    TexelDensity,
}

impl Mode {
    /// Every mode.
    pub const ALL: [Mode; 18] = [
        Mode::Shaded,
        Mode::BaseColour,
        Mode::Opacity,
        Mode::NormalMap,
        Mode::Roughness,
        Mode::Occlusion,
        Mode::Metalness,
        Mode::Emissive,
        Mode::VertexPosition,
        Mode::VertexNormal,
        Mode::VertexTangent,
        Mode::VertexBitangent,
        Mode::UvChecker,
        Mode::Weights,
        Mode::InfluenceCount,
        Mode::Wireframe,
        Mode::Overdraw,
        Mode::TexelDensity,
    ];

    /// What it is called on a command line.
    pub fn word(self) -> &'static str {
        match self {
            Mode::Shaded => "shaded",
            Mode::BaseColour => "base-color",
            Mode::Opacity => "opacity",
            Mode::NormalMap => "normal-map",
            Mode::Roughness => "roughness",
            Mode::Occlusion => "occlusion",
            Mode::Metalness => "metalness",
            Mode::Emissive => "emissive",
            Mode::VertexPosition => "position",
            Mode::VertexNormal => "normal",
            Mode::VertexTangent => "tangent",
            Mode::VertexBitangent => "bitangent",
            Mode::UvChecker => "uv-checker",
            Mode::Weights => "weights",
            Mode::InfluenceCount => "influences",
            Mode::Wireframe => "wireframe",
            Mode::Overdraw => "overdraw",
            Mode::TexelDensity => "texel-density",
        }
    }

    /// The mode of this name.
    pub fn from_word(word: &str) -> Option<Mode> {
        Mode::ALL.into_iter().find(|mode| mode.word() == word)
    }
}
