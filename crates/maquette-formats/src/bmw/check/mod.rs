//! What BMW's document and engine ask of a file, rule by rule, and the code for each broken one.
//!
//! The rules run over the parsed tables and name places by path. Long lists are judged without building a path or a
//! message for anything that is sound. Companion files are judged under the path `companions`.

mod animations;
mod companions;
mod meshes;
mod nodes;
mod textures;

use super::raw::{Dialect, File};
use crate::format::Source;
use crate::rules::Tally;
use crate::summary::shown;
use crate::trailing;
use maquette_scene::{Code, Diagnostic, Path, Report, codes, path};

codes! {
    /// Every BMW file begins with the text "Beo-Model-Wolf Format Version ". Another beginning means another format
    /// or a damaged file. The engine skips the text without looking at it and reads whatever follows as a model.
    ///
    /// Unpack the file if it is compressed, and fetch or export it again if it is damaged; `maquette info` names the
    /// other kinds of file that it knows.
    BAD_HEADER = "BMW0001" "bad-header" Error;
    /// The header names a version other than 1. Only version 1 is described, in six layouts; this file fits one of
    /// them, and the engine would load it without looking at the number.
    ///
    /// Write 1, unless a newer layout is meant, and look whether the model comes out right.
    HEADER_VERSION = "BMW0002" "version-not-1" Warning;
    /// A count asks for more bytes than the file has: it was cut short, a count is damaged, or it is in a layout nobody
    /// has described. The place is where the layout that fits the file for longest stops making sense.
    ///
    /// Copy, fetch or export the file again; `maquette dump` shows what there is of it.
    TRUNCATED = "BMW0003" "truncated" Error;
    /// The file goes on after the last block, by more than the few bytes that are let pass, or so that several layouts
    /// end near. The layout is told from the end, so no more may follow.
    ///
    /// Cut the rest off, or repair the count that is too small.
    TRAILING_BYTES = "BMW0004" "trailing-bytes" Error;
    /// More textures or meshes are claimed than any real model has. Files like this are refused, because they would take
    /// far more memory than they have bytes.
    ///
    /// The count at this place is usually damaged: correct it, or export the model again.
    TOO_MANY = "BMW0005" "too-many-items" Error;
    /// The header ends with a newline, as one may read the document. Every known file and the engine have a NUL right
    /// after the version; the engine reads on to the next NUL and misreads the file.
    ///
    /// Put the NUL in the place of the newline.
    HEADER_NEWLINE = "BMW0006" "header-newline" Warning;
    /// The bytes fit more than one layout, and these read them differently. The first of the list is taken. Only scenes
    /// without meshes are known to do this.
    ///
    /// If the model comes out wrong, ask for another: `--read-dialect` with `convert`, `--dialect` elsewhere.
    SEVERAL_DIALECTS = "BMW0007" "several-dialects-fit" Info;

    /// A material names an empty path; the engine tries to open it and shows the mesh without a texture.
    ///
    /// Write the path of the texture, or take it out.
    TEXTURE_PATH_EMPTY = "BMW0010" "texture-path-empty" Warning;
    /// A texture path or bone name is not UTF-8. The document names no encoding; tools differ in what they show and
    /// which file they look for.
    ///
    /// Rename the file or the bone in plain letters, in the source, and export again.
    TEXT_NOT_UTF8 = "BMW0011" "text-not-utf8" Warning;
    /// A texture path has backslashes between its folders, as exported on Windows. Elsewhere the backslash is part of a
    /// file name, and the texture is not found.
    ///
    /// Write forward slashes, which Windows understands as well.
    TEXTURE_BACKSLASH = "BMW0012" "texture-path-backslash" Warning;
    /// A texture path begins at a drive or at the root of one computer's disk and leads nowhere on another.
    ///
    /// Put the image beside the model and write its path from there.
    TEXTURE_ABSOLUTE = "BMW0013" "texture-path-absolute" Warning;
    /// Meshes do not say which texture they show: the engine gives the first path of the file to the first mesh, and so
    /// on. With another number of paths than meshes, some meshes have no texture or some paths are not used.
    ///
    /// Nothing has to be done if the engine shows the right textures; otherwise write one path for each mesh, in their
    /// order.
    TEXTURE_COUNT = "BMW0014" "texture-count-differs" Info;
    /// A material has several textures. The engine counts paths over all materials, so that every later mesh shows the
    /// texture of an earlier material.
    ///
    /// Leave one texture with each material, so that there is one path for each mesh.
    MATERIAL_SEVERAL_TEXTURES = "BMW0015" "material-with-several-textures" Info;
    /// There is no companion file of this name. The texture may lie elsewhere in the game's folders.
    ///
    /// Put the image beside the model, where its path leads, if it is to be converted with it.
    TEXTURE_MISSING = "BMW0016" "texture-not-found" Info;
    /// The texture's file is there and does not begin like any known kind of image, so that loading it is likely to
    /// fail.
    ///
    /// Look at it in an image viewer, and replace it by a PNG or JPEG.
    TEXTURE_NOT_IMAGE = "BMW0017" "texture-not-an-image" Warning;

    /// A corner of a face points past the mesh's last vertex. Engines upload the indices as they are, and the GPU reads
    /// memory that is not a vertex.
    ///
    /// Correct the index or leave the face out; an exporter that numbers the vertices anew does so.
    FACE_INDEX = "BMW0020" "face-index-out-of-range" Error;
    /// Two corners of a face are the same vertex. It covers no pixel; lines and points of the source become such faces.
    ///
    /// Nothing has to be done about a few; the modelling program removes them as degenerate faces.
    FACE_DEGENERATE = "BMW0021" "face-degenerate" Info;
    /// A mesh without vertices, or without faces where the layout has them, draws nothing.
    ///
    /// Nothing has to be done; leave the mesh out to be rid of it, or look into the source if it should show something.
    MESH_EMPTY = "BMW0022" "mesh-empty" Info;
    /// A vertex holds a NaN or an infinity. It tears its faces across the screen and spoils bounding boxes.
    ///
    /// Find the object in the source that the place names, such as one with a scale of 0, mend it, and export again.
    VERTEX_NOT_FINITE = "BMW0023" "vertex-not-finite" Error;
    /// A normal is not of unit length, so lighting is wrong there. Where the source had no normals, the converter wrote
    /// zeros or the whole number 1, which is next to nothing when read as a float.
    ///
    /// Have the modelling program compute the normals anew, or divide each by its length, and export again.
    NORMAL_NOT_UNIT = "BMW0024" "normal-not-unit" Warning;
    /// A colour is below 0 or above 255; readers that keep it in a byte wrap it around.
    ///
    /// Bring the colours between 0 and 255; multiply them by 255 if they are from 0 to 1.
    COLOUR_RANGE = "BMW0025" "colour-out-of-range" Warning;
    /// The layout of 2019-10-09 has no faces, so that vertices can only be taken in threes, and their number is no
    /// multiple of three: the faces of the source are lost.
    ///
    /// Export the model again in a newer layout.
    VERTICES_NOT_TRIANGLES = "BMW0026" "vertices-not-triangles" Warning;
    /// No node draws this mesh. The engine draws all meshes and does not care; other readers leave it out.
    ///
    /// Nothing has to be done for the engine; let a node name the mesh if others are to draw it.
    MESH_UNUSED = "BMW0027" "mesh-unused" Info;
    /// A mesh is drawn more than once, by several nodes or twice by one. The engine draws it once.
    ///
    /// Nothing has to be done where once is enough; for the engine, make a mesh of its own for each place.
    MESH_SHARED = "BMW0028" "mesh-drawn-repeatedly" Info;

    /// Weights are given for a vertex that the mesh does not have; a trusting loader writes past its tables.
    ///
    /// Correct the number of the vertex, or take the list out.
    WEIGHT_VERTEX = "BMW0030" "weight-vertex-out-of-range" Error;
    /// Weights are given twice for one vertex. Some readers keep the first list, some the last, some both.
    ///
    /// Keep one list for each vertex, with all its weights.
    WEIGHT_VERTEX_TWICE = "BMW0031" "weight-vertex-repeated" Warning;
    /// The weights of a vertex do not add up to 1. The engine does not normalise them, so the vertex is drawn towards
    /// the origin or away from it as it moves.
    ///
    /// Normalise the weights in the modelling program and export again, or divide each by their sum.
    WEIGHT_SUM = "BMW0032" "weights-do-not-sum" Warning;
    /// A weight is below 0 or above 1; the vertex is pushed away from a bone instead of following it.
    ///
    /// Normalise the weights in the modelling program, which also brings them between 0 and 1, and export again.
    WEIGHT_RANGE = "BMW0033" "weight-out-of-range" Warning;
    /// A weight is a NaN or an infinity; the vertex vanishes as soon as the model moves.
    ///
    /// Give the vertex weights that add up to 1; binding the mesh anew in the modelling program does so.
    WEIGHT_NOT_FINITE = "BMW0034" "weight-not-finite" Error;
    /// Weights refer to nodes by id, and no node has this one. The engine looks a matrix up by the id and finds none.
    ///
    /// Write the id of a node that is there, or take the weight out and give its share to the others.
    WEIGHT_NODE = "BMW0035" "weight-node-unknown" Error;
    /// A vertex has more than four weights. The engine keeps the four heaviest and does not rescale them, so part of the
    /// motion is lost.
    ///
    /// Limit the weights to four for each vertex in the modelling program, and normalise them before the export.
    WEIGHT_TOO_MANY = "BMW0036" "more-than-four-weights" Warning;
    /// A vertex is listed with no weights at all: it says that bones move it and names none.
    ///
    /// Take the vertex out of the list, or give it weights.
    WEIGHT_EMPTY = "BMW0037" "weight-list-empty" Warning;
    /// One node is named twice among the weights of a vertex; readers that keep one weight for each node lose a share.
    ///
    /// Add the two weights up into one.
    WEIGHT_NODE_TWICE = "BMW0038" "weight-node-repeated" Warning;
    /// Some vertices of a mesh with weights have none. They stay where they are while the rest of the mesh moves.
    ///
    /// Nothing has to be done if they are meant to stay; otherwise bind them to a bone.
    VERTICES_UNWEIGHTED = "BMW0039" "vertices-without-weights" Info;
    /// Several meshes have weights. The engine's loader keeps one table of weights for all meshes, by vertex number, so
    /// that they overwrite each other.
    ///
    /// Join the meshes before export.
    WEIGHTS_IN_SEVERAL_MESHES = "BMW0040" "weights-in-several-meshes" Warning;

    /// Two nodes have one id. Weights and animations cannot tell them apart; the converter gives nodes of one name one id.
    ///
    /// Give the nodes different names in the source and export again.
    NODE_ID_TWICE = "BMW0045" "node-id-repeated" Warning;
    /// Node ids count up from 0 in file order in every known file. Other ids are legal; a loader that takes ids for
    /// positions mixes the nodes up.
    ///
    /// Nothing has to be done for the engine; number the nodes from 0 in file order, in weights and animations too, for
    /// such loaders.
    NODE_ID_ORDER = "BMW0046" "node-id-not-sequential" Info;
    /// A node draws a mesh that does not exist; a loader that trusts the number reads past the end of its meshes.
    ///
    /// Write the number of a mesh that is there, or take it out of the node.
    NODE_MESH = "BMW0047" "node-mesh-out-of-range" Error;
    /// The matrix of a node holds a NaN or an infinity; everything below the node disappears.
    ///
    /// Look for a scale of 0 or a broken constraint at this place in the source, mend it, and export again.
    NODE_NOT_FINITE = "BMW0048" "node-matrix-not-finite" Error;
    /// The matrix of a node is no affine transform in the order that most matrices of the file are in. Either it is
    /// damaged or it is stored in the other order.
    ///
    /// Read the file with the other `--matrix-order` and compare; if all matrices are then right, write it anew in one
    /// order.
    NODE_NOT_AFFINE = "BMW0049" "node-matrix-not-affine" Warning;
    /// The matrix of a node flattens space, so that no bind pose can be computed from it, and everything below the node
    /// is drawn flat.
    ///
    /// Look for a scale of 0 at this place in the source, give it another, and export again.
    NODE_DEGENERATE = "BMW0050" "node-matrix-degenerate" Warning;
    /// Nodes are nested more than 256 deep. The engine's loader calls itself for each level and may exhaust its stack.
    ///
    /// Take nodes out that do nothing, such as helpers of pivots, and export again.
    NODES_DEEP = "BMW0051" "nodes-nested-deeply" Warning;
    /// More nodes move vertices than the engine's 128 matrices hold; it writes past the end of its table.
    ///
    /// Remove bones that move nothing, or split the model into several.
    TOO_MANY_BONES = "BMW0052" "more-than-128-bones" Warning;

    /// A matrix of an animation holds a NaN or an infinity; what the bone moves vanishes while it is shown.
    ///
    /// Look for a scale of 0 or a broken constraint at this place in the source, mend it, and export again.
    ANIMATION_NOT_FINITE = "BMW0055" "animation-matrix-not-finite" Error;
    /// A matrix of an animation is no affine transform in the order that most matrices of the file are in. Either it is
    /// damaged or it is stored in the other order.
    ///
    /// Read the file with the other `--matrix-order` and compare; if all matrices are then right, write it anew in one
    /// order.
    ANIMATION_NOT_AFFINE = "BMW0056" "animation-matrix-not-affine" Warning;
    /// An animation moves a node that does not exist. The engine stores the matrix under the id, past the end of its table.
    ///
    /// Write the id of a node that is there, or take the bone out of the animation.
    ANIMATION_NODE = "BMW0057" "animation-node-unknown" Error;
    /// An animation moves one node twice; the later matrices overwrite the earlier.
    ///
    /// Keep the matrices that are meant, and take the others out.
    ANIMATION_NODE_TWICE = "BMW0058" "animation-node-repeated" Warning;
    /// The rate is 0 ticks in a second, so no time ever passes, or a division by zero decides. Exporters write 0 where
    /// the source states no rate.
    ///
    /// Write the rate that the animation was made at; 30 and 60 are usual.
    RATE_ZERO = "BMW0059" "rate-zero" Warning;
    /// An animation of 0 ticks is a single pose, or nothing at all in the document's layout.
    ///
    /// Nothing has to be done if a pose is meant; otherwise write the number of the last tick.
    DURATION_ZERO = "BMW0060" "duration-zero" Warning;
    /// Bones have another number of matrices than the duration tells. A converter of October 2019 wrote 0 for duration
    /// and rate; a reader that trusts it takes the matrices for something else.
    ///
    /// Put the real duration and rate in.
    MATRIX_COUNT = "BMW0061" "matrix-count-differs" Error;
    /// An animation moves no node, so that playing it changes nothing. The source probably animates something else than
    /// nodes: a camera, or shapes.
    ///
    /// Bake the animation onto bones before the export, or leave it out.
    ANIMATION_EMPTY = "BMW0062" "animation-empty" Info;
    /// Nodes with weights are in no animation. In the engine's layout their vertices stay in the bind pose while the
    /// rest moves; FBX exports with pivots do this, because the channels belong to helper nodes.
    ///
    /// Export the FBX without pivots, or bake the animation onto the bones that have the weights.
    WEIGHTED_NOT_ANIMATED = "BMW0063" "weighted-node-not-animated" Info;

    /// A name is given for a node that does not exist. Readers that look names up by id carry it along for nothing, or
    /// give it to the wrong node.
    ///
    /// Correct the id, or take the name out.
    BONE_NAME_NODE = "BMW0070" "bone-name-node-unknown" Warning;
    /// A node is named twice. Readers keep one of the names, not all the same one; clips that look for the other do not
    /// move it.
    ///
    /// Keep the name that clips of other files use.
    BONE_NAME_NODE_TWICE = "BMW0071" "bone-name-node-repeated" Warning;
    /// Two nodes have one name. Clips taken from other files find their bones by name and move only one of them.
    ///
    /// Rename one of the nodes in the source and export again.
    BONE_NAME_TWICE = "BMW0072" "bone-name-repeated" Warning;
    /// A name is empty, so that no clip of another file can find the bone.
    ///
    /// Write the name that clips of other files use, if any are to move it.
    BONE_NAME_EMPTY = "BMW0073" "bone-name-empty" Info;
    /// Nodes that move vertices have no name. Clips taken from other files find their bones by name and leave these where
    /// they are.
    ///
    /// Name all bones in the source and export in the engine's layout (`--dialect engine`), which keeps their names.
    BONE_NAME_MISSING = "BMW0074" "bone-name-missing" Warning;

    /// The companion file is no JSON, or cannot be read at all. The engine fails to load the model, or ignores the file.
    ///
    /// Correct the text at the place given, or take the file away; any checker of JSON shows what is missing. Of one that
    /// cannot be read, the reason says what stands in the way.
    SIDECAR_NOT_JSON = "BMW0080" "sidecar-not-json" Error;
    /// Nothing reads this key. It may be misspelt, and the value that was meant then has its default.
    ///
    /// Correct its spelling, or take it out.
    SIDECAR_KEY = "BMW0081" "sidecar-unknown-key" Warning;
    /// A value is of the wrong type. Rotation is a number of degrees; axis, scale and translation are text.
    ///
    /// Write rotation without quotes, and the others with them: "rotation": 90, "scale": "1 1 1".
    SIDECAR_TYPE = "BMW0082" "sidecar-wrong-type" Error;
    /// A clip lacks its name, start or end, or a texture override its texture. The engine takes an empty text or 0, or
    /// fails to load the model.
    ///
    /// Write the key that is missing.
    SIDECAR_MISSING = "BMW0083" "sidecar-key-missing" Warning;
    /// The text is not three numbers with spaces between them; the engine uses whatever it makes of it.
    ///
    /// Write three numbers, such as "0.0 1.0 0.0".
    SIDECAR_VECTOR = "BMW0084" "sidecar-vector-invalid" Error;
    /// A scale of 0 flattens the model until nothing is seen of it.
    ///
    /// Leave a direction as it is with 1.
    SIDECAR_SCALE_ZERO = "BMW0085" "sidecar-scale-zero" Warning;
    /// The model is turned about an axis of length 0. Normalising it divides by zero, and the model disappears.
    ///
    /// Write the axis that the model is to be turned about, such as "0.0 1.0 0.0", or take rotation and axis out.
    SIDECAR_AXIS_ZERO = "BMW0086" "sidecar-axis-zero" Error;
    /// A clip reaches beyond the last matrix of the animation it is a part of; the engine reads what lies behind it.
    ///
    /// Lower start or end to the last tick of the animation.
    CLIP_RANGE = "BMW0087" "clip-out-of-range" Error;
    /// A clip ends before it begins. Nothing of it is played, or it never ends.
    ///
    /// Exchange start and end.
    CLIP_BACKWARDS = "BMW0088" "clip-ends-before-start" Warning;
    /// Two clips have one name; only one of them can be played.
    ///
    /// Rename one of them, and whatever asks for it.
    CLIP_TWICE = "BMW0089" "clip-name-repeated" Warning;
    /// The clip to play at first is not among the clips, so that nothing moves until another is asked for.
    ///
    /// Write the name of a clip that is there, or add the clip.
    DEFAULT_ANIM_UNKNOWN = "BMW0090" "default-clip-unknown" Warning;
    /// A clip is part of another model, and there is no companion file of that name, so that it cannot be loaded.
    ///
    /// Put the file there or correct its name.
    CLIP_FILE_MISSING = "BMW0091" "clip-file-missing" Warning;

    /// A few bytes follow the last block: no more than 4096, nor than the blocks themselves take, and in no other
    /// layout does the file end near here. The engine reads what the counts say and never sees them.
    ///
    /// A tool that copied or packed the file may have left them, or a count is too small; cut them off if nothing is
    /// missing. They stay when the file is written back as it is, and are lost in every other conversion.
    EXTRA_BYTES = "BMW0092" "extra-bytes" Warning;
}

