/* See wall.h. clone makes the observer, not pthread_create. So the C library does not know of it, and the
 * program ends with the program's own last thread. Exit and exec end the observer.
 *
 * It has a table of files of its own, so the program's file numbers are not touched.
 *
 * Cost of a look, in system calls of 0.2 to 1 us: three for a thread that still waits as at the last look;
 * six for one that runs; nine, and the nodes of a new chain, for one that began to wait. */
#define _GNU_SOURCE
#include "runtime/meter/wall.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
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

/* --- what the kernel says -------------------------------------------------------------------------- */

/* What a thread that uses no CPU time does. */
enum doing { UNKNOWN, IS_RUNNABLE, WAITS_FOR_PAGE, WAITS_IN_CALL };

/* What the observer knows of a thread. */
struct wait {
    pid_t thread; /* 0: it was not seen yet */
    bool is_open;
    int file; /* while it is open: /proc/self/task/TID/syscall; or -1 */
    /* The call in which it waited at the last look, and what its CPU clock was then. The node holds a
     * reference; 0: it did not wait. */
    hcct_node node;
    uint64_t prefix, cpu;
    uint64_t queued; /* for how long it had no processor so far, of which the profile knows; ns */
};

enum { KEPT_FILES = 960, TEXT_BYTES = 256 };

