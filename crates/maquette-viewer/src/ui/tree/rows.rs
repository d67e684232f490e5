//! The rows that are seen: what is open, or what a filter finds. Made once, until the scene, the filter or what is open changes.

use super::hierarchy::Hierarchy;
use crate::state::bones;
use crate::state::selection::Thing;
use crate::ui::things;
use maquette::Scene;
use maquette::scene::Handle;
use maquette::scene::mesh::Mesh;
use std::collections::HashSet;

/// A heading of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Section {
    /// What stands or moves.
    Nodes,
    /// Geometry.
    Meshes,
    /// Bindings.
    Skins,
    /// Surfaces.
    Materials,
    /// Pictures.
    Images,
    /// Animations.
    Clips,
}

impl Section {
    /// All of them, from the top.
    pub const ALL: [Section; 6] =
        [Section::Nodes, Section::Meshes, Section::Skins, Section::Materials, Section::Images, Section::Clips];

    /// Its heading.
    pub fn title(self) -> &'static str {
        match self {
            Section::Nodes => "Nodes",
            Section::Meshes => "Meshes",
            Section::Skins => "Skins",
            Section::Materials => "Materials",
            Section::Images => "Images",
            Section::Clips => "Clips",
        }
    }

    /// Where a thing is found.
    pub fn of(thing: Thing) -> Option<Section> {
        match thing {
            Thing::Nothing => None,
            Thing::Node(_) => Some(Section::Nodes),
            Thing::Mesh(_) => Some(Section::Meshes),
            Thing::Skin(_) => Some(Section::Skins),
            Thing::Material(_) => Some(Section::Materials),
            Thing::Image(_) => Some(Section::Images),
            Thing::Clip(_) | Thing::Bone { .. } => Some(Section::Clips),
        }
    }

    /// How many things it has.
    pub fn count(self, scene: &Scene) -> usize {
        match self {
            Section::Nodes => scene.nodes.len(),
            Section::Meshes => scene.meshes.len(),
            Section::Skins => scene.skins.len(),
            Section::Materials => scene.materials.len(),
            Section::Images => scene.images.len(),
            Section::Clips => scene.clips.len(),
        }
    }

    fn thing(self, index: usize) -> Thing {
        match self {
            Section::Nodes => Thing::Node(Handle::from_index(index)),
            Section::Meshes => Thing::Mesh(Handle::from_index(index)),
            Section::Skins => Thing::Skin(Handle::from_index(index)),
            Section::Materials => Thing::Material(Handle::from_index(index)),
            Section::Images => Thing::Image(Handle::from_index(index)),
            Section::Clips => Thing::Clip(index),
        }
    }
}

/// What a row stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// A heading.
    Section(Section),
    /// A thing.
    Thing(Thing),
    /// A part of a mesh.
    Part(Handle<Mesh>, usize),
}

/// Whether anything hangs on a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Branch {
    /// Nothing.
    Leaf,
    /// It does, and is not shown.
    Closed,
    /// It does, and is shown.
    Open,
}

/// A row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// What it stands for.
    pub key: Key,
    /// How far it is indented.
    pub depth: u32,
    /// Whether anything hangs on it.
    pub branch: Branch,
}

/// What is open.
pub type Opened = HashSet<Key>;

/// All rows of what is open.
pub fn opened(scene: &Scene, hierarchy: &Hierarchy, open: &Opened) -> Vec<Row> {
    let branch = |key: Key| if open.contains(&key) { Branch::Open } else { Branch::Closed };
    let mut rows = Vec::new();
    for section in Section::ALL {
        let count = section.count(scene);
        if count == 0 {
            continue;
        }
        let key = Key::Section(section);
        rows.push(Row { key, depth: 0, branch: branch(key) });
        if branch(key) == Branch::Closed {
            continue;
        }
        match section {
            Section::Nodes => nodes(hierarchy, branch, &mut rows),
            Section::Meshes => meshes(scene, branch, &mut rows),
            Section::Clips => clips(scene, branch, &mut rows),
            _ => {
                let thing = |index| Row { key: Key::Thing(section.thing(index)), depth: 1, branch: Branch::Leaf };
                rows.extend((0..count).map(thing));
            }
        }
    }
    rows
}

fn nodes(hierarchy: &Hierarchy, branch: impl Fn(Key) -> Branch, rows: &mut Vec<Row>) {
    let mut place = 0;
    while let Some(spot) = hierarchy.spots().get(place) {
        let key = Key::Thing(Thing::Node(spot.node));
        let has_children = spot.end as usize > place + 1;
        let branch = if has_children { branch(key) } else { Branch::Leaf };
        rows.push(Row { key, depth: spot.depth + 1, branch });
        place = if branch == Branch::Closed { spot.end as usize } else { place + 1 };
    }
}

fn meshes(scene: &Scene, branch: impl Fn(Key) -> Branch, rows: &mut Vec<Row>) {
    for (handle, mesh) in scene.meshes.entries() {
        let key = Key::Thing(Thing::Mesh(handle));
        let branch = if mesh.primitives.is_empty() { Branch::Leaf } else { branch(key) };
        rows.push(Row { key, depth: 1, branch });
        if branch == Branch::Open {
            let part = |part| Row { key: Key::Part(handle, part), depth: 2, branch: Branch::Leaf };
            rows.extend((0..mesh.primitives.len()).map(part));
        }
    }
}

