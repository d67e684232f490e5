//! What a writer may rely on, checked in one place for every writer.
//!
//! A writer transforms nothing and asks nothing: it is given a [`Fitted`] scene, which only [`Fitted::check`] makes. `maquette::fit`
//! brings any scene into this form; a program that makes its own scenes may do without it, and is told what is missing.

use super::{Caps, Space, TextureStorage};
use maquette_scene::clip::{Blend, Clip, Curve, Interpolation, Target};
use maquette_scene::glam::Mat4;
use maquette_scene::image::{Image, ImageData, PixelFormat};
use maquette_scene::material::{Material, Pbr, Surface};
use maquette_scene::mesh::{Influences, Mesh, Primitive, Topology};
use maquette_scene::scene::{Node, Transform};
use maquette_scene::valid::{self, Invalid};
use maquette_scene::{Handle, Path, Scene, path};
use std::collections::HashSet;
use std::ops::Deref;
use std::sync::LazyLock;

/// How far the weights of a vertex may be from summing up to 1, where they must.
const UNIT_WEIGHTS_TOLERANCE: f32 = 1e-3;

/// A scene that passes [`valid::check`] and has the form that the [`Caps`] of a dialect ask for.
///
/// Of every format:
///
/// - there are no meshes, morph targets, lines, UV sets, colours, tangents, influences or clips beyond what the caps hold;
/// - triangles have normals and tangents where the caps need them, and weights sum up to 1 where they must;
/// - materials are packed where textures are [`TextureStorage::Pixels`], and then every primitive has one, and its images are
///   pixels or blocks; elsewhere no material is packed, and images are files or names of files;
/// - curves are linear and values absolute, unless the caps hold others;
/// - names are as short as they must be.
///
/// Where [`Caps::space`] is [`Space::Model`] and there are meshes:
///
/// - every mesh is drawn once, at a root node of its own whose transform is the identity;
/// - there is one skin at most; its joints come parents first, and the parent of a joint is a joint or nothing;
/// - tracks move joints only, one of each property for a joint at most.
#[derive(Clone, Copy, Debug)]
pub struct Fitted<'s>(&'s Scene);

impl Deref for Fitted<'_> {
    type Target = Scene;

    fn deref(&self) -> &Scene {
        self.0
    }
}

impl<'s> Fitted<'s> {
    /// The scene, if it has the form that these caps ask for, or the first thing that does not.
    pub fn check(scene: &'s Scene, caps: &Caps) -> Result<Fitted<'s>, Invalid> {
        valid::check(scene)?;
        let contract = Contract { scene, caps };
        contract.meshes()?;
        contract.surfaces()?;
        contract.clips()?;
        contract.names()?;
        if caps.space == Space::Model && caps.meshes {
            contract.model()?;
        }
        Ok(Fitted(scene))
    }

    /// The scene, for as long as it was lent.
    pub fn scene(&self) -> &'s Scene {
        self.0
    }
}

struct Contract<'c> {
    scene: &'c Scene,
    caps: &'c Caps,
}

type Held = Result<(), Invalid>;

/// Fails where something is not as it must be.
fn demand(holds: bool, at: impl FnOnce() -> Path, message: impl FnOnce() -> String) -> Held {
    if holds { Ok(()) } else { Err(Invalid { path: at(), message: message() }) }
}

