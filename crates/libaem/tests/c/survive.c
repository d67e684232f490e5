/* Loads whatever it is given and does everything with what loads. A number before the files: each is also cut off and changed in memory, at every so many places. */
#include <aem/animation_mixer.h>
#include <aem/model.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile unsigned seen;

static void read_all(const void* bytes, size_t count)
{
  for (size_t at = 0; at < count; ++at)
  {
    seen += ((const unsigned char*)bytes)[at];
  }
}

static void use(struct AEMModel* model)
{
  read_all(aem_get_model_vertex_buffer(model), aem_get_model_vertex_count(model) * (size_t)AEM_VERTEX_SIZE);
  const uint32_t* indices = aem_get_model_index_buffer(model);
  for (uint32_t at = 0; at < aem_get_model_index_count(model); ++at)
  {
    read_all((const char*)aem_get_model_vertex_buffer(model) + indices[at] * (size_t)AEM_VERTEX_SIZE, AEM_VERTEX_SIZE);
  }
  uint32_t texture_count;
  const struct AEMTexture* textures = aem_get_model_textures(model, &texture_count);
  for (uint32_t texture = 0; texture < texture_count; ++texture)
  {
    uint64_t offset = textures[texture].offset;
    const uint32_t levels = aem_get_model_texture_level_count(textures[texture].width, textures[texture].height);
    for (uint32_t level = 0; level < levels + 2; ++level)
    {
      uint32_t width, height, size;
      aem_get_model_texture_level_data(&textures[texture], level, &width, &height, &size);
      read_all((const char*)aem_get_model_image_buffer(model) + offset, size);
      offset += size;
    }
  }
  for (uint32_t mesh = 0; mesh < aem_get_model_mesh_count(model); ++mesh)
  {
    const struct AEMMesh* it = aem_get_model_mesh(model, mesh);
    read_all(&indices[it->first_index], it->index_count * sizeof(uint32_t));
    const struct AEMMaterial* material = aem_get_model_material(model, it->material_index);
    read_all(&textures[material->base_color_texture_index], sizeof(*textures));
    read_all(&textures[material->normal_texture_index], sizeof(*textures));
    read_all(&textures[material->pbr_texture_index], sizeof(*textures));
  }
  const uint32_t joint_count = aem_get_model_joint_count(model);
  const struct AEMJoint* joints = aem_get_model_joints(model);
  for (uint32_t joint = 0; joint < joint_count; ++joint)
  {
    seen += (unsigned)strlen((const char*)joints[joint].name);
    for (int32_t at = (int32_t)joint; at >= 0; at = joints[at].parent_joint_index)
    {
      seen += 1;
    }
  }
  struct AEMAnimationMixer* mixer;
  if (aem_load_animation_mixer(joint_count, 4, &mixer) != AEMAnimationMixerResult_Success)
  {
    abort();
  }
  float* transforms = malloc(joint_count * 16 * sizeof(float) + 1);
  aem_set_animation_mixer_enabled(mixer, true);
  const uint32_t animation_count = aem_get_model_animation_count(model);
  for (uint32_t animation = 0; animation <= animation_count; ++animation)
  {
    if (animation < animation_count)
    {
      seen += (unsigned)strlen((const char*)*aem_get_model_animation_name(model, animation));
      for (uint32_t joint = 0; joint <= joint_count; ++joint)
      {
        seen += aem_get_model_joint_rotation_keyframe_count(model, animation, joint);
      }
    }
    const float steps[] = { 0.3f, 1e30f, INFINITY, NAN, -5.0f, 0.0f };
    for (size_t step = 0; step < sizeof(steps) / sizeof(*steps); ++step)
    {
      for (uint32_t channel = 0; channel < 4; ++channel)
      {
        struct AEMAnimationChannel* it = aem_get_animation_mixer_channel(mixer, channel);
        it->animation_index = animation + channel % 2;
        it->is_playing = true;
        it->is_looping = channel < 2;
        it->weight = step == 3 ? NAN : 0.3f * (float)channel;
      }
      aem_blend_to_animation_mixer_channel(mixer, (uint32_t)step);
      aem_update_animation(model, mixer, steps[step], transforms);
      read_all(transforms, joint_count * 16 * sizeof(float));
      float transform[16];
      aem_get_animation_mixer_joint_transform(model, mixer, (uint32_t)step, transform);
      read_all(transform, sizeof(transform));
      if (animation == 0 && step == 1)
      {
        aem_finish_loading_model(model);
      }
    }
  }
  free(transforms);
  aem_free_animation_mixer(mixer);
}

/* Whether it was loaded. */
static bool try_bytes(const unsigned char* bytes, size_t count)
{
  /* In memory of just this size, so that a byte too many is noticed. */
  unsigned char* copy = malloc(count ? count : 1);
  memcpy(copy, bytes, count);
  struct AEMModel* model;
  struct AEMError error;
  const enum AEMModelResult result = aem_load_model_from_memory(copy, count, &model);
  free(copy);
  if (aem_get_last_error(&error) != (result != AEMModelResult_Success) || (model != NULL) != !result)
  {
    abort();
  }
  if (result == AEMModelResult_Success)
  {
    use(model);
    aem_free_model(model);
  }
  else if (!*error.message)
  {
    abort();
  }
  return result == AEMModelResult_Success;
}

int main(int argc, char** argv)
{
  const size_t stride = (size_t)atoi(argv[1]);
  unsigned tried = 0, loaded = 0;
  for (int argument = 2; argument < argc; ++argument)
  {
    struct AEMModel* model;
    struct AEMError error;
    const enum AEMModelResult result = aem_load_model(argv[argument], &model);
    aem_get_last_error(&error);
    printf("file %d %s %lld %s\n", (int)result, *error.code ? error.code : "-", (long long)error.offset,
           *error.path ? error.path : "-");
    if (result == AEMModelResult_Success)
    {
      use(model);
    }
    aem_free_model(model);
    if (!stride)
    {
      continue;
    }
    unsigned char bytes[16384];
    FILE* file = fopen(argv[argument], "rb");
    const size_t count = fread(bytes, 1, sizeof(bytes), file);
    fclose(file);
    for (size_t length = 0; length < count; length += stride)
    {
      tried += 1;
      loaded += try_bytes(bytes, length);
    }
    for (size_t bit = 0; bit < count * 8; bit += stride)
    {
      bytes[bit / 8] ^= (unsigned char)(1u << (bit % 8));
      tried += 1;
      loaded += try_bytes(bytes, count);
      bytes[bit / 8] ^= (unsigned char)(1u << (bit % 8));
    }
  }
  printf("tried %u loaded %u\n", tried, loaded);
  return 0;
}
