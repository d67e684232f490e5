// Tells what is in a model, from C++: one owner for the model, and an exception for a file that is none.
#include <aem/model.h>

#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>

using Model = std::unique_ptr<AEMModel, decltype(&aem_free_model)>;

Model load(const char* file)
{
  AEMModel* model = nullptr;
  if (aem_load_model(file, &model) != AEMModelResult_Success)
  {
    AEMError error;
    aem_get_last_error(&error);
    const std::string place = error.offset == AEM_NO_OFFSET ? "" : " at byte " + std::to_string(error.offset);
    throw std::runtime_error(std::string(error.code) + place + " " + error.path + ": " + error.message);
  }
  return Model(model, aem_free_model);
}

int main(int argc, char** argv)
{
  try
  {
    const Model model = load(argc == 2 ? argv[1] : "");
    std::cout << aem_get_model_vertex_count(model.get()) << " vertices, " << aem_get_model_index_count(model.get())
              << " indices\n";
    uint32_t texture_count = 0;
    const AEMTexture* textures = aem_get_model_textures(model.get(), &texture_count);
    for (uint32_t texture = 0; texture < texture_count; ++texture)
    {
      std::cout << "texture " << textures[texture].width << " x " << textures[texture].height << ", "
                << aem_get_model_texture_level_count(textures[texture].width, textures[texture].height) << " levels\n";
    }
    for (uint32_t clip = 0; clip < aem_get_model_animation_count(model.get()); ++clip)
    {
      std::cout << "clip " << reinterpret_cast<const char*>(*aem_get_model_animation_name(model.get(), clip)) << ", "
                << aem_get_model_animation_duration(model.get(), clip) << " s\n";
    }
  }
  catch (const std::exception& error)
  {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
