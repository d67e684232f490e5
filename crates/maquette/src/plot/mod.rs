//! The curves of a clip as a picture: a panel for each property of each bone, its components in colours, keys as dots, events as lines across.

mod canvas;
mod raster;
mod svg;

use crate::ops::matches;
use canvas::{Anchor, Canvas, Colour};
use maquette_motion::{Curve, Interpolation, Keys, Motion, Track, Value, short};
use maquette_scene::glam::DQuat;
use maquette_texture::letters;
use raster::Raster;
use svg::Svg;

/// The most panels of a picture.
pub const MOST_PANELS: usize = 200;
const COLUMNS: usize = 2;
const PANEL: (f64, f64) = (640.0, 170.0);
/// What is around the curves of a panel: left, top, right, bottom.
const MARGIN: [f64; 4] = [64.0, 26.0, 16.0, 30.0];
const HEAD: f64 = 40.0;
const INK: Colour = [40, 40, 40];
const FAINT: Colour = [205, 205, 205];
const EVENT: Colour = [240, 150, 0];
/// x, y, z and w, and further weights.
const COLOURS: [Colour; 8] = [
    [214, 39, 40],
    [34, 140, 34],
    [31, 90, 200],
    [140, 60, 190],
    [227, 119, 194],
    [23, 170, 187],
    [150, 100, 60],
    [127, 127, 127],
];
/// Keys closer than this, in pixels, are no dots.
const DOTS_APART: f64 = 5.0;
/// The most components of a panel.
const MOST_COMPONENTS: usize = 32;

/// What of a clip is drawn, and as what.
#[derive(Clone, Debug, PartialEq)]
pub struct PlotOptions {
    /// Names of bones, `*` and `?` for any text and character; all by default.
    pub bones: Vec<String>,
    /// `translation`, `rotation`, `scale`, `morph weights`; all by default.
    pub properties: Vec<String>,
    /// The most panels.
    pub most: usize,
    /// Pixels and not lines.
    pub is_png: bool,
}

/// A picture, and what is not on it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Plotted {
    /// The file.
    pub bytes: Vec<u8>,
    /// How many tracks are drawn.
    pub drawn: usize,
    /// How many would be too, if there could be more panels.
    pub left_out: usize,
}

/// Draws the curves of a clip; `None` where none is asked for.
pub fn plot(motion: &Motion, options: &PlotOptions) -> Option<Plotted> {
    let is_asked = |track: &&Track| {
        let name = motion.bone(track).map_or("", |bone| bone.name.as_str());
        let property = track.curve.property();
        (options.bones.is_empty() || options.bones.iter().any(|pattern| matches(pattern, name)))
            && (options.properties.is_empty()
                || options.properties.iter().any(|asked| property.contains(asked.as_str())))
            && !track.curve.is_empty()
    };
    let asked: Vec<&Track> = motion.tracks.iter().filter(is_asked).collect();
    let drawn = asked.len().min(options.most.clamp(1, MOST_PANELS));
    if drawn == 0 {
        return None;
    }
    let columns = drawn.min(COLUMNS);
    let width = columns as f64 * PANEL.0;
    let height = HEAD + drawn.div_ceil(columns) as f64 * PANEL.1;
    let mut canvas: Box<dyn Canvas> = match options.is_png {
        true => Box::new(Raster::new(width as u32, height as u32)),
        false => Box::new(Svg::new(width as u32, height as u32)),
    };
    canvas.text((12.0, 26.0), &cut(&title(motion, asked.len() - drawn), width), Anchor::Start, true, INK);
    for (at, track) in asked.iter().take(drawn).enumerate() {
        let corner = ((at % columns) as f64 * PANEL.0, HEAD + (at / columns) as f64 * PANEL.1);
        Panel::new(motion, track, corner).draw(&mut *canvas);
    }
    Some(Plotted { bytes: canvas.finish()?, drawn, left_out: asked.len() - drawn })
}

