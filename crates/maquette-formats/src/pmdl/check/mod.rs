//! What a PMDL file must hold to be loaded as meant, rule by rule, and the code for each broken one.
//!
//! The document promises little; most rules are what the engine that reads these files relies on. Places are named
//! by path. Vertices and indices are scanned at memory speed and looked at closely only where something is wrong.

mod bones;
mod companions;
mod vertices;

pub(super) use bones::broken_hierarchy;

use super::raw::{File, Indices, Mesh, VERSION, Vertices};
use crate::format::Source;
use crate::rules::{names, numbers};
use crate::trailing;
use maquette_scene::{Diagnostic, Path, Report, codes, path};

codes! {
    /// Every PMDL file begins with the four letters PMDL. Another beginning means another format, or a file that
    /// was damaged or compressed on the way.
    ///
    /// Unpack the file if it is compressed, and fetch or export it again if it is damaged; `maquette info` names the
    /// other kinds of file that it knows.
    BAD_MAGIC = "PMDL0001" "bad-magic" Error;
    /// A count or a length asks for more bytes than the file has left: the file was cut short, or the number is
    /// damaged. The part named here is the first that does not fit.
    ///
    /// Copy, fetch or export the file again; `maquette dump` shows what there is of it.
    TRUNCATED = "PMDL0002" "truncated" Error;
    /// The file goes on after the last mesh, by more than the few bytes that are let pass, or so that several layouts end
    /// near. The layout is told from the size, so no more may follow; either a count is too small or something was
    /// appended.
    ///
    /// Cut the rest off if nothing is missing; otherwise correct the count that is too small, or export the file again.
    TRAILING_BYTES = "PMDL0003" "trailing-bytes" Error;
    /// The vertex type tells how long a vertex is. With an unknown one nothing after it can be found, and the
    /// reference reader ends the program.
    ///
    /// Write 1, 2 or 3, whichever is the length of the vertices: 32, 44 or 76 bytes. Another number is usually damage,
    /// or a count before it is wrong.
    VERTEX_TYPE_UNKNOWN = "PMDL0004" "vertex-type-unknown" Error;
    /// The index type tells how long an index is. With an unknown one nothing after it can be found, and the
    /// reference reader ends the program.
    ///
    /// Write 1 for indices of four bytes, or 0 where there are none. Another number is usually damage, or a count
    /// before it is wrong.
    INDEX_TYPE_UNKNOWN = "PMDL0005" "index-type-unknown" Error;
    /// Only version 0 exists. Readers ignore the number, so the file loads.
    ///
    /// Write 0 unless a newer layout is meant.
    VERSION_NOT_ZERO = "PMDL0006" "version-not-zero" Warning;
    /// A model without meshes shows nothing, and its dialect cannot be told.
    ///
    /// Nothing has to be done if that is meant; otherwise look whether the source has anything to export, or whether it
    /// was hidden.
    NO_MESHES = "PMDL0007" "no-meshes" Info;

    /// An index points past the last vertex of its mesh. Engines upload indices as they are, and the GPU reads
    /// memory that is not a vertex.
    ///
    /// Correct the index or leave the triangle out; an exporter that numbers the vertices anew does so.
    INDEX_OUT_OF_RANGE = "PMDL0010" "index-out-of-range" Error;
    /// Indices are drawn as triangles, three at a time; the last one or two draw nothing. A line or a point in the
    /// source model gets into a file this way, and shifts every triangle after it.
    ///
    /// Take lines and points out of the source, or triangulate it, and export again.
    INDICES_NOT_TRIANGLES = "PMDL0011" "indices-not-triangles" Warning;
    /// Without indices the vertices are drawn as triangles, three at a time; the last one or two draw nothing.
    ///
    /// Triangulate the source and export it again.
    VERTICES_NOT_TRIANGLES = "PMDL0012" "vertices-not-triangles" Warning;
    /// Two corners of a triangle are the same vertex. It covers no pixel and spoils generated tangents.
    ///
    /// Nothing has to be done about a few; the modelling program removes them as degenerate faces.
    TRIANGLE_DEGENERATE = "PMDL0013" "triangle-degenerate" Info;
    /// Index type 0 means that no indices are stored, yet some are counted. The reference reader makes that many
    /// indices of value 0 and draws nothing; others draw the vertices in order.
    ///
    /// Set the count to 0.
    INDICES_CLAIMED = "PMDL0014" "indices-claimed-but-absent" Warning;
    /// A mesh without vertices or with an empty list of indices draws nothing.
    ///
    /// Nothing has to be done; leave the mesh out to be rid of it, or look into the source if it should show something.
    MESH_EMPTY = "PMDL0015" "mesh-empty" Info;
    /// The indices use exactly as many vertices as fit if each took 44 bytes, not the 32 of vertex type 1. pacaconvert
    /// writes meshes without tangents so; read as type 1 they are a tangle.
    ///
    /// Correct the type to 2 and the count to the one given here.
    VERTICES_OF_44_BYTES = "PMDL0016" "vertices-look-like-44-bytes" Warning;
    /// The last vertices are used by no index: dead weight, or the sign of a wrong count or vertex type.
    ///
    /// Look whether the count and the vertex type are right; if they are, nothing has to be done, and leaving the
    /// vertices out saves memory.
    VERTICES_UNUSED = "PMDL0017" "vertices-unused" Info;

    /// An empty name cannot be looked up, and an engine that keeps models by name overwrites one with the next.
    ///
    /// Give the model a name.
    NAME_EMPTY = "PMDL0020" "name-empty" Info;
    /// A mesh names no material. The engine looks materials up by name and stops when there is none.
    ///
    /// Write the name of the material into the mesh, as its `.pmat` has it.
    MATERIAL_NAME_EMPTY = "PMDL0021" "material-name-empty" Warning;
    /// An animation's name is empty. The engine looks animations up by name and stops when there is none.
    ///
    /// Write the name of the animation, as its `.pani` has it, or take the entry out.
    ANIMATION_NAME_EMPTY = "PMDL0022" "animation-name-empty" Warning;
    /// The document calls names text and names no encoding; everything else in the field is UTF-8, and tools that
    /// assume it show this name garbled.
    ///
    /// Rename it in the source, in plain letters if old tools must read it, and export again.
    NAME_NOT_UTF8 = "PMDL0023" "name-not-utf8" Warning;
    /// A name holds a NUL byte. Names are measured by their length, so the byte is part of the name; C code ends
    /// the name there and no longer finds what it stands for.
    ///
    /// Rename it in the source without the NUL, and export again.
    NAME_HOLDS_NUL = "PMDL0024" "name-holds-nul" Warning;
    /// Two bones of a mesh have one name; a lookup by name finds only one of them, and the converter gives both the
    /// same animation.
    ///
    /// Rename one of the bones in the source and export again.
    BONE_NAME_DUPLICATE = "PMDL0025" "bone-name-duplicate" Warning;
    /// A mesh lists one animation twice; the second mention can never be told from the first.
    ///
    /// Take one of the mentions out.
    ANIMATION_NAME_DUPLICATE = "PMDL0026" "animation-name-duplicate" Warning;

    /// The engine's shaders hold 100 bones; those beyond are written past the end of the array.
    ///
    /// Remove bones that move nothing, or split the model into several.
    TOO_MANY_BONES = "PMDL0030" "too-many-bones" Warning;
    /// A mesh has bones, and its vertices are of a type without weights, so nothing follows the bones. The document
    /// has no other type; the engine takes such a mesh as static.
    ///
    /// Write the model with `--dialect engine`, which has vertices with weights, if it is to move; otherwise nothing
    /// has to be done.
    BONES_WITHOUT_WEIGHTS = "PMDL0031" "bones-without-weights" Info;
    /// Vertices of type 3 carry weights, and the mesh has no bones for them. The engine takes the mesh as animated and
    /// looks into an empty skeleton.
    ///
    /// Use type 2.
    WEIGHTS_WITHOUT_BONES = "PMDL0032" "weights-without-bones" Warning;
    /// A bone's parent is an earlier bone or -1. The engine stops at any other.
    ///
    /// Write the position of the parent, or -1 to make the bone a root.
    PARENT_OUT_OF_RANGE = "PMDL0033" "bone-parent-out-of-range" Error;
    /// A bone is its own ancestor, so its pose cannot be computed. The engine stops at it; others climb forever.
    ///
    /// Give one of the bones in the circle its real parent, or -1 to make it a root.
    PARENT_CYCLE = "PMDL0034" "bone-parent-cycle" Error;
    /// A bone comes before its parent. The engine computes poses in file order and stops at it.
    ///
    /// Sort parents first.
    BONE_BEFORE_PARENT = "PMDL0035" "bone-before-parent" Error;
    /// The parents of the bones are 0, 1, 2 and so on, which makes each its own parent. They are ids, as in the
    /// document, in a file that is otherwise the engine's; the hierarchy is lost.
    ///
    /// Convert it with `--read-dialect document`, or write the real parents: the position of each, -1 for a root.
    PARENTS_LOOK_LIKE_IDS = "PMDL0036" "parents-look-like-ids" Error;
    /// The ids of the bones are -1 and earlier positions, which are parents, as the engine writes them, in a file
    /// that otherwise follows the document. Reading them as ids loses the hierarchy.
    ///
    /// Convert it with `--read-dialect engine`, and compare the skeleton.
    IDS_LOOK_LIKE_PARENTS = "PMDL0037" "ids-look-like-parents" Warning;
    /// Two bones of a mesh have one id, so it is unclear which of them is meant.
    ///
    /// Number the bones 0, 1, 2 and so on, in their order.
    BONE_ID_DUPLICATE = "PMDL0038" "bone-id-duplicate" Warning;
    /// Bone ids are not 0, 1, 2 and so on. The document does not say whether a bone is found by its id or by its
    /// place in the list, and readers that take the place disagree with those that take the id.
    ///
    /// Number the bones 0, 1, 2 and so on, in their order, so that both readings agree.
    BONE_ID_NOT_POSITION = "PMDL0039" "bone-id-not-position" Warning;
    /// A bone's matrix holds a NaN or an infinity; everything the bone moves disappears.
    ///
    /// Look for a scale of 0 or a broken constraint at this place in the source, mend it, and export again.
    MATRIX_NOT_FINITE = "PMDL0040" "offset-matrix-not-finite" Error;
    /// The last row of a bone's matrix is not 0 0 0 1. It may be stored in the other order than the dialect's:
    /// row by row in the document, column by column in the engine.
    ///
    /// Read the file with the other `--matrix-order` and compare; if that is right, write it so that order and dialect
    /// agree.
    MATRIX_NOT_AFFINE = "PMDL0041" "offset-matrix-not-affine" Warning;
    /// A bone's matrix flattens space, so its rest pose cannot be recovered, and what the bone moves is drawn flat.
    ///
    /// Look for a scale of 0 at this place in the source, give it another, and export again.
    MATRIX_DEGENERATE = "PMDL0042" "offset-matrix-degenerate" Warning;
    /// Meshes have different skeletons. An animation keeps its bones by position, so one made for the first
    /// skeleton moves the wrong bones of the other.
    ///
    /// Bind all meshes to one skeleton in the source and export again, or make a model and an animation of each.
    SKELETONS_DIFFER = "PMDL0043" "skeletons-differ" Warning;
    /// Meshes list different animations. It is legal; the converter lists all animations at every mesh, and a player
    /// that takes the first mesh's list for the whole model leaves meshes behind.
    ///
    /// Nothing has to be done; list all animations at every mesh for such players.
    ANIMATIONS_DIFFER = "PMDL0044" "animations-differ" Info;
    /// Animations are named, and no mesh has bones for them to move.
    ///
    /// Nothing has to be done for a static model; take the names out, or export it with its skeleton if it is to move.
    ANIMATIONS_WITHOUT_BONES = "PMDL0045" "animations-without-bones" Info;

    /// A vertex holds a NaN or an infinity. It tears its triangles across the screen and spoils bounding boxes.
    ///
    /// Find the object in the source that the place names, such as one with a scale of 0, mend it, and export again.
    VERTEX_NOT_FINITE = "PMDL0050" "vertex-not-finite" Error;
    /// A normal is not of unit length; lighting is too bright or too dark there. The converter writes zeros where
    /// the source has no normals.
    ///
    /// Have the modelling program compute the normals anew, or divide each by its length, and export again.
    NORMAL_NOT_UNIT = "PMDL0051" "normal-not-unit" Warning;
    /// A tangent is not of unit length, so normal maps are read too strong or too weak.
    ///
    /// Compute the tangents anew after the normals, or divide each by its length.
    TANGENT_NOT_UNIT = "PMDL0052" "tangent-not-unit" Warning;
    /// An influence names a bone that the mesh does not have; the shader reads past the end of the bones.
    ///
    /// Name a bone that is there, or give the influence weight 0 and bone -1, and the other influences the rest of the
    /// weight.
    INFLUENCE_BONE = "PMDL0053" "influence-bone-out-of-range" Error;
    /// The weights of a vertex add up to 1, or to 0 where no bone moves it. The converter keeps four influences and
    /// drops the rest without making up for them, which pulls the vertex towards the origin as it moves.
    ///
    /// Normalise the weights in the modelling program and export again, or divide each by their sum.
    WEIGHT_SUM = "PMDL0054" "weights-do-not-sum" Warning;
    /// A weight is below 0 or above 1; the vertex is pushed away from a bone instead of following it.
    ///
    /// Normalise the weights in the modelling program, which also brings them between 0 and 1, and export again.
    WEIGHT_RANGE = "PMDL0055" "weight-out-of-range" Warning;
    /// An influence of weight 0 names a bone; the engine's own files have -1 (0xFFFFFFFF) there. It moves nothing,
    /// but readers that count influences by their bones count too many.
    ///
    /// Nothing has to be done for the engine; write -1 where a reader counts influences by their bones.
    INFLUENCE_UNUSED = "PMDL0056" "unused-influence-has-bone" Info;
    /// An influence has weight and no bone; the vertex loses that share of its motion.
    ///
    /// Give the weight to a bone, or set it to 0 and give its share to the other influences.
    INFLUENCE_WITHOUT_BONE = "PMDL0057" "weight-without-bone" Warning;

    /// There is no companion file `.pmat` of the model's name. Meshes name materials and do not hold them; without the file the
    /// model shows no textures. The engine finds materials in any file it was told to load.
    ///
    /// Put the `.pmat` beside the model, under its name, if it is to be converted with its textures.
    MATERIAL_FILE_MISSING = "PMDL0060" "material-file-missing" Info;
    /// The companion `.pmat` holds a material that no mesh names, so the engine stops for want of the one that is
    /// named. The converter writes every material to the same file, and only the last is left there.
    ///
    /// Rename one of the two, or put the right `.pmat` beside the model.
    MATERIAL_FILE_OTHER = "PMDL0061" "material-file-of-another-name" Warning;
    /// Animations are listed and there is no companion file `.pani` of the model's name. Without the file the model stands
    /// still. The engine finds animations in any file it was told to load.
    ///
    /// Put the `.pani` beside the model, under its name, if it is to be converted with its motion.
    ANIMATION_FILE_MISSING = "PMDL0062" "animation-file-missing" Info;
    /// The companion `.pani` holds an animation that no mesh lists, so it is never played.
    ///
    /// Rename one of the two.
    ANIMATION_FILE_OTHER = "PMDL0063" "animation-file-of-another-name" Warning;
    /// The companion `.pani` is made for another number of bones. Bones are matched by position; the engine
    /// walks the animation's bones through the skeleton and reads past its end, or leaves bones without a pose.
    ///
    /// Make the animation anew from the model's own skeleton, or put the one that belongs to it there.
    ANIMATION_FILE_BONES = "PMDL0064" "animation-file-bones" Error;
    /// A companion file has the name of the model's material or animation and is no such file. The model is read
    /// without it, and the engine fails to load it.
    ///
    /// Put the right file there, or rename the one that is in its place.
    COMPANION_UNREADABLE = "PMDL0065" "companion-unreadable" Warning;

    /// A few bytes follow the last mesh: no more than 4096, nor than the file has before them. The engine reads what
    /// the counts say and never sees them.
    ///
    /// A tool that copied or packed the file may have left them, or a count is too small; cut them off if nothing is
    /// missing. They stay when the file is written back as it is, and are lost in every other conversion.
    EXTRA_BYTES = "PMDL0066" "extra-bytes" Warning;
}

