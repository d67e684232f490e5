//! Signs of playing, painted: no font that comes with the window has them all.

use eframe::egui::{Button, Color32, Painter, Pos2, Rect, Response, Shape, Stroke, Ui, Vec2, pos2};
use std::f32::consts::TAU;

/// What is on a button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// To the start.
    Start,
    /// A frame back.
    Back,
    /// Plays.
    Play,
    /// Stops.
    Pause,
    /// A frame on.
    On,
    /// To the end.
    End,
    /// Round and round.
    Loop,
    /// The other way.
    Turn,
}

/// Whether a button looks pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    /// It does not.
    Raised,
    /// It does.
    Pressed,
}

impl Face {
    /// Pressed while something is so.
    pub fn pressed_while(is_so: bool) -> Face {
        if is_so { Face::Pressed } else { Face::Raised }
    }
}

/// A button with a sign and a name.
pub fn button(ui: &mut Ui, sign: Sign, face: Face, name: &str) -> Response {
    let side = ui.spacing().interact_size.y;
    let button = Button::new("").min_size(Vec2::new(side * 1.3, side)).selected(face == Face::Pressed);
    let response = super::named::named(ui.add(button), name);
    let colour = match face {
        Face::Raised => ui.style().interact(&response).fg_stroke.color,
        Face::Pressed => ui.visuals().selection.stroke.color,
    };
    let rect = Rect::from_center_size(response.rect.center(), Vec2::splat(side * 0.55));
    paint(ui.painter(), sign, rect, colour);
    response
}

/// A place of a sign: 0 and 1 are its edges.
fn at(rect: Rect, x: f32, y: f32) -> Pos2 {
    pos2(rect.left() + rect.width() * x, rect.top() + rect.height() * y)
}

fn paint(painter: &Painter, sign: Sign, rect: Rect, colour: Color32) {
    let corners = |places: &[[f32; 2]]| -> Vec<Pos2> { places.iter().map(|[x, y]| at(rect, *x, *y)).collect() };
    let filled = |places: &[[f32; 2]]| {
        painter.add(Shape::convex_polygon(corners(places), colour, Stroke::NONE));
    };
    let line = |places: &[[f32; 2]]| {
        painter.add(Shape::line(corners(places), Stroke::new(1.5, colour)));
    };
    let bar = |x: f32, width: f32| filled(&[[x, 0.0], [x + width, 0.0], [x + width, 1.0], [x, 1.0]]);
    match sign {
        Sign::Start => {
            bar(0.0, 0.14);
            filled(&[[1.0, 0.0], [1.0, 1.0], [0.22, 0.5]]);
        }
        Sign::End => {
            bar(0.86, 0.14);
            filled(&[[0.0, 0.0], [0.78, 0.5], [0.0, 1.0]]);
        }
        Sign::Back => line(&[[0.7, 0.05], [0.25, 0.5], [0.7, 0.95]]),
        Sign::On => line(&[[0.3, 0.05], [0.75, 0.5], [0.3, 0.95]]),
        Sign::Play => filled(&[[0.12, 0.0], [1.0, 0.5], [0.12, 1.0]]),
        Sign::Pause => {
            bar(0.14, 0.24);
            bar(0.62, 0.24);
        }
        Sign::Loop => {
            // Most of a circle, and the head of an arrow where it ends.
            let round = (0..=20).map(|nth| {
                let angle = TAU * (0.12 + 0.76 * nth as f32 / 20.0);
                at(rect, 0.5 + 0.42 * angle.cos(), 0.5 + 0.42 * angle.sin())
            });
            painter.add(Shape::line(round.collect(), Stroke::new(1.5, colour)));
            filled(&[[0.66, 0.36], [1.02, 0.46], [1.0, 0.06]]);
        }
        Sign::Turn => {
            line(&[[0.0, 0.28], [0.8, 0.28]]);
            filled(&[[0.7, 0.02], [1.0, 0.28], [0.7, 0.54]]);
            line(&[[0.2, 0.74], [1.0, 0.74]]);
            filled(&[[0.3, 0.48], [0.0, 0.74], [0.3, 1.0]]);
        }
    }
}
