//! Rules for meshes: their counts, vertices, indices and textures.

use super::*;
use crate::nlm::raw::{File, Mesh, Topology, Vertex};
use crate::nlm::texture::{self, End};
use crate::rules::influences::{self, InfluenceCodes};
use crate::rules::{Tally, images, scan};
use std::collections::HashSet;
use zerocopy::little_endian::U32;

pub fn check(file: &File<'_>, report: &mut Report) {
    if file.meshes.is_empty() {
        report.push(Diagnostic::new(&NO_MESHES, path!("mesh_count"), "the file has no meshes"));
    }
    let bones = Bones::of(file);
    for (index, mesh) in file.meshes.iter().enumerate() {
        count_of_indices(index, mesh, report);
        vertices(index, mesh, &bones, report);
        indices(index, mesh, report);
        embedded_texture(index, mesh, report);
    }
}

fn count_of_indices(index: usize, mesh: &Mesh<'_>, report: &mut Report) {
    let at = path!("meshes", index, "index_count");
    let count = mesh.indices.len();
    if count == 0 {
        report.push(Diagnostic::new(&MESH_EMPTY, at, "the mesh has no indices"));
    } else if mesh.topology() == Topology::Lines {
        report.push(Diagnostic::new(&MESH_LINES, at, format!("the mesh has {count} indices")));
    } else if !count.is_multiple_of(3) {
        let finding = Diagnostic::new(&MESH_INDEX_COUNT, at, format!("the mesh has {count} indices"));
        report.push(finding.expected("a multiple of 3 for triangles, or an even number for lines"));
    }
}

/// The bone indices that vertices may use.
struct Bones {
    /// In words, and for the common case that the indices are 0 to one less than this.
    count: usize,
    /// Where they are not.
    irregular: Option<HashSet<i32>>,
    animated: bool,
}

impl Bones {
    fn of(file: &File<'_>) -> Bones {
        let bones = file.animation.as_ref().map(|animation| &animation.bone_info[..]).unwrap_or_default();
        let known: HashSet<i32> = bones.iter().map(|bone| bone.bone_index.get()).collect();
        let in_range = |&index: &i32| usize::try_from(index).is_ok_and(|index| index < bones.len());
        let regular = known.len() == bones.len() && known.iter().all(in_range);
        Bones { count: bones.len(), irregular: (!regular).then_some(known), animated: file.animation.is_some() }
    }

    fn bound(&self) -> i32 {
        match self.irregular {
            None => i32::try_from(self.count).unwrap_or(i32::MAX),
            Some(_) => i32::MAX,
        }
    }
}

const INFLUENCES: InfluenceCodes = InfluenceCodes {
    joint: &INFLUENCE_BONE,
    sum: &WEIGHT_SUM,
    range: &WEIGHT_RANGE,
    unused: &INFLUENCE_UNUSED,
    without_joint: &INFLUENCE_WITHOUT_BONE,
};

/// What is wrong with the rest of a vertex, as bits above those of its influences.
const NOT_FINITE: u32 = 1 << influences::BITS;
const NORMAL: u32 = 2 << influences::BITS;
const COLOR: u32 = 4 << influences::BITS;
const UNBOUND: u32 = 8 << influences::BITS;
const BONE: u32 = 16 << influences::BITS;

/// Importers compute colours; a last digit above 1 is no fault.
const LARGEST_COLOR: f32 = 1.0 + 1e-4;

#[inline]
fn vertex_fault_bits(vertex: &Vertex, topology: Topology, bones: &Bones, bound: i32) -> u32 {
    let finite = numbers::all_finite(&vertex.position)
        & numbers::all_finite(&vertex.color)
        & numbers::all_finite(&vertex.normal)
        & numbers::all_finite(&vertex.uv)
        & numbers::all_finite(&vertex.bone_weights);
    if !finite {
        return NOT_FINITE;
    }
    let none_needed = (topology == Topology::Lines) & (numbers::length_squared(&vertex.normal) == 0.0);
    let in_range = |x: &F32| (x.get() >= 0.0) & (x.get() <= LARGEST_COLOR);
    let [r, g, b] = &vertex.color;
    let mut weights = 0;
    for weight in &vertex.bone_weights {
        weights |= numbers::magnitude_bits(*weight);
    }
    let unknown = bones.irregular.as_ref().is_some_and(|known| unknown_bone(vertex, known).is_some());
    (u32::from(!numbers::is_unit(&vertex.normal) & !none_needed) * NORMAL)
        | (u32::from(!(in_range(r) & in_range(g) & in_range(b))) * COLOR)
        | (u32::from(bones.animated & (weights == 0)) * UNBOUND)
        | (u32::from(unknown) * BONE)
        | influences::fault_bits(&vertex.bone_ids, &vertex.bone_weights, bound)
}

/// The first slot whose bone is not among the known ones.
fn unknown_bone(vertex: &Vertex, known: &HashSet<i32>) -> Option<(usize, i32)> {
    let ids = vertex.bone_ids.iter().map(|id| id.get()).enumerate();
    ids.filter(|&(_, id)| id >= 0).find(|(_, id)| !known.contains(id))
}

