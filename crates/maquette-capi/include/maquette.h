// maquette for C. Made from crates/maquette-capi/src by `cargo xtask pages`; do not edit.
// What holds for every function stands in docs/c.md: who owns what, threads, null pointers, text.

#ifndef MAQUETTE_H
#define MAQUETTE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

// How a call went.
typedef enum MaquetteStatus {
  // All is well.
  MAQUETTE_STATUS_OK = 0,
  // The system refused: no such file, no permission, a full disk; or it is no regular file.
  MAQUETTE_STATUS_IO = 1,
  // The file's bytes could not be understood.
  MAQUETTE_STATUS_MALFORMED = 2,
  // The scene cannot be written in this format, or takes more than a limit allows.
  MAQUETTE_STATUS_CANNOT_HOLD = 3,
  // An argument is null or out of range, or names no format, dialect or clip.
  MAQUETTE_STATUS_ARGUMENT = 4,
  // A mistake of the library's own.
  MAQUETTE_STATUS_INTERNAL = 5,
  // There is no memory for the bytes of a file.
  MAQUETTE_STATUS_OUT_OF_MEMORY = 6,
} MaquetteStatus;

// How bad a finding is.
typedef enum MaquetteSeverity {
  // Worth knowing; nothing is wrong.
  MAQUETTE_SEVERITY_INFO = 0,
  // Against the rules of the format, but readers cope or differ.
  MAQUETTE_SEVERITY_WARNING = 1,
  // A reader that trusts the file misbehaves.
  MAQUETTE_SEVERITY_ERROR = 2,
} MaquetteSeverity;

// What became of something that was lost.
typedef enum MaquetteLossKind {
  // It is gone.
  MAQUETTE_LOSS_KIND_DROPPED = 0,
  // A part of it is gone.
  MAQUETTE_LOSS_KIND_TRUNCATED = 1,
  // Something near stands in its place.
  MAQUETTE_LOSS_KIND_APPROXIMATED = 2,
  // It became part of something else.
  MAQUETTE_LOSS_KIND_BAKED = 3,
  // It has another name.
  MAQUETTE_LOSS_KIND_RENAMED = 4,
} MaquetteLossKind;

// What indices draw.
typedef enum MaquetteTopology {
  // Three make a triangle, counter-clockwise from outside.
  MAQUETTE_TOPOLOGY_TRIANGLES = 0,
  // Two make a line.
  MAQUETTE_TOPOLOGY_LINES = 1,
} MaquetteTopology;

// How opacity is drawn.
typedef enum MaquetteAlpha {
  // Opacity is ignored.
  MAQUETTE_ALPHA_OPAQUE = 0,
  // Drawn where it is at least the cutoff.
  MAQUETTE_ALPHA_MASK = 1,
  // Mixed with what is behind.
  MAQUETTE_ALPHA_BLEND = 2,
} MaquetteAlpha;

// How a texture goes on beyond its edge.
typedef enum MaquetteWrap {
  // Over and over.
  MAQUETTE_WRAP_REPEAT = 0,
  // Over and over, every other one mirrored.
  MAQUETTE_WRAP_MIRROR = 1,
  // Its edge goes on.
  MAQUETTE_WRAP_CLAMP = 2,
} MaquetteWrap;

// How an image is stored.
typedef enum MaquettePixels {
  // A file such as a PNG, as it is; level 0 is the whole file.
  MAQUETTE_PIXELS_FILE = 0,
  // Four bytes a pixel.
  MAQUETTE_PIXELS_RGBA8 = 1,
  // Two bytes a pixel.
  MAQUETTE_PIXELS_RG8 = 2,
  // Blocks of two channels.
  MAQUETTE_PIXELS_BC5 = 3,
  // Blocks of four channels.
  MAQUETTE_PIXELS_BC7 = 4,
  // It is in a file that was not there to be read.
  MAQUETTE_PIXELS_MISSING = 5,
} MaquettePixels;

