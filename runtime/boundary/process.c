/* See process.h.
 *
 * End: an exit handler writes the profile. It was registered first and belongs to no object, so it runs last,
 * after the destructors of the program and its libraries. Where these run after the exit handlers (a static
 * program; a library that dlopen brought), our destructor writes again. quick_exit has a list of handlers of
 * its own, _exit is interposed, and fatal.c has the signals that end the program. */
#define _GNU_SOURCE
#include "runtime/boundary/process.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/base/calendar.h"
#include "runtime/base/confined.h"
#include "runtime/base/memory.h"
#include "runtime/base/random.h"
#include "runtime/boundary/ends.h"
#include "runtime/boundary/fatal.h"
#include "runtime/boundary/jump.h"
#include "runtime/boundary/put_off.h"
#include "runtime/boundary/signals.h"
#include "runtime/boundary/snapshot.h"
#include "runtime/boundary/write.h"
#include "runtime/core/hold.h"
#include "runtime/core/meter.h"
#include "runtime/core/notice.h"
#include "runtime/core/own_stack.h"
#include "runtime/core/parts.h"
#include "runtime/core/tables.h"
#include "runtime/core/threads.h"
#include "runtime/count/count.h"
#include "runtime/objects/discover.h"
#include "runtime/objects/numbering.h"
#include "runtime/objects/registry.h"
#include "runtime/output/paths.h"
#include "runtime/output/place.h"
#include "runtime/output/writer.h"
#include "runtime/stack/fiber.h"
#include "runtime/stack/pins.h"
#include "runtime/stack/settings.h"
#include "runtime/start/meters.h"
#include "runtime/start/options.h"
#include "runtime/start/settings.h"

#ifndef HCCT_SHARED
/* The C library's atexit, at_quick_exit and pthread_atfork refer to it. The compiler's start files have it,
 * but a program may be without them (-nostartfiles). It only tells libraries apart. */
__attribute__((weak, visibility("hidden"))) void *__dso_handle = NULL;
#endif

static bool started;
static _Thread_local bool forks;

/* A child of a process that may make no system call: it counts nothing. */
static void begin_confined_child(void)
{
    hcct_tables_begin_child();
    hcct_parts_begin_child();
    hcct_notice_end_child();
}

static void begin_child(void)
{
    if (hcct_confined) {
        begin_confined_child();
        return;
    }
    if (!hcct_notice_is_new_child())
        return;
    bool torn = hcct_tables_begin_child(), running = hcct_tables.running;
    torn |= hcct_parts_begin_child();
    torn |= hcct_busy_forget_alone();
    hcct_write_begin_child();
    hcct_notice_take_id();
    hcct_random_after_fork((uint64_t)hcct_process_id());
    hcct_calendar_begin();
    hcct_ends_start();
    hcct_signals_after_fork();
    hcct_hold_after_fork();
    hcct_own_stack_after_fork();
    hcct_registry_after_fork(true);
    if (torn) {
        hcct_pins_forget();
        hcct_meter_reset(true);
        hcct_count_start_anew();
    }
    hcct_block_after_fork(torn);
    hcct_tables_try_lock_usual(); /* which nobody has; what a reset locks is unlocked with it */
    hcct_count_reset();
    hcct_tables_unlock();
    hcct_tables.running &= running;
    hcct_notice_end_child();
    hcct_meters_after_fork();
    hcct_snapshot_after_fork();
}

/* Runs after the program's own handlers before fork. The two functions below run before the program's own
 * handlers after fork. So no call of this thread needs the tables while they are locked. */
static void before_fork(void)
{
    if (hcct_busy.depth || hcct_confined) /* the handler of a fault inside the tables */
        return;
    hcct_busy_enter(); /* what follows takes less stack than the C library's own part of fork */
    hcct_registry_before_fork();
    hcct_tables_lock();
    hcct_parts_lock_all();
    hcct_parts_keep_for_fork();
    hcct_tables_keep_for_fork();
    forks = true;
}

static void after_fork_in_parent(void)
{
    if (!forks)
        return;
    forks = false;
    hcct_parts_end_fork();
    hcct_tables_end_fork();
    hcct_registry_after_fork(false);
    hcct_busy_leave();
}

