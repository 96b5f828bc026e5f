/* Samples of program counter and stack height: what the sampler leaves (heights/sampler/samples.h), or lines of text
 *
 *     PC HEIGHT [COUNT]
 *
 * PC as the program was linked, HEIGHT the bytes from SP to the CFA of the thread's first function; numbers
 * as C writes them, # begins a comment. Or what perf prints of samples (perf.h): they are `raw`, and
 * hcct_perf_place makes samples of them. */
#ifndef HCCT_HEIGHTS_INFER_SAMPLES_H
#define HCCT_HEIGHTS_INFER_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hcct_stack_sample {
    uint64_t pc, count;
    int64_t height;
    bool outside; /* in a library; `pc` is where it may return to */
};

struct hcct_perf_sample;

struct hcct_stack_samples {
    struct hcct_stack_sample *samples;
    struct hcct_perf_sample *raw;
    uint32_t count, capacity, raw_count, raw_capacity;
    uint64_t taken, lost; /* all; those of which nothing is known */
    uint64_t interval_ns;
    char program[488];
};

/* Reads the file. NULL if that was done, else what is wrong. It is to be closed in any case. */
const char *hcct_stack_samples_open(struct hcct_stack_samples *samples, const char *path);
/* False when memory is out. */
bool hcct_stack_samples_add(struct hcct_stack_samples *samples, const struct hcct_stack_sample *sample);
void hcct_stack_samples_close(struct hcct_stack_samples *samples);

#endif
