//! The creature: a small newt with everything that a model may have. Skin with a normal map, brass, eyes and spots that glow, fins that light shines through,
//! fringed gills, a skeleton, shapes and three clips.
//!
//! It is made of surfaces (`surface`) that functions describe, painted in its own space (`paint`), and posed by a skeleton whose legs reach for where feet are to be (`pose`).

mod body;
mod face;
mod limbs;
mod maths;
mod motion;
mod paint;
mod pose;
mod skeleton;
mod surface;
mod trim;

use maquette_scene::glam::{Mat4, Vec3};
use maquette_scene::image::{Image, ImageData};
use maquette_scene::material::{AlphaMode, Material, Pbr, TextureUse};
use maquette_scene::mesh::{Mesh, Primitive};
use maquette_scene::scene::{Node, Skin, Transform, Trs};
use maquette_scene::{Handle, Scene};
use motion::Moved;
use skeleton::Joint;
use surface::Has;

/// The creature. It faces +Z and stands on the ground; lengths are metres.
pub fn creature() -> Scene {
    let mut scene = Scene::default();
    let joints = joints(&mut scene);
    let materials = materials(&mut scene);
    let (body, face) = meshes(&mut scene, &joints, &materials);
    let clips = motion::clips(&Moved { joints, body, face });
    clips.into_iter().for_each(|clip| _ = scene.clips.push(clip));
    scene
}

fn joints(scene: &mut Scene) -> Vec<Handle<Node>> {
    let node = |joint: Joint| {
        let translation = (joint.place() - joint.parent().place()).as_vec3();
        let is_child = |other: &Joint| other.parent() == joint && *other != joint;
        let children = Joint::ALL.into_iter().filter(is_child).map(|child| Handle::from_index(child as usize));
        let transform = Transform::Trs(Trs { translation, ..Trs::IDENTITY });
        Node { name: joint.name().into(), transform, children: children.collect(), ..Node::default() }
    };
    let joints: Vec<Handle<Node>> = Joint::ALL.into_iter().map(|joint| scene.nodes.push(node(joint))).collect();
    scene.roots.extend(joints.first());
    joints
}

struct Materials {
    skin: Handle<Material>,
    brass: Handle<Material>,
    eye: Handle<Material>,
    fin: Handle<Material>,
    gill: Handle<Material>,
}

fn materials(scene: &mut Scene) -> Materials {
    let mut texture = |name: &str, bytes: Option<Vec<u8>>| {
        let data = ImageData::Encoded { mime: "image/png".into(), bytes: bytes?.into() };
        Some(TextureUse::new(scene.images.push(Image::new(name, data))))
    };
    let skin = paint::skin();
    let surface = texture(
        "skin_occlusion_roughness_metalness",
        skin.as_ref().map(|skin| skin.occlusion_roughness_metalness.clone()),
    );
    let skin = Pbr {
        base_colour_texture: texture("skin_base_color", skin.as_ref().map(|skin| skin.base_colour.clone())),
        normal_texture: texture("skin_normal", skin.as_ref().map(|skin| skin.normal.clone())),
        metallic_roughness_texture: surface.clone(),
        occlusion_texture: surface,
        emissive_texture: texture("skin_emissive", skin.map(|skin| skin.emissive)),
        emissive: [1.0; 3],
        ..Pbr::default()
    };
    let brass = Pbr {
        base_colour: [0.90, 0.60, 0.22, 1.0],
        roughness: 0.24,
        normal_texture: texture("brass_normal", paint::hammered()),
        ..Pbr::default()
    };
    let [colour, surface, glow] = paint::eye().map_or([None, None, None], |all| all.map(Some));
    let eye = Pbr {
        base_colour_texture: texture("eye_base_color", colour),
        metallic_roughness_texture: texture("eye_roughness_metalness", surface),
        emissive_texture: texture("eye_emissive", glow),
        emissive: [1.0; 3],
        ..Pbr::default()
    };
    let leaf = |texture| Pbr { metallic: 0.0, roughness: 0.55, base_colour_texture: texture, ..Pbr::default() };
    let (fin, gill) = (leaf(texture("fin_base_color", paint::fin())), leaf(texture("gill_base_color", paint::gill())));
    let named = |name: &str, pbr: Pbr| Material { name: name.into(), surface: pbr.into(), ..Material::default() };
    Materials {
        skin: scene.materials.push(named("skin", skin)),
        brass: scene.materials.push(named("brass", brass)),
        eye: scene.materials.push(named("eye", eye)),
        fin: scene.materials.push(Material { alpha: AlphaMode::Blend, double_sided: true, ..named("fin", fin) }),
        gill: scene.materials.push(Material { alpha: AlphaMode::Mask(0.5), double_sided: true, ..named("gill", gill) }),
    }
}

/// The nodes of the meshes that have shapes.
fn meshes(scene: &mut Scene, joints: &[Handle<Node>], materials: &Materials) -> (Handle<Node>, Handle<Node>) {
    let mapped = Has { tangents: true, shape: false };
    let shaped = Has { shape: true, ..mapped };
    let body = vec![body::part().primitive(materials.skin, &shaped)];
    let limbs = vec![limbs::part().primitive(materials.skin, &mapped)];
    let plain = Has::default();
    let face = vec![
        face::lids().primitive(materials.skin, &shaped),
        face::eyes().primitive(materials.eye, &Has { tangents: false, ..shaped }),
    ];
    let trim = vec![
        trim::brass().primitive(materials.brass, &mapped),
        trim::gills().primitive(materials.gill, &plain),
        trim::fins().primitive(materials.fin, &plain),
    ];
    let joint_from_mesh = Joint::ALL.map(|joint| Mat4::from_translation(Vec3::ZERO - joint.place().as_vec3())).to_vec();
    let skin = scene.skins.push(Skin { name: "creature".into(), joints: joints.to_vec(), joint_from_mesh });
    let mut add = |name: &str, primitives: Vec<Primitive>, shape: Option<&str>| {
        let morph_names = shape.into_iter().map(str::to_owned).collect();
        let morph_weights = shape.into_iter().map(|_| 0.0).collect();
        let mesh = Mesh { name: name.into(), primitives, morph_names, morph_weights, ..Mesh::default() };
        let mesh = Some(scene.meshes.push(mesh));
        let node = scene.nodes.push(Node { name: name.into(), mesh, skin: Some(skin), ..Node::default() });
        scene.roots.push(node);
        node
    };
    let body = add("body", body, Some("breathe"));
    add("limbs", limbs, None);
    let face = add("face", face, Some("blink"));
    add("trim", trim, None);
    (body, face)
}