fn title(motion: &Motion, left_out: usize) -> String {
    let name = if motion.name.is_empty() { "clip" } else { &motion.name };
    let frames = motion.frame_rate.map_or_else(String::new, |rate| format!(", {} frames/s", short(rate)));
    let left_out = if left_out > 0 { format!(", {left_out} more tracks") } else { String::new() };
    format!("{name}: {} s{frames}, {} keys{left_out}", short(motion.duration_secs), motion.key_count())
}

/// As much of a text as a width of pixels has room for.
fn cut(text: &str, width: f64) -> String {
    let most = ((width - 24.0) / f64::from(2 * letters::ADVANCE)).max(4.0) as usize;
    match text.chars().count() > most {
        true => text.chars().take(most - 2).chain("..".chars()).collect(),
        false => text.to_owned(),
    }
}

/// The curves of one track and where they are drawn.
struct Panel<'m> {
    motion: &'m Motion,
    track: &'m Track,
    corner: (f64, f64),
    /// The last moment of the axis.
    end: f64,
}

impl<'m> Panel<'m> {
    fn new(motion: &'m Motion, track: &'m Track, corner: (f64, f64)) -> Panel<'m> {
        let end = motion.duration_secs.max(motion.last_secs());
        Panel { motion, track, corner, end: if end > 0.0 && end.is_finite() { end } else { 1.0 } }
    }

    fn left(&self) -> f64 {
        let [left, ..] = MARGIN;
        self.corner.0 + left
    }

    fn width(&self) -> f64 {
        let [left, _, right, _] = MARGIN;
        PANEL.0 - left - right
    }

    fn top(&self) -> f64 {
        let [_, top, ..] = MARGIN;
        self.corner.1 + top
    }

    fn bottom(&self) -> f64 {
        let [.., bottom] = MARGIN;
        self.corner.1 + PANEL.1 - bottom
    }

    fn x(&self, secs: f64) -> f64 {
        self.left() + (secs / self.end).clamp(0.0, 1.0) * self.width()
    }

    fn draw(&self, canvas: &mut dyn Canvas) {
        let lines = components(&self.track.curve, self.width(), self.end);
        let values = lines.iter().flatten().map(|(_, value)| *value).filter(|value| value.is_finite());
        let (low, high) =
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        let (low, high) = if low <= high { (low, high) } else { (0.0, 0.0) };
        // What is as good as still is drawn as such, not as what rounding makes of it.
        let size = low.abs().max(high.abs());
        let is_still = high - low <= size * 1e-5;
        let room = if is_still { (size * 0.1).max(1e-6) } else { (high - low) * 0.06 };
        let (floor, ceiling) = (low - room, high + room);
        let y = |value: f64| {
            self.bottom() - ((value - floor) / (ceiling - floor)).clamp(0.0, 1.0) * (self.bottom() - self.top())
        };
        self.frame(canvas);
        for value in if is_still { vec![low] } else { vec![low, high] } {
            canvas.lines(&[(self.left(), y(value)), (self.left() + self.width(), y(value))], FAINT, 1.0);
            let label = short(value);
            let label = if label == "-0" { "0" } else { &label };
            canvas.text((self.left() - 6.0, y(value) + 4.0), label, Anchor::End, false, INK);
        }
        self.events(canvas);
        for (line, colour) in lines.iter().zip(COLOURS.into_iter().cycle()) {
            let points: Vec<(f64, f64)> = line
                .iter()
                .filter(|(_, value)| value.is_finite())
                .map(|(secs, value)| (self.x(*secs), y(*value)))
                .collect();
            canvas.lines(&points, colour, 1.5);
        }
        self.dots(canvas, &y);
    }

    fn frame(&self, canvas: &mut dyn Canvas) {
        let name = self.motion.bone(self.track).map_or("", |bone| bone.name.as_str());
        let keys = self.track.curve.len();
        let what = format!(" {} ({keys} {})", self.track.curve.property(), if keys == 1 { "key" } else { "keys" });
        let room = self.width() - 70.0 - f64::from(2 * letters::ADVANCE) * what.chars().count() as f64;
        let label = cut(name, room) + &what;
        canvas.text((self.left(), self.top() - 6.0), &label, Anchor::Start, true, INK);
        let count = component_count(&self.track.curve).min(4);
        for ((at, letter), colour) in "xyzw".chars().enumerate().take(count).zip(COLOURS) {
            let right = self.left() + self.width() - 16.0 * (count - at) as f64;
            let letter =
                if matches!(self.track.curve, Curve::MorphWeights(_)) { at.to_string() } else { letter.to_string() };
            canvas.text((right + 2.0, self.top() - 6.0), &letter, Anchor::Start, true, colour);
        }
        let (left, right) = (self.left(), self.left() + self.width());
        for secs in ticks(self.end) {
            let x = self.x(secs);
            canvas.lines(&[(x, self.top()), (x, self.bottom())], [238, 238, 238], 1.0);
            canvas.lines(&[(x, self.bottom()), (x, self.bottom() + 4.0)], INK, 1.0);
            let frame = self
                .motion
                .frame_rate
                .map_or_else(String::new, |rate| format!(" ({}f)", short((secs * rate * 10.0).round() / 10.0)));
            let label = format!("{}s{frame}", short(secs));
            let half = f64::from(letters::ADVANCE) * label.chars().count() as f64 / 2.0;
            let last = self.corner.0 + PANEL.0 - half - 2.0;
            canvas.text((x.min(last), self.bottom() + 16.0), &label, Anchor::Middle, false, INK);
        }
        let corners = [
            (left, self.top()),
            (right, self.top()),
            (right, self.bottom()),
            (left, self.bottom()),
            (left, self.top()),
        ];
        canvas.lines(&corners, INK, 1.0);
    }

    fn events(&self, canvas: &mut dyn Canvas) {
        let mut free_from = f64::NEG_INFINITY;
        let mut events: Vec<_> = self.motion.events.iter().collect();
        events.sort_by(|one, other| one.time_secs.total_cmp(&other.time_secs));
        let mut last = f64::NEG_INFINITY;
        for event in events {
            let x = self.x(event.time_secs);
            if x - last >= 1.0 {
                canvas.lines(&[(x, self.top()), (x, self.bottom())], EVENT, 1.0);
                last = x;
            }
            // A name that would stand on the one before is left out.
            if x > free_from {
                let name: String = event.name.chars().take(16).collect();
                let long = f64::from(letters::ADVANCE) * name.chars().count() as f64;
                let fits = x + long + 2.0 < self.left() + self.width();
                let (x, anchor) = if fits { (x + 3.0, Anchor::Start) } else { (x - 3.0, Anchor::End) };
                canvas.text((x, self.top() + 10.0), &name, anchor, false, EVENT);
                free_from = x + long + 8.0;
            }
        }
    }

    fn dots(&self, canvas: &mut dyn Canvas, y: &dyn Fn(f64) -> f64) {
        let times = self.track.curve.times_secs();
        if times.len() as f64 * DOTS_APART > self.width() {
            return;
        }
        let mut at = 0;
        let aligned = aligned(&self.track.curve);
        crate::clips_seen::each_value(aligned.as_ref().unwrap_or(&self.track.curve), |value| {
            let x = self.x(times.get(at).copied().unwrap_or(0.0));
            for (number, colour) in value.iter().take(MOST_COMPONENTS).zip(COLOURS.into_iter().cycle()) {
                if number.is_finite() {
                    canvas.dot((x, y(*number)), 2.5, colour);
                }
            }
            at += 1;
        });
    }
}

