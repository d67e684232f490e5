//! Mode, overlays, light, background and camera.

use super::Desk;
use crate::actions::Action;
use crate::state::camera::{FOV_RANGE, Lens};
use crate::state::session::Scale;
use eframe::egui::{Grid, ScrollArea, Slider, Ui};
use maquette_gpu::Passes;
use maquette_render::{Hollows, Shadow};

/// Shows the panel.
pub fn show(ui: &mut Ui, desk: &mut Desk<'_>) {
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        overlays(ui, desk);
        light(ui, desk);
        camera(ui, desk);
        if ui.button(Action::ResetLook.label()).clicked() {
            desk.done.push(Action::ResetLook);
        }
    });
}

fn overlays(ui: &mut Ui, desk: &mut Desk<'_>) {
    let look = &mut desk.session.look;
    ui.horizontal_wrapped(|ui| {
        ui.checkbox(&mut look.overlays.skeleton, "Skeleton");
        ui.checkbox(&mut look.overlays.grid, "Grid");
        ui.checkbox(&mut look.overlays.bounds, "Bounds");
        ui.checkbox(&mut look.overlays.axes, "Axes");
    });
    ui.horizontal_wrapped(|ui| {
        ui.label("Surfaces");
        ui.selectable_value(&mut look.passes, Passes::Both, "all");
        ui.selectable_value(&mut look.passes, Passes::Opaque, "opaque");
        ui.selectable_value(&mut look.passes, Passes::Transparent, "transparent");
    });
    ui.separator();
}

fn light(ui: &mut Ui, desk: &mut Desk<'_>) {
    let look = &mut desk.session.look;
    Grid::new("light").num_columns(2).show(ui, |ui| {
        ui.label("Exposure");
        ui.add(Slider::new(&mut look.stops, -8.0..=8.0).suffix(" stops").max_decimals(2));
        ui.end_row();
        ui.label("Key light");
        ui.add(Slider::new(&mut look.key, 0.0..=10.0).max_decimals(2));
        ui.end_row();
        ui.label("Ambient");
        ui.add(Slider::new(&mut look.ambient, 0.0..=10.0).max_decimals(2));
        ui.end_row();
        ui.label("Light around");
        ui.drag_angle(&mut look.key_yaw);
        ui.end_row();
        ui.label("Light height");
        ui.drag_angle(&mut look.key_pitch);
        ui.end_row();
        ui.label("Background");
        ui.horizontal(|ui| {
            let shown = look.background.unwrap_or(usual_background());
            let mut colour = shown.map(|channel| (channel.clamp(0.0, 1.0) * 255.0).round() as u8);
            if ui.color_edit_button_srgb(&mut colour).changed() {
                look.background = Some(colour.map(|channel| f32::from(channel) / 255.0));
            }
            for (name, grey) in [("black", 0.0), ("white", 1.0)] {
                if ui.small_button(name).clicked() {
                    look.background = Some([grey; 3]);
                }
            }
            if ui.small_button("usual").clicked() {
                look.background = None;
            }
        });
        ui.end_row();
    });
    ui.horizontal(|ui| {
        let mut casts = look.shadow == Shadow::Soft;
        ui.checkbox(&mut casts, "Shadow");
        look.shadow = if casts { Shadow::Soft } else { Shadow::None };
        let mut darkens = look.hollows == Hollows::Dark;
        ui.checkbox(&mut darkens, "Ambient occlusion");
        look.hollows = if darkens { Hollows::Dark } else { Hollows::Lit };
    });
    ui.separator();
}

/// The background of pictures where none is chosen.
fn usual_background() -> [f32; 3] {
    match maquette_render::Background::default() {
        maquette_render::Background::Colour(colour) => colour,
        maquette_render::Background::Transparent => [0.5; 3],
    }
}

fn camera(ui: &mut Ui, desk: &mut Desk<'_>) {
    let session = &mut *desk.session;
    Grid::new("camera").num_columns(2).show(ui, |ui| {
        ui.label("Field of view");
        let mut degrees = session.orbit.fov_y.to_degrees();
        let range = FOV_RANGE[0].to_degrees()..=FOV_RANGE[1].to_degrees();
        if ui.add(Slider::new(&mut degrees, range).suffix("°").max_decimals(1)).changed() {
            session.orbit.set_fov(degrees.to_radians());
        }
        ui.end_row();
        ui.label("Lens");
        ui.horizontal(|ui| {
            ui.selectable_value(&mut session.orbit.lens, Lens::Perspective, "perspective");
            ui.selectable_value(&mut session.orbit.lens, Lens::Orthographic, "orthographic");
        });
        ui.end_row();
        if session.documents.len() > 1 {
            ui.label("Two files");
            let mut is_same = session.scale == Scale::Same;
            let hint = "Both by one camera, to compare their sizes; otherwise each fills its picture";
            if ui.checkbox(&mut is_same, "Same scale").on_hover_text(hint).changed() {
                desk.done.push(Action::ToggleScale);
            }
            ui.end_row();
        }
        ui.label("Auto-rotate");
        let mut speed = session.rotation.unwrap_or(0.0);
        if ui.add(Slider::new(&mut speed, -4.0..=4.0).max_decimals(1)).changed() {
            session.rotation = (speed != 0.0).then_some(speed);
        }
        ui.end_row();
    });
}
