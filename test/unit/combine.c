/* Combining profiles, on random Space Saving summaries whose streams are known: the bounds hold in any order
 * and grouping, with several capacities, exact profiles among them and entries without their chain; what is
 * exact stays exact. And sums by way of files are the same bytes. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "decoder/store/estimate.h"
#include "decoder/store/open.h"
#include "decoder/store/pool.h"
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
            program.builder.notes[HCCT_NOTE_DROPPED_CHAIN] += entry.count - entry.error;
    }
    for (uint32_t i = 0; i < CONTEXTS; i++) {
        truth[i] += exact[i];
        if (!capacity && exact[i])
            builder_count(&program.builder, program.at[i], exact[i], 0);
    }
    program.builder.counts.total = total;
    if (capacity) {
        program.builder.run.mode = HCCT_MODE_HCCT;
        program.builder.run.capacity = capacity;
        program.builder.run.epsilon = 1.0 / capacity;
        program.builder.counts.floor = hcct_space_saving_floor(summary);
        program.builder.counts.guarantee = HCCT_GUARANTEE_DETERMINISTIC;
    }
    unsigned char *file = builder_write(&program.builder, bytes);
    builder_close(&program.builder);
    free(memory);
    return file;
}

static void add_files(struct hcct_pool *pool, unsigned char *const *files, const size_t *lengths,
                      uint32_t count)
{
    struct hcct_error error;
    for (uint32_t i = 0; i < count; i++) {
        struct hcct_profile profile;
        CHECK(hcct_profile_open(&profile, files[i], lengths[i], &error));
        CHECK(hcct_pool_add(pool, &profile, &error));
        hcct_profile_close(&profile);
    }
}

static int open_file(void)
{
    char name[] = "combine-XXXXXX";
    int file = mkstemp(name);
    unlink(name);
    return file;
}

/* The same sum by way of files, on the way and at the end. */
static void check_files(unsigned char *const *files, const size_t *lengths, uint32_t count,
                        const unsigned char *bytes, size_t length)
{
    struct hcct_pool pool = { .open_file = open_file, .large = 1 };
    int file = open_file();
    unsigned char *written = malloc(length);
    add_files(&pool, files, lengths, count);
    CHECK(hcct_pool_write_into(&pool, file));
    CHECK((size_t)lseek(file, 0, SEEK_END) == length);
    CHECK(pread(file, written, length, 0) == (ssize_t)length && !memcmp(written, bytes, length));
    hcct_pool_free(&pool);
    free(written);
    close(file);
}

static unsigned char *combine_files(unsigned char *const *files, const size_t *lengths, uint32_t count,
                                    size_t *length)
{
    struct hcct_pool pool = { 0 };
    add_files(&pool, files, lengths, count);
    unsigned char *bytes = hcct_pool_write(&pool, length);
    CHECK(bytes);
    hcct_pool_free(&pool);
    check_files(files, lengths, count, bytes, *length);
    return bytes;
}

static uint64_t parts[FILES_MAX][CONTEXTS]; /* what each of the files counted */
static uint32_t part_count;

struct bounds {
    uint64_t low, high;
};

/* Of a context: its cell in that column, or what the column says of those without one. */
static struct bounds bounds_of(const struct hcct_profile *profile, const char *name, uint32_t context)
{
    const struct hcct_file_column *column = hcct_profile_column(profile, name, "");
    CHECK(column);
    if (!column)
        return (struct bounds){ 0, 0 };
    const struct hcct_file_cell *cell =
        context == HCCT_FILE_NONE
            ? NULL
            : hcct_cells_find(hcct_profile_cells(profile, column), column->count, context);
    return cell ? (struct bounds){ cell->count - cell->error, cell->count }
                : (struct bounds){ 0, column->floor };
}

static bool has(struct bounds bounds, uint64_t value, bool exact)
{
    return exact ? bounds.low == value && bounds.high == value : bounds.low <= value && value <= bounds.high;
}

/* A sum tells of each context the smallest and the largest count in one file, and how many have it. */
static void check_spread(const struct hcct_profile *profile, const uint32_t *index, bool exact)
{
    CHECK((part_count > 1) == (hcct_profile_column(profile, HCCT_COLUMN_LEAST, "") != NULL));
    for (uint32_t i = 0; part_count > 1 && i < CONTEXTS; i++) {
        uint64_t least = UINT64_MAX, most = 0, present = 0;
        for (uint32_t part = 0; part < part_count; part++) {
            least = parts[part][i] < least ? parts[part][i] : least;
            most = parts[part][i] > most ? parts[part][i] : most;
            present += parts[part][i] != 0;
        }
        CHECK(has(bounds_of(profile, HCCT_COLUMN_LEAST, index[i]), least, exact));
        CHECK(has(bounds_of(profile, HCCT_COLUMN_MOST, index[i]), most, exact));
        struct bounds told = bounds_of(profile, HCCT_COLUMN_PRESENT, index[i]);
        CHECK(told.low <= present && (!exact || told.high == present));
    }
}

