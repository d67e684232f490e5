//! What the AEM document promises, rule by rule, and the code for each broken one.
//!
//! The rules run over the parsed tables and name places by path. Bulk tables are scanned branch-free and
//! looked at closely only where something is wrong.

use super::mips::{self, Chain};
use super::raw::{CHANNELS, COMPRESSION, Dialect, File, Keyframe, MATERIAL_TYPE, Track, Vertex, WRAP};
use crate::layout::FixedText;
use crate::rules::influences::{self, InfluenceCodes};
use crate::rules::keys::{self, TimeCodes};
use crate::rules::matrices::{self, MatrixCodes, MatrixOrder};
use crate::rules::parents::{self, ParentCodes};
use crate::rules::{self, gaps, index_into, known, names, numbers};
use crate::summary::shown;
use crate::trailing;
use maquette_scene::glam::Vec4;
use maquette_scene::{Diagnostic, Path, Report, codes, path};

codes! {
    /// Every AEM file begins with the three letters AEM. Another beginning means another format, or a file
    /// that was damaged or compressed on the way.
    ///
    /// Unpack the file if it is compressed, and fetch or export it again if it is damaged; `maquette info` names the
    /// other kinds of file that it knows.
    BAD_MAGIC = "AEM0001" "bad-magic" Error;
    /// Only version 1 is described. Earlier experiments of 2022 and 2023 used the same magic for quite different
    /// layouts, which libaem no longer reads either.
    ///
    /// Convert the source again, with the present converter or with `maquette convert`.
    UNSUPPORTED_VERSION = "AEM0002" "unsupported-version" Error;
    /// The header's counts ask for more bytes than the file has: it was cut short, or a count is damaged. The
    /// table named here is the first that does not fit.
    ///
    /// Copy, fetch or export the file again; `maquette dump` shows what there is of it.
    TRUNCATED = "AEM0003" "truncated" Error;
    /// The file goes on after the last table, by more than the few bytes that are let pass, or so that several layouts end
    /// near. The layout is told from the size, so no more may follow; libaem would ignore the rest.
    ///
    /// Cut the rest off if nothing is missing; otherwise correct the count that is too small, or export the file again.
    TRAILING_BYTES = "AEM0004" "trailing-bytes" Error;

    /// An index points past the last vertex. Engines upload the indices as they are, and the GPU reads memory
    /// that is not a vertex.
    ///
    /// Correct the index or leave the triangle out; an exporter that numbers the vertices anew does so.
    INDEX_OUT_OF_RANGE = "AEM0010" "index-out-of-range" Error;
    /// A mesh claims indices beyond the end of the index table. A loader that trusts the range draws whatever lies
    /// behind the table.
    ///
    /// Correct the first index or the count of the mesh, or export the model again.
    MESH_RANGE = "AEM0011" "mesh-range-out-of-bounds" Error;
    /// Meshes are lists of triangles, so their index count is a multiple of three; the last corner or two draw
    /// nothing.
    ///
    /// Triangulate the source and export it again, or lower the count to a multiple of three.
    MESH_NOT_TRIANGLES = "AEM0012" "mesh-not-triangles" Error;
    /// Each mesh is guaranteed to have a valid material; this one names a material that does not exist, and an engine
    /// that looks it up reads past its table.
    ///
    /// Name a material that is there, or add the one that is missing.
    MESH_MATERIAL = "AEM0013" "mesh-material-out-of-range" Error;
    /// A mesh without indices draws nothing.
    ///
    /// Nothing has to be done; leave the mesh out to be rid of it, or look into the source if it should show something.
    MESH_EMPTY = "AEM0014" "mesh-empty" Info;
    /// Indices that no mesh uses are loaded and never drawn.
    ///
    /// Nothing has to be done; leave them out to save memory, or correct the range of the mesh that should use them.
    INDICES_UNUSED = "AEM0015" "indices-unused" Info;
    /// Two corners of a triangle are the same vertex. It covers no pixel and spoils generated tangents.
    ///
    /// Nothing has to be done about a few; the modelling program removes them as degenerate faces.
    TRIANGLE_DEGENERATE = "AEM0016" "triangle-degenerate" Info;
    /// Meshes claim the same indices over and over: more than 64 times as many as there are, and 16 384. Each mesh takes memory of its own in whoever converts the file, so that a small file
    /// could take all there is.
    ///
    /// Give each mesh indices of its own, as the converter does; a file like this was made to do harm, or is damaged.
    INDICES_SHARED = "AEM0017" "indices-shared-too-often" Error;

    /// Each texture of a material is guaranteed to exist; this index names one that does not, and an engine that trusts
    /// it shows another texture or none.
    ///
    /// Name a texture that is there. Where the material has no image, add one of 1 × 1, as the converter does.
    MATERIAL_TEXTURE = "AEM0020" "material-texture-out-of-range" Error;
    /// The type of a material is 0 (opaque) or 1 (transparent). Renderers sort by it, and what they do with another
    /// number is up to each.
    ///
    /// Write 1 if anything can be seen through the material, and 0 if not.
    MATERIAL_TYPE_UNKNOWN = "AEM0021" "material-type-unknown" Warning;
    /// Wrap modes are 0, 1 and 2; an engine that looks the value up in a table reads past its end.
    ///
    /// Write 0 to repeat, 1 to repeat mirrored or 2 to clamp.
    TEXTURE_WRAP = "AEM0022" "texture-wrap-unknown" Warning;
    /// Compression is 0 (none), 1 (BC5) or 2 (BC7). The size of the mip chain depends on it, so nothing of the
    /// texture can be read.
    ///
    /// Write the number of the compression that the bytes really have, or convert the source again.
    TEXTURE_COMPRESSION = "AEM0023" "texture-compression-unknown" Error;
    /// An uncompressed texture has two or four channels; libaem multiplies by the number to size its levels, and there
    /// is no form to show them in with any other.
    ///
    /// Write 4, or 2 if the levels take two bytes a pixel.
    TEXTURE_CHANNELS = "AEM0024" "texture-channels-unknown" Error;
    /// BC5 holds two channels and BC7 four. The stated number disagrees with the compression, and readers differ in
    /// which of the two they believe.
    ///
    /// Write 2 for BC5 and 4 for BC7.
    TEXTURE_CHANNELS_MISMATCH = "AEM0025" "texture-channels-mismatch" Warning;
    /// A texture without width or height has no levels and cannot be uploaded. The converter writes 1 × 1 where a
    /// material has no image.
    ///
    /// Give the texture an image, if only of 1 × 1.
    TEXTURE_EMPTY = "AEM0026" "texture-empty" Error;
    /// The levels of a texture, down to 1 × 1, reach past the end of the image buffer. A loader that trusts the
    /// sizes reads memory that is not an image.
    ///
    /// Correct the offset, width, height or compression of the texture, or convert the source again.
    MIP_CHAIN_OVERRUN = "AEM0027" "mip-chain-overrun" Error;
    /// Two textures claim some of the same bytes without being the same texture; one of them shows parts of the
    /// other.
    ///
    /// Correct the offset or size of one of them; textures follow one another, each with all its levels.
    MIP_CHAIN_OVERLAP = "AEM0028" "mip-chain-overlap" Warning;
    /// Bytes of the image buffer belong to no texture: dead weight, or the sign of a wrong size or offset.
    ///
    /// Look whether the texture before them has the right size and offset; if it has, leave the bytes out.
    IMAGE_BYTES_UNOWNED = "AEM0029" "image-bytes-unowned" Warning;
    /// No material uses this texture; it is loaded, uploaded and never shown.
    ///
    /// Nothing has to be done; leave the texture out to save memory.
    TEXTURE_UNUSED = "AEM0030" "texture-unused" Info;
    /// An uncompressed texture takes two bytes a pixel where the layout means four. The reference converter wrote
    /// normal maps so for a while, and libaem of the same day misread them.
    ///
    /// Convert the source again, or write the file in a dialect that states the channels: `--dialect channels` or
    /// `wide`.
    TEXTURE_TWO_CHANNELS = "AEM0031" "texture-two-channels" Warning;

    /// Names are ended by a NUL within their 128 bytes. Without it, C code reads on into the next field.
    ///
    /// Shorten the name to 127 bytes and end it with a NUL.
    NAME_UNTERMINATED = "AEM0040" "name-unterminated" Error;
    /// The document does not name an encoding; everything else in the field is UTF-8, and tools that assume it
    /// show this name garbled.
    ///
    /// Rename it in the source, in plain letters if old tools must read it, and export again.
    NAME_NOT_UTF8 = "AEM0041" "name-not-utf8" Warning;
    /// An empty name cannot be looked up.
    ///
    /// Name the joint or the animation in the source if anything is to find it by name.
    NAME_EMPTY = "AEM0042" "name-empty" Info;
    /// Two joints, or two animations, have one name; a lookup by name finds only the first.
    ///
    /// Rename one of them in the source and export again.
    NAME_DUPLICATE = "AEM0043" "name-duplicate" Warning;
    /// The bytes after a name's NUL are not zero. The reference converter leaks memory there; it is harmless,
    /// is kept as it is, and makes builds differ from run to run.
    ///
    /// Nothing has to be done. To have the same bytes from every build, fill the rest of the name with zeros; a
    /// conversion from another format or dialect does.
    NAME_GARBAGE = "AEM0044" "name-garbage-after-nul" Info;
    /// A joint's parent is another joint or -1. Whoever follows this one reads what is no joint.
    ///
    /// Give the joint a parent that is there, or -1 to make it a root.
    PARENT_OUT_OF_RANGE = "AEM0045" "joint-parent-out-of-range" Error;
    /// A joint is its own ancestor. libaem climbs to the root in a loop and never returns.
    ///
    /// Give one of the joints in the circle its real parent, or -1 to make it a root.
    PARENT_CYCLE = "AEM0046" "joint-parent-cycle" Error;
    /// A joint comes before its parent. It is legal and the converter writes it, but a loader that computes
    /// poses in file order uses the parent before it is ready.
    ///
    /// Nothing has to be done for libaem. For such loaders, sort the joints so that parents come first, and tracks and
    /// influences with them.
    PARENT_AFTER_CHILD = "AEM0047" "joint-before-parent" Info;
    /// An inverse bind matrix holds a NaN or an infinity; everything its joint moves disappears.
    ///
    /// Look for a scale of 0 or a broken constraint at this place in the source, mend it, and export again.
    BIND_NOT_FINITE = "AEM0048" "inverse-bind-not-finite" Error;
    /// The last row of an inverse bind matrix is not 0 0 0 1. It may be stored row by row instead of column by column;
    /// the skin is torn apart then.
    ///
    /// Transpose the matrices if all of them are so, or export the model again.
    BIND_NOT_AFFINE = "AEM0049" "inverse-bind-not-affine" Warning;
    /// An inverse bind matrix flattens space, so the bind pose cannot be recovered from it, and what the joint moves is
    /// drawn flat.
    ///
    /// Look for a scale of 0 at this place in the source, give it another, and export again.
    BIND_DEGENERATE = "AEM0050" "inverse-bind-degenerate" Warning;

    /// A vertex holds a NaN or an infinity. It tears its triangles across the screen and spoils bounding boxes.
    ///
    /// Find the object in the source that the place names, such as one with a scale of 0, mend it, and export again.
    VERTEX_NOT_FINITE = "AEM0060" "vertex-not-finite" Error;
    /// A normal is not of unit length; lighting is too bright or too dark there.
    ///
    /// Have the modelling program compute the normals anew, or divide each by its length, and export again.
    NORMAL_NOT_UNIT = "AEM0061" "normal-not-unit" Warning;
    /// A tangent or bitangent is not of unit length, so normal maps are read too strong or too weak.
    ///
    /// Compute the tangents anew after the normals, or divide each by its length.
    TANGENT_NOT_UNIT = "AEM0062" "tangent-not-unit" Warning;
    /// An influence names a joint that does not exist. A shader that trusts it reads past its table of matrices.
    ///
    /// Name a joint that is there, or give the influence weight 0 and joint -1, and the other influences the rest of
    /// the weight.
    INFLUENCE_JOINT = "AEM0063" "influence-joint-out-of-range" Error;
    /// The weights of a vertex add up to 1, or to 0 where no joint moves it. Anything else scales the vertex
    /// towards or away from the origin as it moves.
    ///
    /// Normalise the weights in the modelling program and export again, or divide each by their sum.
    WEIGHT_SUM = "AEM0064" "weights-do-not-sum" Warning;
    /// A weight is below 0 or above 1; the vertex is pushed away from a joint instead of following it.
    ///
    /// Normalise the weights in the modelling program, which also brings them between 0 and 1, and export again.
    WEIGHT_RANGE = "AEM0065" "weight-out-of-range" Warning;
    /// An influence of weight 0 has joint index -1. The reference converter repeats a real joint there; loaders
    /// must ignore it, and those that count influences by index count too many.
    ///
    /// Nothing has to be done for libaem; write -1 where a loader counts influences by index.
    INFLUENCE_UNUSED = "AEM0066" "unused-influence-not-minus-one" Warning;
    /// An influence has weight and no joint. The reference converter writes this for skins without animations;
    /// the vertex loses that share of its motion.
    ///
    /// Give the weight to a joint, or set it to 0 and give its share to the other influences.
    INFLUENCE_WITHOUT_JOINT = "AEM0067" "weight-without-joint" Warning;

    /// There is one track for each joint in each animation, no more, no fewer; loaders find a track by
    /// multiplying.
    ///
    /// Write joints × animations tracks, those of one animation after those of the other, each in the order of the
    /// joints.
    TRACK_COUNT = "AEM0070" "track-count" Error;
    /// A track claims keys beyond the end of the keyframe table. A loader that trusts it plays whatever lies behind the
    /// table.
    ///
    /// Correct the first key or the counts of the track, or export the model again.
    TRACK_RANGE = "AEM0071" "track-range-out-of-bounds" Error;
    /// A track has no keys of some kind. libaem then takes no translation, no rotation or a scale of 1 rather than the
    /// bind pose; the converter always writes at least one.
    ///
    /// Write one key with the value at rest, at time 0, for each kind that has none.
    TRACK_EMPTY = "AEM0072" "track-without-keys" Info;
    /// Keys that no track uses are loaded and never read.
    ///
    /// Nothing has to be done; leave them out to save memory, or correct the range of the track that should use them.
    KEYS_UNUSED = "AEM0073" "keyframes-unused" Info;
    /// A key's time or value is a NaN or an infinity; the joint and all below it vanish while it is played.
    ///
    /// Remove the key or give it a value; exports of constraints or of a scale of 0 make such keys, and baking the
    /// animation before the export helps.
    KEY_NOT_FINITE = "AEM0074" "key-not-finite" Error;
    /// A key lies before 0. Playback starts at 0, so the key is only interpolated from, never shown.
    ///
    /// Move the clip so that it begins at 0, and export again.
    KEY_TIME_NEGATIVE = "AEM0075" "key-time-negative" Warning;
    /// The keys of a track rise in time. libaem searches for the first later key and plays others wrong.
    ///
    /// Sort the keys by time. A conversion does so.
    KEY_TIMES_UNSORTED = "AEM0076" "key-times-unsorted" Error;
    /// Two keys of one kind stand at the same time; interpolating between them divides by zero.
    ///
    /// Keep one of the two; for a jump, set them a little apart.
    KEY_TIMES_DUPLICATE = "AEM0077" "key-times-duplicate" Warning;
    /// A rotation key is not a unit quaternion; the joint is scaled as well as turned.
    ///
    /// Divide the four numbers by their length. A conversion to glTF does so.
    ROTATION_NOT_UNIT = "AEM0078" "rotation-not-unit" Warning;
    /// The W of a translation or scale key is 0. Loaders ignore it; another value hints at a wrong key count.
    ///
    /// Nothing has to be done if the motion looks right; otherwise compare the counts of the track with its keys.
    KEY_W_NOT_ZERO = "AEM0079" "key-w-not-zero" Info;
    /// A scale of 0 flattens everything the joint moves, and no tool can decompose it again.
    ///
    /// Use a scale that is small and not 0, such as 0.001, or hide the part in another way.
    SCALE_ZERO = "AEM0080" "scale-zero" Warning;
    /// An animation is shorter than its last key, so its end is never played.
    ///
    /// Set the duration to the time of the last key, unless the end is meant to be cut.
    DURATION_SHORT = "AEM0081" "duration-before-last-key" Warning;
    /// A duration is a finite number of seconds, 0 or more. Players loop and stop by it, and with any other number do
    /// neither.
    ///
    /// Set it to the time of the last key.
    DURATION_INVALID = "AEM0082" "duration-invalid" Error;
    /// Animations without joints move nothing.
    ///
    /// Add the joints that they are meant to move, or leave the animations out.
    ANIMATION_WITHOUT_JOINTS = "AEM0083" "animation-without-joints" Info;
    /// Tracks claim the same keys over and over: more than 64 times as many as there are, and 16 384. Every use takes memory of its own in whoever plays or converts the file, so that a
    /// small file could take all there is. Their keys are not looked at.
    ///
    /// Give each track keys of its own, as the converter does; a file like this was made to do harm, or is damaged.
    KEYS_SHARED = "AEM0084" "keyframes-shared-too-often" Error;

    /// Padding is written as 0; other values are kept and mean nothing.
    ///
    /// Nothing has to be done; write 0 where files are compared byte by byte.
    PADDING_NOT_ZERO = "AEM0090" "padding-not-zero" Info;

    /// A few bytes follow the last table: no more than 4096, nor than the tables themselves take. Loaders read what the
    /// counts say and never see them.
    ///
    /// A tool that copied or packed the file may have left them, or a count is too small; cut them off if nothing is
    /// missing. They stay when the file is written back as it is, and are lost in every other conversion.
    EXTRA_BYTES = "AEM0091" "extra-bytes" Warning;
}

