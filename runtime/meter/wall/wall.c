/* See wall.h. clone makes the observer, not pthread_create. So the C library does not know of it, and the
 * program ends with the program's own last thread. Exit and exec end the observer.
 *
 * It has a table of files of its own, so the program's file numbers are not touched.
 *
 * Cost of a look, in system calls of 0.2 to 1 us: three for a thread that still waits as at the last look;
 * six for one that runs; nine, and the nodes of a new chain, for one that began to wait. */
#define _GNU_SOURCE
#include "runtime/meter/wall/wall.h"

#include <errno.h>
#include <linux/close_range.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "encoding/context.h"
#include "runtime/base/machine.h"
#include "runtime/base/memory.h"
#include "runtime/base/say.h"
#include "runtime/core/notice.h"
#include "runtime/core/settings.h"
#include "runtime/core/tables.h"
#include "runtime/count/count.h"
#include "runtime/meter/sampler.h"
#include "runtime/meter/settings.h"
#include "runtime/meter/ticks/timer.h"
#include "runtime/meter/time.h"
#include "runtime/meter/wall/task.h"
#include "runtime/meter/wall/waiting.h"
#include "runtime/objects/leaf.h"
#include "runtime/stack/frame.h"
#include "runtime/stack/prefix.h"

enum { STACK_BYTES = 1 << 16, SLACK_BYTES = 4096 };

/* A sample is corrected by a fourth of what is owed: much less pays too late, much more makes samples
 * uneven. What is owed beyond MOST_OWED intervals is given up: it was in no wait that looks could find, as
 * when the whole process was stopped. Samples have at most MOST_TOO_MUCH intervals that were not waited. */
enum { OWED_PARTS = 4, MOST_OWED = 32, MOST_TOO_MUCH = 8 };

static bool is_on;
static volatile bool is_stopped;
static char *block; /* the observer's stack, then its thread-local data; used again in a forked child */
static size_t block_bytes;

/* --- clocks --------------------------------------------------------------------------------------- */

/* Sleeps until the next look: for half of the interval to one and a half, at random. */
static void sleep_a_little(uint64_t *state)
{
    uint64_t interval = 1000000000 / hcct_meter_settings.frequency;
    *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
    uint64_t ns = interval / 2 + (uint64_t)((unsigned __int128)interval * *state >> 64);
    struct timespec time = { .tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000) };
    syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &time, NULL);
}

/* --- a thread -------------------------------------------------------------------------------------- */

/* What the observer knows of a thread. */
struct wait {
    struct hcct_task task;
    uint64_t cpu; /* its CPU clock at the last look */
    /* The call in which it waited when the CPU clock was that. The node holds a reference; 0: not known. */
    hcct_node node;
    uint64_t prefix;
    /* In ns. `waited`: since its last sample. `owed`: what it had waited by that sample, less what its
     * samples had. */
    int64_t waited, owed;
};

/* The root of the thread's contexts, with a reference for the caller. */
static hcct_node find_root(const struct hcct_block *target, uint64_t *prefix)
{
    struct hcct_frame root = { .sp = UINTPTR_MAX, .tail = (uint64_t)target->number << 32 };
    root.prefix = *prefix = target->number ? hcct_context_thread(target->number) : 0;
    return hcct_prefix_find(&root);
}

static void forget_node(struct wait *wait)
{
    hcct_prefix_release(wait->node);
    wait->node = 0;
}

static void lose(uint64_t passed)
{
    __atomic_fetch_add(&hcct_tables.dropped_interrupted, passed, __ATOMIC_RELAXED);
}

/* Adds to the leaf of this name below the context. Takes over the reference to `node`. */
static void add_below(hcct_node node, uint64_t prefix, const char *name, uint64_t passed)
{
    uint64_t site = node ? hcct_leaf_site(name) : 0;
    hcct_node leaf = site ? hcct_prefix_leaf(node, prefix, site) : 0;
    if (leaf)
        hcct_count_add(hcct_context_leaf(prefix, site), passed, leaf);
    else
        lose(passed);
}