/// Applies every rule.
pub fn check(file: &File<'_>, source: &Source<'_>, report: &mut Report) {
    header(file, report);
    let settings = companions::check(file, source, report);
    textures::check(file, settings.as_ref(), source, report);
    meshes::check(file, report);
    nodes::check(file, report);
    animations::check(file, report);
    animations::bone_names(file, report);
    trailing::check(&file.trailing, &EXTRA_BYTES, report);
}

fn header(file: &File<'_>, report: &mut Report) {
    let at = path!("header");
    if file.version() != b"1" {
        let message = format!("the version is {:?}", shown(file.version()));
        report.push(Diagnostic::new(&HEADER_VERSION, at.clone(), message).expected("1"));
    }
    if file.header.contains(&b'\n') {
        let ending = if file.header.ends_with(b"\0") { "a newline and a NUL" } else { "a newline" };
        let finding = Diagnostic::new(&HEADER_NEWLINE, at.clone(), format!("the header ends with {ending}"));
        report.push(finding.expected("a NUL"));
    }
    // Where no bone moves, these two do not differ by a byte.
    let same = |dialect: Dialect| {
        dialect == Dialect::Day29
            && file.dialect == Dialect::Document
            && file.animations.iter().all(|animation| animation.bones.is_empty())
    };
    let others: Vec<&str> =
        file.fitting.iter().skip(1).filter(|&&dialect| !same(dialect)).map(|dialect| dialect.id()).collect();
    if !others.is_empty() {
        let message = format!("it is read as {}, and would fit {}", file.dialect.id(), others.join(" and "));
        report.push(Diagnostic::new(&SEVERAL_DIALECTS, at, message));
    }
}

/// Findings that may repeat over a long list: a path and words are made only for the first of each code.
#[derive(Default)]
struct Tallies(Vec<(&'static Code, Tally)>);

impl Tallies {
    fn hit(&mut self, report: &mut Report, code: &'static Code, describe: impl FnOnce() -> (Path, String, String)) {
        let describe = || {
            let (at, message, expected) = describe();
            Diagnostic::new(code, at, message).expected(expected)
        };
        match self.0.iter_mut().find(|(known, _)| std::ptr::eq(*known, code)) {
            Some((_, tally)) => tally.hit(report, describe),
            None => {
                let mut tally = Tally::default();
                tally.hit(report, describe);
                self.0.push((code, tally));
            }
        }
    }

    fn finish(self, report: &mut Report) {
        self.0.into_iter().for_each(|(_, tally)| tally.finish(report));
    }
}
