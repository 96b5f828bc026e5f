/* The phases of a run, which the program names by hcct_phase(): each has tables of its own.
 *
 * hcct_tables has those of the current phase, so nothing that counts knows of phases. At a change, what slots
 * and batches hold goes to the tables of the phase that ends. Then the tables are exchanged.
 *
 * Invariants
 *   1. the tables of a phase have what was counted while it was the current one. What other threads count
 *      during a change belongs to one of the two;
 *   2. each table keeps its algorithm's guarantees, with the N of its phase;
 *   3. the calls of all phases add up to hcct_count_calls(). hcct_tables.elsewhere is the weight in the
 *      tables of all phases but the current one.
 * Memory: HCCT_PHASES times that of one phase, and twice more: before the first phase, and after the last one
 * that has a name of its own.
 * Threads: everything under the table lock. */
#ifndef HCCT_RUNTIME_COUNT_PHASES_H
#define HCCT_RUNTIME_COUNT_PHASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/layout.h"
#include "runtime/stream/exact.h"
#include "runtime/stream/space_saving.h"

#define HCCT_PHASE_NAME_BYTES 64

struct hcct_phase {
    char name[HCCT_PHASE_NAME_BYTES];
    struct hcct_exact exact;      /* mode=cct */
    struct hcct_summary *summary; /* mode=hcct */
    uint64_t dropped;             /* without memory or interrupted, apart from exact.dropped */
    bool is_made;
};

/* From now on calls belong to the phase of that name; NULL or "": to none. False if there are too many names
 * or memory is short: then they belong to the rest, or to the phase that was current. */
bool hcct_phases_enter(const char *name);
/* Whether there is more than one phase. */
bool hcct_phases_are_told_apart(void);
/* The phase at `index`, as it is now; its `is_made` is false if it was never entered. NULL: `index` is behind
 * the last one. */
const struct hcct_phase *hcct_phases_at(uint32_t index);
const struct hcct_phase *hcct_phases_current(void);
/* N of the phase, and its largest count without an entry. */
uint64_t hcct_phases_calls(const struct hcct_phase *phase);
uint64_t hcct_phases_floor(const struct hcct_phase *phase);
/* The first entry at *place or behind it; *place becomes its place. False: there is none. */
bool hcct_phases_next(const struct hcct_phase *phase, size_t *place, struct hcct_entry *entry);
/* Calls `action` with the tables of each phase in hcct_tables; then all is as before. No phase has dropped
 * anything from now on. */
void hcct_phases_each(void (*action)(void));
/* The tables of all phases were abandoned, and hcct_tables has new ones: those of the current phase. */
void hcct_phases_abandon(void);

#endif
