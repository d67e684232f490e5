//! From bytes to records, and which of the layouts the bytes are in.
//!
//! Nothing in a file names its layout. Each is tried in turn, and the ones that end exactly at the last byte are
//! kept. A wrong one nearly always meets an impossible count within a few hundred bytes and stops there; at worst
//! it reads the file once, so the whole search is linear in the file's size.

use super::super::check::{BAD_HEADER, TOO_MANY, TRAILING_BYTES, TRUNCATED};
use super::super::ids::IdSet;
use super::{Animation, Bone, BoneName, Dialect, File, Influence, MAGIC, Material, Matrix, Mesh, Node, VertexWeights};
use crate::bytes::{MAX_SMALL_ITEMS, Reader};
use crate::format::{Error, Result};
use crate::trailing::{self, Gap};
use maquette_scene::{Diagnostic, path};
use std::borrow::Cow;
use zerocopy::FromBytes;
use zerocopy::little_endian::U32;

/// Reads the file in the first of these dialects that fits it, and notes the others that do.
///
/// Where none fits exactly, it is the one that leaves a few bytes, if no other ends near. Where there is none, the error is that of
/// the dialect whose reading made sense for longest.
pub(super) fn parse<'a>(bytes: &'a [u8], dialects: &[Dialect]) -> Result<File<'a>> {
    let sizes = header_sizes(bytes)?;
    let failure = match exactly(bytes, &sizes, dialects) {
        Ok(file) => return Ok(file),
        Err(failure) => failure,
    };
    let near = match dialects {
        [asked] => sizes.first().map(|&size| (size, *asked)),
        _ => only_near(bytes, &sizes, dialects),
    };
    if let Some((header_bytes, dialect)) = near
        && let Ok(mut file) = Attempt::new(Reader::new(bytes, &TRUNCATED), dialect).file(header_bytes)
    {
        let left = trailing::evidence(&file.trailing);
        file.evidence = format!("{}, read in this order, end nearest to the end of the file{left}", dialect.blocks());
        return Ok(file);
    }
    Err(failure.map_or_else(|| bad_header(bytes), |failure| failure.explained(dialects)))
}

/// Reads what there is of a file, in this dialect or in the one whose reading makes sense for longest.
pub(super) fn parse_part(bytes: &[u8], dialect: Option<Dialect>) -> Result<File<'_>> {
    let dialects = dialect.as_ref().map_or(Dialect::ALL, std::slice::from_ref);
    // A header that is cut is all there is.
    let sizes =
        header_sizes(bytes).or_else(|error| bytes.starts_with(MAGIC).then(|| vec![bytes.len()]).ok_or(error))?;
    match exactly(bytes, &sizes, dialects) {
        Ok(file) => Ok(file),
        Err(Some(failure)) => Attempt::of_part(bytes, failure.dialect).file(failure.header_bytes),
        Err(None) => Err(bad_header(bytes)),
    }
}

/// The first reading that leaves nothing, or the failure of the one that made sense for longest.
fn exactly<'a>(
    bytes: &'a [u8],
    sizes: &[usize],
    dialects: &[Dialect],
) -> std::result::Result<File<'a>, Option<Failure>> {
    let mut furthest: Option<Failure> = None;
    for &header_bytes in sizes {
        let mut first: Option<File<'a>> = None;
        for &dialect in dialects {
            match (read_exactly(bytes, header_bytes, dialect), &mut first) {
                (Ok(_), Some(first)) => first.fitting.push(dialect),
                (Ok(file), None) => first = Some(file),
                (Err(failure), _) if furthest.as_ref().is_none_or(|best| failure.reach > best.reach) => {
                    furthest = Some(failure);
                }
                (Err(_), _) => {}
            }
        }
        if let Some(mut file) = first {
            file.evidence = evidence(&file);
            return Ok(file);
        }
    }
    Err(furthest)
}

