/* See write.h. */
#include "runtime/boundary/write.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>

#include "runtime/base/say.h"
#include "runtime/core/busy.h"
#include "runtime/core/meter.h"
#include "runtime/core/notice.h"
#include "runtime/core/own_stack.h"
#include "runtime/core/tables.h"
#include "runtime/count/count.h"
#include "runtime/objects/registry.h"
#include "runtime/output/writer.h"

static bool started; /* hcct_write_start */
static bool is_child;
/* At the time of the last profile and snapshot. Threads may write, or end the program, at the same time. The
 * values only save work, so the accesses pair with each other, and order nothing else. */
static _Atomic uint64_t written_calls, snapshot_calls;
static _Atomic pid_t written_pid;
static atomic_bool ending; /* hcct_write_profile stores, hcct_write_snapshot loads */
static bool handed_over;   /* hcct_write_hand_over */

void hcct_write_start(void)
{
    started = true;
}

void hcct_write_begin_child(void)
{
    is_child = true;
    handed_over = false;
    atomic_store(&ending, false);
    snapshot_calls = 0;
}

bool hcct_write_is_child(void)
{
    return is_child;
}

static uint64_t calls_now(void)
{
    hcct_busy_enter();
    hcct_tables_lock();
    hcct_count_drain_all();
    uint64_t calls = hcct_count_calls();
    hcct_tables_unlock();
    hcct_busy_leave();
    return calls;
}

/* For another thread that is writing. */
enum { WAIT_MS = 1000 };

/* The profile is written by others. */
static bool end_meter(int unused)
{
    (void)unused;
    if (!hcct_meter_has_end() || hcct_busy.depth)
        return true;
    int saved = errno;
    hcct_busy_enter_to_write();
    hcct_tables_lock();
    hcct_meter->file->ended();
    hcct_tables_unlock();
    hcct_busy_leave();
    errno = saved;
    return true;
}

/* Usually a runtime without objects has no instrumented code, and no calls. */
static void warn_of_lost_notes(uint64_t calls)
{
    static bool warned;
    if (!calls || warned || is_child)
        return;
    if (hcct_registry_lacks_memory)
        HCCT_SAY(1, "no memory for what tells of the program's functions: there is no profile");
    else
        HCCT_SAY(1, "the notes of the program's file are gone (strip -R, or a linker script), and with them "
                    "what tells of its functions: there is no profile");
    warned = true;
}

static bool write_changed(int unused)
{
    (void)unused;
    atomic_store(&ending, true);
    uint64_t calls = hcct_busy.depth ? written_calls + 1 : calls_now();
    if ((written_pid == hcct_process_id() &&
         (written_calls == calls || hcct_writer_cannot_replace(is_child))) ||
        (is_child && !calls))
        return true;
    if (!hcct_registry_object_count()) {
        warn_of_lost_notes(calls);
        return true;
    }
    hcct_writer_write(is_child, true);
    written_pid = hcct_process_id();
    written_calls = calls;
    return true;
}

void hcct_write_profile(void)
{
    if (!started)
        return;
    hcct_notice();
    if (hcct_process_is_own())
        hcct_own_stack_run(WAIT_MS, handed_over ? end_meter : write_changed, 0);
}

static bool write_again(int child)
{
    return hcct_writer_write(child, false);
}

bool hcct_write_profile_again(void)
{
    return hcct_own_stack_run(WAIT_MS, write_again, is_child);
}

static bool write_snapshot(int is_asked_for)
{
    uint64_t calls = calls_now();
    if (calls == snapshot_calls && !is_asked_for)
        return true;
    if (!hcct_writer_write_if_free(is_child))
        return false;
    snapshot_calls = calls;
    return true;
}

bool hcct_write_snapshot(bool is_asked_for)
{
    hcct_notice();
    if (!hcct_process_is_own() || handed_over || atomic_load(&ending) || !hcct_registry_object_count())
        return true;
    return hcct_own_stack_run(0, write_snapshot, is_asked_for);
}

void hcct_write_hand_over(void)
{
    handed_over = true;
}
