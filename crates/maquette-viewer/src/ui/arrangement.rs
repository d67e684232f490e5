//! Where panels are, in a form that can be written down and read again without trusting it.
//!
//! Tiles are numbered and point at each other; a file could have them point in a circle, or nowhere. An arrangement is a tree by its form, and what is made of it has every panel once.

use super::layout::{self, Pane};
use egui_tiles::{Container, Linear, LinearDir, Tabs, Tile, TileId, Tiles, Tree};
use serde::{Deserialize, Serialize};

/// Where panels are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Arrangement {
    /// One panel.
    Panel(Pane),
    /// Several behind each other, and which of them is in front.
    Tabs(usize, Vec<Arrangement>),
    /// Several beside each other, with their shares of the width.
    Beside(Vec<(f32, Arrangement)>),
    /// Several one below the other, with their shares of the height.
    Below(Vec<(f32, Arrangement)>),
}

/// Shares of a file are brought into these bounds.
const SHARES: [f32; 2] = [0.01, 100.0];

impl Arrangement {
    /// Of tiles that are shown.
    pub fn of(tree: &Tree<Pane>) -> Option<Arrangement> {
        Arrangement::of_tile(&tree.tiles, tree.root()?)
    }

    fn of_tile(tiles: &Tiles<Pane>, id: TileId) -> Option<Arrangement> {
        let shares = |linear: &Linear| {
            let child = |id: &TileId| Some((linear.shares[*id], Arrangement::of_tile(tiles, *id)?));
            linear.children.iter().filter_map(child).collect()
        };
        Some(match tiles.get(id)? {
            Tile::Pane(pane) => Arrangement::Panel(*pane),
            Tile::Container(Container::Linear(linear)) => match linear.dir {
                LinearDir::Horizontal => Arrangement::Beside(shares(linear)),
                LinearDir::Vertical => Arrangement::Below(shares(linear)),
            },
            Tile::Container(container) => {
                let front = match container {
                    Container::Tabs(tabs) => tabs.children.iter().position(|child| tabs.active == Some(*child)),
                    _ => None,
                };
                let children = container.children().filter_map(|child| Arrangement::of_tile(tiles, *child));
                Arrangement::Tabs(front.unwrap_or(0), children.collect())
            }
        })
    }

    /// Tiles again; `None` unless every panel is there, once.
    pub fn tiles(&self) -> Option<Tree<Pane>> {
        let mut panels = Vec::new();
        self.add_panels_to(&mut panels);
        let is_whole = Pane::ALL.iter().all(|pane| panels.iter().filter(|there| *there == pane).count() == 1);
        let mut tiles = Tiles::default();
        let root = self.add_to(&mut tiles);
        is_whole.then(|| Tree::new(layout::id(), root, tiles))
    }

    fn add_panels_to(&self, panels: &mut Vec<Pane>) {
        match self {
            Arrangement::Panel(pane) => panels.push(*pane),
            Arrangement::Tabs(_, children) => children.iter().for_each(|child| child.add_panels_to(panels)),
            Arrangement::Beside(children) | Arrangement::Below(children) => {
                children.iter().for_each(|(_, child)| child.add_panels_to(panels));
            }
        }
    }

    fn add_to(&self, tiles: &mut Tiles<Pane>) -> TileId {
        let (dir, children) = match self {
            Arrangement::Panel(pane) => return tiles.insert_pane(*pane),
            Arrangement::Tabs(front, children) => {
                let children: Vec<TileId> = children.iter().map(|child| child.add_to(tiles)).collect();
                let active = children.get(*front).copied();
                let mut tabs = Tabs::new(children);
                active.into_iter().for_each(|active| tabs.set_active(active));
                return tiles.insert_container(tabs);
            }
            Arrangement::Beside(children) => (LinearDir::Horizontal, children),
            Arrangement::Below(children) => (LinearDir::Vertical, children),
        };
        let children: Vec<(f32, TileId)> =
            children.iter().map(|(share, child)| (*share, child.add_to(tiles))).collect();
        let mut linear = Linear::new(dir, children.iter().map(|(_, child)| *child).collect());
        let [least, most] = SHARES;
        for (share, child) in children {
            linear.shares.set_share(child, if share.is_finite() { share.clamp(least, most) } else { 1.0 });
        }
        tiles.insert_container(linear)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_comes_back() {
        let usual = Arrangement::of(&layout::usual()).unwrap();
        let text = serde_json::to_string(&usual).unwrap();
        let read: Arrangement = serde_json::from_str(&text).unwrap();
        assert_eq!(Arrangement::of(&read.tiles().unwrap()), Some(usual));
    }

    #[test]
    fn what_lacks_a_panel_or_has_one_twice_is_not_taken_and_shares_are_bounded() {
        let all = || Pane::ALL.into_iter().map(Arrangement::Panel);
        assert!(Arrangement::Tabs(999, all().collect()).tiles().is_some());
        assert!(Arrangement::Tabs(0, all().skip(1).collect()).tiles().is_none());
        assert!(Arrangement::Tabs(0, all().chain(all().take(1)).collect()).tiles().is_none());
        for share in [f32::NAN, f32::INFINITY, -1.0, 0.0, 1e30] {
            let odd = Arrangement::Beside(all().map(|panel| (share, panel)).collect());
            let Some(Arrangement::Beside(children)) = Arrangement::of(&odd.tiles().unwrap()) else { panic!() };
            assert!(children.iter().all(|(share, _)| (0.01..=100.0).contains(share)), "{share}");
        }
    }
}
