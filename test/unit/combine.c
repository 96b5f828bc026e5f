/* Combining profiles, on random Space Saving summaries whose streams are known: the bounds hold in any order
 * and grouping, with several capacities, exact profiles among them and entries without their chain; what is
 * exact stays exact. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "decoder/combine/one_build/combine.h"
#include "decoder/combine/one_build/combine_write.h"
#include "decoder/profile/bursts.h"
#include "decoder/profile/open.h"
#include "decoder/tree/merge.h"
#include "format/error.h"
#include "profile_builder.h"
#include "runtime/stream/space_saving.h"

enum { CONTEXTS = 300, FILES_MAX = 9 };

static uint64_t state = 88172645463325252u;

static uint64_t draw(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/* main calls every function, and each of them another; every other call pushes. A context is a pair of
 * calls. */
struct program {
    struct builder builder;
    struct builder_context at[CONTEXTS];
};

static void make_program(struct program *program)
{
    struct builder *b = &program->builder;
    uint32_t function[20], outer[20], inner[20][15];
    builder_open(b, "program");
    uint32_t main_ = builder_function(b, "main", "main", "p.c", 1, 0);
    for (uint32_t i = 0; i < 20; i++) {
        char name[16];
        snprintf(name, sizeof name, "f%u", i);
        function[i] = builder_function(b, name, name, "p.c", 10 * i, 0);
    }
    for (uint32_t i = 0; i < 20; i++)
        outer[i] = builder_site(b, main_, i % 2 ? function[i] : BUILDER_NONE, "", "p.c", i, 1, BUILDER_NONE);
    for (uint32_t i = 0; i < 20; i++)
        for (uint32_t j = 0; j < 15; j++)
            inner[i][j] = builder_site(b, function[i], j % 2 ? function[(i + j) % 20] : BUILDER_NONE, "",
                                       "p.c", j, 2, BUILDER_NONE);
    builder_number(b);
    for (uint32_t i = 0; i < 20; i++)
        for (uint32_t j = 0; j < 15; j++)
            program->at[i * 15 + j] =
                builder_call(b, builder_call(b, builder_root(b, main_), outer[i], function[i]), inner[i][j],
                             function[(i + j) % 20]);
}

/* A skewed stream, its exact counts added to truth[]. capacity 0: an exact profile. */
static unsigned char *make_file(uint32_t capacity, uint64_t length, uint64_t *truth, size_t *bytes)
{
    struct program program;
    uint64_t exact[CONTEXTS] = { 0 }, total = 0, hot = draw() % CONTEXTS;
    void *memory = NULL;
    struct hcct_summary *summary = NULL;
    make_program(&program);
    if (capacity) {
        memory = aligned_alloc(64, hcct_space_saving_bytes(capacity));
        memset(memory, 0, hcct_space_saving_bytes(capacity));
        summary = hcct_space_saving_init(memory, capacity);
    }
    while (length--) {
        hcct_node evicted, unused;
        uint64_t spread = draw() % 8 ? 12 : CONTEXTS, context = (hot + draw() % spread) % CONTEXTS;
        uint64_t weight = draw() % 4 ? 1 : 1 + draw() % 20;
        exact[context] += weight;
        total += weight;
        if (capacity)
            hcct_space_saving_add(summary, context + 1, weight, 0, &evicted, &unused);
    }
    for (uint32_t place = 0; place < capacity; place++) {
        struct hcct_entry entry = hcct_space_saving_entry(summary, place);
        struct builder_context at = program.at[entry.key ? entry.key - 1 : 0];
        if (draw() % 16 == 0)
            at.prefix = HCCT_FILE_NONE;
        if (entry.count <= hcct_space_saving_floor(summary)) /* as the runtime does */
            continue;
        builder_count(&program.builder, at, entry.count, entry.error);
        if (at.prefix == HCCT_FILE_NONE)
            program.builder.run.dropped_chain += entry.count - entry.error;
    }
    for (uint32_t i = 0; i < CONTEXTS; i++) {
        truth[i] += exact[i];
        if (!capacity && exact[i])
            builder_count(&program.builder, program.at[i], exact[i], 0);
    }
    program.builder.run.calls = total;
    if (capacity) {
        program.builder.run.mode = HCCT_MODE_HCCT;
        program.builder.run.capacity = capacity;
        program.builder.run.epsilon = 1.0 / capacity;
        program.builder.run.floor = hcct_space_saving_floor(summary);
    }
    unsigned char *file = builder_write(&program.builder, bytes);
    builder_close(&program.builder);
    free(memory);
    return file;
}

