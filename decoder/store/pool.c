/* See pool.h. */
#include "decoder/store/pool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "decoder/store/estimate.h"
#include "decoder/store/pack.h"
#include "decoder/store/reader.h"
#include "decoder/store/run.h"
#include "decoder/store/sum.h"

/* --- what is said of the whole run ------------------------------------------------------------------ */

static bool check(const struct hcct_pool *pool, const struct hcct_profile *profile, struct hcct_error *error)
{
    return hcct_run_check_sum(&pool->records.fixed, profile, error) &&
           (profile->run->build_id == pool->run.build_id ||
            hcct_run_refuse_build("--force adds such files up by function and line", error));
}

/* The first profile's run, its strings among ours. */
static void begin_run(struct hcct_pool *pool, const struct hcct_profile *profile)
{
    struct hcct_file_run *run = &pool->run;
    *run = *profile->run;
    run->program = hcct_records_string(&pool->records, hcct_profile_string(profile, run->program));
    run->command = hcct_records_string(&pool->records, hcct_profile_string(profile, run->command));
    run->host = hcct_records_string(&pool->records, hcct_profile_string(profile, run->host));
    run->source = 0;
    pool->metric = *hcct_profile_main(profile);
    pool->metric.name = hcct_records_string(&pool->records, hcct_profile_string(profile, pool->metric.name));
    pool->metric.unit = hcct_records_string(&pool->records, hcct_profile_string(profile, pool->metric.unit));
    pool->records.fixed.run = run; /* so that others can be compared with it */
    pool->records.fixed.rows.columns = &pool->metric;
}

static void keep_if_same(const struct hcct_pool *pool, uint32_t *own, const char *text)
{
    if (strcmp(hcct_profile_string(&pool->records.fixed, *own), text))
        *own = 0;
}

static void add_run(struct hcct_pool *pool, const struct hcct_profile *profile)
{
    if (pool->count++) {
        hcct_run_add(&pool->run, profile->run);
        pool->run.pid = pool->run.job = 0;
        pool->notes[HCCT_NOTE_BOUNDED] = 0;
        const char *program = hcct_profile_string(profile, profile->run->program); /* the first by name */
        if (strverscmp(program, hcct_profile_string(&pool->records.fixed, pool->run.program)) < 0)
            pool->run.program = hcct_records_string(&pool->records, program);
        keep_if_same(pool, &pool->run.command, hcct_profile_string(profile, profile->run->command));
        keep_if_same(pool, &pool->run.host, hcct_profile_string(profile, profile->run->host));
    } else {
        begin_run(pool, profile);
    }
    for (uint32_t i = 0; i < profile->note_count; i++) {
        uint64_t *note = &pool->notes[profile->notes[i].kind];
        bool is_of_one =
            profile->notes[i].kind == HCCT_NOTE_BOUNDED; /* of several, each since another time */
        *note = is_of_one && pool->count > 1 ? 0 : hcct_sum(*note, profile->notes[i].amount);
    }
    if (!profile->estimate) {
        pool->counted = hcct_sum(pool->counted, hcct_profile_main(profile)->total);
        return;
    }
    hcct_estimate_add(&pool->estimate, profile->estimate, !pool->is_estimate);
    pool->is_estimate = true;
    pool->records.fixed.estimate = &pool->estimate;
}

/* --- parts ------------------------------------------------------------------------------------------ */

static const char *name_of(const struct hcct_profile *profile)
{
    const char *source = hcct_profile_string(profile, profile->run->source);
    return *source         ? source
           : profile->name ? profile->name
                           : hcct_profile_string(profile, profile->run->host);
}

static uint32_t string(struct hcct_pool *pool, const struct hcct_profile *profile, uint32_t offset)
{
    return hcct_records_string(&pool->records, hcct_profile_string(profile, offset));
}

static bool is_phase(const struct hcct_rows *rows, const struct hcct_file_column *column)
{
    return column->part && column->name == rows->columns->name;
}

