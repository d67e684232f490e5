//! The code of the selected finding in words, and what the finding is about.

use crate::state::selection::Thing;
use crate::ui::Desk;
use crate::ui::layout::{self, Pane};
use eframe::egui::{RichText, ScrollArea, Ui};
use maquette::Scene;
use maquette::check::Finding;

/// Shows the meaning.
pub fn show(ui: &mut Ui, desk: &mut Desk<'_>, finding: &Finding) {
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.label(RichText::new(format!("{} {}", finding.code, finding.name)).strong());
        ui.horizontal_wrapped(|ui| {
            if ui.button("Show bytes").clicked() {
                layout::raise(ui.ctx(), Pane::Bytes);
            }
            if let Some(name) = desk.session.document().and_then(|document| {
                let name = name(document.scene()?, document.selection.thing)?;
                Some(format!("about {name}"))
            }) {
                ui.label(name);
            }
        });
        ui.label(RichText::new(&finding.path).monospace());
        ui.label(&finding.message);
        if let Some(expected) = &finding.expected {
            ui.label(format!("What would be right: {expected}"));
        }
        if let Ok(meaning) = maquette::explain::code(finding.code) {
            ui.separator();
            ui.label(meaning.why);
        }
    });
}

/// What an object is called.
fn name(scene: &Scene, thing: Thing) -> Option<String> {
    let called = |kind: &str, index: usize, name: Option<&String>| match name.filter(|name| !name.is_empty()) {
        Some(name) => format!("{kind} {name:?}"),
        None => format!("{kind} {index}"),
    };
    Some(match thing {
        Thing::Nothing => return None,
        Thing::Node(node) => called("node", node.index(), scene.nodes.get(node).map(|node| &node.name)),
        Thing::Mesh(mesh) => called("mesh", mesh.index(), scene.meshes.get(mesh).map(|mesh| &mesh.name)),
        Thing::Skin(skin) => called("skin", skin.index(), scene.skins.get(skin).map(|skin| &skin.name)),
        Thing::Material(material) => {
            called("material", material.index(), scene.materials.get(material).map(|material| &material.name))
        }
        Thing::Image(image) => called("image", image.index(), scene.images.get(image).map(|image| &image.name)),
        Thing::Clip(clip) => called("clip", clip, scene.clips.iter().nth(clip).map(|clip| &clip.name)),
        Thing::Bone { .. } => format!("bone {:?}", super::super::things::name(scene, thing)),
    })
}