// What a track moves of a node.
typedef enum MaquetteProperty {
  // From the origin of the parent, in its axes: three numbers.
  MAQUETTE_PROPERTY_TRANSLATION = 0,
  // A unit quaternion, xyzw: four numbers.
  MAQUETTE_PROPERTY_ROTATION = 1,
  // Sizes along each axis: three numbers.
  MAQUETTE_PROPERTY_SCALE = 2,
  // How much of each morph target of its mesh: as many numbers as there are targets.
  MAQUETTE_PROPERTY_MORPH_WEIGHTS = 3,
} MaquetteProperty;

// How a track goes from key to key; before the first and after the last it stays.
typedef enum MaquetteInterpolation {
  // It jumps at the next.
  MAQUETTE_INTERPOLATION_STEP = 0,
  // Straight, or along the shorter arc.
  MAQUETTE_INTERPOLATION_LINEAR = 1,
  // Along Hermite splines, by the tangents of keys.
  MAQUETTE_INTERPOLATION_CUBIC_SPLINE = 2,
} MaquetteInterpolation;

// How values are combined with the rest pose.
typedef enum MaquetteBlend {
  // They replace it.
  MAQUETTE_BLEND_ABSOLUTE = 0,
  // Translations are added to it; the rest replaces it.
  MAQUETTE_BLEND_RELATIVE = 1,
  // Translations are added to it, rotations turn it further.
  MAQUETTE_BLEND_ADDITIVE = 2,
  // As relative; the root carries the motion of the whole.
  MAQUETTE_BLEND_DELTA = 3,
} MaquetteBlend;

// How a fade goes from one clip to another.
typedef enum MaquetteEasing {
  // At an even pace.
  MAQUETTE_EASING_LINEAR = 0,
  // Slowly at both ends.
  MAQUETTE_EASING_SMOOTH = 1,
  // More so.
  MAQUETTE_EASING_SMOOTHER = 2,
} MaquetteEasing;

// Which bones a blend is for that one bone has of its own. Tools differ.
typedef enum MaquetteScope {
  // The bone and what is below it, up to the next that has one of its own.
  MAQUETTE_SCOPE_BOTH = 0,
  // The bone alone.
  MAQUETTE_SCOPE_SELF_ONLY = 1,
  // What is below the bone, but not the bone.
  MAQUETTE_SCOPE_DESCENDANTS = 2,
} MaquetteScope;

// How well textures are compressed, where a format holds blocks.
typedef enum MaquetteTextures {
  // As the command does by default.
  MAQUETTE_TEXTURES_DEFAULT = 0,
  // Pixels instead of blocks.
  MAQUETTE_TEXTURES_NONE = 1,
  // Quickly.
  MAQUETTE_TEXTURES_FAST = 2,
  // As well as possible.
  MAQUETTE_TEXTURES_HIGH = 3,
} MaquetteTextures;

// What a conversion made and lost.
typedef struct MaquetteConversion MaquetteConversion;

// Plays clips of a model, several at once. For one thread at a time.
typedef struct MaquetteMixer MaquetteMixer;

// A model of any format, or an animation alone.
typedef struct MaquetteModel MaquetteModel;

// What was found in a file.
typedef struct MaquetteReport MaquetteReport;

// How bones of clips are matched with nodes of a model. Begin with `maquette_apply_options`.
typedef struct MaquetteApplyOptions {
  // The size of the structure that the program knows.
  size_t struct_size;
  // What a clip without a name is called; may be null.
  const char *name;
  // Lines of `clip bone = model bone`, as in the files that the command takes for `--bone-map`; may be null.
  const char *bone_map;
  // Beginnings of names that are passed over on both sides, such as `ValveBiped.`; may be null.
  const char *const *prefixes;
  // How many of them there are.
  size_t prefix_count;
  // Whether namespaces are passed over on both sides: `mixamorig:Hips` is `Hips`.
  bool ignore_namespaces;
  // Which bones a blend is for that one bone has of its own: a `MaquetteScope`.
  int32_t scope;
} MaquetteApplyOptions;

