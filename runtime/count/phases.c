/* See phases.h. A name is looked for among at most HCCT_PHASES others. */
#include "runtime/count/phases.h"

#include <string.h>

#include "runtime/base/memory.h"
#include "runtime/base/say.h"
#include "runtime/core/tables.h"
#include "runtime/count/count.h"
#include "runtime/count/settings.h"

enum { REST = HCCT_PHASES + 1, ALL };

/* The first is that of calls outside of all phases; the last one takes those of phases beyond the limit. */
static struct hcct_phase phases[ALL] = {
    [0] = { .name = HCCT_PHASE_NONE_NAME, .is_made = true }, [REST] = { .name = HCCT_PHASE_REST_NAME }
};
static uint32_t named_count, current;
static uint64_t dropped_seen; /* hcct_tables' at the last change */

static uint64_t dropped_now(void)
{
    return __atomic_load_n(&hcct_tables.dropped_memory, __ATOMIC_RELAXED) +
           __atomic_load_n(&hcct_tables.dropped_interrupted, __ATOMIC_RELAXED);
}

static uint64_t weight_of(const struct hcct_phase *phase)
{
    return phase->summary ? hcct_space_saving_total(phase->summary)
                          : phase->exact.total + phase->exact.dropped;
}

/* What hcct_tables has of the current phase is copied to it. */
static void store(void)
{
    struct hcct_phase *phase = &phases[current];
    uint64_t dropped = dropped_now();
    phase->exact = hcct_tables.exact;
    phase->summary = hcct_tables.summary;
    phase->dropped += dropped - dropped_seen;
    dropped_seen = dropped;
}

/* The store pairs with the load in count/batch.h: a thread that has no lock finds a whole summary. So it does
 * a whole table, by hcct_exact_switch. */
static void exchange(uint32_t next)
{
    store();
    hcct_tables.elsewhere += weight_of(&phases[current]) - weight_of(&phases[next]);
    hcct_exact_switch(&hcct_tables.exact, &phases[next].exact);
    __atomic_store_n(&hcct_tables.summary, phases[next].summary, __ATOMIC_RELEASE);
    hcct_tables.drain_at = hcct_tables.in_slots = 0; /* another summary */
    current = next;
}

/* The exact table has slots from the start: code without the lock may look for a key at once. */
static bool make(struct hcct_phase *phase)
{
    if (phase->is_made)
        return true;
    if (hcct_tables.summary) {
        void *memory = hcct_memory_map(hcct_tables.bytes);
        phase->summary = memory ? hcct_space_saving_init(memory, hcct_count_settings.contexts) : NULL;
        phase->is_made = memory != NULL;
    } else {
        phase->is_made = hcct_exact_reserve(&phase->exact);
    }
    return phase->is_made;
}

/* The index of a phase, which is new if it has no name; ALL: there is no room for another one. */
static uint32_t find(const char *name)
{
    for (uint32_t i = 0; i <= named_count; i++)
        if (!strncmp(phases[i].name, name, HCCT_PHASE_NAME_BYTES - 1))
            return i;
    if (!strncmp(phases[REST].name, name, HCCT_PHASE_NAME_BYTES - 1))
        return REST;
    return named_count < HCCT_PHASES ? named_count + 1 : ALL;
}

bool hcct_phases_enter(const char *name)
{
    static bool said;
    uint32_t next = find(name && *name ? name : phases[0].name);
    bool has_room = next < ALL;
    next = has_room ? next : REST;
    bool made = make(&phases[next]);
    if (made && !*phases[next].name) {
        memcpy(phases[next].name, name, strnlen(name, HCCT_PHASE_NAME_BYTES - 1));
        named_count++;
    }
    if ((!has_room || !made) && !said) {
        said = true;
        HCCT_SAY(1, "hcct_phase: ",
                 made ? "too many phases; the others are counted as " HCCT_PHASE_REST_NAME
                      : "out of memory; calls are counted in the phase before");
    }
    if (made && next != current) {
        hcct_count_drain_all();
        exchange(next);
    }
    return has_room && made;
}

bool hcct_phases_are_told_apart(void)
{
    return named_count != 0;
}

const struct hcct_phase *hcct_phases_at(uint32_t index)
{
    if (index == current)
        store();
    return index < ALL ? &phases[index] : NULL;
}

const struct hcct_phase *hcct_phases_current(void)
{
    return hcct_phases_at(current);
}

uint64_t hcct_phases_calls(const struct hcct_phase *phase)
{
    return weight_of(phase) + phase->dropped;
}

uint64_t hcct_phases_floor(const struct hcct_phase *phase)
{
    return phase->summary ? hcct_space_saving_floor(phase->summary) : 0;
}

/* Entries of a summary have no gaps between them. */
static __attribute__((noinline)) bool next_in_summary(const struct hcct_phase *phase, size_t place,
                                                      struct hcct_entry *entry)
{
    bool found = place < hcct_space_saving_size(phase->summary);
    if (found)
        *entry = hcct_space_saving_entry(phase->summary, (uint32_t)place);
    return found;
}

bool hcct_phases_next(const struct hcct_phase *phase, size_t *place, struct hcct_entry *entry)
{
    if (phase->summary)
        return next_in_summary(phase, *place, entry);
    const struct hcct_exact_slot *slots = phase->exact.slots;
    size_t at = *place, end = phase->exact.slot_count;
    while (at < end && slots[at].key == 0)
        at++;
    *place = at;
    if (at < end)
        *entry = (struct hcct_entry){ slots[at].key, slots[at].count, 0, slots[at].node };
    return at < end;
}

void hcct_phases_each(void (*action)(void))
{
    uint32_t was = current;
    for (uint32_t i = 0; i < ALL; i++) {
        if (!phases[i].is_made)
            continue;
        if (i != current)
            exchange(i);
        action();
    }
    if (current != was)
        exchange(was);
    store();
    for (uint32_t i = 0; i < ALL; i++)
        phases[i].dropped = 0;
}

void hcct_phases_abandon(void)
{
    for (uint32_t i = 0; i < ALL; i++) {
        phases[i].exact = (struct hcct_exact){ 0 };
        phases[i].summary = NULL;
        phases[i].dropped = 0;
        phases[i].is_made = i == current;
    }
    dropped_seen = 0;
}
