//! One row: a triangle that opens it, a name, and a few words at the right edge.

use super::rows::{Branch, Row};
use eframe::egui::{
    self, Align2, CursorIcon, Id, Rect, Response, Role, Sense, Shape, TextStyle, TextWrapMode, Ui, WidgetInfo,
    WidgetText, pos2, vec2,
};

/// What is written in a row.
pub struct Text<'a> {
    /// The name, as it is.
    pub name: &'a str,
    /// What a screen reader says.
    pub spoken: &'a str,
    /// At the right edge.
    pub notes: &'a str,
    /// With the pointer over it.
    pub hint: &'a str,
}

/// How a row stands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// Not at all.
    Plain,
    /// A heading.
    Heading,
    /// It is selected.
    Selected,
}

/// What became of a row.
pub struct Shown {
    /// The row itself.
    pub response: Response,
    /// Whether its triangle was clicked.
    pub is_toggled: bool,
}

/// How far a row is indented for each that is above it.
const STEP: f32 = 12.0;
/// The triangle.
const ICON: f32 = 14.0;

/// Shows a row.
pub fn show(ui: &mut Ui, id: Id, row: &Row, text: &Text<'_>, weight: Weight) -> Shown {
    let size = vec2(ui.available_width(), ui.spacing().interact_size.y);
    let (_, rect) = ui.allocate_space(size);
    let response = ui.interact(rect, id, Sense::click());
    let is_selected = weight == Weight::Selected;
    response.widget_info(|| {
        let mut info = WidgetInfo::selected(Role::TreeItem, true, is_selected, text.spoken);
        info.current_text_value = Some(text.notes.to_owned());
        info
    });
    // Names stay readable however deep the tree is.
    let indent = (row.depth as f32 * STEP).min(rect.width() * 0.4);
    let icon = Rect::from_min_size(pos2(rect.left() + indent, rect.top()), vec2(ICON, rect.height()));
    let is_toggled = row.branch != Branch::Leaf && toggled(ui, id, icon, row.branch, text.spoken);
    if ui.is_rect_visible(rect) {
        background(ui, rect, &response, weight);
        paint_branch(ui, icon, row.branch, &response);
        paint_text(ui, rect, icon.right() + 2.0, text, weight, &response);
    }
    let response = if text.hint.is_empty() { response } else { response.on_hover_text(text.hint) };
    Shown { response: response.on_hover_cursor(CursorIcon::PointingHand), is_toggled }
}

/// The triangle; keys open and close the row itself.
fn toggled(ui: &Ui, id: Id, rect: Rect, branch: Branch, spoken: &str) -> bool {
    let response = ui.interact(rect, id.with("triangle"), Sense::CLICK);
    let verb = if branch == Branch::Open { "Close" } else { "Open" };
    response.widget_info(|| WidgetInfo::labeled(Role::DisclosureTriangle, true, format!("{verb} {spoken}")));
    response.clicked()
}

fn background(ui: &Ui, rect: Rect, response: &Response, weight: Weight) {
    let visuals = ui.visuals();
    if weight == Weight::Selected {
        ui.painter().rect_filled(rect, 2.0, visuals.selection.bg_fill);
    } else if response.hovered() {
        ui.painter().rect_filled(rect, 2.0, visuals.widgets.hovered.weak_bg_fill);
    }
    if response.has_focus() {
        let stroke = visuals.widgets.active.bg_stroke;
        ui.painter().rect_stroke(rect, 2.0, stroke, egui::StrokeKind::Inside);
    }
}

fn paint_branch(ui: &Ui, rect: Rect, branch: Branch, response: &Response) {
    let (at, size) = (rect.center(), rect.width() * 0.28);
    let down = [vec2(-1.0, -0.6), vec2(1.0, -0.6), vec2(0.0, 0.8)];
    let corners = match branch {
        Branch::Leaf => return,
        Branch::Open => down,
        Branch::Closed => down.map(|corner| vec2(corner.y, corner.x)),
    };
    let corners = corners.map(|corner| at + corner * size).to_vec();
    let colour = ui.style().interact(response).fg_stroke.color;
    ui.painter().add(Shape::convex_polygon(corners, colour, egui::Stroke::NONE));
}

fn paint_text(ui: &Ui, rect: Rect, left: f32, text: &Text<'_>, weight: Weight, response: &Response) {
    let visuals = ui.visuals();
    let colour = match weight {
        Weight::Selected => visuals.selection.stroke.color,
        Weight::Heading => visuals.strong_text_color(),
        Weight::Plain => ui.style().interact(response).text_color(),
    };
    let weak = if weight == Weight::Selected { colour } else { visuals.weak_text_color() };
    let right = rect.right() - 4.0;
    let room = (right - left).max(0.0);
    let galley = |text: &str, style: TextStyle, width: f32| {
        WidgetText::from(text).into_galley(ui, Some(TextWrapMode::Truncate), width, style)
    };
    let notes = galley(text.notes, TextStyle::Small, room * 0.6);
    let name = galley(text.name, TextStyle::Body, (room - notes.size().x - 8.0).max(0.0));
    let put = |galley: std::sync::Arc<egui::Galley>, at: Align2, x: f32, colour| {
        let place = at.anchor_size(pos2(x, rect.center().y), galley.size());
        ui.painter().galley(place.min, galley, colour);
    };
    put(name, Align2::LEFT_CENTER, left, colour);
    put(notes, Align2::RIGHT_CENTER, right, weak);
}
