//! The time of a clip, painted: ruler, events, keys and the playhead, to be dragged and zoomed.

use super::super::Desk;
use super::clip_keys::ClipKeys;
use super::hold::{Grip, Hold};
use super::view::View;
use super::{flags, marks, ruler};
use crate::state::player::Player;
use eframe::egui::{
    Align2, Context, CursorIcon, EventFilter, FontId, Id, Key, Painter, PointerButton, Rect, Response, Role, Sense,
    Stroke, StrokeKind, Ui, WidgetInfo, accesskit, pos2, vec2,
};
use maquette::scene::Handle;
use maquette::scene::clip::Clip;
use maquette::scene::scene::Node;
use std::sync::{Arc, Weak};

const LEAST_HEIGHT: f32 = 72.0;

/// What is kept from one picture to the next.
#[derive(Clone)]
struct Kept {
    of: Weak<Clip>,
    view: View,
    hold: Hold,
}

/// Shows it, in all the room that is left.
pub fn show(ui: &mut Ui, desk: &mut Desk<'_>) {
    let Some(document) = desk.session.document_mut() else { return };
    let node = document.selection.node();
    let Some(player) = document.player.as_mut() else { return };
    let size = vec2(ui.available_width(), ui.available_height().max(LEAST_HEIGHT));
    let Some((clip, place)) = player.clip().cloned().zip(player.current().map(|channel| channel.clip)) else {
        ui.allocate_ui(size, |ui| super::nothing(ui, "Rest pose: choose a clip, or play."));
        return;
    };
    let duration = player.clips().duration_secs(place);
    let (_, rect) = ui.allocate_space(size);
    // By a name of its own: what is above it comes and goes while it is dragged.
    let response = ui.interact(rect, Id::unique("scrubber"), Sense::click_and_drag());
    let id = response.id;
    let same = Arc::downgrade(&clip);
    let kept: Option<Kept> = ui.data(|data| data.get_temp(id));
    let fresh = || Kept { of: same.clone(), view: View::whole(duration), hold: Hold::default() };
    let mut kept = kept.filter(|kept| kept.of.ptr_eq(&same)).unwrap_or_else(fresh);
    let keys = ClipKeys::of(ui.ctx(), &clip);
    pointer(ui, &response, &mut kept, player, duration);
    keyboard(ui, &response, &mut kept.view, player);
    paint(ui, rect, &kept.view, &clip, keys.as_deref(), node, Clock::of(player, duration, place));
    if let Some(keys) = &keys {
        let lane = Rect::from_min_max(pos2(rect.left(), rect.top() + ruler::HEIGHT), rect.max);
        if let Some(secs) = flags::show(ui, id, lane, &kept.view, &clip, keys) {
            player.seek(secs);
        }
    }
    if response.has_focus() {
        ui.painter().rect_stroke(rect, 2.0, ui.visuals().selection.stroke, StrokeKind::Inside);
    }
    let now = player.current().map_or(0.0, |channel| channel.time_secs);
    playhead(&ui.painter_at(rect), ui, rect, &kept.view, now);
    response.widget_info(|| WidgetInfo::slider(true, f64::from(now), "Scrubber"));
    ui.ctx().accesskit_node_builder(id, |node| {
        node.set_role(Role::Slider);
        node.set_min_numeric_value(0.0);
        node.set_max_numeric_value(f64::from(duration));
        node.add_action(accesskit::Action::Increment);
        node.add_action(accesskit::Action::Decrement);
    });
    ui.data_mut(|data| data.insert_temp(id, kept));
}

/// Drags the playhead, zooms and pans.
fn pointer(ui: &Ui, response: &Response, kept: &mut Kept, player: &mut Player, duration: f32) {
    let rect = response.rect;
    let (is_down, at) = ui.input(|input| (input.pointer.primary_down(), input.pointer.interact_pos()));
    let drags = is_down && response.is_pointer_button_down_on();
    let to_secs = at.filter(|_| drags).map(|at| kept.view.secs_at(at.x, rect));
    if kept.hold.drag(player, to_secs) == Grip::Taken {
        response.request_focus();
    }
    if response.dragged_by(PointerButton::Middle) {
        kept.view.pan(-f64::from(response.drag_delta().x) * kept.view.secs_per_point(rect));
    }
    if response.double_clicked() {
        kept.view = View::whole(duration);
    }
    let Some(at) = response.hover_pos() else { return };
    let (scroll, zoom) = ui.input(|input| (input.smooth_scroll_delta(), input.zoom_delta()));
    let steps = f64::from(scroll.y) / 120.0;
    let times = steps.exp2() * f64::from(zoom);
    if times != 1.0 {
        kept.view.zoom(times, kept.view.secs_at(at.x, rect));
    }
    if scroll.x != 0.0 {
        kept.view.pan(-f64::from(scroll.x) * kept.view.secs_per_point(rect));
    }
    if scroll.y != 0.0 || scroll.x != 0.0 {
        // Nothing around it is to scroll as well.
        ui.input_mut(|input| input.smooth_scroll_delta = vec2(0.0, 0.0));
    }
    ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
}

