/* See contexts.h. Contexts are an array, and an index by key with open addressing, which is at most half
 * full. */
#include "runtime/heap/tables/contexts.h"

#include <string.h>

#include "format/divide.h"
#include "runtime/base/key_hash.h"
#include "runtime/base/memory.h"
#include "runtime/heap/tables/curve.h"
#include "runtime/stack/prefix.h"

/* Threads read the index while another one changes contexts. So it has cache lines of its own, and so have
 * the keys. */
struct hcct_heap_index hcct_heap_index;
static struct hcct_heap_index *const by_key = &hcct_heap_index;

struct hcct_heap_contexts hcct_heap_contexts;
static struct hcct_heap_contexts *const all = &hcct_heap_contexts;
struct hcct_heap_recent *hcct_heap_recent;
bool hcct_heap_any_recent;
static uint32_t count, limit;
static struct hcct_heap_variances *variances; /* by context; NULL: values are no estimates */
static uint64_t period;

enum { FIRST_INDEX = 1024 };

/* Empties all places. Key 0, which they have then, belongs to place 0 only, so it is found nowhere else;
 * place 0 gets key 1, which is no context's. */
static void forget_recent(void)
{
    if (!hcct_heap_recent)
        return;
    if (hcct_heap_any_recent) /* or else their memory is not used yet */
        memset(hcct_heap_recent, 0, HCCT_HEAP_RECENT * sizeof *hcct_heap_recent);
    hcct_heap_any_recent = false;
    hcct_heap_recent[0].key = 1;
}

static void empty(void)
{
    if (all->of)
        memset(&all->of[0], 0, sizeof all->of[0]);
    if (variances)
        variances[0] = (struct hcct_heap_variances){ 0 };
    count = all->of ? 1 : 0;
    *all = (struct hcct_heap_contexts){ .of = all->of, .moment = 1 };
    forget_recent();
    hcct_heap_curve_clear();
}

bool hcct_heap_contexts_start(uint32_t wanted, uint64_t sample_period)
{
    size_t bytes = ((size_t)wanted + 1) * sizeof *all->of;
    bytes = hcct_memory_share(bytes, 16);
    all->of = hcct_memory_reserve(bytes);
    by_key->numbers = hcct_memory_map(FIRST_INDEX * sizeof *by_key->numbers);
    limit = (uint32_t)(bytes / sizeof *all->of) - 1;
    by_key->keys = hcct_memory_reserve(((size_t)limit + 1) * sizeof *by_key->keys);
    if (sample_period)
        variances = hcct_memory_reserve(((size_t)limit + 1) * sizeof *variances);
    if (!hcct_heap_recent)
        hcct_heap_recent = hcct_memory_reserve(HCCT_HEAP_RECENT * sizeof *hcct_heap_recent);
    if (!all->of || !hcct_heap_recent || !by_key->keys || !by_key->numbers || (sample_period && !variances))
        return false;
    period = sample_period;
    by_key->room = FIRST_INDEX;
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
    return &all->of[context];
}

uint64_t hcct_heap_context_key(uint32_t context)
{
    return by_key->keys[context];
}

/* --- the index ----------------------------------------------------------------------------------- */

uint32_t hcct_heap_contexts_find(uint64_t key)
{
    return *hcct_heap_index_place(by_key->numbers, by_key->room, key);
}

void hcct_heap_contexts_remember(uint32_t context)
{
    hcct_heap_recent_put(by_key->keys[context], context);
}

static void fill_index(uint32_t *among, uint32_t among_room)
{
    for (uint32_t i = 1; i < count; i++)
        *hcct_heap_index_place(among, among_room, by_key->keys[i]) = i;
}

static bool grow_index(void)
{
    uint32_t *more = hcct_memory_map((size_t)by_key->room * 2 * sizeof *more);
    if (!more)
        return false;
    fill_index(more, by_key->room * 2);
    hcct_memory_unmap(by_key->numbers, by_key->room * sizeof *by_key->numbers);
    by_key->numbers = more;
    by_key->room *= 2;
    return true;
}

