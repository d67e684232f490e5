//! A picture that is moved and enlarged with the pointer or by keys, and the pixel that is pointed at.

use super::channel::Channel;
use super::tiles::{Source, Tiles, checker};
use eframe::egui::{
    Color32, EventFilter, Id, Key, Modifiers, Pos2, Rect, Response, Role, Sense, Stroke, StrokeKind, TextureHandle, Ui,
    Vec2, WidgetInfo, pos2, vec2,
};
use maquette_texture::Picture;

/// The most that a pixel is enlarged, in points.
const LARGEST: f32 = 64.0;
/// The smallest that a picture is shown, in points.
const SMALLEST: f32 = 16.0;
/// What one step of keys and buttons enlarges.
pub const STEP: f32 = 1.5;
/// How far arrows move, in points.
const MOVE: f32 = 32.0;

/// How a picture is seen.
#[derive(Default)]
pub struct View {
    /// Points that a pixel of the largest level takes; `None` for as large as there is room.
    zoom: Option<f32>,
    /// What is in the middle, as parts of the picture, from the middle.
    centre: Vec2,
    tiles: Tiles,
    checker: Option<(Color32, TextureHandle)>,
}

/// What is shown of an image.
pub struct Shown<'a> {
    /// What it is called.
    pub name: &'a str,
    /// The size of its largest level.
    pub whole: [u32; 2],
    /// The level that is shown.
    pub picture: &'a Picture,
    /// What its tiles are made of.
    pub source: Source,
}

impl View {
    /// As large as there is room.
    pub fn fit(&mut self) {
        (self.zoom, self.centre) = (None, Vec2::ZERO);
    }

    /// A pixel of the largest level is one of the screen.
    pub fn true_size(&mut self, pixels_per_point: f32) {
        self.zoom = Some(1.0 / pixels_per_point.max(0.1));
    }

    /// Enlarges what is in the middle.
    pub fn enlarge(&mut self, times: f32, room: Vec2, whole: [u32; 2]) {
        self.zoom_at(times, Vec2::ZERO, room, whole);
    }

    /// Shows a picture; the pixel that is pointed at, or the one in the middle while keys are for it.
    pub fn show(&mut self, ui: &mut Ui, id: Id, size: Vec2, shown: &Shown<'_>) -> Option<[u32; 2]> {
        let (_, rect) = ui.allocate_space(size);
        let response = ui.interact(rect, id, Sense::click_and_drag());
        response.widget_info(|| WidgetInfo::labeled(Role::Image, true, format!("Picture {}", shown.name)));
        self.pointer(ui, &response, rect, shown.whole);
        self.keys(ui, &response, rect, shown.whole);
        let place = self.place(rect, shown.whole);
        self.paint(ui, rect, place, shown);
        if response.has_focus() {
            let stroke = Stroke::new(1.0, ui.visuals().selection.stroke.color);
            ui.painter().rect_stroke(rect, 0.0, stroke, StrokeKind::Inside);
        }
        let size = [shown.picture.width(), shown.picture.height()];
        let pointed = response.hover_pos().or(response.has_focus().then(|| rect.center()));
        pointed.and_then(|at| pixel(at, place, size))
    }

    fn scale(&self, room: Vec2, [width, height]: [u32; 2]) -> f32 {
        let fitting = (room.x / width as f32).min(room.y / height as f32).max(1e-6);
        self.zoom.unwrap_or(fitting).min(LARGEST)
    }

    fn place(&self, rect: Rect, whole: [u32; 2]) -> Rect {
        let size = vec2(whole[0] as f32, whole[1] as f32) * self.scale(rect.size(), whole);
        Rect::from_center_size(rect.center() - self.centre * size, size)
    }

    /// Enlarges, and what is there stays there.
    fn zoom_at(&mut self, times: f32, from_middle: Vec2, room: Vec2, whole: [u32; 2]) {
        let size = vec2(whole[0] as f32, whole[1] as f32);
        let before = self.scale(room, whole);
        let least = SMALLEST / size.max_elem();
        let after = (before * times).clamp(least.min(before), LARGEST);
        self.centre += from_middle / (size * before) - from_middle / (size * after);
        self.zoom = Some(after);
        self.stay();
    }

    /// The middle of the panel is never beyond the edge.
    fn stay(&mut self) {
        self.centre = self.centre.clamp(Vec2::splat(-0.5), Vec2::splat(0.5));
    }

    fn pan(&mut self, by: Vec2, room: Vec2, whole: [u32; 2]) {
        let size = vec2(whole[0] as f32, whole[1] as f32) * self.scale(room, whole);
        self.centre -= by / size;
        self.stay();
    }

