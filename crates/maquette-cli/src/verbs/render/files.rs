//! What becomes of pictures: files, or something to look at in the terminal.

use super::args::{Protocol, RenderArgs};
use super::model::Moment;
use super::terminal;
use super::told::Told;
use crate::Verdict;
use crate::terminal::{notes, output};
use crate::verbs::{is_standard, overwriting, print_json, print_pieces, printing, said};
use maquette::target::is_folder;
use maquette::texture::animation::{self, Kind};
use maquette::texture::png;
use maquette::{Error, Result, save};
use maquette_render::Picture;
use serde::Serialize;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

/// Where pictures go.
pub enum Out {
    /// A file, and what it is if it is one that moves.
    File(PathBuf, Option<Kind>),
    /// One for each input.
    Folder(PathBuf),
    /// To be looked at where one types.
    Terminal(Protocol),
    /// A file to whoever reads standard output.
    Stream,
}

/// A picture that was made.
#[derive(Serialize)]
pub struct PictureRow {
    /// The input as it was named; of a sheet of several, all of them in one text.
    pub input: String,
    /// Each input as it was named: one, or those of a sheet.
    pub inputs: Vec<String>,
    /// The picture; `-` for standard output.
    pub output: String,
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    /// What is shown.
    pub mode: String,
    /// The clip; null at rest.
    pub clip: Option<String>,
    /// The moment of the clip; null at rest.
    pub time_secs: Option<f32>,
    /// How many pictures it holds, of a sheet or of what moves; null for one.
    pub frames: Option<u32>,
    /// What is not in the picture and should be: textures that are missing, parts of the file that are not drawn, all of it.
    pub warnings: Vec<String>,
    /// What else is to be known, such as that bones are drawn where there is no geometry.
    pub notes: Vec<String>,
}

impl PictureRow {
    pub fn new(input: &str, args: &RenderArgs, moment: Option<Moment<'_>>, told: Told) -> PictureRow {
        PictureRow {
            input: input.to_owned(),
            inputs: vec![input.to_owned()],
            output: String::new(),
            width: 0,
            height: 0,
            mode: args.mode.clone(),
            clip: moment.map(|(clip, _)| clip.name.clone()),
            time_secs: moment.map(|(_, secs)| secs),
            frames: None,
            warnings: told.warnings,
            notes: told.notes,
        }
    }

    /// The same of these pictures, with a warning where nothing is to be seen on any of them.
    fn of_pictures(mut self, pictures: &[Picture]) -> PictureRow {
        if pictures.iter().all(|picture| picture.constant().is_some()) {
            self.warnings.push(format!("{}: nothing is to be seen: the picture has one colour", self.input));
        }
        let (width, height) = pictures.first().map_or((0, 0), |picture| (picture.width(), picture.height()));
        PictureRow { width, height, ..self }
    }
}

impl Out {
    pub fn new(args: &RenderArgs) -> Result<Out> {
        let shown = || args.terminal.or_else(Protocol::of_terminal);
        let Some(path) = &args.output else {
            return match shown().filter(|_| io::stdout().is_terminal() || args.terminal.is_some()) {
                Some(protocol) => Ok(Out::Terminal(protocol)),
                None => Err(Error::Usage(
                    "this terminal shows no pictures, as far as it says; name a file with -o, or how it does with --terminal"
                        .into(),
                )),
            };
        };
        if is_standard(path) {
            return match (io::stdout().is_terminal() || args.terminal.is_some(), shown()) {
                (true, Some(protocol)) => Ok(Out::Terminal(protocol)),
                (true, None) => Err(Error::Usage(
                    "this terminal shows no pictures, as far as it says; --terminal says how it does".into(),
                )),
                (false, _) => Ok(Out::Stream),
            };
        }
        let (shown, is_one) = (path.display(), args.sheet || args.compare.is_some());
        if is_folder(path) || !path.exists() && path.extension().is_none() && args.has_several() && !is_one {
            return match is_one {
                false => Ok(Out::Folder(path.clone())),
                true => Err(Error::Usage(format!("this is one picture, and {shown} is a folder: name a .png in it"))),
            };
        }
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
        match (ending.as_str(), args.frames) {
            ("png", _) => Ok(Out::File(path.clone(), None)),
            ("apng" | "gif" | "webp", _) if is_one => {
                Err(Error::Usage(format!("sheets and comparisons do not move: end {shown} in .png")))
            }
            ("apng" | "gif" | "webp", Some(_)) => Ok(Out::File(path.clone(), Kind::from_ending(&ending))),
            ("apng" | "gif" | "webp", None) => Err(Error::Usage(format!(
                "{shown} is a file that moves: say how many pictures with --frames, or end it in .png"
            ))),
            ("", _) => {
                Err(Error::Usage(format!("{shown} has no ending: {shown}.png is a picture, {shown}/ is a folder")))
            }
            _ => Err(Error::Usage(format!(
                "{shown} ends neither in .png nor, for what moves, in .gif, .webp or .apng; end a folder in /"
            ))),
        }
    }

