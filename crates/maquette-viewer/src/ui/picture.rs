//! The picture of the model, or of two side by side: drawn on the graphics processor, turned with the pointer.

use super::{Desk, keys, nothing, notices};
use crate::actions::Action;
use crate::state::document::{Document, Progress};
use crate::state::session::Session;
use crate::work::Failure;
use eframe::egui::{self, Align2, Color32, FontId, PointerButton, Pos2, Rect, Sense, Stroke, TextureId, Ui, Vec2};
use eframe::egui_wgpu::RenderState;
use maquette_gpu::{Extras, Pose, Progress as Drawing, Renderer, Share, Target};
use maquette_render::{Picture, Shot};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Where pictures are drawn to, one for each model.
#[derive(Default)]
pub struct Pictures {
    /// `None` without a graphics processor, as in tests.
    pub gpu: Option<Gpu>,
    drawn: Vec<Drawn>,
    /// When keys or the pointer did something last, in seconds of the window.
    touched_secs: f64,
    is_touched: bool,
}

/// The graphics processor, and what draws on it.
pub struct Gpu {
    /// That of the window.
    pub state: RenderState,
    /// That of models.
    pub renderer: Arc<Renderer>,
}

struct Drawn {
    target: Target,
    texture: TextureId,
    /// What is in it.
    of: Option<(Shot, Extras, Arc<Pose>)>,
    /// How much of it.
    progress: Drawing,
}

/// So long the window waits for a picture that is drawn a share at a time, before it goes on and shows what there is.
const PATIENCE: Duration = Duration::from_millis(12);
/// So long after a key or a move of the pointer more of them may come.
const BUSY_SECS: f64 = 0.3;

impl Pictures {
    /// Pictures drawn by a graphics processor.
    pub fn on(gpu: Gpu) -> Pictures {
        Pictures { gpu: Some(gpu), ..Pictures::default() }
    }

    /// What the user does comes first: a picture that is not whole waits for as long as somebody is busy.
    fn heed(&mut self, ui: &Ui) {
        let (now_secs, is_used) = ui.input(|input| (input.time, !input.events.is_empty()));
        if is_used {
            self.touched_secs = now_secs;
        }
        self.is_touched = (self.touched_secs..self.touched_secs + BUSY_SECS).contains(&now_secs);
    }

    /// Writes a picture that is shown, as PNG.
    pub fn save(&self, place: usize, path: &Path) -> Result<(), String> {
        if !self.is_whole(place) {
            return Err("the picture is still being drawn: it can be saved when it is whole".to_owned());
        }
        let picture = self.read(place)?;
        let png = maquette_texture::png::encode(picture.width(), picture.height(), picture.pixels());
        let png = png.ok_or("the picture is too large for a PNG")?;
        maquette::save::write(path, &png).map_err(|error| error.to_string())
    }

    /// Whether all of a picture is there.
    pub fn is_whole(&self, place: usize) -> bool {
        self.drawn.get(place).is_none_or(|drawn| drawn.progress == Drawing::Whole)
    }

    /// The bytes of a picture that is shown.
    pub fn read(&self, place: usize) -> Result<Picture, String> {
        let gpu = self.gpu.as_ref().ok_or("there is no graphics processor")?;
        let drawn = self.drawn.get(place).ok_or("nothing is shown")?;
        gpu.renderer.read(&drawn.target).map_err(|error| error.to_string())
    }