/// Applies every rule.
pub fn check(file: &File<'_>, source: &Source<'_>, report: &mut Report) {
    header(file, report);
    for (index, mesh) in file.meshes.iter().enumerate() {
        let at = path!("meshes", index);
        mesh_names(mesh, &at, report);
        primitives(mesh, &at, report);
        bones::bones(file.dialect, mesh, &at, report);
        vertices::vertices(mesh, &at, report);
    }
    bones::skeletons_agree(file, report);
    animations_agree(file, report);
    trailing::check(&file.trailing, &EXTRA_BYTES, report);
    companions::check(file, source, report);
}

fn header(file: &File<'_>, report: &mut Report) {
    if file.version != VERSION {
        let finding =
            Diagnostic::new(&VERSION_NOT_ZERO, path!("header", "version"), format!("the version is {}", file.version));
        report.push(finding.expected("0"));
    }
    if file.meshes.is_empty() {
        let finding = Diagnostic::new(&NO_MESHES, path!("header", "mesh_count"), "the model has no meshes");
        report.push(finding.expected("at least one"));
    }
    names::not_empty(report, &NAME_EMPTY, path!("header", "name_bytes"), &file.name);
    text(report, || path!("name"), &file.name);
}

/// What holds for every name.
fn text(report: &mut Report, at: impl Fn() -> Path, name: &[u8]) {
    names::utf8(report, &NAME_NOT_UTF8, at(), name);
    names::no_nul(report, &NAME_HOLDS_NUL, at(), name);
}

