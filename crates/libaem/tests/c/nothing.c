/* Every function of a generation with NULL and with indexes that lead nowhere. */
#ifdef LATER
#include <aem/animation_mixer.h>
#else
#include <aem/aem.h>
#endif

#include <stdio.h>
#include <string.h>

#define NO(what)                                  \
  do                                              \
  {                                               \
    if (what)                                     \
    {                                             \
      printf("%d: %s\n", __LINE__, #what);        \
      return 1;                                   \
    }                                             \
  } while (0)

static int nowhere(struct AEMModel* model, uint32_t index)
{
  NO(aem_get_model_mesh(model, index));
  NO(aem_get_model_material(model, index));
  NO(aem_get_model_animation_name(model, index));
  NO(aem_get_model_animation_duration(model, index) != 0.0f);
  NO(aem_get_model_joint_translation_keyframe_count(model, index, 0));
  NO(aem_get_model_joint_rotation_keyframe_count(model, 0, index));
  NO(aem_get_model_joint_scale_keyframe_count(model, index, index));
  return 0;
}

int main(int argc, char** argv)
{
  uint32_t count = 7;
  NO(argc != 3);
  aem_finish_loading_model(NULL);
  aem_free_model(NULL);
  aem_print_model_info(NULL);
  NO(aem_get_model_vertex_buffer(NULL));
  NO(aem_get_model_vertex_count(NULL));
  NO(aem_get_model_index_buffer(NULL));
  NO(aem_get_model_index_count(NULL));
  NO(aem_get_model_image_buffer(NULL));
  NO(aem_get_model_image_buffer_size(NULL));
  NO(aem_get_model_textures(NULL, &count));
  NO(count);
  NO(aem_get_model_textures(NULL, NULL));
  NO(aem_get_model_texture_level_count(0, 9));
  NO(aem_get_model_texture_level_count(256, 3) != 9);
  NO(aem_get_model_texture_level_count(0xffffffffu, 1) != 32);
  NO(aem_get_model_mesh_count(NULL));
  NO(aem_get_model_joint_count(NULL));
  NO(aem_get_model_joints(NULL));
  NO(aem_get_model_animation_count(NULL));
  NO(nowhere(NULL, 0));
  NO(strlen(aem_get_version()) < 5);
  NO(aem_get_last_error(NULL));

  struct AEMTexture texture;
  memset(&texture, 0, sizeof(texture));
  uint32_t width = 1, height = 1, size = 1;
  aem_get_model_texture_level_data(NULL, 0, &width, &height, &size);
  NO(width || height || size);
  aem_get_model_texture_level_data(&texture, 0, &width, &height, NULL);
  NO(width || height);
  texture.width = texture.height = 0xffffffffu;
  aem_get_model_texture_level_data(&texture, 40, &width, &height, &size);
  NO(width || height || size);
  aem_get_model_texture_level_data(&texture, 0, &width, NULL, &size);
  NO(width != 0xffffffffu || size);
  texture.width = 5;
  texture.height = 2;
  texture.compression = AEMTextureCompression_BC7;
  aem_get_model_texture_level_data(&texture, 1, &width, &height, &size);
  NO(width != 2 || height != 1 || size != 16);
  texture.compression = (enum AEMTextureCompression)9;
  aem_get_model_texture_level_data(&texture, 1, &width, &height, &size);
  NO(width != 2 || height != 1 || size);

  struct AEMModel* model = (struct AEMModel*)argv;
  struct AEMError error;
  NO((int)aem_load_model(NULL, &model) != 2);
  NO(model);
  NO((int)aem_load_model("there/is/no such file", &model) != 2);
  NO(model);
  NO(!aem_get_last_error(&error) || !*error.message || *error.code || error.offset != AEM_NO_OFFSET);
  NO((int)aem_load_model(".", &model) != 2);
  NO((int)aem_load_model(argv[1], NULL) != 3); /* nowhere to put it */
  NO(!aem_get_last_error(&error) || !strstr(error.message, "NULL"));
  NO((int)aem_load_model_from_memory("AEM", 3, NULL) != 3);
  NO((int)aem_load_model("/dev/zero", &model) != 2);
  NO(!aem_get_last_error(&error) || strcmp(error.message, "it is no regular file"));
  NO((int)aem_load_model(argv[2], &model) != 2); /* a pipe that nobody writes to */
  NO(!aem_get_last_error(&error) || strcmp(error.message, "it is no regular file"));
  NO((int)aem_load_model_from_memory(NULL, 99, &model) != 3);
  NO((int)aem_load_model_from_memory("AEM\002", 4, &model) != 4);
  NO(!aem_get_last_error(&error) || strcmp(error.code, "AEM0002") || strcmp(error.path, "header.version"));
  NO(error.offset != 3);
  NO((int)aem_load_model_from_memory("MEA", 3, &model) != 3);

  NO((int)aem_load_model(argv[1], &model) != 0);
  NO(aem_get_last_error(&error) || *error.message || error.offset != AEM_NO_OFFSET);
  NO(nowhere(model, 1000));
  NO(nowhere(model, 0xffffffffu));
#ifdef LATER
  struct AEMAnimationMixer* mixer = NULL;
  NO(aem_load_animation_mixer(0xffffffffu, 0xffffffffu, &mixer) != AEMAnimationMixerResult_OutOfMemory);
  NO(mixer);
  NO(aem_load_animation_mixer(3, 4, NULL) != AEMAnimationMixerResult_OutOfMemory);
  aem_free_animation_mixer(NULL);
  NO(aem_get_animation_mixer_enabled(NULL));
  aem_set_animation_mixer_enabled(NULL, true);
  NO(aem_get_animation_mixer_blend_speed(NULL) != 0.0f);
  aem_set_animation_mixer_blend_speed(NULL, 1.0f);
  NO(aem_get_animation_mixer_blend_mode(NULL) != AEMAnimationBlendMode_Linear);
  aem_set_animation_mixer_blend_mode(NULL, AEMAnimationBlendMode_Smooth);
  NO(aem_get_animation_mixer_channel(NULL, 0));
  aem_cut_to_animation_mixer_channel(NULL, 0);
  aem_blend_to_animation_mixer_channel(NULL, 0);
  float floats[64 * 16];
  aem_update_animation(model, NULL, 1.0f, floats);
  aem_get_animation_mixer_joint_transform(model, NULL, 0, floats);

  /* More joints than the model has, and no channels at all. */
  NO(aem_load_animation_mixer(0xffffffffu, 0, &mixer) != AEMAnimationMixerResult_Success);
  aem_set_animation_mixer_enabled(mixer, true);
  NO(aem_get_animation_mixer_channel(mixer, 0));
  aem_cut_to_animation_mixer_channel(mixer, 0);
  aem_blend_to_animation_mixer_channel(mixer, 0);
  aem_update_animation(model, mixer, 1.0f, floats);
  NO(floats[0] != 1.0f || floats[1] != 0.0f || floats[15] != 1.0f);
  aem_update_animation(NULL, mixer, 1.0f, floats);
  aem_update_animation(model, mixer, 1.0f, NULL);
  aem_get_animation_mixer_joint_transform(NULL, mixer, 0, floats);
  aem_get_animation_mixer_joint_transform(model, mixer, 0xffffffffu, floats);
  NO(floats[0] != 1.0f || floats[1] != 0.0f || floats[15] != 1.0f);
  aem_free_animation_mixer(mixer);

  /* Fewer joints than the model has: no more are written. */
  NO(aem_load_animation_mixer(1, 5, &mixer) != AEMAnimationMixerResult_Success);
  aem_set_animation_mixer_enabled(mixer, true);
  floats[16] = 77.0f;
  aem_update_animation(model, mixer, 0.1f, floats);
  NO(floats[16] != 77.0f);
  aem_set_animation_mixer_enabled(mixer, false);
  aem_update_animation(model, mixer, 0.1f, floats);
  NO(floats[16] != 77.0f);
  aem_free_animation_mixer(mixer);
#else
  aem_evaluate_model_animation(NULL, 0, 0.0f, NULL);
  aem_evaluate_model_animation(model, 0, 0.0f, NULL);
  aem_evaluate_model_animation(model, -1, 0.0f, NULL);
#endif
  aem_free_model(model);
  return 0;
}
