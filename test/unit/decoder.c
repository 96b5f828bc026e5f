/* The decoder on profiles made by hand: what each format prints. With an argument it writes the profiles into
 * that folder instead: the seeds of test/fuzz. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "decoder/report/formats/formats.h"
#include "decoder/store/open.h"
#include "decoder/tree/builds.h"
#include "format/checksum.h"
#include "format/error.h"
#include "made_profiles.h"
#include "profile_builder.h"

/* --- decoding to a string ------------------------------------------------------------------------- */

static const struct hcct_report_options defaults = HCCT_REPORT_DEFAULTS;

static char *decode_files(unsigned char *const *files, const size_t *lengths, uint32_t count, bool force,
                          const struct hcct_report_options *options)
{
    struct hcct_profile profile, sum;
    struct hcct_builds builds = { .force = force };
    const struct hcct_choice choice = { 0 };
    struct hcct_error error = { 0 };
    struct hcct_decoded merge;
    char *text = NULL;
    size_t text_length;
    bool done = true;
    for (uint32_t i = 0; done && i < count; i++) {
        done = hcct_profile_open(&profile, files[i], lengths[i], &error);
        if (!done)
            break;
        if (count > 1) {
            done = hcct_builds_add(&builds, &profile, &error);
            hcct_profile_close(&profile);
        }
    }
    if (done && count > 1)
        done = hcct_builds_sum(&builds, &sum, true, &error);
    struct hcct_profile *shown = count > 1 ? &sum : &profile;
    if (done && hcct_decoded_open(&merge, shown, &choice, 0, &error)) {
        FILE *out = open_memstream(&text, &text_length);
        CHECK(hcct_report_print(out, &merge, options, &error));
        fclose(out);
        hcct_decoded_close(&merge);
    }
    if (done)
        hcct_profile_close(shown);
    hcct_builds_free(&builds);
    return text ? text : strdup(error.message);
}

static char *decode(unsigned char *file, size_t length, const struct hcct_report_options *options)
{
    return decode_files(&file, &length, 1, false, options);
}

static void check_text(char *text, const char *expected, const char *name)
{
    CHECK(!strcmp(text, expected));
    if (strcmp(text, expected))
        fprintf(stderr, "%s: expected\n%s\nfound\n%s\n", name, expected, text);
    free(text);
}

static void check_has(const char *text, const char *part)
{
    CHECK(strstr(text, part));
    if (!strstr(text, part))
        fprintf(stderr, "no \"%s\" in\n%s\n", part, text);
}

/* --- tests ---------------------------------------------------------------------------------------- */

static void test_folded(void)
{
    size_t length;
    unsigned char *file = profile_of_program(&length, 1);
    struct hcct_report_options options = defaults;
    options.format = &hcct_format_folded;
    check_text(decode(file, length, &options),
               "[signal 14];on_alarm 3\n"
               "[unknown];walk 2\n"
               "main 1\n"
               "main;compare 7\n"
               "main;db::sort(int*, int) 10\n"
               "main;db::sort(int*, int);[qsort];compare 5000\n"
               "main;run;step;walk 20\n"
               "main;run;step;walk;walk 100\n"
               "main;run;step;walk;walk;walk 100\n"
               "main;run;step;walk;walk;walk;walk 100\n",
               "folded");
    options.top_count = 3;
    options.inlines = false;
    options.names = HCCT_NAMES_LINKAGE;
    options.names_given = true;
    check_text(decode(file, length, &options),
               "[other] 5\n"
               "main;[other] 8\n"
               "main;_ZN2db4sortEPii;[other] 10\n"
               "main;_ZN2db4sortEPii;[qsort];compare 5000\n"
               "main;walk;[other] 20\n"
               "main;walk;walk 100\n"
               "main;walk;walk;walk 100\n"
               "main;walk;walk;walk;[other] 100\n",
               "folded, top");
    options.top_count = 0;
    options.phi = 0.01;
    options.max_depth = 2;
    check_text(decode(file, length, &options),
               "[other] 5\n"
               "main;[other] 8\n"
               "main;_ZN2db4sortEPii;[other] 10\n"
               "main;_ZN2db4sortEPii;[qsort];compare 5000\n"
               "main;walk;[other] 20\n"
               "main;walk;walk 100\n"
               "main;walk;walk;[x1];walk 100\n"
               "main;walk;walk;walk 100\n",
               "folded, deep");
    free(file);
}

