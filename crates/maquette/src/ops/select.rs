//! A part of the whole: meshes and clips by name.
//!
//! A pattern chooses among the meshes if it matches one, and among the clips if it matches one; kinds of things that no pattern matches stay
//! as they are. So `walk*` takes clips out of a model without taking its meshes.

use crate::note::{Note, NoteKind};
use crate::{Error, Result};
use maquette_scene::Scene;
use maquette_scene::loss::subject;

/// Keeps what the patterns choose; what went. `*` stands for any text, `?` for one character.
pub fn select(scene: &mut Scene, patterns: &[String]) -> Result<Vec<Note>> {
    let chosen = |name: &str| patterns.iter().any(|pattern| matches(pattern, name));
    let meshes: Vec<(String, bool)> = (0..scene.meshes.len())
        .map(|index| {
            let (name, nodes) = names_of_mesh(scene, index);
            let keeps = nodes.chain([name]).any(chosen);
            (subject("mesh", index, name), keeps)
        })
        .collect();
    let clips = scene.clips.iter().enumerate();
    let clips: Vec<(String, bool)> =
        clips.map(|(index, clip)| (subject("clip", index, &clip.name), chosen(&clip.name))).collect();
    let any = |things: &[(String, bool)]| things.iter().any(|(_, keeps)| *keeps);
    if !any(&meshes) && !any(&clips) {
        let meshes = scene.meshes.iter().map(|mesh| &mesh.name);
        let names = meshes.chain(scene.clips.iter().map(|clip| &clip.name)).cloned().collect();
        return Err(Error::NothingSelected { patterns: patterns.to_vec(), names });
    }
    let mut gone = Vec::new();
    if any(&meshes) {
        for node in scene.nodes.iter_mut() {
            let kept = node.mesh.and_then(|mesh| meshes.get(mesh.index())).is_none_or(|(_, keeps)| *keeps);
            if !kept {
                (node.mesh, node.skin) = (None, None);
            }
        }
        gone.extend(meshes);
    }
    if any(&clips) {
        scene.clips = scene.clips.iter().filter(|clip| chosen(&clip.name)).cloned().collect();
        gone.extend(clips);
    }
    let gone = gone.into_iter().filter(|(_, keeps)| !keeps);
    Ok(gone.map(|(subject, _)| Note::new(NoteKind::Unselected, subject, "--select does not name it")).collect())
}

/// The name of a mesh, and those of the nodes that draw it.
fn names_of_mesh(scene: &Scene, index: usize) -> (&str, impl Iterator<Item = &str>) {
    let mesh = scene.meshes.iter().nth(index).map_or("", |mesh| mesh.name.as_str());
    let nodes = scene.nodes.iter().filter(move |node| node.mesh.is_some_and(|mesh| mesh.index() == index));
    (mesh, nodes.map(|node| node.name.as_str()))
}

/// A part of a pattern.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Text,
    Character,
    This(char),
}

/// The parts of a pattern: `*`, `?` and characters, of which `[*]`, `[?]` and `[[]` mean the one in the middle.
fn parts(pattern: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut rest = pattern;
    while let Some(first) = rest.chars().next() {
        let bare = ["[*]", "[?]", "[[]"].into_iter().find(|bare| rest.starts_with(bare));
        let (part, length) = match (bare.and_then(|bare| bare.chars().nth(1)), first) {
            (Some(letter), _) => (Part::This(letter), 3),
            (None, '*') => (Part::Text, 1),
            (None, '?') => (Part::Character, 1),
            (None, letter) => (Part::This(letter), letter.len_utf8()),
        };
        parts.push(part);
        rest = rest.get(length..).unwrap_or_default();
    }
    parts
}

/// Whether a pattern with `*` and `?` matches a whole text; `[*]`, `[?]` and `[[]` are these characters themselves. Linear in the text for each star, without recursion.
pub fn matches(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<Part>, Vec<char>) = (parts(pattern), text.chars().collect());
    let (mut p, mut t) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some(Part::Text) => {
                star = Some((p, t));
                p += 1;
            }
            Some(Part::Character) => (p, t) = (p + 1, t + 1),
            Some(Part::This(c)) if Some(c) == text.get(t) => (p, t) = (p + 1, t + 1),
            _ => match star {
                Some((at, from)) => {
                    star = Some((at, from + 1));
                    (p, t) = (at + 1, from + 1);
                }
                None => return false,
            },
        }
    }
    pattern.iter().skip(p).all(|part| *part == Part::Text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_whole_names() {
        for (pattern, text, expected) in [
            ("walk", "walk", true),
            ("walk", "walk2", false),
            ("walk*", "walk2", true),
            ("*l?", "wa_lk", true),
            ("*a*b*", "xxaxxbx", true),
            ("a*b", "acbc", false),
            ("", "", true),
            ("*", "", true),
            ("?", "", false),
            ("a[*]", "a*", true),
            ("a[*]", "ab", false),
            ("[?][[]1]", "?[1]", true),
            ("run[1]", "run[1]", true),
            ("ü[*", "ü[x", true),
        ] {
            assert_eq!(matches(pattern, text), expected, "{pattern} {text}");
        }
    }
}
