//! Scenes made from bytes: whatever the bytes, a small scene, odd in as many ways as a scene can be.
//!
//! The same bytes make the same scene, so a fuzzer can search among them.

use maquette::scene::clip::{Blend, Clip, Curve, Event, Interpolation, Keys, Target, Track};
use maquette::scene::glam::{Mat4, Quat, Vec3};
use maquette::scene::image::{ColourSpace, Image, ImageData, PixelFormat};
use maquette::scene::material::{AlphaMode, Material, PackedMaps, PackedTexture, Pbr, TextureUse, UvTransform, Wrap};
use maquette::scene::mesh::{Influences, Mesh, MorphTarget, Primitive, Streams, Topology};
use maquette::scene::scene::{Node, Skin, Transform, Trs};
use maquette::scene::{Handle, Scene};

/// The scene of these bytes; it need not hold together.
pub fn from_bytes(bytes: &[u8]) -> Scene {
    Dice { bytes, at: 0, is_calm: false }.scene()
}

/// A scene of these bytes that is as odd in its structure and has no numbers that make places meaningless: none is huge, no matrix is flat or
/// bends space, weights are parts of one, keys lie on frames, and roots show all that is drawn.
pub fn calm_from_bytes(bytes: &[u8]) -> Scene {
    Dice { bytes, at: 0, is_calm: true }.scene()
}

/// Bytes taken as throws; zeros when they are used up.
struct Dice<'a> {
    bytes: &'a [u8],
    at: usize,
    is_calm: bool,
}

