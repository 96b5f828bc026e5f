/* See exact.h: open addressing with linear probing, in pages of the profiler's own.
 *
 * Why this shape: mode=cct never deletes, so probing needs no tombstones, and a context takes a slot of 24
 * bytes and nothing else. The hash depends on the table's size. Otherwise merging would be slow: if one
 * table is added to another in slot order, neighbours in the one are neighbours in the other, they fill one
 * part of the smaller table first, and linear probing becomes quadratic (700,000 keys: 1.7 s with one hash,
 * 0.2 s with two).
 *
 * Invariants
 *   1. size <= 3/4 slot_count, so every probe ends at a free slot. slot_count is 0 or a power of two;
 *   2. no slot between a key's slot and the slot of its hash is free;
 *   3. the sum of all counts is total, unless counts were reset or 2^64 was passed;
 *   4. the slots that a view leads to have a free one among them, as all later do, and as slots without
 *      memory read as free ones: so every hcct_exact_peek ends.
 * Cost: amortised O(1). While the table grows, the old slots and twice as many new ones are mapped. */
#include "runtime/stream/exact.h"

#include <string.h>

#include "runtime/base/memory.h"

enum { FIRST_SLOT_COUNT = 1024 };

bool hcct_exact_is_shared;

void hcct_exact_share(void)
{
    hcct_exact_is_shared = true;
}

bool hcct_exact_is_full(const struct hcct_exact *table)
{
    return table->size >= table->slot_count / 4 * 3;
}

/* Doubles the table. False if memory is short; the table is unchanged then. The next try follows after as
 * many newcomers as were refused so far, because a try is a system call and memory usually stays short. */
static bool grow(struct hcct_exact *table)
{
    if (table->refused < table->refused_next) {
        table->refused++;
        return false;
    }
    table->refused_next = 2 * ++table->refused;
    size_t slot_count = table->slot_count != 0 ? table->slot_count * 2 : FIRST_SLOT_COUNT;
    if (slot_count > SIZE_MAX / sizeof(struct hcct_exact_slot))
        return false;
    struct hcct_exact_slot *slots = hcct_memory_map(slot_count * sizeof(struct hcct_exact_slot));
    if (slots == NULL)
        return false;

    const struct hcct_exact larger = { .slots = slots,
                                       .slot_count = slot_count,
                                       .factor = hcct_key_factor(slot_count) };
    for (size_t at = 0; at < table->slot_count; at++) {
        if (table->slots[at].key != 0)
            *hcct_exact_probe(&larger, table->slots[at].key) = table->slots[at];
    }
    struct hcct_exact_slot *old = table->slots;
    size_t old_bytes = table->slot_count * sizeof *slots;
    table->slots = slots;
    table->slot_count = slot_count;
    table->factor = larger.factor;
    table->refused = table->refused_next = 0;
    __atomic_store_n(&table->view, (uintptr_t)slots + (unsigned)__builtin_ctzll(slot_count),
                     __ATOMIC_RELEASE);
    (hcct_exact_is_shared ? hcct_memory_give_up : hcct_memory_unmap)(old, old_bytes);
    return true;
}

void hcct_exact_switch(struct hcct_exact *table, const struct hcct_exact *from)
{
    memcpy(table, from, offsetof(struct hcct_exact, view));
    __atomic_store_n(&table->view, from->view, __ATOMIC_RELEASE);
}

bool hcct_exact_reserve(struct hcct_exact *table)
{
    return table->slot_count != 0 || grow(table);
}

/* Adds `key`, which is not in the table. Its slot is `slot`, unless the table has to grow. */
static bool add_newcomer(struct hcct_exact *table, struct hcct_exact_slot *slot, uint64_t key,
                         uint64_t weight, hcct_node node)
{
    if (hcct_exact_is_full(table)) {
        if (!grow(table)) {
            table->dropped += weight;
            return false;
        }
        slot = hcct_exact_probe(table, key);
    }
    slot->count = weight;
    slot->node = node;
    __atomic_store_n(&slot->key, key, __ATOMIC_RELEASE);
    table->size++;
    __atomic_fetch_add(&table->total, weight, __ATOMIC_RELAXED);
    return true;
}

bool hcct_exact_add(struct hcct_exact *table, uint64_t key, uint64_t weight, hcct_node node,
                    hcct_node *unused)
{
    struct hcct_exact_slot *slot = NULL;

    *unused = 0;
    if (table->slot_count != 0)
        slot = hcct_exact_probe(table, key);
    if (slot == NULL || slot->key == 0) {
        bool added = add_newcomer(table, slot, key, weight, node);
        *unused = added ? 0 : node;
        return added;
    }
    if (slot->node == 0)
        __atomic_store_n(&slot->node, node, __ATOMIC_RELAXED); /* pairs with the load in hcct_exact_peek */
    else
        *unused = node;
    __atomic_fetch_add(&slot->count, weight, __ATOMIC_RELAXED);
    __atomic_fetch_add(&table->total, weight, __ATOMIC_RELAXED);
    return true;
}

const struct hcct_exact_slot *hcct_exact_find(const struct hcct_exact *table, uint64_t key)
{
    if (table->slot_count == 0 || key == 0)
        return NULL;
    const struct hcct_exact_slot *slot = hcct_exact_probe(table, key);
    return slot->key == key ? slot : NULL;
}

void hcct_exact_reset(struct hcct_exact *table)
{
    for (size_t at = 0; at < table->slot_count; at++)
        table->slots[at].count = 0;
    table->total = 0;
    table->dropped = 0;
}

bool hcct_exact_check(const struct hcct_exact *table)
{
    size_t size = 0;
    uint64_t sum = 0;

    if ((table->slot_count & (table->slot_count - 1)) != 0 || table->size > table->slot_count / 4 * 3)
        return false;
    for (size_t at = 0; at < table->slot_count; at++) {
        const struct hcct_exact_slot *slot = &table->slots[at];
        if (slot->key == 0) {
            if (slot->count != 0 || slot->node != 0)
                return false;
            continue;
        }
        if (hcct_exact_probe(table, slot->key) != slot)
            return false;
        size++;
        sum += slot->count;
    }
    return size == table->size && sum == table->total;
}
