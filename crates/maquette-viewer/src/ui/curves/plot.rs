//! The plot: curves, keys and the playhead, which can be dragged.

use super::super::timeline::hold::Hold;
use super::super::timeline::scrubber;
use super::super::timeline::view::View;
use super::sampled::{self, Drawn, Property};
use super::{Choice, colour};
use crate::state::player::Player;
use crate::state::selection::Thing;
use eframe::egui::{
    CursorIcon, Id, PointerButton, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, pos2,
};
use egui_plot::{
    CoordinatesFormatter, Corner, GridMark, Line, MarkerShape, Plot, PlotMemory, PlotPoint, PlotPoints, PlotTransform,
    PlotUi, Points, VLine,
};
use maquette::scene::clip::{Clip, Curve};
use std::sync::{Arc, Weak};

/// How near the pointer must be to take the playhead, in points.
const REACH: f32 = 7.0;
/// The least that is seen of a clip, in seconds.
const CLOSEST_SECS: f64 = 1e-4;

/// What is to be plotted.
pub struct Wanted<'a> {
    /// Of which clip.
    pub clip: &'a Arc<Clip>,
    /// Of which node or bone.
    pub thing: Thing,
    /// Its curves.
    pub curves: &'a [&'a Curve],
    /// What of them.
    pub choice: &'a Choice,
    /// What that is called.
    pub name: &'a str,
}

/// What part of the clip is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// All of it.
    All,
    /// What was seen before.
    Kept,
}

/// What is kept from one picture to the next.
#[derive(Clone)]
struct Kept {
    clip: Weak<Clip>,
    thing: Thing,
    choice: Choice,
    /// What was sampled: from when to when, and how wide.
    seen: [f64; 2],
    width: f32,
    drawn: Arc<Vec<Drawn>>,
    /// From the least to the greatest value of the whole clip.
    extent: [f64; 2],
    hold: Hold,
    is_held: bool,
}

/// Shows it, in all the room that is left.
pub fn show(ui: &mut Ui, id: Id, player: &mut Player, wanted: &Wanted<'_>, range: Range) {
    let Some(clip) = player.current().map(|channel| channel.clip) else { return };
    let whole = View::whole(player.clips().duration_secs(clip));
    let plot_id = id.with("plot");
    let memory = PlotMemory::load(ui.ctx(), plot_id);
    let before: Option<Kept> = ui.data(|data| data.get_temp(id.with("kept")));
    let before = before.filter(|kept| kept.is_of(wanted));
    let range = if before.is_none() || memory.is_none() { Range::All } else { range };
    let frame = memory.as_ref().map_or(ui.available_rect_before_wrap(), |memory| *memory.transform().frame());
    let view = match (range, &memory) {
        (Range::Kept, Some(memory)) => seen(memory.transform(), whole),
        _ => whole,
    };
    let mut kept = sampled_for(wanted, before, &view, whole, frame.width());
    let transform = memory.map(|memory| memory.transform());
    let now = player.current().map_or(0.0, |channel| f64::from(channel.time_secs));
    let near = take(ui, &mut kept, transform.as_ref(), now);
    let drawn = Arc::clone(&kept.drawn);
    let plot = Plot::new("curves")
        .id(plot_id)
        .sense(Sense::click_and_drag())
        .allow_drag(!kept.is_held)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .include_x(whole.from_secs)
        .include_x(whole.to_secs)
        .include_y(kept.extent[0])
        .include_y(kept.extent[1])
        .auto_bounds(false)
        .y_grid_spacer(|input| levels(input.bounds, input.base_step_size))
        .y_axis_formatter(|mark, _| level(mark))
        .coordinates_formatter(Corner::RightTop, CoordinatesFormatter::new(|at, _| said(at)))
        .min_size(Vec2::new(80.0, 60.0));
    let visuals = ui.visuals().clone();
    let line = visuals.error_fg_color;
    let shown = plot.show(ui, |plot| {
        for drawn in drawn.iter().filter(|drawn| !wanted.choice.hidden.contains(&drawn.part)) {
            let name = format!("{} {}", drawn.part.property.name(), drawn.part.letter());
            let colour = colour(drawn.part, &visuals);
            for run in &drawn.runs {
                plot.line(Line::new(name.clone(), PlotPoints::Borrowed(run)).color(colour).width(1.5));
            }
            let keys = Points::new(name, PlotPoints::Borrowed(&drawn.keys));
            plot.points(keys.color(colour).radius(3.5).shape(shape(drawn.part.property)));
        }
        plot.vline(VLine::new("now", now).stroke(Stroke::new(1.5, line)).allow_hover(false));
        move_view(plot, range, whole);
    });
    let response = shown.response;
    pointer(ui, &response, &shown.transform, &mut kept, player);
    if let Some(step) = scrubber::steps(ui, &response) {
        player.step(step);
    }
    if near || kept.is_held {
        ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
    }
    response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, format!("Curves of {}", wanted.name)));
    if response.has_focus() {
        ui.painter().rect_stroke(response.rect, 2.0, ui.visuals().selection.stroke, StrokeKind::Inside);
    }
    let is_other = { seen(shown.transform, whole) } != view || shown.transform.frame().width() != frame.width();
    if is_other {
        // What is seen by now is sampled in the next picture.
        ui.ctx().request_repaint();
    }
    ui.data_mut(|data| data.insert_temp(id.with("kept"), kept));
}