/* The name of a phase; of one beyond the limit, that of the rest. */
static uint32_t phase_name(struct hcct_pool *pool, uint32_t name)
{
    for (uint32_t i = 0; i < pool->phase_count; i++)
        if (pool->phases[i] == name)
            return name;
    if (pool->phase_count == HCCT_PHASES)
        return hcct_records_string(&pool->records, HCCT_PHASE_REST_NAME);
    const char *text = hcct_profile_string(&pool->records.fixed, name);
    if (strcmp(text, HCCT_PHASE_NONE_NAME) && strcmp(text, HCCT_PHASE_REST_NAME))
        pool->phases[pool->phase_count++] = name;
    return name;
}

static void limit_phases(struct hcct_pool *pool, struct hcct_rows *rows)
{
    for (uint32_t i = 0; i < rows->column_count; i++)
        if (is_phase(rows, &rows->columns[i]))
            rows->columns[i].part = phase_name(pool, rows->columns[i].part);
}

/* The strings of columns become those of the pool. */
static void take_columns(struct hcct_pool *pool, const struct hcct_profile *profile, struct hcct_rows *rows)
{
    for (uint32_t i = 0; i < rows->column_count; i++) {
        struct hcct_file_column *column = &rows->columns[i];
        column->name = string(pool, profile, column->name);
        column->part = string(pool, profile, column->part);
        column->unit = string(pool, profile, column->unit);
        if (column->add == HCCT_ADD_LEAST || column->add == HCCT_ADD_MOST)
            column->mark = string(pool, profile, column->mark);
    }
    limit_phases(pool, rows);
}

/* The same of cells in memory. */
static void take_cells(struct hcct_pool *pool, const struct hcct_profile *profile, struct hcct_rows *rows)
{
    for (uint32_t i = 0; i < rows->column_count; i++) {
        const struct hcct_file_column *column = &rows->columns[i];
        bool has_names = column->add == HCCT_ADD_LEAST || column->add == HCCT_ADD_MOST;
        for (uint32_t k = column->first; has_names && k < column->first + column->count; k++)
            rows->cells[k].mark = string(pool, profile, rows->cells[k].mark);
    }
}

/* --- merging parts ---------------------------------------------------------------------------------- */

/* Whether parts become a sum that is better in a file than in memory. One with contexts that lack chains, or
 * which may have to be cut, is not written in one go. */
static bool is_large(const struct hcct_pool *pool, uint32_t first)
{
    uint64_t contexts = 0, cells = 0, capacity = 0;
    for (uint32_t i = first; i < pool->part_count; i++) {
        const struct hcct_pool_part *part = &pool->parts[i];
        if (hcct_rows_chainless(&part->rows) < part->rows.context_count)
            return false;
        contexts += part->rows.context_count;
        cells += part->rows.columns->count;
        capacity = part->capacity > capacity ? part->capacity : capacity;
    }
    return contexts >= (pool->large ? pool->large : HCCT_POOL_LARGE) && (!capacity || cells <= capacity);
}

/* All parts from `first` on become one. `file` as in hcct_pool_merge. */
static bool merge_to(struct hcct_pool *pool, uint32_t first, struct hcct_section_writer *file)
{
    struct hcct_pool_part sum;
    bool done = hcct_pool_merge(&sum, &pool->parts[first], pool->part_count - first, &pool->records, file);
    pool->part_count = done ? first + 1 : first;
    if (done)
        pool->parts[first] = sum;
    return done;
}

/* The sum's rows stay in a file of its own. */
static bool merge_into_file(struct hcct_pool *pool, uint32_t first, int file)
{
    struct hcct_section_writer out;
    char window[HCCT_SECTION_WINDOW_BYTES] = "";
    hcct_section_writer_start(&out, window, sizeof window, file, 3);
    out.packs = true;
    if (!merge_to(pool, first, &out) || !hcct_section_writer_finish(&out)) {
        close(file);
        return false;
    }
    struct hcct_rows *rows = &pool->parts[first].rows;
    rows->file = hcct_rows_file_of(file, out.sections, rows->columns, rows->column_count);
    return rows->file;
}

