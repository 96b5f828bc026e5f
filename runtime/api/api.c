/* The run-time API (hcct/hcct.h): hcct_dump, hcct_reset, hcct_start, hcct_stop, hcct_phase,
 * hcct_count, and new contexts. The other functions of contexts are in context.c. */
#include "hcct/hcct.h"

#include "runtime/base/confined.h"
#include "runtime/base/say.h"
#include "runtime/boundary/process.h"
#include "runtime/boundary/write.h"
#include "runtime/core/notice.h"
#include "runtime/core/settings.h"
#include "runtime/core/tables.h"
#include "runtime/count/count.h"
#include "runtime/count/phases.h"
#include "runtime/heap/heap.h"
#include "runtime/known/known.h"
#include "runtime/meter/weight.h"

#define API __attribute__((visibility("default"), used))

const char hcct_api_present = 1;

/* Runs `action` under the table lock. Does nothing in the handler of a fault inside the tables, and in a
 * sandbox. */
static void with_tables(void (*action)(void))
{
    hcct_notice();
    if (hcct_busy.depth || hcct_confined)
        return;
    hcct_busy_enter();
    hcct_tables_lock();
    action();
    hcct_tables_unlock();
    hcct_busy_leave();
}

static void start(void)
{
    hcct_count_set_running(true);
}

static void stop(void)
{
    hcct_count_set_running(false);
}

API int __hcct_api_dump(void)
{
    hcct_notice();
    return hcct_write_profile_again();
}

API void __hcct_api_reset(void)
{
    with_tables(hcct_count_reset);
}

API void __hcct_api_start(void)
{
    with_tables(start);
}

API void __hcct_api_stop(void)
{
    with_tables(stop);
}

/* The heap's values are of blocks, which outlive phases. */
static bool tells_phases_apart(void)
{
    static bool said;
    bool tells = hcct_core_settings.metric != HCCT_METRIC_HEAP;
    if (!tells && !said) {
        said = true;
        HCCT_SAY(1, "hcct_phase: phases are not told apart with metric=heap");
    }
    return tells;
}

API int __hcct_api_phase(const char *name)
{
    hcct_notice();
    if (hcct_busy.depth || hcct_confined || !tells_phases_apart())
        return 0;
    hcct_busy_enter();
    hcct_tables_lock();
    bool counts = hcct_tables.summary || hcct_core_settings.mode == HCCT_MODE_CCT;
    bool entered = counts && !hcct_tables.given_up && hcct_phases_enter(name);
    hcct_tables_unlock();
    hcct_busy_leave();
    return entered;
}

API void __hcct_api_heap_allocate(const void *address, size_t bytes)
{
    struct hcct_here here = hcct_here_of_caller((uintptr_t)__builtin_frame_address(0));
    hcct_notice();
    hcct_heap_allocated_here(here, (void *)(uintptr_t)address, bytes);
}

API void __hcct_api_heap_free(const void *address)
{
    hcct_notice();
    hcct_heap_taken_back((void *)(uintptr_t)address);
}

API void __hcct_api_count(uint64_t weight)
{
    struct hcct_here here = hcct_here_of_caller((uintptr_t)__builtin_frame_address(0));
    hcct_notice(); /* may start the runtime, which reads the options */
    hcct_weight_add(here, weight);
}

API int __hcct_api_on_new_context(void (*callback)(uint64_t, void *), void *argument)
{
    hcct_notice();
    return !hcct_busy.depth && !hcct_confined && hcct_known_tell(callback, argument);
}

API uint64_t __hcct_api_new_context_count(void)
{
    return hcct_known_found();
}
