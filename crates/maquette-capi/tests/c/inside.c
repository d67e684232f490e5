/* Clips key by key, morph targets, colours and texture transforms of the file it is given; then its first clip on the second file, and both again from memory. */
#include "maquette.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void numbers(const float *values, size_t count) {
    for (size_t at = 0; values && at < count; at++) printf(" %.9g", (double)values[at]);
}

static void clips(const MaquetteModel *model) {
    MaquetteClip clip;
    for (size_t of = 0; maquette_clip(model, of, &clip); of++) {
        MaquetteTrack track;
        for (size_t at = 0; maquette_track(model, of, at, &track); at++) {
            printf("track %zu %d %s %d %d %d %zu\n", of, track.node, *track.target ? track.target : "-", (int)track.property,
                   (int)track.interpolation, (int)track.blend, track.component_count);
            MaquetteKey key;
            size_t number = 0;
            for (; maquette_key(model, of, at, number, &key); number++) {
                printf("key %.17g", key.time);
                numbers(key.tangent_before, track.component_count);
                numbers(key.value, track.component_count);
                numbers(key.tangent_after, track.component_count);
                printf("\n");
                const size_t each = track.interpolation == MAQUETTE_INTERPOLATION_CUBIC_SPLINE ? 3 : 1;
                if (track.times[number] != (float)key.time) printf("other time\n");
                if (track.values && track.values + (number * each + each / 2) * track.component_count != key.value) printf("other value\n");
            }
            if (number != track.key_count) printf("other count\n");
        }
    }
}

static void shapes(const MaquetteModel *model) {
    for (size_t mesh = 0; mesh < maquette_mesh_count(model); mesh++) {
        MaquettePrimitive part;
        for (size_t at = 0; maquette_primitive(model, mesh, at, &part); at++) {
            MaquetteMorph morph;
            for (size_t target = 0; maquette_morph(model, mesh, at, target, &morph); target++) {
                printf("morph %s %g", *morph.name ? morph.name : "-", (double)morph.weight);
                numbers(morph.positions, part.vertex_count * 3);
                numbers(morph.normals, part.vertex_count * 3);
                printf("\n");
            }
            const float *colours;
            for (size_t set = 0; (colours = maquette_colours(model, mesh, at, set)); set++) {
                printf("colours");
                numbers(colours, part.vertex_count * 4);
                printf("\n");
            }
        }
        const size_t count = maquette_morph_count(model, mesh);
        if (!count) continue;
        float *weights = malloc(count * sizeof(float)), time = 0.0f;
        MaquetteMixer *mixer;
        if (maquette_mixer(model, 2, &mixer)) exit(4);
        MaquetteChannel channel;
        maquette_channel(mixer, 0, &channel);
        channel.weight = 2;
        if (!maquette_set_channel(mixer, 0, &channel)) exit(5);
        for (int clip = -1; clip < (int)maquette_clip_count(model); clip++)
            for (time = 0.0f; time < 1.1f; time += 0.25f) {
                if (maquette_morph_weights(model, clip, time, mesh, weights)) exit(6);
                printf("weights %d %g", clip, (double)time);
                numbers(weights, count);
                printf("\n");
                if (clip < 0) continue;
                channel.clip = (unsigned)clip;
                channel.time = time;
                maquette_set_channel(mixer, 0, &channel);
                if (maquette_update(mixer, 0) || maquette_mixer_morph_weights(mixer, mesh, weights)) exit(7);
                printf("mixed %d %g", clip, (double)time);
                numbers(weights, count);
                printf("\n");
            }
        maquette_free_mixer(mixer);
        free(weights);
    }
    MaquetteMaterial material;
    for (size_t at = 0; maquette_material(model, at, &material); at++) {
        const MaquetteTexture *it = &material.base_colour_texture;
        printf("texture %d %g %g %g %g %g\n", it->image, (double)it->offset[0], (double)it->offset[1], (double)it->rotation,
               (double)it->scale[0], (double)it->scale[1]);
    }
}

/* The folder of a file stands for whatever a program keeps files in. */
struct Store {
    const char *folder;
    unsigned char bytes[1 << 16];
    int asked;
};

static const uint8_t *companion(void *context, const char *name, size_t *size) {
    struct Store *store = context;
    char path[4096];
    store->asked++;
    snprintf(path, sizeof path, "%s/%s", store->folder, name);
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    *size = fread(store->bytes, 1, sizeof store->bytes, file);
    fclose(file);
    return store->bytes;
}

static void memory(const char *folder, const char *name) {
    static struct Store store;
    static unsigned char bytes[1 << 16];
    store.folder = folder;
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    MaquetteModel *model;
    printf("alone %d\n", (int)maquette_load_memory(name, bytes, size, &model));
    maquette_free(model);
    printf("together %d", (int)maquette_load_with(name, bytes, size, companion, &store, &model));
    printf(" %zu %d\n", maquette_mesh_count(model), store.asked > 0);
    maquette_free(model);
    const char *outputs[] = { "made.glb", "made.gltf", "made.aem", "made.none" };
    for (int at = 0; at < 4; at++) {
        MaquetteConversion *conversion;
        printf("into %s %d\n", outputs[at], (int)maquette_convert_memory(name, bytes, size, companion, &store, outputs[at], NULL, &conversion));
        MaquetteFile made;
        for (size_t number = 0; maquette_conversion_file(conversion, number, &made); number++) {
            printf("made %s %zu\n", made.name, made.size);
            if (number == 0 && maquette_load_memory(made.name, made.data, made.size, &model) == MAQUETTE_STATUS_OK) {
                printf("again %s %zu\n", maquette_format(model), maquette_mesh_count(model));
                maquette_free(model);
            }
        }
        maquette_free_conversion(conversion);
    }
}

static void apply(const char *to, const char *from) {
    MaquetteModel *model, *clips, *both;
    if (maquette_load(to, &model) || maquette_load(from, &clips)) exit(8);
    MaquetteApplyOptions options;
    maquette_apply_options(&options);
    MaquetteStatus status = maquette_apply_clips(model, clips, &options, &both);
    printf("applied %d %zu %zu %s\n", (int)status, maquette_clip_count(model), maquette_clip_count(both), maquette_last_error());
    MaquetteTrack track;
    if (both && maquette_track(both, maquette_clip_count(both) - 1, 0, &track)) printf("moves %d %s\n", track.node, track.target);
    maquette_free(both);
    options.bone_map = "no equals sign";
    status = maquette_apply_clips(model, clips, &options, &both);
    printf("unmapped %d %s\n", (int)status, maquette_last_error());
    options.bone_map = NULL;
    options.scope = 7;
    status = maquette_apply_clips(model, clips, &options, &both);
    printf("unscoped %d %s\n", (int)status, maquette_last_error());
    maquette_free(model);
    maquette_free(clips);
}

int main(int argc, char **argv) {
    MaquetteModel *model;
    if (argc != 6 || maquette_load(argv[1], &model)) {
        printf("%s\n", maquette_last_error());
        return 2;
    }
    clips(model);
    shapes(model);
    maquette_free(model);
    apply(argv[2], argv[3]);
    memory(argv[4], argv[5]);
    MaquetteFormat format;
    for (size_t at = 0; maquette_known_format(at, &format); at++) {
        printf("format %s %zu %s", format.id, format.dialect_count, maquette_known_ending(at, 0));
        MaquetteDialect dialect;
        for (size_t of = 0; maquette_known_dialect(at, of, &dialect); of++) printf(" %s", dialect.id);
        printf("\n");
    }
    return 0;
}
