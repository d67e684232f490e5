//! Files of one format: parsed, written back and checked, in the dialect they show and in every other by force; and to a scene and back.

use crate::choices::Choices;
use crate::outlets::Outlet;
use crate::round_trip::{read, there_and_back};
use maquette::fit::{FitOptions, TextureOptions};
use maquette::formats::format::{self, AnimationMatrices, Format, QuaternionOrder, RawFile, ReadOptions, Size, Source};
use maquette::formats::locate;
use maquette::formats::rules::matrices::MatrixOrder;
use maquette::scene::Report;
use maquette::texture::Quality;

/// Puts these bytes through everything that a file of this format may go through; panics on a finding.
pub fn run(format: &'static Format, data: &[u8]) {
    let shown = look(format, data, None);
    let dialect = shown.as_ref().map(|file| file.dialect());
    for other in format.dialects.iter().filter(|other| dialect != Some(other.id)) {
        look(format, data, Some(other.id));
    }
    let mut choices = Choices::of(data);
    let Some(scene) = shown.and_then(|file| read(&*file, &reading(&mut choices))) else { return };
    let outlets: Vec<Outlet> = Outlet::of(format).collect();
    there_and_back(scene, choices.one(&outlets), &fitting(&mut choices));
}

/// Everything but the scene, in one dialect; the file, if it is accepted.
fn look<'a>(format: &Format, data: &'a [u8], dialect: Option<&str>) -> Option<Box<dyn RawFile + 'a>> {
    let file = match (format.open)(data, dialect) {
        Ok(file) => file,
        Err(error) => {
            let diagnostic = error.diagnostic().expect("a finding for every file that is refused");
            assert!(diagnostic.offset.is_some_and(|offset| offset <= data.len() as u64), "{error}");
            return None;
        }
    };
    assert!(file.encode() == data, "the file does not come back");
    check(&*file, &Source::BARE);
    file.summary();
    file.references(&Source::BARE);
    locate::field_at(&*file, data.len() as u64 / 2);
    Some(file)
}

/// Every finding has a place, in the file or in a companion file.
pub fn check(file: &dyn RawFile, source: &Source<'_>) {
    let mut report = Report::default();
    format::check(file, source, &mut report);
    for finding in report.items() {
        let in_companion = finding.path.to_string().starts_with("companions");
        assert!(in_companion || finding.path.segments().is_empty() || finding.offset.is_some(), "{finding}");
    }
}

/// What a reader is told: nothing, most often.
fn reading(choices: &mut Choices) -> ReadOptions<'static> {
    let matrices = [Some(AnimationMatrices::Local), Some(AnimationMatrices::Skinning)];
    ReadOptions {
        matrix_order: choices.one(&[None, None, Some(MatrixOrder::ColumnMajor), Some(MatrixOrder::RowMajor)]),
        quaternion_order: choices.one(&[None, None, Some(QuaternionOrder::Wxyz), Some(QuaternionOrder::Xyzw)]),
        animation_matrices: choices.one(&[None, None, matrices[0], matrices[1]]),
        size: choices.one(&[Size::AsStored, Size::Original]),
        ..ReadOptions::default()
    }
}

/// How a scene is fitted; blocks are seldom made with care, which takes long.
pub fn fitting(choices: &mut Choices) -> FitOptions {
    let quality = match choices.below(16) {
        0 => Some(Quality::High),
        1 => Some(Quality::Default),
        2..8 => Some(Quality::Fast),
        _ => None,
    };
    let max_size = choices.one(&[None, None, None, Some(2)]);
    FitOptions { textures: TextureOptions { quality, max_size, ..TextureOptions::default() }, ..FitOptions::default() }
}
