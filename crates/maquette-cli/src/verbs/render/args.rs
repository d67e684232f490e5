//! What `maquette render` can be asked for, and what that means for a picture.

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum, ValueHint};
use maquette::clips::Moment;
use maquette_render::{Background, Framing, Mode, Overlays, Samples, Shot, ToneMap, View};
use std::path::PathBuf;

#[derive(Args)]
#[command(
    after_help = "Pictures are made without a graphics processor and without a display, and are the same bytes on every machine.\n\n\
                  Examples:\n  maquette render fox.glb -o fox.png\n  \
                  maquette render fox.glb --clip Run --time 0.3 --skeleton --view side --size 1024 -o fox.png\n  \
                  maquette render *.glb -o thumbnails/\n  \
                  maquette render *.aem --sheet -o all.png\n  \
                  maquette render fox.glb --sheet --frames 6 -o clips.png\n  \
                  maquette render fox.glb --turntable fox.gif\n  \
                  maquette render before.glb --compare after.aem -o difference.png\n  \
                  maquette render walk.seanim --on body.glb --frames 24 -o walk.webp"
)]
pub struct RenderArgs {
    /// The files to draw, or folders of them; `-` for standard input
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,
    /// Where to: a .png; with --frames also a .gif, .webp or .apng that moves; a folder for a picture of each file; `-` for standard output. Without it, the terminal shows the picture if it can
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::AnyPath)]
    pub output: Option<PathBuf>,
    /// The model that clips of these files move, for files that hold clips alone, such as SEAnim
    #[arg(long, help_heading = "What is drawn", value_name = "MODEL", value_hint = ValueHint::FilePath)]
    pub on: Option<PathBuf>,
    /// Which bone of such a clip is which of the model: a file of lines `clip bone = model bone`; nothing behind the sign leaves the bone out
    #[arg(long, help_heading = "What is drawn", value_name = "MAP", value_hint = ValueHint::FilePath, requires = "on")]
    pub bone_map: Option<PathBuf>,
    /// Pass over this beginning of bone names, in clips and model alike. May be given again
    #[arg(long, help_heading = "What is drawn", value_name = "TEXT", requires = "on")]
    pub strip_prefix: Vec<String>,
    /// Pass over namespaces of bone names: `mixamorig:Hips` is `Hips`
    #[arg(long, help_heading = "What is drawn", requires = "on")]
    pub ignore_namespace: bool,
    /// Draw a moment of this clip; `*` and `?` stand for any text and character, and the first that fits is taken
    #[arg(long, help_heading = "What is drawn", value_name = "GLOB")]
    pub clip: Option<String>,
    /// Which moment: 1.5 in seconds, 45f in frames; the start by default. Of several files, those without clips are drawn at rest, and of several clips the first is taken
    #[arg(long, help_heading = "What is drawn", value_name = "TIME", allow_negative_numbers = true)]
    pub time: Option<Moment>,
    /// How many moments of the clip: as files with numbers (walk.0001.png), or as one that moves (.gif, .webp, .apng). For a sheet, moments of each clip, or of each file of several; for a turntable, pictures all around
    #[arg(long, help_heading = "Several pictures", value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub frames: Option<u32>,
    /// Pictures a second of a file that moves; a clip is played at its own pace without it. Also how long a frame of --time 45f is, for clips that do not say
    #[arg(long, help_heading = "Several pictures", value_name = "RATE", value_parser = rate)]
    pub fps: Option<f32>,
    /// All around the model, as one file that moves: .gif, .webp or .png. With --clip and without --time the clip plays meanwhile, as often as there is time for it
    #[arg(long, help_heading = "Several pictures", value_name = "OUT", value_hint = ValueHint::FilePath, conflicts_with_all = ["output", "sheet", "compare"])]
    pub turntable: Option<PathBuf>,
    /// One picture of all files, or of all clips of one file at several moments, each with its name
    #[arg(long, help_heading = "Several pictures", conflicts_with = "compare")]
    pub sheet: bool,
    /// How many pictures a row of a sheet has
    #[arg(long, help_heading = "Several pictures", value_name = "COUNT", requires = "sheet", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub columns: Option<u32>,
    /// Draw this file too, side by side with where they differ, and tell how alike they are; the exit code is 1 where that is less than --threshold
    #[arg(long, help_heading = "Two models", value_name = "OTHER", value_hint = ValueHint::FilePath, conflicts_with_all = ["frames", "fps"])]
    pub compare: Option<PathBuf>,
    /// The least structural similarity (SSIM) of pictures that count as alike; 1 for equal pixels
    #[arg(long, help_heading = "Two models", value_name = "NUMBER", default_value_t = 0.98, requires = "compare", value_parser = part)]
    pub threshold: f64,
    /// What is shown: the model in light, or one thing about its surface, its vertices or its triangles
    #[arg(long, help_heading = "What is drawn", value_name = "MODE", default_value = "shaded", value_parser = PossibleValuesParser::new(Mode::ALL.map(Mode::word)))]
    pub mode: String,
    /// Draw bones over the model
    #[arg(long, help_heading = "What is drawn")]
    pub skeleton: bool,
    /// Draw a floor of squares
    #[arg(long, help_heading = "What is drawn")]
    pub grid: bool,
    /// Draw the box around the model
    #[arg(long, help_heading = "What is drawn")]
    pub bounds: bool,
    /// Draw the axes of the scene at its origin
    #[arg(long, help_heading = "What is drawn")]
    pub axes: bool,
    /// From which side; by default from the front, a little from the left side of the model and from above
    #[arg(long, help_heading = "Where it is seen from", value_name = "SIDE", value_parser = PossibleValuesParser::new(View::WORDS), conflicts_with = "orbit")]
    pub view: Option<String>,
    /// From anywhere: degrees from the front towards the left side of the model, and upwards, such as 30,20
    #[arg(long, help_heading = "Where it is seen from", value_name = "YAW,PITCH", value_parser = orbit, allow_hyphen_values = true)]
    pub orbit: Option<[f32; 2]>,
    /// What has to be in the picture: the model at this moment, or wherever the clip takes it
    #[arg(long, help_heading = "Where it is seen from", value_name = "WHAT", default_value = "pose")]
    pub fit: Fit,
    /// The angle from the lower to the upper edge, in degrees; 0 for no perspective
    #[arg(long, help_heading = "Where it is seen from", value_name = "DEGREES", default_value_t = 35.0, value_parser = field_of_view)]
    pub fov: f32,
    /// Width and height in pixels, such as 800x600, or one number for both
    #[arg(long, help_heading = "Where it is seen from", value_name = "SIZE", default_value = "512", value_parser = size, allow_hyphen_values = true)]
    pub size: [u32; 2],
    /// What is behind the model: transparent, or a colour such as #202428, #fff, black or white
    #[arg(long, help_heading = "How it looks", value_name = "COLOUR")]
    pub background: Option<Background>,
    /// How light becomes colours of a screen
    #[arg(long, help_heading = "How it looks", value_name = "CURVE", default_value = ToneMap::default().word(), value_parser = PossibleValuesParser::new(ToneMap::ALL.map(ToneMap::word)))]
    pub tone_map: String,
    /// Make all light so many stops brighter, each twice the one before; negative for darker
    #[arg(long, help_heading = "How it looks", value_name = "STOPS", default_value_t = 0.0, value_parser = stops, allow_negative_numbers = true)]
    pub exposure: f32,
    /// How many samples each pixel has
    #[arg(long, help_heading = "How it looks", value_name = "COUNT", default_value = "4", value_parser = PossibleValuesParser::new(["1", "4", "8"]))]
    pub samples: String,
    /// How pictures are shown in the terminal, where that cannot be told from what it says of itself
    #[arg(long, value_name = "PROTOCOL")]
    pub terminal: Option<Protocol>,
    /// Exit with 1 where there is a warning: a texture is missing, something of the file is not drawn, nothing is to be seen
    #[arg(long)]
    pub strict: bool,
    /// Work on so many threads; by default as many as the processor runs at once. Pictures are the same for any number
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,
    /// Overwrite files that are no pictures of this kind
    #[arg(long)]
    pub force: bool,
    /// Print one JSON object a line for each picture
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub enum Fit {
    Pose,
    Clip,
}