fn mesh_names(mesh: &Mesh<'_>, at: &Path, report: &mut Report) {
    let material_length = at.join("header").join("material_name_bytes");
    names::not_empty(report, &MATERIAL_NAME_EMPTY, material_length, &mesh.material_name);
    text(report, || at.join("material_name"), &mesh.material_name);
    let animation = |index: usize, field: &'static str| at.join("animations").join(index).join(field);
    for (index, name) in mesh.animations.iter().enumerate() {
        names::not_empty(report, &ANIMATION_NAME_EMPTY, animation(index, "name_bytes"), name);
        text(report, || animation(index, "name"), name);
    }
    let animations = mesh.animations.iter().map(AsRef::as_ref);
    names::unique(report, &ANIMATION_NAME_DUPLICATE, animations, |index| animation(index, "name"));
    let bone = |index: usize, field: &'static str| at.join("bones").join(index).join(field);
    for (index, name) in mesh.bones.iter().map(|bone| &bone.name).enumerate() {
        names::not_empty(report, &NAME_EMPTY, bone(index, "name_bytes"), name);
        text(report, || bone(index, "name"), name);
    }
    let bones = mesh.bones.iter().map(|bone| bone.name.as_ref());
    names::unique(report, &BONE_NAME_DUPLICATE, bones, |index| bone(index, "name"));
}

