/* What was counted: the tables behind the slots, and what was not exact. Everything under the table lock. */
#ifndef HCCT_RUNTIME_COUNT_COUNT_H
#define HCCT_RUNTIME_COUNT_COUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/core/tables.h"
#include "runtime/core/thread.h"
#include "runtime/stack/here.h"

/* Makes the tables; nothing is counted before. */
void hcct_count_start(void);
/* In a child that was forked without fork handlers while another thread changed the tables: leaves those,
 * makes new ones. */
void hcct_count_start_anew(void);
/* Adds to the tables. Takes over the caller's reference to `node`. Returns the entry's place in the summary,
 * or HCCT_NO_PLACE. */
uint32_t hcct_count_add(uint64_t key, uint64_t weight, hcct_node node);
/* Adds `weight` to the context `here`, which is live: metric=weight. */
void hcct_count_weight(struct hcct_worker *worker, struct hcct_here here, uint64_t weight);
/* The same of the function that `state` is, entered at `sp` with `word`: sample=…. Returns which context it
 * was. */
struct hcct_here hcct_count_sample(struct hcct_worker *worker, uint64_t word, const struct hcct_state *state,
                                   uintptr_t sp, uint64_t weight);
/* Adds the time of a call of the context `word`, which is live for code that runs at `sp`: metric=clock. */
void hcct_count_time(struct hcct_worker *worker, uint64_t word, uint64_t time, uintptr_t sp);
/* Brings what the slots of all threads hold into the tables. Their threads may go on. */
void hcct_count_drain_all(void);
/* Counts to zero; contexts kept. */
void hcct_count_reset(void);
/* Switches counting; what the slots counted while it was off is not counted. */
void hcct_count_set_running(bool running);
/* N. After hcct_count_drain_all. */
uint64_t hcct_count_calls(void);

#endif