impl Kept {
    fn is_of(&self, wanted: &Wanted<'_>) -> bool {
        self.thing == wanted.thing
            && self.choice.turn == wanted.choice.turn
            && self.clip.ptr_eq(&Arc::downgrade(wanted.clip))
    }
}

/// What of the clip a plot shows.
fn seen(transform: PlotTransform, whole: View) -> View {
    let bounds = transform.bounds();
    let [from, to] = [bounds.min()[0], bounds.max()[0]];
    if from.is_finite() && to.is_finite() && from < to { View::between(from, to) } else { whole }
}

/// Samples curves, unless what is kept is the same.
fn sampled_for(wanted: &Wanted<'_>, before: Option<Kept>, view: &View, whole: View, width: f32) -> Kept {
    let rect = Rect::from_min_size(pos2(0.0, 0.0), Vec2::new(width.clamp(1.0, 16384.0), 1.0));
    let draw = |view: &View| -> Vec<Drawn> {
        wanted.curves.iter().flat_map(|curve| sampled::draw(curve, wanted.choice.turn, view, rect)).collect()
    };
    let extent_of =
        |drawn: &[Drawn]| sampled::extent(drawn.iter().filter(|drawn| !wanted.choice.hidden.contains(&drawn.part)));
    let seen = [view.from_secs, view.to_secs];
    match before {
        Some(mut kept) => {
            if kept.choice != *wanted.choice {
                kept.extent = extent_of(&draw(&whole));
                kept.choice = wanted.choice.clone();
            }
            if kept.seen != seen || kept.width != width {
                (kept.drawn, kept.seen, kept.width) = (Arc::new(draw(view)), seen, width);
            }
            kept
        }
        None => {
            let all = draw(&whole);
            Kept {
                clip: Arc::downgrade(wanted.clip),
                thing: wanted.thing,
                choice: wanted.choice.clone(),
                seen,
                width,
                extent: extent_of(&all),
                drawn: Arc::new(if *view == whole { all } else { draw(view) }),
                hold: Hold::default(),
                is_held: false,
            }
        }
    }
}

/// Takes hold of the playhead where the button went down on it, and lets go where it went up; whether the pointer is near.
fn take(ui: &Ui, kept: &mut Kept, transform: Option<&PlotTransform>, now: f64) -> bool {
    let Some(transform) = transform else { return false };
    let x = transform.position_from_point_x(now);
    let (at, is_pressed, is_down) = ui.input(|input| {
        let pointer = &input.pointer;
        (pointer.interact_pos(), pointer.primary_pressed(), pointer.primary_down())
    });
    let is_near = at.is_some_and(|at| {
        (at.x - x).abs() <= REACH && transform.frame().contains(at) && ui.rect_contains_pointer(*transform.frame())
    });
    kept.is_held = is_down && (kept.is_held || is_pressed && is_near);
    is_near
}

/// Drags the playhead, or goes where a click was.
fn pointer(ui: &Ui, response: &Response, transform: &PlotTransform, kept: &mut Kept, player: &mut Player) {
    let at = ui.input(|input| input.pointer.interact_pos());
    let secs = at.map(|at| transform.value_from_position(at).x);
    kept.hold.drag(player, secs.filter(|_| kept.is_held));
    if let Some(secs) = secs.filter(|_| response.clicked_by(PointerButton::Primary) && !response.double_clicked()) {
        player.seek(secs.max(0.0) as f32);
    }
}

