//! Curves as they really go between their keys, in as many samples as there are columns on the screen.

use super::super::timeline::marks::one_a_column;
use super::super::timeline::view::View;
use eframe::egui::Rect;
use egui_plot::PlotPoint;
use maquette::scene::clip::{Curve, Interpolation};
use maquette::scene::glam::EulerRot;
use maquette::scene::pose::{rotation_at, vector_at, weights_at};

/// So many morph targets are shown.
pub const MOST_WEIGHTS: usize = 32;

/// How rotations are told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Turn {
    /// Degrees about X, then Y, then Z, without jumps.
    #[default]
    Euler,
    /// As the file has them: x, y, z, w.
    Quaternion,
}

/// What moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Property {
    /// Where it is.
    Translation,
    /// How it is turned.
    Rotation,
    /// How large it is.
    Scale,
    /// How much of each morph target.
    Weights,
}

impl Property {
    /// What a curve moves.
    pub fn of(curve: &Curve) -> Property {
        match curve {
            Curve::Translation(_) => Property::Translation,
            Curve::Rotation(_) => Property::Rotation,
            Curve::Scale(_) => Property::Scale,
            Curve::MorphWeights(_) => Property::Weights,
        }
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Property::Translation => "Translation",
            Property::Rotation => "Rotation",
            Property::Scale => "Scale",
            Property::Weights => "Morph weights",
        }
    }
}

/// One number of what moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Part {
    /// Of what.
    pub property: Property,
    /// Which number.
    pub place: usize,
}

impl Part {
    /// What it is called within the property.
    pub fn letter(self) -> String {
        match (self.property, self.place) {
            (Property::Weights, place) => place.to_string(),
            (_, place) => ["X", "Y", "Z", "W"].get(place).copied().unwrap_or_default().to_owned(),
        }
    }
}

/// The numbers of a curve.
pub fn parts(curve: &Curve, turn: Turn) -> impl Iterator<Item = Part> {
    let property = Property::of(curve);
    let count = match (curve, turn) {
        (Curve::Rotation(_), Turn::Quaternion) => 4,
        (Curve::MorphWeights(keys), _) => keys.values.first().map_or(0, Vec::len).min(MOST_WEIGHTS),
        _ => 3,
    };
    (0..count).map(move |place| Part { property, place })
}

/// The numbers of a curve at a time; none where it has none.
fn values(curve: &Curve, turn: Turn, secs: f32) -> Vec<f32> {
    match curve {
        Curve::Translation(keys) | Curve::Scale(keys) => {
            vector_at(keys, secs).map_or(Vec::new(), |value| value.to_array().to_vec())
        }
        Curve::Rotation(keys) => match (rotation_at(keys, secs), turn) {
            (None, _) => Vec::new(),
            (Some(value), Turn::Quaternion) => value.to_array().to_vec(),
            (Some(value), Turn::Euler) => {
                let (x, y, z) = value.to_euler(EulerRot::XYZ);
                [x, y, z].map(f32::to_degrees).to_vec()
            }
        },
        Curve::MorphWeights(keys) => weights_at(keys, secs).unwrap_or_default(),
    }
}

/// One number of a curve, as it is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// Which.
    pub part: Part,
    /// What is drawn without a break.
    pub runs: Vec<Vec<PlotPoint>>,
    /// Keys that are seen, one a column.
    pub keys: Vec<PlotPoint>,
}

/// Draws what is seen of a curve.
pub fn draw(curve: &Curve, turn: Turn, view: &View, rect: Rect) -> Vec<Drawn> {
    let mut drawn: Vec<Drawn> =
        parts(curve, turn).map(|part| Drawn { part, runs: Vec::new(), keys: Vec::new() }).collect();
    let keys = one_a_column(curve.times_secs(), view, rect);
    let goes_on = turn == Turn::Euler && matches!(curve, Curve::Rotation(_));
    let mut last = if goes_on { before(curve, view) } else { Vec::new() };
    let mut sampled: Vec<(f64, Vec<f32>)> = Vec::new();
    for secs in times(curve, &keys, view, rect) {
        let mut now = values(curve, turn, secs);
        if goes_on {
            now = nearest_turn(&last, now);
            last.clone_from(&now);
            sampled.push((f64::from(secs), now.clone()));
        }
        for (drawn, value) in drawn.iter_mut().zip(now) {
            add(&mut drawn.runs, PlotPoint::new(secs, value));
        }
    }
    for secs in keys {
        let mut now = values(curve, turn, secs as f32);
        // On its curve.
        let beside = sampled.partition_point(|(sampled, _)| *sampled < secs).min(sampled.len().saturating_sub(1));
        if let Some((_, beside)) = sampled.get(beside) {
            now = nearest_turn(beside, now);
        }
        for (drawn, value) in drawn.iter_mut().zip(now) {
            drawn.keys.extend(Some(PlotPoint::new(secs, value)).filter(|point| point.y.is_finite()));
        }
    }
    drawn.iter_mut().for_each(|drawn| drawn.runs.retain(|run| !run.is_empty()));
    drawn
}

