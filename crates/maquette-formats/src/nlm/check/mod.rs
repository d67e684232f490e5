//! What NLM promises, rule by rule, and the code for each broken one.
//!
//! The rules run over the parsed tables and name places by path: the header, the hash and the box here, the rest in
//! a module for each section. Bulk tables are scanned branch-free and looked at closely only where something is wrong.

mod bones;
mod meshes;
mod nodes;

use super::hash;
use super::raw::{File, HAS_ANIMATION, HashPlace};
use crate::format::Source;
use crate::rules::{index_into, known, numbers};
use crate::summary::{Bounds, shown};
use crate::trailing;
use maquette_scene::{Code, Diagnostic, Path, Report, codes, path};
use zerocopy::little_endian::F32;

codes! {
    /// An NLM file has the letters MODL or LDOM at offset 4, or at offset 0 where its hash lies in a companion file.
    /// Without them it is another format, or was damaged or compressed on the way.
    ///
    /// Unpack the file if it is compressed, and fetch or export it again if it is damaged; `maquette info` names the
    /// other kinds of file that it knows.
    BAD_MAGIC = "NLM0001" "bad-magic" Error;
    /// Only version 2 is described, and the engine refuses every other.
    ///
    /// Export the model again with a tool that writes version 2.
    UNSUPPORTED_VERSION = "NLM0002" "unsupported-version" Error;
    /// A count asks for more bytes than the file has: it was cut short, or the count is damaged. The place named is
    /// the first that does not fit; the cause may lie before it.
    ///
    /// Copy, fetch or export the file again; `maquette dump` shows what there is of it.
    TRUNCATED = "NLM0003" "truncated" Error;
    /// The file goes on after its last field, by more than the few bytes that are let pass. No file of the engine does, so
    /// a count is probably too small, and what was read before may be wrong as well.
    ///
    /// Cut the rest off if nothing is missing; otherwise correct the count that is too small, or export the file again.
    TRAILING_BYTES = "NLM0004" "trailing-bytes" Error;
    /// The Dog engine writes files with the same magic, version and extension, but with six texture ids and records
    /// after the indices of each mesh and another skeleton. They are a different format.
    ///
    /// Export the model from that engine, or from its source, in a format that is read here, such as glTF.
    DOG_ENGINE = "NLM0005" "dog-engine-variant" Error;
    /// The animation flag contradicts what follows the meshes. A loader that trusts it skips the animation, or reads
    /// one that is not there.
    ///
    /// Correct the flag, or restore the part that was cut off.
    ANIMATION_FLAG_WRONG = "NLM0006" "animation-flag-wrong" Error;
    /// The animation flag is 0 or 1. The engine takes any other value for 1, a reader that compares with 1 sees no
    /// animation and stops after the meshes.
    ///
    /// Write 1.
    ANIMATION_FLAG_UNUSUAL = "NLM0007" "animation-flag-unusual" Warning;

    /// A file with a 12-byte header keeps its hash in a file of the same name with .hash added, and that file is not
    /// there. Without it nobody can tell whether the source has changed since; nothing of the model is lost.
    ///
    /// Nothing has to be done. Put the file back beside the model if something compares hashes; the engine writes
    /// 2166136261 into it.
    HASH_FILE_MISSING = "NLM0011" "hash-file-missing" Info;
    /// The file with the hash holds one decimal number below 4294967296 and nothing else. Readers make 0, half a number
    /// or an error of anything else, and the source is imported again each time.
    ///
    /// Delete the file or write the number.
    HASH_FILE_NOT_A_NUMBER = "NLM0012" "hash-file-not-a-number" Warning;
    /// A companion file with the hash belongs to a model that has its own, and they differ. One of the two is left over
    /// from another version of the source; the header's is the one that travels with the model.
    ///
    /// Delete the companion file.
    HASH_FILE_DISAGREES = "NLM0013" "hash-file-disagrees" Warning;
    /// A companion file with the hash belongs to a model that has the same hash in its header. It says nothing new.
    ///
    /// Delete the file, or leave it.
    HASH_FILE_UNNEEDED = "NLM0014" "hash-file-unneeded" Info;

    /// The bounding box holds a NaN or an infinity. Culling with it drops the model or never drops it, and the model
    /// cannot be brought back to its original size.
    ///
    /// Compute the box anew from the vertices, or export the model again.
    AABB_NOT_FINITE = "NLM0020" "aabb-not-finite" Error;
    /// A corner of the bounding box is on the wrong side of the other. Culling takes the box for empty, and its size
    /// comes out negative.
    ///
    /// Exchange the two coordinates, or compute the box anew from the vertices.
    AABB_INVERTED = "NLM0021" "aabb-inverted" Error;
    /// The vertices fill neither the bounding box nor the same box centred and scaled to a longest side of 1, which is how
    /// the engine stores models without animation. Culling is wrong, and so is the original size computed from it.
    ///
    /// Compute the box anew from the vertices, or export the model again.
    AABB_MISMATCH = "NLM0022" "aabb-does-not-match" Warning;
    /// The bounding box is a single point. The engine divides positions by its longest side, which makes them NaN;
    /// a model of one point cannot be normalised.
    ///
    /// Give the model an extent: at least two vertices in different places.
    AABB_POINT = "NLM0023" "aabb-is-a-point" Warning;

    /// A file without meshes shows nothing.
    ///
    /// Nothing has to be done if that is meant; otherwise look whether the source has anything to export, or whether it
    /// was hidden.
    NO_MESHES = "NLM0030" "no-meshes" Info;
    /// A mesh without indices draws nothing.
    ///
    /// Nothing has to be done; leave the mesh out to be rid of it, or look into the source if it should show something.
    MESH_EMPTY = "NLM0031" "mesh-empty" Info;
    /// The count of indices is even and no multiple of 3, so the mesh is a list of lines. The format does not say so
    /// anywhere; a reader that takes it for triangles draws slivers.
    ///
    /// Nothing has to be done if lines are meant. If not, triangulate the source and export again.
    MESH_LINES = "NLM0032" "mesh-is-lines" Info;
    /// The count of indices is neither a multiple of 3 nor even: neither triangles nor lines. The last corner or two
    /// are dropped; faces of different sizes were probably written one after another.
    ///
    /// Triangulate and export again.
    MESH_INDEX_COUNT = "NLM0033" "mesh-index-count" Warning;
    /// An index points past the last vertex of its mesh. Engines upload the indices as they are, and the GPU reads
    /// memory that is not a vertex.
    ///
    /// Correct the index or leave the triangle out; an exporter that numbers the vertices anew does so.
    INDEX_OUT_OF_RANGE = "NLM0034" "index-out-of-range" Error;
    /// Two corners of a triangle are the same vertex. It covers no pixel and costs as much as one that does.
    ///
    /// Nothing has to be done about a few; the modelling program removes them as degenerate faces.
    TRIANGLE_DEGENERATE = "NLM0035" "triangle-degenerate" Info;
    /// Both ends of a line are the same vertex, so it shows at most a dot.
    ///
    /// Nothing has to be done; leave the line out to be rid of it.
    LINE_DEGENERATE = "NLM0036" "line-degenerate" Info;

    /// A vertex holds a NaN or an infinity. It tears its triangles across the screen and spoils bounding boxes. The
    /// engine writes NaN positions for a model without extent.
    ///
    /// Find the object in the source that the place names, such as one with a scale of 0, mend it, and export again.
    VERTEX_NOT_FINITE = "NLM0040" "vertex-not-finite" Error;
    /// A normal is not of unit length; lighting is too bright or too dark there. Normals of 0 0 0 are left alone in
    /// models of lines, which have none.
    ///
    /// Have the modelling program compute the normals anew, or divide each by its length, and export again.
    NORMAL_NOT_UNIT = "NLM0041" "normal-not-unit" Warning;
    /// A colour lies outside 0 to 1. Shaders multiply it in as it is, so the surface glows or turns black, and tools
    /// that store colours in bytes clip it.
    ///
    /// Bring the colours between 0 and 1; divide them by 255 if they were stored as bytes.
    COLOR_OUT_OF_RANGE = "NLM0042" "color-out-of-range" Warning;
    /// A vertex names a bone that the bone info does not list. Its matrix is never computed, and the shader reads
    /// whatever lies in that place.
    ///
    /// List the bone in the bone info, or name one that is listed, and export again.
    INFLUENCE_BONE = "NLM0043" "influence-bone-unknown" Error;
    /// The weights of a vertex add up to 1, or to 0 where no bone moves it. Anything else pulls the vertex towards the
    /// origin or away from it.
    ///
    /// Normalise the weights in the modelling program and export again, or divide each by their sum.
    WEIGHT_SUM = "NLM0044" "weights-do-not-sum" Warning;
    /// A weight is below 0 or above 1; the vertex is pushed away from a bone instead of following it.
    ///
    /// Normalise the weights in the modelling program, which also brings them between 0 and 1, and export again.
    WEIGHT_RANGE = "NLM0045" "weight-out-of-range" Warning;
    /// An influence of weight 0 has bone id -1 in the engine's files. Another id does nothing, but readers that count
    /// influences by id count too many.
    ///
    /// Nothing has to be done for the engine; write -1 where a reader counts influences by id.
    INFLUENCE_UNUSED = "NLM0046" "unused-influence-not-minus-one" Info;
    /// An influence has weight and no bone. The engine skips it, and the vertex loses that share of its motion.
    ///
    /// Give the weight to a bone, or set it to 0 and give its share to the other influences.
    INFLUENCE_WITHOUT_BONE = "NLM0047" "weight-without-bone" Warning;
    /// No bone moves this vertex of an animated model. The sum of no matrices is nothing, so depending on the shader it
    /// stays behind or falls into the origin.
    ///
    /// Bind it to a bone.
    VERTEX_UNBOUND = "NLM0048" "vertex-without-bones" Info;

    /// The texture does not begin like any image file known here. A texture is a whole image file; what is none, image
    /// decoders refuse, and the mesh is shown without its texture.
    ///
    /// Embed a JPEG or PNG.
    TEXTURE_UNKNOWN = "NLM0050" "texture-not-an-image" Warning;
    /// The texture ends before the image in it does: the size is too small, or the image was cut before it was embedded.
    /// Decoders refuse it or fill the rest with grey.
    ///
    /// Embed the whole image again, and write its real size.
    TEXTURE_CUT = "NLM0051" "texture-cut-short" Warning;
    /// Bytes follow the end of the image in a texture. Decoders ignore them; they are dead weight, or a sign that the size
    /// is wrong.
    ///
    /// Nothing has to be done; cut the bytes off and correct the size to be rid of them.
    TEXTURE_TRAILING = "NLM0052" "texture-trailing-bytes" Info;
    /// The mesh has a texture, and all its vertices have the same texture coordinates: it shows a single colour of it.
    ///
    /// Unwrap the mesh in the modelling program if the picture is to be seen; otherwise leave the texture out.
    TEXTURE_WITHOUT_UVS = "NLM0053" "texture-without-coordinates" Info;

    /// The duration is a finite number of ticks above 0. The engine takes the time modulo the duration, which is not a
    /// number for 0, and every bone vanishes.
    ///
    /// Set the duration to the time of the last key, in ticks.
    DURATION_INVALID = "NLM0060" "duration-invalid" Error;
    /// Ticks per second is above 0; the engine writes 30 where the source does not say. With 0 the clip stands still or
    /// time is divided by zero, and below 0 it runs backwards out of its keys.
    ///
    /// Write the rate that the animation was made at, or 30 if nobody knows.
    TICKS_INVALID = "NLM0061" "ticks-per-second-invalid" Error;
    /// The animation has no keys at all, so it moves nothing.
    ///
    /// Nothing has to be done if no motion is meant; otherwise bake the animation in the modelling program before the
    /// export, or leave it out.
    ANIMATION_WITHOUT_KEYS = "NLM0062" "animation-without-keys" Info;
    /// The animation has no nodes. The engine starts from the first node of the list, which does not exist.
    ///
    /// Export the model again with its nodes, or clear the animation flag and leave the animation out.
    ANIMATION_WITHOUT_NODES = "NLM0063" "animation-without-nodes" Error;

    /// The engine has room for 200 bones (older shaders for 100), so the matrices of further ones have no place and the
    /// vertices bound to them go astray.
    ///
    /// Remove bones that move nothing, or split the model.
    BONE_LIMIT = "NLM0070" "too-many-bones" Warning;
    /// Two entries of the bone info have one node. The engine reads them into a map, where one replaces the other, and
    /// vertices bound to the lost one stay behind.
    ///
    /// Keep one of the two entries, and let the vertices of the other name its bone; or give the nodes different names
    /// in the source and export again.
    BONE_INFO_NODE_DUPLICATE = "NLM0071" "bone-info-node-duplicate" Warning;
    /// The bone indices are 0 to one less than the number of bones. They are places in the table of matrices that the
    /// shader reads, and this one lies outside a table of as many matrices as bones.
    ///
    /// Number the bones from 0 without gaps, in the bone info, the keys and the vertices alike, or export the model
    /// again.
    BONE_INDEX_RANGE = "NLM0072" "bone-index-out-of-range" Error;
    /// Two bones have one index, so the matrix of one replaces that of the other and the vertices of both follow it.
    ///
    /// Give each bone an index of its own, in the bone info, the keys and the vertices alike, or export the model
    /// again.
    BONE_INDEX_DUPLICATE = "NLM0073" "bone-index-duplicate" Warning;
    /// A bone's node does not exist. No matrix is ever computed for the bone, and vertices bound to it do not move.
    ///
    /// Correct the node id, or add the node that is missing.
    BONE_INFO_NODE_MISSING = "NLM0074" "bone-info-node-missing" Warning;
    /// An offset matrix holds a NaN or an infinity; everything its bone moves disappears.
    ///
    /// Look for a scale of 0 or a broken constraint at this place in the source, mend it, and export again.
    OFFSET_NOT_FINITE = "NLM0075" "offset-matrix-not-finite" Error;
    /// The last row of an offset matrix is not 0 0 0 1. It may be stored row by row instead of column by column; the
    /// skin is torn apart then.
    ///
    /// Transpose the matrices if all of them are so, or export the model again.
    OFFSET_NOT_AFFINE = "NLM0076" "offset-matrix-not-affine" Warning;
    /// An offset matrix flattens space, so the bind pose cannot be recovered from it, and what the bone moves is drawn
    /// flat.
    ///
    /// Look for a scale of 0 at this place in the source, give it another, and export again.
    OFFSET_DEGENERATE = "NLM0077" "offset-matrix-degenerate" Warning;

    /// Two sets of keys move one node. The engine reads them into a map, where one replaces the other.
    ///
    /// Keep the set that is meant; give the nodes different names in the source if both are.
    BONE_NODE_DUPLICATE = "NLM0080" "bone-node-duplicate" Warning;
    /// The keys of a node and its bone info give different bone indices. Which of the two places the matrix goes to
    /// depends on the reader.
    ///
    /// Write the same index in both places.
    BONE_INDEX_MISMATCH = "NLM0081" "bone-index-mismatch" Error;
    /// A node has keys and no bone info. Its motion still carries its children, but nothing is bound to it; the engine
    /// itself always lists such nodes.
    ///
    /// Nothing has to be done for the motion; list the node in the bone info, as the engine does, if a reader asks for
    /// it.
    BONE_WITHOUT_INFO = "NLM0082" "bone-without-info" Warning;
    /// Keys name a node that does not exist; they are never played.
    ///
    /// Correct the node id, or leave the keys out.
    BONE_NODE_MISSING = "NLM0083" "bone-node-missing" Warning;
    /// A node has keys of some kinds and none of another. Keys replace the whole transformation of a node, so a reader
    /// has to make up the missing part, and some look at the first key without asking whether there is one.
    ///
    /// Write one key with the value at rest for each kind that is missing.
    BONE_WITHOUT_KEYS = "NLM0084" "bone-without-keys" Warning;

    /// A key's time or value is a NaN or an infinity; the node and all below it vanish while it is played.
    ///
    /// Remove the key or give it a value; exports of constraints or of a scale of 0 make such keys, and baking the
    /// animation before the export helps.
    KEY_NOT_FINITE = "NLM0090" "key-not-finite" Error;
    /// A key lies before 0. Playback starts at 0, so the key is only interpolated from, never shown.
    ///
    /// Move the clip so that it begins at 0, and export again.
    KEY_TIME_NEGATIVE = "NLM0091" "key-time-negative" Warning;
    /// Keys rise in time. Readers search for the first later key, skip what lies between and play the clip wrong.
    ///
    /// Sort the keys.
    KEY_TIMES_UNSORTED = "NLM0092" "key-times-unsorted" Error;
    /// Two keys of one kind stand at the same time; interpolating between them divides by zero.
    ///
    /// Keep one of the two; for a jump, set them a little apart.
    KEY_TIMES_DUPLICATE = "NLM0093" "key-times-duplicate" Warning;
    /// A key lies after the end of the clip, so it is never reached.
    ///
    /// Lengthen the duration to the last key if it is too short, or remove the key.
    KEY_AFTER_END = "NLM0094" "key-after-end" Warning;
    /// A rotation key is not a unit quaternion; readers that do not normalise scale the node as well as turn it.
    ///
    /// Divide the four numbers by their length. A conversion does so.
    ROTATION_NOT_UNIT = "NLM0095" "rotation-not-unit" Warning;
    /// The rotation keys look as if they were stored in the other order: in most motion the real part is the largest
    /// number, and here it is the one at the other end. Read in the wrong order the model collapses.
    ///
    /// Look at the model both ways, with `--quat-order xyzw` and `wxyz`, and write it in the dialect of the right one:
    /// keys are w, x, y, z in `document` and x, y, z, w in the engine's.
    QUATERNION_ORDER = "NLM0096" "quaternion-order-doubtful" Warning;
    /// A scale of 0 flattens everything the node moves, and no tool can decompose it again.
    ///
    /// Use a scale that is small and not 0, such as 0.001, or hide the part in another way.
    SCALE_ZERO = "NLM0097" "scale-zero" Warning;

    /// Two nodes have one id. The engine gives one id to nodes of one name, and then keys and bones meant for one of
    /// them move the other as well.
    ///
    /// Give the nodes different names and export again.
    NODE_ID_DUPLICATE = "NLM0100" "node-id-duplicate" Warning;
    /// A child entry is neither a position in the list of nodes nor the id of one. A reader that trusts it
    /// reads past the end of the list.
    ///
    /// Write the position of the child in the list of nodes, or take the entry out.
    CHILD_OUT_OF_RANGE = "NLM0101" "child-out-of-range" Error;
    /// A child entry is beyond the list of nodes and the id of one of them. The document means ids and the engine
    /// positions, so the engine reads past the end of the list.
    ///
    /// Write the position of the child instead of its id.
    CHILD_BY_ID = "NLM0102" "child-by-id" Warning;
    /// A child entry is the position of one node and the id of another. The engine follows the position, a reader that
    /// keeps to the document the id, and they see different skeletons.
    ///
    /// Number the nodes by their position.
    CHILD_AMBIGUOUS = "NLM0103" "child-ambiguous" Warning;
    /// A node is listed as a child twice. It is computed once under each, and the last one wins.
    ///
    /// Leave the node with one of its parents.
    NODE_TWO_PARENTS = "NLM0104" "node-with-two-parents" Warning;
    /// A node is its own ancestor. A reader that follows children down never comes back, or runs out of stack.
    ///
    /// Take the child entry out that leads back up.
    NODE_CYCLE = "NLM0105" "node-cycle" Error;
    /// The first node is the root, and this one is not below it. It is never visited: its keys are not played and bones
    /// at it do not move.
    ///
    /// List the node as a child of the one it belongs to, or leave it out.
    NODE_UNREACHABLE = "NLM0106" "node-unreachable" Warning;
    /// The matrix of a node holds a NaN or an infinity; everything below it disappears.
    ///
    /// Look for a scale of 0 or a broken constraint at this place in the source, mend it, and export again.
    NODE_NOT_FINITE = "NLM0107" "node-matrix-not-finite" Error;
    /// The last row of a node's matrix is not 0 0 0 1. It may be stored row by row instead of column by column;
    /// everything below the node is misplaced then.
    ///
    /// Transpose the matrices if all of them are so, or export the model again.
    NODE_NOT_AFFINE = "NLM0108" "node-matrix-not-affine" Warning;
    /// The matrix of a node flattens space, and with it everything below the node.
    ///
    /// Look for a scale of 0 at this place in the source, give it another, and export again.
    NODE_DEGENERATE = "NLM0109" "node-matrix-degenerate" Warning;

    /// A few bytes follow the last field: no more than 4096, nor than the file has before them. The engine reads what
    /// the counts say and never sees them.
    ///
    /// A tool that copied or packed the file may have left them, or a count is too small; cut them off if nothing is
    /// missing. They stay when the file is written back as it is, and are lost in every other conversion.
    EXTRA_BYTES = "NLM0110" "extra-bytes" Warning;
}