/// Applies every rule.
pub fn check(file: &File<'_>, report: &mut Report) {
    padding(file, report);
    vertices(file, report);
    indices(file, report);
    meshes(file, report);
    textures(file, report);
    image_buffer(file, report);
    materials(file, report);
    joints(file, report);
    match keys_shared(file) {
        Some(finding) => report.push(finding),
        None => {
            let sound = sound_runs(file);
            animations(file, &sound, report);
            tracks(file, &sound, report);
        }
    }
    trailing::check(&file.trailing, &EXTRA_BYTES, report);
}

fn padding(file: &File<'_>, report: &mut Report) {
    let mut judge = |at: Path, value: u32| {
        if value != 0 {
            report.push(Diagnostic::new(&PADDING_NOT_ZERO, at, format!("the padding is {value:#x}")).expected("0"));
        }
    };
    judge(path!("header", "padding"), file.header_padding);
    for (index, texture) in file.textures.iter().enumerate() {
        judge(path!("textures", index, "padding"), texture.padding);
    }
}

const INFLUENCES: InfluenceCodes = InfluenceCodes {
    joint: &INFLUENCE_JOINT,
    sum: &WEIGHT_SUM,
    range: &WEIGHT_RANGE,
    unused: &INFLUENCE_UNUSED,
    without_joint: &INFLUENCE_WITHOUT_JOINT,
};

