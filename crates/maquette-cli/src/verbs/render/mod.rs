//! `maquette render`: pictures of models, without a graphics processor. What is asked for (`args`, and `asked` whether it makes sense together) becomes one picture, several,
//! something that moves, a sheet (`sheets`) or a comparison; `model` is what is drawn, `told` what is to be known about it, `files` what becomes of pictures, `terminal` how they are
//! shown where one types.

pub mod args;
mod asked;
mod files;
mod model;
mod sheets;
mod terminal;
mod told;

use crate::Verdict;
use crate::complain::complain_about;
use crate::progress::{Many, One};
use crate::style;
use crate::terminal::{notes, output};
use crate::verbs::failed::Failed;
use crate::verbs::{is_standard, print_json, printing};
use args::{Fit, RenderArgs};
use files::{Out, PictureRow, Saved};
use maquette::batch::{self, Entry};
use maquette::scene::clip::Clip;
use maquette::{Error, Result};
use maquette_render::{Camera, Picture, Posed, Shot, Stage, StageOptions, compare, draw};
use model::{Model, Moment, moments};
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};
use told::Told;

/// Pictures of a turntable, if nothing else is said.
const AROUND: u32 = 36;
/// Pictures a second of what does not say.
const RATE: f64 = 12.0;

pub fn run(mut args: RenderArgs) -> Result<Verdict> {
    args.files = asked::files(&args)?;
    let args = &args;
    asked::check(args)?;
    if let Some(path) = &args.turntable {
        return turntable(args, path);
    }
    if let Some(other) = &args.compare {
        return compared(args, only(args)?, other);
    }
    let out = Out::new(args)?;
    if args.sheet {
        return sheets::draw(args, &out);
    }
    match (&out, args.files.as_slice()) {
        (Out::Folder(folder), files) => many(args, &plan(files, folder)?),
        (_, [file]) => files::tell(args, one(args, file, &out, Some(One::new(file)))?),
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

/// The one file that there must be.
fn only(args: &RenderArgs) -> Result<&Path> {
    match args.files.as_slice() {
        [file] => Ok(file),
        files => Err(Error::Usage(format!("this takes one file, and {} are given", files.len()))),
    }
}

/// A picture for each file, named after it: `fox.png`, or `fox.glb.png` where there is a `fox.aem` as well.
fn plan(files: &[PathBuf], folder: &Path) -> Result<Vec<Entry>> {
    let own = |name: &Path| if is_standard(name) { PathBuf::from("stdin") } else { name.to_path_buf() };
    let short = batch::plan_into(files, folder, |name| own(name).with_extension("png"));
    let Err(Error::SameOutput { .. }) = short else { return short };
    let long = batch::plan_into(files, folder, |name| format!("{}.png", own(name).display()).into());
    long.map_err(|error| match error {
        Error::SameOutput { collisions } => {
            let same: Vec<String> =
                collisions.iter().take(3).map(|(to, from)| format!("{} as {to}", from.join(" and "))).collect();
            Error::Usage(format!(
                "several files would become the same picture, {}: draw them in several runs, into folders of their own",
                same.join("; ")
            ))
        }
        error => error,
    })
}

/// One file: a picture, or several moments of a clip.
fn one(args: &RenderArgs, file: &Path, out: &Out, progress: Option<One>) -> Result<Vec<Saved>> {
    let model = Model::read(args, file)?;
    let stage = stage(args, &model)?;
    let clip = model.clip(args)?;
    let mut told = Told::of(&model, &stage);
    told.notes.extend(model.which_clip(args, clip));
    let (Some(count), Some(clip)) = (args.frames, clip) else {
        let moment = clip.map(|clip| model.moment(args, clip)).transpose()?;
        let picture = picture(args, &stage, moment)?;
        drop(progress);
        return Ok(vec![out.save(args, &picture, PictureRow::new(&model.label, args, moment, told))?]);
    };
    let camera = whole_camera(args, &stage, clip);
    let drawn = |secs: &f32| shoot(args, &stage.pose(Some((clip, *secs))), camera);
    if let Out::File(path, Some(kind)) = out {
        files::refuse_moving(args, path, *kind, count)?;
        let pictures: Result<Vec<Picture>> = moments(clip, count, true).iter().map(drawn).collect();
        let own = f64::from(count) / clip.duration_secs.max(1e-3);
        let row = PictureRow { frames: Some(count), ..PictureRow::new(&model.label, args, Some((clip, 0.0)), told) };
        let rate = args.fps.map_or(own, f64::from);
        return Ok(vec![files::save_moving(args, path, *kind, &pictures?, rate, row)?]);
    }
    // All or none.
    (1..=count as usize).try_for_each(|number| out.numbered(number, count)?.refuse_others(args))?;
    let numbered = |(at, secs): (usize, &f32)| {
        // Once for all of them.
        let told = if at == 0 { std::mem::take(&mut told) } else { Told::default() };
        let row = PictureRow::new(&model.label, args, Some((clip, *secs)), told);
        out.numbered(at + 1, count)?.save(args, &drawn(secs)?, row)
    };
    moments(clip, count, false).iter().enumerate().map(numbered).collect()
}

/// A picture of each file.
fn many(args: &RenderArgs, entries: &[Entry]) -> Result<Verdict> {
    let progress = Many::new(entries.len());
    let results = batch::each(entries, |entry| {
        drop(progress.begin(&entry.input));
        let result = one(args, &entry.input, &Out::File(entry.output.clone(), None), None);
        progress.end(&entry.input, &[if result.is_ok() { Verdict::Fine } else { Verdict::Failed }]);
        result
    });
    progress.finish();
    let (mut failed, mut verdict) = (0, Verdict::Fine);
    for (entry, result) in entries.iter().zip(results) {
        match result {
            Ok(saved) => verdict = verdict.max(files::tell(args, saved)?),
            Err(error) => {
                (failed, verdict) = (failed + 1, Verdict::Failed);
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
    Ok(verdict)
}

/// All around a model: at rest, at a moment, or while a clip plays as often as there is time for it.
fn turntable(args: &RenderArgs, path: &Path) -> Result<Verdict> {
    let kind = files::moving_kind(path)?;
    let file = only(args)?;
    let progress = One::new(file);
    let model = Model::read(args, file)?;
    let stage = stage(args, &model)?;
    let clip = model.clip(args)?;
    let mut told = Told::of(&model, &stage);
    told.notes.extend(model.which_clip(args, clip));
    let count = args.frames.unwrap_or(AROUND);
    files::refuse_moving(args, path, kind, count)?;
    let rate = args.fps.map_or(RATE, f64::from);
    let moment = clip.map(|clip| model.moment(args, clip)).transpose()?;
    let playing = clip.filter(|_| args.time.is_none());
    let bounds = match playing {
        Some(clip) => stage.bounds_of(clip),
        None => stage.pose(moment).bounds(),
    };
    let cameras = bounds.map(|bounds| args.framing().turntable(&bounds, args.size, count)).unwrap_or_default();
    if cameras.is_empty() {
        return Err(Error::Usage(format!("{} has nothing to be drawn", model.label)));
    }
    let still = stage.pose(moment);
    let drawn = |(at, camera): (usize, &Camera)| match playing {
        Some(clip) => shoot(args, &stage.pose(Some((clip, turning(clip.duration_secs, rate, at, count)))), *camera),
        None => shoot(args, &still, *camera),
    };
    let pictures: Result<Vec<Picture>> = cameras.iter().enumerate().map(drawn).collect();
    let row = PictureRow { frames: Some(count), ..PictureRow::new(&model.label, args, moment, told) };
    let saved = files::save_moving(args, path, kind, &pictures?, rate, row)?;
    progress.finish();
    files::tell(args, vec![saved])
}

/// The moment of a clip that plays a whole number of times while a model turns once: as often as it has time for, and at least once.
fn turning(duration_secs: f64, rate: f64, at: usize, count: u32) -> f32 {
    let times = (f64::from(count) / rate / duration_secs.max(1e-3) + 1e-6).floor().max(1.0);
    let part = at as f64 * times / f64::from(count);
    ((part - part.floor()) * duration_secs) as f32
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
    /// What is not in the pictures and should be.
    warnings: Vec<String>,
    /// What else is to be known.
    notes: Vec<String>,
}

/// Two files through one camera.
fn compared(args: &RenderArgs, file: &Path, other: &Path) -> Result<Verdict> {
    let out = args.output.as_ref().map(|_| Out::new(args)).transpose()?;
    let (a, b) = (Model::read(args, file)?, Model::read(args, other)?);
    let (stage_a, stage_b) = (stage(args, &a)?, stage(args, &b)?);
    let mut told = Told::of(&a, &stage_a);
    let told_b = Told::of(&b, &stage_b);
    told.warnings.extend(told_b.warnings);
    told.notes.extend(told_b.notes);
    let (posed_a, posed_b) = (posed(args, &a, &stage_a)?, posed(args, &b, &stage_b)?);
    // Both through one camera, which sees all of them: another size or place is a difference.
    let camera = Posed::camera_of_all(&[&posed_a, &posed_b], &args.framing(), args.size);
    let (seen_a, seen_b) = (shoot(args, &posed_a, camera)?, shoot(args, &posed_b, camera)?);
    let Some(found) = compare::compare(&seen_a, &seen_b) else {
        return Err(Error::Usage("pictures of two sizes cannot be compared".into()));
    };
    if seen_a.constant().is_some() && seen_b.constant().is_some() {
        told.warnings.push("nothing is to be seen on either picture".to_owned());
    }
    told.say();
    let ok = found.ssim >= args.threshold && (args.threshold < 1.0 || found.differing == 0);
    let row = Compared {
        a: a.label.clone(),
        b: b.label.clone(),
        ok,
        ssim: found.ssim,
        largest: found.largest,
        differing: found.differing,
        output: args.output.as_ref().map(|path| path.display().to_string()),
        warnings: told.warnings.clone(),
        notes: told.notes.clone(),
    };
    if let Some(out) = out {
        let cells = [(seen_a, a.label), (seen_b, b.label), (found.heat, "difference".to_owned())];
        let no_room = || Error::Usage("three pictures of this size have no room on one; make --size smaller".into());
        out.write(args, &sheets::on_paper(args, &cells, 3).ok_or_else(no_room)?)?;
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
    Ok(if ok { told.verdict(args) } else { Verdict::Findings })
}

fn stage<'m>(args: &RenderArgs, model: &'m Model) -> Result<Stage<'m>> {
    let stage = Stage::new(&model.scene, &StageOptions { only: Some(args.mode()), ..StageOptions::default() });
    match stage.left_out() {
        Some(left_out) => Err(Error::Usage(format!("{} has too much to be drawn: {left_out}", model.label))),
        None => Ok(stage),
    }
}

/// The moment that is asked for; `None` for the model at rest.
fn moment<'m>(args: &RenderArgs, model: &'m Model) -> Result<Option<Moment<'m>>> {
    model.clip(args)?.map(|clip| model.moment(args, clip)).transpose()
}

fn posed<'s>(args: &RenderArgs, model: &Model, stage: &'s Stage<'s>) -> Result<Posed<'s>> {
    Ok(stage.pose(moment(args, model)?))
}

/// A camera that sees all of a clip.
fn whole_camera(args: &RenderArgs, stage: &Stage<'_>, clip: &Clip) -> Camera {
    stage.bounds_of(clip).map(|bounds| args.framing().camera(&bounds, args.size)).unwrap_or_default()
}

fn picture(args: &RenderArgs, stage: &Stage<'_>, moment: Option<Moment<'_>>) -> Result<Picture> {
    let posed = stage.pose(moment);
    let whole = moment.filter(|_| args.fit == Fit::Clip);
    // The box is drawn as well, and is larger than what is in it.
    let boxed = posed.bounds().filter(|_| args.bounds);
    let camera = match (whole, boxed) {
        (Some((clip, _)), _) => whole_camera(args, stage, clip),
        (None, Some(bounds)) => args.framing().camera(&bounds, args.size),
        (None, None) => posed.camera(&args.framing(), args.size),
    };
    shoot(args, &posed, camera)
}

fn shoot(args: &RenderArgs, posed: &Posed<'_>, camera: Camera) -> Result<Picture> {
    draw(posed, &Shot { camera, ..args.shot() }).map_err(|refusal| Error::Usage(refusal.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clip_plays_whole_times_while_a_model_turns() {
        let at = |duration: f64, at: usize| turning(duration, 12.0, at, 36);
        // Three seconds: twice for one of 1.5 or 1.25 seconds, once for longer ones.
        assert_eq!([at(1.5, 0), at(1.5, 9), at(1.5, 18), at(1.25, 18)], [0.0, 0.75, 0.0, 0.0]);
        assert_eq!(at(8.0, 18), 4.0);
        assert!(at(0.0, 5).is_finite());
    }
}
