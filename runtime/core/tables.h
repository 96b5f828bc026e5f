/* The tables that everything is counted in, and their lock. What is done to them: count/count.h. */
#ifndef HCCT_RUNTIME_CORE_TABLES_H
#define HCCT_RUNTIME_CORE_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hcct/live.h"
#include "runtime/stream/algorithm.h"
#include "runtime/stream/exact.h"

/* Begins as struct hcct_live_state. Pages of its own. */
struct hcct_tables {
    _Alignas(HCCT_LIVE_PAGE) struct hcct_live_move move;
    uint64_t dropped_memory; /* beside exact.dropped */
    uint64_t dropped_interrupted;
    uint64_t stale;
    uint64_t overflowed;                    /* see stack.c */
    uint64_t running;                       /* 0 between hcct_stop and hcct_start */
    struct hcct_exact exact;                /* mode=cct */
    struct hcct_summary *summary;           /* mode=hcct */
    const struct hcct_algorithm *algorithm; /* whose it is */
    size_t bytes;
    bool given_up; /* for good: ids are not unique */
};

extern struct hcct_tables hcct_tables;

/* The table lock: guards every table of the process. Not recursive; only while busy, so that no handler forks
 * in between: in a forked child who takes it notices. */
void hcct_table_lock(void);
/* A little time until the next try for a lock that was tried so often. */
void hcct_back_off(unsigned spins);
void hcct_table_unlock(void);
/* In a forked child: makes it free; returns whether it was held. */
bool hcct_table_lock_init(void);

/* Whether the calling thread has it. */
bool hcct_table_is_held(void);

/* seam: made by count/count.c. Stops counting, for good: ids are not unique. Not under the lock. */
void hcct_count_give_up(void);

#endif
