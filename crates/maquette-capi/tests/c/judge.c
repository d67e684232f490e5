/* Checks the files it is given, converts the first of them, and calls everything with nothing. */
#include "maquette.h"
#include <stdio.h>

static int nothing(void) {
    MaquetteModel *model = (MaquetteModel *)1;
    int wrong = 0;
    wrong += maquette_load(NULL, &model) != MAQUETTE_STATUS_ARGUMENT || model != NULL;
    wrong += maquette_load("x", NULL) != MAQUETTE_STATUS_ARGUMENT;
    wrong += maquette_load("no such file", &model) != MAQUETTE_STATUS_IO || model != NULL;
    wrong += maquette_load_memory(NULL, NULL, 5, &model) != MAQUETTE_STATUS_ARGUMENT;
    wrong += maquette_load_memory(NULL, NULL, 0, &model) != MAQUETTE_STATUS_MALFORMED;
    wrong += maquette_format(NULL) != NULL || maquette_mesh_count(NULL) || maquette_node_count(NULL) || maquette_clip_count(NULL);
    wrong += maquette_skin_count(NULL) || maquette_image_count(NULL) || maquette_material_count(NULL);
    wrong += maquette_node(NULL, 0, NULL) || maquette_skin(NULL, 0, NULL) || maquette_primitive(NULL, 0, 0, NULL);
    wrong += maquette_material(NULL, 0, NULL) || maquette_image(NULL, 0, NULL) || maquette_clip(NULL, 0, NULL);
    wrong += maquette_event(NULL, 0, 0, NULL) || maquette_loss(NULL, 0, NULL) || maquette_uvs(NULL, 0, 0, 0) != NULL;
    wrong += maquette_image_level(NULL, 0, 0, NULL) != NULL || maquette_mesh_name(NULL, 0) != NULL || maquette_dialect(NULL) != NULL;
    wrong += maquette_palette(NULL, 0, 0, 0, NULL) != MAQUETTE_STATUS_ARGUMENT;
    MaquetteMixer *mixer;
    wrong += maquette_mixer(NULL, 1, &mixer) != MAQUETTE_STATUS_ARGUMENT || maquette_update(NULL, 1) != MAQUETTE_STATUS_ARGUMENT;
    wrong += maquette_mixer_palette(NULL, 0, NULL) != MAQUETTE_STATUS_ARGUMENT || maquette_mixer_node(NULL, 0, NULL);
    wrong += maquette_channel(NULL, 0, NULL) || maquette_set_channel(NULL, 0, NULL) || maquette_set_mask(NULL, 0, NULL);
    wrong += maquette_mixer_event(NULL, 0, NULL, NULL);
    wrong += maquette_cut_to(NULL, 0) || maquette_fade_to(NULL, 0, 1, MAQUETTE_EASING_LINEAR);
    wrong += maquette_track(NULL, 0, 0, NULL) || maquette_key(NULL, 0, 0, 0, NULL) || maquette_morph(NULL, 0, 0, 0, NULL);
    wrong += maquette_morph_count(NULL, 0) || maquette_colours(NULL, 0, 0, 0) != NULL || maquette_known_format(99, NULL);
    wrong += maquette_morph_weights(NULL, 0, 0, 0, NULL) != MAQUETTE_STATUS_ARGUMENT;
    wrong += maquette_mixer_morph_weights(NULL, 0, NULL) != MAQUETTE_STATUS_ARGUMENT || maquette_known_ending(99, 0) != NULL;
    wrong += maquette_apply_clips(NULL, NULL, NULL, &model) != MAQUETTE_STATUS_ARGUMENT || maquette_known_dialect(99, 0, NULL);
    wrong += maquette_convert_memory(NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL) != MAQUETTE_STATUS_ARGUMENT;
    wrong += maquette_conversion_file(NULL, 0, NULL);
    maquette_convert_options(NULL);
    maquette_apply_options(NULL);
    MaquetteReport *report;
    wrong += maquette_check(NULL, &report) != MAQUETTE_STATUS_ARGUMENT || maquette_check_memory(NULL, NULL, 1, &report) != MAQUETTE_STATUS_ARGUMENT;
    wrong += maquette_report_is_ok(NULL) || maquette_finding_count(NULL) || maquette_finding(NULL, 0, NULL) || maquette_report_format(NULL) != NULL;
    wrong += maquette_convert(NULL, "x", NULL, NULL) != MAQUETTE_STATUS_ARGUMENT || maquette_conversion_loss(NULL, 0, NULL);
    maquette_free(NULL);
    maquette_free_mixer(NULL);
    maquette_free_report(NULL);
    maquette_free_conversion(NULL);
    return wrong;
}

int main(int argc, char **argv) {
    printf("nothing %d\nversion %s\n", nothing(), maquette_version());
    for (int at = 2; at < argc; at++) {
        MaquetteReport *report;
        MaquetteStatus status = maquette_check(argv[at], &report);
        printf("checked %d %d %s\n", (int)status, maquette_report_is_ok(report), report ? maquette_report_format(report) : "");
        MaquetteFinding finding;
        for (size_t number = 0; maquette_finding(report, number, &finding); number++)
            printf("finding %s %d %lld %s\n", finding.code, (int)finding.severity, (long long)finding.offset, finding.path);
        maquette_free_report(report);
    }
    if (argc > 2) {
        MaquetteConvertOptions options;
        maquette_convert_options(&options);
        options.textures = MAQUETTE_TEXTURES_FAST;
        options.scale = 2;
        MaquetteConversion *conversion;
        MaquetteStatus status = maquette_convert(argv[2], argv[1], &options, &conversion);
        printf("converted %d\n", (int)status);
        MaquetteLoss loss;
        for (size_t at = 0; maquette_conversion_loss(conversion, at, &loss); at++) printf("lost %s\n", loss.what);
        maquette_free_conversion(conversion);
        options.scale = -1;
        printf("refused %d\n", (int)maquette_convert(argv[2], argv[1], &options, NULL));
        options.scale = 0;
        options.dialect = "nonsense";
        status = maquette_convert(argv[2], argv[1], &options, NULL);
        printf("unknown %d %s\n", (int)status, maquette_last_error());
    }
    return 0;
}