/* The thread waits in a system call, if its clock still stands when its stack was read. False: it runs. */
static bool wait_in_call(struct hcct_block *target, struct wait *wait, uintptr_t sp)
{
    if (wait->node)
        return true;
    wait->node = hcct_waiting_find(target->words, sp, &wait->prefix);
    return hcct_timer_cpu_ns(target->thread) == wait->cpu;
}

/* What the thread had no processor for since the last look. */
static void add_queued(struct hcct_block *target, uint64_t queued)
{
    uint64_t prefix;
    if (!queued || !hcct_tables.running)
        return;
    hcct_node node = find_root(target, &prefix);
    add_below(node, prefix, "run queue", queued);
}

/* What the thread has waited since the last look: the rest of the time that passed. */
static void keep_account(struct wait *wait, uint64_t cpu, uint64_t queued, uint64_t passed)
{
    if (wait->cpu != cpu)
        forget_node(wait);
    if (hcct_tables.running)
        wait->waited += (int64_t)(passed - (cpu - wait->cpu) - queued);
    wait->cpu = cpu;
}

static int64_t min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* The time that a look at a thread that waits stands for: that since the last look, and a part of what was
 * owed at the last sample. What it waited since then corrects the next sample: otherwise a short wait would
 * get too little, and the wait after it too much. */
static uint64_t take_sample(struct wait *wait, uint64_t passed)
{
    int64_t interval = 1000000000 / hcct_meter_settings.frequency, all = wait->owed + wait->waited,
            sample = min((int64_t)passed + wait->owed / OWED_PARTS, all + MOST_TOO_MUCH * interval);
    wait->waited = 0;
    if (!wait->task.queued) /* the kernel does not count that, so it is not known what the thread waited */
        return passed;
    sample = sample > 0 ? sample : 0;
    wait->owed = min(all - sample, MOST_OWED * interval);
    return (uint64_t)sample;
}

/* If the thread runs, its own timer counts that. */
static void look_at_thread(struct hcct_block *target, struct wait *wait, uint64_t cpu, uint64_t passed)
{
    uintptr_t sp = 0;
    uint64_t prefix, queued = 0;
    enum hcct_task_does does = hcct_task_ask(&wait->task, &sp);
    if (does != HCCT_TASK_WAITS_IN_CALL || wait->cpu != cpu)
        queued = hcct_task_queued(&wait->task);
    add_queued(target, queued);
    keep_account(wait, cpu, queued, passed);
    if (!hcct_tables.running || does == HCCT_TASK_IS_RUNNABLE || hcct_timer_cpu_ns(target->thread) != cpu ||
        (does == HCCT_TASK_WAITS_IN_CALL && !wait_in_call(target, wait, sp)))
        return;
    uint64_t sample = take_sample(wait, passed);
    if (!sample)
        return;
    if (does == HCCT_TASK_UNKNOWN)
        lose(sample);
    else if (does == HCCT_TASK_WAITS_FOR_PAGE)
        add_below(find_root(target, &prefix), prefix, "page fault", sample);
    else {
        hcct_prefix_retain(wait->node);
        add_below(wait->node, wait->prefix, "waiting", sample);
    }
}