static unsigned char *combine_files(unsigned char *const *files, const size_t *lengths, uint32_t count,
                                    size_t *length)
{
    struct hcct_combine combine = { 0 };
    struct hcct_error error;
    for (uint32_t i = 0; i < count; i++) {
        struct hcct_profile profile;
        CHECK(hcct_profile_open(&profile, files[i], lengths[i], &error));
        CHECK(hcct_combine_add(&combine, &profile, &error));
        CHECK(!combine.capacity || combine.contexts.count < HCCT_COMBINE_KEPT_FACTOR * combine.capacity);
        hcct_profile_close(&profile);
    }
    unsigned char *bytes = hcct_combine_write(&combine, length);
    CHECK(bytes);
    hcct_combine_free(&combine);
    return bytes;
}

static uint64_t parts[FILES_MAX][CONTEXTS]; /* what each of the files counted */
static uint32_t part_count;

static bool may_be(uint64_t value, uint64_t count, bool exact)
{
    return exact ? value == count : value >= count; /* HCCT_STRIP_UNKNOWN is the largest number */
}

/* The strips tell of each file what it counted, in the order of the files. */
static void check_strips(const struct hcct_profile *profile, const struct program *program, bool exact)
{
    const uint64_t *at = profile->strip_words + 1;
    bool has_strip[CONTEXTS] = { false };
    CHECK(part_count > 1 ? profile->strip_words != NULL : profile->strip_words == NULL);
    if (part_count < 2)
        return;
    CHECK(profile->strip_words[0] == part_count);
    for (uint32_t i = 0; i < part_count; i++)
        CHECK(*at++ == 1);
    for (; *at != HCCT_FILE_NONE; at += part_count + 1) {
        uint32_t context = 0;
        while (context + 1 < CONTEXTS && program->at[context].word != profile->entries[*at].word)
            context++;
        has_strip[context] = true;
        for (uint32_t i = 0; i < part_count; i++)
            CHECK(may_be(at[1 + i], parts[i][context], exact));
    }
    for (uint32_t context = 0; context < CONTEXTS; context++)
        for (uint32_t i = 0; !has_strip[context] && i < part_count; i++)
            CHECK(may_be(at[1 + i], parts[i][context], exact));
}

static void check_result(const unsigned char *bytes, size_t length, const uint64_t *truth, bool exact)
{
    struct program program;
    struct hcct_profile profile;
    struct hcct_error error;
    bool listed[CONTEXTS] = { false };
    uint64_t calls = 0, above_floor = 0, chainless = 0;
    CHECK(hcct_profile_open(&profile, bytes, length, &error));
    make_program(&program);
    for (uint32_t i = 0; i < CONTEXTS; i++)
        calls += truth[i];
    CHECK(profile.run->calls == calls);
    double limit = profile.run->epsilon * (double)calls * (1 + 1e-9);
    for (uint32_t e = 0; e < profile.entry_count; e++) {
        const struct hcct_file_entry *entry = &profile.entries[e];
        uint32_t i = 0;
        while (i < CONTEXTS && program.at[i].word != entry->word)
            i++;
        CHECK(i < CONTEXTS && !listed[i]);
        if (i == CONTEXTS)
            continue;
        listed[i] = true;
        CHECK(entry->count - entry->error <= truth[i] && truth[i] <= entry->count);
        CHECK((double)entry->error <= limit);
        CHECK(entry->count >= profile.run->floor);
        above_floor += entry->count - profile.run->floor;
        chainless += entry->prefix == HCCT_FILE_NONE ? entry->count - entry->error : 0;
        CHECK(!exact || (entry->error == 0 && entry->prefix != HCCT_FILE_NONE));
    }
    for (uint32_t i = 0; i < CONTEXTS; i++)
        CHECK(listed[i] || truth[i] <= profile.run->floor);
    CHECK((double)profile.run->floor <= limit);
    CHECK(profile.run->dropped_chain == chainless);
    CHECK(exact ? profile.run->mode == HCCT_MODE_CCT : profile.entry_count <= profile.run->capacity);
    /* tally.h, invariant 2 */
    if (!exact)
        CHECK((double)above_floor + (double)profile.run->floor / profile.run->epsilon <=
              (double)calls * (1 + 1e-9));
    check_strips(&profile, &program, exact);
    builder_close(&program.builder);
    hcct_profile_close(&profile);
}

