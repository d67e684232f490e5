//! Where keys are: those of a node, a row for each of its properties, or of all nodes, by how many there are.
//!
//! Columns of the screen are gone through, never keys: a million of them is drawn as fast as ten.

use super::clip_keys::ClipKeys;
use super::view::View;
use eframe::egui::{Align2, Color32, FontId, Painter, Rect, Shape, Stroke, Visuals, pos2};
use maquette::scene::Handle;
use maquette::scene::clip::Clip;
use maquette::scene::scene::Node;

/// How many rows are drawn at most; a node has four properties, a broken file may hold more tracks.
const MOST_ROWS: usize = 8;

/// Paints the keys of a node.
pub fn paint_node(painter: &Painter, visuals: &Visuals, rect: Rect, view: &View, tracks: &[(&str, &[f32])]) {
    let rows = tracks.len().clamp(1, MOST_ROWS);
    let height = (rect.height() / rows as f32).min(26.0);
    let colour = visuals.selection.stroke.color;
    for (row, (property, times)) in tracks.iter().take(MOST_ROWS).enumerate() {
        let y = rect.top() + height * (row as f32 + 0.72);
        let line = Stroke::new(1.0, visuals.widgets.noninteractive.bg_stroke.color);
        painter.hline(rect.x_range(), y, line);
        let radius = (height * 0.25).clamp(1.5, 4.5);
        for secs in one_a_column(times, view, rect) {
            painter.add(diamond(view.x_of(secs, rect), y, radius, colour));
        }
        let at = pos2(rect.left() + 4.0, y - radius);
        let font = FontId::proportional(10.0);
        painter.text(at, Align2::LEFT_BOTTOM, property, font, visuals.weak_text_color());
    }
}

fn diamond(x: f32, y: f32, radius: f32, colour: Color32) -> Shape {
    let corners = vec![pos2(x, y - radius), pos2(x + radius, y), pos2(x, y + radius), pos2(x - radius, y)];
    Shape::convex_polygon(corners, colour, Stroke::NONE)
}

/// The tracks of a node: what each moves, and when.
pub fn tracks_of<'c>(clip: &'c Clip, keys: &ClipKeys, node: Handle<Node>) -> Vec<(&'c str, &'c [f32])> {
    let tracks = keys.tracks_of(node).filter_map(|track| clip.tracks.get(track));
    tracks.map(|track| (track.curve.property(), track.curve.times_secs())).take(MOST_ROWS).collect()
}

/// The first key of each column that is seen.
pub fn one_a_column(times: &[f32], view: &View, rect: Rect) -> Vec<f64> {
    let mut shown = Vec::new();
    let mut rest = times.get(times.partition_point(|secs| f64::from(*secs) < view.from_secs)..).unwrap_or_default();
    // Times need not be in order in a broken file: no more is drawn than there are columns.
    for _ in 0..rect.width().max(1.0) as usize {
        let Some(first) = rest.first().map(|secs| f64::from(*secs)) else { break };
        if first > view.to_secs {
            break;
        }
        if first.is_finite() {
            shown.push(first);
        }
        let next = view.secs_at(view.x_of(first, rect).floor() + 1.0, rect);
        let skipped = rest.partition_point(|secs| f64::from(*secs) < next).max(1);
        rest = rest.get(skipped..).unwrap_or_default();
    }
    shown
}

/// Paints how many keys there are at a time, of all nodes.
pub fn paint_all(painter: &Painter, visuals: &Visuals, rect: Rect, view: &View, keys: &ClipKeys) {
    let columns = density(keys, view, rect);
    let most = columns.iter().copied().max().unwrap_or(0);
    if most == 0 {
        return;
    }
    let colour = visuals.widgets.inactive.fg_stroke.color.gamma_multiply(0.6);
    for (column, count) in columns.into_iter().enumerate().filter(|(_, count)| *count > 0) {
        // Few are seen beside many.
        let part = (1.0 + count as f32).ln() / (1.0 + most as f32).ln();
        let x = rect.left() + column as f32 + 0.5;
        let top = rect.bottom() - (rect.height() * part).max(2.0);
        painter.vline(x, top..=rect.bottom(), Stroke::new(1.0, colour));
    }
}

/// How many keys each column of the screen has.
fn density(keys: &ClipKeys, view: &View, rect: Rect) -> Vec<u64> {
    let columns = rect.width().clamp(0.0, 16384.0) as usize;
    let mut before = keys.count_before(view.from_secs);
    let ends = (1..=columns).map(|column| view.secs_at(rect.left() + column as f32, rect));
    let count = |end: f64| {
        let there = keys.count_before(end);
        let own = there - before.min(there);
        before = there;
        own
    };
    ends.map(count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use eframe::egui::Vec2;
    use maquette::scene::clip::{Curve, Interpolation, Keys, Target, Track};
    use std::time::Instant;

    fn rect() -> Rect {
        Rect::from_min_size(pos2(0.0, 0.0), Vec2::new(1000.0, 40.0))
    }

    #[test]
    fn no_more_keys_are_drawn_than_there_are_columns() {
        let times: Vec<f32> = (0..1_000_000).map(|key| key as f32 * 1e-5).collect();
        let mut view = View::whole(10.0);
        let start = Instant::now();
        let shown = one_a_column(&times, &view, rect());
        assert!((900..=1000).contains(&shown.len()), "{}", shown.len());
        assert!(start.elapsed().as_millis() < 100, "{:?}", start.elapsed());
        view.zoom(1e9, 5.0);
        assert!(one_a_column(&times, &view, rect()).len() >= 10);
        assert_eq!(one_a_column(&[0.0, 5.0, 5.0, 10.0], &View::whole(10.0), rect()), [0.0, 5.0, 10.0]);
        for odd in [vec![f32::NAN; 5000], vec![5.0, 1.0, f32::NAN, 9.0, 2.0], vec![f32::INFINITY; 3], vec![]] {
            assert!(one_a_column(&odd, &View::whole(10.0), rect()).iter().all(|secs| secs.is_finite()));
        }
    }

    #[test]
    fn columns_count_every_key_once() {
        let times_secs: Vec<f32> = (0..5000).map(|key| key as f32 * 0.002).collect();
        let values = vec![[0.0; 3]; times_secs.len()];
        let curve = Curve::Scale(Keys { times_secs, values, interpolation: Interpolation::Step });
        let track = Track { target: Target::Name("bone".into()), curve, blend: None };
        let keys = ClipKeys::find(&Clip { tracks: vec![track.clone(), track], ..Clip::default() });
        let columns = density(&keys, &View::whole(10.0), rect());
        assert_eq!(columns.iter().sum::<u64>(), 10_000);
        assert!(columns.iter().all(|count| *count < 20), "evenly");
    }
}
