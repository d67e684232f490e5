/* Loads a file of any format, tells what it holds, and plays its first clip.
 *
 *     cc model.c $(pkg-config --cflags --libs maquette) -o model && ./model fox.glb
 */
#include <maquette.h>
#include <stdio.h>

int main(int argc, char **argv) {
    MaquetteModel *model;
    if (argc < 2) {
        fprintf(stderr, "usage: %s FILE\n", argv[0]);
        return 2;
    }
    if (maquette_load(argv[1], &model) != MAQUETTE_STATUS_OK) {
        fprintf(stderr, "%s\n", maquette_last_error());
        return 1;
    }
    printf("%s (%s)\n", maquette_format(model), maquette_dialect(model));
    MaquettePrimitive part;
    for (size_t mesh = 0; mesh < maquette_mesh_count(model); mesh++)
        for (size_t at = 0; maquette_primitive(model, mesh, at, &part); at++)
            printf("%zu vertices, %zu indices, material %d\n", part.vertex_count, part.index_count, part.material);
    MaquetteClip clip;
    for (size_t at = 0; maquette_clip(model, at, &clip); at++)
        printf("clip %s: %.2f s, %zu keys\n", clip.name, clip.duration, clip.key_count);

    MaquetteMixer *mixer;
    if (maquette_clip_count(model) > 0 && maquette_mixer(model, 1, &mixer) == MAQUETTE_STATUS_OK) {
        MaquetteChannel channel;
        maquette_channel(mixer, 0, &channel);
        channel.is_playing = channel.is_looping = true;
        channel.weight = 1;
        maquette_set_channel(mixer, 0, &channel);
        MaquetteNode node;
        float matrix[16];
        for (int frame = 0; frame < 3; frame++) {
            maquette_update(mixer, 0.25f);
            for (size_t at = 0; maquette_node(model, at, &node) && maquette_mixer_node(mixer, at, matrix); at++)
                printf("%s is at %.3f %.3f %.3f\n", node.name, matrix[12], matrix[13], matrix[14]);
        }
        maquette_free_mixer(mixer);
    }
    maquette_free(model);
    return 0;
}
