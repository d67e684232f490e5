//! How clips of other files are put onto the model: a small window, from when the first is there. What is changed in it is done again at once.

use super::named::named;
use super::{Desk, things};
use crate::actions::Action;
use crate::work::Fitting;
use eframe::egui::{Align2, ComboBox, Context, Grid, TextEdit, Ui, Window};
use maquette::scene::attach::ModifierScope;

/// What the window is called.
pub const TITLE: &str = "Clips of other files";

const SCOPES: [(ModifierScope, &str, &str); 3] = [
    (ModifierScope::Both, "both", "the bone and what is below it"),
    (ModifierScope::SelfOnly, "self", "the bone alone"),
    (ModifierScope::Descendants, "children", "what is below the bone, but not the bone"),
];

/// Shows it, while it is open.
pub fn show(context: &Context, desk: &mut Desk<'_>) {
    let Some(document) = desk.session.document_mut().filter(|document| document.shows_fitting) else { return };
    let mut is_open = true;
    let mut fitting = document.fitting.clone();
    let mut asks = false;
    Window::new(TITLE)
        .open(&mut is_open)
        .collapsible(false)
        .resizable(false)
        .pivot(Align2::LEFT_BOTTOM)
        .default_pos(context.content_rect().left_bottom() + [12.0, -220.0].into())
        .show(context, |ui| {
            for file in &document.clip_files {
                let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
                ui.label(name).on_hover_text(file.display().to_string());
            }
            for found in &document.clip_matches {
                let text = format!("{}: {}", things::line(&found.clip), found.bones);
                ui.weak(text).on_hover_text(things::hint(&found.words));
            }
            ui.separator();
            asks = options(ui, &mut fitting);
        });
    document.shows_fitting = is_open;
    if fitting != document.fitting {
        document.fit_clips(fitting);
    }
    if asks {
        desk.done.push(Action::ChooseBoneMap);
    }
}

/// Whether a bone map is to be asked for.
fn options(ui: &mut Ui, fitting: &mut Fitting) -> bool {
    let mut asks = false;
    Grid::new("fitting").num_columns(2).show(ui, |ui| {
        ui.label("Bone map")
            .on_hover_text("A file of lines `clip bone = model bone`; nothing behind the sign leaves the bone out");
        ui.horizontal(|ui| {
            let name = fitting.bone_map.as_ref().and_then(|path| path.file_name());
            let name = name.map_or("none".into(), |name| name.to_string_lossy());
            asks = named(ui.button(name), "Bone map")
                .on_hover_text("Choose a file of lines: clip bone = model bone")
                .clicked();
            if fitting.bone_map.is_some() && named(ui.small_button("×"), "No bone map").clicked() {
                fitting.bone_map = None;
            }
        });
        ui.end_row();
        ui.label("Strip prefixes")
            .on_hover_text("Beginnings of bone names that are passed over, in clips and model alike");
        let edit = TextEdit::singleline(&mut fitting.prefixes).hint_text("j_, ValveBiped.").desired_width(160.0);
        named(ui.add(edit), "Strip prefixes");
        ui.end_row();
        ui.label("Namespaces");
        ui.checkbox(&mut fitting.ignores_namespaces, "ignore").on_hover_text("`mixamorig:Hips` is `Hips`");
        ui.end_row();
        ui.label("Modifier scope")
            .on_hover_text("Where one bone of a clip is blended in a way of its own: which bones that is for");
        let here = SCOPES.iter().find(|(scope, ..)| *scope == fitting.scope).map_or("", |(_, name, _)| name);
        let scopes = ComboBox::from_id_salt("modifier scope").selected_text(here).show_ui(ui, |ui| {
            for (scope, name, meaning) in SCOPES {
                ui.selectable_value(&mut fitting.scope, scope, name).on_hover_text(meaning);
            }
        });
        named(scopes.response, "Modifier scope");
        ui.end_row();
    });
    asks
}
