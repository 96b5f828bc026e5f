/* See log.h. */
#include "runtime/heap/tables/log.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>

#include "runtime/base/memory.h"

struct hcct_heap_log *hcct_heap_logs;
_Thread_local uint8_t hcct_heap_log_number; /* from 1 */

/* Whether the kernel itself tells the time by the processors' clocks. It does not if they differ. */
static bool kernel_trusts_clocks(void)
{
    static const char path[] = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
    static const char *const trusted[] = { "tsc\n", "kvm-clock\n", "hyperv_clocksource_tsc_page\n", NULL };
    char name[32] = "";
    long file = hcct_machine_system_call(
        SYS_openat, (const long[]){ AT_FDCWD, (intptr_t)path, O_RDONLY | O_CLOEXEC, 0, 0, 0 });
    if (file < 0)
        return false;
    hcct_machine_system_call(SYS_read, (const long[]){ file, (intptr_t)name, sizeof name - 1, 0, 0, 0 });
    hcct_machine_system_call(SYS_close, (const long[]){ file, 0, 0, 0, 0, 0 });
    const char *const *at = trusted;
    while (*at && strcmp(*at, name) != 0)
        at++;
    return *at != NULL;
}

/* Two threads that act one after the other need some nanoseconds. */
static bool clock_is_fine(void)
{
    const uint64_t least = 900000000, a_second = hcct_machine_ticks_a_second();
    return hcct_machine_clock_is_steady() && (!a_second || a_second >= least) &&
           (!hcct_machine_clocks_may_differ() || kernel_trusts_clocks());
}

bool hcct_heap_logs_start(void)
{
    if (clock_is_fine())
        hcct_heap_logs = hcct_memory_reserve(HCCT_PARTS * sizeof *hcct_heap_logs);
    return hcct_heap_logs != NULL;
}

unsigned hcct_heap_log_choose(void)
{
    static atomic_uint threads;
    unsigned log = atomic_fetch_add_explicit(&threads, 1, memory_order_relaxed) % HCCT_PARTS;
    hcct_heap_log_number = (uint8_t)(log + 1);
    return log;
}

/* --- merging --------------------------------------------------------------------------------------- */

/* The first note of a log that is not applied yet. */
struct head {
    uint64_t stamp;
    struct hcct_heap_log *log;
    uint32_t at;
};

/* Puts the first head, whose stamp grew, where it belongs. */
static void sink(struct head *heads, unsigned count)
{
    struct head head = heads[0];
    unsigned i = 1;
    for (; i < count && heads[i].stamp < head.stamp; i++)
        heads[i - 1] = heads[i];
    heads[i - 1] = head;
}

static unsigned find_heads(struct head *heads)
{
    unsigned count = 0;
    for (struct hcct_heap_log *log = hcct_heap_logs + HCCT_PARTS; log-- > hcct_heap_logs;)
        if (log->count) {
            for (unsigned i = count++; i > 0; i--)
                heads[i] = heads[i - 1];
            heads[0] = (struct head){ log->notes[0].stamp, log, 0 };
            sink(heads, count);
        }
    return count;
}

static void prefetch(const struct hcct_heap_log *log, uint32_t at)
{
    enum { AHEAD = 8 };
    if (at + AHEAD < log->count)
        hcct_heap_blocks_prefetch(log->notes[at + AHEAD].address);
}

unsigned hcct_heap_logs_apply(void (*apply)(struct hcct_heap_log *, const struct hcct_heap_note *))
{
    struct head heads[HCCT_PARTS];
    unsigned count = find_heads(heads), logs = count;
    while (count) {
        struct hcct_heap_log *log = heads[0].log;
        prefetch(log, heads[0].at);
        apply(log, &log->notes[heads[0].at]);
        if (++heads[0].at < log->count) {
            heads[0].stamp = log->notes[heads[0].at].stamp;
        } else {
            log->count = 0;
            heads[0].stamp = UINT64_MAX;
        }
        sink(heads, count);
        count -= heads[count - 1].stamp == UINT64_MAX;
    }
    return logs;
}

/* --- blocks that are resized ------------------------------------------------------------------------ */

void hcct_heap_log_hold(struct hcct_heap_log *log, uintptr_t address, struct hcct_heap_block block)
{
    uint32_t at = log->held_count++ % HCCT_HEAP_LOG_HELD;
    log->held[at].address = address;
    log->held[at].block = block;
}

bool hcct_heap_log_held(const struct hcct_heap_log *log, uintptr_t address, struct hcct_heap_block *block)
{
    for (uint32_t i = 1; i <= HCCT_HEAP_LOG_HELD && i <= log->held_count; i++) {
        uint32_t at = (log->held_count - i) % HCCT_HEAP_LOG_HELD;
        if (log->held[at].address != address)
            continue;
        *block = log->held[at].block;
        return true;
    }
    return false;
}

void hcct_heap_logs_move(const uint32_t *to)
{
    for (unsigned i = 0; hcct_heap_logs && i < HCCT_PARTS; i++)
        for (unsigned j = 0; j < HCCT_HEAP_LOG_HELD && j < hcct_heap_logs[i].held_count; j++)
            hcct_heap_logs[i].held[j].block.context = to[hcct_heap_logs[i].held[j].block.context];
}

void hcct_heap_logs_clear(void)
{
    for (unsigned i = 0; hcct_heap_logs && i < HCCT_PARTS; i++)
        hcct_heap_logs[i].count = hcct_heap_logs[i].held_count = 0;
}
