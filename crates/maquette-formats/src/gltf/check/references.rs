//! Rules about indices from one list of the document into another, and about values from a fixed set.

use super::super::schema::{Document, TextureInfo};
use super::{REFERENCE, VALUE_UNKNOWN, at};
use crate::rules::index_into;
use maquette_scene::{Diagnostic, Path, Report, path};
use serde_json::{Map, Value};

/// Reports every index that points nowhere.
pub fn references(document: &Document, report: &mut Report) {
    let mut look = Look { document, report };
    look.scenes();
    look.nodes();
    look.meshes();
    look.skins();
    look.animations();
    look.materials();
    look.data();
}

struct Look<'d, 'r> {
    document: &'d Document,
    report: &'r mut Report,
}

impl Look<'_, '_> {
    fn index(&mut self, index: usize, count: usize, what: &str, at: impl FnOnce() -> Path) {
        if index >= count {
            let finding = Diagnostic::new(&REFERENCE, at(), format!("the index is {index}"));
            self.report.push(finding.expected(index_into(count, what)));
        }
    }

    fn optional(&mut self, index: Option<usize>, count: usize, what: &str, at: impl FnOnce() -> Path) {
        if let Some(index) = index {
            self.index(index, count, what, at);
        }
    }

    fn scenes(&mut self) {
        let document = self.document;
        self.optional(document.scene, document.scenes.len(), "scenes", || path!("json", "scene"));
        for (index, scene) in document.scenes.iter().enumerate() {
            for (position, &node) in scene.nodes.iter().enumerate() {
                let at = || at(["scenes".into(), index.into(), "nodes".into(), position.into()]);
                self.index(node, document.nodes.len(), "nodes", at);
            }
        }
    }

    fn nodes(&mut self) {
        let document = self.document;
        for (index, node) in document.nodes.iter().enumerate() {
            for (position, &child) in node.children.iter().enumerate() {
                let at = || path!("json", "nodes", index, "children", position);
                self.index(child, document.nodes.len(), "nodes", at);
            }
            let at = |field: &'static str| move || path!("json", "nodes", index, field);
            self.optional(node.mesh, document.meshes.len(), "meshes", at("mesh"));
            self.optional(node.skin, document.skins.len(), "skins", at("skin"));
            self.optional(node.camera, document.cameras.len(), "cameras", at("camera"));
        }
    }

    fn attributes(&mut self, attributes: &Map<String, Value>, at: impl Fn() -> Path) {
        for (name, value) in attributes {
            let at = || at().join(maquette_scene::Segment::Name(name.clone().into()));
            match value.as_u64().and_then(|index| usize::try_from(index).ok()) {
                Some(index) => self.index(index, self.document.accessors.len(), "accessors", at),
                None => {
                    let finding = Diagnostic::new(&REFERENCE, at(), format!("the accessor is {value}"));
                    self.report.push(finding.expected("an index of an accessor"));
                }
            }
        }
    }

    fn meshes(&mut self) {
        let document = self.document;
        for (index, mesh) in document.meshes.iter().enumerate() {
            for (position, primitive) in mesh.primitives.iter().enumerate() {
                let here = || path!("json", "meshes", index, "primitives", position);
                self.attributes(&primitive.attributes, || here().join("attributes"));
                for (target, attributes) in primitive.targets.iter().enumerate() {
                    self.attributes(attributes, || here().join("targets").join(target));
                }
                self.optional(primitive.indices, document.accessors.len(), "accessors", || here().join("indices"));
                self.optional(primitive.material, document.materials.len(), "materials", || here().join("material"));
                if primitive.mode.is_some_and(|mode| mode > 6) {
                    self.unknown(here().join("mode"), &primitive.mode.unwrap_or(0), "0 (points) to 6 (triangle fan)");
                }
            }
        }
    }

    fn skins(&mut self) {
        let document = self.document;
        for (index, skin) in document.skins.iter().enumerate() {
            let at = |field: &'static str| move || path!("json", "skins", index, field);
            self.optional(skin.inverse_bind_matrices, document.accessors.len(), "accessors", at("inverseBindMatrices"));
            self.optional(skin.skeleton, document.nodes.len(), "nodes", at("skeleton"));
            for (position, &joint) in skin.joints.iter().enumerate() {
                self.index(joint, document.nodes.len(), "nodes", || at("joints")().join(position));
            }
        }
    }

