/* See known.h. */
#include "runtime/known/known.h"

#include <errno.h>
#include <string.h>

#include "runtime/core/settings.h"
#include "runtime/core/tables.h"
#include "runtime/count/miss.h"
#include "runtime/count/tally.h"
#include "runtime/known/known_file.h"
#include "runtime/objects/registry.h"
#include "runtime/stack/path.h"
#include "runtime/stack/stack.h"
#include "runtime/stack/walk.h"

char hcct_known_path[1024];

enum { LIMIT = 3 << 19 };                       /* 3/4 of 2^21 slots: 50 MB */
enum { KNOWN = 0, NEW = 1, NEW_TO_PARENT = 2 }; /* the last one is as good as no key */

/* Under the table lock. */
static struct hcct_exact seen;  /* keys of contexts, with one of these as their weight */
static struct hcct_exact paths; /* the known ones by path, if words do not tell */
static enum hcct_known_by known_by;
static struct {
    uint64_t known, found, unnoted; /* enum hcct_file_note_kind */
} numbers;
static void (*callback)(uint64_t context, void *argument);
static void *callback_argument;

static bool is_on; /* set at start */
static _Thread_local struct {
    struct hcct_block *block; /* in which the callback runs; NULL: it does not */
    uintptr_t sp;             /* the callback's frame */
} silent;

/* --- which are new ---------------------------------------------------------------------------------- */

/* Under the table lock. */
static bool is_unseen(uint64_t key)
{
    const struct hcct_exact_slot *slot = hcct_exact_find(&seen, key);
    return hcct_tables.running && (!slot || slot->count == NEW_TO_PARENT);
}

/* Notes the key. False if there is no room. Under the table lock. */
static bool note(uint64_t key, uint64_t weight)
{
    hcct_node unused;
    if (hcct_exact_find(&seen, key)) {
        hcct_exact_probe(&seen, key)->count = weight;
        return true;
    }
    bool has_room = hcct_core_settings.mode == HCCT_MODE_CCT || seen.size < LIMIT;
    return has_room && hcct_exact_add(&seen, key, weight, 0, &unused);
}

/* Whether the context has a known path. Walks the records, so not under the table lock. While busy. */
static bool has_known_path(struct hcct_here here)
{
    uint64_t key = 0;
    if (known_by != HCCT_KNOWN_BY_PATH)
        return false;
    if (hcct_registry_hold()) {
        key = hcct_path_key(here);
        hcct_registry_let_go();
    }
    return key && hcct_exact_find(&paths, key); /* which nobody changes */
}

/* Notes an unseen context. Returns whether it is new. While busy. */
static bool notice(struct hcct_here here)
{
    bool is_known = has_known_path(here), is_new = false;
    hcct_tables_lock();
    if (is_unseen(here.word)) { /* another thread may have been faster */
        bool noted = note(here.word, is_known ? KNOWN : NEW);
        numbers.unnoted += !noted;
        is_new = noted && !is_known;
        /* pairs with the load in hcct_known_found */
        __atomic_store_n(&numbers.found, numbers.found + is_new, __ATOMIC_RELAXED);
    }
    hcct_tables_unlock();
    return is_new;
}

/* --- the callback ------------------------------------------------------------------------------------ */

static void silence(struct hcct_block *block)
{
    silent.block = block;
    hcct_block_choose_slots(); /* which calls use_block */
}

static void use_block(struct hcct_block *block)
{
    hcct_meter_pauses = silent.block && block == silent.block;
}

/* The callback is left by a jump or an exception. */
static void jump(uintptr_t sp)
{
    if (silent.block && sp > silent.sp) {
        hcct_here_told = (struct hcct_here){ 0 };
        silence(NULL);
    }
}

static void call_back(struct hcct_block *block, struct hcct_here here)
{
    int saved = errno;
    hcct_busy_enter();
    hcct_tables_lock();
    void (*function)(uint64_t, void *) = callback;
    void *argument = callback_argument;
    hcct_tables_unlock();
    hcct_busy_leave();
    if (function) {
        silent.sp = (uintptr_t)__builtin_frame_address(0);
        hcct_here_told = here;
        silence(block);
        struct hcct_frame *frame = hcct_stack_enter_callback(silent.sp);
        function(here.word, argument);
        hcct_stack_leave_callback(frame);
        hcct_here_told = (struct hcct_here){ 0 };
        silence(NULL);
    }
    errno = saved;
}