/// Round moments from 0 to the end, not more than eight.
fn ticks(end: f64) -> Vec<f64> {
    let rough = end / 6.0;
    let power = 10f64.powf(rough.log10().floor());
    let step =
        [1.0, 2.0, 5.0, 10.0].into_iter().map(|times| times * power).find(|step| *step >= rough).unwrap_or(rough);
    if !(step > 0.0 && step.is_finite()) {
        return vec![0.0];
    }
    (0..8).map(|tick| f64::from(tick) * step).take_while(|secs| *secs <= end * (1.0 + 1e-9)).collect()
}

fn component_count(curve: &Curve) -> usize {
    match curve {
        Curve::Translation(_) | Curve::Scale(_) => 3,
        Curve::Rotation(_) => 4,
        Curve::MorphWeights(keys) => keys.values.first().map_or(0, Vec::len).min(MOST_COMPONENTS),
    }
}

/// Rotations with the signs of the nearer of the two before, so that no sign looks like a jump, not even behind a rotation that stands out; nothing for other curves, and for splines, whose signs are part of their way.
fn aligned(curve: &Curve) -> Option<Curve> {
    let Curve::Rotation(keys) = curve else { return None };
    if keys.interpolation == Interpolation::CubicSpline {
        return None;
    }
    let mut keys = keys.clone();
    let mut before = [DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0); 2];
    for value in &mut keys.values {
        let [last, earlier] = before.map(|before| value.dot(before));
        let cosine = if last.abs() >= earlier.abs() { last } else { earlier };
        if cosine < 0.0 {
            *value = -*value;
        }
        let [last, _] = before;
        before = [*value, last];
    }
    Some(Curve::Rotation(keys))
}