/// The size of the header and the dialect that leave a few bytes, if nothing else ends near.
///
/// The names of bones at the end of the engine's files are all that sets them apart from `engine-unnamed`, so that leavings behind
/// the names, or names that were cut off, are not told from names left over.
fn only_near(bytes: &[u8], sizes: &[usize], dialects: &[Dialect]) -> Option<(usize, Dialect)> {
    let gap = |(header_bytes, dialect)| Attempt::of_part(bytes, dialect).measured(header_bytes).ok()?.1;
    let ways: Vec<(usize, Dialect)> =
        sizes.iter().flat_map(|&size| dialects.iter().map(move |&dialect| (size, dialect))).collect();
    let is_named = |&(size, dialect): &(usize, Dialect)| {
        dialect == Dialect::EngineUnnamed
            && dialects.contains(&Dialect::Engine)
            && gap((size, Dialect::Engine)).is_some_and(|gap| gap.missing == 0)
    };
    let ways: Vec<(usize, Dialect)> = ways.into_iter().filter(|way| !is_named(way)).collect();
    trailing::only_near(bytes.len() as u64, &ways, gap)
}

/// Why the file is taken for the first of the dialects that fit it.
fn evidence(file: &File<'_>) -> String {
    let mut read = format!("{}, read in this order, end exactly at the file's last byte", file.dialect.blocks());
    let is_lost = |animation: &Animation<'_>| {
        let wanted = file.dialect.matrices_for(animation.duration);
        animation.bones.iter().any(|bone| bone.matrices.len() as u64 != wanted)
    };
    if file.animations.iter().any(is_lost) {
        read.push_str(", if the number of matrices is taken from there and not from the duration, which is 0");
    }
    match file.fitting.split_first() {
        Some((first, others @ [_, ..])) => {
            let names = others.iter().map(|dialect| dialect.id()).collect::<Vec<_>>().join(", ");
            format!("{read}; those of {names} would as well, and {} comes first", first.id())
        }
        _ => format!("{read}; those of no other layout do"),
    }
}

/// How many bytes the header may have: up to a NUL, as every known file has it, or else up to a newline, as one
/// may understand the document.
fn header_sizes(bytes: &[u8]) -> Result<Vec<usize>> {
    let Some(version) = bytes.strip_prefix(MAGIC) else { return Err(bad_header(bytes)) };
    let to_nul = version.iter().position(|&byte| byte == 0);
    let line = version.get(..to_nul.unwrap_or(version.len())).unwrap_or_default();
    let to_newline = line.iter().position(|&byte| byte == b'\n');
    let sizes: Vec<usize> = [to_nul, to_newline].into_iter().flatten().map(|end| MAGIC.len() + end + 1).collect();
    if sizes.is_empty() {
        let finding = Diagnostic::new(&TRUNCATED, path!("header"), "the file ends before the NUL of its header");
        return Err(Error::Malformed(Box::new(finding.expected("a NUL after the version").at_offset(0))));
    }
    Ok(sizes)
}

fn bad_header(bytes: &[u8]) -> Error {
    let begins = String::from_utf8_lossy(bytes.get(..MAGIC.len()).unwrap_or(bytes)).into_owned();
    let finding = Diagnostic::new(&BAD_HEADER, path!("header"), format!("the file begins with {begins:?}"));
    Error::Malformed(Box::new(finding.expected("\"Beo-Model-Wolf Format Version 1\"").at_offset(0)))
}

/// Whether positions lead to something and matrices are those of nodes, as they hardly do in the wrong dialect. What was cut
/// is not judged: the last node, and positions in vertices that may not all be there, unless they are floats.
fn holds_together(file: &File<'_>, is_cut: bool) -> bool {
    const LEAST_FLOAT: usize = 1 << 24;
    let is_mesh_sound = |mesh: &Mesh<'_>| {
        let vertices = if is_cut && mesh.faces.is_empty() { LEAST_FLOAT } else { mesh.vertices.len() };
        let is_vertex = |position: u32| (position as usize) < vertices;
        mesh.weights.iter().all(|weights| is_vertex(weights.vertex_id))
            && mesh.faces.iter().flatten().all(|corner| is_vertex(corner.get()))
    };
    let is_node_sound = |node: &Node<'_>| {
        let [.., last] = node.matrix;
        last.get() == 1.0 && node.mesh_ids.iter().all(|id| (id.get() as usize) < file.meshes.len())
    };
    let nodes = file.nodes.len().saturating_sub(is_cut.into());
    file.meshes.iter().all(is_mesh_sound) && file.nodes.iter().take(nodes).all(is_node_sound)
}

