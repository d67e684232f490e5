/* Loads a file, from disk and from memory, and prints all that it holds: what the test compares with what the library for Rust sees. */
#include "maquette.h"
#include <stdio.h>
#include <string.h>

static double sum(const float *numbers, size_t count) {
    double all = 0;
    for (size_t at = 0; numbers && at < count; at++) all += numbers[at];
    return all;
}

static void palette(const char *word, const float *numbers, size_t joints) {
    printf("%s", word);
    for (size_t at = 0; at < joints * 16; at++) printf(" %.9g", numbers[at]);
    printf("\n");
}

static void show(const MaquetteModel *model) {
    printf("format %s %s\n", maquette_format(model), maquette_dialect(model));
    MaquetteLoss loss;
    for (size_t at = 0; maquette_loss(model, at, &loss); at++)
        printf("loss %d %llu %s\n", (int)loss.kind, (unsigned long long)loss.count, loss.what);
    for (size_t mesh = 0; mesh < maquette_mesh_count(model); mesh++) {
        MaquettePrimitive part;
        for (size_t at = 0; maquette_primitive(model, mesh, at, &part); at++) {
            size_t indices = 0;
            for (size_t index = 0; index < part.index_count; index++) indices += part.indices[index];
            printf("part %zu %zu %zu %d %.6f %.6f %.6f %.6f %zu %.6f\n", part.vertex_count, part.index_count, indices, part.material,
                   sum(part.positions, part.vertex_count * 3), sum(part.normals, part.vertex_count * 3),
                   sum(part.tangents, part.vertex_count * 4), sum(part.uvs, part.vertex_count * 2), part.influence_count,
                   sum(part.weights, part.vertex_count * part.influence_count));
            if (maquette_uvs(model, mesh, at, 0) != part.uvs) printf("other uvs\n");
        }
        printf("mesh %s\n", maquette_mesh_name(model, mesh));
    }
    MaquetteNode node;
    for (size_t at = 0; maquette_node(model, at, &node); at++)
        printf("node %d %d %d %.6f %.6f %.6f %s\n", node.parent, node.mesh, node.skin, node.translation[1], node.rotation[3],
               node.matrix[13], node.name);
    MaquetteMaterial material;
    for (size_t at = 0; maquette_material(model, at, &material); at++)
        printf("material %d %d %d %d %d %d %s\n", material.is_packed, (int)material.alpha, material.double_sided,
               material.base_colour_texture.image, material.metallic_roughness_texture.image, material.normal_texture.image,
               material.name);
    MaquetteImage image;
    for (size_t at = 0; maquette_image(model, at, &image); at++) {
        printf("image %d %u %u %zu", (int)image.pixels, image.width, image.height, image.level_count);
        size_t size, bytes = 0;
        for (size_t level = 0; maquette_image_level(model, at, level, &size); level++) bytes += size;
        printf(" %zu %s\n", bytes, image.mime);
    }
    MaquetteClip clip;
    for (size_t at = 0; maquette_clip(model, at, &clip); at++) {
        printf("clip %.6f %d %zu %zu %zu %s\n", clip.duration, clip.looped, clip.track_count, clip.key_count, clip.event_count,
               clip.name);
        MaquetteEvent event;
        for (size_t number = 0; maquette_event(model, at, number, &event); number++) printf("event %.6f %s\n", event.time, event.name);
    }
}

static void play(const MaquetteModel *model) {
    static float numbers[16 * 64];
    MaquetteSkin skin;
    if (!maquette_skin(model, 0, &skin) || maquette_clip_count(model) == 0 || skin.joint_count > 64) return;
    printf("skin %zu %u %.6f\n", skin.joint_count, skin.joints[0], sum(skin.inverse_bind_matrices, skin.joint_count * 16));
    for (int step = 0; step < 5; step++) {
        if (maquette_palette(model, 0, 0.3f * (float)step, 0, numbers)) return;
        palette("palette", numbers, skin.joint_count);
    }
    MaquetteMixer *mixer;
    if (maquette_mixer(model, 2, &mixer)) return;
    MaquetteChannel channel;
    if (!maquette_channel(mixer, 0, &channel)) return;
    channel.is_playing = channel.is_looping = true;
    if (!maquette_set_channel(mixer, 0, &channel)) return;
    maquette_cut_to(mixer, 0);
    for (int step = 0; step < 5; step++) {
        if (maquette_update(mixer, step ? 0.3f : 0.0f) || maquette_mixer_palette(mixer, 0, numbers)) return;
        palette("mixed", numbers, skin.joint_count);
        MaquetteEvent event;
        size_t of;
        for (size_t at = 0; maquette_mixer_event(mixer, at, &of, &event); at++) printf("passed %zu %.6f %s\n", of, event.time, event.name);
    }
    float matrix[16];
    printf("held %d\n", maquette_mixer_node(mixer, 0, matrix) && !maquette_mixer_node(mixer, 100000, matrix));
    channel.clip = 1000;
    printf("kept %d\n", !maquette_set_channel(mixer, 0, &channel) && !maquette_set_channel(mixer, 9, &channel));
    maquette_fade_to(mixer, 1, 0.2f, MAQUETTE_EASING_SMOOTH);
    maquette_fade_to(mixer, 7, 0.2f, 99);
    maquette_free_mixer(mixer);
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    MaquetteModel *model;
    if (maquette_load(argv[1], &model) != MAQUETTE_STATUS_OK) {
        printf("refused %d %s\n", model == NULL, maquette_last_error());
        return 0;
    }
    show(model);
    play(model);
    maquette_free(model);

    FILE *file = fopen(argv[1], "rb");
    static unsigned char bytes[1 << 22];
    size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file) fclose(file);
    const char *name = strrchr(argv[1], '/');
    if (maquette_load_memory(name ? name + 1 : argv[1], bytes, size, &model) == MAQUETTE_STATUS_OK) {
        printf("again %zu %zu\n", maquette_mesh_count(model), maquette_clip_count(model));
        maquette_free(model);
    }
    return 0;
}
