/* Plays every animation of a model and tells where its highest vertex goes. For the first generation of libaem. */
#include <aem/aem.h>

#include <stdio.h>
#include <stdlib.h>

/* A vertex as the file has it: AEM_VERTEX_SIZE bytes. */
struct Vertex
{
  float position[3], normal[3], tangent[3], bitangent[3], uv[2];
  int32_t joint_indices[4]; /* -1 where there is none */
  float joint_weights[4];
};

/* What a shader does: the sum of what each joint makes of the vertex. */
static void skin(const struct Vertex* vertex, const float* transforms, float out[3])
{
  out[0] = out[1] = out[2] = 0.0f;
  for (int influence = 0; influence < 4; ++influence)
  {
    if (vertex->joint_indices[influence] < 0)
    {
      continue;
    }
    const float* columns = &transforms[vertex->joint_indices[influence] * 16];
    for (int axis = 0; axis < 3; ++axis)
    {
      const float moved = columns[axis] * vertex->position[0] + columns[4 + axis] * vertex->position[1] +
                          columns[8 + axis] * vertex->position[2] + columns[12 + axis];
      out[axis] += vertex->joint_weights[influence] * moved;
    }
  }
}

int main(int argc, char** argv)
{
  struct AEMModel* model;
  if (argc != 2 || aem_load_model(argv[1], &model) != AEMResult_Success)
  {
    struct AEMError error;
    aem_get_last_error(&error);
    fprintf(stderr, "%s at byte %lld, %s: %s\n", error.code, (long long)error.offset, error.path, error.message);
    return EXIT_FAILURE;
  }
  aem_print_model_info(model);

  const struct Vertex* vertices = aem_get_model_vertex_buffer(model);
  struct Vertex highest = { 0 };
  for (uint32_t vertex = 0; vertex < aem_get_model_vertex_count(model); ++vertex)
  {
    if (vertex == 0 || vertices[vertex].position[1] > highest.position[1])
    {
      highest = vertices[vertex];
    }
  }
  aem_finish_loading_model(model); /* a GPU would have all vertices by now */

  float* transforms = malloc(aem_get_model_joint_count(model) * 16 * sizeof(float) + 1);
  if (!transforms)
  {
    return EXIT_FAILURE;
  }
  for (uint32_t animation = 0; animation < aem_get_model_animation_count(model); ++animation)
  {
    for (int quarter = 0; quarter <= 4; ++quarter)
    {
      const float time = aem_get_model_animation_duration(model, animation) * (float)quarter / 4.0f;
      float at[3];
      aem_evaluate_model_animation(model, (int32_t)animation, time, transforms);
      skin(&highest, transforms, at);
      printf("%s at %.2f s: the highest vertex is at %.3f %.3f %.3f\n",
             (const char*)*aem_get_model_animation_name(model, animation), (double)time, (double)at[0], (double)at[1],
             (double)at[2]);
    }
  }
  free(transforms);
  aem_free_model(model);
  return EXIT_SUCCESS;
}
