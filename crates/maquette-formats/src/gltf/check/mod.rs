//! What the glTF 2.0 specification asks for, rule by rule, and the code for each broken one.
//!
//! The rules run over the document and over the data behind it, and name values in the JSON by path: `json.nodes[3].mesh`. The reader
//! refuses a file with the same codes.

mod accessors;
mod animations;
mod container;
mod extensions;
mod materials;
mod meshes;
mod nodes;
mod references;

pub use extensions::{is_read, refuse_required};
pub use nodes::tree;
pub use references::references;

use super::accessor::Accessors;
use super::buffers::Buffers;
use super::raw::{Closely, File};
use crate::format::Source;
use maquette_scene::{Code, Diagnostic, Path, Report, Segment, codes};

/// What versions are read.
pub const UNSUPPORTED_EXPECTED: &str =
    "\"2.0\"; `gltf-pipeline -i old.gltf -o new.gltf` brings files of version 1 up to it";

codes! {
    /// A binary glTF file begins with the letters glTF. Another beginning means another format, or a file that was damaged or
    /// compressed on the way.
    ///
    /// Unpack the file if it is compressed, and fetch or export it again if it is damaged; `maquette info` names the
    /// other kinds of file that it knows.
    BAD_MAGIC = "GLTF0001" "bad-magic" Error;
    /// The container of glTF 2.0 has version 2. Version 1 belongs to glTF 1.0, which keeps quite different JSON.
    ///
    /// Convert it with gltf-pipeline, or export the model again as glTF 2.0.
    UNSUPPORTED_VERSION = "GLTF0002" "unsupported-version" Error;
    /// The header or a chunk asks for more bytes than the file has: it was cut short, or a length is damaged. The path is that of the
    /// first thing that does not fit.
    ///
    /// Copy, fetch or export the file again; `maquette dump` shows what there is of it.
    TRUNCATED = "GLTF0003" "truncated" Error;
    /// The length in the header is not the size of the file. Readers that trust it read past the end of their memory,
    /// or stop before the end of the data.
    ///
    /// Write the file anew, or set the length to its size.
    LENGTH_MISMATCH = "GLTF0004" "length-mismatch" Error;
    /// Bytes follow the end that the header gives, or the last brace of a file of JSON alone. Most readers of GLB
    /// ignore them, some refuse the file, and nearly all refuse JSON that goes on.
    ///
    /// Cut them off. They stay when the file is written back as it is, and are lost in every other conversion.
    TRAILING_BYTES = "GLTF0005" "trailing-bytes" Warning;
    /// The first chunk of a GLB holds the JSON. Without it, nothing tells what the rest is.
    ///
    /// Export the model again; a GLB that was put together by hand needs its JSON in front.
    CHUNK_FIRST = "GLTF0006" "first-chunk-not-json" Error;
    /// The binary chunk is the second. Readers that look for it only there find no data in this file.
    ///
    /// Put the binary chunk right behind the JSON.
    CHUNK_ORDER = "GLTF0007" "binary-chunk-not-second" Warning;
    /// Chunks begin and end at multiples of four bytes, padded with spaces (JSON) or zeros. Readers that map the data in place may
    /// refuse the file or read it slowly.
    ///
    /// Pad the chunks and correct their lengths, or export the model again; converting it to `.gltf` and back does so.
    CHUNK_ALIGNMENT = "GLTF0008" "chunk-not-aligned" Warning;
    /// The kind of the chunk is not one of the specification's. Readers skip it, and it is kept as it is.
    ///
    /// Nothing has to be done; ask whoever wrote it, if it matters.
    CHUNK_UNKNOWN = "GLTF0009" "chunk-unknown" Info;
    /// A GLB has one JSON chunk and one binary chunk at most. Readers take the first and ignore this one.
    ///
    /// Take the chunk out that is not needed, or join the data in one.
    CHUNK_REPEATED = "GLTF0010" "chunk-repeated" Warning;

    /// JSON text is UTF-8. Other encodings are read as garbage or not at all.
    ///
    /// Save the text as UTF-8.
    JSON_NOT_UTF8 = "GLTF0020" "json-not-utf8" Error;
    /// The JSON begins with a byte order mark, which glTF forbids. Strict JSON readers refuse the file.
    ///
    /// Save it without the mark.
    JSON_BOM = "GLTF0021" "json-byte-order-mark" Warning;
    /// The text is not JSON. The offset is where parsing stops: a missing quote, bracket or comma, or the end of a cut file.
    ///
    /// Correct the text at that place, or fetch or export the file again.
    JSON_SYNTAX = "GLTF0022" "json-syntax" Error;
    /// The JSON has another type here than glTF 2.0 says: text for a number, a negative index, an object for a list.
    /// Most readers refuse the file.
    ///
    /// Write a value of the type that is expected, or report it to whoever made the exporter.
    JSON_TYPE = "GLTF0023" "json-type" Error;
    /// The file claims more items than any real one has, or makes a reader read the same bytes over and over. It is refused so that
    /// no file can exhaust memory.
    ///
    /// The count at this place is usually damaged: correct it, or export the model again. One that really is so large has
    /// to be split.
    TOO_MANY_ITEMS = "GLTF0024" "too-many-items" Error;
    /// The asset is of another version than 2.x. Version 1 keeps its lists as objects and its materials as shaders.
    ///
    /// Convert it with gltf-pipeline, or export the model again as glTF 2.0.
    ASSET_VERSION = "GLTF0025" "asset-version-unsupported" Error;
    /// Every glTF file says its version in asset.version. Without it this is some other JSON, or a file no reader will take.
    ///
    /// Write "asset": { "version": "2.0" } if it is glTF, or look for the right file.
    ASSET_MISSING = "GLTF0026" "asset-missing" Error;
    /// The JSON chunk is padded with something else than spaces, usually zeros. Strict JSON readers stop at the first of them.
    ///
    /// Pad with spaces instead.
    JSON_PADDING = "GLTF0027" "json-padding" Warning;
    /// The file requires this extension, and it is not understood here.
    ///
    /// Where a tool can rewrite the file without it, the message says how.
    EXTENSION_REQUIRED = "GLTF0028" "extension-required" Error;
    /// The file uses an extension that is not understood here. What it adds is left out when the file is converted; the rest is read.
    ///
    /// Nothing has to be done if the rest is enough; otherwise export without the extension, or bake what it adds.
    EXTENSION_UNKNOWN = "GLTF0029" "extension-not-read" Info;
    /// Extensions that occur are listed in extensionsUsed, and required ones there too. Readers that look only there miss this one.
    ///
    /// Add its name to the list.
    EXTENSION_UNLISTED = "GLTF0030" "extension-not-listed" Warning;

    /// An index points past the end of the list it is for. A reader that trusts it reads memory that is something else.
    ///
    /// Correct the index, or export the model again.
    REFERENCE = "GLTF0040" "reference-out-of-range" Error;
    /// The value is none of those that the specification lists here. Readers take the default, or refuse the file.
    ///
    /// Write one of the values that are expected.
    VALUE_UNKNOWN = "GLTF0041" "value-unknown" Warning;
    /// The data of a buffer is not there: its companion file is missing or has another name, or its address is not
    /// fetched.
    ///
    /// Put the file next to the model, or pack both into a GLB.
    BUFFER_MISSING = "GLTF0042" "buffer-missing" Error;
    /// A buffer has fewer bytes than it declares. Whatever lies in the missing bytes cannot be read.
    ///
    /// Fetch or export the file of the buffer again, or correct its length if nothing refers to the missing bytes.
    BUFFER_SHORT = "GLTF0043" "buffer-short" Error;
    /// A data URI cannot be decoded, so what it holds is lost. Its base64 was damaged or cut.
    ///
    /// Export the model again, best as GLB or with files of its own instead of data URIs.
    DATA_URI = "GLTF0044" "data-uri-broken" Error;
    /// A view reaches past the end of its buffer. A reader that trusts it reads memory that is something else.
    ///
    /// Correct the offset or the length of the view, or export the model again.
    VIEW_BOUNDS = "GLTF0045" "view-out-of-bounds" Error;
    /// Elements of a view overlap, because its stride is smaller than an element, or the stride is not a multiple of four from 4 to 252,
    /// which graphics interfaces ask for.
    ///
    /// Leave the stride out if elements follow one another, or write one that is large enough.
    STRIDE = "GLTF0046" "stride-invalid" Error;
    /// The type of an accessor is none that the specification knows, so its elements cannot be read.
    ///
    /// Write the type that the elements have: SCALAR, VEC2, VEC3, VEC4, MAT2, MAT3 or MAT4, and one of the six
    /// component types.
    ACCESSOR_TYPE = "GLTF0047" "accessor-type-unknown" Error;
    /// An accessor reaches past the end of its view. A reader that trusts it reads memory that is something else.
    ///
    /// Correct the count or the offset of the accessor, or export the model again.
    ACCESSOR_BOUNDS = "GLTF0048" "accessor-out-of-bounds" Error;
    /// Elements begin at multiples of the size of a component. Others are read here, but readers that hand the data to a GPU as it
    /// is cannot take them.
    ///
    /// Move the data to such a multiple, or export the model again. A conversion lays it out anew.
    ACCESSOR_ALIGNMENT = "GLTF0049" "accessor-not-aligned" Warning;
    /// The elements that a sparse accessor replaces exist and are listed in rising order. Others write outside of its memory.
    ///
    /// Sort the indices, leave each once, and lower them below the count.
    SPARSE_INDICES = "GLTF0050" "sparse-indices-invalid" Error;
    /// Accessors of positions and key times must state min and max. Viewers frame the model and time clips by them.
    ///
    /// Write min and max of the data; a conversion does so.
    BOUNDS_MISSING = "GLTF0051" "bounds-missing" Warning;
    /// The stated min or max is not that of the data. Models vanish at the edge of the view, or clips are cut.
    ///
    /// Compute min and max anew from the data; a conversion does so.
    BOUNDS_WRONG = "GLTF0052" "bounds-wrong" Warning;
    /// The data holds a NaN or an infinity. Vertices tear across the screen, joints and all they move disappear.
    ///
    /// Find the object in the source that the place names, such as one with a scale of 0, mend it, and export again.
    NOT_FINITE = "GLTF0053" "not-finite" Error;
    /// A view is stored compressed (meshopt), and its bytes are not what that compression makes: they were damaged or cut, or the JSON
    /// was changed without them. What is in the view cannot be read.
    ///
    /// Compress the model again from its source, with gltfpack for instance, or fetch the file again.
    COMPRESSION = "GLTF0054" "view-not-decompressed" Error;
    /// An image is a companion file that is not next to the model. The model is read without the image, whose name is kept.
    ///
    /// Put the image beside the model, where its uri leads, and convert again.
    IMAGE_MISSING = "GLTF0055" "image-missing" Info;
    /// The bytes of an image are not what its type says, or no PNG or JPEG at all. Many viewers go by the type and display nothing.
    ///
    /// Write the real type, or store the image as PNG or JPEG.
    IMAGE_KIND = "GLTF0056" "image-kind" Warning;
    /// An image is either a file or in a view, and an image in a view states its type. Readers differ in what they do otherwise.
    ///
    /// Keep either the uri or the bufferView, and state mimeType with the latter.
    IMAGE_SOURCE = "GLTF0057" "image-source" Warning;

    /// A node is its own ancestor. Readers that follow children never return, or run out of stack.
    ///
    /// Take the child out of the list that leads back up.
    NODE_CYCLE = "GLTF0060" "node-cycle" Error;
    /// A node has two parents, or is listed twice by one. It cannot hang on both; readers differ in which one they take.
    ///
    /// Leave the node with one parent; where the same mesh is to be drawn twice, add a second node for it.
    NODE_PARENTS = "GLTF0061" "node-two-parents" Error;
    /// A scene lists a node that has a parent, or lists it twice. Only roots are listed; the node would be drawn twice, or with the wrong transform.
    ///
    /// List roots alone, each once.
    ROOT_PARENT = "GLTF0062" "root-not-root" Error;
    /// A node has both a matrix and a translation, rotation or scale. Only one of them can be meant; the matrix is taken.
    ///
    /// Take out the one that is not meant.
    NODE_MATRIX_AND_TRS = "GLTF0063" "node-matrix-and-trs" Warning;
    /// The rotation of a node is not a quaternion of unit length, often because its components were rounded to a few
    /// decimals. Some viewers normalise it, others scale and skew the node and everything below it.
    ///
    /// Divide the components by the length that is given here. A conversion does so; a quaternion of length 0 becomes
    /// no rotation.
    ROTATION_NOT_UNIT = "GLTF0064" "rotation-not-unit" Warning;
    /// A value of a node's transform, or one of its morph weights, is too large for a 32-bit float and becomes
    /// infinite. The node and everything below it disappear.
    ///
    /// Give it a value below 3.4e38; one this large is usually damage.
    TRANSFORM_NOT_FINITE = "GLTF0065" "transform-not-finite" Error;
    /// A node has a skin but no mesh, or its mesh has no joints and weights. The skin moves nothing.
    ///
    /// Give the node the mesh that the skin is for, bind the mesh to it, or take the skin off the node.
    SKIN_UNUSED = "GLTF0066" "skin-moves-nothing" Warning;
    /// This node is in no scene, so that viewers do not display it. It is left out when the file is converted, unless a skin of the
    /// default scene needs it as a joint.
    ///
    /// Nothing has to be done if it is left over; otherwise list its root in the scene.
    NODE_IN_NO_SCENE = "GLTF0067" "node-in-no-scene" Info;
    /// The list of morph weights is not as long as the mesh has morph targets. Readers differ in what they do with the rest.
    ///
    /// Write as many weights as there are targets, or leave the list out.
    WEIGHTS_LENGTH = "GLTF0068" "morph-weights-length" Warning;

    /// Every attribute of a primitive has as many elements as its positions. A reader that trusts it reads past the end of the
    /// shorter one.
    ///
    /// Export the mesh again, or correct the count of the accessor that is wrong.
    ATTRIBUTE_COUNT = "GLTF0070" "attribute-count" Error;
    /// The accessor of an attribute, of indices or of keys is of a type that cannot hold them. Readers refuse the file,
    /// or make something else of the bytes.
    ///
    /// Use the type that is expected, or export the model again.
    ATTRIBUTE_TYPE = "GLTF0071" "attribute-type" Error;
    /// A primitive without positions cannot be drawn. It is left out.
    ///
    /// Give it positions, or take the primitive out.
    POSITION_MISSING = "GLTF0072" "position-missing" Warning;
    /// An index points past the last vertex. Engines upload the indices as they are, and the GPU reads memory that is not a vertex.
    ///
    /// Correct the index or leave the triangle out; an exporter that numbers the vertices anew does so.
    INDEX_OUT_OF_RANGE = "GLTF0073" "index-out-of-range" Error;
    /// The number of indices is no whole number of triangles or lines; the last one or two draw nothing.
    ///
    /// Triangulate the source and export it again, or leave the last indices out.
    INDEX_COUNT = "GLTF0074" "index-count" Warning;
    /// All primitives of a mesh have the same number of morph targets, because they share their weights.
    ///
    /// Give every primitive the targets that the others have, with offsets of 0 where it does not change.
    MORPH_TARGETS = "GLTF0075" "morph-targets-differ" Error;
    /// A normal is not of unit length; lighting is too bright or too dark there.
    ///
    /// Have the modelling program compute the normals anew, or divide each by its length, and export again.
    NORMAL_NOT_UNIT = "GLTF0076" "normal-not-unit" Warning;
    /// The weights of a vertex add up to 1. Anything else scales the vertex towards or away from the origin as it moves.
    ///
    /// Normalise the weights in the modelling program and export again, or divide each by their sum.
    WEIGHT_SUM = "GLTF0077" "weights-do-not-sum" Warning;
    /// A vertex follows a joint that its skin does not have. A shader that trusts it reads past its table of matrices.
    ///
    /// Correct the number, or add the joint to the skin; exporting mesh and skeleton together does so.
    JOINT_OUT_OF_RANGE = "GLTF0078" "joint-out-of-range" Error;
    /// A texture asks for a set of coordinates that the primitive does not have; it is displayed in one colour or not at all.
    ///
    /// Unwrap the mesh in the modelling program, or let the texture use a set that is there.
    TEXCOORD_MISSING = "GLTF0079" "texcoord-missing" Warning;
    /// Joints come with weights, and sets of attributes are numbered without gaps. What stands alone is ignored.
    ///
    /// Add what is missing, number the sets from 0, or take the attribute out.
    ATTRIBUTE_ALONE = "GLTF0080" "attribute-alone" Warning;
    /// A mesh without primitives draws nothing, and the specification does not allow it.
    ///
    /// Take the mesh out, with the nodes' mention of it, or give it a primitive.
    MESH_EMPTY = "GLTF0081" "mesh-empty" Warning;

    /// A skin has a matrix for each joint. With fewer, a reader that trusts it reads past their end.
    ///
    /// Give the skin as many matrices as joints, in their order, or leave the matrices out if all are identities.
    SKIN_MATRICES = "GLTF0085" "skin-matrix-count" Error;
    /// An inverse bind matrix is not affine or flattens space. It may be stored row by row instead of column by column.
    ///
    /// Transpose the matrices if all of them are so; look for a scale of 0 in the source if only some are.
    SKIN_MATRIX = "GLTF0086" "skin-matrix-odd" Warning;
    /// A skin without joints moves nothing, and one that lists a joint twice wastes it; neither is allowed.
    ///
    /// List each joint once, or take the skin out.
    SKIN_JOINTS = "GLTF0087" "skin-joints" Warning;

    /// Key times rise from 0. Readers that search for the key of a moment find a wrong one, or none.
    ///
    /// Sort the keys by time, leave one at each moment, and begin at 0 or later. A conversion sorts them.
    KEY_TIMES = "GLTF0090" "key-times-do-not-rise" Error;
    /// A sampler has one value for each time: three with cubic splines, and one for each morph target with weights. With fewer, a
    /// reader that trusts it reads past their end.
    ///
    /// Export the animation again, or correct the count of the accessor that is wrong.
    KEY_COUNT = "GLTF0091" "key-count" Error;
    /// Two channels of one animation move the same property of the same node. Which of them is played depends on the viewer.
    ///
    /// Keep the channel that is meant.
    CHANNEL_TWICE = "GLTF0092" "channel-twice" Warning;
    /// The node that is animated has a matrix, or no morph targets for its weights. Only translation, rotation and scale can be animated.
    ///
    /// Write the node's transform as translation, rotation and scale, or take the channel out.
    CHANNEL_TARGET = "GLTF0093" "channel-target" Warning;
    /// A channel moves no node, or a property that only an extension knows. It is left out.
    ///
    /// Nothing has to be done if the rest is enough; otherwise bake what it moves onto nodes or morph weights.
    CHANNEL_UNKNOWN = "GLTF0094" "channel-not-read" Info;
    /// A rotation key is not a quaternion of unit length, beyond the rounding of the type it is stored in. Viewers that
    /// do not normalise it scale and skew what it moves.
    ///
    /// Divide the components by the length that is given here, and the tangents of a spline's key with them. A
    /// conversion does so; a quaternion of length 0 becomes no rotation.
    KEY_NOT_UNIT = "GLTF0095" "key-rotation-not-unit" Warning;
}

