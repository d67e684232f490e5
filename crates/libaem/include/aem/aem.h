/* libaem, first generation: models in any layout of the AEM format, and their animations one at a time.
 *
 * A program that was written for the reference's aem.h compiles with this one and links with the same library as one that uses aem/model.h. Where the two
 * differ in types, the functions of this header have names of their own in the library; nobody has to know. */
#ifndef AEM_AEM_H
#define AEM_AEM_H

#ifdef AEM_MODEL_H
#error "aem/aem.h and aem/model.h are two generations of one interface: include one of them in a source file"
#endif

#include "common.h"

#ifdef __cplusplus
extern "C" {
#endif

#define aem_get_model_image_buffer aem_get_model_image_buffer_v1
#define aem_get_model_image_buffer_size aem_get_model_image_buffer_size_v1
#define aem_get_model_textures aem_get_model_textures_v1
#define aem_get_model_texture_level_data aem_get_model_texture_level_data_v1

enum AEMResult
{
  AEMResult_Success,
  AEMResult_OutOfMemory,
  AEMResult_FileNotFound,
  AEMResult_InvalidFileType, /* it is no AEM file, it breaks off, or it breaks a rule: see aem_get_last_error */
  AEMResult_InvalidVersion
};

/* Without compression a pixel has four bytes, red, green, blue and alpha. */
struct AEMTexture
{
  uint32_t offset; /* of the largest level in the image buffer; the others follow */
  uint32_t width;
  uint32_t height;
  enum AEMTextureWrapMode wrap_mode[2]; /* along x and y */
  enum AEMTextureCompression compression;
};

/* Loads a regular file and checks it against every rule of the format. Where that fails, *model is NULL. A model of NULL, for which the reference has no result, is AEMResult_InvalidFileType. */
enum AEMResult aem_load_model(const char* filename, struct AEMModel** model);

/* An addition: the same for a file in memory, of which a copy is kept. */
enum AEMResult aem_load_model_from_memory(const void* bytes, size_t byte_count, struct AEMModel** model);

/* The levels of all textures. NULL and 0, and no textures, for a model with 4 GiB of images or more, which this generation has no numbers for. */
void* aem_get_model_image_buffer(const struct AEMModel* model);
uint32_t aem_get_model_image_buffer_size(const struct AEMModel* model); /* bytes */

const struct AEMTexture* aem_get_model_textures(const struct AEMModel* model, uint32_t* texture_count);

/* The size of a level in pixels and bytes; 0 for a level that there is not. */
void aem_get_model_texture_level_data(const struct AEMTexture* texture,
                                      uint32_t level_index,
                                      uint32_t* level_width,
                                      uint32_t* level_height,
                                      uint32_t* level_size);

/* Writes 16 floats for each joint, column by column: what takes a vertex from where it was bound to where it is. An animation below 0 is the bind pose, and
 * so is one that does not exist. Before its first key and after its last a joint stays. */
void aem_evaluate_model_animation(const struct AEMModel* model,
                                  int32_t animation_index,
                                  float time,
                                  float* joint_transforms);

#ifdef __cplusplus
}
#endif

#endif