static void after_fork_in_child(void)
{
    hcct_notice_check_mark();
    begin_child();
    if (forks)
        hcct_busy_leave();
    forks = false;
}

/* What atexit calls. A handler with an owner runs when the owner's destructors do: in an executable that is
 * position-independent, this is before those of its libraries. */
extern int __cxa_atexit(void (*handler)(void *), void *argument, void *owner);

static bool at_end; /* all exit handlers ran; destructors may follow */

static void write_at_end(void *unused)
{
    (void)unused;
    at_end = true;
    hcct_write_profile();
}

/* In case that a sanitizer's exit handler ends the process. A pipe is to get one profile only, the last
 * one. */
static void write_before_libraries_end(void)
{
    if (!hcct_writer_cannot_replace(hcct_write_is_child()))
        hcct_write_profile();
}

void hcct_process_start(char **environment)
{
    if (started)
        return;
    started = true;
    hcct_write_start();
    hcct_notice_start();
    hcct_calendar_begin();
    hcct_options_read(environment);
    hcct_paths_read_rank(environment);
    hcct_threads_start();
    hcct_block_start();
    hcct_jump_start();
    hcct_ends_start();
    hcct_fiber_start();
    hcct_count_start();
    hcct_numbering_notes = hcct_stack_settings.recursion != HCCT_RECURSION_FOLDED && hcct_jumps_are_seen();
    hcct_discover_objects();
    if (hcct_registry_object_count())
        hcct_place_start();
    hcct_tables.running &= (uint64_t)hcct_start_settings.counting;
    __cxa_atexit(write_at_end, NULL, NULL);
    atexit(write_before_libraries_end);
    at_quick_exit(hcct_write_profile);
    if (hcct_registry_object_count()) {
        hcct_own_stack_start();
        hcct_fatal_start();
        hcct_snapshot_after_fork();
        if (hcct_start_settings.snapshot_ns || hcct_start_settings.dump)
            hcct_system_find_clock();
        hcct_meters_start(hcct_signals_take_one, hcct_snapshot_look_ns(),
                          hcct_start_settings.snapshot_ns || hcct_start_settings.dump ? hcct_snapshot_look
                                                                                      : NULL);
    }
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

/* Reads the environment, if code in .preinit_array before ours calls us: the C library does not know it
 * yet. */
static char **read_environment(void)
{
    enum { BYTES = 1 << 21, LIMIT = 1 << 16 }; /* the most text, and the most variables */
    char *text = hcct_memory_reserve(BYTES), **environment = hcct_memory_reserve(LIMIT * sizeof *environment);
    int file = open("/proc/self/environ", O_RDONLY | O_CLOEXEC);
    size_t size = 0, count = 0;
    if (!text || !environment || file < 0)
        return NULL;
    for (ssize_t got; size < BYTES - 1 && (got = read(file, text + size, BYTES - 1 - size)) > 0;)
        size += (size_t)got;
    close(file);
    for (char *at = text; at < text + size && count < LIMIT - 1; at += strlen(at) + 1)
        environment[count++] = at;
    return environment;
}

/* Of hcct_guest_hooks. */
static void begin(void)
{
    int saved = errno;
    if (started)
        begin_child();
    else
        hcct_process_start(environ ? environ : read_environment());
    errno = saved;
}

const struct hcct_guest_hooks hcct_guest_hooks = { begin, hcct_put_off_redeliver, hcct_signals_leave_dead };

static void write_last(void)
{
#ifndef HCCT_SHARED /* of another namespace's C library only the destructors run, not the exit handlers */
    if (!at_end) {
        write_before_libraries_end();
        return;
    }
#endif
    hcct_write_profile();
}

/* The lowest priority, so that it runs last. The compiler's attribute is for 101 and more. */
__attribute__((section(".fini_array.0"), used)) static void (*const last)(void) = write_last;

void hcct_process_stay_idle(void (*exit_of_other)(int status))
{
    hcct_ends_leave_to(exit_of_other);
    started = hcct_confined = true; /* as a runtime in a sandbox */
}
