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
use maquette_scene::{Bytes, Handle, Path, Scene, path};
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
///   pixels or blocks with all levels; elsewhere no material is packed, and images are files or names of files;
/// - curves are linear, unless the caps hold others or a pose for each tick, or are steps where keys are at frames; values are absolute, unless the caps hold others;
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
    if holds { Ok(()) } else { Err(Invalid::new(at(), message())) }
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

    /// Whether an image is pixels or blocks of a kind that the dialect has, with all levels.
    fn is_storable(&self, image: Handle<Image>) -> bool {
        let data = self.scene.images.get(image).map(|image| &*image.data);
        let Some(ImageData::Pixels { format, width, height, levels, .. }) = data else { return false };
        let is_held = match format {
            PixelFormat::Rgba8 => true,
            PixelFormat::Rg8 => self.caps.two_channels,
            PixelFormat::Bc5 | PixelFormat::Bc7 => self.caps.blocks,
        };
        is_held && has_all_levels(*format, *width, *height, levels)
    }

    fn clips(&self) -> Held {
        let (caps, clips) = (self.caps, &self.scene.clips);
        demand(
            caps.clips.is_none_or(|most| clips.len() <= most as usize),
            || path!("clips"),
            || format!("there are {}, and the format holds {}", clips.len(), caps.clips.unwrap_or(0)),
        )?;
        let is_held = |interpolation: Interpolation| match interpolation {
            Interpolation::Linear => true,
            Interpolation::Step => caps.frames,
            Interpolation::CubicSpline => false,
        };
        for (index, clip) in clips.iter().enumerate() {
            for (position, track) in clip.tracks.iter().enumerate() {
                let at = || path!("clips", index, "tracks", position);
                let absolute = track.blend.unwrap_or(clip.blend) == Blend::Absolute;
                let demands = [
                    (caps.blends || absolute, "values are relative, and the format holds absolute ones"),
                    (
                        caps.curves || caps.ticks || is_held(track.curve.interpolation()),
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

/// Whether there is every level down to a single pixel, and each has the bytes of its size.
fn has_all_levels(format: PixelFormat, width: u32, height: u32, levels: &[Bytes]) -> bool {
    let bytes = |level: u32| {
        let [width, height] = [width, height].map(|side| u64::from((side >> level).max(1)));
        match format {
            PixelFormat::Rgba8 => width * height * 4,
            PixelFormat::Rg8 => width * height * 2,
            PixelFormat::Bc5 | PixelFormat::Bc7 => width.div_ceil(4) * height.div_ceil(4) * 16,
        }
    };
    let last = width.max(height).checked_ilog2().filter(|_| width.min(height) > 0);
    last.is_some_and(|last| levels.iter().map(|level| level.len() as u64).eq((0..=last).map(bytes)))
}

fn is_identity(transform: &Transform) -> bool {
    transform.matrix() == Mat4::IDENTITY
}

#[cfg(test)]
mod tests {
    use super::*;
    use maquette_scene::clip::{Keys, Track};
    use maquette_scene::glam::Vec3;
    use maquette_scene::image::ColourSpace;
    use maquette_scene::material::{PackedMaps, PackedTexture, TextureUse, Wrap};
    use maquette_scene::mesh::{MorphTarget, Streams};
    use maquette_scene::scene::Skin;
    use std::sync::Arc;

    /// What holds everything but packed maps, and demands nothing.
    const ANYTHING: Caps = Caps {
        space: Space::Nodes,
        morph_targets: true,
        curves: true,
        blends: true,
        meshes: true,
        lines: true,
        uv_sets: 9,
        colours: true,
        tangents: true,
        textures: TextureStorage::EncodedImages,
        influences: None,
        clips: None,
        ..Caps::NOTHING
    };

    /// What engines have: one skeleton, and meshes in the space of the model.
    const MODEL: Caps = Caps { space: Space::Model, ..ANYTHING };

    fn turns(node: usize, interpolation: Interpolation) -> Track {
        let keys = Keys { times_secs: vec![0.0], values: vec![[0.0, 0.0, 0.0, 1.0]], interpolation };
        Track { target: Target::Node(Handle::from_index(node)), curve: Curve::Rotation(keys), blend: None }
    }

    /// A textured triangle that two joints move: the nodes are `hip`, its child `knee` and the one of the mesh.
    fn bound() -> Scene {
        let mut scene = Scene::default();
        let streams = Streams {
            positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
            normals: Some(vec![[0.0, 0.0, 1.0]; 3]),
            influences: Some(Influences { slots: 2, joints: vec![0, 1, 0, 1, 0, 1], weights: vec![0.5; 6] }),
            ..Streams::default()
        };
        let png = ImageData::Encoded { mime: "image/png".into(), bytes: Vec::new().into() };
        let image = scene.images.push(Image::new("fur", png));
        let textured = Pbr { base_colour_texture: Some(TextureUse::new(image)), ..Pbr::default() };
        let material = scene.materials.push(Material { surface: textured.into(), ..Material::default() });
        let primitive = Primitive { streams, indices: vec![0, 1, 2], material: Some(material), ..Primitive::default() };
        let mesh = scene.meshes.push(Mesh { primitives: vec![primitive], ..Mesh::default() });
        let hip = scene.nodes.push(Node { name: "hip".into(), ..Node::default() });
        let knee = scene.nodes.push(Node { name: "knee".into(), ..Node::default() });
        scene.nodes[hip].children.push(knee);
        let skin = Skin { joints: vec![hip, knee], joint_from_mesh: vec![Mat4::IDENTITY; 2], ..Skin::default() };
        let skin = scene.skins.push(skin);
        let drawn = scene.nodes.push(Node { mesh: Some(mesh), skin: Some(skin), ..Node::default() });
        scene.roots = vec![hip, drawn];
        let tracks = vec![turns(0, Interpolation::Linear), turns(1, Interpolation::Linear)];
        scene.clips.push(Clip { name: "walk".into(), tracks, ..Clip::default() });
        scene
    }

    fn primitive(scene: &mut Scene) -> &mut Primitive {
        &mut scene.meshes[Handle::from_index(0)].primitives[0]
    }

    fn node(scene: &mut Scene, index: usize) -> &mut Node {
        &mut scene.nodes[Handle::from_index(index)]
    }

    fn clip(scene: &mut Scene) -> &mut Clip {
        &mut scene.clips[Handle::from_index(0)]
    }

    /// Where the first misfit is; nothing where all fits.
    fn misfit(scene: &Scene, caps: &Caps) -> Option<String> {
        Fitted::check(scene, caps).err().map(|invalid| invalid.path.to_string())
    }

    /// Where a scene stops fitting after a change, which these caps mind and others do not.
    fn minded(caps: Caps, change: impl FnOnce(&mut Scene)) -> String {
        let mut scene = bound();
        assert_eq!(misfit(&scene, &caps), None, "it fits before");
        change(&mut scene);
        assert_eq!(misfit(&scene, &ANYTHING), None, "it is nothing that no format holds");
        misfit(&scene, &caps).expect("a misfit")
    }

    #[test]
    fn what_fits_is_lent_as_it_is() {
        let scene = bound();
        let fitted = Fitted::check(&scene, &MODEL).unwrap();
        assert!(std::ptr::eq(fitted.scene(), &scene) && fitted.nodes.len() == 3);
        for caps in [ANYTHING, MODEL, Caps::NOTHING, Caps { space: Space::Nodes, ..Caps::NOTHING }] {
            assert_eq!(misfit(&Scene::default(), &caps), None);
        }
    }

    #[test]
    fn a_scene_that_is_not_valid_fits_nothing() {
        let mut scene = bound();
        primitive(&mut scene).streams.positions[1][0] = f32::NAN;
        assert_eq!(misfit(&scene, &ANYTHING).as_deref(), Some("meshes[0].primitives[0].streams"));
        let mut scene = bound();
        scene.roots.push(Handle::from_index(7));
        assert_eq!(misfit(&scene, &ANYTHING).as_deref(), Some("roots[2]"));
    }

    #[test]
    fn meshes_are_none_where_none_are_held() {
        assert_eq!(misfit(&bound(), &Caps { meshes: false, ..ANYTHING }).as_deref(), Some("meshes"));
    }

    #[test]
    fn vertices_have_no_more_than_is_held() {
        let field = |caps: Caps, change: fn(&mut Primitive)| {
            let path = minded(caps, |scene| change(primitive(scene)));
            path.strip_prefix("meshes[0].primitives[0].").expect("the first primitive").to_owned()
        };
        let lines = |it: &mut Primitive| (it.topology, it.indices) = (Topology::Lines, vec![0, 1]);
        assert_eq!(field(Caps { lines: false, ..ANYTHING }, lines), "topology");
        let uvs = |it: &mut Primitive| it.streams.uvs = vec![vec![[0.0; 2]; 3]; 2];
        assert_eq!(field(Caps { uv_sets: 1, ..ANYTHING }, uvs), "uvs");
        let colours = |it: &mut Primitive| it.streams.colours = vec![vec![[1.0; 4]; 3]];
        assert_eq!(field(Caps { colours: false, ..ANYTHING }, colours), "colours");
        let tangents = |it: &mut Primitive| it.streams.tangents = Some(vec![[1.0; 4]; 3]);
        assert_eq!(field(Caps { tangents: false, ..ANYTHING }, tangents), "tangents");
        let three = |it: &mut Primitive| {
            it.streams.influences = Some(Influences { slots: 3, joints: vec![0; 9], weights: vec![0.0; 9] });
        };
        assert_eq!(field(Caps { influences: Some(2), ..ANYTHING }, three), "influences");
        let morphs = minded(Caps { morph_targets: false, ..ANYTHING }, |scene| {
            let target = MorphTarget { positions: vec![[0.0; 3]; 3], ..MorphTarget::default() };
            primitive(scene).morph_targets.push(target);
            scene.meshes[Handle::from_index(0)].morph_weights.push(0.0);
        });
        assert_eq!(morphs, "meshes[0].primitives[0].morph_targets");
    }

    #[test]
    fn every_primitive_is_looked_at() {
        let second = minded(Caps { colours: false, ..ANYTHING }, |scene| {
            let mut coloured = primitive(scene).clone();
            coloured.streams.colours = vec![vec![[1.0; 4]; 3]];
            let mesh = Mesh { primitives: vec![primitive(scene).clone(), coloured], ..Mesh::default() };
            scene.meshes.push(mesh);
        });
        assert_eq!(second, "meshes[1].primitives[1].colours");
    }

    #[test]
    fn triangles_have_normals_and_tangents_where_they_must() {
        let normals = Caps { needs_normals: true, ..ANYTHING };
        let bare = minded(normals, |scene| primitive(scene).streams.normals = None);
        assert_eq!(bare, "meshes[0].primitives[0].normals");
        let tangents = Caps { needs_tangents: true, ..ANYTHING };
        assert_eq!(misfit(&bound(), &tangents).as_deref(), Some("meshes[0].primitives[0].tangents"));
        let mut scene = bound();
        primitive(&mut scene).streams.tangents = Some(vec![[1.0, 0.0, 0.0, 1.0]; 3]);
        assert_eq!(misfit(&scene, &tangents), None);
        // Lines and primitives without vertices have nothing to be lit.
        let both = Caps { needs_normals: true, needs_tangents: true, ..ANYTHING };
        let lines = primitive(&mut scene);
        (lines.topology, lines.indices) = (Topology::Lines, vec![0, 1]);
        (lines.streams.normals, lines.streams.tangents) = (None, None);
        scene.meshes.push(Mesh { primitives: vec![Primitive::default()], ..Mesh::default() });
        assert_eq!(misfit(&scene, &both), None);
    }

    #[test]
    fn weights_sum_up_to_1_where_they_must() {
        let caps = Caps { unit_weights: true, ..ANYTHING };
        let weigh = |scene: &mut Scene, weights: [f32; 2]| {
            primitive(scene).streams.influences.as_mut().unwrap().weights[4..].copy_from_slice(&weights);
        };
        for weights in [[0.5, 0.4], [0.5, 0.6], [1.0, 1.0], [0.5, 0.498]] {
            assert_eq!(
                minded(caps, |scene| weigh(scene, weights)),
                "meshes[0].primitives[0].influences",
                "{weights:?}"
            );
        }
        for weights in [[0.0, 0.0], [0.5, 0.4995], [0.5, 0.5005]] {
            let mut scene = bound();
            weigh(&mut scene, weights);
            assert_eq!(misfit(&scene, &caps), None, "{weights:?}");
        }
        let mut scene = bound();
        primitive(&mut scene).streams.influences = Some(Influences::default());
        assert_eq!(misfit(&scene, &caps), None, "no slots, no weights");
    }

    fn pixels(format: PixelFormat) -> ImageData {
        let bytes = match format {
            PixelFormat::Rgba8 => [12, 4],
            PixelFormat::Rg8 => [6, 2],
            PixelFormat::Bc5 | PixelFormat::Bc7 => [16, 16],
        };
        let levels = bytes.map(|bytes| vec![0; bytes].into()).to_vec();
        ImageData::Pixels { format, colour_space: ColourSpace::Linear, width: 3, height: 1, levels }
    }

    fn maps(image: usize) -> Surface {
        let map = PackedTexture { image: Handle::from_index(image), wrap: [Wrap::Repeat; 2] };
        PackedMaps { base_colour: map, normal: map, surface: map }.into()
    }

    /// The bound triangle with packed maps.
    fn packed() -> Scene {
        let mut scene = bound();
        scene.images[Handle::from_index(0)].data = Arc::new(pixels(PixelFormat::Rgba8));
        scene.materials[Handle::from_index(0)].surface = maps(0);
        scene
    }

    const PACKED: Caps = Caps { textures: TextureStorage::Pixels, ..ANYTHING };

    #[test]
    fn materials_are_packed_where_textures_are_pixels_and_nowhere_else() {
        assert_eq!(misfit(&packed(), &PACKED), None);
        for textures in [TextureStorage::None, TextureStorage::EncodedImages, TextureStorage::FileNames] {
            let caps = Caps { textures, ..ANYTHING };
            assert_eq!(misfit(&packed(), &caps).as_deref(), Some("materials[0].surface"), "{textures:?}");
            assert_eq!(misfit(&bound(), &caps), None, "{textures:?}");
        }
        assert_eq!(misfit(&bound(), &PACKED).as_deref(), Some("materials[0].surface"));
        let mut scene = packed();
        scene.materials.push(Material::default());
        assert_eq!(misfit(&scene, &PACKED), None, "one that nothing has is not written");
    }

    #[test]
    fn every_primitive_has_a_material_where_they_are_packed() {
        let mut scene = packed();
        let bare = Primitive { material: None, ..primitive(&mut scene).clone() };
        scene.meshes[Handle::from_index(0)].primitives.push(bare);
        assert_eq!(misfit(&scene, &PACKED).as_deref(), Some("meshes[0].primitives[1].material"));
        assert_eq!(misfit(&Scene { materials: bound().materials, images: bound().images, ..scene }, &ANYTHING), None);
    }

    #[test]
    fn packed_maps_are_stored_as_the_dialect_has_them() {
        let with = |data: ImageData, caps: Caps| {
            let mut scene = packed();
            let other = scene.images.push(Image::new("other", data));
            let Surface::Packed(maps) = &mut scene.materials[Handle::from_index(0)].surface else { unreachable!() };
            maps.normal.image = other;
            misfit(&scene, &caps)
        };
        let place = Some("materials[0].surface".to_owned());
        let all = Caps { blocks: true, two_channels: true, ..PACKED };
        for format in [PixelFormat::Rgba8, PixelFormat::Rg8, PixelFormat::Bc5, PixelFormat::Bc7] {
            assert_eq!(with(pixels(format), all), None, "{format:?}");
        }
        assert_eq!(with(pixels(PixelFormat::Rgba8), PACKED), None);
        assert_eq!(with(pixels(PixelFormat::Rg8), Caps { two_channels: false, ..all }), place);
        for format in [PixelFormat::Bc5, PixelFormat::Bc7] {
            assert_eq!(with(pixels(format), Caps { blocks: false, ..all }), place, "{format:?}");
        }
        assert_eq!(with(ImageData::External("fur.png".into()), all), place);
        assert_eq!(with(ImageData::Encoded { mime: "image/png".into(), bytes: Vec::new().into() }, all), place);
    }

    #[test]
    fn packed_maps_have_every_level_in_full() {
        let change = |change: fn(&mut Vec<Bytes>, &mut u32)| {
            let mut scene = packed();
            let data = Arc::make_mut(&mut scene.images[Handle::from_index(0)].data);
            let ImageData::Pixels { levels, height, .. } = data else { unreachable!() };
            change(levels, height);
            misfit(&scene, &PACKED)
        };
        assert_eq!(change(|_, _| {}), None);
        let place = Some("materials[0].surface".to_owned());
        assert_eq!(change(|levels, _| levels.truncate(1)), place);
        assert_eq!(change(|levels, _| levels.push(vec![0; 4].into())), place);
        assert_eq!(change(|levels, _| levels[0].to_mut().push(0)), place);
        assert_eq!(change(|_, height| *height = 2), place);
        let nothing = |levels: &mut Vec<Bytes>, height: &mut u32| {
            levels.clear();
            *height = 0;
        };
        assert_eq!(change(nothing), place);
    }

    #[test]
    fn images_are_files_where_files_are_held() {
        let mut scene = bound();
        scene.images.push(Image::new("raw", pixels(PixelFormat::Rgba8)));
        for textures in [TextureStorage::EncodedImages, TextureStorage::FileNames] {
            assert_eq!(misfit(&scene, &Caps { textures, ..ANYTHING }).as_deref(), Some("images[1]"), "{textures:?}");
        }
        assert_eq!(misfit(&scene, &Caps { textures: TextureStorage::None, ..ANYTHING }), None);
    }

    #[test]
    fn clips_are_no_more_than_are_held() {
        let caps = Caps { clips: Some(1), ..ANYTHING };
        assert_eq!(minded(caps, |scene| _ = scene.clips.push(Clip::default())), "clips");
        assert_eq!(misfit(&bound(), &Caps { clips: Some(0), ..ANYTHING }).as_deref(), Some("clips"));
    }

    #[test]
    fn values_are_absolute_where_others_are_not_held() {
        let caps = Caps { blends: false, ..ANYTHING };
        for blend in [Blend::Relative, Blend::Additive, Blend::Delta] {
            assert_eq!(minded(caps, |scene| clip(scene).blend = blend), "clips[0].tracks[0]");
            assert_eq!(minded(caps, |scene| clip(scene).tracks[1].blend = Some(blend)), "clips[0].tracks[1]");
        }
        let mut scene = bound();
        clip(&mut scene).blend = Blend::Delta;
        clip(&mut scene).tracks.iter_mut().for_each(|track| track.blend = Some(Blend::Absolute));
        assert_eq!(misfit(&scene, &caps), None, "what a track says of itself holds");
    }

    #[test]
    fn curves_are_linear_where_others_are_not_held() {
        let caps = Caps { curves: false, ..ANYTHING };
        let jump = |scene: &mut Scene| clip(scene).tracks[1] = turns(1, Interpolation::Step);
        assert_eq!(minded(caps, jump), "clips[0].tracks[1]");
        let bend = |scene: &mut Scene| {
            let interpolation = Interpolation::CubicSpline;
            let keys = Keys { times_secs: vec![0.0], values: vec![[0.0; 3]; 3], interpolation };
            clip(scene).tracks[0].curve = Curve::Scale(keys);
        };
        assert_eq!(minded(caps, bend), "clips[0].tracks[0]");
        let frames = Caps { frames: true, ..caps };
        assert_eq!(minded(frames, bend), "clips[0].tracks[0]");
        let mut scene = bound();
        jump(&mut scene);
        assert_eq!(misfit(&scene, &frames), None, "writers to frames take steps");
    }

    #[test]
    fn morph_weights_move_only_where_there_are_morph_targets() {
        let weights = Keys { times_secs: vec![0.0], values: vec![vec![1.0]], interpolation: Interpolation::Linear };
        let caps = Caps { morph_targets: false, ..ANYTHING };
        let moved = minded(caps, |scene| clip(scene).tracks[1].curve = Curve::MorphWeights(weights));
        assert_eq!(moved, "clips[0].tracks[1]");
    }

    #[test]
    fn names_are_as_short_as_they_must_be() {
        let caps = Caps { name_bytes: Some(4), ..ANYTHING };
        assert_eq!(minded(caps, |scene| node(scene, 1).name = "ankle".into()), "nodes[1].name");
        assert_eq!(minded(caps, |scene| node(scene, 0).name = "été".into()), "nodes[0].name", "bytes count");
        assert_eq!(minded(caps, |scene| clip(scene).name = "stroll".into()), "clips[0].name");
        for name_bytes in [None, Some(0)] {
            assert_eq!(misfit(&bound(), &Caps { name_bytes, ..ANYTHING }), None, "names that are not held are lost");
        }
    }

    #[test]
    fn a_model_has_one_skin_at_most() {
        assert_eq!(minded(MODEL, |scene| _ = scene.skins.push(Skin::default())), "skins");
    }

    #[test]
    fn joints_of_a_model_follow_their_parents() {
        let reordered = minded(MODEL, |scene| scene.skins[Handle::from_index(0)].joints.reverse());
        assert_eq!(reordered, "skins[0].joints[0]");
        let below_no_joint = minded(MODEL, |scene| {
            let (hip, pelvis) = (scene.roots[0], scene.nodes.push(Node::default()));
            scene.nodes[pelvis].children.push(hip);
            scene.roots[0] = pelvis;
        });
        assert_eq!(below_no_joint, "skins[0].joints[0]");
        let twice = minded(MODEL, |scene| {
            let skin = &mut scene.skins[Handle::from_index(0)];
            skin.joints.push(skin.joints[1]);
            skin.joint_from_mesh.push(Mat4::IDENTITY);
        });
        assert_eq!(twice, "skins[0].joints[2]");
    }

    #[test]
    fn meshes_of_a_model_are_at_plain_roots() {
        let moved = minded(MODEL, |scene| {
            node(scene, 2).transform = Transform::Matrix(Mat4::from_translation(Vec3::X));
        });
        assert_eq!(moved, "nodes[2]");
        let below = minded(MODEL, |scene| {
            let drawn = scene.roots.pop().unwrap();
            node(scene, 1).children.push(drawn);
        });
        assert_eq!(below, "nodes[2]");
        let above = minded(MODEL, |scene| {
            let child = scene.nodes.push(Node::default());
            node(scene, 2).children.push(child);
        });
        assert_eq!(above, "nodes[2]");
        let at_joint = minded(MODEL, |scene| node(scene, 1).mesh = node(scene, 2).mesh.take());
        assert_eq!(at_joint, "nodes[1]");
        let lone_joint = minded(MODEL, |scene| {
            let skin = &mut scene.skins[Handle::from_index(0)];
            skin.joints.push(Handle::from_index(2));
            skin.joint_from_mesh.push(Mat4::IDENTITY);
        });
        assert_eq!(lone_joint, "nodes[2]");
    }

    #[test]
    fn meshes_of_a_model_are_drawn_once() {
        let twice = minded(MODEL, |scene| {
            let again = node(scene, 2).clone();
            let again = scene.nodes.push(again);
            scene.roots.push(again);
        });
        assert_eq!(twice, "nodes[3].mesh");
    }

    #[test]
    fn clips_of_a_model_move_each_property_of_its_joints_once() {
        let by_name = minded(MODEL, |scene| clip(scene).tracks[1].target = Target::Name("knee".into()));
        assert_eq!(by_name, "clips[0].tracks[1]");
        assert_eq!(
            minded(MODEL, |scene| clip(scene).tracks[1] = turns(2, Interpolation::Linear)),
            "clips[0].tracks[1]"
        );
        assert_eq!(
            minded(MODEL, |scene| clip(scene).tracks.push(turns(0, Interpolation::Linear))),
            "clips[0].tracks[2]"
        );
        let mut scene = bound();
        let keys = Keys { times_secs: vec![0.0], values: vec![[1.0; 3]], interpolation: Interpolation::Linear };
        for curve in [Curve::Translation(keys.clone()), Curve::Scale(keys)] {
            let track = Track { curve, ..turns(0, Interpolation::Linear) };
            clip(&mut scene).tracks.push(track);
        }
        let second = scene.clips[Handle::from_index(0)].clone();
        scene.clips.push(second);
        assert_eq!(misfit(&scene, &MODEL), None, "other properties and other clips move the same joints");
    }

    #[test]
    fn clips_alone_may_move_what_they_know_by_name() {
        let mut scene = Scene::default();
        let track = Track { target: Target::Name("knee".into()), ..turns(0, Interpolation::Linear) };
        scene.clips.push(Clip { tracks: vec![track], ..Clip::default() });
        assert_eq!(misfit(&scene, &Caps { meshes: false, ..MODEL }), None);
        assert_eq!(misfit(&scene, &MODEL).as_deref(), Some("clips[0].tracks[0]"));
    }
}
