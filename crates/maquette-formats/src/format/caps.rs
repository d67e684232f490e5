//! What a format can hold, for each of its dialects.

use super::Error;
use maquette_scene::clip::{Blend, Clip, Curve, Target, Track};
use maquette_scene::loss::Lost;
use maquette_scene::mesh::Topology;
use maquette_scene::scene::Node;
use maquette_scene::{Handle, Scene};
use serde::{Serialize, Serializer};

/// Where the vertices of a format live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// In the space of the model: there are no nodes that carry meshes.
    Model,
    /// In the space of the node that carries them.
    Nodes,
}

/// What a format can hold.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Caps {
    /// Where vertices live.
    #[serde(skip)]
    pub space: Space,
    /// Morph targets.
    pub morph_targets: bool,
    /// Steps and cubic splines besides linear interpolation.
    pub curves: bool,
    /// Whether motion is kept as a pose for each tick: the writer takes curves of any kind and tells how far the ticks are from them.
    #[serde(skip)]
    pub ticks: bool,
    /// Whether keys are at whole frames: the writer takes steps besides straight curves and tells how long a jump takes.
    #[serde(skip)]
    pub frames: bool,
    /// Clips whose values are relative to the rest pose.
    pub blends: bool,
    /// Whether every triangle must have normals.
    pub needs_normals: bool,
    /// Whether every triangle must have tangents.
    pub needs_tangents: bool,
    /// Geometry at all.
    pub meshes: bool,
    /// Line segments besides triangles.
    pub lines: bool,
    /// Sets of texture coordinates.
    pub uv_sets: u32,
    /// Vertex colours.
    pub colours: bool,
    /// Tangents.
    pub tangents: bool,
    /// Materials.
    pub materials: bool,
    /// How textures are kept.
    pub textures: TextureStorage,
    /// Whether pixels may be blocks of BC5 and BC7.
    pub blocks: bool,
    /// Whether pixels without blocks may have two channels; otherwise they have four.
    pub two_channels: bool,
    /// How many bytes all textures may take together; `None` for any number.
    #[serde(skip)]
    pub texture_room: Option<TextureRoom>,
    /// A hierarchy of nodes.
    pub nodes: bool,
    /// Names of nodes and joints.
    pub node_names: bool,
    /// A skeleton.
    pub joints: bool,
    /// Joints that move one vertex.
    pub influences: Option<u32>,
    /// Whether the weights of a vertex must sum up to 1.
    pub unit_weights: bool,
    /// Clips in one file; `None` for any number.
    pub clips: Option<u32>,
    /// Named events in a clip.
    pub events: bool,
    /// Data of an author's own on nodes, meshes, materials, clips and the whole.
    pub extras: bool,
    /// Whether a file may need companion files.
    pub companions: bool,
    /// The longest name, in bytes; `None` for any length.
    pub name_bytes: Option<u32>,
}

impl Caps {
    /// Nothing at all: what a format's own list is based on.
    pub const NOTHING: Caps = Caps {
        space: Space::Model,
        morph_targets: false,
        curves: false,
        ticks: false,
        frames: false,
        blends: false,
        needs_normals: false,
        needs_tangents: false,
        meshes: false,
        lines: false,
        uv_sets: 0,
        colours: false,
        tangents: false,
        materials: false,
        textures: TextureStorage::None,
        blocks: false,
        two_channels: false,
        texture_room: None,
        nodes: false,
        node_names: false,
        joints: false,
        influences: Some(0),
        unit_weights: false,
        clips: Some(0),
        events: false,
        extras: false,
        companions: false,
        name_bytes: None,
    };
}

/// How many bytes the textures of a file may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextureRoom {
    /// All of them, with their levels.
    pub bytes: u64,
    /// The dialect that has room for more.
    pub instead: &'static str,
}

impl Caps {
    /// Whether there is room for so many bytes of textures.
    pub fn check_texture_bytes(&self, bytes: u64) -> Result<(), Error> {
        let Some(room) = self.texture_room.filter(|room| bytes > room.bytes) else { return Ok(()) };
        let TextureRoom { bytes, instead } = room;
        let gib = bytes.div_ceil(1 << 30);
        let why = format!("the textures take more than {gib} GiB, which only the dialect `{instead}` can hold");
        Err(Error::CannotHold(why))
    }

