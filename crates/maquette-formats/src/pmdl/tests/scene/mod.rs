//! PMDL as a scene and back: what the file holds, how it moves, what is lost.

mod contract;
mod files;

use super::{bone, floats, header, ints};
use crate::format::{Bundle, Error, Fitted, ReadOptions, Resources, Source, WriteOptions};
use crate::pmdl::{Dialect, FORMAT, sample};
use crate::specimen;
use maquette_scene::glam::{Mat4, Quat, Vec3};
use maquette_scene::loss::LossReport;
use maquette_scene::mesh::Streams;
use maquette_scene::scene::Node;
use maquette_scene::{Scene, pose, valid};
use std::borrow::Cow;

/// Companion files of `post.pmdl`.
#[derive(Clone, Default)]
struct Folder(Vec<(String, Vec<u8>)>);

impl Resources for Folder {
    fn get(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, bytes)| Cow::Borrowed(&bytes[..]))
    }
}

fn folder(bundle: &Bundle) -> Folder {
    Folder(bundle.companions.iter().map(|(naming, bytes)| (naming.apply("post.pmdl"), bytes.clone())).collect())
}

fn words(losses: &LossReport) -> Vec<String> {
    losses
        .losses()
        .iter()
        .map(|loss| format!("{} {} of {}", loss.kind.word(), loss.what.word(), loss.subject))
        .collect()
}

fn try_read(bytes: &[u8], folder: &Folder) -> Result<(Scene, Vec<String>), Error> {
    let source = Source { name: "post.pmdl", resources: folder, ..Source::BARE };
    let mut losses = LossReport::default();
    let options = ReadOptions { source, ..ReadOptions::default() };
    let scene = (FORMAT.open)(bytes, None)?.read(&options, &mut losses)?;
    valid::check(&scene).unwrap();
    Ok((scene, words(&losses)))
}

fn read(bundle: &Bundle) -> (Scene, Vec<String>) {
    try_read(&bundle.main, &folder(bundle)).unwrap()
}

fn alone(bytes: &[u8]) -> (Scene, Vec<String>) {
    try_read(bytes, &Folder::default()).unwrap()
}

fn refused(bytes: &[u8]) -> (&'static str, u64, String) {
    let error = try_read(bytes, &Folder::default()).err().unwrap();
    let finding = error.diagnostic().unwrap();
    (finding.code.id, finding.offset.unwrap(), finding.path.to_string())
}

fn try_write(scene: &Scene, dialect: &str) -> Result<(Bundle, Vec<String>), Error> {
    let mut losses = LossReport::default();
    let options = WriteOptions { dialect, name: "post.pmdl", others: &[] };
    let fitted = Fitted::check(scene, &(FORMAT.caps)(dialect))?;
    let bundle = (FORMAT.write)(&fitted, &options, &mut losses)?;
    Ok((bundle, words(&losses)))
}

fn write(scene: &Scene, dialect: &str) -> (Bundle, Vec<String>) {
    try_write(scene, dialect).unwrap()
}

/// Where a scene is not as the writer needs it.
fn misfit(scene: &Scene, dialect: &str) -> String {
    match try_write(scene, dialect) {
        Err(Error::Misfit(invalid)) => invalid.path.to_string(),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it was written"),
    }
}

/// Where the specimen's vertices are, from the angles it is made of.
fn expected(secs: f32) -> Vec<Vec3> {
    let turn = [0.0, 30.0, 0.0, -30.0, 0.0f32];
    let at = (secs / 0.5).floor().clamp(0.0, 3.0);
    let (from, to) = (turn[at as usize], turn[at as usize + 1]);
    let angle = (from + (to - from) * (secs / 0.5 - at)).to_radians();
    let about = |height: f32, angle: f32| {
        Mat4::from_translation(Vec3::Y * height)
            * Mat4::from_quat(Quat::from_rotation_z(angle))
            * Mat4::from_translation(Vec3::NEG_Y * height)
    };
    let middle = about(1.0, angle);
    let skinning = [Mat4::IDENTITY, middle, middle * about(2.0, -angle)];
    let place = |vertex: &specimen::Vertex| {
        let position = Vec3::from(vertex.position);
        let used = vertex.joints.iter().zip(vertex.weights).filter(|(_, weight)| *weight > 0.0);
        used.map(|(&joint, weight)| skinning[joint as usize].transform_point3(position) * weight).sum()
    };
    specimen::geometry().0.iter().map(place).collect()
}

