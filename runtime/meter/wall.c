/* See wall.h. clone makes the observer, not pthread_create. So the C library does not know of it, and the
 * program ends with the program's own last thread. Exit and exec end the observer.
 *
 * Cost of a look, in system calls of 0.2 us: one for a thread that still waits as at the last look; three,
 * and the nodes of a new chain, for one that began to wait; two for any other. */
#define _GNU_SOURCE
#include "runtime/meter/wall.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "encoding/context.h"
#include "format/layout.h"
#include "runtime/base/machine.h"
#include "runtime/base/memory.h"
#include "runtime/core/notice.h"
#include "runtime/core/options.h"
#include "runtime/core/tables.h"
#include "runtime/count/count.h"
#include "runtime/meter/sampler.h"
#include "runtime/meter/ticks/timer.h"
#include "runtime/meter/time.h"
#include "runtime/objects/leaf.h"
#include "runtime/objects/numbering.h"
#include "runtime/stack/frame.h"
#include "runtime/stack/prefix.h"

enum { STACK_BYTES = 1 << 16, SLACK_BYTES = 4096, CHAIN_LIMIT = 1 << 16 };

static bool is_on;
static volatile bool is_stopped;
static pid_t observer; /* thread id */
static char *block;    /* the observer's stack, then its thread-local data; used again in a forked child */
static size_t block_bytes;
static pid_t self; /* the observer; whose memory is everybody's, also when the first thread has left */

/* --- clocks --------------------------------------------------------------------------------------- */

/* Sleeps until the next look: for half of the interval to one and a half, at random. */
static void sleep_a_little(uint64_t *state)
{
    uint64_t interval = 1000000000 / hcct_options.frequency;
    *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
    uint64_t ns = interval / 2 + (uint64_t)((unsigned __int128)interval * *state >> 64);
    struct timespec time = { .tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000) };
    syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &time, NULL);
}

/* --- another thread's memory ----------------------------------------------------------------------- */

static bool read_memory(const void *from, void *to, size_t bytes)
{
    struct iovec here = { to, bytes }, there = { (void *)(uintptr_t)from, bytes };
    return process_vm_readv(self, &here, 1, &there, 1, 0) == (ssize_t)bytes;
}

enum { PAGE_FRAMES = HCCT_STACK_PAGE_BYTES / sizeof(struct hcct_frame) };

/* The page of frames that was read last. */
static struct hcct_frame page[PAGE_FRAMES];
static uintptr_t page_at;

static const struct hcct_frame *read_frame(uintptr_t at)
{
    uintptr_t start = at / sizeof page * sizeof page;
    if (start != page_at && !read_memory((const void *)start, page, sizeof page))
        return NULL;
    page_at = start;
    return &page[(at - start) / sizeof page[0]];
}

/* --- a thread -------------------------------------------------------------------------------------- */

/* The frames of a word's chain that have no node yet, newest first. Mapped with the observer. */
static struct hcct_frame *chain;
static size_t chain_length;

/* Fills `chain` with the frames of the chain of `word`, down to the first that has a node. Returns that node,
 * with a reference for the caller; 0 if there is none. Dead frames are passed over: their words do not
 * fit. */
static hcct_node read_chain(uint64_t word, uintptr_t top)
{
    chain_length = 0;
    page_at = 0;
    for (const struct hcct_frame *frame; (frame = read_frame(top)); top -= sizeof *frame) {
        if (hcct_frame_is_overflow(frame))
            return 0;
        if (hcct_frame_is_barrier(frame))
            continue;
        bool root = hcct_frame_is_root(frame),
             made = hcct_numbering_is_id(hcct_context_id(word, frame->prefix));
        hcct_node node = made || (root && word == frame->prefix) ? hcct_prefix_find(frame) : 0;
        if (node || root || chain_length == CHAIN_LIMIT)
            return node;
        if (!made)
            continue;
        chain[chain_length++] = *frame;
        word = hcct_context_pusher(frame->prefix, frame->site);
    }
    return 0;
}

