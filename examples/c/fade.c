/* Fades from one animation to another and follows a joint, as for a weapon in a hand. For the later generation of libaem. */
#include <aem/animation_mixer.h>
#include <aem/model.h>

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv)
{
  struct AEMModel* model;
  if (argc != 2 || aem_load_model(argv[1], &model) != AEMModelResult_Success)
  {
    struct AEMError error;
    aem_get_last_error(&error);
    fprintf(stderr, "%s at byte %lld, %s: %s\n", error.code, (long long)error.offset, error.path, error.message);
    return EXIT_FAILURE;
  }
  aem_finish_loading_model(model);

  const uint32_t joint_count = aem_get_model_joint_count(model);
  struct AEMAnimationMixer* mixer;
  float* transforms = malloc(joint_count * 16 * sizeof(float) + 1);
  if (!transforms || aem_load_animation_mixer(joint_count, 4, &mixer) != AEMAnimationMixerResult_Success)
  {
    return EXIT_FAILURE;
  }
  aem_set_animation_mixer_enabled(mixer, true);
  aem_set_animation_mixer_blend_speed(mixer, 2.0f); /* half a second */

  /* Channel 0 plays the first animation, channel 1 the last, twice as fast and once. */
  aem_get_animation_mixer_channel(mixer, 0)->is_playing = true;
  struct AEMAnimationChannel* last = aem_get_animation_mixer_channel(mixer, 1);
  last->animation_index = aem_get_model_animation_count(model) - 1;
  last->is_playing = true;
  last->is_looping = false;
  last->playback_speed = 2.0f;
  aem_blend_to_animation_mixer_channel(mixer, 1);

  for (int frame = 1; frame <= 10; ++frame)
  {
    aem_update_animation(model, mixer, 0.1f, transforms); /* which a shader takes */
    float hand[16];
    aem_get_animation_mixer_joint_transform(model, mixer, joint_count - 1, hand);
    printf("after %.1f s the last channel counts %.2f, and the last joint is at %.3f %.3f %.3f\n", frame * 0.1,
           (double)last->weight, (double)hand[12], (double)hand[13], (double)hand[14]);
  }
  aem_free_animation_mixer(mixer);
  free(transforms);
  aem_free_model(model);
  return EXIT_SUCCESS;
}
