/* See contexts.h. Contexts are an array, and an index by key with open addressing, which is at most half
 * full. */
#include "runtime/heap/tables/contexts.h"

#include <string.h>

#include "runtime/base/key_hash.h"
#include "runtime/base/memory.h"
#include "runtime/heap/tables/curve.h"
#include "runtime/stack/prefix.h"

/* Threads read the index while another one changes contexts. So it has cache lines of its own, and so have
 * the keys. */
static struct {
    _Alignas(64) uint32_t *numbers; /* contexts by key; 0: empty */
    uint64_t *keys;                 /* by context */
    uint32_t room;                  /* of numbers: a power of two */
} by_key;

static _Alignas(64) struct hcct_heap_context *contexts;
static uint32_t count, limit;
static uint64_t moment, peak_moment;          /* a change is a moment */
static uint64_t live_bytes, maximum_bytes;    /* of all contexts */
static struct hcct_heap_variances *variances; /* by context; NULL: values are no estimates */
static uint64_t period;
static uint64_t clock_bytes; /* allocated so far: the time that lives are measured in */

enum { FIRST_INDEX = 1024 };

static void empty(void)
{
    if (contexts)
        memset(&contexts[0], 0, sizeof contexts[0]);
    if (variances)
        variances[0] = (struct hcct_heap_variances){ 0 };
    count = contexts ? 1 : 0;
    moment = peak_moment = live_bytes = maximum_bytes = clock_bytes = 0;
    hcct_heap_curve_clear();
}

bool hcct_heap_contexts_start(uint32_t wanted, uint64_t sample_period)
{
    size_t bytes = ((size_t)wanted + 1) * sizeof *contexts;
    bytes = hcct_memory_share(bytes, 16);
    contexts = hcct_memory_reserve(bytes);
    by_key.numbers = hcct_memory_map(FIRST_INDEX * sizeof *by_key.numbers);
    limit = (uint32_t)(bytes / sizeof *contexts) - 1;
    by_key.keys = hcct_memory_reserve(((size_t)limit + 1) * sizeof *by_key.keys);
    if (sample_period)
        variances = hcct_memory_reserve(((size_t)limit + 1) * sizeof *variances);
    if (!contexts || !by_key.keys || !by_key.numbers || (sample_period && !variances))
        return false;
    period = sample_period;
    by_key.room = FIRST_INDEX;
    hcct_heap_curve_start(limit);
    empty();
    return true;
}

uint32_t hcct_heap_contexts_count(void)
{
    return count;
}

bool hcct_heap_contexts_are_full(void)
{
    return count > limit;
}

struct hcct_heap_context *hcct_heap_context_at(uint32_t context)
{
    return &contexts[context];
}

uint64_t hcct_heap_context_key(uint32_t context)
{
    return by_key.keys[context];
}

/* --- the index ----------------------------------------------------------------------------------- */

static uint32_t *find_number(uint32_t *among, uint32_t among_room, uint64_t key)
{
    uint32_t at = (uint32_t)(hcct_key_product(key) >> 32) & (among_room - 1);
    while (among[at] && by_key.keys[among[at]] != key)
        at = (at + 1) & (among_room - 1);
    return &among[at];
}

uint32_t hcct_heap_contexts_find(uint64_t key)
{
    return *find_number(by_key.numbers, by_key.room, key);
}

static void fill_index(uint32_t *among, uint32_t among_room)
{
    for (uint32_t i = 1; i < count; i++)
        *find_number(among, among_room, by_key.keys[i]) = i;
}

static bool grow_index(void)
{
    uint32_t *more = hcct_memory_map((size_t)by_key.room * 2 * sizeof *more);
    if (!more)
        return false;
    fill_index(more, by_key.room * 2);
    hcct_memory_unmap(by_key.numbers, by_key.room * sizeof *by_key.numbers);
    by_key.numbers = more;
    by_key.room *= 2;
    return true;
}

uint32_t hcct_heap_contexts_add(uint64_t key, hcct_node node)
{
    bool has_room = count <= limit && (count < by_key.room / 2 || grow_index());
    if (!has_room) {
        hcct_prefix_release(node);
        return 0;
    }
    by_key.keys[count] = key;
    *find_number(by_key.numbers, by_key.room, key) = count;
    contexts[count] = (struct hcct_heap_context){ .node = node };
    if (variances)
        variances[count] = (struct hcct_heap_variances){ 0 };
    return count++;
}

