//! From a scene to a file and back: whatever is written can be read, and is a sound scene again.

use crate::outlets::Outlet;
use maquette::fit::{FitOptions, fit};
use maquette::formats::format::{
    self, Bundle, Fitted, Naming, RawFile, ReadOptions, Resources, Size, Source, WriteOptions,
};
use maquette::scene::diag::{Diagnostic, Report, Severity};
use maquette::scene::loss::{LossReport, Lost};
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
        Source { name: self.name, resources: self, ..Source::BARE }
    }
}

/// The scene of a file; `None` if it is refused.
pub fn read(file: &dyn RawFile, options: &ReadOptions<'_>) -> Option<Scene> {
    let scene = file.read(options, &mut LossReport::default()).ok()?;
    assert_eq!(valid::check(&scene), Ok(()), "read from {}", file.dialect());
    Some(scene)
}

/// A scene as a file.
pub struct Written {
    /// The file and its companions.
    pub bundle: Bundle,
    /// The scene that the writer was given.
    fitted: Scene,
    /// What the writer could not hold.
    losses: LossReport,
}

/// A scene as a file; `None` if its numbers grow too large on the way, its packed maps are none, or it cannot be held.
pub fn written(scene: Scene, outlet: Outlet, options: &FitOptions) -> Option<Written> {
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
    let mut losses = LossReport::default();
    let bundle = (outlet.format.write)(&fitted, &writing, &mut losses).ok()?;
    Some(Written { bundle, fitted: scene, losses })
}

/// A scene that went into a file and came back.
pub struct Returned {
    /// The scene that the writer was given.
    pub fitted: Scene,
    /// What the writer could not hold.
    pub losses: LossReport,
    /// What the reader made of it.
    pub read: Scene,
    /// The rules of the format that the file breaks and whose breach is an error.
    errors: Vec<String>,
}

impl Returned {
    /// Panics if the file breaks a rule whose breach is an error. Only what was kept of a broken file may.
    pub fn expect_sound(self, outlet: Outlet) -> Returned {
        let errors = self.errors.join("; ");
        assert!(errors.is_empty(), "{outlet} finds fault with what it wrote: {errors}");
        self
    }
}

/// Writes a scene, if that can be, and reads what was written.
pub fn there_and_back(scene: Scene, outlet: Outlet, options: &FitOptions) -> Option<Returned> {
    let Written { bundle, fitted, losses } = written(scene, outlet, options)?;
    let folder = Folder { name: &outlet.file_name(), companions: &bundle.companions };
    // A model that was brought to unit size comes back in its own.
    let size = if losses.names(Lost::ModelSize) { Size::Original } else { Size::AsStored };
    let reading = ReadOptions { source: folder.source(), size, ..ReadOptions::default() };
    let mut errors = Vec::new();
    let read = (outlet.format.open)(&bundle.main, Some(outlet.dialect)).and_then(|file| {
        errors = errors_in(&*file, &folder.source());
        file.read(&reading, &mut LossReport::default())
    });
    let read = read.unwrap_or_else(|error| panic!("{outlet} cannot read what it wrote: {error}"));
    assert_eq!(valid::check(&read), Ok(()), "read back from {outlet}");
    Some(Returned { fitted, losses, read, errors })
}

/// Numbers as large as floats can be may grow too large on the way; those are left out.
fn errors_in(file: &dyn RawFile, source: &Source<'_>) -> Vec<String> {
    let mut report = Report::default();
    format::check(file, source, &mut report);
    let is_error =
        |found: &&Diagnostic| found.severity() == Severity::Error && !found.code.name.ends_with("not-finite");
    report.items().iter().filter(is_error).map(ToString::to_string).collect()
}
