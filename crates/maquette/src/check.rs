//! Every finding about a file: the fields of `maquette check --json`. What was just written is looked at in memory, for warnings and errors.

use crate::{Error, Input, Output};
use maquette_formats::format::{self, Format, Formats, RawFile, Resources, Source};
use maquette_scene::diag::{Diagnostic, Report, ReportOptions, Severity};
use maquette_scene::path;
use serde::Serialize;
use std::borrow::Cow;
use std::fmt;

/// The verdict on one file.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Checked {
    /// The file as it was named.
    pub file: String,
    /// The format's id; null if none claims the file, by its bytes or by its ending.
    pub format: Option<&'static str>,
    /// The dialect's id; null if the file could not be read.
    pub dialect: Option<&'static str>,
    /// Whether nothing worse than an info was found.
    pub ok: bool,
    /// Whether the file could be read to its end.
    pub readable: bool,
    /// What was found, in file order.
    pub diagnostics: Vec<Finding>,
    /// Findings beyond the bound on their number.
    pub left_out: u64,
    /// Why the file could not be read, where no finding says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// One finding.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// `AEM0045`
    pub code: &'static str,
    /// `joint-parent-out-of-range`
    pub name: &'static str,
    /// `info`, `warning` or `error`.
    pub severity: &'static str,
    /// Where, in bytes; null for what lies outside the file.
    pub offset: Option<u64>,
    /// Where, by name; empty for the file as a whole.
    pub path: String,
    /// What was found.
    pub message: String,
    /// What would be valid.
    pub expected: Option<String>,
    /// How often; the place is that of the first.
    pub count: u64,
}

impl From<&Diagnostic> for Finding {
    fn from(diagnostic: &Diagnostic) -> Self {
        Finding {
            code: diagnostic.code.id,
            name: diagnostic.code.name,
            severity: diagnostic.severity().word(),
            offset: diagnostic.offset,
            path: diagnostic.path.to_string(),
            message: diagnostic.message.clone(),
            expected: diagnostic.expected.clone(),
            count: diagnostic.count,
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.severity, self.code, self.name)?;
        if let Some(offset) = self.offset {
            write!(f, " at {offset:#x}")?;
        }
        if !self.path.is_empty() {
            write!(f, " in {}", path::shortened(&self.path))?;
        }
        write!(f, ": {}", self.message)?;
        match &self.expected {
            Some(expected) => write!(f, "; expected {expected}"),
            None => Ok(()),
        }
    }
}

impl Checked {
    /// The verdict on a file of which there are not even bytes.
    pub fn unreadable(file: &str, error: &Error) -> Checked {
        Checked { error: Some(error.to_string()), ..Checked::nothing_of(file) }
    }

    fn nothing_of(file: &str) -> Checked {
        Checked {
            file: file.to_owned(),
            format: None,
            dialect: None,
            ok: false,
            readable: false,
            diagnostics: Vec::new(),
            left_out: 0,
            error: None,
        }
    }
}

/// Reads and checks a file. A file that cannot be read is a verdict too, not an error.
pub fn check(input: &Input, dialect: Option<&str>, options: ReportOptions) -> Checked {
    let mut checked = Checked::nothing_of(&input.label);
    match input.open_or_tell(dialect) {
        Ok(opened) => {
            let mut report = Report::new(options);
            format::check(&*opened.file, &input.source(), &mut report);
            checked.format = Some(opened.format.id);
            checked.dialect = Some(opened.file.dialect());
            checked.ok = report.worst().is_none_or(|worst| worst == Severity::Info);
            checked.readable = true;
            checked.diagnostics = report.items().iter().map(Finding::from).collect();
            checked.left_out = report.left_out();
        }
        Err((format, error)) => {
            checked.format = format.map(|format| format.id);
            match error.diagnostic() {
                Some(diagnostic) => checked.diagnostics.push(diagnostic.into()),
                None => checked.error = Some(error.to_string()),
            }
        }
    }
    checked
}