/// An attempt that did not end at the end of the file.
struct Failure {
    header_bytes: usize,
    dialect: Dialect,
    /// Up to where the bytes made sense in this dialect; the most where they did to its end, and only then went on.
    reach: u64,
    error: Error,
}

impl Failure {
    /// The error, saying which of several dialects it speaks of.
    fn explained(mut self, tried: &[Dialect]) -> Error {
        if let (Error::Malformed(finding) | Error::Unsupported(finding), true) = (&mut self.error, tried.len() > 1) {
            let note = format!("; read as {}, the layout that fits the file for longest", self.dialect.id());
            finding.message.push_str(&note);
        }
        self.error
    }
}

/// A reading that leaves nothing.
fn read_exactly(bytes: &[u8], header_bytes: usize, dialect: Dialect) -> std::result::Result<File<'_>, Failure> {
    let mut attempt = Attempt::new(Reader::new(bytes, &TRUNCATED).exactly(), dialect);
    attempt.file(header_bytes).map_err(|error| {
        // Bytes that go on after `engine-unnamed` are the names of `engine` first of all.
        let has_ended = dialect != Dialect::EngineUnnamed
            && error.diagnostic().is_some_and(|finding| finding.code == &TRAILING_BYTES);
        let made_sense = || Attempt::of_part(bytes, dialect).measured(header_bytes).is_ok_and(|(_, gap)| gap.is_some());
        let reach = match has_ended && made_sense() {
            true => u64::MAX,
            false => attempt.reader.position().min(attempt.first_strange_id.unwrap_or(u64::MAX)),
        };
        Failure { header_bytes, dialect, reach, error }
    })
}

/// One reading of the file in one dialect.
struct Attempt<'a> {
    dialect: Dialect,
    reader: Reader<'a>,
    /// Where an animation moves a node that does not exist. That is no error, but where two dialects differ only in
    /// the number of matrices, it tells which of them lost its way.
    first_strange_id: Option<u64>,
}

impl<'a> Attempt<'a> {
    fn new(reader: Reader<'a>, dialect: Dialect) -> Self {
        Attempt { dialect, reader: reader.too_many(&TOO_MANY), first_strange_id: None }
    }

    fn of_part(bytes: &'a [u8], dialect: Dialect) -> Self {
        Attempt::new(Reader::of_part(bytes, &TRUNCATED), dialect)
    }

    /// What there is of the file, and how far its end is from that of the reading; no distance where the reading lost its way.
    fn measured(mut self, header_bytes: usize) -> Result<(File<'a>, Option<Gap>)> {
        let file = self.file(header_bytes)?;
        let gap = Gap { missing: self.reader.missing(), left: file.trailing.len() as u64 };
        let is_astray = self.first_strange_id.is_some() || !holds_together(&file, gap.missing > 0);
        Ok((file, (!is_astray).then_some(gap)))
    }

