//! Rules about extensions: which are needed, which are understood, which are listed.

use super::super::buffers::Found;
use super::super::schema::Document;
use super::{EXTENSION_REQUIRED, EXTENSION_UNKNOWN, EXTENSION_UNLISTED, at};
use maquette_scene::{Diagnostic, Report, path};
use serde_json::Map;
use std::collections::BTreeMap;

/// Extensions whose content is read.
const READ: &[&str] = &[
    "EXT_meshopt_compression",
    "KHR_materials_emissive_strength",
    "KHR_materials_pbrSpecularGlossiness",
    "KHR_materials_unlit",
    "KHR_mesh_quantization",
    "KHR_meshopt_compression",
    "KHR_texture_transform",
];

/// Extensions without which the rest of a file can be read: they concern materials, lights or metadata.
fn can_be_left_out(name: &str) -> bool {
    name.starts_with("KHR_materials_") || matches!(name, "KHR_lights_punctual" | "KHR_xmp_json_ld" | "KHR_xmp")
}

/// Whether what the extension says is read.
pub fn is_read(name: &str) -> bool {
    READ.contains(&name)
}

/// What rewrites a file without an extension.
fn remedy(name: &str) -> &'static str {
    match name {
        "KHR_draco_mesh_compression" => {
            "geometry without Draco compression; `gltf-transform copy in.glb out.glb` decompresses it"
        }
        "KHR_texture_basisu" => {
            "PNG or JPEG textures; `gltf-transform ktxdecompress in.glb out.glb` makes them from KTX 2"
        }
        "EXT_texture_webp" | "EXT_texture_avif" => {
            "PNG or JPEG textures; `gltf-transform png in.glb out.glb --formats \"*\"` makes them"
        }
        _ => "a file that can be loaded without it",
    }
}

/// Refuses a document that cannot be understood without an unknown extension.
pub fn refuse_required(document: &Document) -> Found<()> {
    required(document).next().map_or(Ok(()), |finding| Err(Box::new(finding)))
}

fn required(document: &Document) -> impl Iterator<Item = Diagnostic> {
    let names = document.extensions_required.iter().enumerate();
    names.filter(|(_, name)| !is_read(name) && !can_be_left_out(name)).map(|(index, name)| {
        let message = format!("the extension {name} is required");
        Diagnostic::new(&EXTENSION_REQUIRED, path!("json", "extensionsRequired", index), message).expected(remedy(name))
    })
}

pub fn check(document: &Document, report: &mut Report) {
    required(document).for_each(|finding| report.push(finding));
    for (index, name) in document.extensions_used.iter().enumerate() {
        let required = document.extensions_required.contains(name);
        if !is_read(name) && (!required || can_be_left_out(name)) {
            let message = format!("what the extension {name} adds is not read");
            report.push(Diagnostic::new(&EXTENSION_UNKNOWN, path!("json", "extensionsUsed", index), message));
        }
    }
    let unlisted = |name: &str| !document.extensions_used.iter().any(|used| used == name);
    for (index, name) in document.extensions_required.iter().enumerate().filter(|(_, name)| unlisted(name)) {
        let message = format!("{name} is required and not listed in extensionsUsed");
        let finding = Diagnostic::new(&EXTENSION_UNLISTED, path!("json", "extensionsRequired", index), message);
        report.push(finding.expected("every extension in extensionsUsed"));
    }
    for (name, path) in occurring(document).into_iter().filter(|(name, _)| unlisted(name)) {
        let message = format!("{name} occurs and is not listed in extensionsUsed");
        report.push(Diagnostic::new(&EXTENSION_UNLISTED, path, message).expected("every extension in extensionsUsed"));
    }
}

/// Every extension that an object has, and the first that has it.
fn occurring(document: &Document) -> BTreeMap<&str, maquette_scene::Path> {
    let mut found = BTreeMap::new();
    macro_rules! look {
        ($($list:ident $name:literal),*) => { $(
            for (index, object) in document.$list.iter().enumerate() {
                for name in object.extensions.iter().flat_map(Map::keys) {
                    found.entry(name.as_str()).or_insert_with(|| at([$name.into(), index.into(), "extensions".into()]));
                }
            }
        )* };
    }
    look!(scenes "scenes", nodes "nodes", meshes "meshes", skins "skins", animations "animations", materials "materials",
        textures "textures", samplers "samplers", images "images", accessors "accessors", buffer_views "bufferViews",
        buffers "buffers");
    for name in document.extensions.iter().flat_map(Map::keys) {
        found.entry(name.as_str()).or_insert_with(|| at(["extensions".into()]));
    }
    found
}
