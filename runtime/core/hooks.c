/* See hooks.h: what holds where there is no upper layer. */
#include "runtime/core/hooks.h"

#include "runtime/core/block.h"

static void do_nothing(void) {}

static void leave_block(struct hcct_block *block)
{
    (void)block;
}

static void make_nothing(struct hcct_block *block, bool is_level)
{
    (void)block, (void)is_level;
}

static void begin_nothing(struct hcct_block *block, struct hcct_block *outer)
{
    (void)block, (void)outer;
}

static void end_nothing(struct hcct_block *block, bool how)
{
    (void)block, (void)how;
}

static size_t has_nothing(const struct hcct_block *block)
{
    return sizeof *block;
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
__attribute__((weak)) const struct hcct_count_hooks hcct_count_hooks = {
    sizeof(struct hcct_block), make_nothing, begin_nothing, end_nothing, end_nothing, has_nothing, do_nothing
};
__attribute__((weak)) const struct hcct_thread_hooks hcct_thread_hooks = { leave_block, leave_block };
__attribute__((weak)) const struct hcct_heap_hooks hcct_heap_hooks = { is_never };