/* Under the table lock. */
static void look_at(struct hcct_block *target, uint64_t passed, bool is_first)
{
    struct wait *wait = hcct_meter_state(target);
    bool has_timer = hcct_timer_of(target)->has_timer && target->words;
    uint64_t cpu = has_timer ? hcct_timer_cpu_ns(target->thread) : 0;
    if (hcct_timer_of(target)->is_untimed && hcct_tables.running)
        lose(passed);
    if (!cpu) {
        hcct_task_close(&wait->task);
        return;
    }
    bool is_new = wait->task.thread != target->thread;
    if (is_new) {
        wait->cpu = 0;
        wait->waited = wait->owed = 0;
    }
    hcct_task_open(&wait->task, target->thread, !is_first);
    look_at_thread(target, wait, cpu, passed);
    if (is_new) /* it may have lived for less than `passed` */
        wait->waited = wait->owed = 0;
    hcct_task_put_aside(&wait->task);
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
    syscall(SYS_close_range, 0, UINT32_MAX, CLOSE_RANGE_UNSHARE);
    hcct_waiting_start((pid_t)syscall(SYS_gettid));
    prctl(PR_SET_NAME, "hcct-wall");
    while (!is_stopped && (++rounds % hcct_meter_settings.frequency || !is_alone())) {
        sleep_a_little(&state);
        uint64_t now = hcct_timer_clock_ns(CLOCK_MONOTONIC);
        hcct_tables_lock();
        for (struct hcct_block *next, *target = hcct_block_first(); target; target = next) {
            look_at(target, now - last, rounds == 1);
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
    const uintptr_t known[] = { (uintptr_t)&errno, (uintptr_t)&__hcct_thread, (uintptr_t)&hcct_busy.depth };
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
    if (!block)
        return false;
    void *data = make_thread_data(at, start);
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, sizeof all);
    int thread = __clone(observe, block + STACK_BYTES, FLAGS, NULL, NULL, data, NULL);
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof before);
    hcct_meter_thread = thread;
    return thread > 0;
}

/* Whether the kernel tells of this very program: of one that is emulated it tells the emulator's stack. */
static bool tells_of_us(pid_t self)
{
    struct hcct_task task = { 0 };
    uintptr_t here = (uintptr_t)__builtin_frame_address(0), sp = 0;
    hcct_task_open(&task, self, true);
    bool told = hcct_task_ask(&task, &sp) == HCCT_TASK_WAITS_IN_CALL;
    hcct_task_close(&task);
    return told && sp < here && here - sp < STACK_BYTES;
}

/* Whether the system lets the observer do its work. No file has the number that is closed. */
static bool can_observe(void)
{
    pid_t self = (pid_t)syscall(SYS_gettid);
    return tells_of_us(self) && hcct_waiting_start(self) &&
           syscall(SYS_close_range, UINT32_MAX, UINT32_MAX, 0) == 0;
}

static bool start_to_observe(void)
{
#if __has_feature(thread_sanitizer)
    return false;
#endif
    int saved = errno;
    is_on = can_observe() && start_observer();
    errno = saved;
    if (!is_on)
        HCCT_SAY(1,
                 "metric=wall: the system allows no observer (/proc, clone, process_vm_readv, close_range): ",
                 "nothing is counted");
    return is_on;
}

/* --- the meter ------------------------------------------------------------------------------------- */

static bool is_chosen(void)
{
    return hcct_core_settings.metric == HCCT_METRIC_WALL;
}

static bool start(struct hcct_ticks *ticks)
{
    return hcct_time_start(ticks) && start_to_observe();
}

static void end_thread(struct hcct_block *target)
{
    forget_node(hcct_meter_state(target));
}

static void stop(void)
{
    is_stopped = true;
    while (hcct_meter_has_thread() && syscall(SYS_tgkill, hcct_process_id(), hcct_meter_thread, 0) == 0)
        syscall(SYS_nanosleep, &(struct timespec){ .tv_nsec = 1000000 }, NULL);
}

/* The child's observer has no files yet. The references to nodes are given up, not released: the child's
 * table may not have these nodes. A node that it has then stays for ever. */
static void after_fork(void)
{
    int saved = errno;
    for (struct hcct_block *target = hcct_block_first(); target; target = target->next)
        *(struct wait *)hcct_meter_state(target) = (struct wait){ 0 };
    if (is_on)
        start_observer();
    errno = saved;
}

static const struct hcct_meter_threads threads = { .bytes = sizeof(struct wait), .end = end_thread };

const struct hcct_meter hcct_meter_wall = {
    .name = "metric=wall: ",
    .is_chosen = is_chosen,
    .calls.library = HCCT_LIBRARY_CALLS_PUSH,
    .start = start,
    .after_fork = after_fork,
    .stop = stop,
    .threads = &threads,
    .file = &hcct_sampler_file,
};
