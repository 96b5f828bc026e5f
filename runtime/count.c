/* Counting: from a slot that is missed to the tables.
 *
 * mode=cct   every miss takes the slot; its chain of pushes is interned, the old pair goes to the exact table.
 * mode=hcct  a key that misses for the first time only goes to the summary, with weight 1 and without its chain; one
 *            that misses twice in a row at its slot takes it, and its chain is interned. So a context that occurs
 *            once costs no interning, once the summary is full. An entry without a chain gets it when it comes again
 *            (count - error >= 2).
 *
 * Invariants
 *   1. what the tables got of a slot's count is side.drained: the rest follows when the slot is taken or drained;
 *   2. a slot, an entry and the exact table hold a reference to their node each;
 *   3. weights in the tables + dropped = calls.
 * Cost: 20 to 60 ns a miss, two cache lines of the side record and the summary, and an uncontended lock.
 * Source: D'Elia, Demetrescu and Finocchi, SPE 2015, section 4.2, with weighted updates. */
#include "runtime/count.h"

#include "runtime/memory.h"
#include "runtime/options.h"
#include "runtime/prefix.h"

struct hcct_tables hcct_tables;

void hcct_count_start(void)
{
    if (!hcct_prefix_start())
        return;
    if (hcct_options.mode == HCCT_MODE_HCCT) {
        hcct_tables.bytes = hcct_summary_bytes(hcct_options.capacity);
        void *memory = hcct_memory_map(hcct_tables.bytes);
        hcct_tables.summary = memory ? hcct_summary_init(memory, hcct_options.capacity) : NULL;
        if (!memory)
            return;
    }
    hcct_tables.running = true;
}

/* Adds to the tables. Takes over the caller's reference to `node`. Returns the entry's place in the summary. */
static uint32_t add(uint64_t key, uint64_t weight, hcct_node node)
{
    hcct_node evicted = 0, unused = 0;
    uint32_t place = 0;
    if (hcct_tables.summary)
        place = hcct_summary_add(hcct_tables.summary, key, weight, node, &evicted, &unused);
    else
        hcct_exact_add(&hcct_tables.exact, key, weight, node, &unused);
    hcct_prefix_release(evicted);
    hcct_prefix_release(unused);
    return place;
}

static uint64_t take_undrained(struct hcct_worker *worker, uint32_t at)
{
    uint64_t count = __atomic_load_n(&worker->slots[at].count, __ATOMIC_RELAXED);
    uint64_t fresh = count - worker->sides[at].drained;
    worker->sides[at].drained = count;
    return fresh;
}

/* What the slot holds beyond what was drained goes to the tables, with the slot's reference. */
static void hand_over(struct hcct_worker *worker, uint32_t at)
{
    struct hcct_side *side = &worker->sides[at];
    uint64_t fresh = take_undrained(worker, at);
    if (worker->slots[at].key && fresh && hcct_tables.running)
        add(worker->slots[at].key, fresh, side->node);
    else
        hcct_prefix_release(side->node);
    side->node = 0;
}

static void install(struct hcct_worker *worker, uint32_t at, uint64_t key, hcct_node node)
{
    hand_over(worker, at);
    worker->sides[at].drained = 0;
    worker->sides[at].node = node;
    __atomic_store_n(&worker->slots[at].key, key, __ATOMIC_RELAXED);
    __atomic_store_n(&worker->slots[at].count, 1, __ATOMIC_RELAXED);
}

/* The chain of `word`, interned. */
static hcct_node intern(struct hcct_worker *worker, uint64_t word, const struct hcct_state *state,
                        uintptr_t sp)
{
    const struct hcct_frame *frame = hcct_stack_find(__hcct_thread.top, word, state, sp);
    if (frame)
        return hcct_prefix_intern(frame, worker->pending, worker->pending ? HCCT_STACK_FRAMES : 0);
    hcct_tables.stale++;
    return hcct_prefix_unknown(word - state->base);
}