// One finding.
typedef struct MaquetteFinding {
  // `AEM0045`; empty where no format knows the file.
  const char *code;
  // `joint-parent-out-of-range`
  const char *name;
  // How bad it is.
  enum MaquetteSeverity severity;
  // Where, in bytes; -1 for what lies outside the file.
  int64_t offset;
  // Where, by name: `joints[12].parent`; empty for the file as a whole.
  const char *path;
  // What was found.
  const char *message;
  // What would be valid; empty where that goes without saying.
  const char *expected;
  // How often; the place is that of the first.
  uint64_t count;
} MaquetteFinding;

// What is asked of a conversion. Begin with `maquette_convert_options`, which asks for what the command does by default.
typedef struct MaquetteConvertOptions {
  // The size of the structure that the program knows.
  size_t struct_size;
  // The id of the dialect to write; null for the one that loses least.
  const char *dialect;
  // What every length is multiplied by; 0 for 1.
  float scale;
  // How textures are compressed: a `MaquetteTextures`.
  int32_t textures;
  // Textures are halved until no side is longer; 0 for no limit.
  uint32_t max_texture_size;
  // Whether triangles and vertices are put into the order that hardware likes best.
  bool optimize;
  // Whether files may be replaced that may belong to others.
  bool overwrite;
} MaquetteConvertOptions;

// Gives the bytes of the companion file of this name, which may hold folders, `textures/brick.png`, and writes how many they are; null where there is none. They are copied before it is called again
// and before the function returns that calls it.
typedef const uint8_t *(*MaquetteCompanion)(void *context, const char *name, size_t *size);

// A file that a conversion made.
typedef struct MaquetteFile {
  // Its path as it was written; in memory its name, which may hold folders.
  const char *name;
  // Its bytes; null where it is on disk.
  const uint8_t *data;
  // How many bytes; 0 where it is on disk.
  size_t size;
} MaquetteFile;

// Something that was lost.
typedef struct MaquetteLoss {
  // What became of it.
  enum MaquetteLossKind kind;
  // In the words of `docs/losses.md`: `vertex colours`.
  const char *what;
  // Whose: `mesh "body"`.
  const char *subject;
  // Why, and what stands in its place.
  const char *detail;
  // How many objects, vertices or keys it is about.
  uint64_t count;
  // The largest error of an approximation; 0 otherwise.
  float max_error;
} MaquetteLoss;

// Why a call failed, with the place in the file, if that is what was wrong. Text lives until the next call of this thread that gives a status, true or false, or a pointer.
typedef struct MaquetteError {
  // How it went.
  enum MaquetteStatus status;
  // The rule that is broken: `AEM0001`; empty where no rule of a format has to do with it.
  const char *code;
  // Where in the file, in bytes; -1 for no place in it.
  int64_t offset;
  // Where in the file, by name: `header.magic`; may be empty.
  const char *path;
  // What `maquette_last_error` says.
  const char *message;
} MaquetteError;

// A format that is known, as `maquette formats` lists it. Its text lives as long as the program.
typedef struct MaquetteFormat {
  // The name used everywhere: `gltf`.
  const char *id;
  // The name people use.
  const char *name;
  // What it is.
  const char *about;
  // How many endings of file names it has: see `maquette_known_ending`.
  size_t ending_count;
  // How many dialects it has: see `maquette_known_dialect`.
  size_t dialect_count;
} MaquetteFormat;

// A layout of a format that is in use. Its text lives as long as the program.
typedef struct MaquetteDialect {
  // The name used everywhere: `document`.
  const char *id;
  // What sets it apart.
  const char *about;
  // Which programs read it.
  const char *read_by;
} MaquetteDialect;

