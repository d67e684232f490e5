//! A BMW file told in file order: every count, table and text by its name.

use super::{Animation, BoneName, Dialect, File, Material, Mesh, Node};
use crate::trailing;
use crate::walk::{Walk, Walker};
use zerocopy::little_endian::U32;

// A table too long for its count cannot come from a parse; it would be cut off by any reader.
fn count(walker: &mut Walker<'_>, name: &'static str, length: usize, doc: &'static str) {
    walker.value(name, &U32::new(length as u32), doc);
}

fn number(walker: &mut Walker<'_>, name: &'static str, number: u32, doc: &'static str) {
    walker.value(name, &U32::new(number), doc);
}

/// Text and the NUL that ends it.
fn text_with_nul(text: &[u8]) -> Vec<u8> {
    [text, b"\0"].concat()
}

impl Walk for File<'_> {
    fn walk(&self, walker: &mut Walker<'_>) {
        let header =
            "\"Beo-Model-Wolf Format Version \" and the version. [doc: Header] A NUL ends it. [seen in all files]";
        walker.text("header", &self.header, header);
        materials(walker, &self.materials);
        if self.dialect.is_engine() {
            animations(walker, &self.animations);
        }
        meshes(walker, &self.meshes, self.dialect);
        nodes(walker, &self.nodes, self.dialect);
        match self.dialect {
            Dialect::Document | Dialect::Day29 => animations(walker, &self.animations),
            Dialect::Engine => bone_names(walker, &self.bone_names),
            Dialect::EngineUnnamed | Dialect::Day14 | Dialect::Day09 => {}
        }
        trailing::walk(walker, &self.trailing);
    }
}

fn materials(walker: &mut Walker<'_>, materials: &[Material<'_>]) {
    count(walker, "material_count", materials.len(), "Number of materials. [doc: Textures]");
    walker.items("materials", materials, |walker, material| {
        let textures = &material.textures;
        count(walker, "texture_count", textures.len(), "Number of textures of the material. [doc: Textures]");
        walker.list("textures", |walker| {
            let doc = "Path of an image file, ended by a NUL. [doc: Textures] The engine shows the n-th path of \
                               the file on the n-th mesh. [seen in the engine]";
            for (index, texture) in textures.iter().enumerate() {
                walker.text(index, &text_with_nul(texture), doc);
            }
        });
    });
}

fn meshes(walker: &mut Walker<'_>, meshes: &[Mesh<'_>], dialect: Dialect) {
    count(walker, "mesh_count", meshes.len(), "Number of meshes. [doc: Meshes]");
    walker.items("meshes", meshes, |walker, mesh| {
        if dialect.stores_ids() {
            weights(walker, mesh);
        }
        count(walker, "vertex_count", mesh.vertices.len(), "Number of vertices. [doc: Meshes]");
        walker.table("vertices", &mesh.vertices, "");
        if dialect.stores_faces() {
            count(walker, "face_count", mesh.faces.len(), "Number of triangles. [doc: Meshes]");
            let doc = "The corners of a triangle, as positions in the mesh's vertices. [doc: Meshes]";
            walker.table("faces", &mesh.faces, doc);
        }
    });
}

fn weights(walker: &mut Walker<'_>, mesh: &Mesh<'_>) {
    count(walker, "weight_count", mesh.weights.len(), "Number of vertices that nodes move. [doc: Meshes]");
    walker.items("weights", &mesh.weights, |walker, weights| {
        number(walker, "vertex_id", weights.vertex_id, "The vertex, by its position in the mesh. [doc: Meshes]");
        let doc = "Number of nodes that move the vertex. [doc: Meshes] The engine keeps the four heaviest. [seen in \
                           the engine]";
        count(walker, "influence_count", weights.influences.len(), doc);
        walker.table("influences", &weights.influences, "");
    });
}

fn nodes(walker: &mut Walker<'_>, nodes: &[Node<'_>], dialect: Dialect) {
    walker.items("nodes", nodes, |walker, node| {
        if dialect.stores_ids() {
            let doc = "What weights and animations know the node by. [doc: Nodes] Counts up from 0 in file order. \
                               [seen in all files]";
            number(walker, "id", node.id, doc);
        }
        let doc = "From the node's space to its parent's. [doc: Nodes] Column by column in newer files, row by row \
                           in those before 2019-11-19 and some later ones. [seen in Free_Rock and potion]";
        walker.value("matrix", &node.matrix, doc);
        count(walker, "mesh_count", node.mesh_ids.len(), "Number of meshes drawn with the node. [doc: Nodes]");
        walker.table("mesh_ids", &node.mesh_ids, "A mesh, by its position in the file. [doc: Nodes]");
        let doc = "Number of children, which follow, each with all that is below it. [doc: Nodes]";
        number(walker, "child_count", node.child_count, doc);
    });
}

fn animations(walker: &mut Walker<'_>, animations: &[Animation<'_>]) {
    count(walker, "animation_count", animations.len(), "Number of animations. [doc: Animations]");
    walker.items("animations", animations, |walker, animation| {
        let doc = "Length in ticks. [doc: Animations] Each bone has this many matrices in the document dialect, one \
                           more in every other. [seen in lich_Attack01]";
        number(walker, "duration", animation.duration, doc);
        number(walker, "rate", animation.rate, "Ticks in a second. [doc: Animations]");
        count(walker, "bone_count", animation.bones.len(), "Number of nodes it moves. [doc: Animations]");
        walker.items("bones", &animation.bones, |walker, bone| {
            number(walker, "node_id", bone.node_id, "The id of the node. [doc: Animations]");
            let doc = "A transform for each tick: of the node in its parent in the document's order, the \
                                       final skinning matrix in the engine's. [doc: Animations; seen in lich_Attack01]";
            walker.table("matrices", &bone.matrices, doc);
        });
    });
}

fn bone_names(walker: &mut Walker<'_>, names: &[BoneName<'_>]) {
    count(walker, "bone_name_count", names.len(), "Number of named nodes. [seen in lich_Attack01]");
    walker.items("bone_names", names, |walker, bone| {
        number(walker, "node_id", bone.node_id, "The id of the node. [seen in lich_Attack01]");
        let doc = "The node's name, ended by a NUL; clips from other files find their bones by it. [seen in \
                           lich_Attack01]";
        walker.text("name", &text_with_nul(&bone.name), doc);
    });
}
