//! From a place of a file to the object of the scene that was made of it.
//!
//! Records become objects in their order, in most formats; where some were left out, what the file says about them (how many there are, what
//! they are called, how many vertices they have) tells which are there. An object that cannot be told is not guessed at.

use super::fields::slice;
use super::selection::Thing;
use maquette::dump::value;
use maquette::formats::layout::Type;
use maquette::formats::locate::{self, Miss};
use maquette::formats::walk::{Container, Leaf, Visit, Walk};
use maquette::scene::arena::Arena;
use maquette::scene::image::Image;
use maquette::scene::material::Material;
use maquette::scene::mesh::Mesh;
use maquette::scene::{Handle, Path, Scene, Segment};
use std::ops::Range;

/// What can be asked about the file that a scene was read from. Everything may be unknown.
pub trait File {
    /// How many items a list or a table has.
    fn count(&self, _list: &str) -> Option<usize> {
        None
    }
    /// A number of every item of a list, under this name in it.
    fn numbers(&self, _list: &str, _name: &str) -> Vec<(usize, u64)> {
        Vec::new()
    }
    /// A number.
    fn number(&self, _path: &str) -> Option<u64> {
        None
    }
    /// A text.
    fn text(&self, _path: &str) -> Option<String> {
        None
    }
    /// Bytes.
    fn bytes(&self, _path: &str) -> &[u8] {
        &[]
    }
    /// The places in lists of meshes, skins and animations where glTF names this accessor.
    fn users_of_accessor(&self, _accessor: usize) -> Option<Path> {
        None
    }
}

/// A file of which nothing is known but its scene.
pub struct Unknown;

impl File for Unknown {}

/// The object that a place of a file became, or is a part of.
pub fn thing_in(scene: &Scene, path: &str, file: &dyn File) -> Option<Thing> {
    let path: Path = path.parse().ok()?;
    let place = Place { scene, file, path: &path };
    let mut segments = path.segments();
    if let [Segment::Name(json), rest @ ..] = segments
        && json == "json"
    {
        segments = rest;
        return place.in_gltf(segments);
    }
    place.in_file(segments).or_else(|| alone(scene))
}

/// A file of one clip or of one material is about that, whatever the place.
fn alone(scene: &Scene) -> Option<Thing> {
    let is_bare = scene.nodes.is_empty() && scene.meshes.is_empty();
    match (scene.clips.len(), scene.materials.len()) {
        (1, 0) if is_bare => Some(Thing::Clip(0)),
        (0, 1) if is_bare => scene.materials.handles().next().map(Thing::Material),
        _ => None,
    }
}

struct Place<'a> {
    scene: &'a Scene,
    file: &'a dyn File,
    path: &'a Path,
}