/// So many moments before what is seen are looked at, to know how often angles have gone round by then.
const BEFORE: usize = 2048;

/// The angles where what is seen begins, followed from the first key on.
fn before(curve: &Curve, view: &View) -> Vec<f32> {
    let first = curve.times_secs().first().copied().map_or(view.from_secs, f64::from);
    if first.is_nan() || first >= view.from_secs {
        return Vec::new();
    }
    let moments = (0..BEFORE).map(|nth| first + (view.from_secs - first) * (nth as f64 / BEFORE as f64));
    moments.fold(Vec::new(), |last, secs| nearest_turn(&last, values(curve, Turn::Euler, secs as f32)))
}

/// The angles of the same rotation that are nearest to others: each may go round, and all three have a second way to say it.
fn nearest_turn(last: &[f32], now: Vec<f32>) -> Vec<f32> {
    let (&[x, y, z], &[last_x, last_y, last_z]) = (now.as_slice(), last) else { return now };
    let near = |value: f32, last: f32| value + ((last - value) / 360.0).round() * 360.0;
    let ways = [[x, y, z], [x + 180.0, 180.0 - y, z + 180.0]];
    let ways = ways.map(|[x, y, z]| [near(x, last_x), near(y, last_y), near(z, last_z)]);
    let far = |[x, y, z]: [f32; 3]| (x - last_x).abs() + (y - last_y).abs() + (z - last_z).abs();
    let [own, other] = ways;
    let nearest = if far(other) < far(own) { other } else { own };
    if nearest.iter().all(|angle| angle.is_finite()) { nearest.to_vec() } else { now }
}

fn add(runs: &mut Vec<Vec<PlotPoint>>, point: PlotPoint) {
    if !point.y.is_finite() || runs.is_empty() {
        runs.push(Vec::new());
    }
    if let Some(run) = runs.last_mut().filter(|_| point.y.is_finite()) {
        run.push(point);
    }
}

/// The times that are sampled: one a column, and keys where they are few, so that corners are where they are.
fn times(curve: &Curve, keys: &[f64], view: &View, rect: Rect) -> Vec<f32> {
    let columns = rect.width().clamp(1.0, 16384.0) as usize;
    let mut times: Vec<f32> =
        (0..=columns).map(|column| view.secs_at(rect.left() + column as f32, rect) as f32).collect();
    if keys.len() * 4 <= columns {
        for secs in keys.iter().map(|secs| *secs as f32) {
            times.push(secs);
            if curve.interpolation() == Interpolation::Step {
                times.push(secs.next_down());
            }
        }
        times.sort_unstable_by(f32::total_cmp);
    }
    times.dedup();
    times
}

/// From the least to the greatest of what is drawn, with a little room; around nothing, if it is nothing.
pub fn extent<'d>(drawn: impl Iterator<Item = &'d Drawn>) -> [f64; 2] {
    let heights = drawn.flat_map(|drawn| drawn.runs.iter().flatten().chain(&drawn.keys)).map(|point| point.y);
    let [least, most] = heights.fold([f64::MAX, f64::MIN], |[least, most], y| [least.min(y), most.max(y)]);
    if least > most {
        return [-1.0, 1.0];
    }
    let room = ((most - least) * 0.06).max(most.abs().max(least.abs()) * 1e-3).max(1e-3);
    [least - room, most + room]
}

#[cfg(test)]
mod tests {
    use super::*;
    use eframe::egui::{pos2, vec2};
    use maquette::scene::clip::Keys;
    use maquette::scene::glam::Quat;

    fn rect() -> Rect {
        Rect::from_min_size(pos2(0.0, 0.0), vec2(500.0, 100.0))
    }

    fn vectors(times: &[f32], xs: &[f32], interpolation: Interpolation) -> Curve {
        let values = xs.iter().map(|x| [*x, 0.0, 0.0]).collect();
        Curve::Translation(Keys { times_secs: times.to_vec(), values, interpolation })
    }

    /// The height of the first number nearest to a time.
    fn at(drawn: &[Drawn], secs: f64) -> f64 {
        let points = drawn[0].runs.iter().flatten();
        points.min_by(|a, b| (a.x - secs).abs().total_cmp(&(b.x - secs).abs())).unwrap().y
    }

