//! Paths of textures, and the images they lead to.

use super::super::raw::File;
use super::super::sidecar::Settings;
use super::{
    MATERIAL_SEVERAL_TEXTURES, TEXT_NOT_UTF8, TEXTURE_ABSOLUTE, TEXTURE_BACKSLASH, TEXTURE_COUNT, TEXTURE_MISSING,
    TEXTURE_NOT_IMAGE, TEXTURE_PATH_EMPTY, Tallies,
};
use crate::format::Source;
use crate::rules::images::image_kind;
use crate::rules::names;
use crate::summary::shown;
use maquette_scene::{Diagnostic, Path, Report, path};
use std::collections::HashSet;

/// How many files are looked for at most; no real model has a tenth of them.
const MAX_LOOKUPS: usize = 1000;

pub(super) fn check(file: &File<'_>, settings: Option<&Settings>, source: &Source<'_>, report: &mut Report) {
    counts(file, settings, report);
    let mut tallies = Tallies::default();
    let mut images = Images { source, seen: HashSet::new() };
    for (material, textures) in file.materials.iter().map(|material| &material.textures).enumerate() {
        for (index, texture) in textures.iter().enumerate() {
            let at = || path!("materials", material, "textures", index);
            judge(texture, at, &mut tallies, report);
            images.judge(texture, at, report);
        }
    }
    tallies.finish(report);
    let overrides = settings.map(|settings| &settings.texture_overrides[..]).unwrap_or_default();
    for (index, texture) in overrides.iter().enumerate().filter_map(|(at, by)| Some((at, by.texture.as_ref()?))) {
        let at = || path!("companions", "json", "textureOverrides", index, "texture");
        images.judge(texture.as_bytes(), at, report);
    }
}

fn counts(file: &File<'_>, settings: Option<&Settings>, report: &mut Report) {
    let paths = file.textures().count().max(settings.map_or(0, |settings| settings.texture_overrides.len()));
    if paths != file.meshes.len() {
        let message = format!("{paths} texture paths for {} meshes", file.meshes.len());
        report.push(Diagnostic::new(&TEXTURE_COUNT, path!("material_count"), message).expected("one for each mesh"));
    }
    let last = file.materials.len().saturating_sub(1);
    let mut tallies = Tallies::default();
    for (index, material) in file.materials.iter().enumerate().take(last) {
        if material.textures.len() > 1 {
            tallies.hit(report, &MATERIAL_SEVERAL_TEXTURES, || {
                let message = format!("{} textures, and more materials follow", material.textures.len());
                (path!("materials", index, "texture_count"), message, "1".into())
            });
        }
    }
    tallies.finish(report);
}

fn judge(text: &[u8], at: impl Fn() -> Path, tallies: &mut Tallies, report: &mut Report) {
    if text.is_empty() {
        return tallies.hit(report, &TEXTURE_PATH_EMPTY, || (at(), "the path is empty".into(), "a path".into()));
    }
    if std::str::from_utf8(text).is_err() {
        names::utf8(report, &TEXT_NOT_UTF8, at(), text);
    }
    let quoted = || format!("the path is {:?}", shown(text));
    if text.contains(&b'\\') {
        tallies.hit(report, &TEXTURE_BACKSLASH, || (at(), quoted(), "/ between folders".into()));
    }
    if matches!(text, [b'/' | b'\\', ..] | [b'a'..=b'z' | b'A'..=b'Z', b':', ..]) {
        tallies.hit(report, &TEXTURE_ABSOLUTE, || (at(), quoted(), "a path from the model's folder".into()));
    }
}

/// The images in companion files; each is looked at once.
struct Images<'s> {
    source: &'s Source<'s>,
    seen: HashSet<String>,
}

impl Images<'_> {
    fn judge(&mut self, text: &[u8], at: impl Fn() -> Path, report: &mut Report) {
        if self.source.name.is_empty() || text.is_empty() || self.seen.len() == MAX_LOOKUPS {
            return;
        }
        let Ok(text) = std::str::from_utf8(text) else { return };
        let name = text.replace('\\', "/");
        if self.seen.contains(&name) {
            return;
        }
        match self.source.resources.get(&name) {
            None => report.push(Diagnostic::new(&TEXTURE_MISSING, at(), self.source.lacks(&name))),
            Some(bytes) if image_kind(&bytes).is_none() => {
                let finding = Diagnostic::new(&TEXTURE_NOT_IMAGE, at(), format!("{name:?} is no image"));
                report.push(finding.expected("a PNG, JPEG, TGA, DDS or other image"));
            }
            Some(_) => {}
        }
        self.seen.insert(name);
    }
}