// A part of a mesh, of one material. Pointers are null where there is no such stream, and each stream has a value for every vertex.
typedef struct MaquettePrimitive {
  // What the indices draw.
  enum MaquetteTopology topology;
  // Its material; -1 for the default one.
  int32_t material;
  // How many vertices there are.
  size_t vertex_count;
  // How many indices there are.
  size_t index_count;
  // Always there.
  const uint32_t *indices;
  // Three numbers each.
  const float *positions;
  // Three numbers each, of unit length.
  const float *normals;
  // Four numbers each: a unit vector, and the sign of the bitangent.
  const float *tangents;
  // The first set of texture coordinates, two numbers each, origin at the top left. `maquette_uvs` has the others.
  const float *uvs;
  // The first set of linear colours, four numbers each. `maquette_colours` has the others.
  const float *colours;
  // How many joints and weights each vertex has; 0 without a skin.
  size_t influence_count;
  // Positions in the joints of the skin.
  const uint32_t *joints;
  // How much each joint moves the vertex.
  const float *weights;
} MaquettePrimitive;

// What plays in a channel: read it, change it, and write it back.
typedef struct MaquetteChannel {
  // Which of the clips.
  uint32_t clip;
  // Whether time goes on.
  bool is_playing;
  // Whether it begins anew at its end, backwards at its beginning; otherwise it stays there.
  bool is_looping;
  // Whether it adds to what is there; its clip holds differences then.
  bool is_additive;
  // Where it is, in seconds.
  float time;
  // Seconds of the clip for each second; backwards below 0.
  float speed;
  // How much of it, 0 or more. Channels of the base share the pose by their weights, whatever the sum of these is; an additive channel adds so much of its differences.
  float weight;
} MaquetteChannel;

// Something that happens at a moment of a clip.
typedef struct MaquetteEvent {
  // In seconds from the start of the clip.
  float time;
  // What is to be done: `footstep`.
  const char *name;
} MaquetteEvent;

// A node: a group, a mesh, a joint.
typedef struct MaquetteNode {
  // Its name; may be empty.
  const char *name;
  // The node it hangs on; -1 for a root.
  int32_t parent;
  // The mesh that is drawn at it; -1 for none.
  int32_t mesh;
  // The skin that moves that mesh; -1 for none.
  int32_t skin;
  // At rest, from the origin of the parent.
  float translation[3];
  // At rest, xyzw.
  float rotation[4];
  // At rest.
  float scale[3];
  // Node space to parent space at rest, column by column; holds shear, where the parts above cannot.
  float matrix[16];
} MaquetteNode;

// The joints of a skin.
typedef struct MaquetteSkin {
  // How many there are.
  size_t joint_count;
  // Their nodes.
  const uint32_t *joints;
  // Mesh space to joint space in the bind pose, 16 numbers for each joint, column by column.
  const float *inverse_bind_matrices;
} MaquetteSkin;

// A shape that is mixed into a part of a mesh: what is added to each vertex, times its weight. Pointers are null where there is no such stream.
typedef struct MaquetteMorph {
  // Its name; may be empty.
  const char *name;
  // How much of it is mixed in at rest.
  float weight;
  // Added to positions, three numbers a vertex.
  const float *positions;
  // Added to normals, three numbers a vertex.
  const float *normals;
  // Added to the direction of tangents, three numbers a vertex.
  const float *tangents;
} MaquetteMorph;

// A texture of a material.
typedef struct MaquetteTexture {
  // The image; -1 where the material has no such texture.
  int32_t image;
  // Which set of texture coordinates.
  uint32_t uv_set;
  // Along U and V.
  enum MaquetteWrap wrap[2];
  // Added to the coordinates, after they were scaled and turned; 0, 0 where they stay as they are.
  float offset[2];
  // How far they are turned around their origin, counter-clockwise, in radians, as `KHR_texture_transform` of glTF has it.
  float rotation;
  // What they are multiplied by first; 1, 1 where they stay as they are.
  float scale[2];
} MaquetteTexture;