fn assert_close(expected: &[Vec3], found: &[Vec3], what: &str) {
    assert_eq!(expected.len(), found.len(), "{what}");
    for (expected, found) in expected.iter().zip(found) {
        assert!(expected.abs_diff_eq(*found, 2e-6), "{what}: {expected} {found}");
    }
}

fn positions_at(scene: &Scene, secs: f32) -> Vec<Vec3> {
    pose::positions_at(scene, scene.clips.iter().next().unwrap(), secs)
}

#[test]
fn samples_become_the_specimen() {
    let (vertices, indices) = specimen::geometry();
    for dialect in Dialect::ALL {
        let (scene, losses) = read(&sample(dialect.id()));
        assert_eq!(losses, [""; 0], "{}", dialect.id());
        assert_eq!(scene.meshes.len(), 1);
        let primitive = &scene.meshes.iter().next().unwrap().primitives[0];
        assert_eq!(primitive.indices, indices);
        let streams = &primitive.streams;
        assert!(streams.positions.iter().eq(vertices.iter().map(|vertex| &vertex.position)));
        assert!(streams.normals.iter().flatten().eq(vertices.iter().map(|vertex| &vertex.normal)));
        assert!(streams.uvs[0].iter().eq(vertices.iter().map(|vertex| &vertex.uv)));
        assert_eq!(streams.tangents.is_some(), *dialect != Dialect::Document);
        let material = scene.materials.get(primitive.material.unwrap()).unwrap();
        assert_eq!(material.name, specimen::MATERIAL);
        assert!(material.pbr().unwrap().base_colour_texture.is_some());
        assert_close(
            &vertices.iter().map(|v| v.position.into()).collect::<Vec<_>>(),
            &pose::positions_at_rest(&scene),
            "rest",
        );
    }
}

#[test]
fn the_engines_sample_moves_as_the_specimen_does() {
    let (scene, _) = read(&sample("engine"));
    assert_eq!(scene.clips.iter().next().unwrap().name, specimen::CLIP);
    for step in 0..=80 {
        let secs = step as f32 * 0.025;
        assert_close(&expected(secs), &positions_at(&scene, secs), &format!("at {secs}"));
    }
}

#[test]
fn the_documents_bones_lie_side_by_side_and_hold_nothing() {
    let (scene, _) = read(&sample("document"));
    assert_eq!((scene.skins.len(), scene.nodes.len(), scene.roots.len()), (1, 4, 4));
    let tip = scene.nodes.iter().find(|node| node.name == "tip").unwrap();
    assert_eq!(tip.transform.matrix(), Mat4::from_translation(Vec3::Y * 2.0));
    assert!(scene.nodes.iter().all(|node| node.skin.is_none()));
    assert_close(&positions_at(&scene, 0.0), &positions_at(&scene, 0.5), "nothing moves");
}

/// The same files, but that the image is named after the model, as writers name it.
fn image_renamed(mut folder: Folder) -> Folder {
    let image = format!("post.{}", specimen::TEXTURE_FILE);
    for (name, bytes) in &mut folder.0 {
        if *name == specimen::TEXTURE_FILE {
            name.clone_from(&image);
        }
        if name == "post.pmat" {
            // The path ends the file, and its length stands before it.
            let path = bytes.len() - specimen::TEXTURE_FILE.len();
            assert_eq!(&bytes[path..], specimen::TEXTURE_FILE.as_bytes());
            bytes.truncate(path - 4);
            bytes.extend((image.len() as u32).to_le_bytes());
            bytes.extend(image.as_bytes());
        }
    }
    folder
}

#[test]
fn samples_written_in_their_own_dialect_come_back_byte_for_byte() {
    for dialect in Dialect::ALL {
        let sample = sample(dialect.id());
        let (scene, _) = read(&sample);
        let (written, losses) = write(&scene, dialect.id());
        assert_eq!(losses, [""; 0], "{}", dialect.id());
        assert_eq!(written.main, sample.main, "{}", dialect.id());
        assert_eq!(folder(&written).0, image_renamed(folder(&sample)).0, "{}", dialect.id());
        assert_eq!(read(&written).0, scene);
    }
}