    fn pointer(&mut self, ui: &Ui, response: &Response, rect: Rect, whole: [u32; 2]) {
        if response.dragged() {
            self.pan(response.drag_delta(), rect.size(), whole);
        }
        if response.double_clicked() {
            self.fit();
        }
        let Some(at) = response.hover_pos() else { return };
        // The wheel is for the picture here, not for the page that it is on.
        let (scroll, zoom) = ui.input_mut(|input| {
            let scroll = input.smooth_scroll_delta.y;
            input.smooth_scroll_delta = Vec2::ZERO;
            (scroll, input.zoom_delta())
        });
        let times = (scroll / 200.0).exp2() * zoom;
        if times != 1.0 && times.is_finite() {
            self.zoom_at(times, at - rect.center(), rect.size(), whole);
        }
    }

    fn keys(&mut self, ui: &Ui, response: &Response, rect: Rect, whole: [u32; 2]) {
        if !response.has_focus() {
            return;
        }
        let filter = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
        let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        for (key, way) in [
            (Key::ArrowLeft, vec2(1.0, 0.0)),
            (Key::ArrowRight, vec2(-1.0, 0.0)),
            (Key::ArrowUp, vec2(0.0, 1.0)),
            (Key::ArrowDown, vec2(0.0, -1.0)),
        ] {
            if pressed(key) {
                self.pan(way * MOVE, rect.size(), whole);
            }
        }
        if pressed(Key::Plus) || pressed(Key::Equals) {
            self.enlarge(STEP, rect.size(), whole);
        }
        if pressed(Key::Minus) {
            self.enlarge(1.0 / STEP, rect.size(), whole);
        }
    }

    fn paint(&mut self, ui: &Ui, rect: Rect, place: Rect, shown: &Shown<'_>) {
        let painter = ui.painter_at(rect);
        painter.rect_filled(rect, 0.0, ui.visuals().extreme_bg_color);
        if shown.source.2 == Channel::Rgba {
            let seen = place.intersect(rect);
            let texture = self.checker(ui);
            let uv = Rect::from_min_size(Pos2::ZERO, seen.size() / 16.0);
            painter.image(texture.id(), seen, uv, Color32::WHITE);
        }
        self.tiles.draw(&painter, shown.source, shown.picture, place);
    }

    /// In the colours of the window.
    fn checker(&mut self, ui: &Ui) -> &TextureHandle {
        let (dark, light) = (ui.visuals().extreme_bg_color, ui.visuals().widgets.inactive.bg_fill);
        if self.checker.as_ref().is_some_and(|(there, _)| *there != dark) {
            self.checker = None;
        }
        &self.checker.get_or_insert_with(|| (dark, checker(ui.ctx(), dark, light))).1
    }
}

/// The pixel at a place of the screen.
fn pixel(at: Pos2, place: Rect, [width, height]: [u32; 2]) -> Option<[u32; 2]> {
    let part = (at - place.min) / place.size();
    let inside = (0.0..1.0).contains(&part.x) && (0.0..1.0).contains(&part.y);
    let at = pos2(part.x * width as f32, part.y * height as f32);
    inside.then_some([(at.x as u32).min(width - 1), (at.y as u32).min(height - 1)])
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOM: Vec2 = Vec2::new(200.0, 100.0);
    const WHOLE: [u32; 2] = [400, 400];

    fn at(view: &View, point: Pos2) -> Option<[u32; 2]> {
        pixel(point, view.place(Rect::from_min_size(Pos2::ZERO, ROOM), WHOLE), WHOLE)
    }

    #[test]
    fn a_picture_fits_its_room() {
        let view = View::default();
        let place = view.place(Rect::from_min_size(Pos2::ZERO, ROOM), WHOLE);
        assert_eq!(place, Rect::from_min_size(pos2(50.0, 0.0), vec2(100.0, 100.0)));
        assert_eq!(at(&view, pos2(50.0, 0.0)), Some([0, 0]));
        assert_eq!(at(&view, pos2(149.9, 99.9)), Some([399, 399]));
        assert_eq!(at(&view, pos2(40.0, 50.0)), None);
    }

    #[test]
    fn what_is_pointed_at_stays_there_when_it_is_enlarged() {
        let mut view = View::default();
        let pointer = pos2(75.0, 25.0);
        let before = at(&view, pointer).unwrap();
        view.zoom_at(4.0, pointer - pos2(100.0, 50.0), ROOM, WHOLE);
        let after = at(&view, pointer).unwrap();
        assert!(before.iter().zip(after).all(|(before, after)| before.abs_diff(after) <= 1), "{before:?} {after:?}");
        view.zoom_at(1e9, Vec2::ZERO, ROOM, WHOLE);
        assert_eq!(view.scale(ROOM, WHOLE), LARGEST);
        view.fit();
        assert_eq!(view.scale(ROOM, WHOLE), 0.25);
    }

    #[test]
    fn it_cannot_be_lost() {
        let mut view = View::default();
        view.pan(vec2(1e9, -1e9), ROOM, WHOLE);
        assert_eq!(view.centre, vec2(-0.5, 0.5));
    }
}
