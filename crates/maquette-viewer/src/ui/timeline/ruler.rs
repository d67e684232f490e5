//! Ticks of seconds and of frames, as close as they can be read.

use super::view::View;
use eframe::egui::{Align2, FontId, Painter, Rect, Stroke, Visuals};

/// How high it is, in points.
pub const HEIGHT: f32 = 28.0;
/// How far numbers are apart at least.
const NUMBERS: f64 = 52.0;
/// How far ticks are apart at least.
const TICKS: f64 = 5.0;

/// Paints it.
pub fn paint(painter: &Painter, visuals: &Visuals, rect: Rect, view: &View, frame_rate: f32) {
    let per_point = view.secs_per_point(rect);
    let (weak, faint) = (visuals.weak_text_color(), visuals.widgets.noninteractive.bg_stroke.color);
    let font = FontId::proportional(10.0);
    let row = |nth: f32| rect.top() + HEIGHT * 0.5 * nth;
    let step = decades(per_point * NUMBERS);
    let decimals = (-step.log10()).ceil().clamp(0.0, 9.0) as usize;
    for nth in multiples(view, step) {
        let secs = nth * step;
        let x = view.x_of(secs, rect);
        painter.vline(x, rect.top()..=rect.bottom(), Stroke::new(1.0, faint));
        let at = [x + 3.0, row(0.0) + 1.0].into();
        painter.text(at, Align2::LEFT_TOP, format!("{secs:.decimals$} s"), font.clone(), weak);
    }
    let rate = f64::from(frame_rate);
    let ticks = frames(per_point * TICKS * rate);
    for frame in multiples(view, ticks / rate) {
        let x = view.x_of(frame * ticks / rate, rect);
        painter.vline(x, row(2.0) - 4.0..=row(2.0), Stroke::new(1.0, weak));
    }
    let numbers = frames(per_point * NUMBERS * rate);
    for nth in multiples(view, numbers / rate) {
        let frame = nth * numbers;
        let x = view.x_of(frame / rate, rect);
        painter.vline(x, row(2.0) - 8.0..=row(2.0), Stroke::new(1.0, weak));
        painter.text([x + 3.0, row(1.0) - 1.0].into(), Align2::LEFT_TOP, format!("{frame}"), font.clone(), weak);
    }
}

/// The multiples of a step that are seen, as whole numbers; not before the start of the clip.
fn multiples(view: &View, step: f64) -> impl Iterator<Item = f64> {
    let first = (view.from_secs / step).ceil().max(0.0);
    let count = ((view.to_secs / step).floor() - first + 1.0).clamp(0.0, 4096.0) as u32;
    (0..count).map(move |nth| first + f64::from(nth))
}

/// 1, 2 or 5 times a power of ten, at least so much.
fn decades(least: f64) -> f64 {
    let power = 10.0_f64.powf(least.max(1e-9).log10().floor());
    [1.0, 2.0, 5.0].into_iter().map(|times| times * power).find(|step| *step >= least).unwrap_or(power * 10.0)
}

/// The same in whole frames.
fn frames(least: f64) -> f64 {
    decades(least.max(1.0)).round().max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use eframe::egui::{Pos2, Vec2};

    #[test]
    fn steps_are_round_and_far_enough_apart() {
        for (least, step) in [(0.003, 0.005), (1.0, 1.0), (1.1, 2.0), (2.5, 5.0), (6.0, 10.0), (1.2e5, 2e5)] {
            assert!((decades(least) / step - 1.0).abs() < 1e-9, "{least}");
        }
        assert_eq!([0.0, 0.3, 1.0, 3.0, 70.0].map(frames), [1.0, 1.0, 1.0, 5.0, 100.0]);
    }

    #[test]
    fn there_are_never_more_ticks_than_can_be_seen() {
        let rect = Rect::from_min_size(Pos2::ZERO, Vec2::new(1000.0, 10.0));
        for duration in [0.0, 1e-6, 1.0, 1e6, f32::MAX] {
            let view = View::whole(duration);
            let step = decades(view.secs_per_point(rect) * TICKS);
            let count = multiples(&view, step).count();
            assert!((1..=210).contains(&count), "{duration}: {count}");
        }
    }
}