/// What is wrong with the rest of a vertex, as bits above those of its influences.
const NOT_FINITE: u32 = 1 << influences::BITS;
const NORMAL: u32 = 2 << influences::BITS;
const TANGENT: u32 = 4 << influences::BITS;

#[inline]
fn vertex_fault_bits(vertex: &Vertex, joint_count: i32) -> u32 {
    let ([x, y, z], [.., b, c], [u, v]) = (vertex.position, vertex.bitangent, vertex.uv);
    let rest_is_finite = numbers::vectors_are_finite([[x, y, z, u], [b, c, u, v]]);
    let not_unit = numbers::not_unit(&vertex.normal, &vertex.tangent, &vertex.bitangent);
    let faults = ((not_unit & 1) * NORMAL)
        | (u32::from(not_unit > 1) * TANGENT)
        | influences::fault_bits(&vertex.joint_indices, &vertex.joint_weights, joint_count);
    // What is not finite is no unit vector either, and no weight in range.
    let is_suspect = faults & (NORMAL | TANGENT | influences::RANGE) != 0;
    if !rest_is_finite || is_suspect && !is_finite(vertex) {
        return NOT_FINITE | faults & of_finite_fields(vertex);
    }
    faults
}

/// The faults that a vertex with a number that is none can have besides: those of its other fields.
#[cold]
fn of_finite_fields(vertex: &Vertex) -> u32 {
    let is_finite = |field: &[zerocopy::little_endian::F32]| field.iter().all(|number| number.get().is_finite());
    let normal = if is_finite(&vertex.normal) { NORMAL } else { 0 };
    let tangents = is_finite(&vertex.tangent) && is_finite(&vertex.bitangent);
    let influences = if is_finite(&vertex.joint_weights) { NOT_FINITE - 1 } else { influences::JOINT };
    normal | (u32::from(tangents) * TANGENT) | influences
}

