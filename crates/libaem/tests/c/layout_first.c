#include <aem/aem.h>
#define RESULT AEMResult
#define GENERATION 1
#include "layout.h"