fn primitives(mesh: &Mesh<'_>, at: &Path, report: &mut Report) {
    let field = |name: &'static str| at.join("header").join(name);
    let count = mesh.vertices.len();
    if count == 0 {
        let finding = Diagnostic::new(&MESH_EMPTY, field("vertex_count"), "the mesh has no vertices");
        report.push(finding.expected("at least three"));
    }
    match &mesh.indices {
        Indices::Absent { claimed } => {
            if *claimed > 0 {
                let message = format!("{claimed} indices are counted and index type 0 stores none");
                report.push(Diagnostic::new(&INDICES_CLAIMED, field("index_count"), message).expected("0"));
            }
            if !count.is_multiple_of(3) {
                let message = format!("the mesh has {count} vertices and no indices");
                let finding = Diagnostic::new(&VERTICES_NOT_TRIANGLES, field("vertex_count"), message);
                report.push(finding.expected("a multiple of 3"));
            }
        }
        Indices::U32(indices) => {
            if indices.is_empty() && count > 0 {
                let finding = Diagnostic::new(&MESH_EMPTY, field("index_count"), "the mesh has no indices");
                report.push(finding.expected("at least three, or index type 0"));
            }
            if !indices.len().is_multiple_of(3) {
                let message = format!("the mesh has {} indices", indices.len());
                let finding = Diagnostic::new(&INDICES_NOT_TRIANGLES, field("index_count"), message);
                report.push(finding.expected("a multiple of 3"));
            }
            let table = at.join("indices");
            numbers::indices_in_range(report, &INDEX_OUT_OF_RANGE, &table, indices, count, "vertices in this mesh");
            numbers::triangles_have_area(report, &TRIANGLE_DEGENERATE, &table, indices);
            vertices_used(mesh, at, report);
        }
    }
}

