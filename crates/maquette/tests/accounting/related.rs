//! What a loss may be about, for it to be about an object too: the object itself by any of its names, or what it is made with.

use maquette::scene::Scene;
use maquette::scene::loss::subject;
use std::collections::{BTreeMap, BTreeSet};

/// What losses call the whole.
const WHOLES: [&str; 3] = ["the model", "the scene", "the skeleton"];

/// The names of the objects of a scene.
pub struct Related {
    /// For the subject of a difference, those of losses.
    known: BTreeMap<String, BTreeSet<String>>,
}

impl Related {
    /// The names in this scene.
    pub fn of(scene: &Scene) -> Related {
        let mut known: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut add = |object: &str, also: String| {
            let names = known.entry(object.to_owned()).or_default();
            names.insert(object.to_owned());
            names.insert(also);
        };
        // A mesh without a name is called after its node, and where several nodes draw one, it is there for each.
        let order = scene.nodes_parents_first();
        let drawn = order.iter().filter_map(|&node| scene.nodes.get(node)).filter(|node| node.mesh.is_some());
        for (place, node) in drawn.enumerate() {
            let Some((handle, mesh)) = node.mesh.and_then(|handle| Some((handle, scene.meshes.get(handle)?))) else {
                continue;
            };
            let name = if mesh.name.is_empty() { &node.name } else { &mesh.name };
            let object = subject("mesh", handle.index(), name);
            add(&object, subject("mesh", handle.index(), &mesh.name));
            add(&object, subject("mesh", place, name));
            if let Some(skin) = node.skin {
                let name = scene.skins.get(skin).map_or("", |skin| &skin.name);
                add(&object, subject("skin", skin.index(), name));
            }
            for material in mesh.primitives.iter().filter_map(|primitive| primitive.material) {
                let name = scene.materials.get(material).map_or("", |material| &material.name);
                add(&object, subject("material", material.index(), name));
            }
        }
        for (handle, material) in scene.materials.entries() {
            let object = subject("material", handle.index(), &material.name);
            for (_, image) in material.images() {
                let name = scene.images.get(image).map_or("", |image| &image.name);
                add(&object, subject("image", image.index(), name));
            }
        }
        Related { known }
    }

    /// Whether a loss of this object is about the object of a difference. The differences of the whole are the sum of all.
    pub fn is_about(&self, loss: &str, difference: &str) -> bool {
        let named = self.known.get(difference).is_some_and(|names| names.contains(loss));
        difference.is_empty() || loss == difference || named
    }
}

/// Whether this is what losses call the whole, or a part that many objects share.
pub fn is_whole(loss: &str) -> bool {
    WHOLES.contains(&loss)
}
