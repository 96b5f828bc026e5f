/* The count layer without the layers above it: words of a million calls, of two threads one after the other,
 * in a program that has no instrumented code and no start. */
#include <pthread.h>

#include "hcct/abi.h"
#include "runtime/core/block.h"
#include "runtime/core/busy.h"
#include "runtime/core/settings.h"
#include "runtime/count/count.h"
#include "runtime/count/settings.h"
#include "runtime/objects/numbering.h"
#include "test/unit/check.h"

enum { CALLS = 500000, CONTEXTS = 5000, COUNTERS = 1000 };

static struct hcct_state state = { .base = HCCT_ID_FIRST, .contexts = CONTEXTS * HCCT_ID_UNIT };
static uint64_t truth[CONTEXTS];
static uint64_t random_state = 1;

static uint64_t word_of(uint32_t context)
{
    return HCCT_ID_FIRST + context * HCCT_ID_UNIT;
}

/* Some contexts have far more calls than others. */
static uint32_t next_context(void)
{
    random_state = random_state * UINT64_C(6364136223846793005) + 1442695040888963407;
    uint64_t first = (random_state >> 33) % CONTEXTS, bound = first % (random_state >> 50 | 1);
    return (uint32_t)(bound < CONTEXTS ? bound : first);
}

static void *run(void *unused)
{
    for (uint32_t i = 0; i < CALLS; i++) {
        uint32_t context = next_context();
        truth[context]++;
        __hcct_count(HCCT_NOTHING_4, &state, word_of(context));
    }
    return unused;
}

static void run_twice(void)
{
    pthread_t thread;
    for (uint32_t i = 0; i < CONTEXTS; i++)
        truth[i] = 0;
    run(NULL);
    CHECK(pthread_create(&thread, NULL, run, NULL) == 0 && pthread_join(thread, NULL) == 0);
    hcct_busy_enter();
    hcct_tables_lock();
    hcct_count_drain_all();
    CHECK(hcct_count_calls() == 2 * CALLS);
}

static void end(void)
{
    hcct_count_reset();
    CHECK(hcct_count_calls() == 0);
    hcct_tables_unlock();
    hcct_busy_leave();
}

static void check_exact(void)
{
    run_twice();
    for (uint32_t i = 0; i < CONTEXTS; i++) {
        const struct hcct_exact_slot *slot = hcct_exact_find(&hcct_tables.exact, word_of(i));
        CHECK((slot ? slot->count : 0) == truth[i]);
    }
    end();
}

static void check_bounded(void)
{
    run_twice();
    uint64_t floor = hcct_space_saving_floor(hcct_tables.summary);
    uint32_t size = hcct_space_saving_size(hcct_tables.summary), found = 0;
    CHECK(floor > 0 && floor <= 2 * CALLS / COUNTERS && size == COUNTERS);
    for (uint32_t i = 0; i < size; i++) {
        struct hcct_entry entry = hcct_space_saving_entry(hcct_tables.summary, i);
        uint64_t count = truth[(entry.key - HCCT_ID_FIRST) / HCCT_ID_UNIT];
        CHECK(entry.count - entry.error <= count && count <= entry.count && entry.error <= floor);
        found += count > floor;
    }
    for (uint32_t i = 0; i < CONTEXTS; i++)
        found -= truth[i] > floor;
    CHECK(found == 0); /* all that is above the floor */
    end();
}

int main(void)
{
    hcct_numbering_id_count = CONTEXTS * HCCT_ID_UNIT;
    hcct_core_settings.mode = HCCT_MODE_CCT;
    hcct_block_start();
    hcct_count_start();
    check_exact();
    hcct_core_settings.mode = HCCT_MODE_HCCT;
    hcct_count_settings.contexts = hcct_count_settings.capacity = COUNTERS;
    hcct_busy_enter();
    hcct_tables_lock();
    hcct_count_start_anew();
    hcct_tables_unlock();
    hcct_busy_leave();
    check_bounded();
    CHECK_DONE();
}