#[inline]
fn is_finite(vertex: &Vertex) -> bool {
    let ([nx, ny, nz], [tx, ty, tz], [bx, by, bz]) = (vertex.normal, vertex.tangent, vertex.bitangent);
    numbers::vectors_are_finite([[nx, ny, nz, tx], [ty, tz, bx, by], [tz, bx, by, bz], vertex.joint_weights])
}

fn vertices(file: &File<'_>, report: &mut Report) {
    let joint_count = i32::try_from(file.joints.len()).unwrap_or(i32::MAX);
    rules::scan(
        report,
        &file.vertices,
        |vertex| vertex_fault_bits(vertex, joint_count),
        |index, vertex, fault| describe_vertex(file, index, vertex, fault),
    );
}

fn describe_vertex(file: &File<'_>, index: usize, vertex: &Vertex, fault: u32) -> Diagnostic {
    let at = |field: &'static str| path!("vertices", index, field);
    match fault {
        NOT_FINITE => {
            let fields: [(&'static str, &[_]); 6] = [
                ("position", &vertex.position),
                ("normal", &vertex.normal),
                ("tangent", &vertex.tangent),
                ("bitangent", &vertex.bitangent),
                ("uv", &vertex.uv),
                ("joint_weights", &vertex.joint_weights),
            ];
            numbers::not_finite(&VERTEX_NOT_FINITE, &fields, at)
        }
        NORMAL => {
            let message = format!("the normal has length {}", numbers::length(&vertex.normal));
            Diagnostic::new(&NORMAL_NOT_UNIT, at("normal"), message).expected("length 1")
        }
        TANGENT => {
            let (field, vector) = match numbers::is_unit(&vertex.tangent) {
                true => ("bitangent", &vertex.bitangent),
                false => ("tangent", &vertex.tangent),
            };
            let message = format!("the {field} has length {}", numbers::length(vector));
            Diagnostic::new(&TANGENT_NOT_UNIT, at(field), message).expected("length 1")
        }
        _ => influences::describe(
            &INFLUENCES,
            (at("joint_indices"), &vertex.joint_indices),
            (at("joint_weights"), &vertex.joint_weights),
            file.joints.len(),
            fault,
        ),
    }
}

fn indices(file: &File<'_>, report: &mut Report) {
    let table = path!("indices");
    numbers::indices_in_range(report, &INDEX_OUT_OF_RANGE, &table, &file.indices, file.vertices.len(), "vertices");
    numbers::triangles_have_area(report, &TRIANGLE_DEGENERATE, &table, &file.indices);
}

/// What is to be said where meshes claim far more indices than there are.
pub(super) fn indices_shared(file: &File<'_>) -> Option<Diagnostic> {
    let claimed: u64 = file.meshes.iter().map(|mesh| u64::from(mesh.index_count.get())).sum();
    let there = file.indices.len();
    let most = rules::most_uses(there).filter(|most| claimed > *most)?;
    let message = format!("the meshes claim {claimed} indices of {there}");
    Some(Diagnostic::new(&INDICES_SHARED, path!("meshes"), message).expected(format!("{most} in all, or fewer")))
}

fn meshes(file: &File<'_>, report: &mut Report) {
    if let Some(finding) = indices_shared(file) {
        report.push(finding);
    }
    let mut used: Vec<(u64, u64)> = Vec::new();
    for (index, mesh) in file.meshes.iter().enumerate() {
        let at = |field: &'static str| path!("meshes", index, field);
        let [first, count] = [mesh.first_index, mesh.index_count].map(|n| u64::from(n.get()));
        if first + count > file.indices.len() as u64 {
            let message = format!("indices {first} to {} are claimed", first + count);
            let expected = format!("a range within the file's {} indices", file.indices.len());
            report.push(Diagnostic::new(&MESH_RANGE, at("first_index"), message).expected(expected));
        } else {
            used.push((first, first + count));
        }
        if count % 3 != 0 {
            let message = format!("the mesh has {count} indices");
            report.push(Diagnostic::new(&MESH_NOT_TRIANGLES, at("index_count"), message).expected("a multiple of 3"));
        }
        if count == 0 {
            report.push(Diagnostic::new(&MESH_EMPTY, at("index_count"), "the mesh has no indices"));
        }
        if mesh.material_index.get() as usize >= file.materials.len() {
            report.push(
                Diagnostic::new(
                    &MESH_MATERIAL,
                    at("material_index"),
                    format!("the material is {}", mesh.material_index),
                )
                .expected(index_into(file.materials.len(), "materials")),
            );
        }
    }
    for (from, to) in gaps(used, file.indices.len() as u64) {
        let message = format!("indices {from} to {} belong to no mesh", to - 1);
        report.push(Diagnostic::new(&INDICES_UNUSED, path!("indices", from as usize), message).times(to - from));
    }
}

fn textures(file: &File<'_>, report: &mut Report) {
    let stores_channels = matches!(file.dialect, Dialect::Channels | Dialect::Wide);
    for (index, texture) in file.textures.iter().enumerate() {
        let at = |field: &'static str| path!("textures", index, field);
        known(report, WRAP, &TEXTURE_WRAP, at("wrap_x"), texture.wrap_x, "wrap mode");
        known(report, WRAP, &TEXTURE_WRAP, at("wrap_y"), texture.wrap_y, "wrap mode");
        known(report, COMPRESSION, &TEXTURE_COMPRESSION, at("compression"), texture.compression, "compression");
        if texture.width == 0 || texture.height == 0 {
            let message = format!("the size is {} × {}", texture.width, texture.height);
            report.push(Diagnostic::new(&TEXTURE_EMPTY, at("width"), message).expected("at least 1 × 1"));
        }
        if stores_channels {
            let held = [None, Some(2), Some(4)].get(texture.compression as usize).copied().flatten();
            match held {
                None => {
                    known(report, CHANNELS, &TEXTURE_CHANNELS, at("channels"), texture.channels, "number of channels")
                }
                Some(held) if held != texture.channels => {
                    let message = format!("{} channels are stated, the compression holds {held}", texture.channels);
                    let finding = Diagnostic::new(&TEXTURE_CHANNELS_MISMATCH, at("channels"), message);
                    report.push(finding.expected(held.to_string()));
                }
                Some(_) => {}
            }
        }
    }
}

fn image_buffer(file: &File<'_>, report: &mut Report) {
    let size = file.image_buffer.len() as u128;
    let mut owned: Vec<(usize, Chain)> = Vec::new();
    for (index, chain) in mips::chains(file).into_iter().enumerate() {
        let Some(chain) = chain else { continue };
        if chain.end() > size {
            let message = format!("its levels are bytes {} to {} of the image buffer", chain.offset, chain.end());
            report.push(
                Diagnostic::new(&MIP_CHAIN_OVERRUN, path!("textures", index, "offset"), message)
                    .expected(format!("levels within the buffer's {size} bytes")),
            );
        } else if chain.bytes > 0 {
            owned.push((index, chain));
        }
        let stores_channels = matches!(file.dialect, Dialect::Channels | Dialect::Wide);
        if !stores_channels && chain.channels == 2 {
            let message = "its levels have two bytes a pixel";
            report.push(
                Diagnostic::new(&TEXTURE_TWO_CHANNELS, path!("textures", index, "compression"), message)
                    .expected("four bytes a pixel without compression"),
            );
        }
    }
    owned.sort_by_key(|(_, chain)| (chain.offset, chain.end()));
    for pair in owned.windows(2) {
        let [(first, before), (second, after)] = pair else { continue };
        if u128::from(after.offset) < before.end() && after != before {
            let message = format!("it begins at byte {} of the image buffer, inside textures[{first}]", after.offset);
            report.push(
                Diagnostic::new(&MIP_CHAIN_OVERLAP, path!("textures", *second, "offset"), message)
                    .expected(format!("byte {} or later", before.end())),
            );
        }
    }
    let ranges = owned.iter().map(|(_, chain)| (u128::from(chain.offset), chain.end())).collect();
    for (from, to) in gaps(ranges, size) {
        let message = format!("bytes {from} to {} of the image buffer belong to no texture", to - 1);
        let finding = Diagnostic::new(&IMAGE_BYTES_UNOWNED, path!("image_buffer", from as usize), message);
        report.push(finding.expected("textures that fill the buffer").times((to - from) as u64));
    }
}

fn materials(file: &File<'_>, report: &mut Report) {
    let mut used = vec![false; file.textures.len()];
    for (index, material) in file.materials.iter().enumerate() {
        let textures = [
            ("base_color_texture_index", material.base_color_texture_index),
            ("normal_texture_index", material.normal_texture_index),
            ("pbr_texture_index", material.pbr_texture_index),
        ];
        for (field, texture) in textures {
            match used.get_mut(texture.get() as usize) {
                Some(used) => *used = true,
                None => report.push(
                    Diagnostic::new(
                        &MATERIAL_TEXTURE,
                        path!("materials", index, field),
                        format!("the texture is {texture}"),
                    )
                    .expected(index_into(file.textures.len(), "textures")),
                ),
            }
        }
        let at = path!("materials", index, "kind");
        known(report, MATERIAL_TYPE, &MATERIAL_TYPE_UNKNOWN, at, material.kind.get(), "type");
    }
    for (index, _) in used.iter().enumerate().filter(|(_, used)| !**used) {
        report.push(Diagnostic::new(&TEXTURE_UNUSED, path!("textures", index), "no material uses the texture"));
    }
}

fn check_names<'a>(report: &mut Report, table: &'static str, names: impl Iterator<Item = &'a FixedText<128>> + Clone) {
    for (index, name) in names.clone().enumerate() {
        let at = || path!(table, index, "name");
        let text = name.text();
        if text.len() == name.0.len() {
            let finding = Diagnostic::new(&NAME_UNTERMINATED, at(), "no byte of the name is NUL");
            report.push(finding.expected("a NUL within 128 bytes"));
        }
        names::utf8(report, &NAME_NOT_UTF8, at(), text);
        names::not_empty(report, &NAME_EMPTY, at(), text);
        if name.after_nul().iter().any(|&byte| byte != 0) {
            let message = format!("bytes follow the NUL of {:?}", shown(text));
            report.push(Diagnostic::new(&NAME_GARBAGE, at(), message).expected("zeros to the end of the field"));
        }
    }
    names::unique(report, &NAME_DUPLICATE, names.map(FixedText::text), |index| path!(table, index, "name"));
}

