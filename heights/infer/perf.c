#include "heights/infer/perf.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heights/infer/wrappers.h"

#include "decoder/store/table.h"

/* Samples of a thread that say where its first function's CFA is; paths to a function that are asked. */
enum { VOTERS = 4096, PATHS_ASKED = 4096 };

bool hcct_perf_read(struct hcct_perf_sample *sample, const char *line)
{
    char symbol[4096];
    uint64_t again;
    *sample = (struct hcct_perf_sample){ .symbol = NULL };
    if (sscanf(line, "%" SCNu32 " %" SCNx64 " %4095s ABI:%*d SP:%" SCNx64 " IP:%" SCNx64, &sample->thread,
               &sample->ip, symbol, &sample->sp, &again) != 5 ||
        again != sample->ip)
        return false;
    char *plus = strrchr(symbol, '+');
    if (plus) {
        *plus = 0;
        sample->offset = strtoull(plus + 1, NULL, 16);
    }
    sample->symbol = strdup(symbol);
    return true;
}

/* --- votes ----------------------------------------------------------------------------------------- */

struct votes {
    uint64_t *values;
    uint32_t count, capacity;
    bool failed;
};

static void vote(struct votes *votes, uint64_t value)
{
    votes->failed |= !hcct_vector_grow(&votes->values, &votes->capacity, votes->count, sizeof value);
    if (!votes->failed)
        votes->values[votes->count++] = value;
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The most frequent value, in *value. False if there is none, or two are as frequent. */
static bool elect(struct votes *votes, uint64_t *value)
{
    uint32_t most = 0;
    bool tied = false;
    if (votes->count)
        qsort(votes->values, votes->count, sizeof *votes->values, by_value);
    for (uint32_t from = 0, to; from < votes->count; from = to) {
        for (to = from; to < votes->count && votes->values[to] == votes->values[from];)
            to++;
        tied = to - from == most ? true : to - from > most ? false : tied;
        if (to - from > most) {
            most = to - from;
            *value = votes->values[from];
        }
    }
    free(votes->values);
    *votes = (struct votes){ .failed = votes->failed };
    return most && !tied;
}

/* --- where the program is -------------------------------------------------------------------------- */

/* What the samples' symbols say. Names that several functions have say nothing. */
static bool find_bias(const struct hcct_stack_samples *samples, const struct hcct_stack_binary *binary,
                      uint64_t *bias, bool *failed)
{
    struct votes votes = { 0 };
    for (uint32_t i = 0; i < samples->raw_count; i++) {
        const struct hcct_perf_sample *sample = &samples->raw[i];
        uint32_t function = hcct_stack_function_named(binary, sample->symbol, "");
        if (function != HCCT_STACK_NONE)
            vote(&votes, sample->ip - sample->offset - binary->functions[function].start);
    }
    *failed = votes.failed;
    return elect(&votes, bias);
}

/* --- where a thread's stack begins ----------------------------------------------------------------- */

static void vote_for_base(struct votes *votes, const struct hcct_stack_paths *paths,
                          const struct hcct_perf_sample *sample, uint64_t bias)
{
    int64_t frame, last = -1;
    uint32_t from, to, function = hcct_wrappers_sampled(paths->binary, sample->ip - bias, &frame);
    if (frame == HCCT_HEIGHT_UNKNOWN)
        return;
    hcct_paths_of(paths, function, &from, &to);
    for (to = to - from > PATHS_ASKED ? from + PATHS_ASKED : to; from < to; from++) {
        if (paths->cids[from].height != last) /* a height of several paths has one vote */
            vote(votes, sample->sp + (uint64_t)(frame + paths->cids[from].height));
        last = paths->cids[from].height;
    }
}

static int by_thread(const void *a, const void *b)
{
    const struct hcct_perf_sample *x = a, *y = b;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    if (x->ip != y->ip)
        return x->ip < y->ip ? -1 : 1;
    return (x->sp > y->sp) - (x->sp < y->sp);
}

/* Adds the thread's samples, if its first function's CFA can be told. */
static bool place_thread(struct hcct_stack_samples *samples, const struct hcct_stack_paths *paths,
                         uint32_t from, uint32_t to, uint64_t bias)
{
    struct votes votes = { 0 };
    uint64_t base = 0;
    uint32_t step = (to - from) / VOTERS + 1;
    for (uint32_t i = from; i < to; i += step)
        vote_for_base(&votes, paths, &samples->raw[i], bias);
    bool failed = votes.failed, found = elect(&votes, &base);
    for (uint32_t i = from; i < to && !failed; i++) {
        const struct hcct_perf_sample *raw = &samples->raw[i];
        if (found && raw->sp <= base)
            failed = !hcct_stack_samples_add(
                samples, &(struct hcct_stack_sample){
                             .pc = raw->ip - bias, .count = 1, .height = (int64_t)(base - raw->sp) });
        else
            samples->lost++;
    }
    return !failed;
}

bool hcct_perf_place(struct hcct_stack_samples *samples, const struct hcct_stack_paths *paths)
{
    uint64_t bias = 0;
    bool failed = false;
    if (!samples->raw_count)
        return true;
    if (!find_bias(samples, paths->binary, &bias, &failed))
        samples->lost += samples->raw_count;
    else {
        qsort(samples->raw, samples->raw_count, sizeof *samples->raw, by_thread);
        for (uint32_t from = 0, to; from < samples->raw_count && !failed; from = to) {
            for (to = from; to < samples->raw_count && samples->raw[to].thread == samples->raw[from].thread;)
                to++;
            failed = !place_thread(samples, paths, from, to, bias);
        }
    }
    return !failed;
}
