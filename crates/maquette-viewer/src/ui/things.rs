//! What things of a scene are called where they are shown.

use crate::state::bones;
use crate::state::selection::Thing;
use maquette::Scene;
use std::borrow::Cow;

/// The most letters of a name that are laid out: no panel is wider.
const LETTERS: usize = 240;
/// The most letters of a name in a hint.
const HINT_LETTERS: usize = 4000;

/// What kind of thing it is, in a word.
pub fn kind(thing: Thing) -> &'static str {
    match thing {
        Thing::Nothing => "file",
        Thing::Node(_) => "node",
        Thing::Mesh(_) => "mesh",
        Thing::Skin(_) => "skin",
        Thing::Material(_) => "material",
        Thing::Image(_) => "image",
        Thing::Clip(_) => "clip",
        Thing::Bone { .. } => "bone",
    }
}

/// Its position among those of its kind.
pub fn index(thing: Thing) -> usize {
    match thing {
        Thing::Nothing => 0,
        Thing::Node(node) => node.index(),
        Thing::Mesh(mesh) => mesh.index(),
        Thing::Skin(skin) => skin.index(),
        Thing::Material(material) => material.index(),
        Thing::Image(image) => image.index(),
        Thing::Clip(clip) => clip,
        Thing::Bone { track, .. } => track,
    }
}

/// Its name as the scene has it, or one made of its kind and position where it has none.
pub fn name(scene: &Scene, thing: Thing) -> Cow<'_, str> {
    let own = match thing {
        Thing::Nothing => None,
        Thing::Bone { clip, track } => return bones::name(scene, clip, track).unwrap_or("bone").into(),
        Thing::Node(node) => scene.nodes.get(node).map(|node| &node.name),
        Thing::Mesh(mesh) => scene.meshes.get(mesh).map(|mesh| &mesh.name),
        Thing::Skin(skin) => scene.skins.get(skin).map(|skin| &skin.name),
        Thing::Material(material) => scene.materials.get(material).map(|material| &material.name),
        Thing::Image(image) => scene.images.get(image).map(|image| &image.name),
        Thing::Clip(clip) => scene.clips.as_slice().get(clip).map(|clip| &clip.name),
    };
    match own {
        Some(own) if !own.is_empty() => Cow::Borrowed(own),
        _ => Cow::Owned(format!("{} {}", kind(thing), index(thing))),
    }
}

/// Whether the scene has it.
pub fn is_in(scene: &Scene, thing: Thing) -> bool {
    let count = match thing {
        Thing::Nothing => return true,
        Thing::Node(_) => scene.nodes.len(),
        Thing::Mesh(_) => scene.meshes.len(),
        Thing::Skin(_) => scene.skins.len(),
        Thing::Material(_) => scene.materials.len(),
        Thing::Image(_) => scene.images.len(),
        Thing::Clip(_) => scene.clips.len(),
        Thing::Bone { clip, track } => return bones::name(scene, clip, track).is_some(),
    };
    index(thing) < count
}

/// Text of a file as one line: what is not for the eye becomes visible, and what no panel has room for is cut.
pub fn line(text: &str) -> Cow<'_, str> {
    cut(text, LETTERS)
}

/// The same for a hint, with as much of it as fits a screen.
pub fn hint(text: &str) -> Cow<'_, str> {
    cut(text, HINT_LETTERS)
}

fn cut(text: &str, letters: usize) -> Cow<'_, str> {
    let end = text.char_indices().nth(letters).map(|(end, _)| end);
    let start = text.get(..end.unwrap_or(text.len())).unwrap_or_default();
    if end.is_none() && !start.chars().any(char::is_control) {
        return Cow::Borrowed(text);
    }
    let mut line = String::with_capacity(start.len() + 4);
    for letter in start.chars() {
        match letter.is_control() {
            true => line.extend(letter.escape_default()),
            false => line.push(letter),
        }
    }
    if end.is_some() {
        line.push('…');
    }
    Cow::Owned(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_one_line_of_bounded_length() {
        assert_eq!(line("tail"), "tail");
        assert_eq!(line("a\nb\u{1b}[2J"), "a\\nb\\u{1b}[2J");
        let long = "ä".repeat(1 << 20);
        assert_eq!(line(&long).chars().count(), LETTERS + 1);
        assert_eq!(hint(&long).chars().count(), HINT_LETTERS + 1);
        assert_eq!(line(&"x".repeat(LETTERS)), "x".repeat(LETTERS));
    }

    #[test]
    fn what_has_no_name_is_called_by_its_place() {
        let mut scene = maquette::sample::creature();
        let node = scene.nodes.handles().nth(2).unwrap();
        scene.nodes[node].name.clear();
        assert_eq!(name(&scene, Thing::Node(node)), "node 2");
        assert_eq!(name(&scene, Thing::Clip(99)), "clip 99");
        assert!(!is_in(&scene, Thing::Clip(99)));
        assert!(is_in(&scene, Thing::Node(node)));
    }
}