static bool merge_from(struct hcct_pool *pool, uint32_t first)
{
    int file = pool->open_file && is_large(pool, first) ? pool->open_file() : -1;
    return file < 0 ? merge_to(pool, first, NULL) : merge_into_file(pool, first, file);
}

/* When there are enough parts, the last ones become one: so many that each is no larger than twice what is
 * behind it, and half of them at the least. */
static bool merge_last(struct hcct_pool *pool)
{
    uint32_t first = pool->part_count - 1;
    uint64_t cells = pool->parts[first].rows.cell_count;
    if (pool->part_count < HCCT_POOL_WAYS)
        return true;
    while (first && (first > HCCT_POOL_WAYS / 2 || pool->parts[first - 1].rows.cell_count <= 2 * cells))
        cells += pool->parts[--first].rows.cell_count;
    return merge_from(pool, first);
}

static bool add_part(struct hcct_pool *pool, const struct hcct_profile *profile)
{
    struct hcct_pool_part *part = &pool->parts[pool->part_count];
    bool may_grow = pool->open_file && hcct_profile_main(profile)->guarantee == HCCT_GUARANTEE_EXACT;
    *part = (struct hcct_pool_part){
        .profiles = profile->run->profiles,
        .capacity = profile->run->mode == HCCT_MODE_HCCT && !may_grow ? (uint32_t)profile->run->capacity : 0,
        .is_estimate = profile->estimate != NULL,
        .lacks_spread = pool->lacks_spread,
    };
    if (part->profiles == 1)
        part->name = hcct_records_string(&pool->records, name_of(profile));
    if (!hcct_rows_of(&part->rows, profile))
        return false;
    pool->part_count++;
    take_columns(pool, profile, &part->rows);
    if (part->rows.file && hcct_rows_have_twins(&part->rows) && !hcct_rows_load(&part->rows))
        return false;
    if (!part->rows.file)
        take_cells(pool, profile, &part->rows);
    return hcct_rows_join_columns(&part->rows) && merge_last(pool);
}

bool hcct_pool_add(struct hcct_pool *pool, const struct hcct_profile *profile, struct hcct_error *error)
{
    if (pool->count && !check(pool, profile, error))
        return false;
    if (!hcct_records_add(&pool->records, profile, error))
        return false;
    hcct_records_add_evicted(&pool->records, profile);
    add_run(pool, profile);
    return (hcct_threads_add(&pool->threads, profile->threads, profile->thread_count) &&
            add_part(pool, profile)) ||
           hcct_error_out_of_memory(error);
}

/* --- the sum ---------------------------------------------------------------------------------------- */

/* An epsilon that covers the floor: that of algorithms for which the second invariant does not hold may be
 * too small by now. */
static void cover_floor(struct hcct_pool *pool, const struct hcct_rows *rows)
{
    const struct hcct_file_column *first = rows->columns;
    double needed = first->total ? (double)first->floor / (double)first->total : 0;
    if (pool->run.mode == HCCT_MODE_HCCT && needed > pool->run.epsilon)
        pool->run.epsilon = needed < 1 ? needed : 1;
}

/* What is told of the chains. */
static void finish_run(struct hcct_pool *pool, const struct hcct_rows *rows)
{
    const struct hcct_file_column *first = rows->columns;
    uint64_t chainless = 0;
    for (uint32_t k = first->first; k < first->first + first->count; k++)
        if (rows->contexts[rows->cells[k].context].prefix == HCCT_FILE_NONE)
            chainless = hcct_sum(chainless, rows->cells[k].count - rows->cells[k].error);
    pool->notes[HCCT_NOTE_DROPPED_CHAIN] = chainless;
    cover_floor(pool, rows);
}