    #[test]
    fn what_is_between_keys_goes_as_they_say() {
        let view = View::whole(2.0);
        let linear = draw(&vectors(&[0.0, 2.0], &[0.0, 4.0], Interpolation::Linear), Turn::Quaternion, &view, rect());
        assert!((at(&linear, 1.0) - 2.0).abs() < 0.02);
        assert_eq!(linear.len(), 3);
        assert_eq!(linear[0].keys.iter().map(|key| (key.x, key.y)).collect::<Vec<_>>(), [(0.0, 0.0), (2.0, 4.0)]);
        let step = draw(&vectors(&[0.0, 1.0], &[0.0, 4.0], Interpolation::Step), Turn::Quaternion, &view, rect());
        let heights: Vec<f64> = step[0].runs[0].iter().map(|point| point.y).collect();
        assert!(heights.iter().all(|y| *y == 0.0 || *y == 4.0), "it jumps");
        let jump = step[0].runs[0].windows(2).find(|pair| pair[0].y != pair[1].y).unwrap();
        assert!(jump[1].x - jump[0].x < 1e-6 && jump[1].x == 1.0, "at the key itself");
        let spline = draw(
            &vectors(&[0.0, 2.0], &[0.0, 0.0, 0.0, 0.0, 32.0, 0.0], Interpolation::CubicSpline),
            Turn::Quaternion,
            &view,
            rect(),
        );
        assert!((at(&spline, 0.5) - 5.0).abs() < 0.2, "{}", at(&spline, 0.5));
        assert_eq!(spline[0].keys[1].y, 32.0, "not a tangent");
    }

    #[test]
    fn a_peak_between_two_columns_is_drawn() {
        let curve = vectors(&[0.0, 500.0, 500.001, 1000.0], &[0.0, 9.0, 0.0, 0.0], Interpolation::Linear);
        let drawn = draw(&curve, Turn::Quaternion, &View::whole(1000.0), rect());
        assert_eq!(drawn[0].runs[0].iter().map(|point| point.y).fold(0.0, f64::max), 9.0);
    }

    #[test]
    fn degrees_go_on_where_they_go_round() {
        let values = (0..=8).map(|nth| Quat::from_rotation_x(nth as f32).to_array()).collect();
        let times_secs = (0..=8).map(|nth| nth as f32).collect();
        let curve = Curve::Rotation(Keys { times_secs, values, interpolation: Interpolation::Linear });
        let drawn = draw(&curve, Turn::Euler, &View::whole(8.0), rect());
        assert_eq!(drawn.len(), 3);
        assert_eq!(drawn[0].runs.len(), 1);
        for secs in [1.0, 3.0, 5.0, 8.0_f64] {
            assert!((at(&drawn, secs) - secs.to_degrees()).abs() < 1.0, "{secs}: {}", at(&drawn, secs));
        }
        assert!(drawn[0].keys.iter().all(|key| (key.y - key.x.to_degrees()).abs() < 0.1), "keys lie on it");
        let mut late = View::whole(8.0);
        late.from_secs = 7.0;
        let end = draw(&curve, Turn::Euler, &late, rect());
        assert!((at(&end, 7.5) - 7.5_f64.to_degrees()).abs() < 1.0, "as high when the start is not seen");
        // Past a quarter turn about Y, where all three angles of a second way to say it would jump.
        let values = (0..=4).map(|nth| Quat::from_rotation_y(nth as f32).to_array()).collect();
        let times_secs = (0..=4).map(|nth| nth as f32).collect();
        let tipped = Curve::Rotation(Keys { times_secs, values, interpolation: Interpolation::Linear });
        let drawn_y = draw(&tipped, Turn::Euler, &View::whole(4.0), rect());
        let [x, y, z] = [0, 1, 2].map(|place| drawn_y[place].runs[0].last().unwrap().y);
        assert!(x.abs() < 0.1 && (y - 4.0_f64.to_degrees()).abs() < 0.1 && z.abs() < 0.1, "{x} {y} {z}");
        assert_eq!(draw(&curve, Turn::Quaternion, &View::whole(8.0), rect()).len(), 4);
    }

    #[test]
    fn much_and_odd_break_nothing() {
        let many: Vec<f32> = (0..1_000_000).map(|key| key as f32 * 0.01).collect();
        let drawn = draw(&vectors(&many, &many, Interpolation::Step), Turn::Quaternion, &View::whole(1e4), rect());
        assert!(drawn[0].runs[0].len() <= 502 && drawn[0].keys.len() <= 501);
        let odd = vectors(&[f32::NAN, 1.0, 0.5], &[f32::NAN, f32::INFINITY, 1.0], Interpolation::Linear);
        let drawn = draw(&odd, Turn::Quaternion, &View::whole(2.0), rect());
        assert!(drawn.iter().flat_map(|drawn| drawn.runs.iter().flatten()).all(|point| point.y.is_finite()));
        assert!(extent(drawn.iter()).iter().all(|y| y.is_finite()));
        assert_eq!(
            draw(&vectors(&[], &[], Interpolation::Linear), Turn::Quaternion, &View::whole(2.0), rect()).len(),
            3
        );
        let weights =
            Keys { times_secs: vec![0.0], values: vec![vec![0.5; 100]], interpolation: Interpolation::Linear };
        assert_eq!(
            draw(&Curve::MorphWeights(weights), Turn::Quaternion, &View::whole(1.0), rect()).len(),
            MOST_WEIGHTS
        );
        assert_eq!(extent(std::iter::empty()), [-1.0, 1.0]);
    }
}
