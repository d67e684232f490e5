//! `maquette render`: pictures of models, without a graphics processor. What is asked for (`args`) becomes one picture, several, a sheet, something that moves, or
//! a comparison; `model` is what is drawn, `files` what becomes of pictures, `terminal` how they are shown where one types.

pub mod args;
mod files;
mod model;
mod terminal;

use crate::Verdict;
use crate::complain::{complain_about, warn};
use crate::progress::Many;
use crate::style;
use crate::terminal::{notes, output};
use crate::verbs::failed::Failed;
use crate::verbs::{print_json, printing};
use args::{Fit, RenderArgs};
use files::{Out, PictureRow, Saved};
use maquette::batch::{self, Entry};
use maquette::{Error, Result};
use maquette_render::{Camera, Picture, Posed, Shot, Stage, StageOptions, compare, draw, sheet};
use model::{Model, Moment, moments};
use serde::Serialize;
use std::io::Write;
use std::path::Path;

/// Pictures of a turntable, if nothing else is said.
const AROUND: u32 = 36;
/// Moments of each clip on a sheet, if nothing else is said.
const ON_SHEET: u32 = 6;
/// Pictures a second of what does not say.
const RATE: f32 = 12.0;

pub fn run(args: &RenderArgs) -> Result<Verdict> {
    if let Some(path) = &args.turntable {
        return turntable(args, path);
    }
    if let Some(other) = &args.compare {
        return compared(args, only(args)?, other);
    }
    if args.sheet {
        return on_sheet(args);
    }
    let out = Out::new(args)?;
    match (&out, args.files.as_slice()) {
        (Out::Folder(folder), files) => many(args, &batch::plan_files(files, folder, "png")?),
        (_, [file]) => finish(args, one(args, file, &out)?),
        (Out::File(path, _), files) => Err(Error::Usage(format!(
            "{} files cannot become one picture, {}: name a folder with -o, or ask for a --sheet",
            files.len(),
            path.display()
        ))),
        (_, files) => {
            let count = files.len();
            Err(Error::Usage(format!(
                "{count} pictures have no room here: name a folder with -o, or ask for a --sheet"
            )))
        }
    }
}

/// Tells of what was drawn.
fn finish(args: &RenderArgs, saved: Vec<Saved>) -> Result<Verdict> {
    files::tell(args, saved)?;
    Ok(Verdict::Fine)
}

/// The one file that there must be.
fn only(args: &RenderArgs) -> Result<&Path> {
    match args.files.as_slice() {
        [file] => Ok(file),
        files => Err(Error::Usage(format!("this takes one file, and {} are given", files.len()))),
    }
}

/// One file: a picture, or several moments of a clip.
fn one(args: &RenderArgs, file: &Path, out: &Out) -> Result<Vec<Saved>> {
    let model = Model::read(args, file)?;
    let stage = stage(args, &model)?;
    let clip = model.clip(args)?;
    let (Some(count), Some(clip)) = (args.frames, clip) else {
        let moment = clip.map(|clip| model.moment(args, clip)).transpose()?;
        let picture = picture(args, &stage, moment)?;
        return Ok(vec![out.save(args, &picture, PictureRow::new(&model.label, args, moment))?]);
    };
    let bounds = stage.bounds_of(clip);
    let camera = bounds.map(|bounds| args.framing().camera(&bounds, args.size)).unwrap_or_default();
    let drawn = |secs: &f32| shoot(args, &stage.pose(Some((clip, *secs))), camera);
    if let Out::File(path, Some(kind)) = out {
        let pictures: Result<Vec<Picture>> = moments(clip, count, true).iter().map(drawn).collect();
        let own = (f64::from(count) / clip.duration_secs.max(1e-3)) as f32;
        let row = PictureRow { frames: Some(count), ..PictureRow::new(&model.label, args, Some((clip, 0.0))) };
        return Ok(vec![files::save_moving(args, path, *kind, &pictures?, args.fps.unwrap_or(own), row)?]);
    }
    let numbered = |(at, secs): (usize, &f32)| {
        let row = PictureRow::new(&model.label, args, Some((clip, *secs)));
        out.numbered(at + 1, count)?.save(args, &drawn(secs)?, row)
    };
    moments(clip, count, false).iter().enumerate().map(numbered).collect()
}

