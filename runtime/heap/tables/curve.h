/* The size of the heap over the run: a bounded number of points (struct hcct_file_curve), and at a few of
 * them what each context had live.
 *
 * Points. A point is taken when the program has allocated and freed so many bytes since the last one: at
 * first at every change. When all points are taken, half of them or more are dropped, and from then on the
 * distance is a 256th of what was allocated and freed so far. Each point has the most that was live since
 * the one before: so no peak is lost between points.
 *
 * Contexts. A few points, spread as evenly, are detailed. As with the peak (contexts.h), nothing is copied
 * when one is taken: a context notes what it had there when it is about to change for the first time since.
 *
 * Cost of a change: two comparisons. A point costs a look at the clock; at most 512 are taken while the
 * bytes double.
 *
 * Invariants
 *   1. detail d was taken at moment details.of[d].moment, and these ascend;
 *   2. a context whose last change was at or before that moment had there what it has now. Otherwise its row
 *      has what it had.
 * Threads: under the table lock. */
#ifndef HCCT_RUNTIME_HEAP_CURVE_H
#define HCCT_RUNTIME_HEAP_CURVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/layout.h"

/* Makes room for the contexts 0 to limit. Where memory is short, no point is detailed. */
void hcct_heap_curve_start(uint32_t limit);
/* No points. */
void hcct_heap_curve_clear(void);

/* What a context was, for what it had at a point. */
struct hcct_heap_curve_context {
    uint32_t number;
    uint64_t changed; /* the moment of its last change */
    uint64_t live_bytes;
};
/* Context `from` becomes context `to`, which is no other's any more. */
void hcct_heap_curve_move(uint32_t to, uint32_t from);
/* Adds what context `from` had to what `to` had; `to` counts as changed from now on. */
void hcct_heap_curve_fold(struct hcct_heap_curve_context to, struct hcct_heap_curve_context from);
/* The heap was allocated_bytes and live_bytes at `moment`, and a point is due. The moment ends. */
void hcct_heap_curve_take(uint64_t moment, uint64_t allocated_bytes, uint64_t live_bytes);

/* The points so far, and one of now, whose number is the last. Returns how many. */
uint32_t hcct_heap_curve_points(uint64_t allocated_bytes, uint64_t live_bytes);
struct hcct_file_curve hcct_heap_curve_point(uint32_t point);
/* What the context had live at a detailed point. */
uint64_t hcct_heap_curve_at(uint32_t point, struct hcct_heap_curve_context context);

extern __attribute__((visibility("hidden"))) struct hcct_heap_curve_details {
    uint64_t (*rows)[HCCT_FILE_CURVE_DETAILS]; /* per context; NULL: no details */
    uint64_t newest;                           /* the moment of the newest detail; 0: none */
    uint32_t count;
    struct hcct_heap_curve_detail {
        uint64_t moment;
        uint32_t point;
        uint32_t column; /* of the rows */
    } of[HCCT_FILE_CURVE_DETAILS];
} hcct_heap_curve_details;
/* The most that was live since the last point, when a block was about to end. */
extern __attribute__((visibility("hidden"))) uint64_t hcct_heap_curve_most;
/* How many bytes may be allocated or freed until a point is due: in two parts, so that one is small. */
enum { HCCT_HEAP_CURVE_FREE_MOST = 1 << 22 };
extern __attribute__((visibility("hidden"))) uint64_t hcct_heap_curve_free, hcct_heap_curve_more;

/* A context is about to change that has not since the newest detail. */
static inline __attribute__((always_inline)) void
hcct_heap_curve_note_before(struct hcct_heap_curve_context context)
{
    const struct hcct_heap_curve_details *details = &hcct_heap_curve_details;
    for (uint32_t i = details->count; i-- && context.changed <= details->of[i].moment;)
        details->rows[context.number][details->of[i].column] = context.live_bytes;
}

/* Call this before live blocks end. Returns whether more is live than before, since the last point. */
static inline bool hcct_heap_curve_rises(uint64_t live_bytes)
{
    bool rises = live_bytes > hcct_heap_curve_most;
    if (__builtin_expect(rises, 0))
        hcct_heap_curve_most = live_bytes;
    return rises;
}

static inline void hcct_heap_curve_set_free(uint64_t bytes)
{
    hcct_heap_curve_free = bytes < HCCT_HEAP_CURVE_FREE_MOST ? bytes : HCCT_HEAP_CURVE_FREE_MOST;
    hcct_heap_curve_more = bytes - hcct_heap_curve_free;
}

/* Blocks of so many bytes began or ended. Returns whether a point is due. */
static inline bool hcct_heap_curve_advance(uint64_t bytes)
{
    uint64_t all = hcct_heap_curve_free + hcct_heap_curve_more;
    if (bytes <= all)
        hcct_heap_curve_set_free(all - bytes);
    return bytes > all;
}

/* An end of so many bytes did not come to be. */
static inline void hcct_heap_curve_go_back(uint64_t bytes)
{
    hcct_heap_curve_more += bytes;
}

#endif