// A material: factors and textures of glTF's metallic-roughness model, or packed maps, in which the factors are multiplied already.
typedef struct MaquetteMaterial {
  // Its name; may be empty.
  const char *name;
  // Whether it has packed maps: base colour linear, normals in two channels, and `metallic_roughness` as roughness, occlusion, metalness and emission.
  bool is_packed;
  // How opacity is drawn.
  enum MaquetteAlpha alpha;
  // From which opacity on it is drawn, where it is masked.
  float alpha_cutoff;
  // Whether back faces are drawn.
  bool double_sided;
  // Whether it is drawn in its base colour, without any lighting.
  bool unlit;
  // Linear colour and opacity, times the texture.
  float base_colour[4];
  // Times blue of the texture.
  float metallic;
  // Times green of the texture.
  float roughness;
  // Linear colour, times the texture; its strength is multiplied in.
  float emissive[3];
  // Times X and Y of the normal map.
  float normal_scale;
  // How much of the occlusion is applied.
  float occlusion_strength;
  // Colour and opacity.
  struct MaquetteTexture base_colour_texture;
  // Green is roughness, blue is metalness; or the packed map.
  struct MaquetteTexture metallic_roughness_texture;
  // Normals in tangent space, green up.
  struct MaquetteTexture normal_texture;
  // Red is occlusion.
  struct MaquetteTexture occlusion_texture;
  // Colour in sRGB.
  struct MaquetteTexture emissive_texture;
} MaquetteMaterial;

// An image.
typedef struct MaquetteImage {
  // Its name, or the name of the file that was not there.
  const char *name;
  // How it is stored.
  enum MaquettePixels pixels;
  // What kind of file it is: `image/png`; empty for pixels and blocks.
  const char *mime;
  // Whether its colours are sRGB; of files, which say so themselves, always false.
  bool is_srgb;
  // In pixels; 0 for files.
  uint32_t width;
  // In pixels; 0 for files.
  uint32_t height;
  // How many mip levels there are.
  size_t level_count;
} MaquetteImage;

// A clip.
typedef struct MaquetteClip {
  // Its name; may be empty.
  const char *name;
  // In seconds.
  double duration;
  // 1 if it is meant to repeat, 0 if not, -1 where the format does not say.
  int32_t looped;
  // Frames a second; 0 where the format has no frames.
  float frame_rate;
  // How many properties of nodes it moves: see `maquette_track`.
  size_t track_count;
  // How many keys they have together.
  size_t key_count;
  // How many events it has.
  size_t event_count;
} MaquetteClip;

// The keys of one property of one node.
typedef struct MaquetteTrack {
  // The node that moves; -1 where the file holds animation alone.
  int32_t node;
  // The name of the node, or of the bone of another model.
  const char *target;
  // What moves.
  enum MaquetteProperty property;
  // How it goes from key to key.
  enum MaquetteInterpolation interpolation;
  // How values are combined with the rest pose.
  enum MaquetteBlend blend;
  // How many keys there are.
  size_t key_count;
  // How many numbers a value has.
  size_t component_count;
  // When each key is, in seconds.
  const float *times;
  // One value after the other, with splines three for each key: the tangent before it, itself, the tangent after it. Null for morph weights: `maquette_key` has them.
  const float *values;
} MaquetteTrack;

// One key. Pointers lead to as many numbers as the track has components.
typedef struct MaquetteKey {
  // In seconds from the start of the clip.
  double time;
  // Its value.
  const float *value;
  // The tangent before it; null but for splines.
  const float *tangent_before;
  // The tangent after it; null but for splines.
  const float *tangent_after;
} MaquetteKey;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Writes the options by default; null does nothing.
void maquette_apply_options(struct MaquetteApplyOptions *options);

// Makes a copy of a model that has the clips of another besides its own, behind them, each moving the nodes of the names its bones have. A clip that moves no node is a mistake, and nothing is made.
// `options` may be null. What was lost is told by `maquette_loss` of the new model, which is freed with `maquette_free`; where it fails, `out` becomes null.
enum MaquetteStatus maquette_apply_clips(const struct MaquetteModel *model,
                                         const struct MaquetteModel *clips,
                                         const struct MaquetteApplyOptions *options,
                                         struct MaquetteModel **out);

