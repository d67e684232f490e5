//! One picture of all files, or of all clips of one, each cell with its name.

use super::args::RenderArgs;
use super::files::{self, Out, PictureRow};
use super::model::{Model, moments};
use super::told::Told;
use super::{moment, picture, shoot, stage, whole_camera};
use crate::Verdict;
use crate::complain::complain_about;
use crate::progress::Many;
use maquette::texture::letters;
use maquette::{Error, Result};
use maquette_render::{Background, Picture, sheet};
use std::path::Path;

/// Moments of each clip on a sheet, if nothing else is said.
const ON_SHEET: u32 = 6;

/// A picture and the words below it.
type Cell = (Picture, String);

pub fn draw(args: &RenderArgs, out: &Out) -> Result<Verdict> {
    let (mut cells, mut told, mut failed) = (Vec::new(), Told::default(), 0);
    let progress = Many::new(args.files.len());
    let count = args.frames.unwrap_or(if args.has_several() { 1 } else { ON_SHEET });
    let across = if count > 1 { count } else { args.files.len().isqrt() as u32 + 1 };
    let columns = args.columns.unwrap_or(across);
    must_have_room(args.files.len() * count as usize, columns, args)?;
    let mut errors = Vec::new();
    for file in &args.files {
        drop(progress.begin(file));
        let added = match args.has_several() {
            false => clips_of(args, file, count, columns, &mut cells, &mut told),
            true => file_of_many(args, file, count, &mut cells, &mut told),
        };
        progress.end(file, &[if added.is_ok() { Verdict::Fine } else { Verdict::Failed }]);
        match added {
            Ok(()) => {}
            Err(error) if !args.has_several() => return Err(error),
            Err(error) => {
                failed += 1;
                errors.push((file, error));
                let plain = blank(args)?;
                cells.extend((0..count).map(|_| (plain.clone(), name(file))));
            }
        }
    }
    progress.finish();
    errors.iter().for_each(|(file, error)| complain_about(file, error));
    if failed == args.files.len() {
        return Err(Error::Usage(format!("none of the {failed} files can be drawn, so there is no sheet")));
    }
    let no_room =
        || Error::Usage("there is no room for all of it on one sheet; make --size or --frames smaller".into());
    let picture = on_paper(args, &cells, columns).ok_or_else(no_room)?;
    let named: Vec<String> = args.files.iter().map(|file| file.display().to_string()).collect();
    let row = PictureRow::new(&named.join(", "), args, None, told);
    let row = PictureRow { frames: Some(cells.len() as u32), inputs: named, ..row };
    let verdict = files::tell(args, vec![out.save(args, &picture, row)?])?;
    Ok(if failed > 0 { Verdict::Failed } else { verdict })
}

/// Cells on paper of the background that is asked for.
pub fn on_paper(args: &RenderArgs, cells: &[Cell], columns: u32) -> Option<Picture> {
    match args.background {
        Some(background) => sheet::sheet_on(pixel(background), cells, columns),
        None => sheet::sheet(cells, columns),
    }
}

fn pixel(background: Background) -> [u8; 4] {
    match background {
        Background::Transparent => [0; 4],
        Background::Colour(colour) => {
            let [r, g, b] = colour.map(|part| (part.clamp(0.0, 1.0) * 255.0 + 0.5) as u8);
            [r, g, b, 255]
        }
    }
}

/// What stands in the place of a file that cannot be drawn.
fn blank(args: &RenderArgs) -> Result<Picture> {
    let [width, height] = args.size;
    let pixels = vec![pixel(args.background.unwrap_or_default()); width as usize * height as usize];
    let too_large = || Error::Usage("a picture of this size cannot be made".into());
    let mut blank = Picture::new(width, height, pixels).ok_or_else(too_large)?;
    let dot = (width / 160).clamp(1, 4);
    let words = letters::cut("cannot be drawn", width, dot);
    let ink = match pixel(args.background.unwrap_or_default()).map(u32::from) {
        [r, g, b, 255] if r + g + b < 382 => [255; 4],
        _ => [40, 40, 40, 255],
    };
    letters::write(&mut blank, [2 * dot, height / 2], &words, dot, ink);
    Ok(blank)
}

/// Every clip at several moments; a file without clips from all sides.
fn clips_of(
    args: &RenderArgs,
    file: &Path,
    count: u32,
    columns: u32,
    cells: &mut Vec<Cell>,
    told: &mut Told,
) -> Result<()> {
    let model = Model::read(args, file)?;
    let stage = stage(args, &model)?;
    *told = Told::of(&model, &stage);
    let clips = model.clips(args);
    if clips.is_empty() {
        // Nothing of that name is a mistake; nothing at all is a model that stands still.
        if args.clip.is_some() {
            model.clip(args)?;
        }
        let posed = stage.pose(None);
        let Some(bounds) = posed.bounds() else { return Err(Error::NoClip { file: model.label.clone() }) };
        for (at, camera) in args.framing().turntable(&bounds, args.size, count).into_iter().enumerate() {
            cells.push((shoot(args, &posed, camera)?, format!("{} deg", at as u32 * 360 / count)));
        }
        return Ok(());
    }
    must_have_room(clips.len() * count as usize, columns, args)?;
    for clip in clips.iter().filter_map(|clip| model.scene.clips.get(*clip)) {
        let camera = whole_camera(args, &stage, clip);
        for secs in moments(clip, count, false) {
            let name = if clip.name.is_empty() { "clip" } else { &clip.name };
            let drawn = shoot(args, &stage.pose(Some((clip, secs))), camera)?;
            cells.push((drawn, format!("{name} {secs:.2} s")));
        }
    }
    Ok(())
}

/// One of several files: a picture, or a row of moments. One without clips stands still all along its row.
fn file_of_many(args: &RenderArgs, file: &Path, count: u32, cells: &mut Vec<Cell>, told: &mut Told) -> Result<()> {
    let model = Model::read(args, file)?;
    let stage = stage(args, &model)?;
    let mut drawn = Vec::new();
    match model.clip(args)?.filter(|_| args.frames.is_some()) {
        Some(clip) => {
            let camera = whole_camera(args, &stage, clip);
            for secs in moments(clip, count, false) {
                let label = format!("{} {secs:.2} s", name(file));
                drawn.push((shoot(args, &stage.pose(Some((clip, secs))), camera)?, label));
            }
        }
        None => {
            let still = picture(args, &stage, moment(args, &model)?)?;
            drawn.extend((0..count).map(|_| (still.clone(), name(file))));
        }
    }
    cells.extend(drawn);
    let of_file = Told::of(&model, &stage);
    told.warnings.extend(of_file.warnings);
    told.notes.extend(of_file.notes);
    Ok(())
}

fn name(file: &Path) -> String {
    file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn must_have_room(count: usize, columns: u32, args: &RenderArgs) -> Result<()> {
    match sheet::has_room(count, columns, args.size) {
        true => Ok(()),
        false => Err(Error::Usage(format!(
            "{count} pictures of {} × {} pixels have no room on a sheet; make --size or --frames smaller",
            args.size[0], args.size[1]
        ))),
    }
}
