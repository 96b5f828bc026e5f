/* The count layer without the layers above it: words of a million calls, of two threads one after the other,
 * and then of several at the same time, while another one reads the tables again and again; in a program that
 * has no instrumented code and no start. */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "hcct/abi.h"
#include "runtime/base/go_on.h"
#include "runtime/core/block.h"
#include "runtime/core/busy.h"
#include "runtime/core/settings.h"
#include "runtime/count/count.h"
#include "runtime/count/settings.h"
#include "runtime/count/summaries.h"
#include "runtime/objects/numbering.h"
#include "runtime/stream/space_saving_check.h"
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

static void start_anew(uint32_t mode)
{
    hcct_core_settings.mode = mode;
    hcct_busy_enter();
    hcct_tables_lock();
    hcct_count_start_anew();
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

/* --- threads at the same time ----------------------------------------------------------------------- */

enum { THREADS = 4, MANY_CONTEXTS = 40000, ROUNDS = 3 };

static uint64_t true_counts[THREADS][MANY_CONTEXTS];
static atomic_int running;

/* Half of the calls go to few contexts, the others to all; after a third of them to other ones. */
static void *run_beside_others(void *argument)
{
    uint64_t thread = (uintptr_t)argument, random = thread + 1;
    for (uint32_t i = 0; i < 2 * CALLS; i++) {
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
        uint64_t limit = random >> 20 & 1 ? MANY_CONTEXTS : MANY_CONTEXTS / 20,
                 context = ((random >> 33) % limit + i / CALLS * 777) % MANY_CONTEXTS;
        true_counts[thread][context]++;
        __hcct_count(HCCT_NOTHING_4, &state, word_of((uint32_t)context));
    }
    running--;
    return NULL;
}

static void lock(void)
{
    hcct_busy_enter();
    hcct_tables_lock();
}

static void unlock(void)
{
    hcct_tables_unlock();
    hcct_busy_leave();
}

/* Reads what a profile would have: no count may fall, and none may be lost. */
static void *read_again_and_again(void *argument)
{
    uint64_t calls = 0;
    while (running) {
        lock();
        hcct_count_drain_all();
        uint64_t now = hcct_count_calls();
        CHECK(now >= calls);
        CHECK(!hcct_tables.summary || hcct_space_saving_check(hcct_tables.summary));
        CHECK(hcct_tables.summary || hcct_exact_check(&hcct_tables.exact));
        calls = now;
        unlock();
        nanosleep(&(struct timespec){ .tv_nsec = 3000000 }, NULL);
    }
    return argument;
}

static void run_all(void)
{
    pthread_t threads[THREADS], reader;
    unsigned begun = 0;
    memset(true_counts, 0, sizeof true_counts);
    running = THREADS;
    for (uintptr_t i = 0; i < THREADS; i++)
        begun += !pthread_create(&threads[i], NULL, run_beside_others,
                                 (void *)i); /* NOLINT(performance-no-int-to-ptr) */
    begun += !pthread_create(&reader, NULL, read_again_and_again, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    pthread_join(reader, NULL);
    CHECK(begun == THREADS + 1);
    for (int i = 1; i < THREADS; i++)
        for (int context = 0; context < MANY_CONTEXTS; context++)
            true_counts[0][context] += true_counts[i][context];
}

static void check_all_exact(void)
{
    run_all();
    lock();
    hcct_count_drain_all();
    CHECK(hcct_count_calls() == THREADS * 2 * CALLS);
    for (uint32_t i = 0; i < MANY_CONTEXTS; i++) {
        const struct hcct_exact_slot *slot = hcct_exact_find(&hcct_tables.exact, word_of(i));
        CHECK((slot ? slot->count : 0) == true_counts[0][i]);
    }
    end();
}

static void check_all_in_summary(bool fit)
{
    run_all();
    lock();
    hcct_count_drain_all();
    const struct hcct_summary *summary = hcct_tables.summary;
    uint64_t floor = hcct_space_saving_floor(summary), above = 0;
    CHECK(hcct_count_calls() == THREADS * 2 * CALLS && hcct_space_saving_check(summary));
    for (uint32_t i = 0; i < hcct_space_saving_size(summary); i++) {
        struct hcct_entry entry = hcct_space_saving_entry(summary, i);
        uint64_t count = true_counts[0][(entry.key - HCCT_ID_FIRST) / HCCT_ID_UNIT];
        CHECK(entry.count - entry.error <= count && count <= entry.count && entry.error <= floor);
        above += count > floor;
    }
    for (uint32_t i = 0; i < MANY_CONTEXTS; i++)
        above -= true_counts[0][i] > floor;
    CHECK(above == 0 && (floor == 0) == fit);
    CHECK(fit || hcct_summaries_count() > 1); /* threads found their parts locked */
    end();
}

/* --- chains ------------------------------------------------------------------------------------------ */

/* A key that is hot by a few calls between two merges each time, in a part whose own summary is full by then
 * and takes none of the first calls of a key. */
static void check_chain_after_merges(void)
{
    enum { HOT = MANY_CONTEXTS - 1, EACH = 1400, HOT_CALLS = 8, MERGES = 10, WAYS = MANY_CONTEXTS - 1 };
    uint32_t next = 0;
    hcct_tally_of(hcct_block_self())->part = 1;
    for (uint32_t i = 0; i < 100 * COUNTERS; i++)
        __hcct_count(HCCT_NOTHING_4, &state, word_of(next++ % WAYS));
    for (int round = 0; round < MERGES; round++) {
        for (uint32_t i = 0; i < EACH; i++)
            __hcct_count(HCCT_NOTHING_4, &state, word_of(next++ % WAYS));
        for (int i = 0; i < HOT_CALLS; i++)
            __hcct_count(HCCT_NOTHING_4, &state, word_of(HOT));
        lock();
        CHECK(hcct_tally_of(hcct_block_self())->part == 1 && hcct_summaries[1]);
        hcct_count_drain_all();
        unlock();
    }
    lock();
    uint32_t place = hcct_space_saving_place_of(hcct_tables.summary, word_of(HOT));
    CHECK(place != HCCT_NO_PLACE && hcct_space_saving_entry(hcct_tables.summary, place).node);
    end();
}

int main(void)
{
    hcct_numbering_id_count = CONTEXTS * HCCT_ID_UNIT;
    hcct_core_settings.mode = HCCT_MODE_CCT;
    hcct_block_start();
    hcct_count_start();
    check_exact();
    hcct_count_settings.contexts = hcct_count_settings.capacity = COUNTERS;
    start_anew(HCCT_MODE_HCCT);
    check_bounded();
    hcct_numbering_id_count = MANY_CONTEXTS * HCCT_ID_UNIT;
    state.contexts = MANY_CONTEXTS * HCCT_ID_UNIT;
    for (int round = 0; round < ROUNDS; round++) {
        hcct_count_settings.contexts = 10 * COUNTERS;
        start_anew(HCCT_MODE_HCCT);
        check_all_in_summary(false);
        hcct_count_settings.contexts = 2 * MANY_CONTEXTS;
        start_anew(HCCT_MODE_HCCT);
        check_all_in_summary(true);
        start_anew(HCCT_MODE_CCT);
        check_all_exact();
    }
    hcct_count_settings.phi = (union hcct_real){ .value = 5e-3 };
    hcct_count_settings.contexts = 10 * COUNTERS;
    start_anew(HCCT_MODE_HCCT);
    check_chain_after_merges();
    CHECK_DONE();
}
