/* See wishes.h. */
#include "decoder/commands/wishes.h"

#include <stdio.h>
#include <string.h>

#include "decoder/commands/program_build.h"
#include "hcct/abi.h"

static const struct wish {
    const char *name, *keys;
    bool is_metric;                /* there is one metric in a run */
    uint32_t settings;             /* enum hcct_setting: what the build has to have for it */
    bool of_all;                   /* all objects of the program have to have them */
    const char *option, *variable; /* that build so */
} wishes[HCCT_WISH_COUNT] = {
    { "exact", ":mode=cct", false, 0, false, NULL, NULL },
    { "time", ":metric=time", true, HCCT_SETTING_TIME, true, "--hcct-time", "HCCT_TIME" },
    { "wall", ":metric=wall", true, HCCT_SETTING_TIME, true, "--hcct-time", "HCCT_TIME" },
    { "clock", ":metric=clock", true, HCCT_SETTING_CLOCK, false, "--hcct-clock", "HCCT_CLOCK" },
    { "heap", ":metric=heap", true, 0, false, NULL, NULL },
    { "leaks", ":metric=heap:heap_scan=on", true, 0, false, NULL, NULL },
    { "externals", "", false, HCCT_SETTING_EXTERNALS, false, "--hcct-externals", "HCCT_EXTERNALS" },
    { "threads", ":threads=split", false, 0, false, NULL, NULL },
    { "burst", ":burst=on", false, 0, false, NULL, NULL },
};

bool hcct_wishes_take(struct hcct_wishes *asked, const char *name, struct hcct_text *keys)
{
    int taken = 0;
    while (strcmp(wishes[taken].name, name) != 0)
        taken++;
    for (int i = 0; i < HCCT_WISH_COUNT; i++)
        if (asked->asked[i] && i != taken && wishes[i].is_metric && wishes[taken].is_metric) {
            fprintf(stderr, "hcct-run: --%s does not go with --%s\n", name, wishes[i].name);
            return false;
        }
    asked->asked[taken] = true;
    return hcct_text_add_string(keys, wishes[taken].keys);
}

static bool check_settings(const struct wish *wish, const struct hcct_program_build *build,
                           const char *program)
{
    uint32_t found = (wish->of_all ? build->all : build->any) & wish->settings;
    if (found == wish->settings)
        return true;
    fprintf(stderr,
            "hcct-run: %s: %s was compiled for --%s: build it again with hcct-cc %s, or with %s=1 in the "
            "environment of the build\n",
            program, build->any & wish->settings ? "not all of it" : "nothing in it", wish->name,
            wish->option, wish->variable);
    return false;
}

bool hcct_wishes_check(const struct hcct_wishes *asked, const char *program)
{
    struct hcct_program_build build = hcct_program_build_read(program);
    bool wants_calls = true;
    if (!build.is_known)
        return true;
    if (!build.is_instrumented) {
        fprintf(stderr,
                "hcct-run: %s: nothing in it was compiled by hcct-cc (CC=hcct-cc CXX=hcct-c++): only what it "
                "loads or runs can be counted\n",
                program);
        return true;
    }
    for (int i = 0; i < HCCT_WISH_COUNT; i++) {
        if (asked->asked[i] && !check_settings(&wishes[i], &build, program))
            return false;
        wants_calls = wants_calls && !(asked->asked[i] && wishes[i].is_metric);
    }
    if (wants_calls && build.any & HCCT_SETTING_UNCOUNTED)
        fprintf(stderr,
                "hcct-run: %s: some of it was compiled by hcct-cc --hcct-time-only, which counts no calls: "
                "ask for --time, or build with --hcct-time\n",
                program);
    return true;
}
