//! Files of one format: parsed, written back and checked, in the dialect they show and in every other by force; and to a scene and back.

use crate::choices::Choices;
use crate::round_trip::{fitted, read, written_and_read};
use maquette::fit::{FitOptions, TextureOptions};
use maquette::formats::format::{self, AnimationMatrices, Format, QuaternionOrder, RawFile, ReadOptions, Size, Source};
use maquette::formats::locate;
use maquette::formats::rules::matrices::MatrixOrder;
use maquette::scene::Report;
use maquette::texture::Quality;

/// One execution.
pub fn run(format: &Format, data: &[u8]) {
    let shown = look(format, data, None);
    for dialect in format.dialects.iter().filter(|dialect| shown != Some(dialect.id)) {
        look(format, data, Some(dialect.id));
    }
    if shown.is_none() {
        return;
    }
    let mut choices = Choices::of(data);
    let Some(scene) = read(format, data, &reading(&mut choices)) else { return };
    let Some(scene) = fitted(scene, format, &fitting(&mut choices)) else { return };
    written_and_read(&scene, format, format.dialects[choices.below(format.dialects.len())].id);
}

/// Everything but the scene, in one dialect; the dialect, if the file is accepted.
fn look(format: &Format, data: &[u8], dialect: Option<&str>) -> Option<&'static str> {
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
    locate::field_at(&*file, data.len() as u64 / 2);
    Some(file.dialect())
}

/// Every finding has a place, in the file or beside it.
pub fn check(file: &dyn RawFile, source: &Source<'_>) {
    let mut report = Report::default();
    format::check(file, source, &mut report);
    for finding in report.items() {
        let beside = finding.path.to_string().starts_with("companions");
        assert!(beside || finding.path.segments().is_empty() || finding.offset.is_some(), "{finding}");
    }
}

/// What a reader is told: nothing, most often.
fn reading(choices: &mut Choices) -> ReadOptions<'static> {
    ReadOptions {
        matrix_order: choices.one(&[None, None, Some(MatrixOrder::ColumnMajor), Some(MatrixOrder::RowMajor)]),
        quaternion_order: choices.one(&[None, None, Some(QuaternionOrder::Wxyz), Some(QuaternionOrder::Xyzw)]),
        animation_matrices: choices.one(&[
            None,
            None,
            Some(AnimationMatrices::Local),
            Some(AnimationMatrices::Skinning),
        ]),
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
    FitOptions { textures: TextureOptions { quality, max_size }, ..FitOptions::default() }
}