/* The notes that there are. */
static void list_notes(struct hcct_pool *pool, struct hcct_profile *sum)
{
    sum->notes = pool->note_list;
    sum->note_count = 0;
    for (uint32_t i = 0; i < HCCT_NOTE_COUNT; i++)
        if (pool->notes[i])
            pool->note_list[sum->note_count++] =
                (struct hcct_file_note){ .kind = i, .amount = pool->notes[i] };
}

/* The sum, when there is one part. */
static void show(struct hcct_pool *pool, struct hcct_profile *sum)
{
    const struct hcct_pool_part *part = &pool->parts[0];
    pool->run.profiles = part->profiles;
    pool->run.source = part->name;
    pool->run.capacity = part->capacity;
    *sum = pool->records.fixed;
    sum->rows = part->rows;
    sum->rows.file = NULL; /* the pool's own */
    sum->run = &pool->run;
    list_notes(pool, sum);
    sum->threads = pool->threads.threads;
    sum->thread_count = pool->threads.count;
    sum->estimate = pool->is_estimate ? &pool->estimate : NULL;
    sum->folded = pool->run.recursion == HCCT_RECURSION_FOLDED;
}

static void finish_estimate(struct hcct_pool *pool)
{
    if (pool->is_estimate)
        hcct_estimate_add_counted(&pool->estimate, pool->counted);
}

bool hcct_pool_sum(struct hcct_pool *pool, struct hcct_profile *sum)
{
    if (!merge_to(pool, 0, NULL)) /* of one part, too, as a sum lacks what means nothing in it */
        return false;
    finish_run(pool, &pool->parts[0].rows);
    finish_estimate(pool);
    show(pool, sum);
    return true;
}

unsigned char *hcct_pool_write(struct hcct_pool *pool, size_t *length)
{
    struct hcct_profile sum;
    return hcct_pool_sum(pool, &sum) ? hcct_profile_pack(&sum, length) : NULL;
}

/* Merges the parts into the file, as its first sections. */
static bool write_rows(void *context, struct hcct_section_writer *out, struct hcct_profile *sum)
{
    struct hcct_pool *pool = context;
    if (!merge_to(pool, 0, out))
        return false;
    cover_floor(pool, &pool->parts[0].rows);
    show(pool, sum);
    return true;
}

bool hcct_pool_write_into(struct hcct_pool *pool, int file)
{
    struct hcct_profile sum;
    errno = ENOMEM;
    if (!is_large(pool, 0))
        return hcct_pool_sum(pool, &sum) && hcct_profile_pack_into(&sum, file, NULL, NULL);
    pool->notes[HCCT_NOTE_DROPPED_CHAIN] = 0;
    finish_estimate(pool);
    show(pool, &sum);
    return hcct_profile_pack_into(&sum, file, write_rows, pool);
}

bool hcct_pool_join(struct hcct_pool *pool, const struct hcct_profile *const both[2], int which,
                    struct hcct_profile *joined, struct hcct_error *error)
{
    const struct hcct_profile *profile = both[which];
    if (!hcct_records_add(&pool->records, both[0], error) ||
        !hcct_records_add(&pool->records, both[1], error) || !hcct_pool_add(pool, profile, error))
        return false;
    if (!hcct_pool_sum(pool, joined))
        return hcct_error_out_of_memory(error);
    joined->length = profile->length;
    joined->folded = profile->folded;
    return hcct_reader_index(joined, error);
}

void hcct_pool_free(struct hcct_pool *pool)
{
    for (uint32_t i = 0; i < pool->part_count; i++)
        hcct_rows_free(&pool->parts[i].rows);
    hcct_records_free(&pool->records);
    hcct_threads_free(&pool->threads);
    *pool = (struct hcct_pool){ 0 };
}