enum finding { RUNS, WAITS, LOST };

/* Where a thread waited at the last look, and what its CPU clock was then. */
struct wait {
    hcct_node node; /* holds a reference; 0: it did not wait */
    uint64_t word, cpu;
};

/* Finds the context that the thread waits in, and keeps it in the thread's `struct wait`. */
static enum finding find_wait(struct hcct_block *target, uint64_t cpu)
{
    struct wait *wait = hcct_meter_state(target);
    struct hcct_thread words;
    if (!read_memory(target->words, &words, sizeof words) || hcct_timer_cpu_ns(target->thread) != cpu)
        return RUNS;
    hcct_node node = read_chain(words.current, (uintptr_t)words.top);
    if (hcct_timer_cpu_ns(target->thread) != cpu) {
        hcct_prefix_release(node);
        return RUNS;
    }
    uint64_t site = hcct_leaf_waiting_site();
    node = node ? hcct_prefix_extend(node, chain, chain_length) : 0;
    node = node ? hcct_prefix_leaf(node, words.current, site) : 0;
    hcct_prefix_release(wait->node);
    wait->node = node;
    wait->word = hcct_context_leaf(words.current, site);
    wait->cpu = cpu;
    return node ? WAITS : LOST;
}

/* Under the table lock. */
static void look_at(struct hcct_block *target, uint64_t passed)
{
    struct wait *wait = hcct_meter_state(target);
    uint64_t cpu = hcct_timer_of(target)->has_timer && target->words ? hcct_timer_cpu_ns(target->thread) : 0;
    if (hcct_timer_of(target)->is_untimed && hcct_tables.running)
        __atomic_fetch_add(&hcct_tables.dropped_interrupted, passed, __ATOMIC_RELAXED);
    if (!cpu || !hcct_tables.running)
        return;
    bool same = cpu == wait->cpu && wait->node;
    enum finding found = same ? WAITS : find_wait(target, cpu);
    if (found == LOST)
        __atomic_fetch_add(&hcct_tables.dropped_interrupted, passed, __ATOMIC_RELAXED);
    if (found != WAITS)
        return;
    hcct_prefix_retain(wait->node);
    hcct_count_add(wait->word, passed, wait->node);
}

/* --- the observer ---------------------------------------------------------------------------------- */

/* Whether the program's last thread has ended unknown to the C library. Then the process ends with the
 * observer. */
static bool is_alone(void)
{
    struct stat tasks;
    char path[1];
    /* the folder has two links of its own, one for the first thread even after its end, one for this
     * thread */
    bool alone = stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink <= 2 + 2;
    /* a first thread that has ended has no program file any more */
    return alone && readlink("/proc/self/exe", path, sizeof path) < 0;
}

static int observe(void *unused)
{
    uint64_t last = hcct_timer_clock_ns(CLOCK_MONOTONIC), state = last, rounds = 0;
    (void)unused;
    self = (pid_t)syscall(SYS_gettid);
    prctl(PR_SET_NAME, "hcct-wall");
    while (!is_stopped && (++rounds % hcct_options.frequency || !is_alone())) {
        sleep_a_little(&state);
        uint64_t now = hcct_timer_clock_ns(CLOCK_MONOTONIC);
        hcct_tables_lock();
        for (struct hcct_block *next, *target = hcct_block_first(); target; target = next) {
            look_at(target, now - last);
            next = target->next;
            hcct_tables_unlock(); /* so that threads can have the lock; blocks stay in the list for ever */
            hcct_tables_lock();
        }
        hcct_tables_unlock();
        last = now;
    }
    return 0;
}