// Checks a regular file of any format against its rules. A file that breaks them is no failure of the call: the report says so. Nor is one of no format that is known: it has one finding, without a
// code. The report is freed with `maquette_free_report`; where the call fails, `report` becomes null.
enum MaquetteStatus maquette_check(const char *path,
                                   struct MaquetteReport **report);

// Checks a file that is in memory. `name` is what it is called; it may be null.
enum MaquetteStatus maquette_check_memory(const char *name,
                                          const uint8_t *data,
                                          size_t size,
                                          struct MaquetteReport **report);

// Frees a report; null is fine.
void maquette_free_report(struct MaquetteReport *report);

// Whether nothing worse than an info was found, and the file could be read to its end.
bool maquette_report_is_ok(const struct MaquetteReport *report);

// The id of the format that the file was taken for; empty if none claims it.
const char *maquette_report_format(const struct MaquetteReport *report);

// How many findings there are.
size_t maquette_finding_count(const struct MaquetteReport *report);

// Writes a finding, in the order of the file; false beyond the last.
bool maquette_finding(const struct MaquetteReport *report, size_t at, struct MaquetteFinding *out);

// Writes the options of a conversion by default; null does nothing.
void maquette_convert_options(struct MaquetteConvertOptions *options);

// Converts a regular file into another, whose ending names the format; companion files are read from the folder of the one and written beside the other, all of them or none. Paths are as in
// `maquette_load`. `options` and `conversion` may be null; otherwise what was written and lost is freed with `maquette_free_conversion`.
enum MaquetteStatus maquette_convert(const char *input,
                                     const char *output,
                                     const struct MaquetteConvertOptions *options,
                                     struct MaquetteConversion **conversion);

// Converts a file that is in memory into others in memory: the ending of `output` names the format, and `maquette_conversion_file` has the file and its companions. `name` is what the input is called;
// it and `options` may be null. `companion` and `context` are as in `maquette_load_with`. The conversion is freed with `maquette_free_conversion`; where the call fails, `conversion` becomes null.
enum MaquetteStatus maquette_convert_memory(const char *name,
                                            const uint8_t *data,
                                            size_t size,
                                            MaquetteCompanion companion,
                                            void *context,
                                            const char *output,
                                            const struct MaquetteConvertOptions *options,
                                            struct MaquetteConversion **conversion);

// Writes a file that a conversion made, the one that was asked for first and then its companions; false beyond the last.
bool maquette_conversion_file(const struct MaquetteConversion *conversion,
                              size_t at,
                              struct MaquetteFile *out);

// Writes what a conversion lost, by position; false beyond the last.
bool maquette_conversion_loss(const struct MaquetteConversion *conversion, size_t at, struct MaquetteLoss *out);

// Frees a conversion; null is fine.
void maquette_free_conversion(struct MaquetteConversion *conversion);

// Why the last call of this thread failed that gives a status, true or false, or a pointer, in words: what, where and what would be right. Empty where it succeeded. Never null; it lives until the
// next such call of this thread.
const char *maquette_last_error(void);

// Writes why the last call of this thread failed that gives a status, true or false, or a pointer; false where it succeeded, and all is empty then. This call itself changes nothing of it.
bool maquette_error(struct MaquetteError *out);

// The version of the library: `0.1.0`.
const char *maquette_version(void);

// How many formats are known.
size_t maquette_known_format_count(void);

// Writes a format that is known; false beyond the last.
bool maquette_known_format(size_t at, struct MaquetteFormat *out);

// An ending of the file names of a format, without the dot; null beyond the last.
const char *maquette_known_ending(size_t format, size_t at);

// Writes a dialect of a format, the one that is written by default first; false beyond the last.
bool maquette_known_dialect(size_t format, size_t at, struct MaquetteDialect *out);

// How many meshes there are.
size_t maquette_mesh_count(const struct MaquetteModel *model);

// The name of a mesh; null beyond the last.
const char *maquette_mesh_name(const struct MaquetteModel *model, size_t mesh);

// Writes a part of a mesh; false beyond the last.
bool maquette_primitive(const struct MaquetteModel *model, size_t mesh, size_t at, struct MaquettePrimitive *out);

