//! The table and its rules: names of companion files, endings, and the dialect that loses least.

use super::{BUILT_IN, Format, Formats, Naming, ReadOptions, weight};
use maquette_scene::Scene;
use maquette_scene::clip::{Clip, Curve, Interpolation, Keys, Target, Track};
use maquette_scene::loss::{LossReport, Lost};
use maquette_scene::mesh::Primitive;
use maquette_scene::scene::Node;

fn format(id: &str) -> &'static Format {
    BUILT_IN.by_id(id).unwrap()
}

/// The sample of a format in a dialect, as a scene.
fn sample(id: &str, dialect: &str) -> Scene {
    let bytes = (format(id).sample)(dialect).main;
    let file = (format(id).open)(&bytes, Some(dialect)).unwrap();
    file.read(&ReadOptions::default(), &mut LossReport::default()).unwrap()
}

fn chosen(id: &str, scene: &Scene) -> &'static str {
    format(id).dialect_for(scene).unwrap().id
}

fn first_primitive(scene: &mut Scene) -> &mut Primitive {
    &mut scene.meshes.iter_mut().next().unwrap().primitives[0]
}

#[test]
fn a_scene_with_nothing_special_gets_the_first_dialect() {
    for format in BUILT_IN {
        let dialect = format.dialect_for(&Scene::default()).unwrap();
        assert_eq!(dialect.id, format.dialects[0].id, "{}", format.id);
    }
    assert_eq!(chosen("pmdl", &sample("pmdl", "document")), "document");
    assert_eq!(chosen("bmw", &sample("bmw", "document")), "document");
}

#[test]
fn weights_and_tangents_ask_for_the_engines_pmdl() {
    let mut scene = sample("pmdl", "engine");
    assert_eq!(chosen("pmdl", &scene), "engine");
    first_primitive(&mut scene).streams.tangents = None;
    assert_eq!(chosen("pmdl", &scene), "engine", "weights alone");
    first_primitive(&mut scene).streams.influences = None;
    assert_eq!(chosen("pmdl", &scene), "document", "neither");
    let mut scene = sample("pmdl", "engine");
    first_primitive(&mut scene).streams.influences = None;
    assert_eq!(chosen("pmdl", &scene), "engine", "tangents alone");
}

#[test]
fn meshes_that_clips_move_as_a_whole_ask_for_the_engines_pmdl() {
    let mut scene = sample("bmw", "document");
    let mesh = scene.meshes.handles().next().unwrap();
    scene.skins = Default::default();
    first_primitive(&mut scene).streams.influences = None;
    first_primitive(&mut scene).streams.tangents = None;
    scene.clips = Default::default();
    let mut carrier = scene.nodes.push(Node { mesh: Some(mesh), ..Node::default() });
    carrier = scene.nodes.push(Node { children: vec![carrier], ..Node::default() });
    scene.roots.push(carrier);
    let moved_by = |curve| {
        let mut scene = scene.clone();
        let track = Track { target: Target::Node(carrier), curve, blend: None };
        scene.clips.push(Clip { tracks: vec![track], ..Clip::default() });
        chosen("pmdl", &scene)
    };
    assert_eq!(chosen("pmdl", &scene), "document");
    let keys = Keys { times_secs: vec![0.0], values: vec![[1.0; 3]], interpolation: Interpolation::Linear };
    assert_eq!(moved_by(Curve::Translation(keys)), "engine");
    let shapes = Keys { times_secs: vec![0.0], values: vec![vec![1.0]], interpolation: Interpolation::Linear };
    assert_eq!(moved_by(Curve::MorphWeights(shapes)), "document", "morph targets are lost in either");
}

#[test]
fn standing_still_weighs_more_than_anything_else() {
    let all: Vec<Lost> = Lost::all().filter(|what| !matches!(what, Lost::Influences | Lost::Clips)).collect();
    assert!(weight(&all) < weight(&[Lost::Influences]));
    assert!(weight(&[Lost::NodeNames, Lost::Events]) < weight(&[Lost::VertexColours]));
    assert!(weight(&[Lost::NodeNames]) < weight(&[Lost::NodeNames, Lost::Events]));
}

#[test]
fn names_of_nodes_ask_for_the_engines_bmw() {
    let mut scene = sample("bmw", "engine");
    assert_eq!(chosen("bmw", &scene), "engine");
    scene.nodes.iter_mut().for_each(|node| node.name.clear());
    assert_eq!(chosen("bmw", &scene), "document");
}

#[test]
fn companion_files_are_named_after_their_file() {
    let named = |naming: Naming| naming.apply("fox.red.pmdl");
    assert_eq!(named(Naming::Append(".hash")), "fox.red.pmdl.hash");
    assert_eq!(named(Naming::Extension("pmat")), "fox.red.pmat");
    assert_eq!(named(Naming::Fixed("list.txt")), "list.txt");
    assert_eq!(named(Naming::After { name: "fur/a.b".into(), extension: "pmat" }), "fox.red.fur_a_b.pmat");
    assert_eq!(named(Naming::Named("textures/a.png".into())), "textures/a.png");
    assert_eq!(Naming::Extension("pmat").apply("fox"), "fox.pmat");
}

#[test]
fn formats_are_found_by_the_ending_of_a_name() {
    let found = |name: &str| BUILT_IN.by_file_name(name).map(|format| format.id);
    assert_eq!(found("a.b.PMDL"), Some("pmdl"));
    assert_eq!(found("model.glb"), Some("gltf"));
    assert_eq!(found("pmdl"), None, "a name is no ending");
    assert_eq!(found("a.txt"), None);
}

#[test]
fn formats_that_are_added_come_first_and_the_others_stay() {
    static MINE: Format = Format { id: "mine", extensions: &["glb"], ..Format::TEMPLATE };
    static YOURS: Format = Format { id: "yours", extensions: &["glb", "yours"], ..Format::TEMPLATE };
    static WITH_MINE: Formats<'static> = BUILT_IN.with(&[&MINE]);
    let table = [&YOURS];
    let known = WITH_MINE.with(&table);
    let ids: Vec<&str> = known.iter().map(|format| format.id).collect();
    assert_eq!(ids[..2], ["yours", "mine"]);
    assert!(ids[2..].iter().copied().eq(BUILT_IN.iter().map(|format| format.id)));
    assert_eq!(WITH_MINE.by_extension("glb").map(|format| format.id), Some("mine"));
    assert_eq!(known.by_file_name("a.GLB").map(|format| format.id), Some("yours"));
    assert_eq!(known.by_id("gltf").map(|format| format.id), Some("gltf"));
}

#[test]
fn endings_are_dialects_where_there_are_as_many() {
    let dialect = |id: &str, name: &str| format(id).dialect_by_ending(name).map(|dialect| dialect.id);
    let [first, second] = format("gltf").dialects else { panic!("two dialects") };
    let [one, other] = format("gltf").extensions else { panic!("two endings") };
    assert_eq!(dialect("gltf", &format!("a.{}", one.to_uppercase())), Some(first.id));
    assert_eq!(dialect("gltf", &format!("a.{other}")), Some(second.id));
    assert_eq!(dialect("gltf", "a.pmdl"), None);
    assert_eq!(dialect("pmdl", "a.pmdl"), None, "one ending for all dialects");
    assert_eq!((format("gltf").ending_of(second.id), format("pmdl").ending_of("engine")), (*other, "pmdl"));
}