/// A picture of each file.
fn many(args: &RenderArgs, entries: &[Entry]) -> Result<Verdict> {
    let progress = Many::new(entries.len());
    let results = batch::each(entries, |entry| {
        drop(progress.begin(&entry.input));
        let result = one(args, &entry.input, &Out::File(entry.output.clone(), None));
        progress.end(&entry.input, &[if result.is_ok() { Verdict::Fine } else { Verdict::Failed }]);
        result
    });
    progress.finish();
    let mut failed = 0;
    for (entry, result) in entries.iter().zip(results) {
        match result {
            Ok(saved) => files::tell(args, saved)?,
            Err(error) => {
                failed += 1;
                complain_about(&entry.input, &error);
                if args.json {
                    print_json(&mut output(true), &Failed::of(&entry.input, &error))?;
                }
            }
        }
    }
    let mut told = notes();
    writeln!(told, "{} drawn, {failed} failed", entries.len() - failed)
        .and_then(|()| told.flush())
        .map_err(printing)?;
    Ok(if failed == 0 { Verdict::Fine } else { Verdict::Failed })
}

fn turntable(args: &RenderArgs, path: &Path) -> Result<Verdict> {
    let kind = files::moving_kind(path)?;
    let model = Model::read(args, only(args)?)?;
    let stage = stage(args, &model)?;
    let moment = moment(args, &model)?;
    let posed = stage.pose(moment);
    let count = args.frames.unwrap_or(AROUND);
    let cameras = posed.bounds().map(|bounds| args.framing().turntable(&bounds, args.size, count)).unwrap_or_default();
    if cameras.is_empty() {
        return Err(Error::Usage(format!("{} has nothing to be drawn", model.label)));
    }
    let pictures: Result<Vec<Picture>> = cameras.iter().map(|camera| shoot(args, &posed, *camera)).collect();
    let row = PictureRow { frames: Some(count), ..PictureRow::new(&model.label, args, moment) };
    finish(args, vec![files::save_moving(args, path, kind, &pictures?, args.fps.unwrap_or(RATE), row)?])
}

/// All files, or all clips of one, on one picture.
fn on_sheet(args: &RenderArgs) -> Result<Verdict> {
    let out = Out::new(args)?;
    if let Out::Folder(folder) = &out {
        return Err(Error::Usage(format!("a sheet is one picture, and {} is a folder", folder.display())));
    }
    let (mut cells, mut columns, mut worst) = (Vec::new(), 0, Verdict::Fine);
    let count = args.frames.unwrap_or(ON_SHEET);
    for file in &args.files {
        let added = match args.files.len() {
            1 => clips_of(args, file, count, &mut cells).map(|()| columns = count),
            _ => file_of_many(args, file, &mut cells),
        };
        if let Err(error) = added {
            if args.files.len() == 1 {
                return Err(error);
            }
            worst = Verdict::Failed;
            complain_about(file, &error);
        }
    }
    let columns = args.columns.unwrap_or(if columns > 0 { columns } else { cells.len().isqrt().max(1) as u32 + 1 });
    let no_room =
        || Error::Usage("there is no room for all of it on one sheet; make --size or --frames smaller".into());
    let picture = sheet::sheet(&cells, columns).ok_or_else(no_room)?;
    let named: Vec<String> = args.files.iter().map(|file| file.display().to_string()).collect();
    let row = PictureRow { frames: Some(cells.len() as u32), ..PictureRow::new(&named.join(", "), args, None) };
    files::tell(args, vec![out.save(args, &picture, row)?])?;
    Ok(worst)
}

/// A picture and the words below it.
type Cell = (Picture, String);

/// Every clip at several moments; a file without clips from all sides.
fn clips_of(args: &RenderArgs, file: &Path, count: u32, cells: &mut Vec<Cell>) -> Result<()> {
    let model = Model::read(args, file)?;
    let stage = stage(args, &model)?;
    let clips = model.clips(args);
    if clips.is_empty() {
        // Nothing of that name is a mistake; nothing at all is a model that stands still.
        model.clip(args)?;
        let posed = stage.pose(None);
        let Some(bounds) = posed.bounds() else { return Err(Error::NoClip { file: model.label.clone() }) };
        for (at, camera) in args.framing().turntable(&bounds, args.size, count).into_iter().enumerate() {
            cells.push((shoot(args, &posed, camera)?, format!("{} deg", at as u32 * 360 / count)));
        }
        return Ok(());
    }
    must_have_room(clips.len() * count as usize, count, args)?;
    for clip in clips.iter().filter_map(|clip| model.scene.clips.get(*clip)) {
        let camera = stage.bounds_of(clip).map(|bounds| args.framing().camera(&bounds, args.size)).unwrap_or_default();
        for secs in moments(clip, count, false) {
            let name = if clip.name.is_empty() { "clip" } else { &clip.name };
            let drawn = shoot(args, &stage.pose(Some((clip, secs))), camera)?;
            cells.push((drawn, format!("{name} {:.2} s", secs)));
        }
    }
    Ok(())
}

