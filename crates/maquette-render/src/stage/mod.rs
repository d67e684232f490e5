//! A scene made ready to be drawn: what does not change from picture to picture.

mod budget;
mod furthest;
mod images;
mod levels;
mod material;
mod mips;
mod room;
mod texture;

pub use levels::Levels;
pub use material::{Material, NormalChannels};
pub use room::LeftOut;
pub(crate) use texture::{Footprint, MOST_TAPS};
pub use texture::{Level, Magnify, Sampler, Texture, Values};

use crate::bounds::Bounds;
use crate::mode::Mode;
use crate::posed::{Moment, NodePose, Posed};
use maquette_scene::clip::Clip;
use maquette_scene::image::Image;
use maquette_scene::mesh::Primitive;
use maquette_scene::scene::Node;
use maquette_scene::{Handle, Scene};
use room::Room;

/// A scene made ready to be drawn: materials resolved, textures decoded.
pub struct Stage<'s> {
    scene: &'s Scene,
    missing: Vec<Missing>,
    left_out: Option<LeftOut>,
    pub(crate) materials: Vec<Material>,
    pub(crate) textures: Vec<Option<Texture>>,
    pub(crate) parts: Vec<Part<'s>>,
    /// Every node, parents first.
    pub(crate) order: Vec<Handle<Node>>,
    pub(crate) parents: Vec<Option<Handle<Node>>>,
}

/// What a stage is for, and what it may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StageOptions {
    /// The only mode that will be drawn; textures that it does not need are not decoded. `None` for all.
    pub only: Option<Mode>,
    /// Pixels of all textures, without mip levels, at five bytes each. Where there are more, large textures are [held at a smaller size](Instead::Smaller).
    pub most_pixels: u64,
    /// Vertices of meshes that several nodes draw, at about a hundred bytes each. What is beyond is [left out](Stage::left_out).
    pub most_vertices: u64,
}

impl Default for StageOptions {
    /// All modes; some gigabytes at the most, of any file.
    fn default() -> StageOptions {
        StageOptions { only: None, most_pixels: 1 << 28, most_vertices: 1 << 24 }
    }
}

/// An image that is not drawn as it is in its file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Missing {
    /// Which.
    pub image: Handle<Image>,
    /// Why, in words that follow its name.
    pub why: String,
    /// What is drawn.
    pub instead: Instead,
}

/// What is drawn where an image is not as it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instead {
    /// The numbers of the material alone.
    Factors,
    /// What there is of the image.
    Rest,
    /// The image with fewer pixels: [all textures](StageOptions::most_pixels) have too many.
    Smaller,
}

/// A primitive at a node that draws it.
pub struct Part<'s> {
    /// The node.
    pub node: Handle<Node>,
    /// The primitive.
    pub primitive: &'s Primitive,
    /// Its place in its mesh.
    pub place: usize,
    /// The place of its material in the list.
    pub material: usize,
}

impl<'s> Stage<'s> {
    /// Makes a scene ready, on all cores. Of a scene with roots, only what they carry is drawn.
    pub fn new(scene: &'s Scene, options: &StageOptions) -> Stage<'s> {
        let (materials, wanted) = material::resolve(scene, options.only);
        let (textures, missing) = images::load(scene, &wanted, options.most_pixels);
        let order = scene.nodes_parents_first();
        let shown = shown(scene);
        let mut parts = Vec::new();
        let mut room = Room::new(scene, options.most_vertices);
        for &handle in order.iter().filter(|node| shown.get(node.index()) == Some(&true)) {
            let mesh = scene.nodes.get(handle).and_then(|node| scene.meshes.get(node.mesh?));
            for (place, primitive) in mesh.into_iter().flat_map(|mesh| mesh.primitives.iter().enumerate()) {
                if !room.takes(primitive) {
                    continue;
                }
                let default = materials.len() - 1;
                let material = primitive.material.map_or(default, |material| material.index().min(default));
                parts.push(Part { node: handle, primitive, place, material });
            }
        }
        let left_out = room.left_out();
        Stage { scene, missing, left_out, materials, textures, parts, order, parents: scene.parents() }
    }

    /// The scene.
    pub fn scene(&self) -> &'s Scene {
        self.scene
    }

    /// Images that are not drawn as they are: the caller is to tell.
    pub fn missing(&self) -> &[Missing] {
        &self.missing
    }

    /// What is not drawn because there would be too many vertices: the caller is to tell, or to refuse.
    pub fn left_out(&self) -> Option<LeftOut> {
        self.left_out
    }

    /// Everything where it is at a moment of a clip, or at rest.
    pub fn pose(&self, at: Option<(&Clip, f32)>) -> Posed<'_> {
        Posed::new(self, at.map_or(Moment::Rest, |(clip, secs)| Moment::Clip(clip, secs)))
    }

    /// Everything where nodes are that somebody else has moved.
    pub fn pose_nodes(&self, pose: &NodePose) -> Posed<'_> {
        Posed::new(self, Moment::Nodes(pose))
    }

    /// The box around everything that is drawn at [`MOMENTS`] moments of a clip, evenly, and at those of its keys at which nodes carry what they draw furthest along the axes. What splines and turns do
    /// between keys may reach beyond it; where a clip has very many keys of very many nodes, some of them are not looked at. `None` where nothing is drawn.
    pub fn bounds_of(&self, clip: &Clip) -> Option<Bounds> {
        let last = (MOMENTS - 1) as f32;
        let evenly = (0..MOMENTS).map(|moment| clip.duration_secs as f32 * (moment as f32 / last));
        let moments = evenly.chain(furthest::moments(self, clip));
        let boxes = moments.filter_map(|secs| self.pose(Some((clip, secs))).bounds());
        boxes.reduce(Bounds::and)
    }
}

/// Moments of a clip that [`Stage::bounds_of`] looks at, besides some of its keys.
pub const MOMENTS: usize = 33;

fn shown(scene: &Scene) -> Vec<bool> {
    if scene.roots.is_empty() {
        return vec![true; scene.nodes.len()];
    }
    let mut shown = vec![false; scene.nodes.len()];
    let mut pending = scene.roots.clone();
    while let Some(handle) = pending.pop() {
        match shown.get_mut(handle.index()) {
            Some(shown) if !*shown => *shown = true,
            _ => continue,
        }
        pending.extend(scene.nodes.get(handle).into_iter().flat_map(|node| node.children.iter().copied()));
    }
    shown
}