fn joints(file: &File<'_>, report: &mut Report) {
    check_names(report, "joints", file.joints.iter().map(|joint| &joint.name));
    let parents: Vec<i32> = file.joints.iter().map(|joint| joint.parent.get()).collect();
    let codes =
        ParentCodes { out_of_range: &PARENT_OUT_OF_RANGE, cycle: &PARENT_CYCLE, before_parent: &PARENT_AFTER_CHILD };
    parents::parents(report, &codes, &parents, "joints", |index| path!("joints", index, "parent"));
    let codes =
        MatrixCodes { not_finite: &BIND_NOT_FINITE, not_affine: &BIND_NOT_AFFINE, degenerate: &BIND_DEGENERATE };
    for (index, joint) in file.joints.iter().enumerate() {
        let at = path!("joints", index, "inverse_bind_matrix");
        matrices::matrix(report, &codes, at, &joint.inverse_bind_matrix, MatrixOrder::ColumnMajor);
    }
}

fn animations(file: &File<'_>, sound: &[[bool; 3]], report: &mut Report) {
    check_names(report, "animations", file.animations.iter().map(|animation| &animation.name));
    for (index, animation) in file.animations.iter().enumerate() {
        let duration = animation.duration.get();
        let at = || path!("animations", index, "duration");
        if !duration.is_finite() || duration < 0.0 {
            let finding = Diagnostic::new(&DURATION_INVALID, at(), format!("the duration is {duration}"));
            report.push(finding.expected("a finite number of seconds, 0 or more"));
            continue;
        }
        let sound = sound.get(index.saturating_mul(file.joints.len())..).unwrap_or_default();
        let mut last = 0.0f32;
        for (track, sound) in file.tracks_of(index).iter().zip(sound) {
            for ((_, keys), sound) in runs(file, track).into_iter().zip(sound) {
                last = last.max(if *sound { keys.last().map_or(0.0, |key| key.time.get()) } else { last_time(keys) });
            }
        }
        if last > duration * (1.0 + 1e-5) + 1e-6 {
            let message = format!("the duration is {duration} s, the last key is at {last} s");
            report.push(Diagnostic::new(&DURATION_SHORT, at(), message).expected(format!("at least {last}")));
        }
    }
    if file.joints.is_empty() && !file.animations.is_empty() {
        let message = format!("{} animations and no joints", file.animations.len());
        report.push(Diagnostic::new(&ANIMATION_WITHOUT_JOINTS, path!("animations"), message));
    }
}