/// Shows all, or comes closer by the wheel and by keys.
fn move_view(plot: &mut PlotUi<'_>, range: Range, whole: View) {
    if range == Range::All {
        plot.set_auto_bounds(true);
        return;
    }
    let response = plot.response().clone();
    let [across, closer] = scrubber::arrows(plot.ctx(), &response);
    let scroll = plot.ctx().input(|input| input.smooth_scroll_delta().y);
    let view = seen(*plot.transform(), whole);
    if let Some(at) = plot.pointer_coordinate().filter(|_| response.hovered() && scroll != 0.0) {
        let mut view = view;
        view.widen(whole);
        view.zoom((f64::from(scroll) / 120.0).exp2(), at.x);
        plot.set_plot_bounds_x(view.from_secs..=view.to_secs);
        plot.ctx().input_mut(|input| input.smooth_scroll_delta = Vec2::ZERO);
    } else if across != 0 || closer != 0 {
        let mut view = view;
        view.widen(whole);
        view.zoom(1.5_f64.powi(closer), (view.from_secs + view.to_secs) * 0.5);
        view.pan(f64::from(across) * view.span_secs() * 0.1);
        plot.set_plot_bounds_x(view.from_secs..=view.to_secs);
    } else if view.span_secs() < CLOSEST_SECS {
        plot.set_plot_bounds_x(view.from_secs..=view.from_secs + CLOSEST_SECS);
    }
}

/// Lines at round values, near enough for one or two in the lowest plot and far enough for a number at each. The base is eight points.
fn levels(bounds: (f64, f64), base: f64) -> Vec<GridMark> {
    let step_size = round_up(base * 3.0);
    let (first, last) = ((bounds.0 / step_size).ceil(), (bounds.1 / step_size).floor());
    if !(step_size > 0.0 && first.is_finite() && (0.0..500.0).contains(&(last - first))) {
        return Vec::new();
    }
    // Numbers are weak where lines are close: these are never too close.
    let mark = |place: u32| GridMark { value: (first + f64::from(place)) * step_size, step_size: step_size * 2.0 };
    (0..=(last - first) as u32).map(mark).collect()
}

/// The next of 1, 2, 5, 10, 20, 50, ...
fn round_up(least: f64) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0].map(|step| step * power).into_iter().find(|step| *step >= least).unwrap_or(power * 10.0)
}

/// A level in as many digits as tell it from the next.
fn level(mark: GridMark) -> String {
    let digits = (-(mark.step_size * 0.5).log10()).ceil().clamp(0.0, 9.0) as usize;
    let text = format!("{:.digits$}", mark.value);
    if text.trim_start_matches('-').chars().all(|letter| matches!(letter, '0' | '.')) { "0".to_owned() } else { text }
}

/// What is under the pointer.
fn said(at: &PlotPoint) -> String {
    format!("{:.3} s: {:.4}", at.x, at.y)
}

fn shape(property: Property) -> MarkerShape {
    match property {
        Property::Translation => MarkerShape::Circle,
        Property::Rotation => MarkerShape::Diamond,
        Property::Scale => MarkerShape::Square,
        Property::Weights => MarkerShape::Up,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The panel is about a hundred points high at first.
    #[test]
    fn there_are_numbers_however_low_the_plot_is() {
        for extent in [1e-3, 0.3, 1.0, 7.0, 90.0, 360.0, 12_345.0] {
            let marks = levels((-extent * 0.5, extent * 0.5), extent / 90.0 * 8.0);
            assert!((1..=4).contains(&marks.len()), "{extent}: {marks:?}");
            let mut texts: Vec<String> = marks.into_iter().map(level).collect();
            let count = texts.len();
            texts.dedup();
            assert_eq!(texts.len(), count, "{extent}: {texts:?}");
        }
        for nothing in [(f64::NAN, 1.0), (0.0, f64::INFINITY), (1.0, 0.0)] {
            assert!(levels(nothing, 0.1).is_empty());
        }
        assert!(levels((0.0, 1.0), 0.0).is_empty());
    }
}