/// Applies every rule.
pub fn check(file: &File<'_>, source: &Source<'_>, report: &mut Report) {
    known(
        report,
        HAS_ANIMATION,
        &ANIMATION_FLAG_UNUSUAL,
        path!("header", "has_animation"),
        file.animation_flag,
        "flag",
    );
    check_hash(file, source, report);
    check_aabb(file, report);
    meshes::check(file, report);
    trailing::check(&file.trailing, &EXTRA_BYTES, report);
    if let Some(animation) = &file.animation {
        bones::check(file, animation, report);
        nodes::check(animation, report);
    }
}

fn check_hash(file: &File<'_>, source: &Source<'_>, report: &mut Report) {
    let own = (file.dialect.hash_place() == HashPlace::Header).then_some(file.hash);
    let at = path!("companions", "hash");
    let Some((name, text)) = source.companion(hash::HASH_FILE) else {
        if own.is_none() && !source.name.is_empty() {
            let message = source.lacks(&hash::HASH_FILE.apply(source.name));
            report.push(Diagnostic::new(&HASH_FILE_MISSING, at, message));
        }
        return;
    };
    let finding = match (hash::side_hash(&text), own) {
        (None, _) => {
            let begins = shown(text.get(..32).unwrap_or(&text));
            let message = format!("{name:?} begins with {begins:?}");
            Diagnostic::new(&HASH_FILE_NOT_A_NUMBER, at, message).expected("a decimal number from 0 to 4294967295")
        }
        (Some(written), Some(own)) if written != own => {
            let message = format!("{name:?} says {written}, the header says {own}");
            Diagnostic::new(&HASH_FILE_DISAGREES, at, message).expected("no such file, or the same hash")
        }
        (Some(_), Some(own)) => {
            Diagnostic::new(&HASH_FILE_UNNEEDED, at, format!("{name:?} repeats the header's hash {own}"))
        }
        (Some(_), None) => return,
    };
    report.push(finding);
}

