/* See wishes.h. */
#include "decoder/commands/run/wishes.h"

#include <stdio.h>
#include <string.h>

#include "decoder/commands/run/process.h"
#include "decoder/report/program_build.h"
#include "hcct/abi.h"

static const struct wish {
    const char *name, *keys;
    bool is_alone;      /* there is one of these in a run: a metric */
    uint32_t settings;  /* enum hcct_setting: what the build has to have for it */
    const char *option; /* that builds so. Not a variable: ccache sees none */
} wishes[HCCT_WISH_COUNT] = {
    { "exact", ":mode=cct", false, 0, NULL },
    { "time", ":metric=time", true, 0, NULL },
    { "wall", ":metric=wall", true, 0, NULL },
    { "clock", ":metric=clock", true, HCCT_SETTING_CLOCK, "--hcct-clock" },
    { "heap", ":metric=heap", true, 0, NULL },
    { "leaks", ":metric=heap:heap_scan=on", true, 0, NULL },
    { "threads", ":threads=split", false, 0, NULL },
};

static int find(const char *name)
{
    int found = 0;
    while (strcmp(wishes[found].name, name) != 0)
        found++;
    return found;
}

bool hcct_wishes_take(struct hcct_wishes *asked, const char *name, struct hcct_text *keys)
{
    int taken = find(name);
    for (int i = 0; i < HCCT_WISH_COUNT; i++)
        if (asked->asked[i] && i != taken && wishes[i].is_alone && wishes[taken].is_alone) {
            fprintf(stderr, "hcct-run: --%s does not go with --%s\n", name, wishes[i].name);
            return false;
        }
    asked->asked[taken] = true;
    hcct_text_add_string(keys, wishes[taken].keys);
    return true;
}

/* --- what hcct-decode shows of some runs only --------------------------------------------------------- */

static const struct need {
    const char *option, *argument; /* argument NULL: any that no entry before has */
    const char *wish;              /* NULL: no metric of the heap, which tells no phases apart */
} needs[HCCT_NEED_COUNT] = {
    { "by", "thread", "threads" }, { "spread", "threads", "threads" },  { "format", "leaks", "leaks" },
    { "value", "lost", "leaks" },  { "value", "lost-blocks", "leaks" }, { "value", NULL, "heap" },
    { "phase", NULL, NULL },
};

void hcct_wishes_note(struct hcct_wishes *asked, const char *option, const char *argument)
{
    bool is_found = false; /* of several with one option the last one counts */
    for (int i = 0; i < HCCT_NEED_COUNT; i++) {
        if (strcmp(needs[i].option, option) != 0)
            continue;
        bool fits = !is_found && (!needs[i].argument || !strcmp(needs[i].argument, argument));
        asked->needed_for[i] = fits ? argument : NULL;
        is_found = is_found || fits;
    }
}

/* The metric that was asked for, or -1. */
static int asked_alone(const struct hcct_wishes *asked)
{
    int found = HCCT_WISH_COUNT - 1;
    while (found >= 0 && !(asked->asked[found] && wishes[found].is_alone))
        found--;
    return found;
}

static bool refuse(const struct need *need, const char *argument, const char *other)
{
    fprintf(stderr, "hcct-run: --%s=%s does not go with --%s\n", need->option, argument, other);
    return false;
}

static bool infer(struct hcct_wishes *asked, int number, struct hcct_text *keys)
{
    const struct need *need = &needs[number];
    const int heap = find("heap"), leaks = find("leaks"), alone = asked_alone(asked);
    if (!need->wish) /* a phase */
        return (alone != heap && alone != leaks) ||
               refuse(need, asked->needed_for[number], wishes[alone].name);
    int wish = find(need->wish);
    if (asked->asked[wish] || (wish == heap && alone == leaks))
        return true;
    if (wishes[wish].is_alone && alone >= 0 && !(wish == leaks && alone == heap))
        return refuse(need, asked->needed_for[number], wishes[alone].name);
    asked->asked[wish] = true;
    hcct_text_add_string(keys, wishes[wish].keys);
    return true;
}

bool hcct_wishes_infer(struct hcct_wishes *asked, bool is_sampled, struct hcct_text *keys)
{
    for (int i = 0; i < HCCT_NEED_COUNT; i++) {
        if (!asked->needed_for[i])
            continue;
        if (is_sampled)
            return refuse(&needs[i], asked->needed_for[i], "heights");
        if (!infer(asked, i, keys))
            return false;
    }
    return true;
}

/* --- the build ------------------------------------------------------------------------------------------ */

static bool check_settings(const struct wish *wish, const struct hcct_program_build *build,
                           const char *program)
{
    if ((build->settings & wish->settings) == wish->settings)
        return true;
    fprintf(stderr,
            "hcct-run: %s: nothing in it was compiled for --%s: build it again with hcct-cc and %s among its "
            "flags (CFLAGS, CXXFLAGS)\n",
            program, wish->name, wish->option);
    return false;
}

bool hcct_wishes_check(const struct hcct_wishes *asked, const char *program)
{
    struct hcct_program_build build = hcct_program_build_read(program);
    if (!build.is_known)
        return true;
    if (!build.is_instrumented) {
        fprintf(stderr,
                hcct_run_is_by_cargo()
                    ? "hcct-run: %s: cargo built it without hcct, as it does tests of procedural macros\n"
                    : "hcct-run: %s: nothing in it was compiled by hcct-cc (CC=hcct-cc CXX=hcct-c++), or its "
                      "notes are gone (strip -R): only what it loads or runs can be counted\n",
                program);
        return true;
    }
    for (int i = 0; i < HCCT_WISH_COUNT; i++)
        if (asked->asked[i] && !check_settings(&wishes[i], &build, program))
            return false;
    return true;
}