uint32_t hcct_heap_contexts_add(uint64_t key, hcct_node node)
{
    bool has_room = count <= limit && (count < by_key->room / 2 || grow_index());
    if (!has_room) {
        hcct_prefix_release(node);
        return 0;
    }
    by_key->keys[count] = key;
    *hcct_heap_index_place(by_key->numbers, by_key->room, key) = count;
    all->of[count] = (struct hcct_heap_context){ .node = node };
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

/* Call this before the context's live blocks change. */
static void begin_change(struct hcct_heap_context *context)
{
    if (variances && context->changed <= all->peak_moment)
        keep_peak_variance(&variances[context - all->of]);
    (void)hcct_heap_context_begin_change(context, true);
}

static void take_point(void)
{
    hcct_heap_contexts_mark_peak();
    hcct_heap_curve_take(all->moment++, all->clock_bytes, all->live_bytes);
}

static void begin_life(struct hcct_heap_context *context, uint64_t bytes, uint64_t blocks)
{
    if (!bytes)
        hcct_heap_contexts_mark_peak();
    begin_change(context);
    context->live_bytes += bytes;
    context->live_blocks += blocks;
    context->life -= (unsigned __int128)all->clock_bytes * blocks;
    all->live_bytes += bytes;
}

/* `blocks` of the size of `each`, with `bytes` in all. */
static void gain(uint32_t number, uint64_t each, uint64_t bytes, uint64_t blocks)
{
    struct hcct_heap_context *context = &all->of[number];
    all->clock_bytes += bytes;
    context->allocated_bytes += bytes;
    size_t class = hcct_heap_size_class(each - !!each);
    context->sizes[class < HCCT_HEAP_SIZES ? class : HCCT_HEAP_SIZES - 1] += blocks;
    begin_life(context, bytes, blocks);
    if (hcct_heap_curve_advance(bytes))
        take_point();
}

static void lose(uint32_t number, uint64_t bytes, uint64_t blocks)
{
    struct hcct_heap_context *context = &all->of[number];
    if (hcct_heap_curve_rises(all->live_bytes))
        hcct_heap_contexts_mark_peak();
    begin_change(context);
    context->live_bytes -= bytes;
    context->live_blocks -= blocks;
    context->life += (unsigned __int128)all->clock_bytes * blocks;
    all->live_bytes -= bytes;
    if (hcct_heap_curve_advance(bytes))
        take_point();
}

void hcct_heap_context_gain(uint32_t number, uint64_t bytes)
{
    if (!variances && hcct_heap_contexts_may_gain(bytes) &&
        hcct_heap_context_begin_change(&all->of[number], true))
        hcct_heap_context_gain_usual(&all->of[number], bytes);
    else
        gain(number, bytes, bytes, 1);
}

void hcct_heap_context_lose(uint32_t number, uint64_t bytes)
{
    if (!variances && hcct_heap_contexts_may_lose(bytes) &&
        hcct_heap_context_begin_change(&all->of[number], true))
        hcct_heap_context_lose_usual(&all->of[number], bytes);
    else
        lose(number, bytes, 1);
}

void hcct_heap_context_keep(uint32_t number, uint64_t bytes)
{
    begin_life(&all->of[number], bytes, 1);
    hcct_heap_curve_go_back(bytes);
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
    uint64_t *counter = value == HCCT_HEAP_TEMPORARY ? &all->of[number].temporary : &all->of[number].resized;
    *counter += weight.blocks;
    if (variances)
        variances[number].of[value] += weight.blocks_variance;
}

/* --- values -------------------------------------------------------------------------------------- */

static uint64_t peak_bytes_of(const struct hcct_heap_context *context)
{
    return context->changed <= all->peak_moment ? context->live_bytes : context->peak_bytes;
}

static uint64_t peak_blocks_of(const struct hcct_heap_context *context)
{
    return context->changed <= all->peak_moment ? context->live_blocks : context->peak_blocks;
}

static uint64_t blocks_of(const struct hcct_heap_context *context)
{
    uint64_t blocks = 0;
    for (unsigned i = 0; i < HCCT_HEAP_SIZES; i++)
        blocks += context->sizes[i];
    return blocks;
}

uint64_t hcct_heap_context_value(uint32_t number, enum hcct_heap_value value)
{
    const struct hcct_heap_context *context = &all->of[number];
    hcct_heap_contexts_mark_peak();
    switch (value) {
    case HCCT_HEAP_ALLOCATED:
        return context->allocated_bytes;
    case HCCT_HEAP_BLOCKS:
        return blocks_of(context);
    case HCCT_HEAP_LIVE:
        return context->live_bytes;
    case HCCT_HEAP_LIVE_BLOCKS:
        return context->live_blocks;
    case HCCT_HEAP_PEAK:
        return peak_bytes_of(context);
    case HCCT_HEAP_PEAK_BLOCKS:
        return peak_blocks_of(context);
    case HCCT_HEAP_TEMPORARY:
        return context->temporary;
    case HCCT_HEAP_RESIZED:
        return context->resized;
    case HCCT_HEAP_LOST:
        return context->lost_bytes;
    case HCCT_HEAP_LOST_BLOCKS:
        return context->lost_blocks;
    default:
        return 0;
    }
}

uint64_t hcct_heap_contexts_total(enum hcct_heap_value value)
{
    uint64_t total = 0;
    for (uint32_t i = 0; i < count; i++)
        total += hcct_heap_context_value(i, value);
    return total;
}

uint64_t hcct_heap_contexts_life(void)
{
    unsigned __int128 life = 0;
    uint64_t blocks = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct hcct_heap_context *context = &all->of[i];
        life += context->life + (unsigned __int128)context->live_blocks * all->clock_bytes;
        blocks += blocks_of(context);
    }
    return blocks ? (uint64_t)hcct_quotient(life, blocks) : 0;
}