    /// Draws a document, unless what is there is what is asked for; goes on with it where that was not done.
    fn draw(&mut self, place: usize, document: &Document, shot: Shot, extra: Extras) -> Option<TextureId> {
        let gpu = self.gpu.as_ref()?;
        let model = document.staged.as_ref()?.model.as_ref()?;
        let pose = document.placed.as_ref()?.pose.as_ref()?;
        while self.drawn.len() <= place {
            let target = Target::new(&gpu.renderer, shot.size);
            let texture = register(&gpu.state, &target);
            self.drawn.push(Drawn { target, texture, of: None, progress: Drawing::Whole });
        }
        let drawn = self.drawn.get_mut(place)?;
        if drawn.target.size() != shot.size {
            drawn.target = Target::new(&gpu.renderer, shot.size);
            let mut renderer = gpu.state.renderer.write();
            let (view, filter) = (drawn.target.view(), wgpu::FilterMode::Nearest);
            renderer.update_egui_texture_from_wgpu_texture(&gpu.state.device, view, filter, drawn.texture);
            drawn.of = None;
        }
        let is_there = drawn.of.as_ref().is_some_and(|(there_shot, there_extra, there)| {
            *there_shot == shot && *there_extra == extra && Arc::ptr_eq(there, pose)
        });
        let mut share = match (is_there, drawn.progress) {
            (false, _) => Some(Share::First),
            (true, Drawing::Partly) if !self.is_touched => Some(Share::Next),
            (true, _) => None,
        };
        let begun = Instant::now();
        while let Some(now) = share {
            drawn.progress = gpu.renderer.draw_share(model, pose, &shot, &extra, &mut drawn.target, now);
            let goes_on = drawn.progress == Drawing::Partly && {
                // What is asked of the device is done in order: the window would wait for all of it.
                gpu.renderer.finish();
                begun.elapsed() < PATIENCE
            };
            share = goes_on.then_some(Share::Next);
        }
        drawn.of = Some((shot, extra, Arc::clone(pose)));
        Some(drawn.texture)
    }
}

fn register(state: &RenderState, target: &Target) -> TextureId {
    state.renderer.write().register_native_texture(&state.device, target.view(), wgpu::FilterMode::Nearest)
}

/// Shows the model, or both.
pub fn show(ui: &mut Ui, desk: &mut Desk<'_>, pictures: &mut Pictures) {
    let whole = ui.available_rect_before_wrap();
    let count = desk.session.documents.len();
    if count == 0 {
        welcome(ui, desk);
        return;
    }
    pictures.heed(ui);
    let width = whole.width() / count as f32;
    for place in 0..count {
        let left = whole.left() + width * place as f32;
        let rect = Rect::from_min_size(Pos2::new(left, whole.top()), Vec2::new(width, whole.height()));
        one(ui, desk, pictures, place, rect);
    }
    ui.advance_cursor_after_rect(whole);
}

fn welcome(ui: &mut Ui, desk: &mut Desk<'_>) {
    ui.vertical_centered(|ui| {
        ui.add_space(ui.available_height() * 0.35);
        ui.heading("maquette");
        ui.label("Drop a model here: AEM, NLM, PMDL, BMW, SEAnim, glTF.");
        ui.add_space(8.0);
        desk.button(ui, "Open…", Action::Open);
        desk.button(ui, "Keys", Action::Help);
    });
}

/// The longest side of a picture, in pixels; a larger one is stretched.
const LARGEST: u32 = 4096;

