//! What a file says of a scene: several meshes and materials, textures that are shared, and every loss.

use super::super::raw::{Dialect, File};
use super::super::sample::model;
use super::scene::{scene_of, written};
use crate::format::change_at;
use maquette_scene::Scene;
use maquette_scene::clip::{Clip, Event};
use maquette_scene::glam::{Quat, Vec3};
use maquette_scene::loss::{LossReport, Lost};
use maquette_scene::material::{AlphaMode, Material, PackedMaps, Surface, Wrap};
use maquette_scene::scene::{Transform, Trs};
use zerocopy::little_endian::U32;

fn specimen() -> Scene {
    scene_of(&model(Dialect::Document)).0
}

fn losses_of(scene: &Scene) -> Vec<(Lost, u64)> {
    let losses: LossReport = written(scene, Dialect::Document).1;
    losses.iter().map(|loss| (loss.what, loss.count)).collect()
}

fn material(scene: &mut Scene) -> &mut Material {
    scene.materials.iter_mut().next().unwrap()
}

fn packed(material: &mut Material) -> &mut PackedMaps {
    match &mut material.surface {
        Surface::Packed(maps) => maps,
        Surface::Pbr(_) => panic!("packed"),
    }
}

fn clip(scene: &mut Scene) -> &mut Clip {
    scene.clips.iter_mut().next().unwrap()
}

#[test]
fn several_meshes_and_materials_come_back_as_they_were() {
    let mut file = model(Dialect::Document);
    let (vertices, indices) = (file.vertices.to_vec(), file.indices.to_vec());
    for copy in [1, 2] {
        file.vertices.to_mut().extend(&vertices);
        file.indices.to_mut().extend(indices.iter().map(|index| U32::new(index.get() + 28 * copy)));
        let mut mesh = file.meshes[0];
        (mesh.first_index, mesh.material_index) = ((54 * copy).into(), 1.into());
        file.meshes.to_mut().push(mesh);
    }
    let mut glass = file.materials[0];
    glass.kind = 1.into();
    file.materials.to_mut().push(glass);
    let (scene, losses) = scene_of(&file);
    assert!(losses.is_empty(), "{losses:?}");
    assert!(written(&scene, Dialect::Document).0 == file.encode());
}

#[test]
fn no_clip_lasts_less_than_no_time() {
    let mut scene = specimen();
    clip(&mut scene).duration_secs = -0.5;
    let (bytes, losses) = written(&scene, Dialect::Document);
    assert_eq!(File::parse(&bytes).unwrap().animations[0].duration.get(), 0.0);
    assert!(losses.iter().any(|loss| loss.what == Lost::Durations), "{losses:?}");
}

#[test]
fn mirrored_bitangents_stay_mirrored() {
    let mut file = model(Dialect::Document);
    for vertex in file.vertices.to_mut() {
        vertex.bitangent = vertex.bitangent.map(|x| (0.0 - x.get()).into());
    }
    let (scene, losses) = scene_of(&file);
    assert!(losses.is_empty(), "{losses:?}");
    assert!(written(&scene, Dialect::Document).0 == file.encode());
}

#[test]
fn two_channels_are_stated_where_the_layout_can() {
    for dialect in [Dialect::Channels, Dialect::Wide] {
        let mut file = model(dialect);
        file.image_buffer.to_mut().drain(340..354);
        (file.textures[1].compression, file.textures[2].offset) = (0, 342);
        let (scene, _) = scene_of(&file);
        assert!(written(&scene, dialect).0 == file.encode(), "{dialect:?}");
    }
}

#[test]
fn a_cut_out_is_transparent() {
    for (alpha, kind) in [(AlphaMode::Opaque, 0), (AlphaMode::Mask(0.5), 1), (AlphaMode::Blend, 1)] {
        let mut scene = specimen();
        material(&mut scene).alpha = alpha;
        let bytes = written(&scene, Dialect::Document).0;
        assert_eq!(File::parse(&bytes).unwrap().materials[0].kind.get(), kind, "{alpha:?}");
    }
}

#[test]
fn an_image_is_there_once_for_each_way_it_wraps() {
    let mut scene = specimen();
    let maps = packed(material(&mut scene));
    (maps.normal, maps.surface) = (maps.base_colour, maps.base_colour);
    maps.surface.wrap = [Wrap::Clamp, Wrap::Mirror];
    let bytes = written(&scene, Dialect::Document).0;
    let file = File::parse(&bytes).unwrap();
    let wraps: Vec<_> = file.textures.iter().map(|texture| (texture.wrap_x, texture.wrap_y)).collect();
    assert_eq!(wraps, [(0, 0), (2, 1)]);
    let material = file.materials[0];
    let used = [material.base_color_texture_index, material.normal_texture_index, material.pbr_texture_index];
    assert_eq!(used.map(|index| index.get()), [0, 0, 1]);
}

#[test]
fn what_a_material_has_no_place_for_is_told() {
    let mut scene = specimen();
    let material = material(&mut scene);
    (material.name, material.double_sided, material.unlit) = ("clay".into(), true, true);
    assert_eq!(losses_of(&scene), [(Lost::MaterialNames, 1), (Lost::DoubleSidedness, 1), (Lost::UnlitSurfaces, 1)]);
}

#[test]
fn what_a_clip_has_no_place_for_is_told() {
    let mut scene = specimen();
    let clip = clip(&mut scene);
    clip.events = [0.5, 1.5].map(|time_secs| Event { time_secs, name: "step".into() }).to_vec();
    (clip.looped, clip.frame_rate) = (Some(true), Some(30.0));
    assert_eq!(losses_of(&scene), [(Lost::Events, 2), (Lost::LoopFlags, 1), (Lost::FrameRates, 1)]);
}

#[test]
fn a_rest_pose_apart_from_the_bind_pose_is_told_and_is_what_joints_without_curves_have() {
    let mut scene = specimen();
    let (turn, place) = (Quat::from_rotation_x(0.5), Vec3::new(1.0, 2.0, 3.0));
    let tip = scene.nodes.handles().nth(2).unwrap();
    let rest = Trs { translation: place, rotation: turn, scale: Vec3::splat(2.0) };
    scene.nodes.get_mut(tip).unwrap().transform = Transform::Trs(rest);
    clip(&mut scene).tracks.truncate(6);
    assert_eq!(losses_of(&scene), [(Lost::RestPoses, 1)]);
    let bytes = written(&scene, Dialect::Document).0;
    let file = File::parse(&bytes).unwrap();
    let track = file.tracks[2];
    assert_eq!([track.translation_count, track.rotation_count, track.scale_count].map(|n| n.get()), [1, 1, 1]);
    let first = track.first_keyframe.get() as usize;
    let values = [0, 1, 2].map(|key| file.keyframes[first + key].value.map(|x| x.get()));
    assert_eq!(values, [[1.0, 2.0, 3.0, 0.0], turn.to_array(), [2.0, 2.0, 2.0, 0.0]]);
}

#[test]
fn bind_matrices_are_written_column_by_column() {
    let mut file = model(Dialect::Document);
    let bind = maquette_scene::glam::Mat4::from_rotation_translation(Quat::from_rotation_x(0.5), Vec3::X);
    change_at(&mut file.joints, 0, |joint| joint.inverse_bind_matrix = bind.to_cols_array().map(Into::into));
    assert_eq!(file.joints[0].inverse_bind_matrix[12].get(), 1.0);
    let (scene, _) = scene_of(&file);
    assert!(written(&scene, Dialect::Document).0 == file.encode());
}