#[test]
fn other_dialects_name_what_they_lack() {
    let (scene, _) = read(&sample("engine"));
    assert_eq!(misfit(&scene, "document"), "meshes[0].primitives[0].tangents");
    let mut plain = scene.clone();
    streams(&mut plain).tangents = None;
    assert_eq!(misfit(&plain, "document"), "meshes[0].primitives[0].influences");
    streams(&mut plain).influences = None;
    let (document, losses) = write(&plain, "document");
    assert_eq!(losses, ["dropped hierarchy of the skeleton"]);
    assert_eq!(document.main, sample("document").main);
    assert_eq!(misfit(&scene, "engine-20"), "meshes[0].primitives[0].influences");
    let mut still = scene.clone();
    still.clips = Default::default();
    assert_eq!(misfit(&scene, "engine-24"), "clips");
    let (middle, losses) = write(&still, "engine-24");
    assert_eq!(losses, [""; 0]);
    assert_eq!(middle.main, sample("engine-24").main);
    streams(&mut still).influences = None;
    let (oldest, losses) = write(&still, "engine-20");
    assert_eq!(losses, ["dropped joints of the skeleton"]);
    assert_eq!(oldest.main, sample("engine-20").main);
}

fn streams(scene: &mut Scene) -> &mut Streams {
    &mut scene.meshes.iter_mut().next().unwrap().primitives[0].streams
}

/// The file `box.pmdl` with these meshes, each of one triangle and the material `m`.
fn model(meshes: &[Vec<u8>]) -> Vec<u8> {
    [header(meshes.len() as u32), meshes.concat()].concat()
}

/// A mesh of type 3 with these bones, whose vertices have these influences.
fn rigged(bones: &[Vec<u8>], joints: [i32; 4], weights: [f32; 4]) -> Vec<u8> {
    let corner = |x: f32, y: f32| {
        let place = floats(&[x, y, 0., 0., 0., 1., 1., 0., 0., 0.25, y]);
        [place, joints.iter().flat_map(|joint| joint.to_le_bytes()).collect(), floats(&weights)].concat()
    };
    let counts = ints(&[3, 3, 1, 3, bones.len() as u32, 0, 1]);
    let corners = [corner(0., 0.), corner(1., 0.), corner(0., 1.)].concat();
    [counts, b"m".to_vec(), bones.concat(), corners, ints(&[0, 1, 2])].concat()
}

const LIFTED: [f32; 16] = [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., -1., 0., 1.];
const SINGLE: ([i32; 4], [f32; 4]) = ([0, -1, -1, -1], [1., 0., 0., 0.]);

#[test]
fn texture_coordinates_are_turned_upside_down() {
    let (scene, _) = alone(&model(&[rigged(&[bone(-1, LIFTED, "a")], SINGLE.0, SINGLE.1)]));
    let uvs = &scene.meshes.iter().next().unwrap().primitives[0].streams.uvs[0];
    assert_eq!(uvs[..], [[0.25, 1.0], [0.25, 1.0], [0.25, 0.0]]);
}

#[test]
fn a_bone_rests_where_its_matrix_binds_it() {
    let turned = Mat4::from_rotation_z(0.5) * Mat4::from_translation(Vec3::new(1., -2., 3.));
    let bones = [bone(-1, LIFTED, "a"), bone(0, turned.to_cols_array(), "b")];
    let (scene, _) = alone(&model(&[rigged(&bones, [0, 1, -1, -1], [0.5, 0.5, 0., 0.])]));
    let world = scene.rest_world_from_node();
    let skin = scene.skins.iter().next().unwrap();
    for (joint, joint_from_mesh) in skin.joints.iter().zip(&skin.joint_from_mesh) {
        assert!((world[joint.index()] * *joint_from_mesh).abs_diff_eq(Mat4::IDENTITY, 1e-6));
    }
    assert_eq!(scene.nodes.get(skin.joints[0]).unwrap().children, [skin.joints[1]]);
}

