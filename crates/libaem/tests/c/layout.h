/* Sizes and places of everything that a header declares, line by line. */
#include <stdio.h>

#define SIZE(type) printf("size %s %zu %zu\n", #type, sizeof(struct type), _Alignof(struct type))
#define FIELD(type, field) printf("field %s.%s %zu %zu\n", #type, #field, offsetof(struct type, field), sizeof(((struct type*)0)->field))
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define VALUE(name) printf("value %s %d\n", #name, (int)(name))

int main(void)
{
  SIZE(AEMTexture);
  FIELD(AEMTexture, offset);
  FIELD(AEMTexture, width);
  FIELD(AEMTexture, height);
  FIELD(AEMTexture, wrap_mode);
  FIELD(AEMTexture, compression);
  SIZE(AEMMesh);
  FIELD(AEMMesh, first_index);
  FIELD(AEMMesh, index_count);
  FIELD(AEMMesh, material_index);
  SIZE(AEMMaterial);
  FIELD(AEMMaterial, base_color_texture_index);
  FIELD(AEMMaterial, normal_texture_index);
  FIELD(AEMMaterial, pbr_texture_index);
  FIELD(AEMMaterial, type);
  SIZE(AEMJoint);
  FIELD(AEMJoint, name);
  FIELD(AEMJoint, inverse_bind_matrix);
  FIELD(AEMJoint, parent_joint_index);
  SIZE(AEMError);
  FIELD(AEMError, offset);
  FIELD(AEMError, code);
  FIELD(AEMError, path);
  FIELD(AEMError, message);
  VALUE(AEM_VERTEX_SIZE);
  VALUE(AEM_INDEX_SIZE);
  VALUE(AEM_STRING_SIZE);
  printf("value Success %d\n", (int)JOIN(RESULT, _Success));
  printf("value OutOfMemory %d\n", (int)JOIN(RESULT, _OutOfMemory));
  printf("value FileNotFound %d\n", (int)JOIN(RESULT, _FileNotFound));
  printf("value InvalidFileType %d\n", (int)JOIN(RESULT, _InvalidFileType));
  printf("value InvalidVersion %d\n", (int)JOIN(RESULT, _InvalidVersion));
  printf("value enum %d\n", (int)sizeof(enum RESULT));
#if GENERATION == 2
  FIELD(AEMTexture, channel_count);
  SIZE(AEMAnimationChannel);
  FIELD(AEMAnimationChannel, animation_index);
  FIELD(AEMAnimationChannel, is_playing);
  FIELD(AEMAnimationChannel, is_looping);
  FIELD(AEMAnimationChannel, time);
  FIELD(AEMAnimationChannel, playback_speed);
  FIELD(AEMAnimationChannel, weight);
  VALUE(AEMAnimationMixerResult_Success);
  VALUE(AEMAnimationMixerResult_OutOfMemory);
  VALUE(AEMAnimationBlendMode_Linear);
  VALUE(AEMAnimationBlendMode_Smooth);
  VALUE(AEMAnimationBlendMode_Smoother);
#endif
  VALUE(AEMTextureWrapMode_Repeat);
  VALUE(AEMTextureWrapMode_MirroredRepeat);
  VALUE(AEMTextureWrapMode_ClampToEdge);
  VALUE(AEMTextureCompression_None);
  VALUE(AEMTextureCompression_BC5);
  VALUE(AEMTextureCompression_BC7);
  VALUE(AEMMaterialType_Opaque);
  VALUE(AEMMaterialType_Transparent);
  return 0;
}
