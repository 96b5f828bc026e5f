/* See bodies.h. Cost: 16 bytes a slot, at most half of them in use: tail calls through pointers look here. */
#include "runtime/objects/bodies.h"

#include "runtime/base/memory.h"
#include "runtime/objects/registry.h"

/* A table whose one slot is free. */
static _Alignas(struct hcct_bodies) unsigned char none[sizeof(struct hcct_bodies) + sizeof(struct hcct_body)];

struct hcct_bodies *hcct_bodies = (struct hcct_bodies *)none;

static void put(struct hcct_bodies *bodies, const void *address, struct hcct_state *state)
{
    size_t at = hcct_bodies_hash(address);
    while (bodies->slots[at & bodies->mask].address &&
           bodies->slots[at & bodies->mask].address != HCCT_BODY_GONE)
        at++;
    struct hcct_body *slot = &bodies->slots[at & bodies->mask];
    bodies->used += !slot->address;
    slot->state = state;
    __atomic_store_n(&slot->address, address, __ATOMIC_RELEASE);
}

static bool has_room(size_t slots, size_t more)
{
    return 2 * (hcct_bodies->used + more) <= slots;
}

/* A larger table instead of the present one, with room for so many more. That one stays: somebody may be
 * reading it. */
static bool grow(size_t more)
{
    const struct hcct_bodies *old = hcct_bodies;
    size_t slots = old == (const struct hcct_bodies *)none ? 256 : 2 * (old->mask + 1);
    while (!has_room(slots, more))
        slots *= 2;
    struct hcct_bodies *grown = hcct_memory_map(sizeof *grown + slots * sizeof grown->slots[0]);
    if (!grown)
        return false;
    grown->mask = slots - 1;
    for (size_t i = 0; i <= old->mask; i++)
        if (old->slots[i].address && old->slots[i].address != HCCT_BODY_GONE)
            put(grown, old->slots[i].address, old->slots[i].state);
    __atomic_store_n(&hcct_bodies, grown, __ATOMIC_RELEASE);
    return true;
}

void hcct_bodies_expect(size_t count)
{
    if (!has_room(hcct_bodies->mask + 1, count))
        (void)grow(count);
}

bool hcct_bodies_add(const struct hcct_function *function)
{
    const void *address = hcct_rel_get(&function->body);
    if (hcct_bodies_find(address))
        return true;
    if (!has_room(hcct_bodies->mask + 1, 1) && !grow(1))
        return false;
    put(hcct_bodies, address, hcct_function_state(function));
    return true;
}

void hcct_bodies_remove(uintptr_t start, uintptr_t end)
{
    for (size_t i = 0; i <= hcct_bodies->mask; i++) {
        uintptr_t address = (uintptr_t)hcct_bodies->slots[i].address;
        if (address >= start && address < end)
            __atomic_store_n(&hcct_bodies->slots[i].address, HCCT_BODY_GONE, __ATOMIC_RELEASE);
    }
}
