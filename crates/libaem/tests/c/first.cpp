#include <aem/aem.h>

int main(int argc, char** argv)
{
  AEMModel* model = nullptr;
  if (argc < 2 || aem_load_model(argv[1], &model) != AEMResult_Success) return 1;
  const AEMTexture texture = aem_get_model_textures(model, nullptr)[0];
  AEMJoint* joints = aem_get_model_joints(model);
  aem_evaluate_model_animation(model, -1, 0.0f, joints[0].inverse_bind_matrix);
  aem_free_model(model);
  return texture.wrap_mode[0] == AEMTextureWrapMode_Repeat ? 0 : 2;
}
