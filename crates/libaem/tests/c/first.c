/* Written for the first generation: tells all it can of a model, and its palettes at the moments that follow the file name. */
#include <aem/aem.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t sum(const void* bytes, size_t count)
{
  uint32_t hash = 2166136261u;
  for (size_t at = 0; at < count; ++at)
  {
    hash = (hash ^ ((const unsigned char*)bytes)[at]) * 16777619u;
  }
  return hash;
}

static void palettes(const char* word, const struct AEMModel* model, int argc, char** argv)
{
  const uint32_t joint_count = aem_get_model_joint_count(model);
  float* transforms = malloc(joint_count * 16 * sizeof(float));
  for (int32_t animation = -1; animation <= (int32_t)aem_get_model_animation_count(model); ++animation)
  {
    for (int argument = 2; argument < argc; ++argument)
    {
      memset(transforms, 0x7f, joint_count * 16 * sizeof(float));
      aem_evaluate_model_animation(model, animation, strtof(argv[argument], NULL), transforms);
      printf("%s %" PRId32 " %s", word, animation, argv[argument]);
      for (uint32_t at = 0; at < joint_count * 16; ++at)
      {
        printf(" %.9g", (double)transforms[at]);
      }
      printf("\n");
    }
  }
  free(transforms);
}

int main(int argc, char** argv)
{
  struct AEMModel* model;
  const enum AEMResult result = aem_load_model(argv[1], &model);
  if (result != AEMResult_Success)
  {
    return 10 + (int)result;
  }
  aem_print_model_info(model);

  printf("vertices %u %u\n", aem_get_model_vertex_count(model),
         sum(aem_get_model_vertex_buffer(model), aem_get_model_vertex_count(model) * (size_t)AEM_VERTEX_SIZE));
  printf("indices %u %u\n", aem_get_model_index_count(model),
         sum(aem_get_model_index_buffer(model), aem_get_model_index_count(model) * (size_t)AEM_INDEX_SIZE));
  printf("images %u %u\n", aem_get_model_image_buffer_size(model),
         sum(aem_get_model_image_buffer(model), aem_get_model_image_buffer_size(model)));

  uint32_t texture_count;
  const struct AEMTexture* textures = aem_get_model_textures(model, &texture_count);
  const unsigned char* images = aem_get_model_image_buffer(model);
  for (uint32_t texture = 0; texture < texture_count; ++texture)
  {
    const struct AEMTexture* it = &textures[texture];
    printf("texture %u %u %u %d %d %d", it->offset, it->width, it->height, it->wrap_mode[0], it->wrap_mode[1],
           it->compression);
    uint32_t offset = it->offset;
    for (uint32_t level = 0; level < aem_get_model_texture_level_count(it->width, it->height); ++level)
    {
      uint32_t width, height, size;
      aem_get_model_texture_level_data(it, level, &width, &height, &size);
      printf(" %ux%u:%u:%u", width, height, size, sum(images + offset, size));
      offset += size;
    }
    printf("\n");
  }

  for (uint32_t mesh = 0; mesh < aem_get_model_mesh_count(model); ++mesh)
  {
    const struct AEMMesh* it = aem_get_model_mesh(model, mesh);
    const struct AEMMaterial* material = aem_get_model_material(model, it->material_index);
    printf("mesh %u %u %u material %u %u %u %d\n", it->first_index, it->index_count, it->material_index,
           material->base_color_texture_index, material->normal_texture_index, material->pbr_texture_index,
           material->type);
  }

  struct AEMJoint* joints = aem_get_model_joints(model);
  for (uint32_t joint = 0; joint < aem_get_model_joint_count(model); ++joint)
  {
    printf("joint %d %s\n", joints[joint].parent_joint_index, (const char*)joints[joint].name);
  }
  for (uint32_t animation = 0; animation < aem_get_model_animation_count(model); ++animation)
  {
    printf("animation %.9g %s\n", (double)aem_get_model_animation_duration(model, animation),
           (const char*)*aem_get_model_animation_name(model, animation));
    for (uint32_t joint = 0; joint < aem_get_model_joint_count(model); ++joint)
    {
      printf("keys %u %u %u\n", aem_get_model_joint_translation_keyframe_count(model, animation, joint),
             aem_get_model_joint_rotation_keyframe_count(model, animation, joint),
             aem_get_model_joint_scale_keyframe_count(model, animation, joint));
    }
  }

  /* Everything is written to, as a program that converts its vertices in place would. */
  memset(aem_get_model_vertex_buffer(model), 0xab, aem_get_model_vertex_count(model) * (size_t)AEM_VERTEX_SIZE);
  memset(aem_get_model_index_buffer(model), 0xab, aem_get_model_index_count(model) * (size_t)AEM_INDEX_SIZE);
  memset(aem_get_model_image_buffer(model), 0xab, aem_get_model_image_buffer_size(model));
  palettes("palette", model, argc, argv);

  aem_finish_loading_model(model);
  aem_finish_loading_model(model);
  uint32_t left = 7;
  const int is_gone = !aem_get_model_vertex_buffer(model) && !aem_get_model_index_buffer(model) &&
                      !aem_get_model_image_buffer(model) && !aem_get_model_textures(model, &left) && left == 0 &&
                      !aem_get_model_vertex_count(model) && !aem_get_model_index_count(model) &&
                      !aem_get_model_image_buffer_size(model);
  printf("gone %d\n", is_gone);
  palettes("finished", model, argc, argv);

  for (uint32_t joint = 0; joint < aem_get_model_joint_count(model); ++joint)
  {
    for (int at = 0; at < 16; ++at)
    {
      joints[joint].inverse_bind_matrix[at] = at % 5 == 0 ? 1.0f : at == 12 ? 2.0f : 0.0f;
    }
  }
  palettes("rebound", model, argc, argv);
  aem_free_model(model);
  return 0;
}
