/* See sampler.h.
 *
 * The context is found by unwinding (runtime/unwind). If the program counter is in an object without
 * instrumented code, the sample goes to a leaf below that context, named after the function that was called
 * (runtime/unwind/called.h), or after the object. The leaf is a prefix node of kind LEAF, and its context has
 * the id 0.
 *
 * A signal that was blocked comes late and in another context: at the end of the system call that unblocks
 * it. A sample there is counted as lost, with those that it stands for, unless the call got no mask. If the
 * kernel itself is late, the time goes to the context where the signal comes.
 *
 * The signal may come where the stack is almost full: a program may have moved the stack pointer to its end,
 * to find out where that is. The sample is lost then.
 *
 * Cost: some microseconds to unwind the stack, and what the kernel takes for a signal. A new context also
 * gets its chain, a node per push. */
#define _GNU_SOURCE
#include "runtime/meter/sampler.h"

#include <errno.h>
#include <link.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "encoding/context.h"
#include "runtime/base/find_object.h"
#include "runtime/base/machine.h"
#include "runtime/base/machine_context.h"
#include "runtime/base/say.h"
#include "runtime/core/notice.h"
#include "runtime/core/tables.h"
#include "runtime/count/count.h"
#include "runtime/meter/settings.h"
#include "runtime/meter/ticks/timer.h"
#include "runtime/objects/leaf.h"
#include "runtime/stack/prefix.h"
#include "runtime/unwind/called.h"
#include "runtime/unwind/interrupted.h"
#include "runtime/unwind/places.h"

struct hcct_meter_settings hcct_meter_settings = { .frequency = 100 };

static bool is_on;

/* --- samples -------------------------------------------------------------------------------------- */

static void lose(uint64_t weight)
{
    __atomic_fetch_add(&hcct_tables.dropped_interrupted, weight, __ATOMIC_RELAXED);
}

/* Goes down from the context to what it has below it at that site. */
static void descend(uint64_t *word, hcct_node *node, uint64_t site, enum hcct_prefix_kind kind)
{
    *node = hcct_prefix_below(*node, *word, site, kind);
    *word = hcct_context_leaf(*word, site);
}

/* A context's samples are told apart by their places in its code. */
static void descend_to_place(uint64_t *word, hcct_node *node, uintptr_t at)
{
    struct dl_find_object found;
    if (!at || !*node || !*word || !hcct_find_object(at, &found))
        return;
    const struct hcct_leaf *object = hcct_leaf_at(at);
    uint64_t address = at - found.dlfo_link_map->l_addr;
    if (object->has_contexts && address >> HCCT_PLACE_ADDRESS_BITS == 0)
        descend(word, node, hcct_layout_place_site(object->site, address), HCCT_PREFIX_PLACE);
}

/* Under the table lock. `context` NULL: the signal interrupted the profiler. */
static void add_sample(const ucontext_t *context, uint64_t weight)
{
    struct hcct_block *block = hcct_block_current();
    struct hcct_leaf *leaf = context ? hcct_leaf_at(hcct_machine_context_pc(context)) : NULL;
    uint64_t word;
    hcct_node node;
    uintptr_t at;
    if (!block || !hcct_interrupted_find(context, block, &word, &node, &at)) {
        lose(weight);
        return;
    }
    if (leaf && !leaf->has_contexts)
        leaf = hcct_called_leaf(context, leaf);
    descend_to_place(&word, &node, at);
    if (node && leaf && (!word || !leaf->has_contexts)) {
        leaf->is_used = true;
        descend(&word, &node, leaf->site, HCCT_PREFIX_LEAF);
    }
    if (word)
        hcct_count_add(word, weight, node);
    else /* in the profiler, which worked for no context */
        lose(weight);
}

/* pselect6 has a structure, in which a pointer to the mask comes first. The C library's is on its stack. What
 * is in the stack pointer's page can be read; elsewhere the kernel tells. */
static bool names_mask(uintptr_t structure, uintptr_t sp)
{
    enum { PAGE_BYTES = 4096 };
    uintptr_t mask = 1;
    struct iovec from = { (void *)structure, sizeof mask }, to = { &mask, sizeof mask };
    if (structure && structure / PAGE_BYTES == sp / PAGE_BYTES && structure % sizeof mask == 0)
        return *(const uintptr_t *)structure;
    if (structure)
        process_vm_readv(hcct_process_id(), &to, 1, &from, 1, 0);
    return structure && mask;
}

