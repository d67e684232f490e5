/* libaem, later generation: four animations of a model at once.
 *
 * Channels 0 and 1 are mixed by the ratio of their weights, channels 2 and 3 likewise, and then both mixtures. A channel whose animation does not exist counts nothing; where no
 * channel has weight, the first is seen. */
#ifndef AEM_ANIMATION_MIXER_H
#define AEM_ANIMATION_MIXER_H

#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

struct AEMAnimationMixer;

enum AEMAnimationMixerResult
{
  AEMAnimationMixerResult_Success,
  AEMAnimationMixerResult_OutOfMemory
};

/* How a blend goes from one channel to another. */
enum AEMAnimationBlendMode
{
  AEMAnimationBlendMode_Linear,
  AEMAnimationBlendMode_Smooth,  /* slow at both ends */
  AEMAnimationBlendMode_Smoother /* slower still */
};

/* At first: animation 0, not playing, looping, at time 0 and speed 1; channel 0 has weight 1 and all others none. */
struct AEMAnimationChannel
{
  uint32_t animation_index;
  bool is_playing; /* whether time goes on */
  bool is_looping; /* whether it begins anew after its end, and backwards from its end before its beginning; otherwise it stays there */
  float time;      /* seconds */
  float playback_speed;
  float weight;
};

/* Makes a mixer for models with as many joints. It is disabled; its blend speed is 1 and its blend mode smooth. The first four channels are mixed; any others go on in time and are not
 * seen. Where it fails, *mixer is NULL; a mixer of NULL is AEMAnimationMixerResult_OutOfMemory, the one failure there is. */
enum AEMAnimationMixerResult
aem_load_animation_mixer(uint32_t joint_count, uint32_t channel_count, struct AEMAnimationMixer** mixer);
void aem_free_animation_mixer(struct AEMAnimationMixer* mixer);

/* A mixer that is disabled stands still and shows the bind pose. */
bool aem_get_animation_mixer_enabled(const struct AEMAnimationMixer* mixer);
void aem_set_animation_mixer_enabled(struct AEMAnimationMixer* mixer, bool enabled);

/* How much of a blend is done in a second. */
float aem_get_animation_mixer_blend_speed(const struct AEMAnimationMixer* mixer);
void aem_set_animation_mixer_blend_speed(struct AEMAnimationMixer* mixer, float blend_speed);

enum AEMAnimationBlendMode aem_get_animation_mixer_blend_mode(const struct AEMAnimationMixer* mixer);
void aem_set_animation_mixer_blend_mode(struct AEMAnimationMixer* mixer, enum AEMAnimationBlendMode blend_mode);

/* A channel, to be read and written to between updates. */
struct AEMAnimationChannel* aem_get_animation_mixer_channel(const struct AEMAnimationMixer* mixer,
                                                            uint32_t channel_index);

/* Where a joint is in the model since the last update, for what it carries; where it was bound, before the first update and while the mixer is disabled. */
void aem_get_animation_mixer_joint_transform(const struct AEMModel* model,
                                             const struct AEMAnimationMixer* mixer,
                                             uint32_t joint_index,
                                             float transform[16]);

/* Gives a channel all weight: at once, or little by little in the updates that follow. A blend sets all weights in each update until it is done: the target goes from the weight it had to
 * 1, all others go to 0 in proportion. */
void aem_cut_to_animation_mixer_channel(struct AEMAnimationMixer* mixer, uint32_t channel_index);
void aem_blend_to_animation_mixer_channel(struct AEMAnimationMixer* mixer, uint32_t channel_index);

/* Lets time go on and writes 16 floats for each joint, column by column: what takes a vertex from where it was bound to where it is. There are as many as
 * the mixer or the model has joints, whichever has fewer. */
void aem_update_animation(const struct AEMModel* model,
                          struct AEMAnimationMixer* mixer,
                          float delta_time,
                          float* joint_transforms);

#ifdef __cplusplus
}
#endif

#endif