static void test_tree(void)
{
    size_t length;
    unsigned char *file = profile_of_program(&length, 1);
    struct hcct_report_options options = defaults;
    options.phi = 0.015;
    check_text(decode(file, length, &options),
               "/usr/bin/demo\n"
               "5343 calls in 10 contexts\n"
               "4 hot contexts (*): at least 1.5% of the calls each (phi 0.015)\n"
               "not exact: 2 calls with lost callers\n"
               "\n"
               "    total    share  calls  context\n"
               "   99.91%    0.02%      1  main\n"
               "   93.77%    0.19%     10  |- db::sort  demo.c:44:5\n"
               "   93.58%                  |  `- [qsort]  sort.cc:12:5\n"
               "*  93.58%   93.58%   5000  |     `- compare\n"
               "    5.99%                  |- run  demo.c:42:3\n"
               "    5.99%                  |  `- step  demo.c:33:3\n"
               "    5.99%    0.37%     20  |     `- walk  demo.c:22:9\n"
               "*   5.61%    1.87%    100  |        `- walk  tree.c:9:5\n"
               "*   3.74%    1.87%    100  |           `- walk  tree.c:9:5\n"
               "*   1.87%    1.87%    100  |              `- walk  tree.c:9:5\n"
               "    0.13%    0.13%      7  `- [other]\n"
               "    0.09%    0.09%      5  [other]\n",
               "tree");
    free(file);
}

static void test_json(void)
{
    size_t length;
    unsigned char *file = profile_of_program(&length, 1);
    struct hcct_report_options options = defaults;
    options.format = &hcct_format_json;
    options.phi = 0.9;
    char *text = decode(file, length, &options);
    check_has(text, "\"calls\": 5343");
    check_has(text, "{\"function\": \"db::sort(int*, int)\", \"linkage\": \"_ZN2db4sortEPii\", "
                    "\"file\": \"/src/db/sort.cc\", \"line\": 10, \"kind\": \"function\"}");
    check_has(text, "{\"function\": \"[qsort]\", \"linkage\": \"qsort\", "
                    "\"file\": \"\", \"line\": 0, \"kind\": \"external\"}");
    check_has(text,
              "{\"parent\": 2, \"frame\": 3, \"site\": null, \"count\": 5000, \"error\": 0, \"hot\": true}");
    check_has(text,
              "{\"parent\": -1, \"frame\": 0, \"site\": null, \"count\": 1, \"error\": 0, \"hot\": false}");
    free(text);
    free(file);
}

static void test_hostile_names(void)
{
    size_t length;
    struct builder b;
    builder_open(&b, "p");
    uint32_t f = builder_function(&b, "a;b\\c\nd\r\xff\"\x1b", "", "f.c", 1, 0);
    builder_number(&b);
    builder_count(&b, builder_root(&b, f), 4, 0);
    unsigned char *file = builder_write(&b, &length);
    builder_close(&b);
    struct hcct_report_options options = defaults;
    options.format = &hcct_format_folded;
    check_text(decode(file, length, &options), "a\\;b\\\\c\\nd\\r\\xff\"\\x1b 4\n", "names in folded");
    options.format = &hcct_format_json;
    char *text = decode(file, length, &options);
    check_has(text, "\"a;b\\\\c\\u000ad\\u000d\xef\xbf\xbd\\\"\\u001b\"");
    free(text);
    free(file);
}

static void test_twins(void)
{
    size_t length;
    unsigned char *file = profile_of_bounded(&length, 2, 0);
    struct hcct_report_options options = defaults;
    options.format = &hcct_format_folded;
    check_text(decode(file, length, &options), "[other] 4\nmain;help (one.c) 97\nmain;help (two.c) 49\n",
               "twins");
    options.names = HCCT_NAMES_LINKAGE;
    options.names_given = true;
    check_text(decode(file, length, &options), "[other] 4\nmain;help (one.c) 97\nmain;help (two.c) 49\n",
               "twins' linkage names");
    options.min_count = 60;
    check_text(decode(file, length, &options), "[other] 4\nmain;[other] 49\nmain;help (one.c) 97\n",
               "minimum");
    free(file);
}