    fn file(&mut self, header_bytes: usize) -> Result<File<'a>> {
        let mut file = File {
            dialect: self.dialect,
            evidence: String::new(),
            fitting: vec![self.dialect],
            header: self.reader.blob("header", header_bytes as u64)?,
            materials: self.materials()?,
            meshes: Vec::new(),
            nodes: Vec::new(),
            animations: Vec::new(),
            bone_names: Vec::new(),
            trailing: Cow::default(),
        };
        if self.dialect.is_engine() {
            file.animations = self.animations(None)?;
        }
        file.meshes = self.meshes()?;
        file.nodes = self.nodes()?;
        match self.dialect {
            Dialect::Document | Dialect::Day29 => file.animations = self.animations(Some(&file))?,
            Dialect::Engine => file.bone_names = self.bone_names()?,
            Dialect::EngineUnnamed | Dialect::Day14 | Dialect::Day09 => {}
        }
        file.trailing = self.reader.trailing(&TRAILING_BYTES, "block")?;
        Ok(file)
    }

    fn materials(&mut self) -> Result<Vec<Material<'a>>> {
        let count = self.reader.count("material_count")?;
        // The bound on one list would let many lists exceed it together.
        let mut total = 0;
        self.reader.list("materials", count, 4, |reader| {
            let count = reader.count("texture_count")?;
            total += count;
            if total > MAX_SMALL_ITEMS {
                let expected = format!("at most {MAX_SMALL_ITEMS}, so that no file can exhaust memory");
                let message = format!("{total} textures are claimed");
                return reader.within("textures", |reader| Err(reader.unsupported(&TOO_MANY, message, expected)));
            }
            Ok(Material { textures: reader.within("textures", |reader| texts(reader, count as usize))? })
        })
    }

    fn meshes(&mut self) -> Result<Vec<Mesh<'a>>> {
        let dialect = self.dialect;
        let count = self.reader.count("mesh_count")?;
        let counts = 1 + u64::from(dialect.stores_ids()) + u64::from(dialect.stores_faces());
        self.reader.list("meshes", count, 4 * counts, |reader| {
            let mut mesh = Mesh::default();
            if dialect.stores_ids() {
                let count = reader.count("weight_count")?;
                mesh.weights = reader.list("weights", count, 8, vertex_weights)?;
            }
            let count = reader.count("vertex_count")?;
            mesh.vertices = reader.table("vertices", count)?;
            if dialect.stores_faces() {
                let count = reader.count("face_count")?;
                mesh.faces = reader.table("faces", count)?;
            }
            Ok(mesh)
        })
    }

    /// The tree, which is nested on disk, by counting the nodes still to come instead of descending.
    fn nodes(&mut self) -> Result<Vec<Node<'a>>> {
        let dialect = self.dialect;
        let least_bytes = (size_of::<Matrix>() + if dialect.stores_ids() { 12 } else { 8 }) as u64;
        self.reader.within("nodes", |reader| {
            let mut nodes: Vec<Node<'a>> = Vec::new();
            let mut awaited: u64 = 1;
            while awaited > 0 && !reader.is_cut_here() {
                let index = nodes.len();
                let node = reader.within(index, |reader| node(reader, dialect, index))?;
                awaited += u64::from(node.child_count);
                awaited -= 1;
                if awaited * least_bytes > reader.remaining() && !reader.is_part() {
                    return Err(too_many_children(reader, index, &node, least_bytes));
                }
                nodes.push(node);
            }
            Ok(nodes)
        })
    }

    /// The animations; `before` is what was read so far, where that includes the nodes.
    fn animations(&mut self, before: Option<&File<'_>>) -> Result<Vec<Animation<'a>>> {
        let dialect = self.dialect;
        let strange = &mut self.first_strange_id;
        let reader = &mut self.reader;
        let count = reader.count("animation_count")?;
        let known = before.filter(|_| count > 0).map(File::node_ids);
        reader.list("animations", count, 12, |reader| {
            let duration = reader.value::<U32>("duration")?.get();
            let rate = reader.value::<U32>("rate")?.get();
            let bone_count = reader.count("bone_count")?;
            let mut matrices = dialect.matrices_for(duration);
            if let (Some(known), Dialect::Day29, 0, 1) = (&known, dialect, duration, count) {
                matrices = matrices_of_lost_duration(reader.rest(), bone_count, known).unwrap_or(matrices);
            }
            let each = 4 + matrices * size_of::<Matrix>() as u64;
            let bones = reader.list("bones", bone_count, each, |reader| {
                let at = reader.position();
                let node_id = reader.value::<U32>("node_id")?.get();
                if known.as_ref().is_some_and(|known| !known.contains(node_id)) {
                    strange.get_or_insert(at);
                }
                Ok(Bone { node_id, matrices: reader.table("matrices", matrices)? })
            })?;
            Ok(Animation { duration, rate, bones })
        })
    }

    fn bone_names(&mut self) -> Result<Vec<BoneName<'a>>> {
        let count = self.reader.count("bone_name_count")?;
        self.reader.list("bone_names", count, 5, |reader| {
            Ok(BoneName { node_id: reader.value::<U32>("node_id")?.get(), name: reader.text_to_nul("name")? })
        })
    }
}