/// How a terminal takes pictures.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub enum Protocol {
    Kitty,
    Iterm2,
    Sixel,
}

impl RenderArgs {
    /// The picture that is asked for, but for its camera.
    pub fn shot(&self) -> Shot {
        let defaults = Shot::default();
        Shot {
            size: self.size,
            mode: self.mode(),
            overlays: Overlays { skeleton: self.skeleton, grid: self.grid, bounds: self.bounds, axes: self.axes },
            tone_map: ToneMap::from_word(&self.tone_map).unwrap_or_default(),
            exposure: Shot::exposure_of_stops(self.exposure),
            background: self.background.unwrap_or(defaults.background),
            samples: match self.samples.as_str() {
                "1" => Samples::One,
                "8" => Samples::Eight,
                _ => Samples::Four,
            },
            ..defaults
        }
    }

    pub fn mode(&self) -> Mode {
        Mode::from_word(&self.mode).unwrap_or_default()
    }

    /// Whether there are several files, so that one that is otherwise than the rest is no mistake.
    pub fn has_several(&self) -> bool {
        self.files.len() > 1
    }

    /// The side that is asked for.
    pub fn framing(&self) -> Framing {
        let defaults = Framing::default();
        let view = match (&self.view, self.orbit) {
            (_, Some([yaw, pitch])) => View::Orbit { yaw_radians: yaw.to_radians(), pitch_radians: pitch.to_radians() },
            (Some(word), None) => View::from_word(word).unwrap_or(defaults.view),
            (None, None) => defaults.view,
        };
        Framing { view, fov_y_radians: (self.fov > 0.0).then(|| self.fov.to_radians()), ..defaults }
    }
}