static void test_merge(void)
{
    size_t lengths[2];
    unsigned char *files[2] = { profile_of_bounded(&lengths[0], 0, 5),
                                profile_of_bounded(&lengths[1], 2, 2) };
    struct hcct_report_options options = defaults;
    options.format = &hcct_format_json;
    char *text = decode_files(files, lengths, 2, false, &options);
    check_has(text, "\"calls\": 250");
    check_has(text, "\"count\": 200, \"error\": 6,");
    check_has(text, "\"count\": 55, \"error\": 6,");
    free(text);
    free(files[1]);
    files[1] = profile_of_program(&lengths[1], 1);
    struct hcct_file_header *header = (struct hcct_file_header *)files[1];
    struct hcct_file_section *table = (struct hcct_file_section *)(files[1] + sizeof *header);
    struct hcct_file_run *run = (struct hcct_file_run *)(files[1] + table[0].offset); /* another build */
    run->build_id = 2;
    table[0].checksum = hcct_checksum(0, run, sizeof *run);
    header->checksum = 0;
    header->checksum = hcct_checksum(0, header, sizeof *header + header->section_count * sizeof *table);
    text = decode_files(files, lengths, 2, false, &options);
    check_has(text, "of another program or build");
    free(text);
    options.format = &hcct_format_folded;
    options.top_count = 2;
    check_text(decode_files(files, lengths, 2, true, &options),
               "[other] 8\n"
               "main;[other] 105\n"
               "main;db::sort(int*, int);[other] 10\n"
               "main;db::sort(int*, int);[qsort];compare 5000\n"
               "main;run;step;walk;[other] 20\n"
               "main;run;step;walk;walk 100\n"
               "main;run;step;walk;walk;[other] 200\n",
               "forced");
    free(files[0]);
    free(files[1]);
}

static void test_by(void)
{
    size_t length;
    unsigned char *file = profile_of_bounded(&length, 2, 0);
    struct hcct_report_options options = defaults;
    options.by_given = true;
    options.by = HCCT_BY_LINE;
    char *text = decode(file, length, &options);
    check_has(text, "*  64.67%   64.67%    100 -3      |- help (one.c)  main.c:4\n"
                    "*  32.67%   32.67%     50 -1      `- help (two.c)  main.c:4\n");
    free(text);
    free(file);
}

static void test_lost(void)
{
    size_t length;
    struct builder b;
    builder_open(&b, "p");
    uint32_t f = builder_function(&b, "f", "", "f.c", 1, 0);
    uint32_t s = builder_site(&b, f, f, "f", "", 0, 0, BUILDER_NONE);
    builder_number(&b);
    struct builder_context at = builder_root(&b, f);
    builder_count(&b, (struct builder_context){ at.word + 1000, 0, f }, 4, 0); /* no such id */
    struct builder_context wrong = builder_call(&b, (struct builder_context){ at.word + 1000, 0, f }, s, f);
    /* its caller is no such id */
    builder_count(&b, wrong, 8, 0);
    builder_count(&b, (struct builder_context){ at.word, HCCT_FILE_NONE, f }, 16, 0); /* no chain */
    b.notes[HCCT_NOTE_DROPPED_CHAIN] = 16;
    builder_count(&b, builder_call(&b, at, s, f), 32, 0);
    unsigned char *file = builder_write(&b, &length);
    builder_close(&b);
    struct hcct_report_options options = defaults;
    char *text = decode(file, length, &options);
    check_has(
        text,
        "not exact: 16 calls without a recorded chain of callers, 4 calls not decodable, 8 calls with lost "
        "callers, 1 chain of callers not decodable");
    check_has(text, "`- f  #1\n");
    free(text);
    options.format = &hcct_format_folded;
    check_text(decode(file, length, &options), "[other] 20\n[unknown];f 8\nf;f 32\n", "lost");
    free(file);
}

/* A function that 900 calls of 1000 are in, and another context without a chain, with the rest. */
static char *decode_chainless(uint32_t mode, double phi, uint64_t dropped_memory,
                              const struct hcct_report_format *format)
{
    size_t length;
    struct builder b;
    struct hcct_report_options options = defaults;
    builder_open(&b, "p");
    b.run.mode = mode;
    b.run.algorithm = mode == HCCT_MODE_CCT ? HCCT_ALGORITHM_EXACT : HCCT_ALGORITHM_SPACE_SAVING;
    b.counts.guarantee = mode == HCCT_MODE_CCT ? HCCT_GUARANTEE_EXACT : HCCT_GUARANTEE_DETERMINISTIC;
    b.run.phi = phi;
    uint32_t f = builder_function(&b, "f", "", "f.c", 1, 0);
    builder_number(&b);
    struct builder_context at = builder_root(&b, f);
    builder_count(&b, at, 900, 0);
    if (!dropped_memory)
        builder_count(&b, (struct builder_context){ at.word + 7, HCCT_FILE_NONE, f }, 100, 10);
    b.counts.total = 1000;
    b.notes[HCCT_NOTE_DROPPED_MEMORY] = dropped_memory;
    b.notes[HCCT_NOTE_DROPPED_CHAIN] = dropped_memory ? 0 : 90;
    unsigned char *file = builder_write(&b, &length);
    builder_close(&b);
    options.format = format;
    char *text = decode(file, length, &options);
    free(file);
    return text;
}