fn one(ui: &mut Ui, desk: &mut Desk<'_>, pictures: &mut Pictures, place: usize, rect: Rect) {
    let response = ui.interact(rect, ui.scope_id().with(("picture", place)), Sense::click_and_drag());
    let scale = ui.ctx().pixels_per_point();
    let size = [rect.width(), rect.height()].map(|side| ((side * scale).round() as u32).clamp(1, LARGEST));
    desk.session.size = Some(size);
    pointer(ui, desk.session, place, rect, &response);
    let session = &*desk.session;
    let Some(document) = session.documents.get(place) else { return };
    let shot = session.look.shot(session.orbit_of(place).camera(), size);
    let extra = Extras {
        passes: session.look.passes,
        lines: super::marks::of(document),
        tints: super::marks::tints(document),
        ..Extras::default()
    };
    let painter = ui.painter_at(rect);
    let background = shot_background(&shot);
    match pictures.draw(place, document, shot, extra) {
        Some(texture) if document.progress() != Progress::Failed => {
            let all = Rect::from_min_max(Pos2::ZERO, Pos2::new(1.0, 1.0));
            let exact = Rect::from_min_size(rect.min, Vec2::new(size[0] as f32, size[1] as f32) / scale);
            let is_whole = size.iter().all(|side| *side < LARGEST);
            painter.image(texture, if is_whole { exact } else { rect }, all, Color32::WHITE);
        }
        _ => {
            painter.rect_filled(rect, 0.0, background);
            waiting(ui, document, rect, background, pictures.gpu.is_some());
        }
    }
    if !pictures.is_whole(place) {
        let at = rect.right_bottom() - Vec2::new(10.0, 8.0);
        painter.text(at, Align2::RIGHT_BOTTOM, "drawing…", FontId::proportional(13.0), ink(background));
        ui.ctx().request_repaint();
    }
    told(ui, document, rect, background);
    if let Some(text) = alone(ui.ctx(), document) {
        let at = rect.center_top() + Vec2::new(0.0, 32.0);
        painter.text(at, Align2::CENTER_TOP, text, FontId::proportional(14.0), ink(background));
    }
    if session.is_flying {
        let at = rect.center_top() + Vec2::new(0.0, 8.0);
        let text = "flying: W A S D, Q E; V ends it";
        painter.text(at, Align2::CENTER_TOP, text, FontId::proportional(14.0), ink(background));
    }
    if session.documents.len() > 1 {
        let is_active = place == session.active;
        let colour = if is_active { ui.visuals().selection.stroke.color } else { Color32::TRANSPARENT };
        painter.rect_stroke(rect.shrink(1.0), 0.0, Stroke::new(2.0, colour), egui::StrokeKind::Inside);
        let letter = if place == 0 { "A" } else { "B" };
        let at = rect.left_top() + Vec2::new(10.0, 8.0);
        let text = format!("{letter}  {}", document.name());
        painter.text(at, Align2::LEFT_TOP, text, FontId::proportional(14.0), ink(background));
    }
}

fn shot_background(shot: &Shot) -> Color32 {
    match shot.background {
        maquette_render::Background::Colour(colour) => {
            let [r, g, b] = colour.map(|channel| (channel.clamp(0.0, 1.0) * 255.0).round() as u8);
            Color32::from_rgb(r, g, b)
        }
        maquette_render::Background::Transparent => Color32::GRAY,
    }
}

/// What is read on a background.
fn ink(background: Color32) -> Color32 {
    let [r, g, b, _] = background.to_array().map(u32::from);
    if r + g + b < 384 { Color32::WHITE } else { Color32::BLACK }
}

/// What is there instead of a picture: how far it is, or what is wrong.
fn waiting(ui: &mut Ui, document: &Document, rect: Rect, background: Color32, has_gpu: bool) {
    let mut ui = ui.new_child(egui::UiBuilder::new().max_rect(rect.shrink(24.0)));
    match document.progress() {
        Progress::Reading | Progress::Staging => {
            ui.centered_and_justified(|ui| ui.spinner());
        }
        Progress::Failed => {
            let why = document.failure.as_ref().map_or("", Failure::why);
            sentence(&mut ui, rect, why, ink(background));
        }
        Progress::Ready if !has_gpu => {
            nothing(&mut ui, "no graphics processor: `maquette render` draws pictures without one")
        }
        Progress::Ready => {}
    }
}

/// What a file without meshes is, and what to do with it.
fn alone(context: &egui::Context, document: &Document) -> Option<String> {
    let scene = document.scene()?;
    if !scene.meshes.is_empty() || !scene.nodes.is_empty() {
        return None;
    }
    let key = keys::shown(context, Action::AddClips).unwrap_or_default();
    Some(match (scene.clips.is_empty(), scene.materials.is_empty()) {
        (false, _) => format!("Bones alone: open a model, then put this clip onto it with {key}."),
        (true, false) => "Materials alone: there is nothing to draw.".to_owned(),
        (true, true) => "There is nothing in it to draw.".to_owned(),
    })
}

