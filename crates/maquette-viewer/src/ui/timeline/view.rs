//! The part of a clip that is seen, in seconds.

use eframe::egui::Rect;

/// Empty space at both ends of a whole clip, in parts of its length.
const MARGIN: f64 = 0.02;

/// The part of a clip that is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// At the left edge.
    pub from_secs: f64,
    /// At the right edge, later.
    pub to_secs: f64,
    /// The whole of it.
    whole: [f64; 2],
}

impl View {
    /// All of a clip. One without length is seen as if it were a second long.
    pub fn whole(duration_secs: f32) -> View {
        let length = if duration_secs > 0.0 { f64::from(duration_secs) } else { 1.0 };
        let whole = [-length * MARGIN, length * (1.0 + MARGIN)];
        View { from_secs: whole[0], to_secs: whole[1], whole }
    }

    /// From one time to a later one.
    pub fn between(from_secs: f64, to_secs: f64) -> View {
        View { from_secs, to_secs, whole: [from_secs, to_secs] }
    }

    /// Lets it go as far as another goes, and no less than it sees now.
    pub fn widen(&mut self, whole: View) {
        self.whole = [self.from_secs.min(whole.from_secs), self.to_secs.max(whole.to_secs)];
    }

    /// How many seconds are seen.
    pub fn span_secs(&self) -> f64 {
        self.to_secs - self.from_secs
    }

    /// Seconds in a point of the screen.
    pub fn secs_per_point(&self, rect: Rect) -> f64 {
        self.span_secs() / f64::from(rect.width().max(1.0))
    }

    /// Where a time is on the screen.
    pub fn x_of(&self, secs: f64, rect: Rect) -> f32 {
        rect.left() + ((secs - self.from_secs) / self.secs_per_point(rect)) as f32
    }

    /// The time at a place of the screen.
    pub fn secs_at(&self, x: f32, rect: Rect) -> f64 {
        self.from_secs + f64::from(x - rect.left()) * self.secs_per_point(rect)
    }

    /// Comes so many times closer; what is at this time stays where it is.
    pub fn zoom(&mut self, times: f64, around_secs: f64) {
        let [first, last] = self.whole;
        // Closer than this, single floats would be seen.
        let least = ((last - first) * 1e-6).max(1e-3).min(last - first);
        let span = (self.span_secs() / times.max(1e-9)).clamp(least, last - first);
        let part = (around_secs - self.from_secs) / self.span_secs();
        self.from_secs = around_secs - part * span;
        self.to_secs = self.from_secs + span;
        self.pan(0.0);
    }

    /// Goes so many seconds on, up to the ends of the clip.
    pub fn pan(&mut self, secs: f64) {
        let [first, last] = self.whole;
        let span = self.span_secs();
        self.from_secs = (self.from_secs + secs).min(last - span).max(first);
        self.to_secs = self.from_secs + span;
    }

    /// Goes to where a time is seen.
    pub fn reveal(&mut self, secs: f64) {
        if secs < self.from_secs {
            self.pan(secs - self.from_secs);
        } else if secs > self.to_secs {
            self.pan(secs - self.to_secs);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eframe::egui::{Pos2, Vec2};

    #[test]
    fn it_zooms_around_a_time_and_stays_within_the_clip() {
        let rect = Rect::from_min_size(Pos2::new(10.0, 0.0), Vec2::new(500.0, 10.0));
        for duration in [0.0, 1e-9, 2.0, 1e6, f32::MAX] {
            let whole = View::whole(duration);
            let mut view = whole;
            let at = view.secs_at(200.0, rect);
            view.zoom(2.0, at);
            assert!((view.x_of(at, rect) - 200.0).abs() < 0.01, "{duration}");
            for _ in 0..99 {
                view.zoom(3.0, at);
                view.pan(view.span_secs());
            }
            assert!(view.span_secs() > 0.0 && view.from_secs.is_finite(), "{duration}: {view:?}");
            assert!(view.to_secs <= whole.to_secs * (1.0 + 1e-9));
            view.zoom(0.0, at);
            assert!((view.span_secs() - whole.span_secs()).abs() <= whole.span_secs() * 1e-9, "{duration}");
            view.pan(-1e300);
            assert_eq!(view.from_secs, whole.from_secs, "{duration}");
        }
    }
}