// A set of texture coordinates of a part of a mesh, two numbers a vertex; null beyond the last set.
const float *maquette_uvs(const struct MaquetteModel *model, size_t mesh, size_t at, size_t set);

// A set of linear colours of a part of a mesh, four numbers a vertex; null beyond the last set.
const float *maquette_colours(const struct MaquetteModel *model, size_t mesh, size_t at, size_t set);

// Loads a regular file of any format, told by its bytes; companion files come from its folder. A path is UTF-8; on Unix it is any bytes. All is read into memory: what happens to the file afterwards
// changes nothing. The model is freed with `maquette_free`. Where it fails, `model` becomes null.
enum MaquetteStatus maquette_load(const char *path,
                                  struct MaquetteModel **model);

// Loads a file that is in memory; its bytes are copied. `name` is what it is called, and its ending helps where the bytes do not tell; it may be null. It has no companion files.
enum MaquetteStatus maquette_load_memory(const char *name,
                                         const uint8_t *data,
                                         size_t size,
                                         struct MaquetteModel **model);

// Loads a file that is in memory, and has the program give its companion files: the buffers and images of a `.gltf`, the `.pani` and `.pmat` of a PMDL. `name` is what it is called: some companions
// are named after it. `companion` may be null; `context` is handed to it. It is called before this returns, and never by two threads at once.
enum MaquetteStatus maquette_load_with(const char *name,
                                       const uint8_t *data,
                                       size_t size,
                                       MaquetteCompanion companion,
                                       void *context,
                                       struct MaquetteModel **model);

// Makes a mixer with so many channels, 1024 at most, none of which plays: everything is at rest. The model must outlive it. Where it fails, `mixer` becomes null.
enum MaquetteStatus maquette_mixer(const struct MaquetteModel *model,
                                   size_t channel_count,
                                   struct MaquetteMixer **mixer);

// Frees a mixer; null is fine.
void maquette_free_mixer(struct MaquetteMixer *mixer);

// Writes what a channel plays; false beyond the last.
bool maquette_channel(const struct MaquetteMixer *mixer, size_t at, struct MaquetteChannel *out);

// Sets what a channel plays; false beyond the last, where there is no such clip or it cannot be played, and where time, speed or weight are not finite or the weight is below 0. The channel stays as
// it was then.
bool maquette_set_channel(struct MaquetteMixer *mixer,
                          size_t at,
                          const struct MaquetteChannel *channel);

// Gives each node a part of the weight of a channel, by the order of nodes; `weights` of null takes the mask away. False beyond the last channel, and where a weight is not finite or below 0.
bool maquette_set_mask(struct MaquetteMixer *mixer,
                       size_t at,
                       const float *weights);

// Gives a channel all weight at once, and takes it from the others of the base. False beyond the last channel.
bool maquette_cut_to(struct MaquetteMixer *mixer, size_t channel);

// Gives a channel all weight within so many seconds, and takes it from the others of the base. `easing` is a `MaquetteEasing`. False beyond the last channel, where there is no such easing, and where
// the seconds are not finite or below 0.
bool maquette_fade_to(struct MaquetteMixer *mixer,
                      size_t channel,
                      float seconds,
                      int32_t easing);

// Lets time go on, and places all joints. Seconds that are not finite are a mistake, and nothing is changed.
enum MaquetteStatus maquette_update(struct MaquetteMixer *mixer, float seconds);

// Writes the palette of a skin as the last `maquette_update` left it, before the first at rest: 16 numbers for each joint of the skin, column by column.
enum MaquetteStatus maquette_mixer_palette(const struct MaquetteMixer *mixer,
                                           size_t skin,
                                           float *palette);

// Writes where a node is, as the last `maquette_update` left it, before the first at rest: node space to model space, 16 numbers, column by column. For what a hand holds. False beyond the last node.
bool maquette_mixer_node(const struct MaquetteMixer *mixer,
                         size_t node,
                         float *matrix);

