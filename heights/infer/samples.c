#include "heights/infer/samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/store/table.h"
#include "format/input.h"
#include "heights/infer/perf.h"
#include "heights/sampler/samples.h"

#define HEIGHT_MAX (INT64_C(1) << 48)

bool hcct_stack_samples_add(struct hcct_stack_samples *samples, const struct hcct_stack_sample *sample)
{
    if (!hcct_vector_grow(&samples->samples, &samples->capacity, samples->count, sizeof *samples->samples))
        return false;
    samples->samples[samples->count++] = *sample;
    return true;
}

static const char *read_table(struct hcct_stack_samples *samples, FILE *in, const struct hcct_samples *header)
{
    struct hcct_sample slot;
    samples->taken = header->taken;
    samples->lost = header->full + header->unbased + header->unplaced;
    samples->interval_ns = header->interval_ns;
    memcpy(samples->program, header->program, sizeof samples->program - 1);
    for (unsigned i = 0; i < HCCT_SAMPLE_SLOTS; i++) {
        if (fread(&slot, sizeof slot, 1, in) != 1)
            return "is cut off";
        struct hcct_stack_sample sample = { slot.pc, slot.count, (int64_t)(slot.height >> 1),
                                            slot.height & HCCT_SAMPLE_OUTSIDE };
        if (slot.pc && !hcct_stack_samples_add(samples, &sample))
            return "out of memory";
    }
    return NULL;
}

/* A line of perf. False when memory is out. */
static bool add_raw(struct hcct_stack_samples *samples, const struct hcct_perf_sample *sample)
{
    if (!sample->symbol ||
        !hcct_vector_grow(&samples->raw, &samples->raw_capacity, samples->raw_count, sizeof *samples->raw)) {
        free(sample->symbol);
        return false;
    }
    samples->raw[samples->raw_count++] = *sample;
    samples->taken++;
    return true;
}

static const char not_samples[] = "has neither samples of the sampler nor lines of PC HEIGHT [COUNT] or of "
                                  "perf (tid, ip, sym, symoff, uregs)";

static const char *read_text(struct hcct_stack_samples *samples, FILE *in)
{
    char line[8192];
    struct hcct_perf_sample raw;
    while (fgets(line, sizeof line, in)) {
        char *end, *rest;
        struct hcct_stack_sample sample = { .pc = strtoull(line, &end, 0) };
        if (strchr("#\n", line[strspn(line, " \t")]))
            continue;
        if (hcct_perf_read(&raw, line)) {
            if (!add_raw(samples, &raw))
                return "out of memory";
            continue;
        }
        sample.height = strtoll(end, &rest, 0);
        if (end == line || rest == end || sample.height < 0 || sample.height > HEIGHT_MAX)
            return not_samples;
        sample.count = strtoull(rest, &end, 0);
        sample.count = end == rest ? 1 : sample.count;
        if (!strchr("#\n", end[strspn(end, " \t")]))
            return not_samples;
        samples->taken += sample.count;
        if (!hcct_stack_samples_add(samples, &sample))
            return "out of memory";
    }
    return NULL;
}

const char *hcct_stack_samples_open(struct hcct_stack_samples *samples, const char *path)
{
    struct hcct_samples header;
    *samples = (struct hcct_stack_samples){ .count = 0 };
    FILE *in = hcct_input_open_within(path, INT64_MAX);
    if (!in)
        return "cannot be read";
    bool is_table = fread(&header, sizeof header, 1, in) == 1 && header.magic == HCCT_SAMPLES_MAGIC;
    if (!is_table)
        rewind(in);
    const char *problem = is_table ? read_table(samples, in, &header) : read_text(samples, in);
    fclose(in);
    return problem;
}

void hcct_stack_samples_close(struct hcct_stack_samples *samples)
{
    for (uint32_t i = 0; i < samples->raw_count; i++)
        free(samples->raw[i].symbol);
    free(samples->raw);
    free(samples->samples);
}