static void test_cold_chains(void)
{
    static const char cold[] =
        "90 calls in contexts too cold for a record of their callers: below phi each, and not shown\nsound: ";
    static const char lost[] = "not exact: 90 calls without a recorded chain of callers";
    char *text = decode_chainless(HCCT_MODE_HCCT, 0.2, 0, &hcct_format_tree);
    check_has(text, cold);
    free(text);
    text = decode_chainless(HCCT_MODE_HCCT, 0.1, 0, &hcct_format_tree); /* it may be hot */
    check_has(text, lost);
    free(text);
    text = decode_chainless(HCCT_MODE_CCT, 0.2, 0, &hcct_format_tree); /* where each has one */
    check_has(text, lost);
    CHECK(!strstr(text, "every count exact"));
    free(text);
    text = decode_chainless(HCCT_MODE_HCCT, 0.2, 0, &hcct_format_json);
    check_has(text, "\"chain\": 90");
    check_has(text, "\"cold_chain\": 90");
    free(text);
}

/* Nothing is said to be exact where something was dropped. */
static void test_exact_heading(void)
{
    char *text = decode_chainless(HCCT_MODE_CCT, 0.2, 100, &hcct_format_tree);
    check_has(text, "1000 calls in 1 context\n");
    check_has(text, "not exact: 100 calls dropped for lack of memory\n");
    free(text);
    text = decode_chainless(HCCT_MODE_CCT, 0.2, 100, &hcct_format_csv);
    check_has(text, "guarantee: exact, but for what was dropped;");
    free(text);
}

/* One context with 7 of `unit`, mined by sticky sampling; others have `floor` at most. */
static unsigned char *make_weighed(size_t *length, const char *unit, uint64_t floor)
{
    struct builder b;
    builder_open(&b, "p");
    b.run.metric = HCCT_METRIC_WEIGHT;
    b.counts.unit = builder_string(&b, unit);
    b.run.mode = HCCT_MODE_HCCT;
    b.run.algorithm = HCCT_ALGORITHM_STICKY_SAMPLING;
    b.counts.guarantee = HCCT_GUARANTEE_PROBABILISTIC;
    b.run.delta = 250;
    b.counts.floor = floor;
    b.run.epsilon = 0.5;
    uint32_t f = builder_function(&b, "f", "", "f.c", 1, 0);
    builder_number(&b);
    builder_count(&b, builder_root(&b, f), 7, 2);
    unsigned char *file = builder_write(&b, length);
    builder_close(&b);
    return file;
}

/* A run that ended before its first burst counted all of its calls, and has no bounds. */
static void test_estimates_heading(void)
{
    size_t length, text_length;
    unsigned char *file = profile_of_program(&length, 1);
    struct hcct_profile profile;
    struct hcct_error error = { 0 };
    struct hcct_decoded merge;
    const struct hcct_choice choice = { 0 };
    char *text = NULL;
    CHECK(hcct_profile_open(&profile, file, length, &error) &&
          hcct_decoded_open(&merge, &profile, &choice, 0, &error));
    merge.summary.ground.has_estimate = true;
    merge.summary.ground.estimate =
        (struct hcct_file_estimate){ .kind = HCCT_ESTIMATE_BUDGET, .calls = 5343 };
    FILE *out = open_memstream(&text, &text_length);
    CHECK(hcct_report_print(out, &merge, &defaults, &error));
    fclose(out);
    check_has(text, "5343 calls were counted, at most 100% of all; ");
    check_has(text, "10% mean 0% to 100%, 1% mean 0% to 100%, at the worst (95% confidence)\n");
    free(text);
    hcct_decoded_close(&merge);
    hcct_profile_close(&profile);
    free(file);
}