fn clips(scene: &Scene, branch: impl Fn(Key) -> Branch, rows: &mut Vec<Row>) {
    for clip in 0..scene.clips.len() {
        let key = Key::Thing(Thing::Clip(clip));
        let bones = bones::of_clip(scene, clip);
        let branch = if bones.is_empty() { Branch::Leaf } else { branch(key) };
        rows.push(Row { key, depth: 1, branch });
        if branch == Branch::Open {
            rows.extend(bones.into_iter().map(|bone| Row { key: Key::Thing(bone), depth: 2, branch: Branch::Leaf }));
        }
    }
}

/// The rows of what has this text in its name, whatever the case, and of the nodes above; and how many have it in each section.
pub fn found(scene: &Scene, hierarchy: &Hierarchy, text: &str) -> (Vec<Row>, [usize; 6]) {
    let wanted = text.to_lowercase();
    let mut rows = Vec::new();
    let mut counts = [0; 6];
    for (section, count) in Section::ALL.into_iter().zip(&mut counts) {
        let heading = rows.len();
        let row = |thing: Thing, depth: u32| Row { key: Key::Thing(thing), depth, branch: Branch::Leaf };
        if section == Section::Nodes {
            let mut is_shown = vec![false; hierarchy.spots().len()];
            for (place, spot) in hierarchy.spots().iter().enumerate() {
                if has(scene, Thing::Node(spot.node), &wanted) {
                    *count += 1;
                    show_with_ancestors(hierarchy, place, &mut is_shown);
                }
            }
            let shown = hierarchy.spots().iter().zip(is_shown).filter(|(_, is_shown)| *is_shown);
            rows.extend(shown.map(|(spot, _)| row(Thing::Node(spot.node), spot.depth + 1)));
        } else if section == Section::Clips {
            for clip in 0..scene.clips.len() {
                let mut bones = bones::of_clip(scene, clip);
                bones.retain(|bone| has(scene, *bone, &wanted));
                if has(scene, Thing::Clip(clip), &wanted) || !bones.is_empty() {
                    *count += 1;
                    rows.push(row(Thing::Clip(clip), 1));
                    rows.extend(bones.into_iter().map(|bone| row(bone, 2)));
                }
            }
        } else {
            let things = (0..section.count(scene)).map(|index| section.thing(index));
            rows.extend(things.filter(|thing| has(scene, *thing, &wanted)).map(|thing| row(thing, 1)));
            *count = rows.len() - heading;
        }
        if *count > 0 {
            rows.insert(heading, Row { key: Key::Section(section), depth: 0, branch: Branch::Leaf });
        }
    }
    (rows, counts)
}

fn show_with_ancestors(hierarchy: &Hierarchy, place: usize, is_shown: &mut [bool]) {
    let mut next = Some(place);
    while let Some(place) = next {
        match is_shown.get_mut(place) {
            // Those above a node that is shown are, too.
            Some(shown) if !*shown => *shown = true,
            _ => break,
        }
        next = hierarchy.spots().get(place).and_then(|spot| spot.parent).map(|parent| parent as usize);
    }
}

/// Whether a thing has a text, in small letters, in its name.
pub fn has(scene: &Scene, thing: Thing, wanted: &str) -> bool {
    things::name(scene, thing).to_lowercase().contains(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(scene: &Scene, rows: &[Row]) -> Vec<String> {
        let name = |row: &Row| match row.key {
            Key::Section(section) => section.title().to_owned(),
            Key::Thing(thing) => things::name(scene, thing).into_owned(),
            Key::Part(_, part) => format!("part {part}"),
        };
        rows.iter().map(name).collect()
    }

    #[test]
    fn closed_branches_are_skipped_and_open_ones_are_not() {
        let scene = maquette::sample::creature();
        let hierarchy = Hierarchy::of(&scene);
        let mut open = Opened::new();
        assert_eq!(
            names(&scene, &opened(&scene, &hierarchy, &open)),
            ["Nodes", "Meshes", "Skins", "Materials", "Images", "Clips"]
        );
        open.insert(Key::Section(Section::Nodes));
        let top = opened(&scene, &hierarchy, &open);
        assert_eq!(top.iter().filter(|row| row.depth == 1).count(), scene.roots.len());
        assert!(top.iter().all(|row| row.depth < 2));
        open.extend(scene.nodes.handles().map(|node| Key::Thing(Thing::Node(node))));
        assert_eq!(opened(&scene, &hierarchy, &open).len(), 6 + scene.nodes.len());
    }

    #[test]
    fn a_filter_finds_names_with_those_above() {
        let scene = maquette::sample::creature();
        let hierarchy = Hierarchy::of(&scene);
        let deep = hierarchy.spots().iter().max_by_key(|spot| spot.depth).unwrap();
        let name = &scene.nodes[deep.node].name;
        let (rows, counts) = found(&scene, &hierarchy, &name.to_uppercase());
        let nodes: Vec<&Row> = rows.iter().filter(|row| matches!(row.key, Key::Thing(Thing::Node(_)))).collect();
        assert!(nodes.len() > deep.depth as usize, "{:?}", names(&scene, &rows));
        assert!(counts[0] >= 1 && counts[0] < scene.nodes.len());
        let (none, counts) = found(&scene, &hierarchy, "no such name");
        assert_eq!((none.len(), counts), (0, [0; 6]));
    }
}
