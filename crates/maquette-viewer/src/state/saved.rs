//! What is remembered from one start to the next.

use super::files::Recent;
use super::session::Session;
use maquette_render::{Mode, Overlays, ToneMap};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The sides of a window that is opened again.
const SMALLEST: f32 = 320.0;
const LARGEST: f32 = 8192.0;

/// What is remembered. Words, not numbers, so that what an older version wrote is still understood.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
#[serde(default)]
pub struct Saved {
    recent: Vec<PathBuf>,
    mode: String,
    tone_map: String,
    overlays: Vec<String>,
    background: Option<[f32; 3]>,
    is_light: bool,
    hides_panels: bool,
    /// How large the window is, in points.
    window: Option<[f32; 2]>,
}

impl Saved {
    /// From what is shown.
    pub fn of(session: &Session) -> Saved {
        let overlays = session.look.overlays;
        let words = [
            ("skeleton", overlays.skeleton),
            ("grid", overlays.grid),
            ("bounds", overlays.bounds),
            ("axes", overlays.axes),
        ];
        Saved {
            recent: session.recent.iter().cloned().collect(),
            mode: session.look.mode.word().to_owned(),
            tone_map: session.look.tone_map.word().to_owned(),
            overlays: words.into_iter().filter(|(_, shown)| *shown).map(|(word, _)| word.to_owned()).collect(),
            background: session.look.background,
            is_light: !session.is_dark,
            hides_panels: !session.shows_panels,
            window: session.window,
        }
    }

    /// Shows it again.
    pub fn restore(&self, session: &mut Session) {
        let has = |word: &str| self.overlays.iter().any(|there| there == word);
        session.recent = Recent::new(self.recent.iter().cloned());
        session.look.mode = Mode::from_word(&self.mode).unwrap_or_default();
        session.look.tone_map = ToneMap::from_word(&self.tone_map).unwrap_or_default();
        session.look.overlays =
            Overlays { skeleton: has("skeleton"), grid: has("grid"), bounds: has("bounds"), axes: has("axes") };
        session.look.background = self.background;
        session.is_dark = !self.is_light;
        session.shows_panels = !self.hides_panels;
        // Numbers of a file that was damaged make no window that cannot be opened.
        session.window = self.window.filter(|sides| sides.iter().all(|side| (SMALLEST..=LARGEST).contains(side)));
    }
}