fn file_of_many(args: &RenderArgs, file: &Path, cells: &mut Vec<Cell>) -> Result<()> {
    must_have_room(args.files.len(), args.columns.unwrap_or(args.files.len().isqrt() as u32 + 1), args)?;
    let model = Model::read(args, file)?;
    let stage = stage(args, &model)?;
    let moment = moment(args, &model)?;
    let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    cells.push((picture(args, &stage, moment)?, name));
    Ok(())
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

/// How alike two models look.
#[derive(Serialize)]
struct Compared {
    /// The first file as it was named.
    a: String,
    /// The second file as it was named.
    b: String,
    /// Whether they are as alike as --threshold asks.
    ok: bool,
    /// Structural similarity: 1 for equal pictures.
    ssim: f64,
    /// The largest difference of a channel of a pixel, from 0 to 255.
    largest: u8,
    /// Pixels that differ at all.
    differing: u64,
    /// The picture of both and of where they differ; null where none was asked for.
    output: Option<String>,
}

/// Two files through one camera.
fn compared(args: &RenderArgs, file: &Path, other: &Path) -> Result<Verdict> {
    let out = args.output.as_ref().map(|_| Out::new(args)).transpose()?;
    let (a, b) = (Model::read(args, file)?, Model::read(args, other)?);
    let (stage_a, stage_b) = (stage(args, &a)?, stage(args, &b)?);
    let (posed_a, posed_b) = (posed(args, &a, &stage_a)?, posed(args, &b, &stage_b)?);
    // Both through one camera: another size or place is a difference.
    let camera = posed_a.camera(&args.framing(), args.size);
    let (seen_a, seen_b) = (shoot(args, &posed_a, camera)?, shoot(args, &posed_b, camera)?);
    let Some(found) = compare::compare(&seen_a, &seen_b) else {
        return Err(Error::Usage("pictures of two sizes cannot be compared".into()));
    };
    let ok = found.ssim >= args.threshold && (args.threshold < 1.0 || found.differing == 0);
    let row = Compared {
        a: a.label.clone(),
        b: b.label.clone(),
        ok,
        ssim: found.ssim,
        largest: found.largest,
        differing: found.differing,
        output: args.output.as_ref().map(|path| path.display().to_string()),
    };
    if let Some(out) = out {
        let cells = [(seen_a, a.label), (seen_b, b.label), (found.heat, "difference".to_owned())];
        let no_room = || Error::Usage("three pictures of this size have no room on one; make --size smaller".into());
        out.write(args, &sheet::sheet(&cells, 3).ok_or_else(no_room)?)?;
    }
    if args.json {
        let mut out = output(true);
        print_json(&mut out, &row)?;
        out.flush().map_err(printing)?;
    } else {
        let mut out = output(false);
        let verdict = if ok { "alike" } else { "not alike" };
        let pixels = u64::from(args.size[0]) * u64::from(args.size[1]);
        let Compared { ssim, largest, differing, .. } = row;
        writeln!(
            out,
            "{} SSIM {ssim:.4}, {differing} of {pixels} pixels differ, by {largest} of 255 at most",
            style::bold(format_args!("{verdict}:"))
        )
        .and_then(|()| out.flush())
        .map_err(printing)?;
    }
    Ok(if ok { Verdict::Fine } else { Verdict::Findings })
}

fn stage<'m>(args: &RenderArgs, model: &'m Model) -> Result<Stage<'m>> {
    let stage = Stage::new(&model.scene, &StageOptions { only: Some(args.mode()), ..StageOptions::default() });
    if let Some(left_out) = stage.left_out() {
        return Err(Error::Usage(format!("{} has too much to be drawn: {left_out}", model.label)));
    }
    model.tell_missing(&stage);
    Ok(stage)
}

/// The moment that is asked for; `None` for the model at rest.
fn moment<'m>(args: &RenderArgs, model: &'m Model) -> Result<Option<Moment<'m>>> {
    model.clip(args)?.map(|clip| model.moment(args, clip)).transpose()
}

fn posed<'s>(args: &RenderArgs, model: &Model, stage: &'s Stage<'s>) -> Result<Posed<'s>> {
    Ok(stage.pose(moment(args, model)?))
}

fn picture(args: &RenderArgs, stage: &Stage<'_>, moment: Option<Moment<'_>>) -> Result<Picture> {
    let posed = stage.pose(moment);
    if posed.nowhere() > 0 {
        warn(&format!("{} vertices are nowhere: what is drawn with them is left out", posed.nowhere()));
    }
    let whole = moment.filter(|_| args.fit == Fit::Clip).and_then(|(clip, _)| stage.bounds_of(clip));
    let camera = match whole {
        Some(bounds) => args.framing().camera(&bounds, args.size),
        None => posed.camera(&args.framing(), args.size),
    };
    shoot(args, &posed, camera)
}

fn shoot(args: &RenderArgs, posed: &Posed<'_>, camera: Camera) -> Result<Picture> {
    draw(posed, &Shot { camera, ..args.shot() }).map_err(|refusal| Error::Usage(refusal.to_string()))
}
