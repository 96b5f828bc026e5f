/* Changes of the tables: adding, draining, resetting, switching on and off. Everything under the table
 * lock. */
#ifndef HCCT_RUNTIME_COUNT_COUNT_H
#define HCCT_RUNTIME_COUNT_COUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/core/tables.h"
#include "runtime/count/tally.h"
#include "runtime/stack/here.h"

/* Makes the tables. Nothing is counted before. */
void hcct_count_start(void);
/* In a child that was forked while another thread changed the tables, and without fork handlers: abandons
 * the tables and makes new ones. */
void hcct_count_start_anew(void);
/* Waits until no thread adds a batch, and keeps them from it until the table lock is released. Before counts
 * move or are read together, and before another thread's slots and batch are touched. */
void hcct_count_exclude(void);
/* Adds to the tables. Takes over the caller's reference to `node`. Returns the entry's place in the summary,
 * or HCCT_NO_PLACE; with mode=cct 0, which means nothing. */
uint32_t hcct_count_add(uint64_t key, uint64_t weight, hcct_node node);
/* metric=weight: adds `weight` to the context `here`, which is live. */
void hcct_count_weight(struct hcct_tally *tally, struct hcct_here here, uint64_t weight);
/* metric=clock: adds the time of a call of the context `word`. It is live for code with the stack pointer
 * `sp`. */
void hcct_count_time(struct hcct_tally *tally, uint64_t word, uint64_t time, uintptr_t sp);
/* The same while counting is stopped, for time of before that. */
void hcct_count_time_before(struct hcct_tally *tally, uint64_t word, uint64_t time, uintptr_t sp);
/* Adds the part of the slot's count that is not drained to the tables, if there is any. The tables then get
 * a reference to the slot's node: the slot's own if `gives`, else a new one. Returns whether anything was
 * added. */
bool hcct_count_drain_slot(struct hcct_tally *tally, uint32_t at, bool gives);
/* Drains the slot and gives it to `key`, with `count` as its count so far. Takes over the caller's reference
 * to `node`. `function`: the place of the key's function (functions.h); 0 if the slot does not count
 * calls. */
void hcct_count_install_slot(struct hcct_tally *tally, uint32_t at, uint64_t key, hcct_node node,
                             uint32_t function, uint64_t count);
/* Adds the contents of the thread's slots and batch to the tables. The thread may run on. */
void hcct_count_drain(struct hcct_tally *tally);
/* Adds the contents of all threads' slots and batches to the tables. The threads may run on, but add nothing
 * until the table lock is released. */
void hcct_count_drain_tallies(void);
/* The same before counts are read: then all are in hcct_tables. */
void hcct_count_drain_all(void);
/* Sets all counts to zero. Contexts are kept. */
void hcct_count_reset(void);
/* Switches counting. What slots count while it is off is dropped. */
void hcct_count_set_running(bool running);
/* Stops counting for good, because ids are not unique. Not under the lock. */
void hcct_count_give_up(void);
/* N. Call hcct_count_drain_all first. */
uint64_t hcct_count_calls(void);

#endif
