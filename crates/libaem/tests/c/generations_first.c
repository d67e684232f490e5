#include <aem/aem.h>

int first_generation(const char* file);

int first_generation(const char* file)
{
  struct AEMModel* model;
  if (aem_load_model(file, &model) != AEMResult_Success)
  {
    return 3;
  }
  uint32_t count;
  const struct AEMTexture* (*get)(const struct AEMModel*, uint32_t*) = aem_get_model_textures;
  const struct AEMTexture* textures = get(model, &count);
  const int is_right = count == 3 && textures[2].width == 1 && textures[2].compression == AEMTextureCompression_BC7;
  aem_free_model(model);
  return is_right ? 0 : 4;
}