static void check_result(const unsigned char *bytes, size_t length, const uint64_t *truth, bool exact)
{
    struct program program;
    struct hcct_profile profile;
    struct hcct_error error;
    uint32_t index[CONTEXTS];
    uint64_t calls = 0, above_floor = 0, chainless = 0;
    CHECK(hcct_profile_open(&profile, bytes, length, &error));
    make_program(&program);
    for (uint32_t i = 0; i < CONTEXTS; i++) {
        calls += truth[i];
        index[i] = HCCT_FILE_NONE;
    }
    const struct hcct_file_column *counts = hcct_profile_main(&profile);
    CHECK(counts->total == calls);
    double limit = profile.run->epsilon * (double)calls * (1 + 1e-9);
    for (uint32_t e = 0; e < counts->count; e++) {
        const struct hcct_file_cell *cell = &profile.rows.cells[e];
        const struct hcct_file_context *context = &profile.rows.contexts[cell->context];
        uint32_t i = 0;
        while (i < CONTEXTS && program.at[i].word != context->word)
            i++;
        CHECK(i < CONTEXTS && index[i] == HCCT_FILE_NONE);
        if (i == CONTEXTS)
            continue;
        index[i] = cell->context;
        CHECK(cell->count - cell->error <= truth[i] && truth[i] <= cell->count);
        CHECK((double)cell->error <= limit);
        above_floor += cell->count > counts->floor ? cell->count - counts->floor : 0;
        chainless += context->prefix == HCCT_FILE_NONE ? cell->count - cell->error : 0;
        CHECK(!exact || (cell->error == 0 && context->prefix != HCCT_FILE_NONE));
    }
    for (uint32_t i = 0; i < CONTEXTS; i++)
        CHECK(index[i] != HCCT_FILE_NONE || truth[i] <= counts->floor);
    CHECK((double)counts->floor <= limit);
    CHECK(hcct_profile_note(&profile, HCCT_NOTE_DROPPED_CHAIN) == chainless);
    CHECK(exact ? profile.run->mode == HCCT_MODE_CCT : counts->count <= profile.run->capacity);
    /* pool.h, invariant 2 */
    if (!exact)
        CHECK((double)above_floor + (double)counts->floor / profile.run->epsilon <=
              (double)calls * (1 + 1e-9));
    check_spread(&profile, index, exact);
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
            program.builder.counts.floor = 2;
            program.builder.counts.guarantee = HCCT_GUARANTEE_DETERMINISTIC;
            builder_count(&program.builder, at, 40 + 10 * (uint64_t)i, 1);
            files[i] = builder_write(&program.builder, &lengths[i]);
            builder_close(&program.builder);
        }
        unsigned char *bytes = combine_files(files, lengths, 2, &length);
        struct hcct_profile profile;
        struct hcct_error error;
        CHECK(hcct_profile_open(&profile, bytes, length, &error));
        const struct hcct_file_column *counts = hcct_profile_main(&profile);
        CHECK(profile.rows.context_count == 1 && counts->count == 1 && profile.rows.prefix_count > 1);
        CHECK(profile.rows.cells[0].count == 90 && profile.rows.cells[0].error == 2);
        CHECK(profile.rows.contexts[0].prefix != HCCT_FILE_NONE &&
              hcct_profile_note(&profile, HCCT_NOTE_DROPPED_CHAIN) == 0);
        CHECK(counts->floor == 4);
        hcct_profile_close(&profile);
        free(bytes);
        free(files[0]);
        free(files[1]);
    }
}

/* One process of each run needed that much memory: there is no sum. */
static void test_memory(void)
{
    static const uint64_t memory_bytes[] = { 5, 9, 7 };
    struct hcct_pool pool = { 0 };
    struct hcct_profile profiles[3];
    struct hcct_error error;
    unsigned char *files[3];
    for (int i = 0; i < 3; i++) {
        struct program program;
        size_t length;
        make_program(&program);
        program.builder.run.memory_bytes = memory_bytes[i];
        files[i] = builder_write(&program.builder, &length);
        builder_close(&program.builder);
        CHECK(hcct_profile_open(&profiles[i], files[i], length, &error));
        CHECK(hcct_pool_add(&pool, &profiles[i], &error));
    }
    CHECK(pool.run.memory_bytes == 9);
    hcct_pool_free(&pool);
    for (int i = 0; i < 3; i++) {
        hcct_profile_close(&profiles[i]);
        free(files[i]);
    }
}

/* What a sum says of its estimates does not depend on the order: a run without a call has no units. */
static void test_estimates_of_two_kinds(void)
{
    struct hcct_file_estimate calls = { .kind = HCCT_ESTIMATE_CALLS, .period = 1000 };
    struct hcct_file_estimate budget = { .kind = HCCT_ESTIMATE_BUDGET, .units = 9, .interval_ns = 8 };
    struct hcct_file_estimate sums[2];
    hcct_estimate_add(&sums[0], &calls, true);
    hcct_estimate_add(&sums[0], &budget, false);
    hcct_estimate_add(&sums[1], &budget, true);
    hcct_estimate_add(&sums[1], &calls, false);
    for (int i = 0; i < 2; i++)
        CHECK(sums[i].kind == HCCT_ESTIMATE_SEVERAL && !sums[i].interval_ns && !sums[i].period);
}

int main(void)
{
    test_estimates_of_two_kinds();
    for (int round = 0; round < 300; round++)
        test_random(0);
    for (int round = 0; round < 100; round++)
        test_random(1);
    for (int round = 0; round < 50; round++)
        test_random(4);
    test_chainless();
    test_memory();
    CHECK_DONE();
}
