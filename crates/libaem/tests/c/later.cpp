#include <aem/animation_mixer.h>
#include <aem/model.h>

int main(int argc, char** argv)
{
  AEMModel* model = nullptr;
  AEMAnimationMixer* mixer = nullptr;
  if (argc < 2 || aem_load_model(argv[1], &model) != AEMModelResult_Success) return 1;
  if (aem_load_animation_mixer(1, 4, &mixer) != AEMAnimationMixerResult_Success) return 2;
  AEMAnimationChannel* channel = aem_get_animation_mixer_channel(mixer, 0);
  channel->is_playing = true;
  aem_set_animation_mixer_blend_mode(mixer, AEMAnimationBlendMode_Smoother);
  float transform[16];
  aem_update_animation(model, mixer, 0.1f, transform);
  const bool is_right = transform[0] == 1.0f && aem_get_animation_mixer_blend_mode(mixer) == AEMAnimationBlendMode_Smoother;
  aem_free_animation_mixer(mixer);
  aem_free_model(model);
  return is_right ? 0 : 3;
}
