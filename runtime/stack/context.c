/* See context.h. An instrumented function that calls the API directly leaves its own word in the thread's
 * word, as for a callee that is numbered and has the id of its caller (pass/emit/emit.c). Elsewhere there is
 * none: then the newest live frame of the context stack tells by which call instrumented code was left.
 *
 * Pins are an open hash table by word, of fixed size, in which nothing is ever removed.
 *
 * Invariants
 *   1. a pin holds a reference to its node, so that the chain of its pushes stays;
 *   2. a pin's node is written before its word, which alone makes it one: so a pin is found without a lock;
 *   3. in mode=hcct pins leave half of the nodes to what is counted. */
#include "runtime/stack/context.h"

#include "hcct/hcct.h"
#include "runtime/base/key_hash.h"
#include "runtime/base/memory.h"
#include "runtime/boundary/signals.h"
#include "runtime/core/process.h"
#include "runtime/count/count.h"
#include "runtime/objects/registry.h"
#include "runtime/stack/path.h"

#define API __attribute__((visibility("default"), used))

enum { PIN_LIMIT = 1 << 14, PIN_SLOTS = 2 * PIN_LIMIT };

const char hcct_context_present = 1;
static struct hcct_pin *pins; /* [PIN_SLOTS] */
static size_t pin_count;      /* under the table lock, and so is what follows a change of it */

struct hcct_here hcct_context_here(uintptr_t sp)
{
    uint64_t word = __hcct_thread.ctx;
    if (word > HCCT_WORD_TAIL) {
        __hcct_thread.ctx = HCCT_WORD_NONE;
        return (struct hcct_here){ word, hcct_stack_find(__hcct_thread.top, word, NULL, sp) };
    }
    const struct hcct_frame *frame = hcct_stack_newest(__hcct_thread.top, sp);
    return frame ? (struct hcct_here){ frame->prefix, frame } : (struct hcct_here){ 0 };
}

/* Whether all instrumented code keeps `current`. */
static bool all_restores(void)
{
    for (size_t i = 0; i < hcct_registry_object_count(); i++)
        if (hcct_registry_object(i)->loaded && !hcct_registry_object(i)->restores)
            return false;
    return true;
}

/* Of what a signal interrupted. *whole: that very context, else one that it is below. */
static struct hcct_here interrupted_here(const struct hcct_interrupted *interrupted, bool *whole)
{
    uint64_t word = interrupted->current;
    const struct hcct_frame *frame = NULL;
    *whole = all_restores();
    if (*whole)
        frame = hcct_stack_find(interrupted->top, word, NULL, interrupted->sp);
    if (frame)
        return (struct hcct_here){ word, frame };
    frame = hcct_stack_newest(interrupted->top, interrupted->sp);
    /* nothing instrumented runs */
    *whole = *whole && frame && hcct_stack_is_root(frame) && frame->prefix == word;
    return frame ? (struct hcct_here){ frame->prefix, frame } : (struct hcct_here){ 0 };
}

/* --- pins ----------------------------------------------------------------------------------------- */

/* The pin of `word`, or the free one where it would go. */
static struct hcct_pin *pin_of(struct hcct_pin *table, uint64_t word)
{
    size_t at = hcct_key_hash(word) & (PIN_SLOTS - 1);
    for (uint64_t found; (found = __atomic_load_n(&table[at].word, __ATOMIC_ACQUIRE)) && found != word;)
        at = (at + 1) & (PIN_SLOTS - 1);
    return &table[at];
}

static bool is_pinned(uint64_t word)
{
    struct hcct_pin *table = __atomic_load_n(&pins, __ATOMIC_ACQUIRE);
    return table && pin_of(table, word)->word == word;
}

static hcct_node intern(const struct hcct_frame *frame)
{
    struct hcct_worker *worker = hcct_worker_self();
    if (!worker || !hcct_prefix_has_room())
        return 0;
    return hcct_prefix_intern(frame, worker->pending, hcct_worker_pending_room(worker));
}

/* Under the table lock. */
static bool pin(struct hcct_here here)
{
    if (!pins)
        __atomic_store_n(&pins, hcct_memory_map(PIN_SLOTS * sizeof *pins), __ATOMIC_RELEASE);
    if (!pins || pin_count == PIN_LIMIT)
        return is_pinned(here.word);
    struct hcct_pin *place = pin_of(pins, here.word);
    if (place->word)
        return true;
    place->node = intern(here.frame);
    if (!place->node)
        return false;
    __atomic_store_n(&place->word, here.word, __ATOMIC_RELEASE);
    pin_count++;
    return true;
}

const struct hcct_pin *hcct_context_next_pin(const struct hcct_pin *last)
{
    const struct hcct_pin *end = pins + PIN_SLOTS;
    for (const struct hcct_pin *at = last ? last + 1 : pins; pins && at < end; at++)
        if (at->word)
            return at;
    return NULL;
}

void hcct_context_forget_pins(void)
{
    hcct_memory_unmap(pins, pins ? PIN_SLOTS * sizeof *pins : 0);
    pins = NULL;
    pin_count = 0;
}

/* --- the API -------------------------------------------------------------------------------------- */

API uint64_t __hcct_api_context(void)
{
    return hcct_context_here((uintptr_t)__builtin_frame_address(0)).word;
}

API int __hcct_api_context_pin(void)
{
    struct hcct_here here = hcct_context_here((uintptr_t)__builtin_frame_address(0));
    hcct_process_notice();
    if (here.word && is_pinned(here.word))
        return true;
    if (!here.word || !here.frame || hcct_busy) /* none, or in the handler of a fault inside the tables */
        return false;
    hcct_busy_enter();
    hcct_table_lock();
    bool pinned = pin(here);
    hcct_table_unlock();
    hcct_busy_leave();
    return pinned;
}

API size_t __hcct_api_context_describe(char *buffer, size_t size)
{
    struct hcct_here here = hcct_context_here((uintptr_t)__builtin_frame_address(0));
    if (hcct_busy)
        here.word = 0;
    return hcct_path_describe(here, true, buffer, size);
}

/* Also where the signal came in the profiler itself (a fault, as by the end of the stack): what this reads is
 * not in the tables. */
API size_t __hcct_api_context_describe_interrupted(char *buffer, size_t size)
{
    if (hcct_in_handler)
        hcct_signals_leave_dead((uintptr_t)__builtin_frame_address(0));
    struct hcct_interrupted interrupted = hcct_stack_interrupted();
    bool whole = true;
    struct hcct_here here = { 0 };
    if (interrupted.top)
        here = interrupted_here(&interrupted, &whole);
    return hcct_path_describe(here, whole, buffer, size);
}
