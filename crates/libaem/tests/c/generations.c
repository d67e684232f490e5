/* One program of two files, each with a header of its own generation. */
#include <aem/model.h>

int first_generation(const char* file);

int main(int argc, char** argv)
{
  struct AEMModel* model;
  if (argc < 2 || aem_load_model(argv[1], &model) != AEMModelResult_Success)
  {
    return 1;
  }
  uint32_t count;
  const struct AEMTexture* textures = aem_get_model_textures(model, &count);
  const int is_right = count == 3 && textures[2].width == 1 && textures[2].compression == AEMTextureCompression_BC7;
  aem_free_model(model);
  return is_right ? first_generation(argv[1]) : 2;
}