// Writes an event that the last `maquette_update` passed, in channels that can be seen, and the channel; false beyond the last. `channel` may be null.
bool maquette_mixer_event(const struct MaquetteMixer *mixer,
                          size_t at,
                          size_t *channel,
                          struct MaquetteEvent *out);

// Frees a model; null is fine.
void maquette_free(struct MaquetteModel *model);

// The id of the format it came from: `aem`, `gltf`, `seanim`.
const char *maquette_format(const struct MaquetteModel *model);

// The id of the dialect it came in.
const char *maquette_dialect(const struct MaquetteModel *model);

// Writes what reading the file lost, by position; false beyond the last.
bool maquette_loss(const struct MaquetteModel *model, size_t at, struct MaquetteLoss *out);

// How many nodes there are.
size_t maquette_node_count(const struct MaquetteModel *model);

// Writes a node; false beyond the last.
bool maquette_node(const struct MaquetteModel *model, size_t at, struct MaquetteNode *out);

// How many skins there are.
size_t maquette_skin_count(const struct MaquetteModel *model);

// Writes a skin; false beyond the last.
bool maquette_skin(const struct MaquetteModel *model, size_t at, struct MaquetteSkin *out);

// How many morph targets a mesh has.
size_t maquette_morph_count(const struct MaquetteModel *model, size_t mesh);

// Writes a morph target of a part of a mesh; false beyond the last.
bool maquette_morph(const struct MaquetteModel *model, size_t mesh, size_t part, size_t at, struct MaquetteMorph *out);

// Writes how much of each morph target of a mesh there is at a moment of a clip; -1 is the rest. `weights` has room for `maquette_morph_count` numbers.
enum MaquetteStatus maquette_morph_weights(const struct MaquetteModel *model,
                                           int32_t clip,
                                           float time,
                                           size_t mesh,
                                           float *weights);

// Writes how much of each morph target of a mesh there is, as the last `maquette_update` left it: channels share by their weights, those on an additive layer add theirs; masks are of nodes and do not
// count. `weights` has room for `maquette_morph_count` numbers.
enum MaquetteStatus maquette_mixer_morph_weights(struct MaquetteMixer *mixer,
                                                 size_t mesh,
                                                 float *weights);

// Writes the palette of a skin at a moment of a clip: for each joint of the skin 16 numbers, column by column, which take each vertex from where it was bound to where it is in the model.
// A clip of -1 is the rest pose. `palette` has room for 16 numbers for each joint of the skin.
enum MaquetteStatus maquette_palette(const struct MaquetteModel *model,
                                     int32_t clip,
                                     float time,
                                     size_t skin,
                                     float *palette);

// How many materials there are.
size_t maquette_material_count(const struct MaquetteModel *model);

// Writes a material; false beyond the last.
bool maquette_material(const struct MaquetteModel *model, size_t at, struct MaquetteMaterial *out);

// How many images there are.
size_t maquette_image_count(const struct MaquetteModel *model);

// Writes an image; false beyond the last.
bool maquette_image(const struct MaquetteModel *model, size_t at, struct MaquetteImage *out);

// The bytes of a mip level of an image, rows without padding, and how many they are; null beyond the last. `size` may be null.
const uint8_t *maquette_image_level(const struct MaquetteModel *model,
                                    size_t image,
                                    size_t level,
                                    size_t *size);

// How many clips there are.
size_t maquette_clip_count(const struct MaquetteModel *model);

// Writes a clip; false beyond the last.
bool maquette_clip(const struct MaquetteModel *model, size_t at, struct MaquetteClip *out);

// Writes an event of a clip; false beyond the last.
bool maquette_event(const struct MaquetteModel *model, size_t clip, size_t at, struct MaquetteEvent *out);

// Writes a track of a clip; false beyond the last.
bool maquette_track(const struct MaquetteModel *model, size_t clip, size_t at, struct MaquetteTrack *out);

// Writes a key of a track; false beyond the last.
bool maquette_key(const struct MaquetteModel *model, size_t clip, size_t track, size_t at, struct MaquetteKey *out);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* MAQUETTE_H */
