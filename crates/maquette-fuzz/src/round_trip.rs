//! From a scene to a file and back: whatever is written can be read, and is a sound scene again.

use crate::outlets::Outlet;
use maquette::fit::{FitOptions, fit};
use maquette::formats::format::{Bundle, Fitted, Naming, RawFile, ReadOptions, Resources, Source, WriteOptions};
use maquette::scene::loss::LossReport;
use maquette::scene::{Scene, valid};
use std::borrow::Cow;

/// The companion files of a file of this name.
pub struct Folder<'f> {
    /// The name of the file.
    pub name: &'f str,
    /// Its companion files.
    pub companions: &'f [(Naming, Vec<u8>)],
}

impl Resources for Folder<'_> {
    fn get(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        let (_, bytes) = self.companions.iter().find(|(naming, _)| naming.apply(self.name) == name)?;
        Some(Cow::Borrowed(bytes))
    }
}

impl Folder<'_> {
    /// Where the file comes from.
    pub fn source(&self) -> Source<'_> {
        Source { name: self.name, resources: self }
    }
}

/// The scene of a file; `None` if it is refused.
pub fn read(file: &dyn RawFile, options: &ReadOptions<'_>) -> Option<Scene> {
    let scene = file.read(options, &mut LossReport::default()).ok()?;
    assert_eq!(valid::check(&scene), Ok(()), "read from {}", file.dialect());
    Some(scene)
}

/// A scene as a file; `None` if its numbers grow too large on the way, its packed maps are none, or it cannot be held.
pub fn written(scene: Scene, outlet: Outlet, options: &FitOptions) -> Option<Bundle> {
    if outlet.is_too_much(&scene) {
        return None;
    }
    let caps = (outlet.format.caps)(outlet.dialect);
    let scene = fit(scene, &caps, options, &mut LossReport::default());
    let fitted = match Fitted::check(&scene, &caps) {
        Ok(fitted) => fitted,
        Err(broken) => {
            let known = ["finite", "a packed map is not stored"];
            assert!(known.iter().any(|why| broken.message.contains(why)), "fitted to {outlet}: {broken}");
            return None;
        }
    };
    let writing = WriteOptions { dialect: outlet.dialect, name: &outlet.file_name(), others: &[] };
    (outlet.format.write)(&fitted, &writing, &mut LossReport::default()).ok()
}

/// Writes a scene, if that can be, and reads what was written.
pub fn there_and_back(scene: Scene, outlet: Outlet, options: &FitOptions) {
    let Some(bundle) = written(scene, outlet, options) else { return };
    let folder = Folder { name: &outlet.file_name(), companions: &bundle.companions };
    let reading = ReadOptions { source: folder.source(), ..ReadOptions::default() };
    let read = (outlet.format.open)(&bundle.main, Some(outlet.dialect))
        .and_then(|file| file.read(&reading, &mut LossReport::default()));
    let read = read.unwrap_or_else(|error| panic!("{outlet} cannot read what it wrote: {error}"));
    assert_eq!(valid::check(&read), Ok(()), "read back from {outlet}");
}
