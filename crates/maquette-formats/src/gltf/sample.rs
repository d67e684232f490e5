//! The specimen as glTF, written from the schema: a skinned, animated, textured post.

use super::raw::{BIN, Chunk, Dialect, File};
use super::schema::{
    Accessor, Animation, AnimationSampler, Asset, Buffer, BufferView, Channel, ChannelTarget, Document, Image,
    Material, Mesh, Node, PbrMetallicRoughness, Primitive, Sampler, SceneRoots, Skin, Texture, TextureInfo,
};
use super::uri::base64_encoded;
use crate::format::{Bundle, Naming};
use crate::specimen::{self, JOINTS, Vertex};
use serde_json::{Map, Value};
use std::borrow::Cow;

const BYTE: u32 = 5121;
const SHORT: u32 = 5123;
const FLOAT: u32 = 5126;
const VERTICES: Option<u32> = Some(34962);
const INDICES: Option<u32> = Some(34963);

/// The specimen in this dialect; an unknown one is taken for the first.
pub fn sample(dialect: &str) -> Bundle {
    bundle(model(Dialect::from_id(dialect).unwrap_or(Dialect::Binary)))
}

/// A file with its companion files.
pub(super) fn bundle(file: File<'_>) -> Bundle {
    let companions = match file.dialect {
        Dialect::Binary => Vec::new(),
        Dialect::Text => vec![(Naming::Fixed(specimen::TEXTURE_FILE), specimen::checker_png())],
    };
    Bundle { main: file.encode(), companions }
}

/// The specimen. As text, its buffer is a data URI and its texture a companion file.
pub(super) fn model(dialect: Dialect) -> File<'static> {
    let mut data = Data::default();
    let mut document = Document {
        asset: Asset { version: "2.0".into(), generator: Some("maquette".into()), ..Asset::default() },
        scene: Some(0),
        scenes: vec![SceneRoots { name: Some("specimen".into()), nodes: vec![0, 1], ..SceneRoots::default() }],
        nodes: nodes(),
        materials: vec![material()],
        textures: vec![Texture { sampler: Some(0), source: Some(0), ..Texture::default() }],
        samplers: vec![Sampler { mag_filter: Some(9728), min_filter: Some(9986), ..Sampler::default() }],
        ..Document::default()
    };
    document.meshes = vec![mesh(&mut data)];
    document.skins = vec![skin(&mut data)];
    document.animations = vec![animation(&mut data)];
    document.images = vec![match dialect {
        Dialect::Binary => Image {
            name: Some("checker".into()),
            mime_type: Some("image/png".into()),
            buffer_view: Some(data.view(&specimen::checker_png(), None)),
            ..Image::default()
        },
        Dialect::Text => Image { uri: Some(specimen::TEXTURE_FILE.into()), ..Image::default() },
    }];
    let uri = match dialect {
        Dialect::Binary => None,
        Dialect::Text => Some(format!("data:application/octet-stream;base64,{}", base64_encoded(&data.bytes))),
    };
    document.buffers = vec![Buffer { uri, byte_length: data.bytes.len(), ..Buffer::default() }];
    document.buffer_views = data.views;
    document.accessors = data.accessors;
    let chunks = match dialect {
        Dialect::Binary => vec![Chunk { kind: BIN, data: Cow::Owned(data.bytes) }],
        Dialect::Text => Vec::new(),
    };
    let mut file = File {
        dialect,
        evidence: "made by code",
        length: None,
        json: Cow::Borrowed(&[]),
        chunks,
        trailing: Cow::Borrowed(&[]),
        document,
    };
    file.rewrite_json();
    file
}

/// The buffer as it grows.
#[derive(Default)]
struct Data {
    bytes: Vec<u8>,
    views: Vec<BufferView>,
    accessors: Vec<Accessor>,
}

