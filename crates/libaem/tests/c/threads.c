/* Many threads play the same model from its first moment on; all must see what one sees alone. */
#include <aem/aem.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 8
#define MOMENTS 64

static struct AEMModel* model;
static uint32_t palette;

static void* play(void* seen)
{
  float* out = seen;
  const uint32_t animation_count = aem_get_model_animation_count(model);
  for (int moment = 0; moment < MOMENTS; ++moment)
  {
    for (uint32_t animation = 0; animation < animation_count; ++animation)
    {
      aem_evaluate_model_animation(model, (int32_t)animation, 0.05f * (float)(moment * 7 % MOMENTS), out);
      out += palette;
    }
  }
  return NULL;
}

int main(int argc, char** argv)
{
  for (int round = 0; round < 20; ++round)
  {
    if (argc < 2 || aem_load_model(argv[1], &model) != AEMResult_Success)
    {
      return 1;
    }
    palette = aem_get_model_joint_count(model) * 16;
    const size_t size = (size_t)palette * MOMENTS * aem_get_model_animation_count(model) * sizeof(float);
    float* seen[THREADS];
    pthread_t threads[THREADS];
    for (int thread = 0; thread < THREADS; ++thread)
    {
      seen[thread] = malloc(size);
      pthread_create(&threads[thread], NULL, play, seen[thread]);
    }
    for (int thread = 0; thread < THREADS; ++thread)
    {
      pthread_join(threads[thread], NULL);
    }
    float* alone = malloc(size);
    play(alone);
    for (int thread = 0; thread < THREADS; ++thread)
    {
      if (memcmp(alone, seen[thread], size))
      {
        return 2;
      }
      free(seen[thread]);
    }
    free(alone);
    aem_free_model(model);
  }
  printf("the same\n");
  return 0;
}
