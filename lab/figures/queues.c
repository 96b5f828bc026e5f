/* Runs the calls of a trace (format/trace.h) through a streaming algorithm, and prints a JSON list.
 *
 *     queues TRACE CALLS EPSILON WEIGHTS ALGORITHM...
 *
 * Of at most so many CALLS, through one algorithm after the other. ALGORITHM may be "none": then the stream
 * is only read. Each call is one update, as in D'Elia et al. (SPE 2015, section 4); the runtime, which has
 * slots in front of the algorithm, makes far fewer. Updates weigh 1 .. WEIGHTS, at random. Errors are those
 * of the contexts that are monitored at the end, against what they weigh. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "decoder/commands/command.h"
#include "format/names.h"
#include "lab/replay/trace.h"
#include "lab/stream/algorithm.h"

#define SPREAD UINT64_C(0x9E3779B97F4A7C15)
#define SPREAD_INVERSE UINT64_C(0xF1DE83E19937733D)

const char hcct_command_name[] = "queues";

void hcct_prefix_release(hcct_node node)
{
    (void)node;
}

static void *need(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

/* The stream: contexts are numbered from 1 in the order of their first calls. */
struct reading {
    uint32_t *stream;
    size_t count, limit;
    unsigned places_log2; /* more than there are calls */
    uint64_t *words;      /* open addressing */
    uint32_t *numbers;    /* of the words */
    uint32_t contexts;
};

static void take_call(void *context, uint32_t stream, uint64_t word, uint64_t ns)
{
    struct reading *reading = context;
    size_t at = (word * SPREAD) >> (64 - reading->places_log2),
           last = ((size_t)1 << reading->places_log2) - 1;
    (void)ns;
    (void)stream;
    if (reading->count == reading->limit)
        return;
    while (reading->words[at] && reading->words[at] != word)
        at = (at + 1) & last;
    if (!reading->words[at]) {
        reading->words[at] = word;
        reading->numbers[at] = ++reading->contexts;
    }
    reading->stream[reading->count++] = reading->numbers[at];
}

static uint32_t *read_stream(const char *name, size_t limit, size_t *count)
{
    struct hcct_command_file file = { .name = name };
    struct hcct_trace trace;
    struct hcct_error error;
    if (!hcct_command_read(&file, hcct_trace_wanted_bytes) ||
        !hcct_trace_open(&trace, file.bytes, file.length, &error))
        abort();
    limit = limit < trace.calls ? limit : (size_t)trace.calls;
    struct reading reading = { .stream = need(malloc((limit + 1) * sizeof *reading.stream)), .limit = limit };
    while (((size_t)1 << ++reading.places_log2) <= limit + limit / 4)
        ;
    reading.words = need(calloc((size_t)1 << reading.places_log2, sizeof *reading.words));
    reading.numbers = need(calloc((size_t)1 << reading.places_log2, sizeof *reading.numbers));
    if (!hcct_trace_play(&trace, take_call, &reading, &error))
        abort();
    hcct_trace_close(&trace);
    hcct_command_close(&file);
    free(reading.words);
    free(reading.numbers);
    *count = reading.count;
    return reading.stream;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline uint64_t weight_at(uint64_t i, uint64_t weights)
{
    return weights == 1 ? 1 : 1 + ((i + 1) * SPREAD >> 32) % weights;
}

/* The part that is measured: instructions are counted in here alone. */
__attribute__((noinline)) uint64_t play(const struct hcct_algorithm *algorithm, struct hcct_summary *summary,
                                        const uint32_t *stream, size_t count, uint64_t weights);
uint64_t play(const struct hcct_algorithm *algorithm, struct hcct_summary *summary, const uint32_t *stream,
              size_t count, uint64_t weights)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        hcct_node evicted, unused;
        uint64_t key = stream[i] * SPREAD, weight = weight_at(i, weights);
        if (algorithm)
            algorithm->add(summary, key, weight, 0, &evicted, &unused);
        sum += key + weight;
    }
    return sum;
}

static void print_errors(const struct hcct_algorithm *algorithm, const struct hcct_summary *summary,
                         const uint32_t *stream, size_t count, uint64_t weights)
{
    uint32_t contexts = 0, monitored = 0;
    for (size_t i = 0; i < count; i++)
        contexts = stream[i] > contexts ? stream[i] : contexts;
    uint64_t *exact = need(calloc((size_t)contexts + 1, sizeof *exact)), largest = 0, sum = 0;
    for (size_t i = 0; i < count; i++)
        exact[stream[i]] += weight_at(i, weights);
    for (uint32_t place = 0; algorithm && place < algorithm->size(summary); place++) {
        struct hcct_entry entry = algorithm->entry(summary, place);
        uint64_t over = entry.count - exact[entry.key * SPREAD_INVERSE];
        largest = over > largest ? over : largest;
        sum += over;
        monitored++;
    }
    printf("\"contexts\": %" PRIu32 ", \"monitored\": %" PRIu32 ", \"largest_error\": %" PRIu64
           ", \"mean_error\": %.9g",
           contexts, monitored, largest, monitored ? (double)sum / monitored : 0);
    free(exact);
}

static const struct hcct_algorithm *algorithm_of(const char *name)
{
    for (const struct hcct_algorithm *const *at = hcct_algorithms; *at; at++)
        if (!strcmp(hcct_algorithm_names[(*at)->number], name))
            return *at;
    return NULL;
}

static void measure(const struct hcct_algorithm *algorithm, uint32_t capacity, const uint32_t *stream,
                    size_t count, uint64_t weights)
{
    struct hcct_demand demand = { .capacity = capacity, .phi = 5 / (double)capacity };
    struct hcct_summary *summary = algorithm ? algorithm->open(&demand) : NULL;
    double start = seconds();
    uint64_t sum = play(algorithm, summary, stream, count, weights);
    double time = seconds() - start;
    printf("{\"calls\": %zu, \"capacity\": %" PRIu32 ", \"bytes\": %zu, \"seconds\": %.9g, \"sum\": %" PRIu64
           ", ",
           count, capacity, algorithm ? algorithm->bytes(summary) : 0, time, sum);
    print_errors(algorithm, summary, stream, count, weights);
    printf(", \"floor\": %" PRIu64 ", \"total\": %" PRIu64 "}", algorithm ? algorithm->floor(summary) : 0,
           algorithm ? algorithm->total(summary) : 0);
    if (algorithm)
        algorithm->close(summary);
}

int main(int argc, char **argv)
{
    if (argc < 6)
        return 2;
    for (int i = 5; i < argc; i++)
        if (!algorithm_of(argv[i]) && strcmp(argv[i], "none") != 0)
            return 2;
    uint32_t capacity = (uint32_t)(1 / strtod(argv[3], NULL) + 0.5);
    size_t count;
    uint64_t weights = strtoull(argv[4], NULL, 10);
    uint32_t *stream = read_stream(argv[1], strtoull(argv[2], NULL, 10), &count);
    for (int i = 5; i < argc; i++) {
        fputs(i == 5 ? "[" : ",\n", stdout);
        measure(algorithm_of(argv[i]), capacity, stream, count, weights);
    }
    puts("]");
    free(stream);
    return 0;
}