static void count_newcomer(struct hcct_worker *worker, uint64_t word, const struct hcct_state *state,
                           uintptr_t sp)
{
    struct hcct_summary *summary = hcct_tables.summary;
    uint32_t place = add(word, 1, 0);
    if (place == HCCT_NO_PLACE)
        return;
    struct hcct_entry entry = hcct_summary_entry(summary, place);
    if (!entry.node && (entry.count - entry.error >= 2 || !hcct_summary_floor(summary)))
        hcct_summary_set_node(summary, place, intern(worker, word, state, sp));
}

static void record(struct hcct_worker *worker, uint64_t word, const struct hcct_state *state, uintptr_t sp)
{
    uint32_t at = hcct_slot_of(word);
    struct hcct_side *side = &worker->sides[at];
    uint32_t bits = (uint32_t)(word ^ word >> 32) | 1;
    if (!hcct_tables.running)
        return;
    if (hcct_tables.summary && side->probation != bits) {
        side->probation = bits;
        count_newcomer(worker, word, state, sp);
    } else {
        install(worker, at, word, intern(worker, word, state, sp));
    }
}

void __hcct_miss(uint64_t word, struct hcct_state *state)
{
    uintptr_t sp = (uintptr_t)__builtin_frame_address(0); /* below the caller's: it only filters */
    if (__builtin_expect(hcct_busy != 0, 0)) {            /* the handler of a fault inside the tables */
        __atomic_fetch_add(&hcct_tables.dropped_interrupted, 1, __ATOMIC_RELAXED);
        return;
    }
    struct hcct_worker *worker = hcct_worker_self();
    if (!worker) {
        __atomic_fetch_add(&hcct_tables.dropped_memory, 1, __ATOMIC_RELAXED);
        return;
    }
    if (!state->base) { /* its object could not be numbered */
        __atomic_fetch_add(&hcct_tables.dropped_memory, 1, __ATOMIC_RELAXED);
        return;
    }
    hcct_busy_enter();
    hcct_table_lock();
    if (word <= HCCT_WORD_TAIL) { /* a local function was entered by a call that nobody numbered */
        hcct_tables.stale++;
        word = state->base;
    }
    record(worker, word, state, sp);
    hcct_table_unlock();
    hcct_busy_leave();
}

/* --- draining ---------------------------------------------------------------------------------- */

void hcct_count_drain(struct hcct_worker *worker)
{
    for (uint32_t i = 0; i < HCCT_SLOTS; i++) {
        uint64_t key = worker->slots[i].key, fresh = key ? take_undrained(worker, i) : 0;
        if (!fresh || !hcct_tables.running)
            continue;
        hcct_prefix_retain(worker->sides[i].node);
        add(key, fresh, worker->sides[i].node);
    }
}

void hcct_count_forget(struct hcct_worker *worker)
{
    for (uint32_t i = 0; i < HCCT_SLOTS; i++)
        hcct_prefix_release(worker->sides[i].node);
}

void hcct_count_drain_all(void)
{
    for (struct hcct_worker *worker = hcct_worker_first(); worker; worker = worker->next)
        hcct_count_drain(worker);
}

void hcct_count_set_running(bool running)
{
    hcct_count_drain_all(); /* counted if it was on, forgotten if it was off */
    hcct_tables.running = running && (hcct_tables.summary || hcct_options.mode == HCCT_MODE_CCT);
}

static void release_entries(void)
{
    for (uint32_t i = 0; hcct_tables.summary && i < hcct_summary_capacity(hcct_tables.summary); i++)
        hcct_prefix_release(hcct_summary_entry(hcct_tables.summary, i).node);
}

void hcct_count_reset(void)
{
    hcct_count_drain_all();
    release_entries();
    if (hcct_tables.summary)
        hcct_summary_clear(hcct_tables.summary);
    hcct_exact_reset(&hcct_tables.exact);
    hcct_tables.dropped_memory = hcct_tables.dropped_interrupted = hcct_tables.stale = 0;
}

uint64_t hcct_count_calls(void)
{
    uint64_t counted = hcct_tables.summary ? hcct_summary_total(hcct_tables.summary)
                                           : hcct_tables.exact.total + hcct_tables.exact.dropped;
    return counted + hcct_tables.dropped_memory + hcct_tables.dropped_interrupted;
}
