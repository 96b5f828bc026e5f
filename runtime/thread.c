/* See thread.h. A block is attached at a thread's first miss or push, and left to the next thread when its own ends.
 *
 * A thread's last calls come from destructors of its thread-local data; pthread runs ours between them, up to
 * PTHREAD_DESTRUCTOR_ITERATIONS times, because each attach asks for it again. */
#include "runtime/thread.h"

#include <pthread.h>
#include <sched.h>

#include "runtime/count.h"
#include "runtime/memory.h"

/* Every key misses here, so that a thread without a block needs no test: never written. */
static struct hcct_slot no_slots[HCCT_SLOTS];

_Thread_local struct hcct_thread __hcct_thread = {
    .top = &hcct_root_page[HCCT_STACK_PAGE_BYTES / sizeof(struct hcct_frame) - 1],
    .slots = no_slots,
};

static _Thread_local struct hcct_worker *self;
_Thread_local volatile uint32_t hcct_busy;
_Thread_local volatile bool hcct_deferred;
static struct hcct_worker *workers; /* under the table lock */
static atomic_int table_lock;
static pthread_key_t exit_key;
static pthread_once_t exit_key_once = PTHREAD_ONCE_INIT;
static bool exit_key_made;

void hcct_table_lock(void)
{
    for (unsigned spins = 0; atomic_exchange_explicit(&table_lock, 1, memory_order_acquire); spins++)
        if (spins > 100)
            sched_yield();
}

void hcct_table_unlock(void)
{
    atomic_store_explicit(&table_lock, 0, memory_order_release);
}

void hcct_table_lock_init(void)
{
    atomic_store_explicit(&table_lock, 0, memory_order_relaxed);
}

static void release(struct hcct_worker *worker)
{
    hcct_count_drain(worker);
    for (uint32_t i = 0; i < HCCT_SLOTS; i++)
        worker->slots[i].key = 0;
    worker->outer = NULL;
    worker->in_use = false;
}

static void leave(void *block)
{
    struct hcct_worker *worker = block, *inner;
    hcct_busy_enter();
    __hcct_thread.slots = no_slots;
    self = NULL;
    hcct_table_lock();
    for (; worker; worker = inner) {
        inner = worker->inner;
        if (worker->outer) { /* the stack is the outermost level's */
            worker->stack = NULL;
            worker->pending = NULL;
        }
        worker->inner = NULL;
        release(worker);
    }
    hcct_table_unlock();
    hcct_busy_leave();
}

static void make_exit_key(void)
{
    exit_key_made = pthread_key_create(&exit_key, leave) == 0;
}

static struct hcct_worker *take_block(void)
{
    hcct_table_lock();
    struct hcct_worker *worker = workers;
    while (worker && worker->in_use)
        worker = worker->next;
    if (!worker && (worker = hcct_memory_map(sizeof *worker))) {
        worker->next = workers;
        workers = worker;
    }
    if (worker)
        worker->in_use = true;
    hcct_table_unlock();
    return worker;
}

static void attach(void)
{
    hcct_busy_enter();
    struct hcct_worker *worker = self ? NULL : take_block();
    if (worker) {
        self = worker;
        __hcct_thread.slots = worker->slots;
        pthread_once(&exit_key_once, make_exit_key);
        if (exit_key_made)
            pthread_setspecific(exit_key, worker);
    }
    hcct_busy_leave();
}

struct hcct_worker *hcct_worker_self(void)
{
    if (__builtin_expect(!self, 0))
        attach();
    return self;
}

struct hcct_worker *hcct_worker_current(void)
{
    return self;
}

bool hcct_worker_enter_level(struct hcct_level level)
{
    struct hcct_worker *outer = hcct_worker_self();
    if (!outer)
        return false;
    hcct_busy_enter();
    struct hcct_worker *inner = outer->inner ? outer->inner : take_block();
    if (inner) {
        outer->inner = inner;
        inner->outer = outer;
        inner->stack = outer->stack;
        inner->pending = outer->pending;
        inner->level = level;
        self = inner;
        __hcct_thread.slots = inner->slots;
    }
    hcct_busy_leave();
    return inner != NULL;
}

void hcct_worker_leave_level(void)
{
    struct hcct_worker *outer = self->outer;
    __hcct_thread.top = self->level.top;
    self->outer = NULL;
    self->stack = NULL;
    self->pending = NULL;
    self = outer;
    __hcct_thread.slots = outer->slots;
}

struct hcct_worker *hcct_worker_first(void)
{
    return workers;
}

static bool is_own(const struct hcct_worker *worker)
{
    for (const struct hcct_worker *level = self; level; level = level->outer)
        if (level == worker || level->inner == worker)
            return true;
    return false;
}

void hcct_worker_after_fork(void)
{
    for (struct hcct_worker *worker = workers; worker; worker = worker->next)
        if (worker->in_use && !is_own(worker)) {
            for (uint32_t i = 0; i < HCCT_SLOTS; i++)
                worker->slots[i].key = 0;
            worker->in_use = false;
        }
}

size_t hcct_worker_stack_bytes(void)
{
    if (!self || !self->stack)
        return 0;
    uintptr_t used = (uintptr_t)__hcct_thread.top - (uintptr_t)self->stack;
    return used < HCCT_STACK_FRAMES * sizeof(struct hcct_frame) ? used : 0;
}