    fn animations(&mut self) {
        let document = self.document;
        for (index, animation) in document.animations.iter().enumerate() {
            for (position, channel) in animation.channels.iter().enumerate() {
                let here = || path!("json", "animations", index, "channels", position);
                self.index(channel.sampler, animation.samplers.len(), "samplers", || here().join("sampler"));
                self.optional(channel.target.node, document.nodes.len(), "nodes", || {
                    here().join("target").join("node")
                });
            }
            for (position, sampler) in animation.samplers.iter().enumerate() {
                let at = |field: &'static str| move || path!("json", "animations", index, "samplers", position, field);
                self.index(sampler.input, document.accessors.len(), "accessors", at("input"));
                self.index(sampler.output, document.accessors.len(), "accessors", at("output"));
                match sampler.interpolation.as_deref() {
                    None | Some("LINEAR" | "STEP" | "CUBICSPLINE") => {}
                    Some(other) => self.unknown(at("interpolation")(), &other, "LINEAR, STEP or CUBICSPLINE"),
                }
            }
        }
    }

    fn unknown(&mut self, at: Path, value: &dyn std::fmt::Debug, expected: &str) {
        let finding = Diagnostic::new(&VALUE_UNKNOWN, at, format!("the value is {value:?}"));
        self.report.push(finding.expected(expected));
    }

    fn texture(&mut self, info: Option<&TextureInfo>, at: impl FnOnce() -> Path) {
        self.optional(info.map(|info| info.index), self.document.textures.len(), "textures", || at().join("index"));
    }

    fn materials(&mut self) {
        let document = self.document;
        for (index, material) in document.materials.iter().enumerate() {
            let at = |field: &'static str| move || path!("json", "materials", index, field);
            if let Some(pbr) = &material.pbr_metallic_roughness {
                let inside = |field: &'static str| move || at("pbrMetallicRoughness")().join(field);
                self.texture(pbr.base_color_texture.as_ref(), inside("baseColorTexture"));
                self.texture(pbr.metallic_roughness_texture.as_ref(), inside("metallicRoughnessTexture"));
            }
            self.texture(material.normal_texture.as_ref(), at("normalTexture"));
            self.texture(material.occlusion_texture.as_ref(), at("occlusionTexture"));
            self.texture(material.emissive_texture.as_ref(), at("emissiveTexture"));
            match material.alpha_mode.as_deref() {
                None | Some("OPAQUE" | "MASK" | "BLEND") => {}
                Some(other) => self.unknown(at("alphaMode")(), &other, "OPAQUE, MASK or BLEND"),
            }
        }
        for (index, texture) in document.textures.iter().enumerate() {
            let at = |field: &'static str| move || path!("json", "textures", index, field);
            self.optional(texture.sampler, document.samplers.len(), "samplers", at("sampler"));
            self.optional(texture.source, document.images.len(), "images", at("source"));
        }
        for (index, sampler) in document.samplers.iter().enumerate() {
            for (field, value, known) in [
                ("magFilter", sampler.mag_filter, &[9728, 9729][..]),
                ("minFilter", sampler.min_filter, &[9728, 9729, 9984, 9985, 9986, 9987]),
                ("wrapS", sampler.wrap_s, &[10497, 33071, 33648]),
                ("wrapT", sampler.wrap_t, &[10497, 33071, 33648]),
            ] {
                if let Some(value) = value.filter(|value| !known.contains(value)) {
                    self.unknown(path!("json", "samplers", index, field), &value, &format!("one of {known:?}"));
                }
            }
        }
    }

    fn data(&mut self) {
        let document = self.document;
        let views = document.buffer_views.len();
        for (index, image) in document.images.iter().enumerate() {
            self.optional(image.buffer_view, views, "views", || path!("json", "images", index, "bufferView"));
        }
        for (index, accessor) in document.accessors.iter().enumerate() {
            let here = || path!("json", "accessors", index);
            self.optional(accessor.buffer_view, views, "views", || here().join("bufferView"));
            if let Some(sparse) = &accessor.sparse {
                let inside = |field: &'static str| move || here().join("sparse").join(field).join("bufferView");
                self.index(sparse.indices.buffer_view, views, "views", inside("indices"));
                self.index(sparse.values.buffer_view, views, "views", inside("values"));
            }
        }
        for (index, view) in document.buffer_views.iter().enumerate() {
            let at = || path!("json", "bufferViews", index, "buffer");
            self.index(view.buffer, document.buffers.len(), "buffers", at);
        }
    }
}