/// What a run of keys of a track is about.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Translation,
    Rotation,
    Scale,
}

/// The three runs of keys of a track, each with the position of its first; without keys where the track lies outside the table.
fn runs<'f>(file: &'f File<'_>, track: &Track) -> [(usize, &'f [Keyframe]); 3] {
    let mut first = track.first_keyframe.get() as usize;
    let end = first as u64 + track.key_count();
    let is_there = end <= file.keyframes.len() as u64;
    [track.translation_count, track.rotation_count, track.scale_count].map(|count| {
        let from = first;
        first = first.saturating_add(count.get() as usize);
        (from, file.keyframes.get(from..first).filter(|_| is_there).unwrap_or_default())
    })
}

/// What is to be said where tracks claim far more keys than there are.
pub(super) fn keys_shared(file: &File<'_>) -> Option<Diagnostic> {
    let claimed = file.tracks.iter().map(Track::key_count).fold(0, u64::saturating_add);
    let there = file.keyframes.len();
    let most = rules::most_uses(there).filter(|most| claimed > *most)?;
    let message = format!("the tracks claim {claimed} keys of {there}");
    Some(Diagnostic::new(&KEYS_SHARED, path!("tracks"), message).expected(format!("{most} in all, or fewer")))
}

/// Which runs of each track [`judge_run`] has nothing to say about: one quick pass over all keys.
fn sound_runs(file: &File<'_>) -> Vec<[bool; 3]> {
    let of_track = |track: &Track| {
        let [(_, translations), (_, rotations), (_, scales)] = runs(file, track);
        [
            keys_are_sound(translations, |value| !value.cmpeq(Vec4::ZERO).bitmask() & 8),
            keys_are_sound(rotations, |value| u32::from(!numbers::is_unit_vector(value))),
            keys_are_sound(scales, |value: Vec4| value.cmpeq(Vec4::ZERO).bitmask() ^ 8),
        ]
    };
    file.tracks.iter().map(of_track).collect()
}