/// Arrows step by frames, with Shift by ten, and zoom; with Ctrl they pan.
fn keyboard(ui: &Ui, response: &Response, view: &mut View, player: &mut Player) {
    let [across, closer] = arrows(ui.ctx(), response);
    view.pan(f64::from(across) * view.span_secs() * 0.1);
    let now = |player: &Player| player.current().map_or(0.0, |channel| f64::from(channel.time_secs));
    if closer != 0 {
        view.zoom(1.5_f64.powi(closer), now(player));
    }
    if let Some(frames) = steps(ui, response) {
        player.step(frames);
        view.reveal(now(player));
    }
}

/// How often a widget that has the focus was asked by arrows to pan to the right, and to come closer.
pub fn arrows(context: &Context, response: &Response) -> [i32; 2] {
    if !response.has_focus() {
        return [0; 2];
    }
    let filter = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
    context.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    context.input(|input| {
        let pressed = |key| input.num_presses(key) as i32;
        let across = pressed(Key::ArrowRight) - pressed(Key::ArrowLeft);
        let closer = pressed(Key::ArrowUp) - pressed(Key::ArrowDown);
        [if input.modifiers.command { across } else { 0 }, closer]
    })
}

/// How many frames a widget that has the focus was asked to go.
pub fn steps(ui: &Ui, response: &Response) -> Option<i32> {
    let has_focus = response.has_focus();
    let frames = ui.input(|input| {
        let asked = |action| input.num_accesskit_action_requests(response.id, action) as i32;
        let pressed = |key| input.num_presses(key) as i32;
        let by_keys = has_focus && !input.modifiers.command;
        let times = if input.modifiers.shift { 10 } else { 1 };
        let across = (pressed(Key::ArrowRight) - pressed(Key::ArrowLeft)) * times;
        let asked = asked(accesskit::Action::Increment) - asked(accesskit::Action::Decrement);
        asked + if by_keys { across } else { 0 }
    });
    (frames != 0).then_some(frames)
}

/// How time is counted in the clip.
struct Clock {
    duration: f32,
    frame_rate: f32,
}

impl Clock {
    fn of(player: &Player, duration: f32, clip: usize) -> Clock {
        Clock { duration, frame_rate: player.clips().frame_rate(clip) }
    }
}

fn paint(
    ui: &Ui,
    rect: Rect,
    view: &View,
    clip: &Clip,
    keys: Option<&ClipKeys>,
    node: Option<Handle<Node>>,
    clock: Clock,
) {
    let (painter, visuals) = (ui.painter_at(rect), ui.visuals());
    painter.rect_filled(rect, 2.0, visuals.extreme_bg_color);
    let span = view.x_of(0.0, rect)..=view.x_of(f64::from(clock.duration), rect);
    let clip_rect = Rect::from_x_y_ranges(span, rect.y_range());
    painter.rect_filled(clip_rect, 0.0, visuals.faint_bg_color);
    ruler::paint(&painter, visuals, rect, view, clock.frame_rate);
    let lanes = Rect::from_min_max(pos2(rect.left(), rect.top() + ruler::HEIGHT + flags::HEIGHT), rect.max);
    let Some(keys) = keys else {
        return said(&painter, ui, lanes, "keys are being counted");
    };
    match node {
        Some(node) => {
            let tracks = marks::tracks_of(clip, keys, node);
            if tracks.is_empty() {
                said(&painter, ui, lanes, "this clip does not move the node that is selected");
            }
            marks::paint_node(&painter, visuals, lanes.shrink2(vec2(0.0, 2.0)), view, &tracks);
        }
        None => marks::paint_all(&painter, visuals, lanes, view, keys),
    }
}

fn said(painter: &Painter, ui: &Ui, rect: Rect, text: &str) {
    let font = FontId::proportional(11.0);
    painter.text(rect.center(), Align2::CENTER_CENTER, text, font, ui.visuals().weak_text_color());
}

fn playhead(painter: &Painter, ui: &Ui, rect: Rect, view: &View, secs: f32) {
    let x = view.x_of(f64::from(secs), rect);
    let colour = ui.visuals().error_fg_color;
    painter.vline(x, rect.y_range(), Stroke::new(1.5, colour));
    let handle = Rect::from_center_size(pos2(x, rect.top() + 4.0), vec2(9.0, 8.0));
    painter.rect_filled(handle, 2.0, colour);
}