impl Dice<'_> {
    fn byte(&mut self) -> u8 {
        self.at += 1;
        self.bytes.get(self.at - 1).copied().unwrap_or(0)
    }

    fn below(&mut self, sides: usize) -> usize {
        usize::from(self.byte()) % sides.max(1)
    }

    fn coin(&mut self) -> bool {
        self.byte() % 2 == 1
    }

    fn of<T: Clone>(&mut self, choices: &[T]) -> T {
        let at = self.below(choices.len());
        choices[at].clone()
    }

    fn handle<T>(&mut self, count: usize) -> Option<Handle<T>> {
        (count > 0 && self.coin()).then(|| Handle::from_index(self.below(count)))
    }

    fn number(&mut self) -> f32 {
        match self.below(12) {
            0 => 0.0,
            1 => 1.0,
            2 => -0.0,
            3 if !self.is_calm => self.of(&[1e30, -1e30, 1e-30, f32::MAX, f32::MIN_POSITIVE, 16_777_217.0]),
            _ => (f32::from(self.byte()) - 100.0) / 17.0,
        }
    }

    fn primitive_of_one(&mut self) -> f32 {
        f32::from(self.byte()) / 255.0
    }

    fn numbers<const N: usize>(&mut self) -> [f32; N] {
        std::array::from_fn(|_| self.number())
    }

    fn list<T>(&mut self, count: usize, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..count).map(|_| make(self)).collect()
    }

    fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.coin().then(|| make(self))
    }

    fn name(&mut self) -> String {
        let long = "ä".repeat(100);
        self.of(&["", "arm", "arm", "leg", "../x", "a/b\\c", "nul\0inside", "walk.pani", "con", "名前", long.as_str()])
            .to_owned()
    }

    fn scale(&mut self) -> [f32; 3] {
        let scale = self.numbers();
        if !self.is_calm { scale } else { scale.map(|part: f32| part.signum() * (0.5 + part.abs() / 16.0)) }
    }

    fn rotation(&mut self) -> Quat {
        Quat::from_euler(
            Default::default(),
            self.primitive_of_one() * 6.0,
            self.primitive_of_one() * 6.0,
            self.primitive_of_one(),
        )
    }

    fn matrix(&mut self) -> Mat4 {
        match self.below(4) {
            0 => Mat4::IDENTITY,
            1 if !self.is_calm => Mat4::from_cols_array(&self.numbers()),
            _ => {
                let (rotation, translation) = (self.rotation(), Vec3::from(self.numbers::<3>()));
                Mat4::from_scale_rotation_translation(Vec3::from(self.scale()), rotation, translation)
            }
        }
    }

    fn scene(&mut self) -> Scene {
        let mut scene = Scene::default();
        let images = self.below(3);
        scene.images = (0..images).map(|_| self.image()).collect();
        let materials = self.below(3);
        scene.materials = (0..materials).map(|_| self.material(images)).collect();
        let nodes = self.below(7);
        let meshes = self.below(4);
        scene.meshes = (0..meshes).map(|_| self.mesh(materials, nodes)).collect();
        let skins = if nodes > 0 { self.below(3) } else { 0 };
        self.nodes(&mut scene, nodes, meshes, skins);
        scene.skins = (0..skins).map(|_| self.skin(nodes)).collect();
        let clips = self.below(3);
        scene.clips = (0..clips).map(|_| self.clip(nodes)).collect();
        scene
    }

    fn image(&mut self) -> Image {
        let (width, height) = (1 + self.below(6) as u32, 1 + self.below(6) as u32);
        let data = match self.below(4) {
            0 => ImageData::External(self.name()),
            1 => {
                let start: &[u8] = self.of(&[&b"\x89PNG\r\n\x1a\n"[..], b"\xff\xd8\xff\xe0", b"DDS ", b""]);
                let bytes = [start, &self.list(5, Dice::byte)].concat();
                ImageData::Encoded {
                    mime: self.of(&["image/png", "image/jpeg", "", "text/x"]).into(),
                    bytes: bytes.into(),
                }
            }
            _ => {
                let format = self.of(&[PixelFormat::Rgba8, PixelFormat::Rg8, PixelFormat::Bc5, PixelFormat::Bc7]);
                let wrong = usize::from(self.below(8) == 0);
                let bytes = |level: usize| {
                    let [w, h] = [width, height].map(|side| (side as usize >> level).max(1));
                    let right = match format {
                        PixelFormat::Rgba8 => w * h * 4,
                        PixelFormat::Rg8 => w * h * 2,
                        PixelFormat::Bc5 | PixelFormat::Bc7 => w.div_ceil(4) * h.div_ceil(4) * 16,
                    };
                    right + wrong
                };
                let all = 1 + width.max(height).ilog2() as usize;
                let count = self.of(&[0, 1, all]);
                let levels = (0..count).map(|level| self.list(bytes(level), Dice::byte).into()).collect();
                let colour_space = self.of(&[ColourSpace::Linear, ColourSpace::Srgb]);
                ImageData::Pixels { format, colour_space, width, height, levels }
            }
        };
        Image::new(self.name(), data)
    }

    fn texture(&mut self, images: usize) -> Option<TextureUse> {
        let image = self.handle(images)?;
        let wrap = [self.of(&[Wrap::Repeat, Wrap::Mirror, Wrap::Clamp]), Wrap::Repeat];
        let transform =
            self.maybe(|dice| UvTransform { offset: dice.numbers(), rotation: dice.number(), scale: dice.numbers() });
        Some(TextureUse { uv_set: self.below(3) as u32, wrap, transform, ..TextureUse::new(image) })
    }

    /// Maps that are packed, though the images may not be fit for it.
    fn packed(&mut self, images: usize) -> PackedMaps {
        let mut map = || PackedTexture {
            image: Handle::from_index(self.below(images)),
            wrap: [self.of(&[Wrap::Repeat, Wrap::Mirror, Wrap::Clamp]); 2],
        };
        PackedMaps { base_colour: map(), normal: map(), surface: map() }
    }

    fn pbr(&mut self, images: usize) -> Pbr {
        Pbr {
            base_colour: self.numbers(),
            metallic: self.number(),
            roughness: self.number(),
            emissive: self.numbers(),
            emissive_strength: self.number(),
            normal_scale: self.number(),
            occlusion_strength: self.number(),
            base_colour_texture: self.texture(images),
            metallic_roughness_texture: self.texture(images),
            normal_texture: self.texture(images),
            occlusion_texture: self.texture(images),
            emissive_texture: self.texture(images),
        }
    }

    fn material(&mut self, images: usize) -> Material {
        let is_packed = images > 0 && self.below(4) == 0;
        Material {
            surface: if is_packed { self.packed(images).into() } else { self.pbr(images).into() },
            name: self.name(),
            alpha: match self.below(3) {
                0 => AlphaMode::Opaque,
                1 => AlphaMode::Blend,
                _ => AlphaMode::Mask(self.number()),
            },
            double_sided: self.coin(),
            unlit: self.coin(),
            ..Material::default()
        }
    }

    fn mesh(&mut self, materials: usize, joints: usize) -> Mesh {
        let targets = if self.below(4) == 0 { self.below(3) } else { 0 };
        let primitives = self.below(3);
        Mesh {
            name: self.name(),
            primitives: self.list(primitives, |dice| dice.primitive(materials, joints, targets)),
            morph_names: self.list(targets, Dice::name),
            morph_weights: self.list(targets, Dice::number),
            ..Mesh::default()
        }
    }

    fn primitive(&mut self, materials: usize, joints: usize, targets: usize) -> Primitive {
        let count = self.below(8);
        let topology = self.of(&[Topology::Triangles, Topology::Triangles, Topology::Lines]);
        let corners = if count > 0 { self.below(4) * topology.corners() } else { 0 };
        let (uv_sets, colours) = (self.below(3), self.below(2));
        let streams = Streams {
            positions: self.list(count, Dice::numbers),
            normals: self.maybe(|dice| dice.list(count, Dice::numbers)),
            tangents: self.maybe(|dice| dice.list(count, Dice::numbers)),
            uvs: self.list(uv_sets, |dice| dice.list(count, Dice::numbers)),
            colours: self.list(colours, |dice| dice.list(count, Dice::numbers)),
            influences: if joints > 0 { self.maybe(|dice| dice.influences(count, joints)) } else { None },
        };
        let morph_targets = self.list(targets, |dice| MorphTarget {
            positions: dice.list(count, Dice::numbers),
            normals: dice.maybe(|dice| dice.list(count, Dice::numbers)),
            tangents: dice.maybe(|dice| dice.list(count, Dice::numbers)),
        });
        let indices = self.list(corners, |dice| dice.below(count) as u32);
        Primitive { streams, indices, topology, material: self.handle(materials), morph_targets }
    }

    fn influences(&mut self, count: usize, joints: usize) -> Influences {
        let slots = 1 + self.below(6);
        let weight =
            |dice: &mut Self| if !dice.is_calm && dice.below(8) == 0 { dice.number() } else { dice.primitive_of_one() };
        Influences {
            slots,
            joints: self.list(count * slots, |dice| dice.below(joints) as u32),
            weights: self.list(count * slots, weight),
        }
    }

    /// Children come before or after their parents, and some nodes are shown by no root.
    fn nodes(&mut self, scene: &mut Scene, count: usize, meshes: usize, skins: usize) {
        let backwards = self.coin();
        let handle = |index: usize| Handle::from_index(if backwards { count - 1 - index } else { index });
        let parents: Vec<Option<usize>> =
            (0..count).map(|index| if index > 0 && self.coin() { Some(self.below(index)) } else { None }).collect();
        let mut nodes = self.list(count, |dice| Node {
            name: dice.name(),
            transform: match dice.coin() {
                true => Transform::Matrix(dice.matrix()),
                false => Transform::Trs(Trs {
                    translation: Vec3::from(dice.numbers::<3>()),
                    rotation: dice.rotation(),
                    scale: Vec3::from(dice.scale()),
                }),
            },
            mesh: dice.handle(meshes),
            skin: dice.handle(skins),
            ..Node::default()
        });
        if backwards {
            nodes.reverse();
        }
        for (index, parent) in parents.iter().enumerate() {
            match parent {
                Some(parent) => nodes[handle(*parent).index()].children.push(handle(index)),
                None if self.below(8) > 0 || self.is_calm => scene.roots.push(handle(index)),
                None => {}
            }
        }
        scene.nodes = nodes.into_iter().collect();
    }

    fn skin(&mut self, nodes: usize) -> Skin {
        let turned = self.below(nodes);
        let joints: Vec<Handle<Node>> = (0..nodes).map(|index| Handle::from_index((index + turned) % nodes)).collect();
        Skin { name: self.name(), joint_from_mesh: self.list(nodes, Dice::matrix), joints }
    }

    fn keys<T>(&mut self, mut make: impl FnMut(&mut Self) -> T) -> Keys<T> {
        let count = self.below(4);
        let interpolation = self.of(&[Interpolation::Linear, Interpolation::Step, Interpolation::CubicSpline]);
        let each = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        let mut time = if self.below(8) == 0 && !self.is_calm { -1.0 } else { 0.0 };
        let times_secs = self.list(count, |dice| {
            time +=
                (f32::from(dice.byte()) + 1.0) / (if dice.is_calm { 30.0 } else { dice.of(&[1e6, 30.0, 24.0, 8.0]) });
            time
        });
        Keys { times_secs, values: self.list(count * each, &mut make), interpolation }
    }

    fn clip(&mut self, nodes: usize) -> Clip {
        let (tracks, events) = (self.below(6), self.below(3));
        Clip {
            name: self.name(),
            duration_secs: f64::from(self.number()),
            tracks: self.list(tracks, |dice| dice.track(nodes)),
            events: self.list(events, |dice| Event { time_secs: dice.number(), name: dice.name() }),
            blend: self.of(&[Blend::Absolute, Blend::Absolute, Blend::Relative, Blend::Additive, Blend::Delta]),
            looped: self.maybe(Dice::coin),
            frame_rate: self.maybe(Dice::number),
            ..Clip::default()
        }
    }

    fn track(&mut self, nodes: usize) -> Track {
        let target = match self.handle(nodes) {
            Some(node) => Target::Node(node),
            None => Target::Name(self.name()),
        };
        let curve = match self.below(4) {
            0 => Curve::Translation(self.keys(Dice::numbers)),
            1 => Curve::Rotation(self.keys(|dice| dice.rotation().to_array())),
            2 => Curve::Scale(self.keys(Dice::scale)),
            _ => Curve::MorphWeights(self.keys(|dice| vec![dice.number(); 2])),
        };
        let blend = self.maybe(|dice| dice.of(&[Blend::Absolute, Blend::Relative, Blend::Additive, Blend::Delta]));
        Track { target, curve, blend }
    }
}
