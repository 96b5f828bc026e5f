/* See bodies.h. Each tail call through a pointer looks here, so at most half of the slots are used. A slot
 * has 16 bytes. */
#include "runtime/objects/bodies.h"

#include "runtime/base/memory.h"
#include "runtime/objects/record.h"

/* The table at start, with one free slot. */
static _Alignas(struct hcct_bodies) unsigned char none[sizeof(struct hcct_bodies) + sizeof(struct hcct_body)];

struct hcct_bodies *_Atomic hcct_bodies = (struct hcct_bodies *)none;

atomic_bool hcct_bodies_wait;

/* For code under the registry's lock. */
static struct hcct_bodies *locked_table(void)
{
    return atomic_load_explicit(&hcct_bodies, memory_order_relaxed);
}

static const void *address_of(const struct hcct_body *slot)
{
    return atomic_load_explicit(&slot->address, memory_order_relaxed);
}

static bool is_in_use(const struct hcct_body *slot)
{
    return address_of(slot) && address_of(slot) != HCCT_BODY_GONE;
}

static void put(struct hcct_bodies *bodies, const void *address, struct hcct_state *state)
{
    size_t at = hcct_bodies_hash(address);
    while (is_in_use(&bodies->slots[at & bodies->mask]))
        at++;
    struct hcct_body *slot = &bodies->slots[at & bodies->mask];
    bodies->used += !address_of(slot);
    slot->state = state;
    atomic_store_explicit(&slot->address, address, memory_order_release);
}

static bool has_room(size_t slots, size_t more)
{
    return 2 * (locked_table()->used + more) <= slots;
}

/* Replaces the table by a larger one, with room for `more` functions. The old table is kept, as another
 * thread may be reading it. */
static bool grow(size_t more)
{
    const struct hcct_bodies *old = locked_table();
    size_t slots = old == (const struct hcct_bodies *)none ? 256 : 2 * (old->mask + 1);
    while (!has_room(slots, more))
        slots *= 2;
    struct hcct_bodies *grown = hcct_memory_map(sizeof *grown + slots * sizeof grown->slots[0]);
    if (!grown)
        return false;
    grown->mask = slots - 1;
    for (size_t i = 0; i <= old->mask; i++)
        if (is_in_use(&old->slots[i]))
            put(grown, address_of(&old->slots[i]), old->slots[i].state);
    atomic_store_explicit(&hcct_bodies, grown, memory_order_release);
    return true;
}

void hcct_bodies_expect(size_t count)
{
    if (!has_room(locked_table()->mask + 1, count))
        (void)grow(count);
}

bool hcct_bodies_add(const struct hcct_function *function)
{
    const void *address = hcct_rel_get(&function->body);
    if (hcct_bodies_find(address))
        return true;
    if (!has_room(locked_table()->mask + 1, 1) && !grow(1))
        return false;
    put(locked_table(), address, hcct_record_state(function));
    return true;
}

void hcct_bodies_remove(uintptr_t start, uintptr_t end)
{
    struct hcct_bodies *bodies = locked_table();
    for (size_t i = 0; i <= bodies->mask; i++) {
        uintptr_t address = (uintptr_t)address_of(&bodies->slots[i]);
        if (address >= start && address < end)
            atomic_store_explicit(&bodies->slots[i].address, HCCT_BODY_GONE, memory_order_release);
    }
}