impl Place<'_> {
    fn in_file(&self, segments: &[Segment]) -> Option<Thing> {
        let (name, index, rest) = step(segments)?;
        let scene = self.scene;
        match (name, index) {
            ("companions", _) => self.in_companion(rest),
            ("animation", _) => self.in_animation(rest),
            ("nodes" | "joints", Some(index)) => node(scene, index),
            ("bone_names", Some(index)) if !scene.nodes.is_empty() => {
                let id = self.file.number(&format!("bone_names[{index}].node_id"))?;
                self.node_by_id("nodes", id)
            }
            ("meshes", Some(index)) => self.in_mesh(index, rest),
            ("materials", Some(index)) => match step(rest) {
                Some(("textures", Some(texture), _)) => self.texture_path(index, texture),
                // Lists of paths, of which each that is shown becomes a material.
                _ if self.file.number(&format!("materials[{index}].texture_count")).is_some() => {
                    self.texture_material(index, 0)
                }
                _ => nth(&scene.materials, index).map(Thing::Material),
            },
            ("textures", Some(index)) => match self.file.text(&format!("textures[{index}].path")) {
                Some(path) => self.image_named(&path).map(Thing::Image),
                None if self.file.count("textures").is_none_or(|count| count == scene.images.len()) => {
                    nth(&scene.images, index).map(Thing::Image)
                }
                None => None,
            },
            ("image_buffer", Some(byte)) => {
                let offsets = self.file.numbers("textures", "offset");
                let before = offsets.into_iter().filter(|(_, offset)| *offset <= byte as u64);
                let (texture, _) = before.max_by_key(|(_, offset)| *offset)?;
                nth(&scene.images, texture).map(Thing::Image)
            }
            ("indices", Some(index)) => self.mesh_of_corner(index as u64).map(Thing::Mesh),
            ("vertices", Some(index)) => self.mesh_of_vertex(index as u64).map(Thing::Mesh),
            ("animations", Some(index)) => self.clip(index),
            ("tracks", Some(track)) => self.clip_of_track(track),
            ("keyframes", Some(key)) => {
                let firsts = self.file.numbers("tracks", "first_keyframe");
                let before = firsts.into_iter().filter(|(_, first)| *first <= key as u64);
                let (track, _) = before.max_by_key(|(track, first)| (*first, *track))?;
                self.clip_of_track(track)
            }
            _ => None,
        }
    }

    /// Files beside the model: one of each kind.
    fn in_companion(&self, rest: &[Segment]) -> Option<Thing> {
        let scene = self.scene;
        match (step(rest)?, scene.clips.len(), scene.materials.len()) {
            (("pani", ..), 1, _) => Some(Thing::Clip(0)),
            (("pmat", ..), _, 1) => scene.materials.handles().next().map(Thing::Material),
            (("json", _, rest), clips, _) => match step(rest)? {
                ("clips", Some(clip), _) if clip < clips => Some(Thing::Clip(clip)),
                _ => None,
            },
            _ => None,
        }
    }

    /// The animation of a file that has one, with its bones and nodes.
    fn in_animation(&self, rest: &[Segment]) -> Option<Thing> {
        match step(rest) {
            Some(("nodes", Some(index), _)) => node(self.scene, index),
            Some(("bone_info", Some(index), _)) => {
                let id = self.file.number(&format!("animation.bone_info[{index}].node_id"))?;
                self.node_by_id("animation.nodes", id)
            }
            _ => (!self.scene.clips.is_empty()).then_some(Thing::Clip(0)),
        }
    }

    fn in_mesh(&self, index: usize, rest: &[Segment]) -> Option<Thing> {
        let mesh = self.mesh(index)?;
        let material = || self.scene.meshes.get(mesh)?.primitives.iter().find_map(|primitive| primitive.material);
        let part = match step(rest) {
            Some(("bones", Some(bone), _)) => self.bone(mesh, bone),
            Some(("animations", Some(animation), _)) => {
                let name = self.file.text(&format!("meshes[{index}].animations[{animation}].name"));
                self.scene.clips.iter().position(|clip| Some(&clip.name) == name.as_ref()).map(Thing::Clip)
            }
            Some(("texture", ..)) => material().and_then(|material| self.image_of(material)).map(Thing::Image),
            Some(("material_name", ..)) => material().map(Thing::Material),
            _ => None,
        };
        part.or(Some(Thing::Mesh(mesh)))
    }

    /// A bone of a mesh. One that no vertex follows is not bound to it; if there is one skeleton, it is of that.
    fn bone(&self, mesh: Handle<Mesh>, bone: usize) -> Option<Thing> {
        let skins = &self.scene.skins;
        let own = self.scene.nodes.iter().find(|node| node.mesh == Some(mesh)).and_then(|node| node.skin);
        let skin = own.or_else(|| skins.handles().next().filter(|_| skins.len() == 1))?;
        skins.get(skin)?.joints.get(bone).copied().map(Thing::Node)
    }

    /// The mesh of the scene that a mesh of the file became, or a part of.
    fn mesh(&self, index: usize) -> Option<Handle<Mesh>> {
        let scene = self.scene;
        let drawn = self.file.numbers("nodes", "mesh_ids").into_iter().find(|(_, mesh)| *mesh == index as u64);
        if let Some((node, _)) = drawn {
            return scene.nodes.get(Handle::from_index(node))?.mesh;
        }
        if self.file.count("meshes").is_none_or(|count| count == scene.meshes.len()) {
            return nth(&scene.meshes, index);
        }
        // Some were left out: one of as many vertices, if there is only one.
        let counts = self.file.numbers("meshes", "vertex_count");
        let own = counts.iter().find(|(mesh, _)| *mesh == index)?.1;
        let size = |mesh: &Mesh| mesh.primitives.iter().map(|primitive| primitive.streams.len() as u64).sum::<u64>();
        let mut alike = scene.meshes.entries().filter(|(_, mesh)| size(mesh) == own);
        let is_only = counts.iter().filter(|(_, count)| *count == own).count() == 1;
        alike.next().map(|(mesh, _)| mesh).filter(|_| is_only && alike.next().is_none())
    }

    /// Nodes of one id: the first.
    fn node_by_id(&self, list: &str, id: u64) -> Option<Thing> {
        let ids = self.file.numbers(list, "id");
        node(self.scene, ids.into_iter().find(|(_, own)| *own == id)?.0)
    }

    /// The mesh that a corner belongs to, where all meshes have their corners in one table.
    fn mesh_of_corner(&self, corner: u64) -> Option<Handle<Mesh>> {
        let firsts = self.file.numbers("meshes", "first_index");
        let counts = self.file.numbers("meshes", "index_count");
        let mut meshes = firsts.into_iter().zip(counts);
        let holds = |first: u64, count: u64| (first..first.saturating_add(count)).contains(&corner);
        let ((mesh, _), _) = meshes.find(|((_, first), (_, count))| holds(*first, *count))?;
        nth(&self.scene.meshes, mesh)
    }

    /// The first mesh that uses a vertex, where all meshes have their vertices in one table.
    fn mesh_of_vertex(&self, vertex: u64) -> Option<Handle<Mesh>> {
        let wanted = u32::try_from(vertex).ok()?.to_le_bytes();
        let corner = self.file.bytes("indices").as_chunks().0.iter().position(|corner| *corner == wanted)?;
        self.mesh_of_corner(corner as u64)
    }

    /// Tracks are as many for each animation as there are joints.
    fn clip_of_track(&self, track: usize) -> Option<Thing> {
        self.clip(track.checked_div(self.file.count("joints")?)?)
    }

    /// The clip of an animation; where the first is cut into several, the first of them.
    fn clip(&self, animation: usize) -> Option<Thing> {
        let clips = self.scene.clips.len();
        let stored = self.file.count("animations").unwrap_or(clips);
        let clip = match animation {
            0 => 0,
            _ => (clips + animation).checked_sub(stored)?,
        };
        (clip < clips && animation < stored).then_some(Thing::Clip(clip))
    }

    /// A path of a texture in a list of them: the first is for the first mesh, and so on.
    fn texture_path(&self, material: usize, texture: usize) -> Option<Thing> {
        if let Some(image) = self.file.text(&self.path.to_string()).and_then(|path| self.image_named(&path)) {
            return Some(Thing::Image(image));
        }
        self.texture_material(material, texture)
    }

    fn texture_material(&self, material: usize, texture: usize) -> Option<Thing> {
        let counts = self.file.numbers("materials", "texture_count");
        let before: u64 = counts.iter().take(material).map(|(_, count)| count).sum();
        let mesh = self.mesh(usize::try_from(before).ok()? + texture)?;
        let material = self.scene.meshes.get(mesh)?.primitives.iter().find_map(|primitive| primitive.material)?;
        Some(Thing::Material(material))
    }

    fn image_named(&self, path: &str) -> Option<Handle<Image>> {
        let is_named = |image: &Image| {
            let name = image.name.trim_end_matches('\0');
            name == path || !name.is_empty() && path.ends_with(name)
        };
        self.scene.images.entries().find(|(_, image)| is_named(image)).map(|(handle, _)| handle)
    }

    fn image_of(&self, material: Handle<Material>) -> Option<Handle<Image>> {
        self.scene.materials.get(material)?.images().into_iter().map(|(_, image)| image).next()
    }

    fn in_gltf(&self, segments: &[Segment]) -> Option<Thing> {
        let (name, index, _) = step(segments)?;
        let (scene, index) = (self.scene, index?);
        match name {
            "nodes" => self.named(&scene.nodes, "nodes", index, |node| &node.name).map(Thing::Node),
            "meshes" => self.named(&scene.meshes, "meshes", index, |mesh| &mesh.name).map(Thing::Mesh),
            "skins" => self.named(&scene.skins, "skins", index, |skin| &skin.name).map(Thing::Skin),
            "materials" => nth(&scene.materials, index).map(Thing::Material),
            "images" => self.named(&scene.images, "images", index, |image| &image.name).map(Thing::Image),
            "textures" => {
                let image = self.file.number(&format!("json.textures[{index}].source"))?;
                self.in_gltf(&["images".into(), usize::try_from(image).ok()?.into()])
            }
            "animations" => (index < scene.clips.len()).then_some(Thing::Clip(index)),
            "accessors" => {
                let user = self.file.users_of_accessor(index)?;
                self.in_gltf(user.segments())
            }
            "samplers" => {
                let textures = self.file.numbers("json.textures", "sampler");
                let (texture, _) = textures.into_iter().find(|(_, sampler)| *sampler == index as u64)?;
                self.in_gltf(&["textures".into(), texture.into()])
            }
            _ => None,
        }
    }

    /// The object at the same position, if none was left out; otherwise the only one of its name.
    fn named<T>(&self, arena: &Arena<T>, list: &str, index: usize, name: fn(&T) -> &String) -> Option<Handle<T>> {
        if self.file.count(&format!("json.{list}")).is_none_or(|count| count == arena.len()) {
            return nth(arena, index);
        }
        let wanted = self.file.text(&format!("json.{list}[{index}].name"))?;
        let mut alike = arena.entries().filter(|(_, item)| *name(item) == wanted);
        alike.next().map(|(handle, _)| handle).filter(|_| alike.next().is_none())
    }
}