/* The range of thread-local data that the observer's code may use, around the thread pointer `at`. */
static void thread_data(uintptr_t at, uintptr_t *start, uintptr_t *end)
{
    const uintptr_t known[] = { (uintptr_t)&errno, (uintptr_t)&__hcct_thread, (uintptr_t)&hcct_busy };
    *start = *end = at;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        *start = known[i] < *start ? known[i] : *start;
        *end = known[i] > *end ? known[i] : *end;
    }
    *start = (*start - SLACK_BYTES) & ~(uintptr_t)63;
    *end += SLACK_BYTES;
}

/* Makes the observer's thread-local data behind its stack, and returns its thread pointer. All is zero, but
 * for what compiled code reads at the thread pointer itself. */
static void *make_thread_data(uintptr_t at, uintptr_t start)
{
    uintptr_t own = (uintptr_t)block + STACK_BYTES + (at - start);
    memset(block, 0, block_bytes);
    hcct_machine_init_thread_pointer((void *)own, (const void *)at);
    return (void *)own;
}

/* The C library's own name: the other one is the program's, or boundary/ends.c's. */
extern __typeof__(clone) __clone;

static bool start_observer(void)
{
    enum {
        FLAGS =
            CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_SETTLS
    };
    uint64_t all = UINT64_MAX, before;
    uintptr_t at = (uintptr_t)__builtin_thread_pointer(), start, end;
    thread_data(at, &start, &end);
    if (!block) {
        block_bytes = STACK_BYTES + (end - start);
        block = hcct_memory_map(block_bytes);
    }
    if (!chain)
        chain = hcct_memory_reserve(CHAIN_LIMIT * sizeof *chain);
    if (!block || !chain || STACK_BYTES + (end - start) > block_bytes)
        return false;
    void *data = make_thread_data(at, start);
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, sizeof all);
    int thread = __clone(observe, block + STACK_BYTES, FLAGS, NULL, NULL, data, NULL);
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof before);
    observer = thread;
    return thread > 0;
}

static bool can_read(void)
{
    char probe;
    self = (pid_t)syscall(SYS_gettid);
    return read_memory(&is_on, &probe, sizeof probe);
}

static bool start_to_observe(void)
{
#if __has_feature(thread_sanitizer)
    return false;
#endif
    int saved = errno;
    is_on = can_read() && start_observer();
    errno = saved;
    if (!is_on)
        HCCT_SAY(1,
                 "metric=wall: the system allows no observer (clone, process_vm_readv): nothing is counted");
    return is_on;
}

/* --- the meter ------------------------------------------------------------------------------------- */

static bool is_chosen(void)
{
    return hcct_options.metric == HCCT_METRIC_WALL;
}

static bool has_thread(void)
{
    return is_on && observer > 0;
}

static bool start(struct hcct_ticks *ticks)
{
    return hcct_sampler_reads_current() && hcct_time_start(ticks) && start_to_observe();
}

static void end_thread(struct hcct_block *target)
{
    struct wait *wait = hcct_meter_state(target);
    hcct_prefix_release(wait->node);
    *wait = (struct wait){ 0 };
}

static void stop(void)
{
    is_stopped = true;
    while (is_on && observer > 0 && syscall(SYS_tgkill, hcct_process_id(), observer, 0) == 0)
        syscall(SYS_nanosleep, &(struct timespec){ .tv_nsec = 1000000 }, NULL);
}

/* The references to nodes are given up, not released: the child's table may not have these nodes. A node that
 * it has then stays for ever. */
static void after_fork(void)
{
    int saved = errno;
    for (struct hcct_block *target = hcct_block_first(); target; target = target->next)
        *(struct wait *)hcct_meter_state(target) = (struct wait){ 0 };
    if (is_on)
        start_observer();
    errno = saved;
}

const struct hcct_meter hcct_meter_wall = {
    .name = "metric=wall: ",
    .is_chosen = is_chosen,
    .has_thread = has_thread,
    .start = start,
    .after_fork = after_fork,
    .stop = stop,
    .thread_bytes = sizeof(struct wait),
    .end_thread = end_thread,
    .file = &hcct_sampler_file,
};
