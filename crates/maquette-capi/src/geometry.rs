//! Meshes and their parts, without a copy.

use crate::error::Why;
use crate::guard::{done, pointer};
use crate::model::MaquetteModel;
use crate::pointers::{borrow, give, handle, nth};
use crate::text::index;
use maquette::scene::mesh::{Mesh, Primitive, Topology};
use std::ffi::c_char;
use std::ptr::null;

/// What indices draw.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaquetteTopology {
    /// Three make a triangle, counter-clockwise from outside.
    Triangles = 0,
    /// Two make a line.
    Lines = 1,
}

/// A part of a mesh, of one material. Pointers are null where there is no such stream, and each stream has a value for every vertex.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct MaquettePrimitive {
    /// What the indices draw.
    pub topology: MaquetteTopology,
    /// Its material; -1 for the default one.
    pub material: i32,
    /// How many vertices there are.
    pub vertex_count: usize,
    /// How many indices there are.
    pub index_count: usize,
    /// Always there.
    pub indices: *const u32,
    /// Three numbers each.
    pub positions: *const f32,
    /// Three numbers each, of unit length.
    pub normals: *const f32,
    /// Four numbers each: a unit vector, and the sign of the bitangent.
    pub tangents: *const f32,
    /// The first set of texture coordinates, two numbers each, origin at the top left. `maquette_uvs` has the others.
    pub uvs: *const f32,
    /// The first set of linear colours, four numbers each. `maquette_colours` has the others.
    pub colours: *const f32,
    /// How many joints and weights each vertex has; 0 without a skin.
    pub influence_count: usize,
    /// Positions in the joints of the skin.
    pub joints: *const u32,
    /// How much each joint moves the vertex.
    pub weights: *const f32,
}

/// How many meshes there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_mesh_count(model: *const MaquetteModel) -> usize {
    // SAFETY: what the library's page asks for.
    unsafe { borrow(model) }.map_or(0, |model| model.scene.meshes.len())
}

/// The name of a mesh; null beyond the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_mesh_name(model: *const MaquetteModel, mesh: usize) -> *const c_char {
    // SAFETY: what the library's page asks for.
    pointer(|| Ok(nth(&unsafe { handle(model, "the model") }?.mesh_names, mesh, "mesh")?.as_ptr()))
}

/// A mesh of a model.
pub(crate) unsafe fn mesh_of<'m>(model: *const MaquetteModel, mesh: usize) -> Result<&'m Mesh, Why> {
    // SAFETY: what the library's page asks for.
    nth(unsafe { handle(model, "the model") }?.scene.meshes.as_slice(), mesh, "mesh")
}

/// A part of a mesh of a model.
pub(crate) unsafe fn part_of<'m>(model: *const MaquetteModel, mesh: usize, at: usize) -> Result<&'m Primitive, Why> {
    // SAFETY: as above.
    nth(&unsafe { mesh_of(model, mesh) }?.primitives, at, "part of the mesh")
}

/// Writes a part of a mesh; false beyond the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_primitive(
    model: *const MaquetteModel,
    mesh: usize,
    at: usize,
    out: *mut MaquettePrimitive,
) -> bool {
    done(|| {
        // SAFETY: what the library's page asks for.
        let primitive = unsafe { part_of(model, mesh, at) }?;
        let streams = &primitive.streams;
        let influences = streams.influences.as_ref();
        let made = MaquettePrimitive {
            topology: match primitive.topology {
                Topology::Triangles => MaquetteTopology::Triangles,
                Topology::Lines => MaquetteTopology::Lines,
            },
            material: index(primitive.material.map(|material| material.index())),
            vertex_count: streams.len(),
            index_count: primitive.indices.len(),
            indices: primitive.indices.as_ptr(),
            positions: streams.positions.as_ptr().cast(),
            normals: streams.normals.as_ref().map_or(null(), |normals| normals.as_ptr().cast()),
            tangents: streams.tangents.as_ref().map_or(null(), |tangents| tangents.as_ptr().cast()),
            uvs: streams.uvs.first().map_or(null(), |uvs| uvs.as_ptr().cast()),
            colours: streams.colours.first().map_or(null(), |colours| colours.as_ptr().cast()),
            influence_count: influences.map_or(0, |influences| influences.slots),
            joints: influences.map_or(null(), |influences| influences.joints.as_ptr()),
            weights: influences.map_or(null(), |influences| influences.weights.as_ptr()),
        };
        // SAFETY: as above.
        unsafe { give(out, made) }
    })
}

/// A set of texture coordinates of a part of a mesh, two numbers a vertex; null beyond the last set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_uvs(model: *const MaquetteModel, mesh: usize, at: usize, set: usize) -> *const f32 {
    // SAFETY: what the library's page asks for.
    let part = || unsafe { part_of(model, mesh, at) };
    pointer(|| Ok(nth(&part()?.streams.uvs, set, "set of texture coordinates")?.as_ptr().cast()))
}

/// A set of linear colours of a part of a mesh, four numbers a vertex; null beyond the last set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn maquette_colours(
    model: *const MaquetteModel,
    mesh: usize,
    at: usize,
    set: usize,
) -> *const f32 {
    // SAFETY: what the library's page asks for.
    let part = || unsafe { part_of(model, mesh, at) };
    pointer(|| Ok(nth(&part()?.streams.colours, set, "set of colours")?.as_ptr().cast()))
}