/// How the stored positions relate to the bounding box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionScale {
    /// They fill it.
    Original,
    /// They fill the same box centred on the origin, with a longest side of 1.
    Normalised,
    /// Neither.
    Unrelated,
}

/// How far a side of the vertices' box may be from where it should be, against the longest side.
const AABB_TOLERANCE: f64 = 1e-3;

/// How the positions within `bounds` relate to the file's bounding box; `None` for a box that is not finite, is turned
/// inside out or has no extent.
pub fn position_scale(file: &File<'_>, bounds: &Bounds) -> Option<PositionScale> {
    let [min, max] = [file.aabb.min, file.aabb.max].map(|corner| corner.map(|x| f64::from(x.get())));
    let longest = min.iter().zip(max).map(|(min, max)| max - min).fold(0.0, f64::max);
    if !aabb_is_finite(file) || min.iter().zip(max).any(|(&min, max)| min > max) || longest == 0.0 {
        return None;
    }
    let axes = || min.into_iter().zip(max).zip(bounds.min.into_iter().zip(bounds.max));
    let off = |found: f32, wanted: f64, scale: f64| (f64::from(found) - wanted).abs() / scale;
    let original =
        axes().map(|((min, max), (from, to))| off(from, min, longest).max(off(to, max, longest))).fold(0.0, f64::max);
    let normalised = axes()
        .map(|((min, max), (from, to))| {
            let half = (max - min) / longest / 2.0;
            off(from, -half, 1.0).max(off(to, half, 1.0))
        })
        .fold(0.0, f64::max);
    // A box that is nearly of unit size fits both ways; the better fit is right, because positions are rounded far less.
    Some(match () {
        () if original.min(normalised) > AABB_TOLERANCE => PositionScale::Unrelated,
        () if original <= normalised => PositionScale::Original,
        () => PositionScale::Normalised,
    })
}