bool hcct_known_tell(void (*function)(uint64_t context, void *argument), void *argument)
{
    hcct_busy_enter();
    hcct_tables_lock();
    callback = function;
    callback_argument = argument;
    hcct_tables_unlock();
    hcct_busy_leave();
    return is_on;
}

uint64_t hcct_known_found(void)
{
    return __atomic_load_n(&numbers.found, __ATOMIC_RELAXED);
}

/* --- calls ------------------------------------------------------------------------------------------- */

static void take_call(struct hcct_block *block, uint64_t word, const struct hcct_state *state, uintptr_t sp)
{
    /* a call that nobody numbered entered a local function */
    struct hcct_here here = { word > HCCT_WORD_TAIL ? word : state->base, NULL };
    hcct_busy_enter();
    hcct_tables_lock();
    bool unseen = is_on && here.word && is_unseen(here.word);
    hcct_miss_count(hcct_tally_of(block), word, state, sp);
    if (is_on) /* way 1 of a miss: it would not look at the key */
        __atomic_store_n(&hcct_tally_of(block)->batch.limit, 0, __ATOMIC_RELAXED);
    hcct_tables_unlock();
    if (unseen) {
        here.frame = word > HCCT_WORD_TAIL ? hcct_walk_find(__hcct_thread.top, word, state, sp) : NULL;
        unseen = notice(here);
    }
    hcct_busy_leave();
    if (unseen && !hcct_in_handler && !silent.block)
        call_back(block, here);
}

/* --- the file ---------------------------------------------------------------------------------------- */

static uint64_t tell(enum hcct_file_note_kind kind)
{
    if (!is_on)
        return 0;
    return kind == HCCT_NOTE_KNOWN     ? numbers.known
           : kind == HCCT_NOTE_FOUND   ? numbers.found
           : kind == HCCT_NOTE_UNNOTED ? numbers.unnoted
                                       : 0;
}

static uint32_t count_columns(void)
{
    return 1;
}

static struct hcct_meter_column begin_column(uint32_t column)
{
    (void)column;
    return (struct hcct_meter_column){ .name = HCCT_COLUMN_NEW,
                                       .unit = "contexts",
                                       .add = HCCT_ADD_NONE,
                                       .has_cells = true,
                                       .total = numbers.found };
}

static uint32_t number(uint64_t key)
{
    (void)key;
    return 0;
}

static uint64_t is_new(uint32_t column, uint64_t key, uint32_t own, uint32_t *mark)
{
    const struct hcct_exact_slot *slot = hcct_exact_find(&seen, key);
    (void)column;
    (void)own;
    (void)mark;
    return slot && slot->count == NEW;
}

static const struct hcct_meter_columns *columns(void)
{
    static const struct hcct_meter_columns all = {
        .count = count_columns, .begin = begin_column, .number = number, .value = is_new
    };
    return is_on ? &all : NULL;
}

/* --- the meter --------------------------------------------------------------------------------------- */

static bool is_chosen(void)
{
    return hcct_known_path[0];
}

static bool start(struct hcct_ticks *ticks)
{
    (void)ticks;
    is_on = true;
    if (strcmp(hcct_known_path, "none") == 0)
        return true;
    struct hcct_exact table = { 0 };
    known_by = hcct_known_file_read(hcct_known_path, &table);
    is_on = known_by != HCCT_KNOWN_BY_NOTHING;
    if (known_by == HCCT_KNOWN_BY_WORD)
        seen = table;
    else
        paths = table;
    numbers.known = table.size;
    return true;
}

/* The child's profile tells what is new in the child. */
static void after_fork(void)
{
    numbers.unnoted = 0;
    __atomic_store_n(&numbers.found, 0, __ATOMIC_RELAXED);
    for (size_t i = 0; i < seen.slot_count; i++)
        if (seen.slots[i].count == NEW)
            seen.slots[i].count = NEW_TO_PARENT;
}

static const struct hcct_meter_threads threads = { .jump = jump, .use_block = use_block };
static const struct hcct_meter_file file = { .columns = columns, .note = tell };

const struct hcct_meter hcct_meter_known = {
    .name = "known: ",
    .is_chosen = is_chosen,
    .calls.program = HCCT_CALLS_COUNT,
    .calls.take = take_call,
    .start = start,
    .after_fork = after_fork,
    .threads = &threads,
    .file = &file,
};
