//! The rules for companion files of a model: its material and its animation.
//!
//! Companions are other formats' files. They are opened through the table of formats and asked only what every file
//! can be asked, plus the text called `name` that both keep at the top; no other folder is named here.

use super::super::raw::File;
use super::{
    ANIMATION_FILE_BONES, ANIMATION_FILE_MISSING, ANIMATION_FILE_OTHER, COMPANION_UNREADABLE, MATERIAL_FILE_MISSING,
    MATERIAL_FILE_OTHER,
};
use crate::format::{BUILT_IN, Naming, Source};
use crate::summary::shown;
use crate::walk::{Container, Leaf, Visit, Walker};
use maquette_scene::{Code, Diagnostic, Report, Segment, path};

/// What is asked of a companion.
struct Companion {
    file_name: String,
    name: Vec<u8>,
    bones: u64,
}

/// The rules for the companion files, where its surroundings are known.
pub(super) fn check(file: &File<'_>, source: &Source<'_>, report: &mut Report) {
    if source.name.is_empty() {
        return;
    }
    let materials = || file.meshes.iter().map(|mesh| &mesh.material_name);
    if let Some(name) = materials().find(|name| !name.is_empty()) {
        let wanted = format!("the material {:?}", shown(name));
        if let Some(found) = open("pmat", &MATERIAL_FILE_MISSING, &wanted, source, report)
            && materials().all(|name| **name != *found.name)
        {
            let message = format!("{} holds {:?}, which no mesh names", found.file_name, shown(&found.name));
            let finding = Diagnostic::new(&MATERIAL_FILE_OTHER, path!("companions", "pmat", "name"), message);
            report.push(finding.expected(wanted));
        }
    }
    let animations = || file.meshes.iter().flat_map(|mesh| &mesh.animations);
    if let Some(name) = animations().next() {
        let wanted = format!("the animation {:?}", shown(name));
        let Some(found) = open("pani", &ANIMATION_FILE_MISSING, &wanted, source, report) else { return };
        if animations().all(|name| **name != *found.name) {
            let message = format!("{} holds {:?}, which no mesh lists", found.file_name, shown(&found.name));
            let finding = Diagnostic::new(&ANIMATION_FILE_OTHER, path!("companions", "pani", "name"), message);
            report.push(finding.expected(wanted));
        }
        let bones = file.meshes.iter().map(|mesh| mesh.bones.len() as u64).max().unwrap_or(0);
        if bones > 0 && found.bones != bones {
            let message = format!("{} moves {} bones, the skeleton has {bones}", found.file_name, found.bones);
            let finding = Diagnostic::new(&ANIMATION_FILE_BONES, path!("companions", "pani", "bones"), message);
            report.push(finding.expected("keys for each bone of the skeleton, in its order"));
        }
    }
}

/// Opens the companion with this extension; reports it if it is missing or no file of its format.
fn open(
    extension: &'static str,
    missing: &'static Code,
    wanted: &str,
    source: &Source<'_>,
    report: &mut Report,
) -> Option<Companion> {
    let naming = Naming::Extension(extension);
    let at = path!("companions", extension);
    let Some((file_name, bytes)) = source.companion(naming.clone()) else {
        let file_name = naming.apply(source.name);
        report.push(match source.obstacle(&naming) {
            Some(why) => Diagnostic::new(&COMPANION_UNREADABLE, at, format!("{file_name} cannot be read: {why}")),
            None => Diagnostic::new(missing, at, format!("there is no {file_name} for {wanted}")),
        });
        return None;
    };
    let opened = BUILT_IN.by_extension(extension).map(|format| (format.open)(&bytes, None));
    match opened? {
        Ok(file) => {
            let mut name = TopName::default();
            file.walk(&mut Walker::new(&mut name));
            Some(Companion { file_name, name: name.text, bones: file.summary().joints })
        }
        Err(error) => {
            let message = format!("{file_name} cannot be read: {error}");
            report.push(Diagnostic::new(&COMPANION_UNREADABLE, at, message));
            None
        }
    }
}

/// Finds the text called `name` outside of all containers.
#[derive(Default)]
struct TopName {
    depth: usize,
    text: Vec<u8>,
}

impl Visit for TopName {
    fn open(&mut self, _: &Segment, _: Container, _: u64) {
        self.depth += 1;
    }

    fn close(&mut self) {
        self.depth -= 1;
    }

    fn leaf(&mut self, name: &Segment, leaf: &Leaf<'_>) {
        if self.depth == 0 && *name == Segment::from("name") {
            self.text = leaf.bytes.to_vec();
        }
    }
}
