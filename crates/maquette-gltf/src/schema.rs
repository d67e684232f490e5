//! The document: every property that maquette reads or writes.
//!
//! Unknown properties of objects are ignored on reading; extensions and extras are kept as JSON, so that what is not understood
//! can be named. Writing leaves out what has its default value.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Leaves out what is empty.
fn is_empty<T>(list: &[T]) -> bool {
    list.is_empty()
}

macro_rules! objects {
    ($(
        $(#[doc = $doc:literal])+
        pub struct $Name:ident {
            $( $(#[doc = $field_doc:literal])+ $(#[serde($($attribute:tt)*)])? pub $field:ident : $ty:ty, )*
        }
    )+) => { $(
        $(#[doc = $doc])+
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        #[serde(rename_all = "camelCase")]
        pub struct $Name {
            // Field by field: one for the whole object makes a second object for each that is read.
            $( $(#[doc = $field_doc])+ $(#[serde($($attribute)*)])? #[serde(default)] pub $field: $ty, )*
            /// Extensions by name.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub extensions: Option<Map<String, Value>>,
            /// Application-specific data.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub extras: Option<Value>,
        }
    )+ };
}

objects! {
    /// The root object of the JSON.
    pub struct Document {
        /// Version, generator and copyright.
        pub asset: Asset,
        /// Extensions that occur.
        #[serde(skip_serializing_if = "is_empty")]
        pub extensions_used: Vec<String>,
        /// Extensions without which the file cannot be loaded.
        #[serde(skip_serializing_if = "is_empty")]
        pub extensions_required: Vec<String>,
        /// The default scene.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub scene: Option<usize>,
        /// Scenes.
        #[serde(skip_serializing_if = "is_empty")]
        pub scenes: Vec<SceneRoots>,
        /// Nodes.
        #[serde(skip_serializing_if = "is_empty")]
        pub nodes: Vec<Node>,
        /// Meshes.
        #[serde(skip_serializing_if = "is_empty")]
        pub meshes: Vec<Mesh>,
        /// Skins.
        #[serde(skip_serializing_if = "is_empty")]
        pub skins: Vec<Skin>,
        /// Animations.
        #[serde(skip_serializing_if = "is_empty")]
        pub animations: Vec<Animation>,
        /// Materials.
        #[serde(skip_serializing_if = "is_empty")]
        pub materials: Vec<Material>,
        /// Textures.
        #[serde(skip_serializing_if = "is_empty")]
        pub textures: Vec<Texture>,
        /// Samplers.
        #[serde(skip_serializing_if = "is_empty")]
        pub samplers: Vec<Sampler>,
        /// Images.
        #[serde(skip_serializing_if = "is_empty")]
        pub images: Vec<Image>,
        /// Accessors.
        #[serde(skip_serializing_if = "is_empty")]
        pub accessors: Vec<Accessor>,
        /// Views into buffers.
        #[serde(skip_serializing_if = "is_empty")]
        pub buffer_views: Vec<BufferView>,
        /// Buffers.
        #[serde(skip_serializing_if = "is_empty")]
        pub buffers: Vec<Buffer>,
        /// Cameras, which are not read.
        #[serde(skip_serializing_if = "is_empty")]
        pub cameras: Vec<Value>,
    }

    /// Version, generator and copyright of the file.
    pub struct Asset {
        /// `2.0`
        pub version: String,
        /// What wrote it.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub generator: Option<String>,
        /// Whose it is.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub copyright: Option<String>,
        /// The least version a reader must know.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub min_version: Option<String>,
    }

    /// A scene.
    pub struct SceneRoots {
        /// Its name.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub name: Option<String>,
        /// Its root nodes.
        #[serde(skip_serializing_if = "is_empty")]
        pub nodes: Vec<usize>,
    }

    /// A node of the hierarchy: its transform, and what it carries.
    pub struct Node {
        /// Its name.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub name: Option<String>,
        /// Its children.
        #[serde(skip_serializing_if = "is_empty")]
        pub children: Vec<usize>,
        /// Its transform as a matrix, column-major; instead of translation, rotation and scale.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub matrix: Option<[f32; 16]>,
        /// Its translation, applied last.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub translation: Option<[f32; 3]>,
        /// Its rotation, a unit quaternion xyzw, applied after the scale.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub rotation: Option<[f32; 4]>,
        /// Its scale, applied first.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub scale: Option<[f32; 3]>,
        /// The mesh that is drawn with its transform.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub mesh: Option<usize>,
        /// The skin that deforms its mesh, which its own transform does not move then.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub skin: Option<usize>,
        /// Its camera.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub camera: Option<usize>,
        /// Its morph weights, instead of those of the mesh.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub weights: Option<Vec<f32>>,
    }

    /// A mesh: primitives that are drawn together.
    pub struct Mesh {
        /// Its name.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub name: Option<String>,
        /// Its primitives.
        pub primitives: Vec<Primitive>,
        /// Its morph weights.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub weights: Option<Vec<f32>>,
    }

    /// What is drawn at once, with one material.
    pub struct Primitive {
        /// Accessors by semantic.
        pub attributes: Map<String, Value>,
        /// The accessor of its indices.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub indices: Option<usize>,
        /// Its material.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub material: Option<usize>,
        /// The topology: 0 points to 6 triangle fan; 4 (triangles) if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub mode: Option<u32>,
        /// Morph targets: accessors by semantic.
        #[serde(skip_serializing_if = "is_empty")]
        pub targets: Vec<Map<String, Value>>,
    }

    /// A skin: the joints that deform a mesh.
    pub struct Skin {
        /// Its name.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub name: Option<String>,
        /// The accessor of a matrix for each joint; identities if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub inverse_bind_matrices: Option<usize>,
        /// The root of its joints.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub skeleton: Option<usize>,
        /// The nodes that are its joints.
        pub joints: Vec<usize>,
    }

    /// An animation.
    pub struct Animation {
        /// Its name.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub name: Option<String>,
        /// The properties that are animated.
        pub channels: Vec<Channel>,
        /// Their keys.
        pub samplers: Vec<AnimationSampler>,
    }

    /// An animated property and its keys.
    pub struct Channel {
        /// Its sampler.
        pub sampler: usize,
        /// Its node and property.
        pub target: ChannelTarget,
    }

    /// A node and a property of it.
    pub struct ChannelTarget {
        /// Index of a node; without it the channel moves what an extension says.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub node: Option<usize>,
        /// `translation`, `rotation`, `scale` or `weights`.
        pub path: String,
    }

    /// Keys: times, values and interpolation.
    pub struct AnimationSampler {
        /// The accessor of the times.
        pub input: usize,
        /// The accessor of the values.
        pub output: usize,
        /// `LINEAR` if absent, `STEP` or `CUBICSPLINE`.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub interpolation: Option<String>,
    }

    /// A material.
    pub struct Material {
        /// Its name.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub name: Option<String>,
        /// Metallic-roughness.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub pbr_metallic_roughness: Option<PbrMetallicRoughness>,
        /// The normal map.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub normal_texture: Option<TextureInfo>,
        /// The occlusion map.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub occlusion_texture: Option<TextureInfo>,
        /// The emissive map.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub emissive_texture: Option<TextureInfo>,
        /// Emissive colour; black if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub emissive_factor: Option<[f32; 3]>,
        /// `OPAQUE` if absent, `MASK` or `BLEND`.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub alpha_mode: Option<String>,
        /// For `MASK`; 0.5 if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub alpha_cutoff: Option<f32>,
        /// Whether its back is drawn; not, if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub double_sided: Option<bool>,
    }

    /// Metallic-roughness.
    pub struct PbrMetallicRoughness {
        /// White if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub base_color_factor: Option<[f32; 4]>,
        /// Colour and opacity.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub base_color_texture: Option<TextureInfo>,
        /// 1 if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub metallic_factor: Option<f32>,
        /// 1 if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub roughness_factor: Option<f32>,
        /// Green is roughness, blue is metalness.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub metallic_roughness_texture: Option<TextureInfo>,
    }

    /// How a material uses a texture.
    pub struct TextureInfo {
        /// Index of a texture.
        pub index: usize,
        /// The set of coordinates; 0 if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub tex_coord: Option<u32>,
        /// Of a normal map; 1 if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub scale: Option<f32>,
        /// Of an occlusion map; 1 if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub strength: Option<f32>,
    }

    /// An image with a sampler.
    pub struct Texture {
        /// Its name.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub name: Option<String>,
        /// Its sampler; repeating if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub sampler: Option<usize>,
        /// Its image.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub source: Option<usize>,
    }

    /// How an image is filtered and wrapped.
    pub struct Sampler {
        /// Its name.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub name: Option<String>,
        /// 9728 nearest or 9729 linear.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub mag_filter: Option<u32>,
        /// As above, or with mip levels: 9984 to 9987.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub min_filter: Option<u32>,
        /// 10497 repeat if absent, 33071 clamp, 33648 mirrored repeat.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub wrap_s: Option<u32>,
        /// The same values, along V.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub wrap_t: Option<u32>,
    }

    /// An image: in a companion file, in a data URI or in a buffer view.
    pub struct Image {
        /// Its name.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub name: Option<String>,
        /// A file or a data URI.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub uri: Option<String>,
        /// `image/png` or `image/jpeg`.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub mime_type: Option<String>,
        /// The view it is in.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub buffer_view: Option<usize>,
    }

    /// Typed elements in a view.
    pub struct Accessor {
        /// Its name.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub name: Option<String>,
        /// The view it is in; zeros if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub buffer_view: Option<usize>,
        /// From the start of the view; 0 if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub byte_offset: Option<usize>,
        /// 5120 i8, 5121 u8, 5122 i16, 5123 u16, 5125 u32, 5126 f32.
        pub component_type: u32,
        /// Whether integers stand for 0 to 1, or for -1 to 1.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub normalized: Option<bool>,
        /// How many elements.
        pub count: usize,
        /// `SCALAR`, `VEC2`, `VEC3`, `VEC4`, `MAT2`, `MAT3` or `MAT4`.
        #[serde(rename = "type")]
        pub kind: String,
        /// The largest of each component.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub max: Option<Vec<f32>>,
        /// The smallest of each component.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub min: Option<Vec<f32>>,
        /// Elements that are replaced. Few accessors have them, and they are larger than all the rest.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub sparse: Option<Box<Sparse>>,
    }

    /// Elements that replace those of the view.
    pub struct Sparse {
        /// How many.
        pub count: usize,
        /// Which elements.
        pub indices: SparseIndices,
        /// Their values.
        pub values: SparseValues,
    }

    /// Which elements are replaced.
    pub struct SparseIndices {
        /// The view they are in.
        pub buffer_view: usize,
        /// From the start of the view; 0 if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub byte_offset: Option<usize>,
        /// 5121 u8, 5123 u16 or 5125 u32.
        pub component_type: u32,
    }

    /// What they are replaced by.
    pub struct SparseValues {
        /// The view they are in.
        pub buffer_view: usize,
        /// From the start of the view; 0 if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub byte_offset: Option<usize>,
    }

    /// A range of bytes in a buffer.
    pub struct BufferView {
        /// Its name.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub name: Option<String>,
        /// The buffer it is in.
        pub buffer: usize,
        /// From the start of the buffer; 0 if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub byte_offset: Option<usize>,
        /// How long it is.
        pub byte_length: usize,
        /// From element to element; packed if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub byte_stride: Option<usize>,
        /// 34962 vertices or 34963 indices.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub target: Option<u32>,
    }

    /// Binary data: in the GLB, in a companion file or in a data URI.
    pub struct Buffer {
        /// Its name.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub name: Option<String>,
        /// A file or a data URI; the GLB's own if absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub uri: Option<String>,
        /// How long it is.
        pub byte_length: usize,
    }
}

impl Document {
    /// For each node, whether it is one of these or below one. Linear, without recursion, whatever the children are.
    pub fn reached_from(&self, nodes: Vec<usize>) -> Vec<bool> {
        let mut reached = vec![false; self.nodes.len()];
        let mut pending = nodes;
        while let Some(index) = pending.pop() {
            if reached.get_mut(index).is_some_and(|reached| !std::mem::replace(reached, true)) {
                pending.extend(self.nodes.get(index).iter().flat_map(|node| &node.children));
            }
        }
        reached
    }
}