/* `name` begins with a slash. */
static int open_about(pid_t thread, const char *name)
{
    static const char before[] = "/proc/self/task/";
    char path[sizeof before + 32], digits[16], *at = path + sizeof before - 1;
    size_t count = 0;
    memcpy(path, before, sizeof before);
    for (; thread; thread /= 10)
        digits[count++] = (char)('0' + thread % 10);
    while (count)
        *at++ = digits[--count];
    strcpy(at, name);
    return (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
}

/* Reads what the kernel says, with a zero behind. Returns the length; 0: nothing. */
static size_t read_about(int file, char text[TEXT_BYTES])
{
    ssize_t length = file >= 0 ? syscall(SYS_pread64, file, text, TEXT_BYTES - 1, 0) : 0;
    length = length > 0 ? length : 0;
    text[length] = 0;
    return (size_t)length;
}

static void close_file(struct wait *wait)
{
    if (wait->is_open && wait->file >= 0)
        syscall(SYS_close, wait->file);
    wait->is_open = false;
}

/* The file is "running", or the number of the system call, or -1, with parameters, stack pointer and program
 * counter at the end. */
static enum doing parse_call(const char *text, size_t length, uintptr_t *sp)
{
    static const char before[] = " 0x";
    unsigned spaces = 0;
    *sp = 0;
    if (text[0] == 'r')
        return IS_RUNNABLE;
    while (length && spaces < 2)
        spaces += text[--length] == ' ';
    if (strncmp(text + length, before, strlen(before)) != 0)
        return UNKNOWN;
    for (const char *at = text + length + strlen(before); *at && *at != ' '; at++)
        *sp = *sp * 16 + (uintptr_t)(*at <= '9' ? *at - '0' : *at - 'a' + 10);
    return text[0] == '-' ? WAITS_FOR_PAGE : WAITS_IN_CALL;
}

/* What the thread does now; *sp is its stack pointer if it waits. */
static enum doing ask_call(struct wait *wait, uintptr_t *sp)
{
    char text[TEXT_BYTES];
    size_t length = read_about(wait->file, text);
    return length ? parse_call(text, length, sp) : UNKNOWN;
}

static uint64_t parse_number(const char **at)
{
    uint64_t number = 0;
    for (; **at >= '0' && **at <= '9'; ++*at)
        number = 10 * number + (uint64_t)(**at - '0');
    *at += **at == ' ';
    return number;
}

/* The file has the time that the thread has run, and the time that it could have, but had no processor.
 * Returns the latter; 0 if the kernel does not know it. */
static uint64_t ask_queued(const struct wait *wait)
{
    char text[TEXT_BYTES];
    const char *at = text;
    int file = open_about(wait->thread, "/schedstat");
    size_t length = read_about(file, text);
    if (file >= 0)
        syscall(SYS_close, file);
    return length && parse_number(&at) ? parse_number(&at) : 0;
}

/* Before a look at a thread. `is_new`: if it was not seen yet, it began since the last look. */
static void open_file(struct wait *wait, pid_t thread, bool is_new)
{
    bool is_seen = wait->thread == thread;
    if (is_seen && wait->is_open)
        return;
    close_file(wait);
    wait->thread = thread;
    wait->is_open = true;
    wait->file = open_about(thread, "/syscall");
    if (!is_seen)
        wait->queued = is_new ? 0 : ask_queued(wait);
}

/* --- a thread -------------------------------------------------------------------------------------- */

/* The frames of a chain that have no node yet, newest first. Mapped with the observer. */
static struct hcct_frame *chain;
static size_t chain_length;

static bool is_intact(const struct hcct_frame *frame)
{
    uintptr_t address = 0;
    return (!HCCT_CALL_BYTES ||
            read_memory((const void *)HCCT_TAIL_SP(frame->tail), &address, sizeof address)) &&
           hcct_frame_hash_of_return(address) == frame->tail >> 48 << 48;
}

/* As hcct_walk_newest, in another thread's memory: the place of the newest frame that is live for
 * uninstrumented code at `sp`. 0: not known. */
static uintptr_t find_newest(uintptr_t top, uintptr_t sp)
{
    for (const struct hcct_frame *frame; (frame = read_frame(top)); top -= sizeof *frame) {
        if (hcct_frame_is_tail(frame)
                ? frame->tail & HCCT_TAIL_OPEN && HCCT_TAIL_SP(frame->tail) > sp && is_intact(frame)
                : frame->sp > sp)
            return hcct_frame_is_barrier(frame) || hcct_frame_is_overflow(frame) ? 0 : top;
    }
    return 0;
}

/* Fills `chain` with the frames of the chain that begins with the frame at `place`, down to the first that
 * has a node. Returns that node, with a reference for the caller; 0 if there is none. Dead frames are
 * passed over: their words do not fit. */
static hcct_node read_chain(uintptr_t place)
{
    const uintptr_t newest = place;
    uint64_t word = 0;
    chain_length = 0;
    for (const struct hcct_frame *frame; (frame = read_frame(place)); place -= sizeof *frame) {
        if (hcct_frame_is_overflow(frame))
            return 0;
        if (hcct_frame_is_barrier(frame))
            continue;
        bool root = hcct_frame_is_root(frame),
             made = place == newest || hcct_numbering_is_id(hcct_context_id(word, frame->prefix));
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

/* Whether the thread is in the profiler. Thread-local variables of one object have fixed distances. */
static bool is_busy(const struct hcct_thread *words)
{
    const char *at = (const char *)words + ((const char *)&hcct_busy - (const char *)&__hcct_thread);
    __typeof__(hcct_busy) busy;
    return !read_memory(at, (void *)&busy, sizeof busy) || busy;
}

/* The context of a thread that waits in a system call at `sp`: that of the newest live frame. */
static hcct_node find_context(struct hcct_block *target, uintptr_t sp, uint64_t *prefix)
{
    struct hcct_thread words;
    const struct hcct_frame *frame;
    page_at = 0;
    if (is_busy(target->words) || !read_memory(target->words, &words, sizeof words))
        return 0;
    uintptr_t place = find_newest((uintptr_t)words.top, sp);
    if (!place || !(frame = read_frame(place)))
        return 0;
    *prefix = frame->prefix;
    hcct_node node = read_chain(place);
    return node ? hcct_prefix_extend(node, chain, chain_length) : 0;
}

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
static bool wait_in_call(struct hcct_block *target, struct wait *wait, uint64_t cpu, uintptr_t sp)
{
    if (wait->node && wait->cpu == cpu)
        return true;
    forget_node(wait);
    wait->node = find_context(target, sp, &wait->prefix);
    wait->cpu = cpu;
    return hcct_timer_cpu_ns(target->thread) == cpu;
}

/* What the thread had no processor for since the last look. */
static void add_queued(struct hcct_block *target, struct wait *wait)
{
    uint64_t queued = ask_queued(wait), prefix;
    if (queued > wait->queued && hcct_tables.running) {
        hcct_node node = find_root(target, &prefix);
        add_below(node, prefix, "run queue", queued - wait->queued);
    }
    wait->queued = queued > wait->queued ? queued : wait->queued;
}

/* If the thread runs, its own timer counts that. */
static void look_at_thread(struct hcct_block *target, struct wait *wait, uint64_t cpu, uint64_t passed)
{
    uintptr_t sp = 0;
    uint64_t prefix;
    enum doing doing = ask_call(wait, &sp);
    if (doing != WAITS_IN_CALL || wait->cpu != cpu)
        add_queued(target, wait);
    if (!hcct_tables.running || doing == IS_RUNNABLE || hcct_timer_cpu_ns(target->thread) != cpu)
        return;
    if (doing == UNKNOWN)
        lose(passed);
    else if (doing == WAITS_FOR_PAGE)
        add_below(find_root(target, &prefix), prefix, "page fault", passed);
    else if (wait_in_call(target, wait, cpu, sp)) {
        hcct_prefix_retain(wait->node);
        add_below(wait->node, wait->prefix, "waiting", passed);
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
        close_file(wait);
        return;
    }
    open_file(wait, target->thread, !is_first);
    look_at_thread(target, wait, cpu, passed);
    if (wait->file >= KEPT_FILES)
        close_file(wait);
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
    self = (pid_t)syscall(SYS_gettid);
    prctl(PR_SET_NAME, "hcct-wall");
    while (!is_stopped && (++rounds % hcct_options.frequency || !is_alone())) {
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

/* Whether the kernel tells of this very program: of one that is emulated it tells the emulator's stack. */
static bool tells_of_us(void)
{
    struct wait wait = { 0 };
    uintptr_t here = (uintptr_t)__builtin_frame_address(0), sp = 0;
    open_file(&wait, self, true);
    bool told = ask_call(&wait, &sp) == WAITS_IN_CALL;
    close_file(&wait);
    return told && sp < here && here - sp < STACK_BYTES;
}

/* Whether the system lets the observer do its work. No file has the number that is closed. */
static bool can_observe(void)
{
    char probe;
    self = (pid_t)syscall(SYS_gettid);
    return tells_of_us() && read_memory(&is_on, &probe, sizeof probe) &&
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
    return hcct_options.metric == HCCT_METRIC_WALL;
}

static bool has_thread(void)
{
    return is_on && observer > 0;
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
    while (is_on && observer > 0 && syscall(SYS_tgkill, hcct_process_id(), observer, 0) == 0)
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

const struct hcct_meter hcct_meter_wall = {
    .name = "metric=wall: ",
    .is_chosen = is_chosen,
    .library_calls = HCCT_LIBRARY_CALLS_PUSH,
    .has_thread = has_thread,
    .start = start,
    .after_fork = after_fork,
    .stop = stop,
    .thread_bytes = sizeof(struct wait),
    .end_thread = end_thread,
    .file = &hcct_sampler_file,
};