/* --- changes ------------------------------------------------------------------------------------- */

static void keep_peak_variance(struct hcct_heap_variances *variance)
{
    variance->of[HCCT_HEAP_PEAK] = variance->of[HCCT_HEAP_LIVE];
    variance->of[HCCT_HEAP_PEAK_BLOCKS] = variance->of[HCCT_HEAP_LIVE_BLOCKS];
}

static struct hcct_heap_curve_context of_curve(const struct hcct_heap_context *context)
{
    return (struct hcct_heap_curve_context){ (uint32_t)(context - contexts), context->changed,
                                             context->live_bytes };
}

static __attribute__((preserve_most, noinline)) void keep_before(struct hcct_heap_context *context)
{
    hcct_heap_curve_note(of_curve(context));
    if (context->changed > peak_moment)
        return;
    context->peak_bytes = context->live_bytes;
    context->peak_blocks = context->live_blocks;
    if (variances)
        keep_peak_variance(&variances[context - contexts]);
}

/* Call this before the context's live blocks change. */
static inline __attribute__((always_inline)) void begin_change(struct hcct_heap_context *context)
{
    if (context->changed <= peak_moment || context->changed <= hcct_heap_curve_newest)
        keep_before(context);
    context->changed = ++moment;
}

static unsigned size_class(uint64_t bytes)
{
    unsigned class = 0;
    for (uint64_t most = 16; bytes > most && class < HCCT_FILE_HEAP_SIZES - 1; class ++)
        most *= 4;
    return class;
}

/* Call this between begin_change and the end of a change that adds live blocks. */
static inline __attribute__((always_inline)) void begin_life(struct hcct_heap_context *context,
                                                             uint64_t bytes, uint64_t blocks)
{
    context->live_bytes += bytes;
    context->live_blocks += blocks;
    context->life -= (unsigned __int128)clock_bytes * blocks;
    live_bytes += bytes;
    if (live_bytes > maximum_bytes) {
        maximum_bytes = live_bytes;
        peak_moment = moment;
    }
    hcct_heap_curve_change(moment, clock_bytes, live_bytes);
}

/* `blocks` of the size of `each`, with `bytes` in all. */
static inline __attribute__((always_inline)) void gain(uint32_t number, uint64_t each, uint64_t bytes,
                                                       uint64_t blocks)
{
    struct hcct_heap_context *context = &contexts[number];
    begin_change(context);
    clock_bytes += bytes;
    context->allocated_bytes += bytes;
    context->blocks += blocks;
    uint32_t *size = &context->sizes[size_class(each)];
    *size = hcct_layout_add_sizes(*size, blocks < UINT32_MAX ? (uint32_t)blocks : UINT32_MAX);
    begin_life(context, bytes, blocks);
}

static inline __attribute__((always_inline)) void lose(uint32_t number, uint64_t bytes, uint64_t blocks)
{
    struct hcct_heap_context *context = &contexts[number];
    begin_change(context);
    context->live_bytes -= bytes;
    context->live_blocks -= blocks;
    context->life += (unsigned __int128)clock_bytes * blocks;
    live_bytes -= bytes;
    hcct_heap_curve_change(moment, clock_bytes, live_bytes);
}

void hcct_heap_context_gain(uint32_t number, uint64_t bytes)
{
    gain(number, bytes, bytes, 1);
}

void hcct_heap_context_lose(uint32_t number, uint64_t bytes)
{
    lose(number, bytes, 1);
}

void hcct_heap_context_keep(uint32_t number, uint64_t bytes)
{
    begin_change(&contexts[number]);
    begin_life(&contexts[number], bytes, 1);
}

void hcct_heap_context_gain_sample(uint32_t number, uint64_t bytes, struct hcct_heap_weight weight)
{
    gain(number, bytes, weight.bytes, weight.blocks);
    unsigned __int128 *of = variances[number].of;
    of[HCCT_HEAP_ALLOCATED] += weight.bytes_variance;
    of[HCCT_HEAP_BLOCKS] += weight.blocks_variance;
    of[HCCT_HEAP_LIVE] += weight.bytes_variance;
    of[HCCT_HEAP_LIVE_BLOCKS] += weight.blocks_variance;
}