/// This many texts. Their ends are counted before any is kept: a text takes a byte or more in the file, and far more
/// in memory.
fn texts<'a>(reader: &mut Reader<'a>, count: usize) -> Result<Vec<Cow<'a, [u8]>>> {
    let ends = reader.rest().iter().filter(|&&byte| byte == 0).take(count).count();
    if ends < count && !reader.is_part() {
        let message = format!("{count} texts are claimed, and only {ends} end before the file does");
        return Err(reader.fail(&TRUNCATED, message, "as many NUL bytes as texts"));
    }
    // One more than end may break off.
    let mut texts = Vec::with_capacity(count.min(ends + 1));
    for index in 0..count {
        if reader.is_cut_here() {
            break;
        }
        texts.push(reader.text_to_nul(index)?);
    }
    Ok(texts)
}

fn vertex_weights<'a>(reader: &mut Reader<'a>) -> Result<VertexWeights<'a>> {
    let vertex_id = reader.value::<U32>("vertex_id")?.get();
    let count = reader.count("influence_count")?;
    Ok(VertexWeights { vertex_id, influences: reader.table::<Influence>("influences", count)? })
}

fn node<'a>(reader: &mut Reader<'a>, dialect: Dialect, index: usize) -> Result<Node<'a>> {
    let id = if dialect.stores_ids() { reader.value::<U32>("id")?.get() } else { index as u32 };
    let matrix = reader.value("matrix")?;
    let mesh_count = reader.count("mesh_count")?;
    let mesh_ids = reader.table("mesh_ids", mesh_count)?;
    Ok(Node { id, matrix, mesh_ids, child_count: reader.value::<U32>("child_count")?.get() })
}

/// Nodes are promised that the bytes left cannot hold; `node`, whose count was the last to be read, is at the end
/// of what makes sense. The path begins inside the nodes.
fn too_many_children(reader: &Reader<'_>, index: usize, node: &Node<'_>, least_bytes: u64) -> Error {
    let (children, left) = (node.child_count, reader.remaining());
    let message = format!("{children} children are claimed here, and only {left} bytes are left for all nodes to come");
    let finding = Diagnostic::new(&TRUNCATED, path!(index, "child_count"), message)
        .expected(format!("at most {} nodes, of {least_bytes} bytes or more each", left / least_bytes));
    Error::Malformed(Box::new(finding.at_offset(reader.position() - 4)))
}

/// How many matrices each bone has in the files of October 2019 whose only animation says 0 for its duration and
/// holds matrices all the same. The end of the file tells the number; it is believed only if all the ids that it
/// would put between the matrices are ids of nodes.
fn matrices_of_lost_duration(rest: &[u8], bone_count: u64, known: &IdSet) -> Option<u64> {
    let each = (rest.len() as u64).checked_div(bone_count)?;
    let matrices = each.checked_sub(4)? / size_of::<Matrix>() as u64;
    let is_exact = each * bone_count == rest.len() as u64 && 4 + matrices * size_of::<Matrix>() as u64 == each;
    let is_known = |bone: &[u8]| U32::read_from_prefix(bone).is_ok_and(|(id, _)| known.contains(id.get()));
    (is_exact && matrices > 1 && rest.chunks_exact(each as usize).all(is_known)).then_some(matrices)
}
