//! The list of findings. Only the rows that are seen are made.

use super::{View, colour};
use crate::ui::Desk;
use eframe::egui::{Align, Label, Response, RichText, Role, Sense, TextWrapMode, Ui, WidgetInfo};
use egui_extras::{Column, TableBuilder, TableRow};
use maquette::check::{Checked, Finding};
use maquette::scene::path::shortened;

/// Shows the list.
pub fn show(ui: &mut Ui, desk: &mut Desk<'_>, view: &mut View, checked: &Checked) {
    let height = ui.spacing().interact_size.y;
    let selected = desk.session.document().and_then(|document| document.selection.finding);
    let mut table = TableBuilder::new(ui)
        .id_salt("findings")
        .striped(true)
        .sense(Sense::click())
        .column(Column::exact(24.0))
        .column(Column::initial(84.0).resizable(true).clip(true))
        .column(Column::initial(180.0).resizable(true).clip(true))
        .column(Column::initial(80.0).resizable(true).clip(true))
        .column(Column::initial(320.0).resizable(true).clip(true))
        .column(Column::remainder().clip(true));
    if view.followed != selected {
        view.followed = selected;
        if let Some(row) = selected.and_then(|place| view.listed.iter().position(|listed| *listed == place)) {
            table = table.scroll_to_row(row, Some(Align::Center));
        }
    }
    let mut clicked = None;
    let titles = ["", "Code", "Path", "Offset", "Message", "What would be right"];
    let header = table.header(height, |mut row| {
        for title in titles {
            row.col(|ui| _ = ui.strong(title));
        }
    });
    header.body(|body| {
        body.rows(height, view.listed.len(), |mut row| {
            let place = view.listed.get(row.index()).copied();
            let Some((place, finding)) = place.and_then(|place| Some((place, checked.diagnostics.get(place)?))) else {
                return;
            };
            row.set_selected(selected == Some(place));
            let response = cells(&mut row, finding);
            if response.clicked() {
                clicked = Some(place);
            }
        });
    });
    if let (Some(place), Some(document)) = (clicked, desk.session.document_mut()) {
        document.selection.finding = Some(place);
        view.followed = Some(place);
        // The same again is selected again: something else may have been meanwhile.
        view.applied = None;
    }
}

fn cells(row: &mut TableRow<'_, '_>, finding: &Finding) -> Response {
    let letter = finding.severity.get(..1).unwrap_or_default().to_uppercase();
    let count = if finding.count > 1 { format!(" ({} times)", finding.count) } else { String::new() };
    let offset = finding.offset.map(|offset| format!("{offset:#x}")).unwrap_or_default();
    let texts = [
        finding.code.to_owned(),
        shortened(&finding.path).into_owned(),
        offset,
        format!("{}{count}", finding.message),
        finding.expected.clone().unwrap_or_default(),
    ];
    let label = format!("{} {} {}: {}", finding.severity, finding.code, finding.path, finding.message);
    row.col(|ui| {
        let text = RichText::new(letter).strong().color(colour(ui, finding.severity));
        ui.add(Label::new(text).selectable(false)).on_hover_text(finding.severity);
    });
    let mut cell = |text: String| {
        row.col(|ui| {
            ui.add(Label::new(text).selectable(false).wrap_mode(TextWrapMode::Truncate));
        });
    };
    texts.into_iter().for_each(&mut cell);
    let response = row.response();
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label));
    response
}