void hcct_heap_context_lose_sample(uint32_t number, struct hcct_heap_weight weight)
{
    lose(number, weight.bytes, weight.blocks);
    variances[number].of[HCCT_HEAP_LIVE] -= weight.bytes_variance;
    variances[number].of[HCCT_HEAP_LIVE_BLOCKS] -= weight.blocks_variance;
}

void hcct_heap_context_count(uint32_t number, enum hcct_heap_value value, struct hcct_heap_weight weight)
{
    uint64_t *counter =
        value == HCCT_HEAP_TEMPORARY ? &contexts[number].temporary : &contexts[number].resized;
    *counter += weight.blocks;
    if (variances)
        variances[number].of[value] += weight.blocks_variance;
}

/* --- values -------------------------------------------------------------------------------------- */

static uint64_t peak_bytes_of(const struct hcct_heap_context *context)
{
    return context->changed <= peak_moment ? context->live_bytes : context->peak_bytes;
}

static uint64_t peak_blocks_of(const struct hcct_heap_context *context)
{
    return context->changed <= peak_moment ? context->live_blocks : context->peak_blocks;
}

struct hcct_file_heap hcct_heap_context_values(uint32_t number)
{
    const struct hcct_heap_context *context = &contexts[number];
    struct hcct_file_heap values = {
        .bytes = context->allocated_bytes,
        .blocks = context->blocks,
        .live_bytes = context->live_bytes,
        .live_blocks = context->live_blocks,
        .peak_bytes = peak_bytes_of(context),
        .peak_blocks = peak_blocks_of(context),
        .temporary_blocks = context->temporary,
        .resized_blocks = context->resized,
        .lost_bytes = context->lost_bytes,
        .lost_blocks = context->lost_blocks,
    };
    unsigned __int128 life = context->life + (unsigned __int128)context->live_blocks * clock_bytes;
    values.mean_life_bytes = context->blocks ? (uint64_t)(life / context->blocks) : 0;
    memcpy(values.sizes, context->sizes, sizeof values.sizes);
    return values;
}

struct hcct_file_heap hcct_heap_contexts_total(void)
{
    struct hcct_file_heap total = { 0 };
    for (uint32_t i = 0; i < count; i++) {
        struct hcct_file_heap values = hcct_heap_context_values(i);
        hcct_layout_add_heap(&total, &values);
    }
    return total;
}

/* --- how sure estimates are ------------------------------------------------------------------------- */

static unsigned __int128 rest_of[HCCT_FILE_HEAP_ESTIMATES];

static struct hcct_heap_variances variances_of(uint32_t number)
{
    struct hcct_heap_variances now = variances[number];
    if (contexts[number].changed <= peak_moment)
        keep_peak_variance(&now);
    return now;
}

static uint32_t trials_of(uint64_t value, unsigned __int128 variance, bool is_bytes)
{
    enum { HALF = 64 - HCCT_HEAP_VARIANCE_BITS };
    unsigned __int128 square = (unsigned __int128)value * value;
    if (!is_bytes && value >> (HALF / 2 + HCCT_HEAP_VARIANCE_BITS / 2)) /* no room for a shift */
        variance >>= HCCT_HEAP_VARIANCE_BITS;
    else if (!is_bytes)
        square <<= HCCT_HEAP_VARIANCE_BITS;
    unsigned __int128 trials = variance ? square / variance : UINT32_MAX;
    return trials < UINT32_MAX ? (uint32_t)trials + !trials : UINT32_MAX;
}

static struct hcct_file_heap_sampled trials(const struct hcct_file_heap *values, const unsigned __int128 *of)
{
    const uint64_t numbers_of[HCCT_FILE_HEAP_ESTIMATES] = {
        values->bytes,      values->blocks,      values->live_bytes,       values->live_blocks,
        values->peak_bytes, values->peak_blocks, values->temporary_blocks, values->resized_blocks
    };
    struct hcct_file_heap_sampled sampled = { .period = period };
    for (int i = 0; i < HCCT_FILE_HEAP_ESTIMATES; i++) {
        bool is_bytes = i == HCCT_HEAP_ALLOCATED || i == HCCT_HEAP_LIVE || i == HCCT_HEAP_PEAK;
        sampled.trials[i] = trials_of(numbers_of[i], of[i], is_bytes);
    }
    return sampled;
}