/// Whether times rise from 0, and values are finite and without faults. Without branches over the keys.
#[inline]
fn keys_are_sound(keys: &[Keyframe], faults: impl Fn(Vec4) -> u32) -> bool {
    let (mut found, mut before, mut least_step) = (0, -f32::MIN_POSITIVE, f32::INFINITY);
    let (mut nothing, mut nothing_of_times) = (Vec4::ZERO, 0.0);
    for key in keys {
        let (time, value) = (key.time.get(), numbers::vector(&key.value));
        let step = time - before;
        before = time;
        least_step = if step < least_step { step } else { least_step };
        // Nothing times what is not finite is no number, and so is every sum with it.
        nothing_of_times += time * 0.0;
        nothing += value * 0.0;
        found |= faults(value);
    }
    (found == 0) & (least_step > 0.0) & (nothing_of_times == 0.0) & !nothing.is_nan()
}

/// The latest finite time of these keys, or 0.
fn last_time(keys: &[Keyframe]) -> f32 {
    let mut last = 0.0f32;
    for key in keys {
        let time = key.time.get();
        last = if (time > last) & (time < f32::INFINITY) { time } else { last };
    }
    last
}

fn tracks(file: &File<'_>, sound: &[[bool; 3]], report: &mut Report) {
    let wanted = file.joints.len() as u64 * file.animations.len() as u64;
    if file.tracks.len() as u64 != wanted {
        let message = format!("the file has {} tracks", file.tracks.len());
        report.push(Diagnostic::new(&TRACK_COUNT, path!("header", "track_count"), message).expected(format!(
            "{wanted}, for {} joints in {} animations",
            file.joints.len(),
            file.animations.len()
        )));
    }
    let total = file.keyframes.len() as u64;
    let mut used = Vec::with_capacity(file.tracks.len());
    for (index, (track, sound)) in file.tracks.iter().zip(sound).enumerate() {
        let first = u64::from(track.first_keyframe.get());
        let end = first + track.key_count();
        if end > total {
            let message = format!("keys {first} to {end} are claimed");
            let finding = Diagnostic::new(&TRACK_RANGE, path!("tracks", index, "first_keyframe"), message);
            report.push(finding.expected(format!("a range within the file's {total} keyframes")));
            continue;
        }
        used.push((first, end));
        keys_of_track(file, index, track, *sound, report);
    }
    for (from, to) in gaps(used, total) {
        let message = format!("keyframes {from} to {} belong to no track", to - 1);
        report.push(Diagnostic::new(&KEYS_UNUSED, path!("keyframes", from as usize), message).times(to - from));
    }
}

