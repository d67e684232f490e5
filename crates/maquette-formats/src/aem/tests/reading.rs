//! What a scene says of a file: bind poses, surfaces, keys, and every loss.

use super::super::raw::{Animation, Dialect, File, Keyframe, Mesh};
use super::super::sample::model;
use super::scene::{scene_of, try_read};
use crate::format::change_at;
use maquette_scene::clip::{Clip, Curve};
use maquette_scene::glam::{Mat3, Mat4, Quat, Vec3};
use maquette_scene::image::{ImageData, PixelFormat};
use maquette_scene::loss::{LossKind, LossReport, Lost};
use maquette_scene::material::AlphaMode;
use maquette_scene::{Scene, pose};

fn changed(change: impl FnOnce(&mut File<'_>)) -> File<'static> {
    let mut file = model(Dialect::Document);
    change(&mut file);
    file
}

fn counts(losses: &LossReport) -> Vec<(Lost, u64)> {
    losses.iter().map(|loss| (loss.what, loss.count)).collect()
}

fn clip(scene: &Scene) -> &Clip {
    scene.clips.iter().next().unwrap()
}

/// The specimen with a normal map as the reference once wrote it: one pixel of two bytes, in a layout that does not say so.
fn with_two_bytes_a_pixel() -> File<'static> {
    changed(|file| {
        file.image_buffer.to_mut().drain(340..354);
        for (texture, [offset, compression]) in file.textures.iter_mut().zip([[0, 0], [340, 0], [342, 2]]) {
            texture.offset = offset;
            texture.compression = compression as u32;
        }
    })
}

/// Binds the joints with these matrices, from model space.
fn bound(binds: [Mat4; 3]) -> File<'static> {
    changed(|file| {
        for (index, bind) in binds.into_iter().enumerate() {
            let inverse = bind.inverse().to_cols_array();
            change_at(&mut file.joints, index, |joint| joint.inverse_bind_matrix = inverse.map(Into::into));
        }
    })
}

fn assert_rests_where_it_is_stored(file: &File<'_>) {
    let (scene, losses) = scene_of(file);
    assert!(losses.is_empty(), "{losses:?}");
    for (found, vertex) in pose::positions_at_rest(&scene).iter().zip(&*file.vertices) {
        let stored = Vec3::from(vertex.position.map(|x| x.get()));
        assert!(found.distance(stored) < 1e-5, "{found} is not {stored}");
    }
}

#[test]
fn joints_that_are_bound_turned_rest_where_they_are_bound() {
    let at = |turn: Quat, place: Vec3| Mat4::from_rotation_translation(turn, place);
    let file = bound([
        at(Quat::from_rotation_x(0.5), Vec3::X),
        at(Quat::from_rotation_y(-1.0), Vec3::new(0.0, 1.0, 2.0)),
        at(Quat::from_rotation_z(2.0), Vec3::new(-3.0, 2.0, 0.0)),
    ]);
    assert_rests_where_it_is_stored(&file);
    let (scene, _) = scene_of(&file);
    let middle = scene.nodes.iter().nth(1).unwrap().transform.matrix();
    let right =
        at(Quat::from_rotation_x(0.5), Vec3::X).inverse() * at(Quat::from_rotation_y(-1.0), Vec3::new(0.0, 1.0, 2.0));
    assert!(middle.abs_diff_eq(right, 1e-5), "seen from its parent: {middle} is not {right}");
}

#[test]
fn joints_that_are_bound_sheared_rest_where_they_are_bound() {
    let shear = Mat4::from_mat3(Mat3::from_cols(Vec3::X, Vec3::new(0.8, 1.0, 0.0), Vec3::Z));
    assert_rests_where_it_is_stored(&bound([Mat4::IDENTITY, shear, shear * shear]));
}

#[test]
fn normals_of_two_bytes_a_pixel_are_known_by_their_room() {
    let (scene, _) = scene_of(&with_two_bytes_a_pixel());
    let format = |data: &ImageData| match data {
        ImageData::Pixels { format, .. } => *format,
        other => panic!("{other:?}"),
    };
    let formats: Vec<_> = scene.images.iter().map(|image| format(&image.data)).collect();
    assert_eq!(formats, [PixelFormat::Rgba8, PixelFormat::Rg8, PixelFormat::Bc7]);
}

#[test]
fn a_material_of_unknown_type_is_opaque() {
    let file = changed(|file| change_at(&mut file.materials, 0, |material| material.kind = 2.into()));
    assert_eq!(scene_of(&file).0.materials.iter().next().unwrap().alpha, AlphaMode::Opaque);
}

#[test]
fn a_bitangent_that_is_not_across_is_told() {
    let bitangent = Quat::from_rotation_x(0.1) * Vec3::Y;
    let file = changed(|file| change_at(&mut file.vertices, 0, |v| v.bitangent = bitangent.to_array().map(Into::into)));
    let (_, losses) = scene_of(&file);
    assert_eq!(counts(&losses), [(Lost::Tangents, 1)]);
    let LossKind::Approximated { max_error } = losses.losses()[0].kind else { panic!("{losses:?}") };
    assert!((max_error - 2.0 * 0.05f32.sin()).abs() < 1e-6, "{max_error}");
}