impl Data {
    /// Adds bytes, padded to a multiple of four.
    fn view(&mut self, bytes: &[u8], target: Option<u32>) -> usize {
        let byte_offset = Some(self.bytes.len());
        self.views.push(BufferView {
            buffer: 0,
            byte_offset,
            byte_length: bytes.len(),
            target,
            ..BufferView::default()
        });
        self.bytes.extend(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.views.len() - 1
    }

    fn accessor(&mut self, bytes: &[u8], target: Option<u32>, component_type: u32, kind: &str, count: usize) -> usize {
        let buffer_view = Some(self.view(bytes, target));
        let kind = kind.to_owned();
        self.accessors.push(Accessor { buffer_view, component_type, count, kind, ..Accessor::default() });
        self.accessors.len() - 1
    }

    fn floats<const N: usize>(&mut self, values: &[[f32; N]], target: Option<u32>, kind: &str) -> usize {
        let bytes: Vec<u8> = values.iter().flatten().flat_map(|value| value.to_le_bytes()).collect();
        self.accessor(&bytes, target, FLOAT, kind, values.len())
    }

    /// States min and max of the last accessor.
    fn bounded<const N: usize>(&mut self, values: &[[f32; N]]) {
        let over = |pick: fn(f32, f32) -> f32| {
            let joined = |a: [f32; N], b: &[f32; N]| {
                std::array::from_fn(|at| match (a.get(at), b.get(at)) {
                    (Some(&a), Some(&b)) => pick(a, b),
                    _ => 0.0,
                })
            };
            values.first().map(|first| values.iter().fold(*first, joined).to_vec())
        };
        if let Some(accessor) = self.accessors.last_mut() {
            accessor.min = over(f32::min);
            accessor.max = over(f32::max);
        }
    }
}

fn nodes() -> Vec<Node> {
    let mut nodes = vec![Node { name: Some("post".into()), mesh: Some(0), skin: Some(0), ..Node::default() }];
    for (index, joint) in JOINTS.iter().enumerate() {
        let children = (0..JOINTS.len()).filter(|&child| JOINTS.get(child).is_some_and(|c| c.parent == index as i32));
        nodes.push(Node {
            name: Some(joint.name.into()),
            children: children.map(|child| child + 1).collect(),
            translation: Some(joint.translation),
            ..Node::default()
        });
    }
    nodes
}

fn material() -> Material {
    let texture = TextureInfo { index: 0, ..TextureInfo::default() };
    let pbr = PbrMetallicRoughness {
        base_color_texture: Some(texture),
        metallic_factor: Some(0.0),
        ..PbrMetallicRoughness::default()
    };
    Material { name: Some(specimen::MATERIAL.into()), pbr_metallic_roughness: Some(pbr), ..Material::default() }
}

fn mesh(data: &mut Data) -> Mesh {
    let (vertices, indices) = specimen::geometry();
    let bytes: Vec<u8> = indices.iter().flat_map(|&index| (index as u16).to_le_bytes()).collect();
    let indices = data.accessor(&bytes, INDICES, SHORT, "SCALAR", indices.len());
    let mut attributes = Map::new();
    let positions: Vec<[f32; 3]> = vertices.iter().map(|vertex| vertex.position).collect();
    attributes.insert("POSITION".into(), data.floats(&positions, VERTICES, "VEC3").into());
    data.bounded(&positions);
    fn stream<const N: usize>(vertices: &[Vertex], of: fn(&Vertex) -> [f32; N]) -> Vec<[f32; N]> {
        vertices.iter().map(of).collect()
    }
    let tangent = |vertex: &Vertex| {
        let [x, y, z] = vertex.tangent;
        [x, y, z, 1.0]
    };
    attributes.insert("NORMAL".into(), data.floats(&stream(&vertices, |v| v.normal), VERTICES, "VEC3").into());
    attributes.insert("TANGENT".into(), data.floats(&stream(&vertices, tangent), VERTICES, "VEC4").into());
    attributes.insert("TEXCOORD_0".into(), data.floats(&stream(&vertices, |v| v.uv), VERTICES, "VEC2").into());
    // An unused joint is 0 here, not -1.
    let joints: Vec<u8> = vertices.iter().flat_map(|vertex| vertex.joints.map(|joint| joint.max(0) as u8)).collect();
    attributes.insert("JOINTS_0".into(), data.accessor(&joints, VERTICES, BYTE, "VEC4", vertices.len()).into());
    attributes.insert("WEIGHTS_0".into(), data.floats(&stream(&vertices, |v| v.weights), VERTICES, "VEC4").into());
    let primitive = Primitive { attributes, indices: Some(indices), material: Some(0), ..Primitive::default() };
    Mesh { name: Some("post".into()), primitives: vec![primitive], ..Mesh::default() }
}

fn skin(data: &mut Data) -> Skin {
    let matrices: Vec<[f32; 16]> = JOINTS.iter().map(specimen::Joint::inverse_bind).collect();
    Skin {
        inverse_bind_matrices: Some(data.floats(&matrices, None, "MAT4")),
        joints: (1..=JOINTS.len()).collect(),
        ..Skin::default()
    }
}

fn animation(data: &mut Data) -> Animation {
    let times = specimen::KEY_TIMES.map(|time| [time]);
    let input = data.floats(&times, None, "SCALAR");
    data.bounded(&times);
    let mut animation = Animation { name: Some(specimen::CLIP.into()), ..Animation::default() };
    for (index, joint) in JOINTS.iter().enumerate() {
        let output = data.floats(&joint.rotations, None, "VEC4");
        animation.samplers.push(AnimationSampler { input, output, ..AnimationSampler::default() });
        let target = ChannelTarget { node: Some(index + 1), path: "rotation".into(), ..ChannelTarget::default() };
        animation.channels.push(Channel { sampler: index, target, ..Channel::default() });
    }
    animation
}

/// An attribute of the specimen's mesh, for files that are made from it.
pub(super) fn attribute(document: &Document, name: &str) -> usize {
    let primitive = document.meshes.first().and_then(|mesh| mesh.primitives.first());
    primitive.and_then(|primitive| primitive.attributes.get(name).and_then(Value::as_u64)).unwrap_or(0) as usize
}