/* Whether the signal came at the end of a system call that may unblock signals. Some do so only if they are
 * given a mask: the C library's select and poll may be calls of these, without one. */
static bool is_unblocking(const ucontext_t *context)
{
    enum { NO_MASK = -1, MASK_1 = 1, MASK_3 = 3, MASK_4 = 4, STRUCTURE = 5 };
    static const struct {
        uint16_t call;
        int8_t mask; /* the number of the parameter */
    } unblocking[] = { { SYS_rt_sigprocmask, MASK_1 }, { SYS_ppoll, MASK_3 },
                       { SYS_epoll_pwait, MASK_4 },    { SYS_epoll_pwait2, MASK_4 },
                       { SYS_pselect6, STRUCTURE },    { SYS_rt_sigreturn, NO_MASK },
                       { SYS_rt_sigsuspend, NO_MASK }, { SYS_rt_sigtimedwait, NO_MASK } };
    int call = hcct_machine_system_call_before(hcct_machine_context_pc(context));
    for (size_t i = 0; call >= 0 && i < sizeof unblocking / sizeof unblocking[0]; i++) {
        if (call != unblocking[i].call)
            continue;
        uintptr_t mask =
            unblocking[i].mask == NO_MASK ? 1 : hcct_machine_context_parameter(context, unblocking[i].mask);
        return unblocking[i].mask == STRUCTURE ? names_mask(mask, hcct_machine_context_sp(context)) : mask;
    }
    return false;
}

/* Whether the stack has room for what follows. The kernel tells by reading there, so that nothing faults;
 * it extends the stack if that can be. SIG_BLOCK and its kin are 0 to 2, so this changes no mask. */
static __attribute__((noinline)) bool has_room(const ucontext_t *context)
{
    enum { NO_CHANGE = -1 };
    uintptr_t here = (uintptr_t)__builtin_frame_address(0), start = (uintptr_t)context->uc_stack.ss_sp,
              end = start + context->uc_stack.ss_size, least = here - HCCT_STACK_TO_SAMPLE;
    if (!(context->uc_stack.ss_flags & SS_DISABLE) && here >= start && here < end)
        return least >= start && least < here;
    const void *far = (const void *)(least & ~(sizeof(uint64_t) - 1));
    return syscall(SYS_rt_sigprocmask, NO_CHANGE, far, NULL, sizeof(uint64_t)) == 0 || errno != EFAULT;
}

void hcct_sampler_take(const void *context, uint64_t weight)
{
    if (!is_on)
        return;
    if (context && !has_room(context)) {
        if (hcct_tables.running)
            lose(weight);
        return;
    }
    hcct_busy_enter();
    bool is_ready = hcct_places_refresh();
    hcct_tables_lock();
    if (hcct_tables.running && (!is_ready || (context && is_unblocking(context))))
        lose(weight);
    else if (hcct_tables.running)
        add_sample(context, weight);
    hcct_tables_unlock();
    hcct_busy_leave();
}

/* --- threads without a timer ---------------------------------------------------------------------- */

void hcct_sampler_miss(struct hcct_block *block)
{
    struct hcct_timer_thread *own = hcct_timer_of(block);
    uint64_t now = is_on && own->is_untimed ? hcct_timer_cpu_ns(block->thread) : 0;
    if (now <= own->missed_ns)
        return;
    if (hcct_tables.running)
        lose(now - own->missed_ns);
    own->missed_ns = now;
}

void hcct_sampler_miss_all(void)
{
    for (struct hcct_block *block = hcct_block_first(); block; block = block->next)
        if (block->in_use && !block->outer)
            hcct_sampler_miss(block);
}

/* --- start ---------------------------------------------------------------------------------------- */

bool hcct_sampler_start(void)
{
    is_on = hcct_find_object_is_possible();
    if (!is_on)
        HCCT_SAY(1, hcct_meter->name, "samples need glibc 2.35 or newer: nothing is counted");
    return is_on;
}

static bool is_sampled(void)
{
    return true;
}

const struct hcct_meter_file hcct_sampler_file = { .is_sampled = is_sampled };