#[test]
fn joints_without_weight_move_nothing() {
    let file = changed(|file| {
        for vertex in file.vertices.to_mut() {
            (vertex.joint_indices, vertex.joint_weights) = ([0.into(); 4], [0.0.into(); 4]);
        }
    });
    let (scene, _) = scene_of(&file);
    assert!(scene.nodes.iter().all(|node| node.skin.is_none()));
    assert!(scene.meshes.iter().all(|mesh| mesh.primitives[0].streams.influences.is_none()));
}

#[test]
fn what_points_past_the_end_of_a_table_is_refused_at_its_place() {
    let refused = |file: &File<'_>| {
        let error = try_read(file, &mut LossReport::default()).err().unwrap();
        let found = error.diagnostic().unwrap();
        (found.code.id, found.path.to_string())
    };
    let joint = changed(|file| change_at(&mut file.vertices, 3, |v| v.joint_indices = [0, 3, -1, -1].map(Into::into)));
    assert_eq!(refused(&joint), ("AEM0063", "vertices[3].joint_indices[1]".into()));
    let index = changed(|file| {
        let second = Mesh { first_index: 27.into(), index_count: 27.into(), material_index: 0.into() };
        change_at(&mut file.meshes, 0, |mesh| mesh.index_count = 27.into());
        file.meshes.to_mut().push(second);
        change_at(&mut file.indices, 30, |index| *index = 28.into());
    });
    assert_eq!(refused(&index), ("AEM0010", "indices[30]".into()));
    let track = changed(|file| {
        let (animations, tracks): ([Animation; 1], _) = ([file.animations[0]], file.tracks.to_vec());
        file.animations.to_mut().extend(animations);
        file.tracks.to_mut().extend(tracks);
        change_at(&mut file.tracks, 4, |track| track.scale_count = 99.into());
    });
    assert_eq!(refused(&track), ("AEM0071", "tracks[4].first_keyframe".into()));
    let mesh = changed(|file| change_at(&mut file.meshes, 0, |mesh| mesh.first_index = 1.into()));
    assert_eq!(refused(&mesh), ("AEM0011", "meshes[0].first_index".into()));
}

#[test]
fn vertices_and_corners_that_make_no_triangle_are_told() {
    // The first triangle alone: 25 of the 28 vertices are in no mesh.
    let file = changed(|file| change_at(&mut file.meshes, 0, |mesh| mesh.index_count = 3.into()));
    assert_eq!(counts(&scene_of(&file).1), [(Lost::Vertices, 25)]);
    // The lid loses its second triangle, and with it one vertex.
    let file = changed(|file| change_at(&mut file.meshes, 0, |mesh| mesh.index_count = 53.into()));
    let (scene, losses) = scene_of(&file);
    assert_eq!(scene.meshes.iter().next().unwrap().primitives[0].indices.len(), 51);
    assert_eq!(counts(&losses), [(Lost::Triangles, 2), (Lost::Vertices, 1)]);
}

/// The rotations of the middle joint: keys 8 to 12 of the file.
fn rotations(scene: &Scene) -> (Vec<f32>, Vec<[f32; 4]>) {
    match &clip(scene).tracks[4].curve {
        Curve::Rotation(keys) => (keys.times_secs.clone(), keys.values.clone()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn keys_are_put_in_order_and_the_last_at_a_time_holds() {
    let key = |file: &File<'_>, at: usize| -> Keyframe { file.keyframes[at] };
    let file = changed(|file| {
        let (second, third) = (key(file, 9), key(file, 10));
        change_at(&mut file.keyframes, 9, |key| *key = third);
        change_at(&mut file.keyframes, 10, |key| *key = second);
        change_at(&mut file.keyframes, 11, |key| key.time = 1.0.into());
    });
    let (scene, losses) = scene_of(&file);
    let (times, values) = rotations(&scene);
    assert_eq!(times, [0.0, 0.5, 1.0, 2.0]);
    assert_eq!(values[2], key(&file, 11).value.map(|x| x.get()), "that of the later key");
    assert_eq!(counts(&losses), [(Lost::Keys, 5)]);
}

#[test]
fn keys_that_are_not_finite_are_left_out_and_told() {
    let file = changed(|file| {
        change_at(&mut file.keyframes, 9, |key| key.value[2] = f32::NAN.into());
        change_at(&mut file.keyframes, 10, |key| key.time = f32::INFINITY.into());
    });
    let (scene, losses) = scene_of(&file);
    assert_eq!(rotations(&scene).0, [0.0, 1.5, 2.0]);
    assert_eq!(counts(&losses), [(Lost::Keys, 2)]);
}

#[test]
fn a_joint_without_keys_is_not_moved_turned_or_scaled() {
    let file = changed(|file| {
        change_at(&mut file.tracks, 2, |track| {
            (track.translation_count, track.rotation_count, track.scale_count) = (0.into(), 0.into(), 0.into());
        });
    });
    let (scene, _) = scene_of(&file);
    let tip = scene.nodes.handles().nth(2).unwrap();
    assert_eq!(pose::locals(&scene, clip(&scene), 0.5)[tip.index()], Mat4::IDENTITY);
}

#[test]
fn a_clip_without_a_duration_lasts_to_its_last_key() {
    for duration in [0.0, -1.0, f32::NAN] {
        let file = changed(|file| change_at(&mut file.animations, 0, |clip| clip.duration = duration.into()));
        let (scene, losses) = scene_of(&file);
        assert_eq!(clip(&scene).duration_secs, 2.0, "{duration}");
        assert_eq!(losses.names(Lost::Durations), duration.is_nan());
    }
}