#[test]
fn equal_skeletons_are_one_and_others_stay_apart() {
    let [a, b] = [LIFTED, super::IDENTITY].map(|matrix| rigged(&[bone(-1, matrix, "a")], SINGLE.0, SINGLE.1));
    let (scene, _) = alone(&model(&[a.clone(), a.clone(), b]));
    let skins: Vec<_> = scene.nodes.iter().filter_map(|node| node.skin).map(|skin| skin.index()).collect();
    assert_eq!((skins, scene.skins.len(), scene.nodes.len()), (vec![0, 0, 1], 2, 5));
    let (scene, _) = alone(&model(&[a.clone(), rigged(&[bone(-1, LIFTED, "b")], SINGLE.0, SINGLE.1)]));
    assert_eq!(scene.skins.len(), 2, "another name makes another skeleton");
}

#[test]
fn unused_influences_name_no_bone_and_weights_without_one_are_left_out() {
    let bones = [bone(-1, LIFTED, "a"), bone(0, LIFTED, "b")];
    let (scene, losses) = alone(&model(&[rigged(&bones, [1, 9, -1, -1], [0.75, 0., 0.25, 0.])]));
    let influences = scene.meshes.iter().next().unwrap().primitives[0].streams.influences.clone().unwrap();
    assert_eq!((&influences.joints[..4], &influences.weights[..4]), (&[1, 0, 0, 0][..], &[0.75, 0., 0., 0.][..]));
    assert!(losses.contains(&"dropped influences of mesh 0".into()), "{losses:?}");
    let (bundle, _) = write(&scene, "engine");
    let file = super::File::parse(&bundle.main).unwrap();
    let super::Vertices::Type3(vertices) = &file.meshes[0].vertices else { panic!("type 3") };
    assert_eq!(vertices[0].bone_indices.map(|index| index.get()), [1, -1, -1, -1]);
}

#[test]
fn what_no_scene_can_hold_is_refused_at_its_place() {
    let bones = [bone(-1, LIFTED, "a")];
    let vertices = 19 + 28 + 1 + 73;
    let stray = model(&[rigged(&bones, [0, 7, -1, -1], [0.5, 0.5, 0., 0.])]);
    assert_eq!(refused(&stray), ("PMDL0053", vertices + 48, "meshes[0].vertices[0].bone_indices[1]".into()));
    let endless = model(&[rigged(&bones, SINGLE.0, [f32::NAN, 0., 0., 0.])]);
    assert_eq!(refused(&endless), ("PMDL0050", vertices + 60, "meshes[0].vertices[0].bone_weights".into()));
    let own = model(&[rigged(&[bone(1, LIFTED, "a"), bone(0, LIFTED, "b")], SINGLE.0, SINGLE.1)]);
    assert_eq!(refused(&own).0, "PMDL0034");
    let far = model(&[rigged(&[bone(5, LIFTED, "a")], SINGLE.0, SINGLE.1)]);
    assert_eq!(refused(&far), ("PMDL0033", 48, "meshes[0].bones[0].parent".into()));
    let nowhere = model(&[rigged(&[bone(-1, [f32::NAN; 16], "a")], SINGLE.0, SINGLE.1)]);
    assert_eq!(refused(&nowhere), ("PMDL0040", 52, "meshes[0].bones[0].offset_matrix".into()));
    let mut past = model(&[rigged(&bones, SINGLE.0, SINGLE.1)]);
    let last = past.len() - 4;
    past[last] = 3;
    assert_eq!(refused(&past), ("PMDL0010", last as u64, "meshes[0].indices[2]".into()));
}

#[test]
fn a_bone_before_its_parent_is_read_all_the_same() {
    let bones = [bone(1, LIFTED, "a"), bone(-1, super::IDENTITY, "b")];
    let (scene, _) = alone(&model(&[rigged(&bones, SINGLE.0, SINGLE.1)]));
    let skin = scene.skins.iter().next().unwrap();
    assert_eq!(scene.nodes.get(skin.joints[1]).unwrap().children, [skin.joints[0]]);
}

