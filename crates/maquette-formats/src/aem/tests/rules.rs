//! Rules at their limits: what just passes, and what just does not.

use super::super::check::check;
use super::super::raw::{Dialect, File, Vertex};
use super::super::sample::model;
use crate::format::change_at;
use maquette_scene::Report;

/// A change to a vertex.
type Change = fn(&mut Vertex);

/// The codes and places that the specimen is found wanting for after a change.
fn findings(change: impl FnOnce(&mut File<'_>)) -> Vec<(&'static str, String)> {
    let mut file = model(Dialect::Document);
    change(&mut file);
    let mut report = Report::default();
    check(&file, &mut report);
    report.items().iter().map(|finding| (finding.code.id, finding.path.to_string())).collect()
}

#[test]
fn a_mesh_ends_with_the_indices() {
    assert_eq!(findings(|_| {}), []);
    let late = findings(|file| change_at(&mut file.meshes, 0, |mesh| mesh.first_index = 1.into()));
    assert_eq!(late[0], ("AEM0011", "meshes[0].first_index".into()));
}

#[test]
fn textures_may_share_all_of_their_bytes() {
    let again = |file: &mut File<'_>, offset| {
        let mut texture = file.textures[0];
        texture.offset += offset;
        file.textures.push(texture);
        change_at(&mut file.materials, 0, |material| material.pbr_texture_index = 3.into());
        let mut second = file.materials[0];
        second.pbr_texture_index = 2.into();
        file.materials.to_mut().push(second);
    };
    assert_eq!(findings(|file| again(file, 0)), []);
    let overlapping = findings(|file| again(file, 4));
    assert_eq!(overlapping[0], ("AEM0028", "textures[3].offset".into()));
}

#[test]
fn a_duration_reaches_the_last_key_but_for_rounding() {
    let lasting = |secs: f32| findings(|file| change_at(&mut file.animations, 0, |clip| clip.duration = secs.into()));
    assert_eq!(lasting(1.999_995), []);
    assert_eq!(lasting(1.999), [("AEM0081", "animations[0].duration".into())]);
    assert_eq!(lasting(0.0), [("AEM0081", "animations[0].duration".into())], "no duration is short, and valid");
    assert_eq!(lasting(-1.0), [("AEM0082", "animations[0].duration".into())]);
}

#[test]
fn a_scale_of_0_along_any_axis_is_found() {
    for axis in 0..3 {
        let flat = findings(|file| change_at(&mut file.keyframes, 6, |key| key.value[axis] = 0.0.into()));
        assert_eq!(flat, [("AEM0080", "keyframes[6].value".into())], "{axis}");
    }
}

#[test]
fn every_number_of_a_vertex_must_be_one() {
    let broken: [(&str, Change); 6] = [
        ("position", |vertex| vertex.position[2] = f32::NAN.into()),
        ("normal", |vertex| vertex.normal[2] = f32::NAN.into()),
        ("tangent", |vertex| vertex.tangent[2] = f32::NAN.into()),
        ("bitangent", |vertex| vertex.bitangent[2] = f32::NAN.into()),
        ("uv", |vertex| vertex.uv[1] = f32::NAN.into()),
        ("joint_weights", |vertex| vertex.joint_weights[3] = f32::NAN.into()),
    ];
    for (field, change) in broken {
        let [(code, place)] = &findings(|file| change_at(&mut file.vertices, 3, change))[..] else { panic!("{field}") };
        assert_eq!(*code, "AEM0060", "{field}");
        assert!(place.starts_with(&format!("vertices[3].{field}")), "{place}");
    }
}

#[test]
fn a_number_that_is_none_hides_no_fault_of_another_field() {
    let found = |change: Change| {
        let found = findings(|file| change_at(&mut file.vertices, 3, change));
        let mut codes: Vec<&str> = found.into_iter().map(|(code, _)| code).collect();
        codes.sort_unstable();
        codes
    };
    let codes = found(|vertex| {
        vertex.position[0] = f32::NAN.into();
        vertex.normal = [0.0.into(), 0.0.into(), 2.0.into()];
        vertex.tangent = [0.0.into(), 0.0.into(), 2.0.into()];
        vertex.joint_indices[0] = 99.into();
    });
    assert_eq!(codes, ["AEM0060", "AEM0061", "AEM0062", "AEM0063"]);
    let codes = found(|vertex| {
        vertex.joint_weights[3] = f32::INFINITY.into();
        vertex.joint_indices[0] = 99.into();
    });
    assert_eq!(codes, ["AEM0060", "AEM0063"], "weights that are none have no sum");
    let codes = found(|vertex| {
        vertex.normal[0] = f32::NAN.into();
        vertex.bitangent = [0.0.into(), 0.0.into(), 2.0.into()];
    });
    assert_eq!(codes, ["AEM0060", "AEM0062"]);
}

#[test]
fn tangents_and_bitangents_have_unit_length() {
    let long = |change: Change| findings(|file| change_at(&mut file.vertices, 3, change));
    let tangent = long(|vertex| vertex.tangent = [0.0.into(), 0.0.into(), 2.0.into()]);
    assert_eq!(tangent, [("AEM0062", "vertices[3].tangent".into())]);
    let bitangent = long(|vertex| vertex.bitangent = [0.0.into(), 0.0.into(), 2.0.into()]);
    assert_eq!(bitangent, [("AEM0062", "vertices[3].bitangent".into())]);
}

#[test]
fn a_texture_that_no_material_uses_is_told() {
    let unused = findings(|file| change_at(&mut file.materials, 0, |material| material.pbr_texture_index = 0.into()));
    assert_eq!(unused, [("AEM0030", "textures[2]".into())]);
}