/// Text in the middle of a picture, as wide as can be read.
fn sentence(ui: &mut Ui, rect: Rect, text: &str, colour: Color32) {
    let width = (rect.width() - 48.0).clamp(80.0, 640.0);
    let galley = ui.painter().layout(text.to_owned(), FontId::proportional(16.0), colour, width);
    ui.put(Rect::from_center_size(rect.center(), galley.size()), egui::Label::new(galley));
}

/// Events of the clip that plays, and images that are not there.
fn told(ui: &Ui, document: &Document, rect: Rect, background: Color32) {
    let painter = ui.painter_at(rect);
    let ink = ink(background);
    let mut at = rect.center_bottom() - Vec2::new(0.0, 16.0);
    for told in document.player.iter().flat_map(|player| player.told.iter().rev()) {
        let faded = ink.gamma_multiply((1.5 - told.age_secs).clamp(0.0, 1.0));
        painter.text(at, Align2::CENTER_BOTTOM, &told.name, FontId::proportional(16.0), faded);
        at.y -= 20.0;
    }
    let missing = document.staged.as_ref().map_or(&[][..], |staged| &staged.missing);
    let mut at = rect.left_bottom() + Vec2::new(10.0, -8.0);
    for line in missing.iter().take(4) {
        let colour = notices::wrong(ink == Color32::WHITE);
        painter.text(at, Align2::LEFT_BOTTOM, line, FontId::proportional(13.0), colour);
        at.y -= 17.0;
    }
}

/// Turns, pans, zooms, flies and picks.
fn pointer(ui: &Ui, session: &mut Session, place: usize, rect: Rect, response: &egui::Response) {
    let (modifiers, scroll, zoom) =
        ui.input(|input| (input.modifiers, input.smooth_scroll_delta().y, input.zoom_delta()));
    if response.clicked() || response.drag_started() {
        // The keyboard comes back from the panels.
        ui.memory_mut(|memory| memory.focused().into_iter().for_each(|widget| memory.surrender_focus(widget)));
    }
    let moved = response.drag_delta() / rect.height().max(1.0);
    if response.dragged_by(PointerButton::Primary) && modifiers.shift {
        session.look.key_yaw += moved.x * 4.0;
        session.look.key_pitch = (session.look.key_pitch - moved.y * 4.0).clamp(-1.5, 1.5);
    } else if response.dragged_by(PointerButton::Middle)
        || response.dragged_by(PointerButton::Primary) && modifiers.command
    {
        session.orbit.pan(-moved.x, moved.y);
    } else if response.dragged_by(PointerButton::Secondary)
        || response.dragged_by(PointerButton::Primary) && session.is_flying
    {
        session.orbit.look_around(-moved.x * 2.5, moved.y * 2.5);
    } else if response.dragged_by(PointerButton::Primary) {
        session.orbit.turn(-moved.x * 5.0, moved.y * 5.0);
    }
    let steps = scroll / 200.0 + zoom.max(1e-3).log2();
    if let Some(at) = response.hover_pos().filter(|_| steps != 0.0) {
        let half = rect.height() * 0.5;
        let from_middle = (at - rect.center()) / half.max(1.0);
        session.orbit.zoom_at(steps, [from_middle.x, -from_middle.y]);
    }
    let scale = ui.ctx().pixels_per_point();
    let clicked = response.interact_pointer_pos().filter(|_| response.clicked() || response.double_clicked());
    if let Some(at) = clicked {
        let at = (at - rect.min) * scale;
        if response.double_clicked() {
            session.look_at(place, [at.x, at.y]);
        } else {
            session.pick(place, [at.x, at.y]);
        }
    }
}