fn vertices(mesh_index: usize, mesh: &Mesh<'_>, bones: &Bones, report: &mut Report) {
    let (topology, bound) = (mesh.topology(), bones.bound());
    if mesh.vertices.is_empty() {
        return;
    }
    scan(
        report,
        &mesh.vertices,
        |vertex| vertex_fault_bits(vertex, topology, bones, bound),
        |index, vertex, fault| describe(path!("meshes", mesh_index, "vertices", index), vertex, bones, fault),
    );
}

fn describe(vertex_at: Path, vertex: &Vertex, bones: &Bones, fault: u32) -> Diagnostic {
    let at = |field: &'static str| vertex_at.join(field);
    match fault {
        NOT_FINITE => {
            let fields: [(&'static str, &[F32]); 5] = [
                ("position", &vertex.position),
                ("color", &vertex.color),
                ("normal", &vertex.normal),
                ("uv", &vertex.uv),
                ("bone_weights", &vertex.bone_weights),
            ];
            numbers::not_finite(&VERTEX_NOT_FINITE, &fields, at)
        }
        NORMAL => {
            let message = format!("the normal has length {}", numbers::length(&vertex.normal));
            Diagnostic::new(&NORMAL_NOT_UNIT, at("normal"), message).expected("length 1")
        }
        COLOR => {
            let message = format!("the colour is {:?}", vertex.color.map(F32::get));
            Diagnostic::new(&COLOR_OUT_OF_RANGE, at("color"), message).expected("numbers from 0 to 1")
        }
        UNBOUND => Diagnostic::new(&VERTEX_UNBOUND, at("bone_weights"), "all weights are 0")
            .expected("weights that add up to 1"),
        BONE => {
            let known = bones.irregular.as_ref();
            let (slot, bone) = known.and_then(|known| unknown_bone(vertex, known)).unwrap_or_default();
            let finding = Diagnostic::new(&INFLUENCE_BONE, at("bone_ids").join(slot), format!("the bone is {bone}"));
            finding.expected("-1 for none, or a bone index from the bone info")
        }
        _ => influences::describe(
            &INFLUENCES,
            (at("bone_ids"), &vertex.bone_ids),
            (at("bone_weights"), &vertex.bone_weights),
            bones.count,
            fault,
        ),
    }
}

fn indices(mesh_index: usize, mesh: &Mesh<'_>, report: &mut Report) {
    let table = path!("meshes", mesh_index, "indices");
    numbers::indices_in_range(
        report,
        &INDEX_OUT_OF_RANGE,
        &table,
        &mesh.indices,
        mesh.vertices.len(),
        "vertices in this mesh",
    );
    match mesh.topology() {
        Topology::Triangles => numbers::triangles_have_area(report, &TRIANGLE_DEGENERATE, &table, &mesh.indices),
        Topology::Lines => lines_have_length(report, &table, &mesh.indices),
    }
}

fn lines_have_length(report: &mut Report, table: &Path, indices: &[U32]) {
    let mut tally = Tally::default();
    for (line, ends) in indices.as_chunks::<2>().0.iter().enumerate() {
        let [a, b] = ends.map(U32::get);
        if a == b {
            tally.hit(report, || {
                let finding = Diagnostic::new(&LINE_DEGENERATE, table.join(2 * line), format!("both ends are {a}"));
                finding.expected("two different vertices")
            });
        }
    }
    tally.finish(report);
}

fn embedded_texture(index: usize, mesh: &Mesh<'_>, report: &mut Report) {
    let bytes = &mesh.texture[..];
    if bytes.is_empty() {
        return;
    }
    let at = path!("meshes", index, "texture");
    match images::image_kind(bytes).map(|kind| (kind, texture::end(bytes, kind))) {
        None => {
            let begins = bytes.get(..8).unwrap_or(bytes);
            let finding = Diagnostic::new(&TEXTURE_UNKNOWN, at, format!("the texture begins with {begins:02x?}"));
            report.push(finding.expected("an image file such as JPEG or PNG"));
        }
        Some((kind, End::Missing)) => {
            let message = format!("the {} bytes end before the {kind} does", bytes.len());
            report.push(Diagnostic::new(&TEXTURE_CUT, at, message).expected("a whole image"));
        }
        Some((kind, End::At(end))) if end < bytes.len() => {
            let message = format!("the {kind} ends after {end} of {} bytes", bytes.len());
            report.push(Diagnostic::new(&TEXTURE_TRAILING, at.join(end), message).times((bytes.len() - end) as u64));
        }
        Some(_) => {}
    }
    if let [first, rest @ ..] = &mesh.vertices[..]
        && rest.iter().all(|vertex| vertex.uv == first.uv)
    {
        let message = format!("the texture coordinates are {:?} everywhere", first.uv.map(F32::get));
        report.push(Diagnostic::new(&TEXTURE_WITHOUT_UVS, path!("meshes", index, "vertices"), message));
    }
}
