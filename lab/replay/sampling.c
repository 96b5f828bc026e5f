#include "lab/replay/sampling.h"

#include <stdlib.h>

bool hcct_sampling_open(struct hcct_sampling *sampling, uint32_t stream_count, uint32_t function_count,
                        uint32_t context_count)
{
    static const uint32_t kinds[] = { 0, HCCT_ESTIMATE_BURSTS, HCCT_ESTIMATE_CALLS,
                                      HCCT_ESTIMATE_CALLS_PER_FUNCTION, HCCT_ESTIMATE_TIMER };
    const struct hcct_sampling_options *options = sampling->options;
    sampling->stream_count = stream_count;
    sampling->function_count = options->kind == HCCT_SAMPLING_FUNCTIONS ? function_count : 1;
    sampling->random = 1;
    sampling->observed.kind = kinds[options->kind];
    if (options->kind > HCCT_SAMPLING_BURSTS)
        sampling->observed.period = hcct_sampling_factor(options);
    sampling->streams = calloc((size_t)stream_count + 1, sizeof *sampling->streams);
    sampling->begun = calloc((size_t)context_count + 1, 1);
    return sampling->streams && sampling->begun;
}

void hcct_sampling_close(struct hcct_sampling *sampling)
{
    for (uint32_t i = 0; sampling->streams && i < sampling->stream_count; i++)
        free(sampling->streams[i]);
    free(sampling->streams);
    free(sampling->begun);
}

uint64_t hcct_sampling_factor(const struct hcct_sampling_options *options)
{
    if (options->kind == HCCT_SAMPLING_BURSTS)
        return options->interval / options->length;
    return options->kind == HCCT_SAMPLING_CALLS || options->kind == HCCT_SAMPLING_FUNCTIONS
               ? options->interval
               : 1;
}

/* Whether this is the one of so many. */
static bool draw_one_in(struct hcct_sampling *sampling, uint64_t count)
{
    uint64_t value = sampling->random += UINT64_C(0x9E3779B97F4A7C15); /* splitmix64 */
    value = (value ^ value >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    value = (value ^ value >> 27) * UINT64_C(0x94D049BB133111EB);
    return (value ^ value >> 31) % count == 0;
}

/* Of a burst, or a sample, which stands for so many calls. */
static void observe(struct hcct_sampling *sampling, uint64_t calls, uint64_t weight)
{
    double estimate = (double)(calls * weight * hcct_sampling_factor(sampling->options));
    sampling->observed.samples++;
    sampling->observed.calls += calls;
    sampling->observed.sum += estimate;
    sampling->observed.squares += estimate * estimate;
}

static uint64_t weigh_burst(struct hcct_sampling *sampling, uint32_t context)
{
    uint64_t one_in = sampling->options->one_in;
    bool was_begun = sampling->begun[context];
    sampling->begun[context] = 1;
    if (!one_in || !was_begun)
        return 1;
    return draw_one_in(sampling, one_in) ? one_in : 0;
}

static void end_burst(struct hcct_sampling *sampling, struct hcct_sampling_stream *stream)
{
    if (stream->in_burst)
        observe(sampling, stream->in_burst, stream->weight);
    stream->in_burst = 0;
}

static uint64_t weigh_in_burst(struct hcct_sampling *sampling, struct hcct_sampling_stream *stream,
                               const struct hcct_sampling_call *call)
{
    const struct hcct_sampling_options *options = sampling->options;
    uint64_t at = options->in_ns ? call->ns : stream->calls, unit = at / options->interval + 1;
    stream->calls++;
    if (at % options->interval >= options->length)
        return 0;
    if (stream->unit != unit) {
        end_burst(sampling, stream);
        stream->unit = unit;
        stream->weight = weigh_burst(sampling, call->context);
        sampling->observed.units += hcct_sampling_factor(options);
        sampling->observed.skipped += !stream->weight;
    }
    stream->in_burst += stream->weight != 0;
    return stream->weight;
}

static bool is_sample(const struct hcct_sampling *sampling, struct hcct_sampling_stream *stream,
                      const struct hcct_sampling_call *call)
{
    const struct hcct_sampling_options *options = sampling->options;
    if (options->kind == HCCT_SAMPLING_TIME) {
        uint64_t tick = call->ns / options->interval;
        bool is_first = tick != stream->unit;
        stream->unit = tick;
        return is_first;
    }
    uint64_t *counter = &stream->counters[sampling->function_count > 1 ? call->function : 0];
    if (++*counter < options->interval)
        return false;
    *counter = 0;
    return true;
}

uint64_t hcct_sampling_weigh(struct hcct_sampling *sampling, const struct hcct_sampling_call *call)
{
    if (sampling->options->kind == HCCT_SAMPLING_NONE)
        return 1;
    struct hcct_sampling_stream **stream = &sampling->streams[call->stream];
    if (!*stream && !(*stream = calloc(1, sizeof **stream + sampling->function_count * sizeof(uint64_t)))) {
        sampling->failed = true;
        return 0;
    }
    if (sampling->options->kind == HCCT_SAMPLING_BURSTS)
        return weigh_in_burst(sampling, *stream, call);
    if (!is_sample(sampling, *stream, call))
        return 0;
    observe(sampling, 1, 1);
    return 1;
}

/* N is too low by the calls since each counter's last sample, and at most by a period for each. */
void hcct_sampling_end(struct hcct_sampling *sampling)
{
    for (uint32_t i = 0; i < sampling->stream_count; i++) {
        struct hcct_sampling_stream *stream = sampling->streams[i];
        if (!stream)
            continue;
        end_burst(sampling, stream);
        for (uint32_t j = 0; j < sampling->function_count; j++)
            sampling->observed.slack += stream->counters[j];
    }
    if (sampling->options->kind > HCCT_SAMPLING_BURSTS)
        sampling->observed.units = sampling->observed.samples;
}
