//! A part of the whole: meshes and clips by name.
//!
//! A pattern chooses among the meshes if it matches one, and among the clips if it matches one; kinds of things that no pattern matches stay
//! as they are. So `walk*` takes clips out of a model without taking its meshes.

use crate::{Error, Result};
use maquette_scene::Scene;

/// Keeps what the patterns choose. `*` stands for any text, `?` for one character.
pub fn select(scene: &mut Scene, patterns: &[String]) -> Result<()> {
    let chosen = |name: &str| patterns.iter().any(|pattern| matches(pattern, name));
    let mesh_name = |scene: &Scene, index: usize| {
        let mesh = scene.meshes.iter().nth(index).map_or("", |mesh| mesh.name.as_str()).to_owned();
        let nodes = scene.nodes.iter().filter(|node| node.mesh.is_some_and(|mesh| mesh.index() == index));
        nodes.map(|node| node.name.clone()).chain([mesh]).collect::<Vec<_>>()
    };
    let keeps: Vec<bool> =
        (0..scene.meshes.len()).map(|index| mesh_name(scene, index).iter().any(|name| chosen(name))).collect();
    let any_mesh = keeps.contains(&true);
    let any_clip = scene.clips.iter().any(|clip| chosen(&clip.name));
    if !any_mesh && !any_clip {
        let meshes = scene.meshes.iter().map(|mesh| &mesh.name);
        let names = meshes.chain(scene.clips.iter().map(|clip| &clip.name)).cloned().collect();
        return Err(Error::NothingSelected { patterns: patterns.to_vec(), names });
    }
    if any_mesh {
        for node in scene.nodes.iter_mut() {
            let kept = node.mesh.and_then(|mesh| keeps.get(mesh.index()).copied()).unwrap_or(true);
            if !kept {
                (node.mesh, node.skin) = (None, None);
            }
        }
    }
    if any_clip {
        scene.clips = scene.clips.iter().filter(|clip| chosen(&clip.name)).cloned().collect();
    }
    Ok(())
}

/// Whether a pattern with `*` and `?` matches a whole text. Linear in the text for each star, without recursion.
fn matches(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    let (mut p, mut t) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(c) if *c == '?' || Some(c) == text.get(t) => (p, t) = (p + 1, t + 1),
            _ => match star {
                Some((at, from)) => {
                    star = Some((at, from + 1));
                    (p, t) = (at + 1, from + 1);
                }
                None => return false,
            },
        }
    }
    pattern.iter().skip(p).all(|&c| c == '*')
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
        ] {
            assert_eq!(matches(pattern, text), expected, "{pattern} {text}");
        }
    }
}
