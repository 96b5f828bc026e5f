/* See variance.h. Cost: a look-up for each addition to the tables, mostly one for each context of a burst. */
#include "runtime/meter/sampled/variance.h"

#include <string.h>

#include "format/divide.h"
#include "runtime/base/key_hash.h"
#include "runtime/base/memory.h"

enum { ENTRIES_LOG2 = 14, ENTRIES_NEAR = 16, ENTRIES = (1 << ENTRIES_LOG2) + ENTRIES_NEAR };

/* Mapped for the first burst. If that fails, it is not tried again: invariant 2. */
static struct entry {
    uint64_t key; /* 0: free */
    const struct hcct_block *thread;
    uint64_t now, sum;
    unsigned __int128 squares, products; /* of x^2 and x y */
    uint32_t next;                       /* in the thread's list: a link, which is index + 1 */
    bool is_listed;
    bool is_partial; /* another thread has calls of the context, and found no room for them */
} *entries;
static bool is_refused;

static bool has_entries(void)
{
    if (!entries && !is_refused) {
        entries = hcct_memory_reserve(ENTRIES * sizeof *entries);
        is_refused = !entries;
    }
    return entries;
}

static struct entry *first_near(uint64_t key)
{
    return &entries[hcct_key_hash(key) >> (64 - ENTRIES_LOG2)];
}

/* The entry of the context in the thread, perhaps a new one. NULL: there is no room, and never will be. */
static struct entry *entry_of(const struct hcct_block *thread, uint64_t key)
{
    struct entry *at = first_near(key);
    for (unsigned i = 0; i < ENTRIES_NEAR; i++, at++) {
        if (!at->key)
            *at = (struct entry){ .key = key, .thread = thread };
        if (at->key == key && at->thread == thread)
            return at;
    }
    while (--at >= first_near(key))
        at->is_partial |= at->key == key;
    return NULL;
}

void hcct_variance_add(const struct hcct_block *thread, struct hcct_variance_list *list, uint64_t key,
                       uint64_t calls)
{
    struct entry *entry = has_entries() ? entry_of(thread, key) : NULL;
    if (!entry)
        return;
    entry->now += calls;
    if (entry->is_listed)
        return;
    entry->is_listed = true;
    entry->next = list->first;
    list->first = (uint32_t)(entry - entries) + 1;
}

void hcct_variance_end_burst(struct hcct_variance_list *list, uint64_t calls)
{
    for (uint32_t link = list->first; link; link = entries[link - 1].next) {
        struct entry *entry = &entries[link - 1];
        uint64_t x = entry->now < calls ? entry->now : calls;
        entry->sum += x;
        entry->squares += (unsigned __int128)x * x;
        entry->products += (unsigned __int128)x * calls;
        entry->now = 0;
        entry->is_listed = false;
    }
    list->first = 0;
}

/* With X = sum x and Y = sum y, `scaled` is variance * Y^4 = Y^2 sum x^2 - 2 X Y sum x y + X^2 sum y^2, and
 * trials = X (Y - X) Y^2 / scaled * (n - 1) / n. Scaled so that Y is below 2^30 and each product below
 * 2^122. */
static uint64_t trials_of(const struct entry *sums, uint64_t count, uint64_t calls, unsigned __int128 squares,
                          uint64_t bursts)
{
    unsigned shift = 0;
    while (calls >> shift >= UINT64_C(1) << 30)
        shift++;
    unsigned __int128 y = calls >> shift, x = count >> shift, xx = sums->squares >> 2 * shift,
                      xy = sums->products >> 2 * shift, yy = squares >> 2 * shift;
    unsigned __int128 plus = y * y * xx + x * x * yy, minus = 2 * x * y * xy;
    unsigned __int128 whole = x * (y - x) * y * y,
                      least = hcct_quotient(whole, (unsigned __int128)calls + 1) + 1;
    /* no burst tells more than its calls: trials <= Y */
    unsigned __int128 scaled = plus > minus + least ? plus - minus : least;
    return (uint64_t)hcct_quotient(hcct_quotient(whole, scaled) * (bursts - 1), bursts);
}

uint32_t hcct_variance_trials(uint64_t key, uint64_t count, uint64_t calls, unsigned __int128 squares,
                              uint64_t bursts)
{
    if (!entries)
        return 0;
    struct entry sums = { 0 }, *at = first_near(key);
    unsigned i = 0;
    for (; i < ENTRIES_NEAR && at->key; i++, at++)
        if (at->key == key) {
            sums.sum += at->sum;
            sums.squares += at->squares;
            sums.products += at->products;
            sums.is_partial |= at->is_partial;
        }
    /* the context may have found no room */
    sums.is_partial |= i == ENTRIES_NEAR && !sums.sum;
    if (count < sums.sum)
        count = sums.sum;
    if (!count || count > calls || sums.is_partial || bursts < 2)
        return 0;
    uint64_t trials = trials_of(&sums, count, calls, squares, bursts);
    return trials > UINT32_MAX ? UINT32_MAX : (uint32_t)trials;
}

void hcct_variance_reset(void)
{
    if (entries)
        memset(entries, 0, ENTRIES * sizeof *entries);
}