/// For each component its moments and values: a look at every pixel and key, or, where keys are more than pixels, what is least and largest in each.
fn components(curve: &Curve, width: f64, end: f64) -> Vec<Vec<(f64, f64)>> {
    let aligned = aligned(curve);
    let curve = aligned.as_ref().unwrap_or(curve);
    let count = component_count(curve);
    let columns = width as usize;
    if curve.len() > 4 * columns && curve.interpolation() != Interpolation::CubicSpline {
        return crowded(curve, count, columns, end);
    }
    let mut moments: Vec<f64> = (0..=columns).map(|column| end * column as f64 / columns as f64).collect();
    moments.extend(curve.times_secs());
    if curve.interpolation() == Interpolation::Step {
        // A jump is upright.
        moments.extend(curve.times_secs().iter().map(|secs| secs.next_down()));
    }
    moments.retain(|secs| (0.0..=end).contains(secs));
    moments.sort_by(f64::total_cmp);
    fn lines<T: Value>(
        keys: &Keys<T>,
        moments: &[f64],
        count: usize,
        number: impl Fn(&T, usize) -> f64,
    ) -> Vec<Vec<(f64, f64)>> {
        let mut lines = vec![Vec::with_capacity(moments.len()); count];
        for secs in moments {
            let Some(value) = keys.at(*secs) else { continue };
            lines.iter_mut().enumerate().for_each(|(at, line)| line.push((*secs, number(&value, at))));
        }
        lines
    }
    match curve {
        Curve::Translation(keys) | Curve::Scale(keys) => {
            lines(keys, &moments, count, |value, at| value.to_array().get(at).copied().unwrap_or(0.0))
        }
        Curve::Rotation(keys) => {
            lines(keys, &moments, count, |value, at| value.to_array().get(at).copied().unwrap_or(0.0))
        }
        Curve::MorphWeights(keys) => lines(keys, &moments, count, |value, at| value.get(at).copied().unwrap_or(0.0)),
    }
}

