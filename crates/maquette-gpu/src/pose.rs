//! The vertices of a model at a moment, on the device.

use crate::blend::BlendTriangle;
use crate::geometry::{Geometry, Moving, Source, buffer, other_set};
use crate::layouts::group;
use crate::model::Model;
use crate::renderer::Renderer;
use bytemuck::Zeroable;
use maquette_render::parts::{self, Facing, PosedPart, Studio};
use maquette_render::{Bounds, Posed};
use maquette_scene::glam::Vec3;
use maquette_scene::material::AlphaMode;
use maquette_scene::mesh::Topology;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The vertices of a model at a moment, on the device.
pub struct Pose {
    /// Another one for each pose.
    pub(crate) number: u64,
    pub(crate) geometry: Arc<Geometry>,
    pub(crate) vertices: wgpu::Buffer,
    /// Of each part of the geometry.
    pub(crate) shapes: Vec<Shape>,
    pub(crate) studio: Studio,
    pub(crate) bounds: Option<Bounds>,
    /// Edges of bones, in the scene.
    pub(crate) bones: Vec<[Vec3; 2]>,
    /// Lines of the scene: their material, the node, and where they are.
    pub(crate) lines: Vec<SceneLines>,
    /// Triangles that may be mixed with what is behind them.
    pub(crate) blends: Vec<BlendTriangle>,
}

/// How a part is drawn at a moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub facing: Facing,
    pub normals: bool,
    pub tangents: bool,
}

/// Lines of a part.
pub(crate) struct SceneLines {
    pub material: usize,
    pub node: Option<u32>,
    pub segments: Vec<[Vec3; 2]>,
}

static NUMBERS: AtomicU64 = AtomicU64::new(1);

impl Pose {
    pub(crate) fn new(renderer: &Renderer, model: &Model, posed: &Posed<'_>) -> Pose {
        let bounds = posed.bounds();
        let studio = Studio::new(bounds);
        let posed_parts = parts::of_posed(posed);
        let geometry = geometry(renderer, model, posed);
        let mut vertices: Vec<Moving> = Vec::with_capacity(geometry.vertex_count as usize);
        let mut shapes = Vec::with_capacity(geometry.parts.len());
        let mut blends = Vec::new();
        for (number, part) in (0..).zip(&geometry.parts) {
            let Some(posed_part) = posed_parts.get(part.place) else { continue };
            let first = vertices.len();
            let there = parts::vertices(posed, posed_part).iter().take(part.vertex_count as usize);
            vertices.extend(there.enumerate().map(|(vertex, position)| {
                let normal = posed_part.normals.get(vertex).copied().unwrap_or_default();
                let tangent = posed_part.tangents.get(vertex).copied().unwrap_or_default();
                Moving::new(studio.place(*position), normal, tangent)
            }));
            vertices.resize_with(first + part.vertex_count as usize, Moving::zeroed);
            shapes.push(Shape {
                facing: posed_part.facing,
                normals: !posed_part.normals.is_empty(),
                tangents: !posed_part.tangents.is_empty(),
            });
            if model.material(part.material).is_some_and(|on_device| on_device.material.alpha == AlphaMode::Blend) {
                let own = vertices.get(first..).unwrap_or_default();
                blends.extend(blend_triangles(number, posed_part, part.first_vertex, own));
            }
        }
        let lines = posed_parts.iter().filter(|part| part.topology == Topology::Lines).map(|part| {
            let vertices = parts::vertices(posed, part);
            let at = |index: u32| vertices.get(index as usize).copied();
            let pairs = part.indices.as_chunks::<2>().0.iter();
            SceneLines {
                material: part.material,
                node: part.origin.map(|[node, _]| node),
                segments: pairs.filter_map(|&[from, to]| Some([at(from)?, at(to)?])).collect(),
            }
        });
        let usage = wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::STORAGE;
        Pose {
            number: NUMBERS.fetch_add(1, Ordering::Relaxed),
            vertices: buffer(&renderer.device, "vertices", &vertices, usage),
            geometry,
            shapes,
            studio,
            bounds,
            bones: parts::bones(posed),
            lines: lines.collect(),
            blends,
        }
    }

    /// The box around all that is drawn; `None` where nothing is.
    pub fn bounds(&self) -> Option<Bounds> {
        self.bounds
    }

    /// What edges of triangles are drawn from.
    pub(crate) fn wire_group(&self, renderer: &Renderer, pen: &wgpu::Buffer) -> Option<wgpu::BindGroup> {
        let resources =
            [self.vertices.as_entire_binding(), self.geometry.indices.as_entire_binding(), pen.as_entire_binding()];
        let layout = renderer.pipelines.layouts().wire.as_ref()?;
        Some(group(&renderer.device, layout, &resources))
    }
}

/// That of the model; one of its own where there are bones instead, or vertices that are nowhere.
fn geometry(renderer: &Renderer, model: &Model, posed: &Posed<'_>) -> Arc<Geometry> {
    let posed_parts = parts::of_posed(posed);
    let has_bones = posed_parts.iter().any(|part| part.origin.is_none());
    let is_somewhere = posed.positions().iter().all(|position| position.is_finite());
    if !has_bones && is_somewhere {
        return Arc::clone(&model.geometry);
    }
    let is_there = |place: usize, vertex: u32| {
        let part = posed_parts.get(place);
        let position = part.and_then(|part| parts::vertices(posed, part).get(vertex as usize));
        position.is_some_and(|position| position.is_finite())
    };
    let sources = posed_parts.iter().map(|part| Source {
        streams: part.streams,
        vertex_count: part.vertex_count,
        indices: &part.indices,
        topology: part.topology,
        material: part.material,
        node: part.origin.map(|[node, _]| node),
        other_set: model.material(part.material).and_then(|on_device| other_set(&on_device.material)),
    });
    // What the device cannot hold was told with the model.
    let (geometry, _) = Geometry::new(&renderer.device, sources, is_there);
    Arc::new(geometry)
}

fn blend_triangles(
    part: u32,
    posed: &PosedPart<'_>,
    first_vertex: u32,
    vertices: &[Moving],
) -> impl Iterator<Item = BlendTriangle> {
    posed.indices.as_chunks::<3>().0.iter().filter_map(move |triangle| {
        let place = |index: u32| vertices.get(index as usize).map(|vertex| Vec3::from(vertex.place));
        let [a, b, c] = *triangle;
        let (a, b, c) = (place(a)?, place(b)?, place(c)?);
        let (middle, area) = ((a + b + c) / 3.0, (b - a).cross(c - a).length() * 0.5);
        let indices = triangle.map(|index| first_vertex + index);
        middle.is_finite().then_some(BlendTriangle { middle, area, indices, part })
    })
}
