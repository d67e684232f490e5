//! The rules for vertices, whatever their type.

use super::super::raw::{Mesh, VertexType1, VertexType2, VertexType3, Vertices};
use super::{
    INFLUENCE_BONE, INFLUENCE_UNUSED, INFLUENCE_WITHOUT_BONE, NORMAL_NOT_UNIT, TANGENT_NOT_UNIT, VERTEX_NOT_FINITE,
    WEIGHT_RANGE, WEIGHT_SUM,
};
use crate::rules::influences::{self, InfluenceCodes};
use crate::rules::{self, numbers};
use maquette_scene::{Diagnostic, Path, Report};
use zerocopy::little_endian::{F32, I32};

const INFLUENCES: InfluenceCodes = InfluenceCodes {
    joint: &INFLUENCE_BONE,
    sum: &WEIGHT_SUM,
    range: &WEIGHT_RANGE,
    unused: &INFLUENCE_UNUSED,
    without_joint: &INFLUENCE_WITHOUT_BONE,
};

/// What is wrong with a vertex, as bits above those of its influences.
const NOT_FINITE: u32 = 1 << influences::BITS;
const NORMAL: u32 = 2 << influences::BITS;
const TANGENT: u32 = 4 << influences::BITS;

/// The rules for the vertices of one mesh.
pub(super) fn vertices(mesh: &Mesh<'_>, at: &Path, report: &mut Report) {
    match &mesh.vertices {
        Vertices::Type1(vertices) => scan(vertices, mesh, at, report),
        Vertices::Type2(vertices) => scan(vertices, mesh, at, report),
        Vertices::Type3(vertices) => scan(vertices, mesh, at, report),
    }
}

fn scan<V: Judged>(vertices: &[V], mesh: &Mesh<'_>, at: &Path, report: &mut Report) {
    let bone_count = i32::try_from(mesh.bones.len()).unwrap_or(i32::MAX);
    rules::scan(
        report,
        vertices,
        |vertex| vertex.fault_bits(bone_count),
        |index, vertex, fault| describe(vertex, &at.join("vertices").join(index), mesh.bones.len(), fault),
    );
}

/// A vertex of any type, as its rules see it.
trait Judged: Sync {
    /// A bit for each rule it breaks.
    fn fault_bits(&self, bone_count: i32) -> u32;
    /// Its fields of floating-point numbers.
    fn fields(&self) -> Vec<(&'static str, &[F32])>;
    /// Its normal and, where it has one, its tangent.
    fn frame(&self) -> (&[F32; 3], Option<&[F32; 3]>);
    /// The bones that move it, and how much.
    fn influences(&self) -> Option<(&[I32; 4], &[F32; 4])>;
}

#[inline]
fn frame_bits(normal: &[F32; 3], tangent: &[F32; 3]) -> u32 {
    (u32::from(!numbers::is_unit(normal)) * NORMAL) | (u32::from(!numbers::is_unit(tangent)) * TANGENT)
}

impl Judged for VertexType1 {
    #[inline]
    fn fault_bits(&self, _: i32) -> u32 {
        let finite =
            numbers::all_finite(&self.position) & numbers::all_finite(&self.normal) & numbers::all_finite(&self.uv);
        if !finite {
            return NOT_FINITE;
        }
        u32::from(!numbers::is_unit(&self.normal)) * NORMAL
    }

    fn fields(&self) -> Vec<(&'static str, &[F32])> {
        vec![("position", &self.position), ("normal", &self.normal), ("uv", &self.uv)]
    }

    fn frame(&self) -> (&[F32; 3], Option<&[F32; 3]>) {
        (&self.normal, None)
    }

    fn influences(&self) -> Option<(&[I32; 4], &[F32; 4])> {
        None
    }
}

impl Judged for VertexType2 {
    #[inline]
    fn fault_bits(&self, _: i32) -> u32 {
        let finite = numbers::all_finite(&self.position)
            & numbers::all_finite(&self.normal)
            & numbers::all_finite(&self.tangent)
            & numbers::all_finite(&self.uv);
        if !finite {
            return NOT_FINITE;
        }
        frame_bits(&self.normal, &self.tangent)
    }

    fn fields(&self) -> Vec<(&'static str, &[F32])> {
        vec![("position", &self.position), ("normal", &self.normal), ("tangent", &self.tangent), ("uv", &self.uv)]
    }

    fn frame(&self) -> (&[F32; 3], Option<&[F32; 3]>) {
        (&self.normal, Some(&self.tangent))
    }

    fn influences(&self) -> Option<(&[I32; 4], &[F32; 4])> {
        None
    }
}

impl Judged for VertexType3 {
    #[inline]
    fn fault_bits(&self, bone_count: i32) -> u32 {
        let finite = numbers::all_finite(&self.position)
            & numbers::all_finite(&self.normal)
            & numbers::all_finite(&self.tangent)
            & numbers::all_finite(&self.uv)
            & numbers::all_finite(&self.bone_weights);
        if !finite {
            return NOT_FINITE;
        }
        frame_bits(&self.normal, &self.tangent)
            | influences::fault_bits(&self.bone_indices, &self.bone_weights, bone_count)
    }

    fn fields(&self) -> Vec<(&'static str, &[F32])> {
        vec![
            ("position", &self.position),
            ("normal", &self.normal),
            ("tangent", &self.tangent),
            ("uv", &self.uv),
            ("bone_weights", &self.bone_weights),
        ]
    }

    fn frame(&self) -> (&[F32; 3], Option<&[F32; 3]>) {
        (&self.normal, Some(&self.tangent))
    }

    fn influences(&self) -> Option<(&[I32; 4], &[F32; 4])> {
        Some((&self.bone_indices, &self.bone_weights))
    }
}

fn describe<V: Judged>(vertex: &V, at: &Path, bone_count: usize, fault: u32) -> Diagnostic {
    let (normal, tangent) = vertex.frame();
    match (fault, tangent, vertex.influences()) {
        (NORMAL, ..) => {
            let message = format!("the normal has length {}", numbers::length(normal));
            Diagnostic::new(&NORMAL_NOT_UNIT, at.join("normal"), message).expected("length 1")
        }
        (TANGENT, Some(tangent), _) => {
            let message = format!("the tangent has length {}", numbers::length(tangent));
            Diagnostic::new(&TANGENT_NOT_UNIT, at.join("tangent"), message).expected("length 1")
        }
        (..NOT_FINITE, _, Some((bones, weights))) => {
            let places = (at.join("bone_indices"), at.join("bone_weights"));
            influences::describe(&INFLUENCES, (places.0, bones), (places.1, weights), bone_count, fault)
        }
        _ => {
            let fields = vertex.fields();
            let wrong = fields.iter().find(|(_, values)| !numbers::all_finite(values));
            let field = wrong.map_or("position", |(name, _)| name);
            Diagnostic::new(&VERTEX_NOT_FINITE, at.join(field), format!("the {field} is not finite"))
                .expected("finite numbers")
        }
    }
}