/// A name, the number behind it, and the rest of a path.
fn step(segments: &[Segment]) -> Option<(&str, Option<usize>, &[Segment])> {
    match segments {
        [Segment::Name(name), Segment::Index(index), rest @ ..] => Some((name, Some(*index), rest)),
        [Segment::Name(name), rest @ ..] => Some((name, None, rest)),
        _ => None,
    }
}

fn nth<T>(arena: &Arena<T>, index: usize) -> Option<Handle<T>> {
    (index < arena.len()).then(|| Handle::from_index(index))
}

fn node(scene: &Scene, index: usize) -> Option<Thing> {
    nth(&scene.nodes, index).map(Thing::Node)
}

/// A file that is gone through for every question.
pub struct Walked<'a> {
    /// The file.
    pub file: &'a dyn Walk,
    /// Its bytes.
    pub bytes: &'a [u8],
}

impl Walked<'_> {
    /// The bytes of a part of the file.
    pub fn extent(&self, path: &Path) -> Result<Range<u64>, Miss> {
        #[derive(Default)]
        struct Extent(Option<Range<u64>>);
        impl Visit for Extent {
            fn open(&mut self, _: &Segment, _: Container, offset: u64) {
                self.0.get_or_insert(offset..offset);
            }
            fn close(&mut self) {}
            fn leaf(&mut self, _: &Segment, leaf: &Leaf<'_>) {
                let end = leaf.offset + leaf.bytes.len() as u64;
                self.0.get_or_insert(leaf.offset..end).end = end;
            }
        }
        let mut extent = Extent::default();
        locate::section(self.file, path, &mut extent)?;
        Ok(extent.0.unwrap_or_default())
    }

    /// Shows all leaves of a part of the file, with their paths below it.
    fn leaves(&self, path: &str, see: impl FnMut(&[Segment], &Leaf<'_>)) {
        struct Leaves<F> {
            path: Vec<Segment>,
            see: F,
        }
        impl<F: FnMut(&[Segment], &Leaf<'_>)> Visit for Leaves<F> {
            fn open(&mut self, name: &Segment, _: Container, _: u64) {
                self.path.push(name.clone());
            }
            fn close(&mut self) {
                self.path.pop();
            }
            fn leaf(&mut self, name: &Segment, leaf: &Leaf<'_>) {
                self.path.push(name.clone());
                (self.see)(self.path.get(1..).unwrap_or_default(), leaf);
                self.path.pop();
            }
        }
        if let Ok(path) = path.parse() {
            // What is not there has no leaves.
            _ = locate::section(self.file, &path, &mut Leaves { path: Vec::new(), see });
        }
    }

    fn leaf<T>(&self, path: &str, read: impl Fn(&Leaf<'_>) -> Option<T>) -> Option<T> {
        let mut found = None;
        self.leaves(path, |below, leaf| {
            if below.is_empty() {
                found = read(leaf);
            }
        });
        found
    }
}

/// A number of a leaf; one of JSON is a text.
fn number(ty: Type, bytes: &[u8]) -> Option<u64> {
    match ty {
        Type::Text(_) => std::str::from_utf8(bytes).ok()?.parse().ok(),
        _ => value::number(ty, bytes).parse().ok(),
    }
}

impl File for Walked<'_> {
    fn count(&self, list: &str) -> Option<usize> {
        let table = self.leaf(list, |leaf| leaf.count);
        let mut last = None;
        self.leaves(list, |below, _| {
            if let Some(Segment::Index(index)) = below.first() {
                last = last.max(Some(index + 1));
            }
        });
        table.or(last)
    }

    fn numbers(&self, list: &str, name: &str) -> Vec<(usize, u64)> {
        let mut numbers = Vec::new();
        self.leaves(list, |below, leaf| match (below, leaf.ty, leaf.count) {
            // A table of records.
            ([], Type::Record(layout), Some(_)) => {
                let Some(field) = layout.fields.iter().find(|field| field.name == name) else { return };
                let parts = leaf.bytes.chunks_exact(layout.bytes.max(1));
                let values = parts.map(|part| number(field.ty, part.get(field.offset..)?));
                numbers.extend(values.enumerate().filter_map(|(item, value)| Some((item, value?))));
            }
            ([Segment::Index(item), Segment::Name(own)], ty, None) if own == name => {
                numbers.extend(number(ty, leaf.bytes).map(|value| (*item, value)));
            }
            ([Segment::Index(item), Segment::Name(own)], ty, Some(_)) if own == name => {
                let parts = leaf.bytes.chunks_exact(ty.bytes().max(1));
                numbers.extend(parts.filter_map(|part| Some((*item, number(ty, part)?))));
            }
            // A header in front of what an item has.
            ([Segment::Index(item), Segment::Name(_)], Type::Record(layout), None) => {
                let field = layout.fields.iter().find(|field| field.name == name);
                let value = field.and_then(|field| number(field.ty, leaf.bytes.get(field.offset..)?));
                numbers.extend(value.map(|value| (*item, value)));
            }
            _ => {}
        });
        numbers
    }

    fn number(&self, path: &str) -> Option<u64> {
        self.leaf(path, |leaf| number(leaf.ty, leaf.bytes))
    }

    fn text(&self, path: &str) -> Option<String> {
        self.leaf(path, |leaf| {
            let text = String::from_utf8_lossy(leaf.bytes);
            let text = text.trim_end_matches('\0');
            let quoted = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
            matches!(leaf.ty, Type::Text(_)).then(|| quoted.unwrap_or(text).to_owned())
        })
    }

    fn bytes(&self, path: &str) -> &[u8] {
        let extent = path.parse().ok().and_then(|path| self.extent(&path).ok());
        extent.map_or(&[], |extent| slice(self.bytes, &extent))
    }

    fn users_of_accessor(&self, accessor: usize) -> Option<Path> {
        let mut user = None;
        for list in ["meshes", "skins", "animations"] {
            self.leaves(&format!("json.{list}"), |below, leaf| {
                let names = |wanted: &[&str]| {
                    below.iter().any(|step| matches!(step, Segment::Name(name) if wanted.contains(&name.as_ref())))
                };
                let is_use = match list {
                    "meshes" => names(&["attributes", "indices", "targets"]),
                    "skins" => names(&["inverseBindMatrices"]),
                    _ => names(&["input", "output"]),
                };
                if let ([item @ Segment::Index(_), ..], true, true) = (below, is_use, user.is_none())
                    && number(leaf.ty, leaf.bytes) == Some(accessor as u64)
                {
                    user = Some(Path::from(vec![list.into(), item.clone()]));
                }
            });
        }
        user
    }
}