void hcct_heap_contexts_start_trials(void)
{
    memset(rest_of, 0, sizeof rest_of);
    for (uint32_t i = 0; i < count; i++)
        for (int j = 0; j < HCCT_FILE_HEAP_ESTIMATES; j++)
            rest_of[j] += variances_of(i).of[j];
}

struct hcct_file_heap_sampled hcct_heap_contexts_trials(uint64_t key)
{
    uint32_t number = hcct_heap_contexts_find(key);
    if (!number)
        return (struct hcct_file_heap_sampled){ 0 };
    struct hcct_heap_variances now = variances_of(number);
    struct hcct_file_heap values = hcct_heap_context_values(number);
    for (int j = 0; j < HCCT_FILE_HEAP_ESTIMATES; j++)
        rest_of[j] -= now.of[j];
    return trials(&values, now.of);
}

struct hcct_file_heap_sampled hcct_heap_contexts_rest_trials(const struct hcct_file_heap *values)
{
    return trials(values, rest_of);
}

uint32_t hcct_heap_contexts_points(void)
{
    return hcct_heap_curve_points(clock_bytes, live_bytes);
}

uint64_t hcct_heap_context_at_point(uint32_t context, uint32_t point)
{
    return hcct_heap_curve_at(point, of_curve(&contexts[context]));
}

uint64_t hcct_heap_contexts_at_point(uint32_t point, uint64_t key)
{
    uint32_t number = hcct_heap_contexts_find(key);
    return number ? hcct_heap_context_at_point(number, point) : 0;
}

/* --- contexts that are dropped ---------------------------------------------------------------------- */

/* Adds all values of the context to those of context 0. */
static void fold(const struct hcct_heap_context *from)
{
    struct hcct_heap_context *to = &contexts[0];
    if (variances) {
        struct hcct_heap_variances a = variances_of(0), b = variances_of((uint32_t)(from - contexts));
        for (int i = 0; i < HCCT_FILE_HEAP_ESTIMATES; i++)
            variances[0].of[i] = a.of[i] + b.of[i];
    }
    uint64_t peak_bytes = peak_bytes_of(to) + peak_bytes_of(from);
    uint64_t peak_blocks = peak_blocks_of(to) + peak_blocks_of(from);
    hcct_heap_curve_fold(of_curve(to), of_curve(from));
    to->changed = ++moment;
    to->peak_bytes = peak_bytes;
    to->peak_blocks = peak_blocks;
    to->allocated_bytes += from->allocated_bytes;
    to->told_bytes += from->told_bytes;
    to->blocks += from->blocks;
    to->live_bytes += from->live_bytes;
    to->live_blocks += from->live_blocks;
    to->temporary += from->temporary;
    to->resized += from->resized;
    to->life += from->life;
    for (unsigned i = 0; i < HCCT_FILE_HEAP_SIZES; i++)
        to->sizes[i] = hcct_layout_add_sizes(to->sizes[i], from->sizes[i]);
}

void hcct_heap_contexts_keep(const bool *stays, uint32_t *to)
{
    uint32_t kept = 1;
    to[0] = 0;
    for (uint32_t i = 1; i < count; i++) {
        to[i] = stays[i] ? kept++ : 0;
        if (stays[i]) {
            contexts[to[i]] = contexts[i];
            by_key.keys[to[i]] = by_key.keys[i];
            hcct_heap_curve_move(to[i], i);
            if (variances)
                variances[to[i]] = variances[i];
        } else {
            fold(&contexts[i]);
            hcct_prefix_release(contexts[i].node);
        }
    }
    count = kept;
    memset(by_key.numbers, 0, by_key.room * sizeof *by_key.numbers);
    fill_index(by_key.numbers, by_key.room);
}

void hcct_heap_contexts_clear(bool release)
{
    for (uint32_t i = 1; i < count && release; i++)
        hcct_prefix_release(contexts[i].node);
    if (by_key.numbers)
        memset(by_key.numbers, 0, by_key.room * sizeof *by_key.numbers);
    empty();
}