/// A warning or an error about one of the files of an output.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct OutputFinding {
    /// The name of the file it is about: the output itself, or a companion file.
    pub file: String,
    /// What was found.
    #[serde(flatten)]
    pub finding: Finding,
}

/// What the rules of their formats say against the files of an output, infos left out.
pub(crate) fn warnings(output: &Output) -> Vec<OutputFinding> {
    let companions = output.companions.iter().filter_map(|(name, bytes)| {
        // What another program is to read is not judged here.
        Some((Formats::default().by_file_name(name)?, name.as_str(), bytes.as_slice()))
    });
    let resources = &Companions(&output.companions);
    let of_file = |(format, name, bytes): (&Format, &str, &[u8])| match (format.open)(bytes, None) {
        Ok(file) => found_in(&*file, &Source { name, resources, ..Source::BARE }),
        Err(error) => Vec::from_iter(error.diagnostic().map(|found| OutputFinding::of(name, found))),
    };
    let main = output.found.clone().unwrap_or_else(|| of_file((output.format, &output.name, &output.main)));
    main.into_iter().chain(companions.flat_map(of_file)).collect()
}

/// Warnings and errors about a file that is to be written.
pub(crate) fn found_in(file: &dyn RawFile, source: &Source<'_>) -> Vec<OutputFinding> {
    let mut report = Report::default();
    format::check(file, source, &mut report);
    let told = report.items().iter().filter(|found| found.severity() > Severity::Info);
    told.map(|found| OutputFinding::of(source.name, found)).collect()
}

impl OutputFinding {
    fn of(file: &str, found: &Diagnostic) -> OutputFinding {
        OutputFinding { file: file.to_owned(), finding: found.into() }
    }
}

/// The companion files of an output.
struct Companions<'o>(&'o [(String, Vec<u8>)]);

