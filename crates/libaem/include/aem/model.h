/* libaem, later generation: models in any layout of the AEM format. aem/animation_mixer.h plays them. */
#ifndef AEM_MODEL_H
#define AEM_MODEL_H

#ifdef AEM_AEM_H
#error "aem/aem.h and aem/model.h are two generations of one interface: include one of them in a source file"
#endif

#include "common.h"

#ifdef __cplusplus
extern "C" {
#endif

enum AEMModelResult
{
  AEMModelResult_Success,
  AEMModelResult_OutOfMemory,
  AEMModelResult_FileNotFound,
  AEMModelResult_InvalidFileType, /* it is no AEM file, it breaks off, or it breaks a rule: see aem_get_last_error */
  AEMModelResult_InvalidVersion
};

struct AEMTexture
{
  uint64_t offset; /* of the largest level in the image buffer; the others follow */
  uint32_t width;
  uint32_t height;
  enum AEMTextureWrapMode wrap_mode[2]; /* along x and y */
  uint32_t channel_count;               /* bytes of a pixel without compression */
  enum AEMTextureCompression compression;
};

/* Loads a regular file and checks it against every rule of the format. Where that fails, *model is NULL. A model of NULL, for which the reference has no result, is AEMModelResult_InvalidFileType. */
enum AEMModelResult aem_load_model(const char* filename, struct AEMModel** model);

/* An addition: the same for a file in memory, of which a copy is kept. */
enum AEMModelResult aem_load_model_from_memory(const void* bytes, size_t byte_count, struct AEMModel** model);

/* The levels of all textures. */
void* aem_get_model_image_buffer(const struct AEMModel* model);
uint64_t aem_get_model_image_buffer_size(const struct AEMModel* model); /* bytes */

const struct AEMTexture* aem_get_model_textures(const struct AEMModel* model, uint32_t* texture_count);

/* The size of a level in pixels and bytes; 0 for a level that there is not, and 0 bytes for one of 4 GiB or more. */
void aem_get_model_texture_level_data(const struct AEMTexture* texture,
                                      uint32_t level_index,
                                      uint32_t* level_width,
                                      uint32_t* level_height,
                                      uint32_t* level_size);

#ifdef __cplusplus
}
#endif

#endif
