// The header is C++ as it is.
#include "maquette.h"

int main(int argc, char **argv) {
    MaquetteModel *model = nullptr;
    if (argc < 2 || maquette_load(argv[1], &model) != MAQUETTE_STATUS_OK) return 1;
    const bool has_meshes = maquette_mesh_count(model) > 0;
    maquette_free(model);
    return has_meshes ? 0 : 1;
}
