/* Space Saving with weighted updates: finds the hot keys of a stream in bounded memory (Metwally, Agrawal
 * and El Abbadi, ICDT 2005; D'Elia, Demetrescu and Finocchi, SPE 2015, section 4.2).
 *
 * Invariants, for every key with true weight w, N the sum of all weights, k the capacity
 *   1. a monitored key has count - error <= w <= count, and error is at most the floor of the time when it
 *      came in;
 *   2. a key that is not monitored has w <= floor;
 *   3. floor <= N / k. It is 0 until something was evicted, and never falls;
 *   4. key 0 is never used.
 * Threads: the caller holds a lock. Signals: calls no function of libc; not reentrant. */
#ifndef HCCT_RUNTIME_STREAM_SPACE_SAVING_H
#define HCCT_RUNTIME_STREAM_SPACE_SAVING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/node.h"

struct hcct_entry {
    uint64_t key;
    uint64_t count;
    uint64_t error;
    hcct_node node;
};

struct hcct_summary;

#define HCCT_NO_PLACE UINT32_MAX

/* The size of a summary with `capacity` >= 1 counters: a multiple of 64 bytes. */
size_t hcct_space_saving_bytes(uint32_t capacity);
/* Makes an empty summary in `memory`, which is zeroed, 64-aligned, and has
 * hcct_space_saving_bytes(capacity). */
struct hcct_summary *hcct_space_saving_init(void *memory, uint32_t capacity);

/* Adds `weight` to `key` != 0: at least 1; or 0, while there are free counters. Returns the entry's place for
 * hcct_space_saving_entry, valid until the next call.
 *
 * Usually the key has an entry, and its count grows. A newcomer takes a free counter, or evicts the counter
 * with the smallest count, which is at most N / k. Then error = max(victim's count, floor), and count =
 * error + weight. A newcomer that cannot weigh more than the floor may be left out: HCCT_NO_PLACE.
 *
 * An entry without a node gets `node`, if that is not 0. *unused is `node` if it was not taken, else 0.
 * *evicted is the victim's node, else 0. The caller has to release both.
 * Cost: amortised O(1). The worst case visits every counter twice, which the updates that raised them pay
 * for. */
uint32_t hcct_space_saving_add(struct hcct_summary *summary, uint64_t key, uint64_t weight, hcct_node node,
                               hcct_node *evicted, hcct_node *unused);

/* Adds weight 1 to each key. Faster than one by one if most are not monitored. Calls `visit` for a key that
 * is monitored after that, with its entry, if
 *   1. it has no node, and was counted `wanted` times since it came in (count - error >= wanted); or
 *   2. it has a node, and its count is a multiple of `challenge`, a power of two, and at least `challenge`
 *      above its error; or
 *   3. it evicted another key, whose node is then `evicted`, a reference to be released (else 0). */
struct hcct_visitor {
    void (*visit)(void *context, const struct hcct_entry *entry, hcct_node evicted);
    void *context;
    uint32_t challenge;
    uint64_t wanted;
};
void hcct_space_saving_add_ones(struct hcct_summary *summary, const uint64_t *keys, uint32_t count,
                                const struct hcct_visitor *visitor);

/* Adds weight 1 to each key, up to the first that is not at the place beside it; any place is allowed. Visits
 * a key if its count is a multiple of `challenge`. Returns how many were added.
 * Threads: while the floor is 0, several may do this at the same time, and one more that holds the lock may
 * do anything but hcct_space_saving_shrink, hcct_space_saving_clear, and add to a summary that is full. The
 * only thread is `alone`, and so saves some time. */
uint32_t hcct_space_saving_add_found(struct hcct_summary *summary, const uint64_t *keys,
                                     const uint32_t *places, uint32_t count,
                                     const struct hcct_visitor *visitor, bool alone);

/* The place of a key's entry, or HCCT_NO_PLACE. */
uint32_t hcct_space_saving_place_of(const struct hcct_summary *summary, uint64_t key);
/* A copy of the entry at `place`, in 0 .. hcct_space_saving_capacity - 1. Its key is 0 if there is none. */
struct hcct_entry hcct_space_saving_entry(const struct hcct_summary *summary, uint32_t place);
void hcct_space_saving_set_node(struct hcct_summary *summary, uint32_t place, hcct_node node);

uint32_t hcct_space_saving_capacity(const struct hcct_summary *summary);
uint32_t hcct_space_saving_size(const struct hcct_summary *summary);  /* entries now */
uint64_t hcct_space_saving_total(const struct hcct_summary *summary); /* N */
/* The bound of invariant 2. It is 0 until the first eviction. */
uint64_t hcct_space_saving_floor(const struct hcct_summary *summary);
/* Whether it is full for the first time: the next newcomer would evict a key. */
bool hcct_space_saving_is_full(const struct hcct_summary *summary);
/* N at the first eviction; 0: there was none, and each count is exact. */
uint64_t hcct_space_saving_since(const struct hcct_summary *summary);
/* A full summary that nothing was evicted from keeps the `kept` >= 1 keys with the largest counts, and has as
 * many counters from now on: the floor is the largest count of the others, whose nodes are released. With
 * equal counts, any of them. */
void hcct_space_saving_shrink(struct hcct_summary *summary, uint32_t kept, void (*release)(hcct_node node));
/* Moves all that is in `from` to `into`, of which a key was evicted already: as if one summary had got both
 * streams. `from` has as many counters, and is empty afterwards. Of the keys of both, `into` keeps as many as
 * it has counters; the nodes of others are released. It must have had room for all of them, before it was
 * shrunk.
 * Cost: a key that is in one of the two gets the most that it may have had in the other as an error, at each
 * merge. */
void hcct_space_saving_merge(struct hcct_summary *into, struct hcct_summary *from,
                             void (*release)(hcct_node node));
/* Calls `give` for the memory that a summary does not use, as it is empty or was shrunk. All of it, or any
 * pages of it, may become zero. */
void hcct_space_saving_give_unused(struct hcct_summary *summary, void (*give)(void *memory, size_t bytes));
/* Removes all entries, and sets floor and total to 0. The caller releases the nodes first. */
void hcct_space_saving_clear(struct hcct_summary *summary);

#endif