/// Whether a finding is about what is supported here rather than about what is wrong.
pub fn is_about_support(code: &Code) -> bool {
    [&TOO_MANY_ITEMS, &EXTENSION_REQUIRED].iter().any(|known| known.id == code.id)
}

/// Applies every rule.
pub fn check(file: &File<'_>, source: &Source<'_>, report: &mut Report) {
    container::check(file, report);
    let document = &file.document;
    extensions::check(document, report);
    references(document, report);
    tree(document, report);
    nodes::check(document, report);
    let buffers = Buffers::of(file, source);
    for problem in buffers.problems(document) {
        report.push(problem);
    }
    let accessors = Accessors::new(document, &buffers, file.json.len() as u64);
    accessors::check(&accessors, report);
    materials::check(&accessors, source, report);
    meshes::check(&accessors, report);
    nodes::skins(&accessors, report);
    animations::check(&accessors, report);
    // The walk over the file has its JSON as one piece; here each finding gets the byte offset of its value.
    crate::locate::resolve(&Closely(file), report);
}

/// A path in the JSON.
pub(super) fn at<const N: usize>(segments: [Segment; N]) -> Path {
    let mut path = vec![Segment::from("json")];
    path.extend(segments);
    path.into()
}

/// Reports what an accessor that is needed has wrong, and goes on without it.
fn needed<T>(report: &mut Report, found: Result<T, Box<Diagnostic>>) -> Option<T> {
    found.map_err(|finding| report.push(*finding)).ok()
}