fn number(text: &str) -> Option<f32> {
    text.trim().parse().ok().filter(|number: &f32| number.is_finite())
}

fn rate(text: &str) -> Result<f32, String> {
    let rate = number(text).filter(|rate| (0.1..=100.0).contains(rate));
    rate.ok_or_else(|| "write a number of pictures a second from 0.1 to 100".to_owned())
}

fn part(text: &str) -> Result<f64, String> {
    let part = text.parse().ok().filter(|part: &f64| (-1.0..=1.0).contains(part));
    part.ok_or_else(|| "write a number from -1 to 1".to_owned())
}

fn stops(text: &str) -> Result<f32, String> {
    let stops = number(text).filter(|stops| stops.abs() <= 32.0);
    stops.ok_or_else(|| "write a number from -32 to 32".to_owned())
}

fn field_of_view(text: &str) -> Result<f32, String> {
    let angle = number(text).filter(|angle| *angle == 0.0 || (1.0..=170.0).contains(angle));
    angle.ok_or_else(|| "write degrees from 1 to 170, or 0 for no perspective".to_owned())
}

fn orbit(text: &str) -> Result<[f32; 2], String> {
    let both = text.split_once(',').and_then(|(yaw, pitch)| Some([number(yaw)?, number(pitch)?]));
    let both = both.filter(|[yaw, pitch]| yaw.abs() <= 3600.0 && pitch.abs() <= 90.0);
    both.ok_or_else(|| "write two angles in degrees such as 30,20, the second from -90 to 90".to_owned())
}

fn size(text: &str) -> Result<[u32; 2], String> {
    let side = |text: &str| text.trim().parse().ok().filter(|side| (1..=maquette_render::LONGEST_SIDE).contains(side));
    let both = match text.split_once(['x', '×']) {
        Some((width, height)) => side(width).zip(side(height)).map(|(width, height)| [width, height]),
        None => side(text).map(|side| [side, side]),
    };
    let longest = maquette_render::LONGEST_SIDE;
    both.ok_or_else(|| format!("write a size such as 512 or 800x600, sides from 1 to {longest}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_angles_are_understood_or_refused() {
        assert_eq!((size("64"), size("800x600"), size("8×4")), (Ok([64, 64]), Ok([800, 600]), Ok([8, 4])));
        assert!(["", "0", "16385", "1x", "x", "1x2x3", "-5"].iter().all(|text| size(text).is_err()));
        assert_eq!(orbit("-30, 20"), Ok([-30.0, 20.0]));
        assert!(["30", "a,b", "0,91", "nan,0", "inf,0"].iter().all(|text| orbit(text).is_err()));
        assert!(field_of_view("0") == Ok(0.0) && field_of_view("0.5").is_err() && field_of_view("171").is_err());
    }
}