fn aabb_is_finite(file: &File<'_>) -> bool {
    numbers::all_finite(&file.aabb.min) && numbers::all_finite(&file.aabb.max)
}

fn check_aabb(file: &File<'_>, report: &mut Report) {
    let [min, max] = [file.aabb.min, file.aabb.max].map(|corner| corner.map(F32::get));
    if !aabb_is_finite(file) {
        let message = format!("the box is {min:?} to {max:?}");
        return report.push(Diagnostic::new(&AABB_NOT_FINITE, path!("aabb"), message).expected("finite numbers"));
    }
    for (axis, (min, max)) in min.iter().zip(max).enumerate().filter(|(_, (min, max))| *min > max) {
        let message = format!("the smallest {} is {min}, the largest {max}", ["x", "y", "z"].get(axis).unwrap_or(&""));
        let finding = Diagnostic::new(&AABB_INVERTED, path!("aabb", "min", axis), message);
        report.push(finding.expected("a smallest coordinate that is not above the largest"));
    }
    if min == max && file.meshes.iter().any(|mesh| !mesh.vertices.is_empty()) {
        let finding = Diagnostic::new(&AABB_POINT, path!("aabb"), format!("the box is the point {min:?}"));
        report.push(finding.expected("a box with a side longer than 0"));
    }
    let Some(bounds) = file.bounds() else { return };
    if position_scale(file, &bounds) == Some(PositionScale::Unrelated) {
        let message = format!("the box is {min:?} to {max:?}, the vertices span {:?} to {:?}", bounds.min, bounds.max);
        let finding = Diagnostic::new(&AABB_MISMATCH, path!("aabb"), message);
        report.push(finding.expected("the box around the vertices, before or after scaling its longest side to 1"));
    }
}
