//! Byte-built cases for what only PMDL does: telling its dialects apart, its vertex and index types, and where it
//! says a file stops making sense.

mod scene;

use super::raw::{Bone, Dialect, File, Indices, Mesh, Vertices};
use crate::format::{Error, RawFile, Resources, Source};
use maquette_scene::Report;
use proptest::prelude::*;
use std::borrow::Cow;

const IDENTITY: [f32; 16] = [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.];
const COLUMN_MAJOR: [f32; 16] = [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 5., 6., 7., 1.];
const ROW_MAJOR: [f32; 16] = [1., 0., 0., 5., 0., 1., 0., 6., 0., 0., 1., 7., 0., 0., 0., 1.];

fn ints(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn floats(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// "PMDL", version 0, this many meshes, the name "box".
fn header(mesh_count: u32) -> Vec<u8> {
    [b"PMDL".to_vec(), ints(&[0, mesh_count, 3]), b"box".to_vec()].concat()
}

fn bone(number: i32, matrix: [f32; 16], name: &str) -> Vec<u8> {
    [number.to_le_bytes().to_vec(), floats(&matrix), ints(&[name.len() as u32]), name.as_bytes().to_vec()].concat()
}

/// Three vertices of type 1 at three corners, with unit normals.
fn triangle() -> Vec<u8> {
    let vertex = |x: f32, y: f32| floats(&[x, y, 0., 0., 0., 1., x, y]);
    [vertex(0., 0.), vertex(1., 0.), vertex(0., 1.)].concat()
}

/// A file of one triangle of type 1 and these bones, with the 28-byte header.
fn with_bones(bones: &[Vec<u8>]) -> Vec<u8> {
    let count = bones.len() as u32;
    [header(1), ints(&[1, 3, 1, 3, count, 0, 1]), b"m".to_vec(), bones.concat(), triangle(), ints(&[0, 1, 2])].concat()
}

fn code_and_place(result: Result<File<'_>, Error>) -> (&'static str, u64, String) {
    let error = result.err().expect("an error");
    let diagnostic = error.diagnostic().expect("a diagnostic");
    (diagnostic.code.id, diagnostic.offset.expect("an offset"), diagnostic.path.to_string())
}

fn found(file: &File<'_>) -> Vec<String> {
    let mut report = Report::default();
    file.check(&Source::BARE, &mut report);
    report.items().iter().map(|finding| format!("{} {}", finding.code.name, finding.path)).collect()
}

/// The dialect of a file, which must be written back unchanged and say why.
fn dialect(bytes: &[u8]) -> Dialect {
    let file = File::parse(bytes).unwrap();
    assert_eq!(file.encode(), bytes);
    assert!(file.evidence.contains(&bytes.len().to_string()), "{}", file.evidence);
    file.dialect
}

#[test]
fn a_mesh_is_header_material_animations_bones_vertices_indices() {
    let bytes = [
        header(1),
        ints(&[1, 3, 1, 3, 1, 2, 5]),
        b"brick".to_vec(),
        ints(&[4]),
        b"walk".to_vec(),
        ints(&[3]),
        b"run".to_vec(),
        bone(0, ROW_MAJOR, "hip"),
        triangle(),
        ints(&[0, 1, 2]),
    ]
    .concat();
    let file = File::parse(&bytes).unwrap();
    assert_eq!((file.dialect, &*file.name, file.version), (Dialect::Document, &b"box"[..], 0));
    let [mesh] = &file.meshes[..] else { panic!("one mesh") };
    assert_eq!(*mesh.material_name, *b"brick");
    assert_eq!(mesh.animations, [&b"walk"[..], b"run"]);
    assert_eq!((&*mesh.bones[0].name, mesh.bones[0].id_or_parent.get()), (&b"hip"[..], 0));
    assert_eq!(mesh.bones[0].offset_matrix.map(|x| x.get()), ROW_MAJOR);
    let Vertices::Type1(vertices) = &mesh.vertices else { panic!("type 1") };
    assert_eq!(vertices[1].position.map(|x| x.get()), [1., 0., 0.]);
    assert_eq!(vertices[2].uv.map(|x| x.get()), [0., 1.]);
    assert_eq!(mesh.indices.stored().iter().map(|index| index.get()).collect::<Vec<_>>(), [0, 1, 2]);
    assert_eq!(file.encode(), bytes);
}

#[test]
fn bulk_data_is_borrowed() {
    let bytes = with_bones(&[]);
    let file = File::parse(&bytes).unwrap();
    let Vertices::Type1(Cow::Borrowed(vertices)) = &file.meshes[0].vertices else { panic!("copied") };
    assert!(bytes.as_ptr_range().contains(&vertices.as_ptr().cast()));
    assert!(matches!(&file.meshes[0].indices, Indices::U32(Cow::Borrowed(_))));
}

#[test]
fn a_mesh_takes_no_more_memory_than_the_reader_allows_for_the_shortest_header() {
    assert!(size_of::<Mesh<'_>>() as u64 <= 8 * Dialect::Engine20.mesh_header_bytes());
    assert!(size_of::<Bone<'_>>() <= 2 * 72);
}

#[test]
fn type_1_without_bones_is_the_document() {
    assert_eq!(dialect(&with_bones(&[])), Dialect::Document);
}

#[test]
fn no_meshes_are_the_document() {
    assert_eq!(dialect(&header(0)), Dialect::Document);
}

#[test]
fn the_translation_decides_between_document_and_engine() {
    // The numbers before the matrices say the opposite here, and are not asked.
    assert_eq!(dialect(&with_bones(&[bone(-1, IDENTITY, "a"), bone(0, ROW_MAJOR, "b")])), Dialect::Document);
    assert_eq!(dialect(&with_bones(&[bone(0, IDENTITY, "a"), bone(1, COLUMN_MAJOR, "b")])), Dialect::Engine);
}

#[test]
fn without_translations_the_numbers_of_the_bones_decide() {
    assert_eq!(dialect(&with_bones(&[bone(0, IDENTITY, "a"), bone(1, IDENTITY, "b")])), Dialect::Document);
    assert_eq!(dialect(&with_bones(&[bone(-1, IDENTITY, "a"), bone(0, IDENTITY, "b")])), Dialect::Engine);
    assert_eq!(dialect(&with_bones(&[bone(7, IDENTITY, "a"), bone(3, IDENTITY, "b")])), Dialect::Document);
}

#[test]
fn vertex_types_2_and_3_are_the_engines() {
    for (vertex_type, stride) in [(2, 44), (3, 76)] {
        let bytes = [header(1), ints(&[vertex_type, 2, 0, 0, 0, 0, 0]), vec![0; 2 * stride]].concat();
        assert_eq!(dialect(&bytes), Dialect::Engine, "type {vertex_type}");
    }
}

#[test]
fn vertex_type_2_is_refused_where_the_document_is_asked_for() {
    let bytes = [header(1), ints(&[2, 2, 0, 0, 0, 0, 0]), vec![0; 88]].concat();
    assert_eq!(
        code_and_place(File::parse_as(&bytes, Dialect::Document)),
        ("PMDL0004", 19, "meshes[0].header.vertex_type".into())
    );
}

#[test]
fn a_20_byte_header_has_neither_bones_nor_animations() {
    let bytes = [header(1), ints(&[2, 1, 1, 3, 4]), b"clay".to_vec(), vec![0; 44], ints(&[0, 0, 0])].concat();
    assert_eq!(dialect(&bytes), Dialect::Engine20);
}

#[test]
fn a_24_byte_header_has_bones() {
    let mesh = [ints(&[3, 1, 0, 0, 1, 4]), b"clay".to_vec(), bone(-1, COLUMN_MAJOR, "hip"), vec![0; 76]].concat();
    let bytes = [header(2), mesh.clone(), mesh].concat();
    assert_eq!(dialect(&bytes), Dialect::Engine24);
    assert_eq!(*File::parse(&bytes).unwrap().meshes[1].bones[0].name, *b"hip");
}

#[test]
fn index_type_0_stores_nothing_and_keeps_its_count() {
    let bytes = [header(1), ints(&[1, 3, 0, 99, 0, 0, 1]), b"m".to_vec(), triangle()].concat();
    let file = File::parse(&bytes).unwrap();
    assert!(matches!(file.meshes[0].indices, Indices::Absent { claimed: 99 }));
    assert_eq!(file.encode(), bytes);
    assert_eq!(found(&file), ["indices-claimed-but-absent meshes[0].header.index_count"]);
    assert_eq!((file.summary().indices, file.summary().triangles), (0, 1));
}

#[test]
fn an_unknown_index_type_is_named_at_its_place() {
    let bytes = [header(1), ints(&[1, 3, 2, 3, 0, 0, 1]), b"m".to_vec(), triangle(), vec![0; 6]].concat();
    let place = ("PMDL0005", 19 + 8, "meshes[0].header.index_type".into());
    assert_eq!(code_and_place(File::parse(&bytes)), place);
}

#[test]
fn an_unknown_vertex_type_lists_the_known_ones() {
    let bytes = [header(1), ints(&[9, 3, 1, 3, 0, 0, 1]), b"m".to_vec(), triangle(), ints(&[0, 1, 2])].concat();
    let error = File::parse(&bytes).err().unwrap().to_string();
    assert!(error.contains("PMDL0004") && error.contains("at 0x13"), "{error}");
    assert!(error.contains("the vertex type is 9") && error.contains("3 (position, normal, tangent, uv"), "{error}");
}

#[test]
fn a_cut_file_is_spoken_of_in_the_dialect_whose_material_has_a_name() {
    let long = [header(1), ints(&[2, 2, 1, 3, 0, 0, 4]), b"clay".to_vec(), vec![0; 88], ints(&[0, 1])].concat();
    assert_eq!(code_and_place(File::parse(&long)), ("PMDL0002", 19 + 28 + 4 + 88, "meshes[0].indices".into()));
    let short = [header(1), ints(&[2, 2, 1, 3, 4]), b"clay".to_vec(), vec![0; 88], ints(&[0, 1])].concat();
    assert_eq!(code_and_place(File::parse(&short)), ("PMDL0002", 19 + 20 + 4 + 88, "meshes[0].indices".into()));
    let middle = [header(1), ints(&[2, 2, 1, 3, 0, 4]), b"clay".to_vec(), vec![0; 80]].concat();
    assert_eq!(code_and_place(File::parse(&middle)), ("PMDL0002", 19 + 24 + 4, "meshes[0].vertices".into()));
}

#[test]
fn counts_that_wrap_in_32_bits_do_not_fit() {
    // 2^27 + 1 vertices of 32 bytes are 32 modulo 2^32: a loader with 32-bit products takes the file for complete.
    let bytes = [header(1), ints(&[1, (1 << 27) + 1, 0, 0, 0, 0, 1]), b"m".to_vec(), vec![0; 32]].concat();
    assert_eq!(code_and_place(File::parse(&bytes)), ("PMDL0002", 48, "meshes[0].vertices".into()));
}

#[test]
fn a_bone_cut_in_its_matrix_is_named() {
    let bytes = with_bones(&[bone(0, ROW_MAJOR, "hip")]);
    let cut = &bytes[..19 + 28 + 1 + 72];
    assert_eq!(code_and_place(File::parse(cut)).2, "meshes[0].bones[0].name");
}

#[test]
fn bytes_after_the_last_mesh_are_counted() {
    let mut bytes = with_bones(&[]);
    let size = bytes.len() as u64;
    bytes.extend([0; 40]);
    assert_eq!(*File::parse(&bytes).unwrap().trailing, [0; 40]);
    bytes.resize(2 * size as usize + 1, 0);
    assert_eq!(code_and_place(File::parse(&bytes)), ("PMDL0003", size, String::new()));
    let error = File::parse(&bytes).err().unwrap().to_string();
    assert!(error.contains(&format!("{} bytes follow", size + 1)) && !error.contains("pacaconvert"), "{error}");
}

#[test]
fn the_rest_that_44_byte_vertices_leave_under_type_1_is_explained() {
    // Three vertices of 44 bytes are 132 bytes: four of 32 and a rest of 4.
    let bytes = [header(1), ints(&[1, 4, 1, 3, 0, 0, 1]), b"m".to_vec(), vec![0; 132], ints(&[0, 1, 2])].concat();
    let error = File::parse(&bytes).err().unwrap().to_string();
    assert!(error.contains("4 bytes follow") && error.contains("pacaconvert"), "{error}");
}

#[test]
fn eight_vertices_of_44_bytes_under_type_1_are_found_and_kept() {
    let vertex = floats(&[1., 2., 3., 0., 0., 1., 0., 0., 0., 0.5, 0.5]);
    let indices = ints(&[0, 1, 2, 3, 4, 5, 5, 6, 7]);
    let bytes = [header(1), ints(&[1, 11, 1, 9, 0, 0, 1]), b"m".to_vec(), vertex.repeat(8), indices].concat();
    let file = File::parse(&bytes).unwrap();
    assert_eq!((file.meshes[0].vertices.len(), file.encode()), (11, bytes.clone()));
    assert!(found(&file).contains(&"vertices-look-like-44-bytes meshes[0].header.vertex_type".into()));
}

#[test]
fn unused_vertices_are_not_taken_for_44_bytes() {
    let bytes =
        [header(1), ints(&[1, 6, 1, 3, 0, 0, 1]), b"m".to_vec(), triangle().repeat(2), ints(&[0, 1, 2])].concat();
    assert_eq!(found(&File::parse(&bytes).unwrap()), ["vertices-unused meshes[0].vertices[3]"]);
}

#[test]
fn an_unused_influence_is_all_ones() {
    let vertex = [
        floats(&[0., 0., 0., 0., 0., 1., 1., 0., 0., 0., 0.]),
        ints(&[0, u32::MAX, u32::MAX, u32::MAX]),
        floats(&[1., 0., 0., 0.]),
    ]
    .concat();
    let bones = bone(-1, COLUMN_MAJOR, "hip");
    let mut bytes = [header(1), ints(&[3, 3, 0, 0, 1, 0, 1]), b"m".to_vec(), bones, vertex.repeat(3)].concat();
    assert_eq!(found(&File::parse(&bytes).unwrap()), [""; 0]);
    let last_vertex = bytes.len() - 76;
    bytes[last_vertex + 44] = 1;
    let report = found(&File::parse(&bytes).unwrap());
    assert_eq!(report, ["influence-bone-out-of-range meshes[0].vertices[2].bone_indices[0]"]);
}

#[test]
fn an_unknown_version_is_kept_and_warned_of() {
    let mut bytes = with_bones(&[]);
    bytes[4] = 3;
    let file = File::parse(&bytes).unwrap();
    assert_eq!((file.version, file.encode()), (3, bytes.clone()));
    assert_eq!(found(&file), ["version-not-zero header.version"]);
}

#[test]
fn the_engine_needs_parents_before_children() {
    let bytes = with_bones(&[bone(1, COLUMN_MAJOR, "a"), bone(-1, COLUMN_MAJOR, "b")]);
    let report = found(&File::parse(&bytes).unwrap());
    assert!(report.contains(&"bone-before-parent meshes[0].bones[0].parent".into()), "{report:?}");
}

#[test]
fn ids_in_an_engine_file_are_one_finding() {
    let bytes = with_bones(&[bone(0, COLUMN_MAJOR, "a"), bone(1, COLUMN_MAJOR, "b")]);
    let report = found(&File::parse(&bytes).unwrap());
    assert_eq!(
        report,
        ["bones-without-weights meshes[0].header.bone_count", "parents-look-like-ids meshes[0].bones[0].parent",]
    );
}

#[test]
fn the_summary_counts_names_once() {
    let mesh = [ints(&[1, 0, 1, 0, 0, 2, 1]), b"m".to_vec(), ints(&[1]), b"a".to_vec(), ints(&[1]), b"b".to_vec()];
    let bytes = [header(2), mesh.concat(), mesh.concat()].concat();
    let summary = File::parse(&bytes).unwrap().summary();
    assert_eq!((summary.meshes, summary.materials, summary.textures, summary.joints), (2, 1, 0, 0));
    assert_eq!(summary.clips.iter().map(|clip| clip.name.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    assert!(summary.bounds.is_none());
}

#[test]
fn samples_bring_their_material_texture_and_animation() {
    let companions =
        |dialect| super::sample(dialect).companions.into_iter().map(|(naming, _)| naming.apply("post.pmdl"));
    for animated in ["document", "engine"] {
        assert!(companions(animated).eq(["post.pmat", "maquette-checker.png", "post.pani"]), "{animated}");
    }
    for still in ["engine-20", "engine-24"] {
        assert!(companions(still).eq(["post.pmat", "maquette-checker.png"]), "{still}");
    }
}

/// What is found about the companion files of a model that names the material `m` and lists the animation `a`.
fn found_companions(files: &[(&str, Vec<u8>)]) -> Vec<String> {
    struct Folder<'f>(&'f [(&'f str, Vec<u8>)]);
    impl Resources for Folder<'_> {
        fn get(&self, name: &str) -> Option<Cow<'_, [u8]>> {
            self.0.iter().find(|(known, _)| *known == name).map(|(_, bytes)| Cow::Borrowed(&bytes[..]))
        }
    }
    let names = [b"m".to_vec(), ints(&[1]), b"a".to_vec()].concat();
    let bones = bone(0, ROW_MAJOR, "hip");
    let bytes = [header(1), ints(&[1, 3, 0, 0, 1, 1, 1]), names, bones, triangle()].concat();
    let mut report = Report::default();
    let source = Source { name: "box.pmdl", resources: &Folder(files), ..Source::BARE };
    File::parse(&bytes).unwrap().check(&source, &mut report);
    let companions = report.items().iter().filter(|finding| finding.path.to_string().starts_with("companions"));
    companions.map(|finding| format!("{} {}", finding.code.name, finding.path)).collect()
}

fn pmat(name: &[u8; 1]) -> Vec<u8> {
    [b"PMAT".to_vec(), ints(&[0, 0, 1]), name.to_vec()].concat()
}

fn pani(name: &[u8; 1], bone_count: usize) -> Vec<u8> {
    let header = [b"PANI".to_vec(), ints(&[0, bone_count as u32]), floats(&[1., 24.]), ints(&[1]), name.to_vec()];
    [header.concat(), vec![0; 12 * bone_count]].concat()
}

#[test]
fn companions_of_the_right_names_are_not_remarked_upon() {
    assert_eq!(found_companions(&[("box.pmat", pmat(b"m")), ("box.pani", pani(b"a", 1))]), [""; 0]);
}

#[test]
fn companions_are_missed_where_the_surroundings_are_known() {
    assert_eq!(
        found_companions(&[]),
        ["material-file-missing companions.pmat", "animation-file-missing companions.pani"]
    );
}

#[test]
fn companions_of_other_names_or_bones_are_reported() {
    assert_eq!(
        found_companions(&[("box.pmat", pmat(b"x")), ("box.pani", pani(b"y", 2))]),
        [
            "material-file-of-another-name companions.pmat.name",
            "animation-file-of-another-name companions.pani.name",
            "animation-file-bones companions.pani.bones",
        ]
    );
}

#[test]
fn a_companion_in_the_wrong_format_is_reported() {
    let swapped = [("box.pmat", pani(b"m", 1)), ("box.pani", pmat(b"a"))];
    assert_eq!(
        found_companions(&swapped),
        ["companion-unreadable companions.pmat", "companion-unreadable companions.pani"]
    );
}

fn any_mesh() -> impl Strategy<Value = Vec<u8>> {
    let name = proptest::collection::vec(any::<u8>(), 0..6);
    let bones = proptest::collection::vec((any::<i32>(), any::<[f32; 16]>(), "[a-z]{0,4}"), 0..3);
    let names = proptest::collection::vec(name.clone(), 0..3);
    (1..=3u32, 0..4u32, 0..=1u32, 0..5u32, name, names, bones, any::<u8>()).prop_map(
        |(vertex_type, vertices, index_type, indices, material, animations, bones, fill)| {
            let stride = [32, 44, 76][vertex_type as usize - 1];
            let counts = [bones.len(), animations.len(), material.len()].map(|count| count as u32);
            let mut bytes = ints(&[vertex_type, vertices, index_type, indices]);
            bytes.extend(ints(&counts));
            bytes.extend(material);
            animations.into_iter().for_each(|name| bytes.extend([ints(&[name.len() as u32]), name].concat()));
            bones.into_iter().for_each(|(number, matrix, name)| bytes.extend(bone(number, matrix, &name)));
            bytes.extend(vec![fill; (vertices * stride + index_type * indices * 4) as usize]);
            bytes
        },
    )
}

proptest! {
    #[test]
    fn any_meshes_are_read_checked_and_written_back(meshes in proptest::collection::vec(any_mesh(), 0..4)) {
        let bytes = [header(meshes.len() as u32), meshes.concat()].concat();
        let file = File::parse(&bytes).unwrap();
        prop_assert_eq!(file.meshes.len(), meshes.len());
        prop_assert_eq!(&file.encode(), &bytes);
        found(&file);
        file.summary();
    }

    #[test]
    fn any_bytes_after_the_magic_are_survived(tail in proptest::collection::vec(any::<u8>(), 0..200)) {
        let bytes = [b"PMDL".to_vec(), tail].concat();
        match File::parse(&bytes) {
            Ok(file) => prop_assert_eq!(file.encode(), bytes),
            Err(error) => prop_assert!(error.diagnostic().and_then(|finding| finding.offset).is_some()),
        }
    }
}