impl Resources for Companions<'_> {
    fn get(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        let (_, bytes) = self.0.iter().find(|(known, _)| known == name)?;
        Some(Cow::Borrowed(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Scene, WriteOptions, encode};
    use maquette_scene::clip::{Clip, Curve, Interpolation, Keys, Target, Track};
    use maquette_scene::glam::Mat4;
    use maquette_scene::image::{Image, ImageData};
    use maquette_scene::material::{Material, Pbr, TextureUse};
    use maquette_scene::mesh::{Influences, Mesh, Primitive, Streams};
    use maquette_scene::scene::{Node, Skin};

    /// A triangle that as many joints move, the first of them in a clip.
    fn triangle(joint_count: usize) -> Scene {
        let mut scene = Scene::default();
        let streams = Streams {
            positions: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
            normals: Some(vec![[0.0, 0.0, 1.0]; 3]),
            influences: Some(Influences { slots: 1, joints: vec![0; 3], weights: vec![1.0; 3] }),
            ..Streams::default()
        };
        let primitive = Primitive { streams, indices: vec![0, 1, 2], ..Primitive::default() };
        let mesh = scene.meshes.push(Mesh { primitives: vec![primitive], ..Mesh::default() });
        let joint = |at: usize| Node { name: format!("joint {at}"), ..Node::default() };
        let joints: Vec<_> = (0..joint_count).map(|at| scene.nodes.push(joint(at))).collect();
        let joint_from_mesh = vec![Mat4::IDENTITY; joint_count];
        let skin = scene.skins.push(Skin { name: String::new(), joints: joints.clone(), joint_from_mesh });
        let body = scene.nodes.push(Node { mesh: Some(mesh), skin: Some(skin), ..Node::default() });
        scene.roots = [body].into_iter().chain(joints.iter().copied()).collect();
        let values = vec![[0.0; 3], [1.0, 0.0, 0.0]];
        let keys = Keys { times_secs: vec![0.0, 1.0], values, interpolation: Interpolation::Linear };
        let track = Track { target: Target::Node(joints[0]), curve: Curve::Translation(keys), blend: None };
        scene.clips.push(Clip { name: "go".into(), duration_secs: 1.0, tracks: vec![track], ..Clip::default() });
        scene
    }

    fn written(scene: Scene, name: &str, dialect: &str) -> Output {
        encode(scene, name, &WriteOptions { dialect: Some(dialect.into()), ..WriteOptions::default() }).unwrap()
    }

    fn found(output: &Output) -> Vec<(String, &'static str)> {
        output.findings().into_iter().map(|found| (found.file, found.finding.code)).collect()
    }

    #[test]
    fn what_is_too_much_for_an_engine_is_told_of_every_file() {
        let told = found(&written(triangle(101), "many.pmdl", "engine"));
        assert_eq!(told, [("many.pmdl".to_owned(), "PMDL0030"), ("many.pani".to_owned(), "PANI0024")]);
        assert_eq!(found(&written(triangle(100), "many.pmdl", "engine")), [], "a hundred are not too many");
    }

    #[test]
    fn an_output_that_no_longer_opens_is_an_error() {
        let mut output = written(triangle(1), "cut.pmdl", "engine");
        output.main = output.main[..40].to_vec().into();
        assert_eq!(output.findings()[0].finding.severity, "error");
    }

    #[test]
    fn engines_that_want_a_material_get_one() {
        let output = written(triangle(1), "plain.pmdl", "engine");
        assert_eq!(found(&output), []);
        assert!(output.companions.iter().any(|(name, _)| name == "plain.pmat"), "{:?}", output.companions);
        assert!(output.losses.iter().any(|loss| loss.what.word() == "materials" && loss.kind.word() == "baked"));
    }

    #[test]
    fn meshes_without_a_texture_come_after_those_with_one() {
        let mut scene = triangle(1);
        let bytes = maquette_texture::png::encode(1, 1, &[[255; 4]]).unwrap();
        let image = scene
            .images
            .push(Image::new("paint", ImageData::Encoded { mime: "image/png".into(), bytes: bytes.into() }));
        let surface = Pbr { base_colour_texture: Some(TextureUse::new(image)), ..Pbr::default() }.into();
        let material = scene.materials.push(Material { surface, ..Material::default() });
        let mesh = scene.meshes.iter_mut().next().unwrap();
        let mut painted = mesh.primitives[0].clone();
        painted.material = Some(material);
        (painted.streams.influences, mesh.primitives[0].streams.influences) = (None, None);
        painted.streams.positions[0] = [0.0, 0.0, 7.0];
        mesh.primitives.push(painted);
        for dialect in ["document", "engine"] {
            let output = written(scene.clone(), "two.bmw", dialect);
            assert_eq!(found(&output), [], "{dialect}");
            let again = Input::from_files("two.bmw", output.into_files()).unwrap().read(&Default::default()).unwrap();
            assert!(
                crate::diff::diff(&scene, &again.scene, 1e-4).unwrap().iter().all(|found| found.what != "rest poses")
            );
            let mut painted = again.scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
            let painted = painted.find(|primitive| primitive.streams.positions[0][2] == 7.0).unwrap();
            assert!(painted.material.is_some(), "{dialect}");
        }
    }

    #[test]
    fn a_clip_that_moves_nothing_has_no_ticks_to_be_named_by() {
        let mut scene = triangle(1);
        scene.skins = Default::default();
        scene.nodes.iter_mut().for_each(|node| node.skin = None);
        scene.meshes.iter_mut().for_each(|mesh| mesh.primitives[0].streams.influences = None);
        scene.clips.iter_mut().for_each(|clip| clip.tracks.clear());
        for dialect in ["document", "engine"] {
            let output = written(scene.clone(), "still.bmw", dialect);
            assert_eq!(found(&output), [], "{dialect}");
            assert!(output.losses.iter().any(|loss| loss.what.word() == "clip names"), "{dialect}");
        }
    }
}
