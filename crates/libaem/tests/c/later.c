/* Written for the later generation: plays a model by a script on the standard input, and prints what comes of it.
 *
 * set CHANNEL ANIMATION PLAYING LOOPING TIME SPEED WEIGHT; enable 0|1; speed S; mode M; cut CHANNEL; blend CHANNEL; update SECONDS; joint J */
#include <aem/animation_mixer.h>
#include <aem/model.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print(const char* word, const float* numbers, uint32_t count)
{
  printf("%s", word);
  for (uint32_t at = 0; at < count; ++at)
  {
    printf(" %.9g", (double)numbers[at]);
  }
  printf("\n");
}

int main(int argc, char** argv)
{
  struct AEMModel* model;
  if (argc < 3 || aem_load_model(argv[1], &model) != AEMModelResult_Success)
  {
    return 10;
  }
  const uint32_t channel_count = (uint32_t)atoi(argv[2]);
  uint32_t texture_count;
  const struct AEMTexture* textures = aem_get_model_textures(model, &texture_count);
  for (uint32_t texture = 0; texture < texture_count; ++texture)
  {
    const struct AEMTexture* it = &textures[texture];
    printf("texture %llu %u %u %u %d", (unsigned long long)it->offset, it->width, it->height, it->channel_count,
           it->compression);
    for (uint32_t level = 0; level < aem_get_model_texture_level_count(it->width, it->height); ++level)
    {
      uint32_t width, height, size;
      aem_get_model_texture_level_data(it, level, &width, &height, &size);
      printf(" %u", size);
    }
    printf("\n");
  }
  printf("images %llu\n", (unsigned long long)aem_get_model_image_buffer_size(model));

  const uint32_t joint_count = aem_get_model_joint_count(model);
  struct AEMAnimationMixer* mixer;
  if (aem_load_animation_mixer(joint_count, channel_count, &mixer) != AEMAnimationMixerResult_Success)
  {
    return 11;
  }
  printf("mixer %d %g %d\n", aem_get_animation_mixer_enabled(mixer), (double)aem_get_animation_mixer_blend_speed(mixer),
         (int)aem_get_animation_mixer_blend_mode(mixer));
  float* transforms = malloc(joint_count * 16 * sizeof(float));
  char line[256];
  while (fgets(line, sizeof(line), stdin))
  {
    unsigned a, b;
    int playing, looping, mode;
    float time, speed, weight;
    if (sscanf(line, "set %u %u %d %d %f %f %f", &a, &b, &playing, &looping, &time, &speed, &weight) == 7)
    {
      struct AEMAnimationChannel* channel = aem_get_animation_mixer_channel(mixer, a);
      channel->animation_index = b;
      channel->is_playing = playing;
      channel->is_looping = looping;
      channel->time = time;
      channel->playback_speed = speed;
      channel->weight = weight;
    }
    else if (sscanf(line, "enable %d", &playing) == 1)
    {
      aem_set_animation_mixer_enabled(mixer, playing);
    }
    else if (sscanf(line, "speed %f", &speed) == 1)
    {
      aem_set_animation_mixer_blend_speed(mixer, speed);
    }
    else if (sscanf(line, "mode %d", &mode) == 1)
    {
      aem_set_animation_mixer_blend_mode(mixer, (enum AEMAnimationBlendMode)mode);
    }
    else if (sscanf(line, "cut %u", &a) == 1)
    {
      aem_cut_to_animation_mixer_channel(mixer, a);
    }
    else if (sscanf(line, "blend %u", &a) == 1)
    {
      aem_blend_to_animation_mixer_channel(mixer, a);
    }
    else if (sscanf(line, "update %f", &time) == 1)
    {
      memset(transforms, 0x7f, joint_count * 16 * sizeof(float));
      aem_update_animation(model, mixer, time, transforms);
      print("palette", transforms, joint_count * 16);
      for (uint32_t index = 0; index < channel_count; ++index)
      {
        const struct AEMAnimationChannel* it = aem_get_animation_mixer_channel(mixer, index);
        printf("channel %u %.9g %.9g\n", index, (double)it->time, (double)it->weight);
      }
    }
    else if (sscanf(line, "joint %u", &a) == 1)
    {
      float transform[16];
      aem_get_animation_mixer_joint_transform(model, mixer, a, transform);
      print("joint", transform, 16);
    }
    else
    {
      return 12;
    }
  }
  free(transforms);
  aem_free_animation_mixer(mixer);
  aem_free_model(model);
  return 0;
}
