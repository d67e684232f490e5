//! Events: a flag for each, or for several that are close together. A click goes there.

use super::clip_keys::ClipKeys;
use super::view::View;
use eframe::egui::{Color32, Id, Rect, Role, Sense, Shape, Stroke, Ui, WidgetInfo, pos2, vec2};
use maquette::scene::clip::Clip;

/// How high flags are, in points.
pub const HEIGHT: f32 = 14.0;
/// What is closer than this shares a flag.
const WIDTH: f32 = 9.0;
/// So many names are told of a flag.
const NAMES: usize = 8;

/// Shows the flags that are seen; where a click on one goes.
pub fn show(ui: &Ui, id: Id, rect: Rect, view: &View, clip: &Clip, keys: &ClipKeys) -> Option<f32> {
    let mut goes_to = None;
    for flag in flags(&keys.events, view, rect) {
        let Some((secs, _)) = flag.first().copied() else { continue };
        let x = view.x_of(f64::from(secs), rect);
        let place = Rect::from_min_size(pos2(x, rect.top()), vec2(WIDTH, HEIGHT));
        let names = told(flag, clip);
        let response = ui.interact(place, id.with(("event", secs.to_bits())), Sense::click());
        response
            .widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Event {}", names.replace('\n', ", "))));
        let visuals = ui.style().interact(&response);
        paint(ui, place, rect.bottom(), visuals.fg_stroke.color, ui.visuals().warn_fg_color);
        if response.has_focus() {
            ui.painter().rect_stroke(place, 1.0, visuals.bg_stroke, eframe::egui::StrokeKind::Outside);
        }
        if response.on_hover_text(names).clicked() {
            goes_to = Some(secs);
        }
    }
    goes_to
}

fn paint(ui: &Ui, place: Rect, bottom: f32, pole: Color32, cloth: Color32) {
    let painter = ui.painter();
    painter.vline(place.left(), place.top()..=bottom, Stroke::new(1.0, pole.gamma_multiply(0.6)));
    let corners = vec![place.left_top(), pos2(place.right(), place.top() + 4.0), pos2(place.left(), place.top() + 8.0)];
    painter.add(Shape::convex_polygon(corners, cloth, Stroke::NONE));
}

/// Events that are seen, those together that share a flag.
fn flags<'e>(events: &'e [(f32, usize)], view: &View, rect: Rect) -> Vec<&'e [(f32, usize)]> {
    let first = events.partition_point(|(secs, _)| f64::from(*secs) < view.from_secs);
    let end = events.partition_point(|(secs, _)| f64::from(*secs) <= view.to_secs);
    let mut rest = events.get(first..end).unwrap_or_default();
    let mut flags = Vec::new();
    while let Some((secs, _)) = rest.first() {
        let until = view.secs_at(view.x_of(f64::from(*secs), rect) + WIDTH, rect);
        let (flag, after) = rest.split_at(rest.partition_point(|(secs, _)| f64::from(*secs) < until).max(1));
        flags.push(flag);
        rest = after;
    }
    flags
}

/// The names of events, a line each, with their times.
fn told(flag: &[(f32, usize)], clip: &Clip) -> String {
    let line = |(secs, place): &(f32, usize)| {
        let name = clip.events.get(*place).map_or("", |event| &event.name);
        format!("{name} ({secs:.3} s)")
    };
    let mut lines: Vec<String> = flag.iter().take(NAMES).map(line).collect();
    if flag.len() > NAMES {
        lines.push(format!("and {} more", flag.len() - NAMES));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_that_are_close_share_a_flag_until_they_are_zoomed_in_on() {
        let rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(1000.0, 20.0));
        let events: Vec<(f32, usize)> = [0.0, 1.0, 1.01, 9.0].into_iter().zip(0..).collect();
        let mut view = View::whole(10.0);
        let counts = |view: &View| flags(&events, view, rect).iter().map(|flag| flag.len()).collect::<Vec<_>>();
        assert_eq!(counts(&view), [1, 2, 1]);
        view.zoom(50.0, 1.0);
        assert_eq!(counts(&view), [1, 1]);
        let many: Vec<(f32, usize)> = (0..1_000_000).map(|place| (place as f32 * 1e-5, place)).collect();
        assert!(flags(&many, &View::whole(10.0), rect).len() <= 112);
    }
}
