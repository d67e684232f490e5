//! What the tree keeps: what is open, the filter, the rows made of it, and where it is scrolled to.

use super::counts::Counts;
use super::hierarchy::Hierarchy;
use super::rows::{self, Branch, Key, Opened, Row, Section};
use crate::state::document::Document;
use crate::state::selection::Thing;
use crate::ui::kept::Of;
use crate::ui::things;
use maquette::Scene;
use std::path::PathBuf;
use std::sync::Arc;

/// Nodes that are all open at first.
const FEW: usize = 300;

/// What the tree keeps.
#[derive(Default)]
pub struct Panel {
    path: PathBuf,
    of: Of,
    hierarchy: Hierarchy,
    open: Opened,
    /// What names must have in them.
    pub filter: String,
    /// The rows that are seen.
    pub rows: Vec<Row>,
    /// How many things of each section the filter has found.
    pub found: Option<[usize; 6]>,
    /// Keys by node.
    pub counts: Counts,
    /// The rows are of another scene, filter, or of other branches.
    is_stale: bool,
    /// What was selected when rows were shown last.
    selected: Thing,
    /// The row that keys are for.
    pub focused: Option<Key>,
    /// The row that must be seen.
    pub wanted: Option<usize>,
    /// How far it is scrolled, and how much of it is seen.
    pub viewport: Option<(f32, f32)>,
}

impl Panel {
    /// Makes rows of what has changed.
    pub fn update(&mut self, document: &Document, scene: &Arc<Scene>) {
        if !self.of.is(scene) {
            self.take(document, scene);
        }
        self.counts.update(scene, document);
        let selected = document.selection.thing;
        let is_new = std::mem::replace(&mut self.selected, selected) != selected;
        if is_new {
            self.reveal(scene, selected);
        }
        if std::mem::take(&mut self.is_stale) {
            let text = self.filter.trim();
            (self.rows, self.found) = if text.is_empty() {
                (rows::opened(scene, &self.hierarchy, &self.open), None)
            } else {
                let (rows, found) = rows::found(scene, &self.hierarchy, text);
                (rows, Some(found))
            };
        }
        if is_new && selected != Thing::Nothing {
            self.wanted = self.place(Key::Thing(selected));
        }
    }

    fn take(&mut self, document: &Document, scene: &Arc<Scene>) {
        self.of = Of::scene(scene);
        self.hierarchy = Hierarchy::of(scene);
        self.is_stale = true;
        if self.path == document.path {
            return;
        }
        // Another file; one that was read again stays as open as it was.
        self.path.clone_from(&document.path);
        self.open = Section::ALL.into_iter().map(Key::Section).collect();
        let spots = self.hierarchy.spots().iter();
        let open = spots.filter(|spot| spot.depth == 0 || scene.nodes.len() <= FEW);
        self.open.extend(open.map(|spot| Key::Thing(Thing::Node(spot.node))));
        if scene.nodes.is_empty() {
            // Clips alone: their bones are what there is to choose.
            self.open.extend((0..scene.clips.len().min(1)).map(|clip| Key::Thing(Thing::Clip(clip))));
        }
        self.filter.clear();
        (self.focused, self.viewport) = (None, None);
        self.selected = Thing::Nothing;
    }

    /// Opens all that a thing hangs on. A filter that would hide it goes.
    fn reveal(&mut self, scene: &Scene, thing: Thing) {
        let Some(section) = Section::of(thing) else { return };
        if !self.filter.is_empty() && !rows::has(scene, thing, &self.filter.trim().to_lowercase()) {
            self.filter.clear();
            self.is_stale = true;
        }
        let mut is_new = self.open.insert(Key::Section(section));
        if let Thing::Bone { clip, .. } = thing {
            is_new |= self.open.insert(Key::Thing(Thing::Clip(clip)));
        }
        if let Thing::Node(node) = thing {
            for above in self.hierarchy.ancestors(node) {
                is_new |= self.open.insert(Key::Thing(Thing::Node(above)));
            }
        }
        self.is_stale |= is_new;
    }

    /// The filter is another.
    pub fn filter_changed(&mut self) {
        self.is_stale = true;
        self.viewport = None;
        self.wanted = Some(0);
    }

    /// Opens what is closed, closes what is open.
    pub fn toggle(&mut self, key: Key) {
        if !self.open.remove(&key) {
            self.open.insert(key);
        }
        self.is_stale = true;
    }

    /// Whether the filter hides anything.
    pub fn is_filtered(&self) -> bool {
        self.found.is_some()
    }

    /// The row of a key, if it is seen.
    pub fn place(&self, key: Key) -> Option<usize> {
        self.rows.iter().position(|row| row.key == key)
    }

    /// The row that one from here on hangs on.
    pub fn parent_row(&self, place: usize) -> Option<usize> {
        let depth = self.rows.get(place)?.depth;
        self.rows.get(..place)?.iter().rposition(|row| row.depth < depth)
    }

    /// The first row that hangs on this one.
    pub fn child_row(&self, place: usize) -> Option<usize> {
        let (row, next) = (self.rows.get(place)?, self.rows.get(place + 1)?);
        (row.branch == Branch::Open && next.depth > row.depth).then_some(place + 1)
    }

    /// Where to scroll to so that the wanted row is seen, once.
    pub fn scroll_to(&mut self, row_height: f32, seen: f32) -> Option<f32> {
        let place = self.wanted.take()?;
        let (offset, seen) = self.viewport.unwrap_or((f32::NAN, seen));
        let (top, bottom) = (place as f32 * row_height, (place + 1) as f32 * row_height);
        if top >= offset && bottom <= offset + seen {
            return None;
        }
        // A row at the edge is moved into sight; around one from elsewhere, neighbours tell where it is.
        let near = row_height * 1.5;
        if top < offset && offset - top <= near {
            return Some(top);
        }
        if bottom > offset + seen && bottom - offset - seen <= near {
            return Some(bottom - seen);
        }
        let most = (self.rows.len() as f32 * row_height - seen).max(0.0);
        Some((top - (seen - row_height).max(0.0) * 0.5).clamp(0.0, most))
    }

    /// What a key is called.
    pub fn name(scene: &Scene, key: Key) -> String {
        match key {
            Key::Section(section) => section.title().to_owned(),
            Key::Thing(thing) => things::name(scene, thing).into_owned(),
            Key::Part(_, part) => format!("primitive {part}"),
        }
    }
}