    /// The place of one of several: `walk.png` is `walk.0001.png` and so on.
    pub fn numbered(&self, number: usize, of: u32) -> Result<Out> {
        let path = match self {
            Out::File(path, _) => path,
            _ => {
                return Err(Error::Usage(
                    "several pictures need a name: -o walk.png makes walk.0001.png and so on".into(),
                ));
            }
        };
        let digits = of.to_string().len().max(4);
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        Ok(Out::File(path.with_file_name(format!("{stem}.{number:0digits$}.png")), None))
    }

    /// Whether a picture may be written there.
    pub fn refuse_others(&self, args: &RenderArgs) -> Result<()> {
        match self {
            Out::File(path, _) => save::refuse_others(path, PNG, overwriting(args.force)),
            Out::Folder(_) | Out::Terminal(_) | Out::Stream => Ok(()),
        }
    }

    /// Writes or shows a picture; what is to be told of it.
    pub fn save(&self, args: &RenderArgs, picture: &Picture, row: PictureRow) -> Result<Saved> {
        let path = self.write(args, picture)?;
        Ok(Saved { path, row: row.of_pictures(std::slice::from_ref(picture)) })
    }

    /// Writes or shows a picture; the file, if it is one.
    pub fn write(&self, args: &RenderArgs, picture: &Picture) -> Result<Option<PathBuf>> {
        let file = encoded(png::encode(picture.width(), picture.height(), picture.pixels()))?;
        match self {
            Out::File(path, _) | Out::Folder(path) => {
                save::write_picture(path, &file, PNG, overwriting(args.force))?;
                return Ok(Some(path.clone()));
            }
            Out::Terminal(protocol) => {
                let mut out = io::stdout().lock();
                terminal::show(&mut out, *protocol, picture, &file).and_then(|()| out.flush()).map_err(printing)?;
            }
            Out::Stream => print_pieces([file.as_slice()].into_iter())?,
        }
        Ok(None)
    }
}

/// What moves can be written as by the ending of a name.
pub fn moving_kind(path: &Path) -> Result<Kind> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().into_owned()).unwrap_or_default();
    let unknown = || Error::Usage(format!("{} ends neither in .png nor in .gif, .webp or .apng", path.display()));
    Kind::from_ending(&ending).ok_or_else(unknown)
}

/// How files begin.
const PNG: &[u8] = b"\x89PNG";

fn start_of(kind: Kind) -> &'static [u8] {
    match kind {
        Kind::Png => PNG,
        Kind::Gif => b"GIF8",
        Kind::Webp => b"RIFF",
    }
}

/// All pictures of what moves are held at once: so many bytes at most.
const MOST_BYTES: u64 = 1 << 30;

/// Whether what moves can be made at all, and written there.
pub fn refuse_moving(args: &RenderArgs, path: &Path, kind: Kind, count: u32) -> Result<()> {
    let [width, height] = args.size.map(u64::from);
    if width * height * 4 * u64::from(count) > MOST_BYTES {
        return Err(Error::Usage(format!(
            "{count} pictures of {width} × {height} pixels are more than are held at once, {MOST_BYTES} bytes: make --size or --frames smaller, or end the name in .png for a file each"
        )));
    }
    save::refuse_others(path, start_of(kind), overwriting(args.force))
}

/// Writes pictures that move, so many a second; what is to be told of it.
pub fn save_moving(
    args: &RenderArgs,
    path: &Path,
    kind: Kind,
    pictures: &[Picture],
    rate: f64,
    row: PictureRow,
) -> Result<Saved> {
    let file = encoded(animation::encode(kind, pictures, rate.max(0.02)))?;
    save::write_picture(path, &file, start_of(kind), overwriting(args.force))?;
    Ok(Saved { path: Some(path.to_path_buf()), row: row.of_pictures(pictures) })
}

fn encoded(file: Option<Vec<u8>>) -> Result<Vec<u8>> {
    file.ok_or_else(|| Error::Usage("pictures of this size cannot be written as such a file".into()))
}

/// A picture that was written or shown.
pub struct Saved {
    path: Option<PathBuf>,
    row: PictureRow,
}

/// Tells of pictures: of many in the order of their files, whichever was drawn first.
pub fn tell(args: &RenderArgs, saved: Vec<Saved>) -> Result<Verdict> {
    let mut verdict = Verdict::Fine;
    for Saved { path, row } in saved {
        let told = Told { warnings: row.warnings.clone(), notes: row.notes.clone() };
        told.say();
        verdict = verdict.max(told.verdict(args));
        if args.json {
            let mut out = output(true);
            let output = path.map_or("-".to_owned(), |path| path.display().to_string());
            print_json(&mut out, &PictureRow { output, ..row })?;
            out.flush().map_err(printing)?;
        } else {
            let mut out = notes();
            said(&mut out, path.as_slice());
            out.flush().map_err(printing)?;
        }
    }
    Ok(verdict)
}