#[test]
fn a_matrix_without_an_inverse_leaves_its_bone_at_its_parent() {
    let (scene, losses) = alone(&model(&[rigged(&[bone(-1, [0.; 16], "a")], SINGLE.0, SINGLE.1)]));
    assert!(losses.contains(&"dropped rest poses of the skeleton of mesh 0".into()), "{losses:?}");
    assert_eq!(scene.nodes.iter().next().unwrap().transform, Node::default().transform);
}

/// A mesh of type 1 without indices, bones and animations, of these vertices.
fn plain(vertices: &[[f32; 8]], index_count: u32) -> Vec<u8> {
    [ints(&[1, vertices.len() as u32, 0, index_count, 0, 0, 1]), b"m".to_vec(), floats(vertices.as_flattened())]
        .concat()
}

const CORNER: [f32; 8] = [1., 2., 3., 0., 0., 1., 0.5, 0.5];

#[test]
fn vertices_without_indices_are_drawn_in_order() {
    let (scene, losses) = alone(&model(&[plain(&[CORNER; 5], 7)]));
    assert_eq!(scene.meshes.iter().next().unwrap().primitives[0].indices, [0, 1, 2]);
    assert_eq!(losses[1..], ["dropped format details of mesh 0", "truncated triangles of mesh 0"]);
}

#[test]
fn meshes_without_vertices_or_with_endless_ones_are_left_out() {
    let mut endless = CORNER;
    endless[1] = f32::INFINITY;
    let (scene, losses) = alone(&model(&[plain(&[], 0), plain(&[CORNER, CORNER, endless], 0), plain(&[CORNER; 3], 0)]));
    assert_eq!(scene.meshes.len(), 1);
    assert_eq!(losses[1..], ["dropped meshes of mesh 0", "dropped meshes of mesh 1"]);
}

#[test]
fn streams_of_zeros_are_none_and_endless_ones_are_left_out() {
    let bare = [1., 2., 3., 0., 0., 0., 0., 0.];
    let (scene, losses) = alone(&model(&[plain(&[bare; 3], 0)]));
    let streams = &scene.meshes.iter().next().unwrap().primitives[0].streams;
    assert_eq!((streams.normals.is_some(), streams.uvs.len(), losses.len()), (false, 0, 1));
    let mut broken = CORNER;
    broken[3] = f32::NAN;
    let (scene, losses) = alone(&model(&[plain(&[CORNER, CORNER, broken], 0)]));
    assert!(scene.meshes.iter().next().unwrap().primitives[0].streams.normals.is_none());
    assert_eq!(losses[1..], ["dropped normals of mesh 0"]);
}

#[test]
fn type_1_in_44_bytes_is_recognised() {
    let long: Vec<[f32; 11]> = (0..8).map(|x| [x as f32, 2., 3., 0., 0., 1., 0., 0., 0., 0.5, 0.5]).collect();
    let indices: Vec<u32> = (0..8).chain([0]).collect();
    let mesh = [ints(&[1, 11, 1, 9, 0, 0, 1]), b"m".to_vec(), floats(long.as_flattened()), ints(&indices)].concat();
    let (scene, losses) = alone(&model(&[mesh]));
    assert_eq!(losses[1..], ["approximated format details of mesh 0"]);
    let streams = &scene.meshes.iter().next().unwrap().primitives[0].streams;
    assert_eq!((streams.len(), streams.positions[7], streams.tangents.is_some()), (8, [7., 2., 3.], false));
}

#[test]
fn damaged_files_make_valid_scenes_or_errors() {
    for dialect in Dialect::ALL {
        let Bundle { mut main, companions } = sample(dialect.id());
        let folder = folder(&Bundle { main: Vec::new(), companions });
        for at in 0..main.len() {
            let was = main[at];
            for now in [0, 1, 0x7f, 0xff] {
                main[at] = now;
                if let Ok((scene, _)) = try_read(&main, &folder) {
                    let _ = try_write(&scene, "engine");
                }
            }
            main[at] = was;
        }
    }
}

#[test]
fn faults_make_valid_scenes_or_errors() {
    for fault in FORMAT.faults {
        let bundle = (fault.make)();
        if let Ok((scene, _)) = try_read(&bundle.main, &folder(&bundle)) {
            for dialect in Dialect::ALL {
                let _ = try_write(&scene, dialect.id());
            }
        }
    }
}
