// maquette for C. Made from crates/maquette-capi/src by `cargo xtask pages`; do not edit.
// What holds for every function stands in docs/c.md: who owns what, threads, null pointers, text.

#ifndef MAQUETTE_H
#define MAQUETTE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

// How a call went.
typedef enum MaquetteStatus {
  // All is well.
  MAQUETTE_STATUS_OK = 0,
  // The system refused: no such file, no permission, a full disk.
  MAQUETTE_STATUS_IO = 1,
  // The file's bytes could not be understood.
  MAQUETTE_STATUS_MALFORMED = 2,
  // The scene cannot be written in this format, or takes more than a limit allows.
  MAQUETTE_STATUS_CANNOT_HOLD = 3,
  // An argument is null or out of range, or names no format, dialect or clip.
  MAQUETTE_STATUS_ARGUMENT = 4,
  // A mistake of the library's own.
  MAQUETTE_STATUS_INTERNAL = 5,
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

// How a fade goes from one clip to another.
typedef enum MaquetteEasing {
  // At an even pace.
  MAQUETTE_EASING_LINEAR = 0,
  // Slowly at both ends.
  MAQUETTE_EASING_SMOOTH = 1,
  // More so.
  MAQUETTE_EASING_SMOOTHER = 2,
} MaquetteEasing;

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

// What a conversion lost.
typedef struct MaquetteConversion MaquetteConversion;

// Plays clips of a model, several at once. For one thread at a time.
typedef struct MaquetteMixer MaquetteMixer;

// A model of any format, or an animation alone.
typedef struct MaquetteModel MaquetteModel;

// What was found in a file.
typedef struct MaquetteReport MaquetteReport;

// One finding.
typedef struct MaquetteFinding {
  // `AEM0045`
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

// What is asked of a conversion. Filled with zeros, it asks for what the command does by default.
typedef struct MaquetteConvertOptions {
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

// A part of a mesh, of one material. Pointers are null where there is no such stream, and each stream has a value for every vertex.
typedef struct MaquettePrimitive {
  // What the indices draw.
  enum MaquetteTopology topology;
  // Its material; -1 for the default one.
  int32_t material;
  // How many vertices there are.
  uintptr_t vertex_count;
  // How many indices there are.
  uintptr_t index_count;
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
  // The first set of linear colours, four numbers each.
  const float *colours;
  // How many joints and weights each vertex has; 0 without a skin.
  uintptr_t influence_count;
  // Positions in the joints of the skin.
  const uint32_t *joints;
  // How much each joint moves the vertex.
  const float *weights;
} MaquettePrimitive;

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
  uintptr_t joint_count;
  // Their nodes.
  const uint32_t *joints;
  // Mesh space to joint space in the bind pose, 16 numbers for each joint, column by column.
  const float *inverse_bind_matrices;
} MaquetteSkin;

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
  // How many properties of nodes it moves.
  uintptr_t track_count;
  // How many keys they have together.
  uintptr_t key_count;
  // How many events it has.
  uintptr_t event_count;
} MaquetteClip;

// Something that happens at a moment of a clip.
typedef struct MaquetteEvent {
  // In seconds from the start of the clip.
  float time;
  // What is to be done: `footstep`.
  const char *name;
} MaquetteEvent;

// What plays in a channel: read it, change it, and write it back.
typedef struct MaquetteChannel {
  // Which of the clips.
  uint32_t clip;
  // Whether time goes on.
  bool is_playing;
  // Whether it begins anew at its end; otherwise it stays there.
  bool is_looping;
  // Whether it adds to what is there; its clip holds differences then.
  bool is_additive;
  // Where it is, in seconds.
  float time;
  // Seconds of the clip for each second; backwards below 0.
  float speed;
  // How much of it; 0 or less is nothing.
  float weight;
} MaquetteChannel;

// A texture of a material.
typedef struct MaquetteTexture {
  // The image; -1 where the material has no such texture.
  int32_t image;
  // Which set of texture coordinates.
  uint32_t uv_set;
  // Along U and V.
  enum MaquetteWrap wrap[2];
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
  uintptr_t level_count;
} MaquetteImage;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Checks a file of any format against its rules. A file that breaks them is no failure of the call: the report says so. It is freed with `maquette_free_report`; where the
// call fails, `report` becomes null.
enum MaquetteStatus maquette_check(const char *path,
                                   struct MaquetteReport **out);

// Checks a file that is in memory. `name` is what it is called; it may be null.
enum MaquetteStatus maquette_check_memory(const char *name,
                                          const uint8_t *data,
                                          uintptr_t size,
                                          struct MaquetteReport **out);

// Frees a report; null is fine.
void maquette_free_report(struct MaquetteReport *report);

// Whether nothing worse than an info was found, and the file could be read to its end.
bool maquette_report_is_ok(const struct MaquetteReport *report);

// The id of the format that the file was taken for; empty if none claims it.
const char *maquette_report_format(const struct MaquetteReport *report);

// How many findings there are.
uintptr_t maquette_finding_count(const struct MaquetteReport *report);

// Writes a finding, in the order of the file; false beyond the last.
bool maquette_finding(const struct MaquetteReport *report, uintptr_t at, struct MaquetteFinding *out);

// Converts a file into another, whose ending names the format; its companion files are written with it, all of them or none. `options` and `conversion` may be null;
// otherwise what was lost is freed with `maquette_free_conversion`.
enum MaquetteStatus maquette_convert(const char *input,
                                     const char *output,
                                     const struct MaquetteConvertOptions *options,
                                     struct MaquetteConversion **conversion);

// Writes what a conversion lost, by position; false beyond the last.
bool maquette_conversion_loss(const struct MaquetteConversion *conversion, uintptr_t at, struct MaquetteLoss *out);

// Frees what a conversion lost; null is fine.
void maquette_free_conversion(struct MaquetteConversion *conversion);

// What went wrong last in this thread, in words: what, where and what would be right. Never null; it lives until the next call of this thread that fails.
const char *maquette_last_error(void);

// The version of the library: `0.1.0`.
const char *maquette_version(void);

// How many meshes there are.
uintptr_t maquette_mesh_count(const struct MaquetteModel *model);

// The name of a mesh; null beyond the last.
const char *maquette_mesh_name(const struct MaquetteModel *model, uintptr_t mesh);

// Writes a part of a mesh; false beyond the last.
bool maquette_primitive(const struct MaquetteModel *model, uintptr_t mesh, uintptr_t at, struct MaquettePrimitive *out);

// A set of texture coordinates of a part of a mesh, two numbers a vertex; null beyond the last set.
const float *maquette_uvs(const struct MaquetteModel *model, uintptr_t mesh, uintptr_t at, uintptr_t set);

// Loads a file of any format, told by its bytes; companion files come from its folder. The model is freed with `maquette_free`. Where it fails, `model` becomes null.
enum MaquetteStatus maquette_load(const char *path,
                                  struct MaquetteModel **model);

// Loads a file that is in memory; its bytes are copied. `name` is what it is called, and its ending helps where the bytes do not tell; it may be null.
enum MaquetteStatus maquette_load_memory(const char *name,
                                         const uint8_t *data,
                                         uintptr_t size,
                                         struct MaquetteModel **model);

// Frees a model; null is fine.
void maquette_free(struct MaquetteModel *model);

// The id of the format it came from: `aem`, `gltf`, `seanim`.
const char *maquette_format(const struct MaquetteModel *model);

// The id of the dialect it came in.
const char *maquette_dialect(const struct MaquetteModel *model);

// Writes what reading the file lost, by position; false beyond the last.
bool maquette_loss(const struct MaquetteModel *model, uintptr_t at, struct MaquetteLoss *out);

// How many nodes there are.
uintptr_t maquette_node_count(const struct MaquetteModel *model);

// Writes a node; false beyond the last.
bool maquette_node(const struct MaquetteModel *model, uintptr_t at, struct MaquetteNode *out);

// How many skins there are.
uintptr_t maquette_skin_count(const struct MaquetteModel *model);

// Writes a skin; false beyond the last.
bool maquette_skin(const struct MaquetteModel *model, uintptr_t at, struct MaquetteSkin *out);

// How many clips there are.
uintptr_t maquette_clip_count(const struct MaquetteModel *model);

// Writes a clip; false beyond the last.
bool maquette_clip(const struct MaquetteModel *model, uintptr_t at, struct MaquetteClip *out);

// Writes an event of a clip; false beyond the last.
bool maquette_event(const struct MaquetteModel *model, uintptr_t clip, uintptr_t at, struct MaquetteEvent *out);

// Writes the palette of a skin at a moment of a clip: for each joint of the skin 16 numbers, column by column, which take each vertex from where it was bound to where it is.
// A clip of -1 is the rest pose. `palette` has room for 16 numbers for each joint of the skin.
enum MaquetteStatus maquette_palette(const struct MaquetteModel *model,
                                     int32_t clip,
                                     float time,
                                     uintptr_t skin,
                                     float *palette);

// Makes a mixer with so many channels, none of which plays. The model must outlive it. Where it fails, `mixer` becomes null.
enum MaquetteStatus maquette_mixer(const struct MaquetteModel *model,
                                   uintptr_t channel_count,
                                   struct MaquetteMixer **mixer);

// Frees a mixer; null is fine.
void maquette_free_mixer(struct MaquetteMixer *mixer);

// Writes what a channel plays; false beyond the last.
bool maquette_channel(const struct MaquetteMixer *mixer, uintptr_t at, struct MaquetteChannel *out);

// Sets what a channel plays; false beyond the last, or where there is no such clip.
bool maquette_set_channel(struct MaquetteMixer *mixer, uintptr_t at, const struct MaquetteChannel *channel);

// Gives each joint a part of the weight of a channel, by the order of nodes; `weights` of null takes the mask away. False beyond the last channel.
bool maquette_set_mask(struct MaquetteMixer *mixer,
                       uintptr_t at,
                       const float *weights);

// Gives a channel all weight at once, and takes it from the others.
void maquette_cut_to(struct MaquetteMixer *mixer, uintptr_t channel);

// Gives a channel all weight within so many seconds, and takes it from the others. `easing` is a `MaquetteEasing`.
void maquette_fade_to(struct MaquetteMixer *mixer, uintptr_t channel, float seconds, int32_t easing);

// Lets time go on, and places all joints.
enum MaquetteStatus maquette_update(struct MaquetteMixer *mixer, float seconds);

// Writes the palette of a skin as the last `maquette_update` left it: 16 numbers for each joint of the skin, column by column.
enum MaquetteStatus maquette_mixer_palette(const struct MaquetteMixer *mixer,
                                           uintptr_t skin,
                                           float *palette);

// Writes where a node is, as the last `maquette_update` left it: node space to model space, 16 numbers, column by column. For what a hand holds. False beyond the last node.
bool maquette_mixer_node(const struct MaquetteMixer *mixer,
                         uintptr_t node,
                         float *matrix);

// Writes an event that the last `maquette_update` passed, in channels that can be seen, and the channel; false beyond the last. `channel` may be null.
bool maquette_mixer_event(const struct MaquetteMixer *mixer,
                          uintptr_t at,
                          uintptr_t *channel,
                          struct MaquetteEvent *out);

// How many materials there are.
uintptr_t maquette_material_count(const struct MaquetteModel *model);

// Writes a material; false beyond the last.
bool maquette_material(const struct MaquetteModel *model, uintptr_t at, struct MaquetteMaterial *out);

// How many images there are.
uintptr_t maquette_image_count(const struct MaquetteModel *model);

// Writes an image; false beyond the last.
bool maquette_image(const struct MaquetteModel *model, uintptr_t at, struct MaquetteImage *out);

// The bytes of a mip level of an image, rows without padding, and how many they are; null beyond the last. `size` may be null.
const uint8_t *maquette_image_level(const struct MaquetteModel *model,
                                    uintptr_t image,
                                    uintptr_t level,
                                    uintptr_t *size);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* MAQUETTE_H */