    /// What a scene has that cannot be held, each kind once. A prediction for choosing between dialects; `fit` tells the whole.
    pub fn lacks(&self, scene: &Scene) -> Vec<Lost> {
        let primitives = || scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
        let streams = || primitives().map(|primitive| &primitive.streams);
        let tracks = || scene.clips.iter().flat_map(|clip| clip.tracks.iter().map(move |track| (clip, track)));
        let has_influences = || streams().any(|streams| streams.influences.is_some());
        let clips = u32::try_from(scene.clips.len()).unwrap_or(u32::MAX);
        let is_relative = |(clip, track): (&Clip, &Track)| track.blend.unwrap_or(clip.blend) != Blend::Absolute;
        let missing = [
            (Lost::Meshes, !self.meshes && !scene.meshes.is_empty()),
            (Lost::Lines, !self.lines && primitives().any(|primitive| primitive.topology == Topology::Lines)),
            (Lost::UvSets, streams().any(|streams| streams.uvs.len() > self.uv_sets as usize)),
            (Lost::VertexColours, !self.colours && streams().any(|streams| !streams.colours.is_empty())),
            (Lost::Tangents, !self.tangents && streams().any(|streams| streams.tangents.is_some())),
            (Lost::MorphTargets, !self.morph_targets && primitives().any(|it| !it.morph_targets.is_empty())),
            (Lost::Materials, !self.materials && !scene.materials.is_empty()),
            (Lost::Nodes, !self.nodes && scene.nodes.len() > scene.roots.len()),
            (Lost::NodeNames, !self.node_names && scene.nodes.iter().any(|node| !node.name.is_empty())),
            (
                Lost::Influences,
                self.influences == Some(0) && (has_influences() || self.space == Space::Model && moves_parts(scene)),
            ),
            (Lost::Clips, self.clips.is_some_and(|most| most < clips)),
            (Lost::Events, !self.events && scene.clips.iter().any(|clip| !clip.events.is_empty())),
            (Lost::Blending, !self.blends && tracks().any(is_relative)),
        ];
        missing.into_iter().filter(|(_, is_missing)| *is_missing).map(|(what, _)| what).collect()
    }
}

/// Whether a clip moves a mesh as a whole, by the node that carries it. Where there are no such nodes, the mesh has to hang on a joint.
fn moves_parts(scene: &Scene) -> bool {
    let parents = scene.parents();
    let mut is_moved = vec![false; scene.nodes.len()];
    let mark = |is_moved: &mut Vec<bool>, node: Handle<Node>| {
        is_moved.get_mut(node.index()).into_iter().for_each(|moved| *moved = true);
    };
    for track in scene.clips.iter().flat_map(|clip| &clip.tracks) {
        if let (Target::Node(node), false) = (&track.target, matches!(track.curve, Curve::MorphWeights(_))) {
            mark(&mut is_moved, *node);
        }
    }
    for node in scene.nodes_parents_first() {
        let parent = parents.get(node.index()).copied().flatten();
        if parent.is_some_and(|parent| is_moved.get(parent.index()) == Some(&true)) {
            mark(&mut is_moved, node);
        }
    }
    scene.nodes.iter().zip(is_moved).any(|(node, is_moved)| is_moved && node.mesh.is_some())
}

/// How a format keeps textures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextureStorage {
    /// Not at all.
    #[default]
    None,
    /// As image files inside the file.
    EncodedImages,
    /// As pixels or blocks ready for a GPU, with their mip levels.
    Pixels,
    /// As the names of companion files.
    FileNames,
}

impl TextureStorage {
    /// The word used in text and JSON.
    pub fn word(self) -> &'static str {
        match self {
            TextureStorage::None => "none",
            TextureStorage::EncodedImages => "encoded images",
            TextureStorage::Pixels => "pixels with mip levels",
            TextureStorage::FileNames => "file names",
        }
    }
}

impl Serialize for TextureStorage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}
