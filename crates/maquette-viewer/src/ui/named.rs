//! Widgets whose face does not say what they do: a screen reader, and a test, knows them by name.

use eframe::egui::{DragValue, Response, Ui};

/// Gives a widget a name.
pub fn named(response: Response, name: &str) -> Response {
    response.ctx.accesskit_node_builder(response.id, |node| node.set_label(name));
    response
}

/// A number to be dragged or typed, with a name and a hint; the number that it became, if it is one.
pub fn number(ui: &mut Ui, name: &str, here: f64, widget: impl FnOnce(DragValue<'_>) -> DragValue<'_>) -> Option<f64> {
    let mut value = here;
    let response = ui.add(widget(DragValue::new(&mut value)));
    let changed = named(response, name).on_hover_text(name).changed();
    // "nan" and "inf" can be typed.
    (changed && value.is_finite() && value != here).then_some(value)
}