/// Compares the vertices with the largest index.
fn vertices_used(mesh: &Mesh<'_>, at: &Path, report: &mut Report) {
    let count = mesh.vertices.len() as u64;
    let used = mesh.indices.stored().iter().fold(0, |used, index| used.max(u64::from(index.get()) + 1));
    if used == 0 || used >= count {
        return;
    }
    if matches!(mesh.vertices, Vertices::Type1(_)) && used * 44 == count * 32 {
        let message = format!("{count} vertices of 32 bytes are as long as {used} of 44, and the indices use {used}");
        let finding = Diagnostic::new(&VERTICES_OF_44_BYTES, at.join("header").join("vertex_type"), message);
        report.push(finding.expected(format!("vertex type 2 and a vertex count of {used}")));
        return;
    }
    let message = format!("vertices {used} to {} are used by no index", count - 1);
    let place = at.join("vertices").join(usize::try_from(used).unwrap_or(usize::MAX));
    report.push(Diagnostic::new(&VERTICES_UNUSED, place, message).times(count - used));
}

fn animations_agree(file: &File<'_>, report: &mut Report) {
    let Some(first) = file.meshes.first() else { return };
    for (index, mesh) in file.meshes.iter().enumerate() {
        if mesh.animations != first.animations {
            let message = "the list of animations is not that of meshes[0]";
            let at = path!("meshes", index, "header", "animation_count");
            report.push(Diagnostic::new(&ANIMATIONS_DIFFER, at, message).expected("the same list for every mesh"));
        }
    }
    let named = file.meshes.iter().position(|mesh| !mesh.animations.is_empty());
    if let Some(index) = named.filter(|_| file.meshes.iter().all(|mesh| mesh.bones.is_empty())) {
        let at = path!("meshes", index, "header", "animation_count");
        report.push(Diagnostic::new(&ANIMATIONS_WITHOUT_BONES, at, "animations are named and no mesh has bones"));
    }
}