fn keys_of_track(file: &File<'_>, index: usize, track: &Track, sound: [bool; 3], report: &mut Report) {
    let kinds = [
        (Kind::Translation, "translation_count", "translation"),
        (Kind::Rotation, "rotation_count", "rotation"),
        (Kind::Scale, "scale_count", "scale"),
    ];
    for (((first, keys), sound), (kind, field, what)) in runs(file, track).into_iter().zip(sound).zip(kinds) {
        if keys.is_empty() {
            let message = format!("the track has no {what} keys");
            report.push(Diagnostic::new(&TRACK_EMPTY, path!("tracks", index, field), message).expected("at least one"));
        }
        if !sound {
            judge_run(keys, first, kind, report);
        }
    }
}

/// What is wrong with the value of a key, as bits.
const VALUE: u32 = 1;
const LENGTH: u32 = 2;
const W: u32 = 4;
const ZERO: u32 = 8;

fn judge_run(keys: &[Keyframe], first: usize, kind: Kind, report: &mut Report) {
    let codes = TimeCodes {
        not_finite: &KEY_NOT_FINITE,
        negative: &KEY_TIME_NEGATIVE,
        unsorted: &KEY_TIMES_UNSORTED,
        duplicate: &KEY_TIMES_DUPLICATE,
    };
    keys::times(report, &codes, keys.iter().map(|key| key.time.get()), |at| path!("keyframes", first + at, "time"));
    let faults = |key: &Keyframe| {
        let value = numbers::vector(&key.value);
        let zeros = value.cmpeq(Vec4::ZERO).bitmask();
        match kind {
            _ if !value.is_finite() => VALUE,
            Kind::Rotation => u32::from(!numbers::is_unit_vector(value)) * LENGTH,
            Kind::Translation => u32::from(zeros & 8 == 0) * W,
            Kind::Scale => (u32::from(zeros & 8 == 0) * W) | (u32::from(zeros & 7 != 0) * ZERO),
        }
    };
    rules::scan(report, keys, faults, |at, key, fault| {
        let at = path!("keyframes", first + at, "value");
        let [x, y, z, w] = key.value.each_ref().map(|component| component.get());
        match fault {
            VALUE => Diagnostic::new(&KEY_NOT_FINITE, at, "the value is not finite").expected("finite numbers"),
            LENGTH => {
                let message = format!("the quaternion has length {}", numbers::length(&key.value));
                Diagnostic::new(&ROTATION_NOT_UNIT, at, message).expected("length 1")
            }
            W => Diagnostic::new(&KEY_W_NOT_ZERO, at, format!("W is {w}")).expected("0"),
            _ => {
                let message = format!("the scale is {x}, {y}, {z}");
                Diagnostic::new(&SCALE_ZERO, at, message).expected("no component of 0")
            }
        }
    });
}
