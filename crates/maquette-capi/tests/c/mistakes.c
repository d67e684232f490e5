/* What programs do wrong is answered at once, and said. Arguments: a file, a pipe that nobody writes to, a path that is no UTF-8, a file of no format, an output. */
#include "maquette.h"
#include <math.h>
#include <stdio.h>
#include <stdint.h>
#include <string.h>

static int wrong;

#define IS(what)                                                                 \
    do {                                                                         \
        if (!(what)) {                                                           \
            printf("%d: %s: \"%s\"\n", __LINE__, #what, maquette_last_error()); \
            wrong++;                                                             \
        }                                                                        \
    } while (0)

static bool says(const char *words) { return strstr(maquette_last_error(), words) != NULL; }

static void files(char **argv) {
    MaquetteModel *model;
    MaquetteReport *report;
    MaquetteConversion *conversion;
    MaquetteError error;
    const char *irregular[] = { argv[2], "/dev/zero" };
    for (int at = 0; at < 2; at++) {
        IS(maquette_load(irregular[at], &model) == MAQUETTE_STATUS_IO && !model && says("it is no regular file"));
        IS(maquette_check(irregular[at], &report) == MAQUETTE_STATUS_IO && !report && says("it is no regular file"));
        IS(maquette_convert(irregular[at], argv[5], NULL, &conversion) == MAQUETTE_STATUS_IO && !conversion);
        IS(says("it is no regular file"));
    }
    IS(maquette_error(&error) && error.status == MAQUETTE_STATUS_IO && !*error.code && error.offset == -1);
    IS(maquette_load("-", &model) == MAQUETTE_STATUS_IO);
    IS(maquette_load(argv[3], &model) == MAQUETTE_STATUS_OK && !*maquette_last_error() && !maquette_error(&error));
    maquette_free(model);
    IS(maquette_check(argv[3], &report) == MAQUETTE_STATUS_OK);
    maquette_free_report(report);
    IS(maquette_load(NULL, &model) == MAQUETTE_STATUS_ARGUMENT && says("the path is null"));
    IS(maquette_load(argv[1], NULL) == MAQUETTE_STATUS_ARGUMENT && says("no room"));
    IS(maquette_load_memory("a", (const uint8_t *)"", SIZE_MAX, &model) == MAQUETTE_STATUS_ARGUMENT && says("size"));
    IS(maquette_load_memory("\xff", (const uint8_t *)"", 0, &model) == MAQUETTE_STATUS_ARGUMENT && says("the name is no UTF-8"));
    IS(maquette_load_memory("a.aem", (const uint8_t *)"AEM\002", 4, &model) == MAQUETTE_STATUS_MALFORMED);
    IS(maquette_error(&error) && !strcmp(error.code, "AEM0002") && error.offset == 3 && !strcmp(error.path, "header.version"));
    IS(error.status == MAQUETTE_STATUS_MALFORMED && !strcmp(error.message, maquette_last_error()));
    MaquetteFinding finding;
    IS(maquette_check(argv[4], &report) == MAQUETTE_STATUS_OK && !maquette_report_is_ok(report));
    IS(!*maquette_report_format(report) && maquette_finding_count(report) == 1 && maquette_finding(report, 0, &finding));
    IS(!*finding.code && finding.severity == MAQUETTE_SEVERITY_ERROR && *finding.message && finding.offset == -1);
    maquette_free_report(report);
}

static void options(char **argv) {
    MaquetteConvertOptions options;
    maquette_convert_options(&options);
    IS(options.struct_size == sizeof options);
    options.dialect = "\xff";
    IS(maquette_convert(argv[1], argv[5], &options, NULL) == MAQUETTE_STATUS_ARGUMENT && says("`dialect`"));
    options.dialect = NULL;
    const int none[] = { 99, -1, 4 };
    for (int at = 0; at < 3; at++) {
        options.textures = none[at];
        IS(maquette_convert(argv[1], argv[5], &options, NULL) == MAQUETTE_STATUS_ARGUMENT && says("`textures`"));
    }
    options.textures = 0;
    options.scale = NAN;
    IS(maquette_convert(argv[1], argv[5], &options, NULL) == MAQUETTE_STATUS_ARGUMENT && says("`scale`"));
    options.scale = 0;
    options.struct_size = 0;
    IS(maquette_convert(argv[1], argv[5], &options, NULL) == MAQUETTE_STATUS_ARGUMENT && says("maquette_convert_options"));
    options.struct_size = sizeof options;
    IS(maquette_convert(argv[1], NULL, &options, NULL) == MAQUETTE_STATUS_ARGUMENT && says("the path of the output is null"));
    /* A program that knows less of the options than the library. */
    options.struct_size = sizeof(size_t) + sizeof(const char *);
    options.textures = 99;
    IS(maquette_convert(argv[1], argv[5], &options, NULL) == MAQUETTE_STATUS_OK);
}

static void playing(const MaquetteModel *model) {
    MaquetteSkin skin;
    IS(maquette_skin(model, 0, &skin));
    static float palette[16 * 64], other[16 * 64];
    IS(maquette_palette(model, -2, 0, 0, palette) == MAQUETTE_STATUS_ARGUMENT && says("`clip` is -2"));
    IS(maquette_palette(model, 99, 0, 0, palette) == MAQUETTE_STATUS_ARGUMENT && says("no clip 99"));
    IS(maquette_palette(model, 0, NAN, 0, palette) == MAQUETTE_STATUS_ARGUMENT && says("`time`"));
    IS(maquette_palette(model, 0, 0, 9, palette) == MAQUETTE_STATUS_ARGUMENT && says("no skin 9"));
    IS(maquette_palette(model, -1, 0, 0, palette) == MAQUETTE_STATUS_OK);
    MaquetteMixer *mixer;
    IS(maquette_mixer(model, 1025, &mixer) == MAQUETTE_STATUS_ARGUMENT && !mixer);
    IS(maquette_mixer(model, 2, &mixer) == MAQUETTE_STATUS_OK);
    /* Before anything was played all is at rest. */
    IS(maquette_mixer_palette(mixer, 0, other) == MAQUETTE_STATUS_OK);
    IS(!memcmp(palette, other, skin.joint_count * 16 * sizeof(float)));
    MaquetteNode node;
    float matrix[16];
    for (size_t at = 0; maquette_node(model, at, &node); at++)
        IS(maquette_mixer_node(mixer, at, matrix) && (node.parent >= 0 || !memcmp(matrix, node.matrix, sizeof matrix)));
    IS(!maquette_node(model, 99999, &node) && says("no node 99999"));
    MaquetteChannel channel, kept;
    IS(maquette_channel(mixer, 0, &channel) && !*maquette_last_error());
    const float bad[] = { NAN, INFINITY, -INFINITY };
    for (int at = 0; at < 3; at++) {
        float *fields[] = { &channel.time, &channel.speed, &channel.weight };
        const char *names[] = { "`time`", "`speed`", "`weight`" };
        for (int field = 0; field < 3; field++) {
            const float before = *fields[field];
            *fields[field] = bad[at];
            IS(!maquette_set_channel(mixer, 0, &channel) && says(names[field]));
            *fields[field] = before;
        }
        IS(maquette_update(mixer, bad[at]) == MAQUETTE_STATUS_ARGUMENT);
        IS(!maquette_fade_to(mixer, 0, bad[at], 0) && says("`seconds`"));
    }
    channel.weight = -1;
    IS(!maquette_set_channel(mixer, 0, &channel) && says("`weight` is -1"));
    channel.weight = 1;
    channel.clip = 77;
    IS(!maquette_set_channel(mixer, 0, &channel) && says("no clip 77"));
    IS(maquette_channel(mixer, 0, &kept) && kept.weight == 0 && kept.clip == 0);
    IS(!maquette_channel(mixer, 2, &kept) && says("no channel 2; there are 2"));
    IS(!maquette_fade_to(mixer, 0, 1, 9) && says("`easing` is 9"));
    IS(!maquette_cut_to(mixer, 5) && says("no channel 5") && maquette_cut_to(mixer, 1) && !*maquette_last_error());
    static float mask[64];
    mask[1] = NAN;
    IS(!maquette_set_mask(mixer, 0, mask) && says("node 1"));
    maquette_free_mixer(mixer);
}

int main(int argc, char **argv) {
    if (argc != 6) return 2;
    files(argv);
    options(argv);
    MaquetteModel *model;
    if (maquette_load(argv[1], &model)) return 3;
    playing(model);
    maquette_free(model);
    printf("wrong %d\n", wrong);
    return wrong != 0;
}
