//! Where panels are: tiles that can be dragged, with the picture in the middle.

use super::picture::Pictures;
use super::{Desk, conversion, curves, findings, hex, inspector, look, mixer, picture, timeline, tree};
use eframe::egui;
use egui_tiles::{Behavior, SimplificationOptions, Tile, TileId, Tiles, Tree, UiResponse};
use serde::{Deserialize, Serialize};

/// A panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Pane {
    /// The model.
    Picture,
    /// Nodes, meshes, materials, images, clips.
    Tree,
    /// What is selected.
    Inspector,
    /// Mode, light, background, camera.
    Look,
    /// The clip that plays.
    Timeline,
    /// Several clips at once.
    Mixer,
    /// The keys of the selected node.
    Curves,
    /// What `check` finds.
    Findings,
    /// The bytes of the file.
    Bytes,
    /// What conversions would lose.
    Conversion,
}

impl Pane {
    /// Every panel.
    pub const ALL: [Pane; 10] = [
        Pane::Picture,
        Pane::Tree,
        Pane::Inspector,
        Pane::Look,
        Pane::Timeline,
        Pane::Mixer,
        Pane::Curves,
        Pane::Findings,
        Pane::Bytes,
        Pane::Conversion,
    ];

    /// What its tab says.
    pub fn title(self) -> &'static str {
        match self {
            Pane::Picture => "Picture",
            Pane::Tree => "Scene",
            Pane::Inspector => "Inspector",
            Pane::Look => "Look",
            Pane::Timeline => "Timeline",
            Pane::Mixer => "Mixer",
            Pane::Curves => "Curves",
            Pane::Findings => "Findings",
            Pane::Bytes => "Bytes",
            Pane::Conversion => "Conversion",
        }
    }
}

/// Panels where they are at first.
pub fn usual() -> Tree<Pane> {
    let mut tiles = Tiles::default();
    let mut pane = |pane| tiles.insert_pane(pane);
    let (picture, tree, inspector, look) =
        (pane(Pane::Picture), pane(Pane::Tree), pane(Pane::Inspector), pane(Pane::Look));
    let (timeline, mixer, curves) = (pane(Pane::Timeline), pane(Pane::Mixer), pane(Pane::Curves));
    let (findings, bytes, conversion) = (pane(Pane::Findings), pane(Pane::Bytes), pane(Pane::Conversion));
    let right_top = tiles.insert_tab_tile(vec![tree, look]);
    let right = tiles.insert_vertical_tile(vec![right_top, inspector]);
    let below = tiles.insert_tab_tile(vec![timeline, mixer, curves, findings, bytes, conversion]);
    let left = tiles.insert_vertical_tile(vec![picture, below]);
    let root = tiles.insert_horizontal_tile(vec![left, right]);
    share(&mut tiles, left, [(picture, 0.74), (below, 0.26)]);
    share(&mut tiles, root, [(left, 0.75), (right, 0.25)]);
    Tree::new(id(), root, tiles)
}

/// What all panels together are called.
pub(super) fn id() -> egui::Id {
    egui::Id::unique("panels")
}

fn share(tiles: &mut Tiles<Pane>, parent: TileId, shares: [(TileId, f32); 2]) {
    if let Some(Tile::Container(egui_tiles::Container::Linear(linear))) = tiles.get_mut(parent) {
        shares.into_iter().for_each(|(child, part)| linear.shares.set_share(child, part));
    }
}

/// Asks for a panel to be brought up where it is hidden behind others.
pub fn raise(context: &egui::Context, pane: Pane) {
    context.data_mut(|data| data.insert_temp(egui::Id::unique("raised panel"), Some(pane)));
    context.request_repaint();
}

/// Shows all panels.
pub fn show(ui: &mut egui::Ui, tree: &mut Tree<Pane>, desk: Desk<'_>, pictures: &mut Pictures) {
    let raised = ui.data_mut(|data| data.remove_temp::<Option<Pane>>(egui::Id::unique("raised panel"))).flatten();
    if let Some(raised) = raised {
        tree.make_active(|_, tile| matches!(tile, Tile::Pane(pane) if *pane == raised));
    }
    tree.ui(&mut Shower { desk, pictures }, ui);
}

struct Shower<'a> {
    desk: Desk<'a>,
    pictures: &'a mut Pictures,
}

impl Behavior<Pane> for Shower<'_> {
    fn tab_title_for_pane(&mut self, pane: &Pane) -> egui::WidgetText {
        let open = |count: usize| if count == 0 { String::new() } else { format!(" ({count})") };
        let checked = self.desk.session.document().and_then(|document| document.checked.as_ref());
        match pane {
            Pane::Findings => {
                format!("Findings{}", open(checked.map_or(0, |checked| checked.diagnostics.len()))).into()
            }
            pane => pane.title().into(),
        }
    }

    fn pane_ui(&mut self, ui: &mut egui::Ui, _: TileId, pane: &mut Pane) -> UiResponse {
        let desk = &mut self.desk;
        if *pane == Pane::Picture {
            picture::show(ui, desk, self.pictures);
            return UiResponse::None;
        }
        egui::Frame::central_panel(ui.style()).show(ui, |ui| match pane {
            Pane::Picture => {}
            Pane::Tree => tree::show(ui, desk),
            Pane::Inspector => inspector::show(ui, desk),
            Pane::Look => look::show(ui, desk),
            Pane::Timeline => timeline::show(ui, desk),
            Pane::Mixer => mixer::show(ui, desk),
            Pane::Curves => curves::show(ui, desk),
            Pane::Findings => findings::show(ui, desk),
            Pane::Bytes => hex::show(ui, desk),
            Pane::Conversion => conversion::show(ui, desk),
        });
        UiResponse::None
    }

    fn simplification_options(&self) -> SimplificationOptions {
        SimplificationOptions { all_panes_must_have_tabs: true, ..SimplificationOptions::default() }
    }
}