/// What is least and largest in each column of pixels.
fn crowded(curve: &Curve, count: usize, columns: usize, end: f64) -> Vec<Vec<(f64, f64)>> {
    let mut ranges = vec![vec![None::<(f64, f64)>; columns + 1]; count];
    let mut times = curve.times_secs().iter();
    crate::clips_seen::each_value(curve, |value| {
        let secs = times.next().copied().unwrap_or(0.0);
        let column = ((secs / end).clamp(0.0, 1.0) * columns as f64) as usize;
        for (number, ranges) in value.iter().zip(&mut ranges) {
            if let Some(range) = ranges.get_mut(column) {
                let (low, high) = range.unwrap_or((*number, *number));
                *range = Some((low.min(*number), high.max(*number)));
            }
        }
    });
    let line = |ranges: Vec<Option<(f64, f64)>>| {
        let points = ranges.into_iter().enumerate().filter_map(|(column, range)| Some((column, range?)));
        points
            .flat_map(|(column, (low, high))| [low, high].map(|value| (end * column as f64 / columns as f64, value)))
            .collect()
    };
    ranges.into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use maquette_motion::Event;
    use maquette_scene::glam::{DQuat, DVec3};

    fn motion(keys: u32) -> Motion {
        let mut motion = Motion { name: "go".into(), duration_secs: 2.0, frame_rate: Some(30.0), ..Motion::default() };
        let secs = |key: u32| 2.0 * f64::from(key) / f64::from(keys.max(2) - 1);
        let places = (0..keys).map(|key| (secs(key), DVec3::new(secs(key).sin(), f64::from(key % 2), 5.0)));
        motion.push("a<b", Curve::Translation(Keys::straight(places)));
        motion.push(
            "hip",
            Curve::Rotation(Keys::straight((0..keys).map(|key| (secs(key), DQuat::from_rotation_x(secs(key)))))),
        );
        motion.push(
            "hip",
            Curve::MorphWeights(Keys {
                times_secs: vec![0.5],
                values: vec![vec![0.1; 3]],
                interpolation: Interpolation::Step,
            }),
        );
        motion.events.push(Event { time_secs: 1.0, name: "step & go".into() });
        motion
    }

    fn options(is_png: bool) -> PlotOptions {
        PlotOptions { bones: Vec::new(), properties: Vec::new(), most: 24, is_png }
    }

    #[test]
    fn a_picture_holds_what_was_asked_for_and_tells_what_is_left_out() {
        let motion = motion(11);
        let svg = |options: &PlotOptions| String::from_utf8(plot(&motion, options).unwrap().bytes).unwrap();
        let all = svg(&options(false));
        assert!(
            all.contains("a&lt;b translation (11 keys)") && all.contains("step &amp; go") && all.contains("1s (30f)"),
            "{all}"
        );
        assert_eq!(all.matches("<circle").count(), 11 * 3 + 11 * 4 + 3, "a dot for each component of each key");
        let hip = PlotOptions { bones: vec!["h*".into()], properties: vec!["rotation".into()], ..options(false) };
        assert!(!svg(&hip).contains("translation") && svg(&hip).contains("hip rotation"));
        let few = plot(&motion, &PlotOptions { most: 1, ..options(true) }).unwrap();
        assert_eq!((few.drawn, few.left_out), (1, 2));
        assert!(few.bytes.starts_with(b"\x89PNG"));
        assert_eq!(plot(&motion, &PlotOptions { bones: vec!["none".into()], ..options(true) }), None);
    }

    #[test]
    fn a_million_keys_make_no_larger_a_picture_than_the_pixels_do() {
        let many = plot(&motion(200_000), &options(false)).unwrap();
        assert!(many.bytes.len() < 400_000, "{}", many.bytes.len());
        let mut odd = motion(3);
        odd.duration_secs = 0.0;
        odd.change_times(|_| 0.0);
        let Curve::Translation(keys) = &mut odd.tracks[0].curve else { panic!() };
        keys.values[1] = DVec3::new(f64::NAN, f64::INFINITY, 1e300);
        assert!(plot(&odd, &options(true)).is_some() && plot(&odd, &options(false)).is_some());
    }

    #[test]
    fn ticks_are_round_and_few() {
        assert_eq!(ticks(3.0), [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0]);
        for end in [1e-9, 0.033, 1.0, 7.3, 1e6, 1e300] {
            let ticks = ticks(end);
            assert!(
                (1..=8).contains(&ticks.len()) && ticks.iter().all(|secs| *secs <= end * 1.001),
                "{end}: {ticks:?}"
            );
        }
    }
}
