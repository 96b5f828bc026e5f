/* See hooks.h: what holds where there is no upper layer. */
#include "runtime/core/hooks.h"

static void do_nothing(void) {}

static void leave_block(struct hcct_block *block)
{
    (void)block;
}

static bool is_never(void)
{
    return false;
}

static bool leave_none(uintptr_t sp)
{
    (void)sp;
    return false;
}

__attribute__((weak)) const struct hcct_guest_hooks hcct_guest_hooks = { do_nothing, do_nothing, leave_none };
__attribute__((weak))
const struct hcct_count_hooks hcct_count_hooks = { leave_block, leave_block, do_nothing, do_nothing };
__attribute__((weak)) const struct hcct_thread_hooks hcct_thread_hooks = { leave_block, leave_block };
__attribute__((weak)) const struct hcct_heap_hooks hcct_heap_hooks = { is_never };
