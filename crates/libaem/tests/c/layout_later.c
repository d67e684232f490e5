#include <aem/animation_mixer.h>
#define RESULT AEMModelResult
#define GENERATION 2
#include "layout.h"
