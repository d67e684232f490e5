//! tree

use super::{Desk, nothing};
use eframe::egui::Ui;

/// Shows the panel.
pub fn show(ui: &mut Ui, _desk: &mut Desk<'_>) {
    nothing(ui, "tree");
}