/* Where the floor is above phi, hot contexts may be missing, and no probability says how rarely. */
static void test_floor_above_phi(void)
{
    static const struct {
        const struct hcct_report_format *format;
        const char *text;
    } wanted[] = {
        { &hcct_format_tree, "too high (epsilon 0.5)\n" },
        { &hcct_format_tree, "of those with up to 7 bytes some may be missing\n" },
        { &hcct_format_json, "\"delta\": null," },
        { &hcct_format_csv, "guarantee: probabilistic, but hot contexts may be missing" },
    };
    size_t length;
    unsigned char *file = make_weighed(&length, "bytes", 7);
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        struct hcct_report_options options = defaults;
        options.format = wanted[i].format;
        char *text = decode(file, length, &options);
        check_has(text, wanted[i].text);
        CHECK(strstr(text, "probability") == NULL && strstr(text, "0.025") == NULL);
        free(text);
    }
    free(file);
}

static void test_units(void)
{
    static const struct {
        const struct hcct_report_format *format;
        const char *texts[3];
    } wanted[] = {
        { &hcct_format_tree,
          { "7 bytes in 1 monitored context, counts at most 50% of the bytes too high",
            "of 0.975 (delta 0.025)", "share  bytes error   context" } },
        { &hcct_format_json,
          { "\"metric\": \"weight\",\n\"unit\": \"bytes\"", "\"delta\": 0.025,",
            "\"algorithm\": \"sticky-sampling\"" } },
        { &hcct_format_csv, { "metric: weight in bytes", "guarantee: probabilistic, delta 0.025", "" } },
        { &hcct_format_speedscope, { "\"unit\": \"bytes\"", "7 of 7 bytes", "" } },
        { &hcct_format_callgrind, { "event: Weight : bytes\n", "events: Weight Error\n", "" } },
        { &hcct_format_flamegraph, { "7 of 7 bytes", "7 bytes (", "" } },
        { &hcct_format_dot, { "5 to 7 bytes with those below", "", "" } },
        { &hcct_format_html, { "\"unit\": \"bytes\"", "", "" } },
    };
    size_t length;
    unsigned char *file = make_weighed(&length, "bytes", 0);
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        struct hcct_report_options options = defaults;
        options.format = wanted[i].format;
        char *text = decode(file, length, &options);
        for (size_t t = 0; t < 3; t++)
            check_has(text, wanted[i].texts[t]);
        CHECK(strstr(text, "7 calls") == NULL);
        free(text);
    }
    free(file);
    file = make_weighed(&length, "<b>", 0); /* no format escapes units */
    char *text = decode(file, length, &defaults);
    check_has(text, "a column's name or unit is none");
    free(text);
    free(file);
}

static void test_deep(void)
{
    size_t length;
    unsigned char *file = profile_of_cycle(&length, 1000000, true);
    struct hcct_report_options options = defaults;
    options.format = &hcct_format_folded;
    options.all = true;
    options.max_depth = 4;
    char *text = decode(file, length, &options);
    check_has(text, "\nmain;f;g;f;g;[x499997];f;g 1\n");
    free(text);
    options.format = &hcct_format_json;
    text = decode(file, length, &options);
    check_has(text, "{\"parent\": 999999, \"frame\": 2, ");
    free(text);
    options.format = &hcct_format_tree;
    options.phi = 0;
    options.top_count = 1;
    text = decode(file, length, &options);
    CHECK(strlen(text) < 4096);
    free(text);
    free(file);
}

static int write_seed(const char *folder, const char *name, unsigned char *file, size_t length)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "wb");
    int failed = !out || fwrite(file, 1, length, out) != length;
    free(file);
    return (out && fclose(out)) || failed;
}

static int write_seeds(const char *folder)
{
    size_t length;
    unsigned char *program = profile_of_program(&length, 1);
    int failed = write_seed(folder, "program.bin", program, length);
    unsigned char *cycle = profile_of_cycle(&length, 20, true);
    failed |= write_seed(folder, "cycle.bin", cycle, length);
    unsigned char *bounded = profile_of_bounded(&length, 2, 5);
    return failed | write_seed(folder, "bounded.bin", bounded, length);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return write_seeds(argv[1]);
    test_folded();
    test_tree();
    test_json();
    test_hostile_names();
    test_twins();
    test_merge();
    test_by();
    test_lost();
    test_cold_chains();
    test_exact_heading();
    test_estimates_heading();
    test_floor_above_phi();
    test_units();
    test_deep();
    CHECK_DONE();
}