impl Contract<'_> {
    fn meshes(&self) -> Held {
        let meshes = &self.scene.meshes;
        demand(
            self.caps.meshes || meshes.is_empty(),
            || path!("meshes"),
            || format!("the format holds none, and there are {}", meshes.len()),
        )?;
        for (index, mesh) in meshes.iter().enumerate() {
            for (position, primitive) in mesh.primitives.iter().enumerate() {
                self.primitive(primitive, &|| path!("meshes", index, "primitives", position))?;
            }
        }
        Ok(())
    }

    fn primitive(&self, primitive: &Primitive, at: &dyn Fn() -> Path) -> Held {
        let (caps, streams) = (self.caps, &primitive.streams);
        let triangles = primitive.topology == Topology::Triangles && !streams.is_empty();
        let demands = [
            (caps.lines || primitive.topology != Topology::Lines, "topology", "the format holds no lines"),
            (caps.morph_targets || primitive.morph_targets.is_empty(), "morph_targets", "the format holds none"),
            (streams.uvs.len() <= caps.uv_sets as usize, "uvs", "the format holds fewer sets"),
            (caps.colours || streams.colours.is_empty(), "colours", "the format holds none"),
            (caps.tangents || streams.tangents.is_none(), "tangents", "the format holds none"),
            (!caps.needs_normals || !triangles || streams.normals.is_some(), "normals", "the format needs normals"),
            (!caps.needs_tangents || !triangles || streams.tangents.is_some(), "tangents", "the format needs tangents"),
        ];
        for (holds, field, message) in demands {
            demand(holds, || at().join(field), || message.into())?;
        }
        match &streams.influences {
            Some(influences) => self.influences(influences, at),
            None => Ok(()),
        }
    }

    fn influences(&self, influences: &Influences, at: &dyn Fn() -> Path) -> Held {
        let most = self.caps.influences;
        demand(
            most.is_none_or(|most| influences.slots <= most as usize),
            || at().join("influences"),
            || format!("a vertex has {}, and the format holds {}", influences.slots, most.unwrap_or(0)),
        )?;
        if !self.caps.unit_weights || influences.slots == 0 {
            return Ok(());
        }
        let is_unit = |weights: &[f32]| {
            let sum: f32 = weights.iter().sum();
            sum == 0.0 || (sum - 1.0).abs() <= UNIT_WEIGHTS_TOLERANCE
        };
        let odd = influences.weights.chunks(influences.slots).position(|weights| !is_unit(weights));
        demand(
            odd.is_none(),
            || at().join("influences"),
            || format!("the weights of vertex {} do not sum up to 1", odd.unwrap_or(0)),
        )
    }

    fn surfaces(&self) -> Held {
        let is_packed = self.caps.textures == TextureStorage::Pixels;
        let primitives = self.scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
        let used: HashSet<Handle<Material>> = primitives.filter_map(|primitive| primitive.material).collect();
        for (index, material) in self.scene.materials.iter().enumerate() {
            let at = || path!("materials", index, "surface");
            match &material.surface {
                Surface::Packed(maps) => {
                    demand(is_packed, at, || "the format has no packed maps; `ops::unpack` takes them apart".into())?;
                    let all = maps.textures().iter().all(|(_, map)| self.is_storable(map.image));
                    demand(all, at, || "a packed map is not stored as the dialect has it".into())?;
                }
                Surface::Pbr(_) => {
                    let is_used = used.contains(&Handle::from_index(index));
                    demand(!is_packed || !is_used, at, || "the format needs packed maps; `fit` packs them".into())?;
                }
            }
        }
        let bare = |mesh: &Mesh| mesh.primitives.iter().position(|primitive| primitive.material.is_none());
        let bare = self.scene.meshes.iter().enumerate().find_map(|(index, mesh)| Some((index, bare(mesh)?)));
        let (mesh, primitive) = bare.unwrap_or_default();
        demand(
            !is_packed || bare.is_none(),
            || path!("meshes", mesh, "primitives", primitive, "material"),
            || "the format needs one for every primitive".into(),
        )?;
        let holds_files = matches!(self.caps.textures, TextureStorage::EncodedImages | TextureStorage::FileNames);
        let pixels = |data: &ImageData| matches!(data, ImageData::Pixels { .. });
        let pixels = self.scene.images.iter().position(|image| pixels(&image.data));
        demand(
            !holds_files || pixels.is_none(),
            || path!("images", pixels.unwrap_or(0)),
            || "it is raw pixels, and the format holds image files".into(),
        )
    }

    /// Whether an image is pixels or blocks of a kind that the dialect has.
    fn is_storable(&self, image: Handle<Image>) -> bool {
        let data = self.scene.images.get(image).map(|image| &*image.data);
        let Some(ImageData::Pixels { format, .. }) = data else { return false };
        match format {
            PixelFormat::Rgba8 => true,
            PixelFormat::Rg8 => self.caps.two_channels,
            PixelFormat::Bc5 | PixelFormat::Bc7 => self.caps.blocks,
        }
    }

    fn clips(&self) -> Held {
        let (caps, clips) = (self.caps, &self.scene.clips);
        demand(
            caps.clips.is_none_or(|most| clips.len() <= most as usize),
            || path!("clips"),
            || format!("there are {}, and the format holds {}", clips.len(), caps.clips.unwrap_or(0)),
        )?;
        for (index, clip) in clips.iter().enumerate() {
            for (position, track) in clip.tracks.iter().enumerate() {
                let at = || path!("clips", index, "tracks", position);
                let absolute = track.blend.unwrap_or(clip.blend) == Blend::Absolute;
                let demands = [
                    (caps.blends || absolute, "values are relative, and the format holds absolute ones"),
                    (
                        caps.curves || track.curve.interpolation() == Interpolation::Linear,
                        "the curve is not linear, and the format holds no others",
                    ),
                    (
                        caps.morph_targets || !matches!(track.curve, Curve::MorphWeights(_)),
                        "it moves morph targets, and the format holds none",
                    ),
                ];
                for (holds, message) in demands {
                    demand(holds, at, || message.into())?;
                }
            }
        }
        Ok(())
    }

    fn names(&self) -> Held {
        let Some(most) = self.caps.name_bytes.filter(|&most| most > 0) else { return Ok(()) };
        let is_long = |name: &str| name.len() > most as usize;
        let lists = [
            ("nodes", self.scene.nodes.iter().position(|node| is_long(&node.name))),
            ("clips", self.scene.clips.iter().position(|clip| is_long(&clip.name))),
        ];
        for (list, long) in lists {
            let at = || path!(list, long.unwrap_or(0), "name");
            demand(long.is_none(), at, || format!("it is longer than the {most} bytes that the format holds"))?;
        }
        Ok(())
    }

    /// What holds where vertices live in the space of the model.
    fn model(&self) -> Held {
        let scene = self.scene;
        demand(
            scene.skins.len() <= 1,
            || path!("skins"),
            || format!("there are {}, and the format holds one", scene.skins.len()),
        )?;
        let parents = scene.parents();
        let joints = self.joints(&parents)?;
        let is_joint = |node: Handle<Node>| joints.get(node.index()).copied().flatten().is_some();
        let mut drawn = vec![false; scene.meshes.len()];
        for (handle, node) in scene.nodes.entries() {
            let Some(mesh) = node.mesh else { continue };
            let at = || path!("nodes", handle.index());
            let has_parent = parents.get(handle.index()).is_some_and(Option::is_some);
            let plain = !has_parent && !is_joint(handle) && node.children.is_empty();
            demand(plain && is_identity(&node.transform), at, || {
                "the format has meshes in the space of the model alone, not at nodes".into()
            })?;
            let again = drawn.get_mut(mesh.index()).is_some_and(|drawn| std::mem::replace(drawn, true));
            demand(!again, || at().join("mesh"), || "the mesh is drawn by another node already".into())?;
        }
        for (index, clip) in scene.clips.iter().enumerate() {
            self.moves_joints(index, clip, &is_joint)?;
        }
        Ok(())
    }

    /// For each node, which joint it is.
    fn joints(&self, parents: &[Option<Handle<Node>>]) -> Result<Vec<Option<usize>>, Invalid> {
        let mut joints = vec![None; self.scene.nodes.len()];
        for (position, joint) in self.scene.skins.iter().flat_map(|skin| &skin.joints).enumerate() {
            let at = || path!("skins", 0_usize, "joints", position);
            let parent = parents.get(joint.index()).copied().flatten();
            let follows = parent.is_none_or(|parent| joints.get(parent.index()).copied().flatten().is_some());
            demand(follows, at, || "the parent of the joint is no joint before it".into())?;
            let again = joints.get_mut(joint.index()).is_some_and(|slot| slot.replace(position).is_some());
            demand(!again, at, || "the node is a joint already".into())?;
        }
        Ok(joints)
    }

    fn moves_joints(&self, index: usize, clip: &Clip, is_joint: &dyn Fn(Handle<Node>) -> bool) -> Held {
        let mut moved = HashSet::new();
        for (position, track) in clip.tracks.iter().enumerate() {
            let at = || path!("clips", index, "tracks", position);
            let Target::Node(node) = &track.target else {
                return demand(false, at, || "it moves a node of another scene, by name".into());
            };
            demand(is_joint(*node), at, || "it moves what is no joint".into())?;
            demand(moved.insert((*node, track.curve.property())), at, || "another track moves the same".into())?;
        }
        Ok(())
    }
}

/// The properties of a material. Those of one with packed maps, which the contract keeps from formats that ask for this, are plain.
pub fn pbr(material: &Material) -> &Pbr {
    static PLAIN: LazyLock<Pbr> = LazyLock::new(Pbr::default);
    material.pbr().unwrap_or(&PLAIN)
}

fn is_identity(transform: &Transform) -> bool {
    transform.matrix() == Mat4::IDENTITY
}