/* Merges neighbours at random until one file is left. */
static void combine_at_random(unsigned char **files, size_t *lengths, uint32_t count)
{
    while (count > 1) {
        uint32_t first = (uint32_t)(draw() % (count - 1)),
                 group = 2 + (uint32_t)(draw() % (count - first - 1));
        size_t length;
        unsigned char *bytes = combine_files(&files[first], &lengths[first], group, &length);
        for (uint32_t i = first; i < first + group; i++)
            free(files[i]);
        files[first] = bytes;
        lengths[first] = length;
        for (uint32_t i = first + group; i < count; i++) {
            files[i - group + 1] = files[i];
            lengths[i - group + 1] = lengths[i];
        }
        count -= group - 1;
    }
}

/* `exact_share` of 4: how many of the files are exact. */
static void test_random(uint32_t exact_share)
{
    unsigned char *files[FILES_MAX];
    size_t lengths[FILES_MAX];
    uint64_t truth[CONTEXTS] = { 0 };
    uint32_t count = 1 + (uint32_t)(draw() % FILES_MAX);
    bool exact = true;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t capacity = draw() % 4 < exact_share ? 0 : 10 + (uint32_t)(draw() % 80);
        exact = exact && !capacity;
        memset(parts[i], 0, sizeof parts[i]);
        files[i] = make_file(capacity, draw() % 4000, parts[i], &lengths[i]);
        for (uint32_t context = 0; context < CONTEXTS; context++)
            truth[context] += parts[i][context];
    }
    part_count = count;
    size_t length;
    unsigned char *bytes = combine_files(files, lengths, count, &length);
    check_result(bytes, length, truth, exact);
    free(bytes);
    combine_at_random(files, lengths, count);
    check_result(files[0], lengths[0], truth, exact);
    free(files[0]);
}

/* One context, with its chain in one file and without in the other, in either order: one entry, with the
 * chain. */
static void test_chainless(void)
{
    for (int first = 0; first < 2; first++) {
        unsigned char *files[2];
        size_t lengths[2], length;
        for (int i = 0; i < 2; i++) {
            struct program program;
            make_program(&program);
            struct builder_context at = program.at[0];
            if (i == first)
                at.prefix = HCCT_FILE_NONE;
            program.builder.run.mode = HCCT_MODE_HCCT;
            program.builder.run.capacity = 10;
            program.builder.run.epsilon = 0.1;
            program.builder.run.floor = 2;
            builder_count(&program.builder, at, 40 + 10 * (uint64_t)i, 1);
            files[i] = builder_write(&program.builder, &lengths[i]);
            builder_close(&program.builder);
        }
        unsigned char *bytes = combine_files(files, lengths, 2, &length);
        struct hcct_profile profile;
        struct hcct_error error;
        CHECK(hcct_profile_open(&profile, bytes, length, &error));
        CHECK(profile.entry_count == 1 && profile.prefix_count > 1);
        CHECK(profile.entries[0].count == 90 && profile.entries[0].error == 2);
        CHECK(profile.entries[0].prefix != HCCT_FILE_NONE && profile.run->dropped_chain == 0);
        CHECK(profile.run->floor == 4);
        hcct_profile_close(&profile);
        free(bytes);
        free(files[0]);
        free(files[1]);
    }
}

/* If some profile counted more of a context, and nobody knows which, none of them is known. */
static void test_widened_strip(void)
{
    struct hcct_spread spread = { 0 };
    const struct hcct_spread_source first = { .name = "first" }, second = { .name = "second", .floor = 2 };
    CHECK(hcct_spread_next(&spread, &first) &&
          hcct_spread_add(&spread, 0, &(struct hcct_file_entry){ .count = 5 }, 0) &&
          hcct_spread_add(&spread, 1, &(struct hcct_file_entry){ .count = 7 }, 1));
    CHECK(hcct_spread_next(&spread, &second) &&
          hcct_spread_add(&spread, 0, &(struct hcct_file_entry){ .count = 9 }, 0) &&
          hcct_spread_end(&spread));
    const uint64_t *values = hcct_strip_values(&spread.strip, 0);
    CHECK(values && values[0] == 5 && values[1] == 9);
    hcct_spread_widen(&spread, 0, 3);
    values = hcct_strip_values(&spread.strip, 0);
    CHECK(values && values[0] == HCCT_STRIP_UNKNOWN && values[1] == HCCT_STRIP_UNKNOWN);
    values = hcct_strip_values(&spread.strip, 1);
    CHECK(values && values[0] == 7 && values[1] == 2);
    hcct_spread_free(&spread);
}

