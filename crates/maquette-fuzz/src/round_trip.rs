//! From a scene to a file and back: whatever is written can be read, and is a sound scene again.

use maquette::fit::{FitOptions, fit};
use maquette::formats::format::{Format, Naming, ReadOptions, Resources, SceneForm, Source, WriteOptions};
use maquette::scene::loss::LossReport;
use maquette::scene::{Scene, valid};
use std::borrow::Cow;

/// Files beside another, by how their names follow from its.
pub struct Beside<'f> {
    /// The name of that file.
    pub name: &'f str,
    /// What lies beside it.
    pub companions: &'f [(Naming, Vec<u8>)],
}

impl Resources for Beside<'_> {
    fn get(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        let (_, bytes) = self.companions.iter().find(|(naming, _)| naming.apply(self.name) == name)?;
        Some(Cow::Borrowed(bytes))
    }
}

impl Beside<'_> {
    /// The surroundings of that file.
    pub fn source(&self) -> Source<'_> {
        Source { name: self.name, resources: self }
    }
}

/// How the format becomes a scene.
pub fn scene_form(format: &Format) -> SceneForm {
    format.scene.expect("a format that becomes a scene")
}

/// The name of a file of this format.
pub fn file_name(format: &Format) -> String {
    format!("model.{}", format.extensions.first().expect("an ending"))
}

/// The scene of a file; `None` if it is refused.
pub fn read(format: &Format, bytes: &[u8], options: &ReadOptions<'_>) -> Option<Scene> {
    let scene = (scene_form(format).read)(bytes, options, &mut LossReport::default()).ok()?;
    assert_eq!(valid::check(&scene), Ok(()), "read from {}", format.id);
    Some(scene)
}

/// The scene as the format can hold it; `None` if its numbers grow too large on the way.
pub fn fitted(scene: Scene, format: &Format, options: &FitOptions) -> Option<Scene> {
    match fit(scene, &format.caps, options, &mut LossReport::default()) {
        Ok(fitted) => Some(fitted),
        Err(broken) => {
            assert!(broken.message.contains("finite"), "fitted to {}: {broken}", format.id);
            None
        }
    }
}

/// Writes a fitted scene and reads what was written; `None` if the format cannot hold it.
pub fn written_and_read(scene: &Scene, format: &Format, dialect: &str) -> Option<Scene> {
    let form = scene_form(format);
    let name = file_name(format);
    let bundle = (form.write)(scene, &WriteOptions { dialect, name: &name }, &mut LossReport::default()).ok()?;
    let beside = Beside { name: &name, companions: &bundle.companions };
    let options = ReadOptions { source: beside.source(), dialect: Some(dialect), ..ReadOptions::default() };
    let read = (form.read)(&bundle.main, &options, &mut LossReport::default());
    let read = read.unwrap_or_else(|error| panic!("{} {dialect} cannot read what it wrote: {error}", format.id));
    assert_eq!(valid::check(&read), Ok(()), "read back from {} {dialect}", format.id);
    Some(read)
}
