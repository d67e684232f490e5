/* What both generations of libaem's interface have in common. Include aem/aem.h, or aem/model.h and aem/animation_mixer.h, instead.
 *
 * NULL for a model or a mixer, and an index that is out of range, are never an error: functions return NULL or 0 then, or do nothing.
 *
 * Threads: everything that takes a `const struct AEMModel*` may run at the same time with the same model, except aem_finish_loading_model, which like aem_free_model must have the
 * model to itself. Whoever changes joints, vertices or other things that a pointer leads to must do it while nobody else reads them. A mixer is for one thread at a time; several
 * mixers may use one model at the same time. aem_get_last_error tells of the calling thread. */
#ifndef AEM_COMMON_H
#define AEM_COMMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AEM_VERTEX_SIZE 88  /* bytes */
#define AEM_INDEX_SIZE 4    /* bytes */
#define AEM_STRING_SIZE 128 /* bytes, of which one at least is the NUL that ends the text */

#ifdef __cplusplus
extern "C" {
#endif

typedef unsigned char aem_string[AEM_STRING_SIZE];

struct AEMModel;

enum AEMTextureWrapMode
{
  AEMTextureWrapMode_Repeat,
  AEMTextureWrapMode_MirroredRepeat,
  AEMTextureWrapMode_ClampToEdge
};

enum AEMTextureCompression
{
  AEMTextureCompression_None,
  AEMTextureCompression_BC5,
  AEMTextureCompression_BC7
};

struct AEMMesh
{
  uint32_t first_index;
  uint32_t index_count;
  uint32_t material_index;
};

enum AEMMaterialType
{
  AEMMaterialType_Opaque,
  AEMMaterialType_Transparent
};

struct AEMMaterial
{
  uint32_t base_color_texture_index;
  uint32_t normal_texture_index;
  uint32_t pbr_texture_index;
  enum AEMMaterialType type;
};

struct AEMJoint
{
  aem_string name;
  float inverse_bind_matrix[16]; /* column-major; may be changed before animations are evaluated */
  int32_t parent_joint_index;    /* -1 for a root; another joint otherwise, before or after this one */
};

/* Frees vertices, indices, images and textures: what a GPU has taken. Their functions return NULL and 0 from then on. */
void aem_finish_loading_model(const struct AEMModel* model);

/* Frees a model and everything that was got from it. */
void aem_free_model(struct AEMModel* model);

/* Prints counts and animations to the standard output. */
void aem_print_model_info(struct AEMModel* model);

/* The tables of the file, without a copy. They may be written to: that does not reach the file. */
void* aem_get_model_vertex_buffer(const struct AEMModel* model);
uint32_t aem_get_model_vertex_count(const struct AEMModel* model);
void* aem_get_model_index_buffer(const struct AEMModel* model);
uint32_t aem_get_model_index_count(const struct AEMModel* model);

/* How many levels a texture has, down to one pixel. */
uint32_t aem_get_model_texture_level_count(uint32_t texture_base_width, uint32_t texture_base_height);

uint32_t aem_get_model_mesh_count(const struct AEMModel* model);
const struct AEMMesh* aem_get_model_mesh(const struct AEMModel* model, uint32_t mesh_index);

const struct AEMMaterial* aem_get_model_material(const struct AEMModel* model, uint32_t material_index);

uint32_t aem_get_model_joint_count(const struct AEMModel* model);
struct AEMJoint* aem_get_model_joints(const struct AEMModel* model);

uint32_t aem_get_model_animation_count(const struct AEMModel* model);
const aem_string* aem_get_model_animation_name(const struct AEMModel* model, uint32_t animation_index);
float aem_get_model_animation_duration(const struct AEMModel* model, uint32_t animation_index); /* seconds */

/* How many keys the file has for a joint in an animation. */
uint32_t aem_get_model_joint_translation_keyframe_count(const struct AEMModel* model,
                                                        uint32_t animation_index,
                                                        uint32_t joint_index);
uint32_t aem_get_model_joint_rotation_keyframe_count(const struct AEMModel* model,
                                                     uint32_t animation_index,
                                                     uint32_t joint_index);
uint32_t aem_get_model_joint_scale_keyframe_count(const struct AEMModel* model,
                                                  uint32_t animation_index,
                                                  uint32_t joint_index);

/* ---- Additions: the reference does not have what follows. aem_load_model_from_memory, also one, stands where its result is. ---- */

#define AEM_NO_OFFSET UINT64_MAX

/* Why a model was not loaded. All text is UTF-8 and ended by a NUL. */
struct AEMError
{
  uint64_t offset;   /* of the byte in the file, or AEM_NO_OFFSET */
  char code[16];     /* of the rule that is broken, such as "AEM0045": docs/codes.md explains each; empty where the file is not there or has no rule for it */
  char path[240];    /* of the field, such as "joints[2].parent" */
  char message[512]; /* what is there and what was expected */
};

/* Tells why the last load of this thread failed, and whether it did. */
bool aem_get_last_error(struct AEMError* error);

/* The version of the library, such as "0.1.0". */
const char* aem_get_version(void);

#ifdef __cplusplus
}
#endif

#endif