/* One process of each run needed that much memory: there is no sum, neither in a combined file nor where the
 * decoder adds files up. */
static void test_memory(void)
{
    static const uint64_t memory_bytes[] = { 5, 9, 7 };
    struct hcct_combine combine = { 0 };
    struct hcct_profile profiles[3];
    struct hcct_merge merge;
    struct hcct_error error;
    unsigned char *files[3];
    uint32_t which;
    for (int i = 0; i < 3; i++) {
        struct program program;
        size_t length;
        make_program(&program);
        program.builder.run.memory_bytes = memory_bytes[i];
        files[i] = builder_write(&program.builder, &length);
        builder_close(&program.builder);
        CHECK(hcct_profile_open(&profiles[i], files[i], length, &error));
        CHECK(hcct_combine_add(&combine, &profiles[i], &error));
    }
    CHECK(combine.run.memory_bytes == 9);
    CHECK(hcct_merge_build(&merge, profiles, 3, false, 0, &which, &error));
    CHECK(merge.summary.memory_bytes == 9);
    hcct_merge_free(&merge);
    hcct_combine_free(&combine);
    for (int i = 0; i < 3; i++) {
        hcct_profile_close(&profiles[i]);
        free(files[i]);
    }
}

/* Whether context a is to be kept rather than b. */
static bool comes_first(const struct hcct_tally_ranked *a, const struct hcct_tally_ranked *b)
{
    if (a->count != b->count)
        return a->count > b->count;
    return a->word != b->word ? a->word < b->word : a->context < b->context;
}

/* What is kept: those that have fewer others before them than there is room; in the order of the contexts.
 * Counts that rise, fall or repeat are the bad cases of a quickselect. */
static void test_select(void)
{
    enum { MOST = 400 };
    struct hcct_tally_ranked all[MOST], mixed[MOST];
    uint32_t order[MOST];
    for (uint32_t round = 0; round < 200; round++) {
        uint32_t count = 1 + (uint32_t)(draw() % MOST), kept = (uint32_t)(draw() % (count + 2)), chosen = 0,
                 left = 0;
        uint64_t largest = 0;
        for (uint32_t i = 0; i < count; i++) {
            uint64_t counts[] = { i, MOST - i, draw() % 5, draw() % 1000 };
            all[i] = mixed[i] = (struct hcct_tally_ranked){ counts[round % 4], draw() % 3, i };
        }
        uint64_t floor = hcct_tally_select(mixed, count, kept, order);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t before = 0;
            for (uint32_t j = 0; j < count; j++)
                before += comes_first(&all[j], &all[i]);
            if (before < kept)
                CHECK(order[chosen++] == i);
            else if (all[i].count > largest)
                largest = all[i].count;
            if (before >= kept)
                CHECK(order[kept + left++] == i);
        }
        CHECK(floor == largest && chosen + left == count);
    }
}

/* What a sum says of its estimates does not depend on the order: a run without a call has no units. */
static void test_estimates_of_two_kinds(void)
{
    struct hcct_file_bursts calls = { .kind = HCCT_ESTIMATE_CALLS, .period = 1000 };
    struct hcct_file_bursts budget = { .kind = HCCT_ESTIMATE_BUDGET, .units = 9, .interval_ns = 8 };
    struct hcct_file_bursts sums[2];
    hcct_bursts_add(&sums[0], &calls, true);
    hcct_bursts_add(&sums[0], &budget, false);
    hcct_bursts_add(&sums[1], &budget, true);
    hcct_bursts_add(&sums[1], &calls, false);
    for (int i = 0; i < 2; i++)
        CHECK(sums[i].kind == HCCT_ESTIMATE_SEVERAL && !sums[i].interval_ns && !sums[i].period);
}

int main(void)
{
    test_estimates_of_two_kinds();
    test_select();
    for (int round = 0; round < 300; round++)
        test_random(0);
    for (int round = 0; round < 100; round++)
        test_random(1);
    for (int round = 0; round < 50; round++)
        test_random(4);
    test_chainless();
    test_widened_strip();
    test_memory();
    CHECK_DONE();
}