uint64_t hcct_heap_contexts_size(uint32_t size)
{
    uint64_t blocks = 0;
    for (uint32_t i = 0; i < count; i++)
        blocks += all->of[i].sizes[size];
    return blocks;
}

/* --- how sure estimates are ------------------------------------------------------------------------- */

static struct hcct_heap_variances variances_of(uint32_t number)
{
    struct hcct_heap_variances now = variances[number];
    if (all->of[number].changed <= all->peak_moment)
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
    unsigned __int128 trials = variance ? hcct_quotient(square, variance) : UINT32_MAX;
    return trials < UINT32_MAX ? (uint32_t)trials + !trials : UINT32_MAX;
}

uint32_t hcct_heap_context_trials(uint32_t number, enum hcct_heap_value value)
{
    bool is_bytes = value == HCCT_HEAP_ALLOCATED || value == HCCT_HEAP_LIVE || value == HCCT_HEAP_PEAK;
    hcct_heap_contexts_mark_peak();
    return trials_of(hcct_heap_context_value(number, value), variances_of(number).of[value], is_bytes);
}

uint32_t hcct_heap_contexts_points(void)
{
    return hcct_heap_curve_points(all->clock_bytes, all->live_bytes);
}

uint64_t hcct_heap_context_at_point(uint32_t context, uint32_t point)
{
    return hcct_heap_curve_at(point, hcct_heap_context_of_curve(&all->of[context]));
}

/* --- contexts that are dropped ---------------------------------------------------------------------- */

/* Adds all values of the context to those of context 0. */
static void fold(const struct hcct_heap_context *from)
{
    struct hcct_heap_context *to = &all->of[0];
    if (variances) {
        struct hcct_heap_variances a = variances_of(0), b = variances_of((uint32_t)(from - all->of));
        for (int i = 0; i < HCCT_HEAP_ESTIMATES; i++)
            variances[0].of[i] = a.of[i] + b.of[i];
    }
    uint64_t peak_bytes = peak_bytes_of(to) + peak_bytes_of(from);
    uint64_t peak_blocks = peak_blocks_of(to) + peak_blocks_of(from);
    hcct_heap_curve_fold(hcct_heap_context_of_curve(to), hcct_heap_context_of_curve(from));
    to->changed = all->moment;
    to->peak_bytes = peak_bytes;
    to->peak_blocks = peak_blocks;
    to->allocated_bytes += from->allocated_bytes;
    to->told_bytes += from->told_bytes;
    to->live_bytes += from->live_bytes;
    to->live_blocks += from->live_blocks;
    to->temporary += from->temporary;
    to->resized += from->resized;
    to->life += from->life;
    for (unsigned i = 0; i < HCCT_HEAP_SIZES; i++)
        to->sizes[i] += from->sizes[i];
}

void hcct_heap_contexts_keep(const bool *stays, uint32_t *to)
{
    uint32_t kept = 1;
    hcct_heap_contexts_mark_peak();
    forget_recent();
    to[0] = 0;
    for (uint32_t i = 1; i < count; i++) {
        to[i] = stays[i] ? kept++ : 0;
        if (stays[i]) {
            all->of[to[i]] = all->of[i];
            by_key->keys[to[i]] = by_key->keys[i];
            hcct_heap_curve_move(to[i], i);
            if (variances)
                variances[to[i]] = variances[i];
        } else {
            fold(&all->of[i]);
            hcct_prefix_release(all->of[i].node);
        }
    }
    count = kept;
    memset(by_key->numbers, 0, by_key->room * sizeof *by_key->numbers);
    fill_index(by_key->numbers, by_key->room);
}

void hcct_heap_contexts_clear(bool release)
{
    for (uint32_t i = 1; i < count && release; i++)
        hcct_prefix_release(all->of[i].node);
    if (by_key->numbers)
        memset(by_key->numbers, 0, by_key->room * sizeof *by_key->numbers);
    empty();
}
