/* See sampler.h.
 *
 * The context is in __hcct_thread.current (pass/emit/current.c). If the program counter is in an object
 * without instrumented code, the sample goes to a leaf below that context, named after the object. The leaf
 * is a prefix node of kind LEAF, and its context has the id 0.
 *
 * A signal that was blocked comes late and in another context: at the end of the system call that unblocks
 * it. A sample there is counted as lost, with those that it stands for. If the kernel itself is late, the
 * time goes to the context where the signal comes.
 *
 * Cost: 30 ns, and what the kernel takes for a signal. A new context also gets its chain, a node per push. */
#define _GNU_SOURCE
#include "runtime/meter/sampler.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <sys/syscall.h>

#include "encoding/context.h"
#include "format/layout.h"
#include "runtime/base/machine.h"
#include "runtime/base/machine_context.h"
#include "runtime/core/options.h"
#include "runtime/core/tables.h"
#include "runtime/count/count.h"
#include "runtime/objects/registry.h"
#include "runtime/stack/frame.h"
#include "runtime/stack/prefix.h"
#include "runtime/stack/walk.h"

static bool is_on;

/* --- objects -------------------------------------------------------------------------------------- */

/* An object that a sample was in. */
struct object {
    uintptr_t start;
    const char *path;
    uint64_t site;     /* of its leaves */
    bool has_contexts; /* its code keeps `current`, so a sample there needs no leaf */
    bool is_leaf;      /* a sample has made a leaf of it */
};

enum { OBJECT_LIMIT = 256, PATH_BYTES = 1 << 14 };

/* Under the table lock. objects[0] stands for unknown objects, and for those beyond the limits. */
static struct object objects[OBJECT_LIMIT];
static size_t object_count, path_bytes;
static char paths[PATH_BYTES];

#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 35)
#define FINDS_OBJECTS 1
extern __typeof__(_dl_find_object) _dl_find_object __attribute__((weak)); /* takes no lock */
#endif

static bool has_contexts(uintptr_t start, uintptr_t end)
{
    uintptr_t own = (uintptr_t)&is_on;
    bool any = own >= start && own < end; /* libhcct_rt.so: its time goes to the context that it works for */
    for (size_t i = 0; i < hcct_registry_object_count() && !any; i++) {
        const struct hcct_object *object = hcct_registry_object(i);
        any = object->loaded && object->restores && object->image < end && object->image_end > start;
    }
    return any;
}

static void add_object(uintptr_t start, uintptr_t end, const char *path)
{
    size_t length = strlen(path) + 1;
    if (object_count == OBJECT_LIMIT || length > PATH_BYTES - path_bytes)
        return;
    struct object *object = &objects[object_count++];
    *object =
        (struct object){ .start = start, .path = paths + path_bytes, .site = hcct_layout_leaf_site(path) };
    object->has_contexts = has_contexts(start, end);
    memcpy(paths + path_bytes, path, length);
    path_bytes += length;
}

/* Compares the path, too: another object may have been loaded at the address of one that was unloaded. */
static struct object *object_of(uintptr_t pc)
{
    if (!object_count)
        add_object(0, 0, "unknown");
#if FINDS_OBJECTS
    struct dl_find_object found;
    if (!_dl_find_object || _dl_find_object((void *)pc, &found) != 0)
        return &objects[0];
    uintptr_t start = (uintptr_t)found.dlfo_map_start;
    const char *path = found.dlfo_link_map->l_name;
    path = path && *path ? path : hcct_say_program_path();
    for (int tries = 0; tries < 2; tries++) {
        for (size_t i = 1; i < object_count; i++)
            if (objects[i].start == start && strcmp(objects[i].path, path) == 0)
                return &objects[i];
        add_object(start, (uintptr_t)found.dlfo_map_end, path);
    }
#else
    (void)pc;
#endif
    return &objects[0];
}

uint64_t hcct_sampler_waiting_site(void)
{
    static struct object *waiting;
    if (!object_count)
        add_object(0, 0, "unknown");
    if (!waiting) {
        add_object(1, 1, "waiting"); /* no object begins there */
        waiting = &objects[object_count - 1];
        waiting->is_leaf = true;
    }
    return waiting->site;
}

const char *hcct_sampler_leaf(size_t index)
{
    for (size_t i = 0; i < object_count; i++)
        if (objects[i].is_leaf && index-- == 0)
            return objects[i].path;
    return NULL;
}

/* --- samples -------------------------------------------------------------------------------------- */

/* The frame whose prefix `current` was made from; NULL if there is none. If no instrumented code runs,
 * `current` is the prefix of a root. */
static const struct hcct_frame *find_frame(uint64_t word, uintptr_t sp)
{
    const struct hcct_frame *frame = hcct_walk_find(__hcct_thread.top, word, NULL, sp);
    if (frame)
        return frame;
    for (frame = __hcct_thread.top; !hcct_frame_is_root(frame);)
        frame--;
    return frame->prefix == word ? frame : NULL;
}

static void lose(uint64_t weight)
{
    __atomic_fetch_add(&hcct_tables.dropped_interrupted, weight, __ATOMIC_RELAXED);
}

/* Under the table lock. `pc` 0: the signal interrupted the profiler. */
static void add_sample(uintptr_t pc, uintptr_t sp, uint64_t weight)
{
    struct hcct_block *block = hcct_block_current();
    uint64_t word = __hcct_thread.current;
    const struct hcct_frame *frame = find_frame(word, sp);
    struct object *object = pc ? object_of(pc) : NULL;
    if (!frame || !block) {
        lose(weight);
        return;
    }
    hcct_node node = hcct_prefix_intern(frame, block->pending, hcct_block_pending_room(block));
    if (node && object && (!word || !object->has_contexts)) {
        object->is_leaf = true;
        node = hcct_prefix_leaf(node, word, object->site);
        word = hcct_context_push(word, object->site);
    }
    if (word)
        hcct_count_add(word, weight, node);
    else /* in the profiler, which worked for no context */
        lose(weight);
}

/* Whether the signal came at the end of a system call that may unblock signals. */
static bool is_unblocking(uintptr_t pc)
{
    static const uint16_t unblocking[] = { SYS_rt_sigprocmask, SYS_rt_sigreturn,   SYS_rt_sigsuspend,
                                           SYS_pselect6,       SYS_ppoll,          SYS_epoll_pwait,
                                           SYS_epoll_pwait2,   SYS_rt_sigtimedwait };
    int call = hcct_machine_system_call_before(pc);
    for (size_t i = 0; call >= 0 && i < sizeof unblocking / sizeof unblocking[0]; i++)
        if (call == unblocking[i])
            return true;
    return false;
}

static void sample(uintptr_t pc, uintptr_t sp, uint64_t weight)
{
    hcct_busy_enter();
    hcct_tables_lock();
    if (hcct_tables.running && pc && is_unblocking(pc))
        lose(weight);
    else if (hcct_tables.running)
        add_sample(pc, sp, weight);
    hcct_tables_unlock();
    hcct_busy_leave();
}

void hcct_sampler_take(const void *context, uint64_t weight)
{
    if (is_on && context)
        sample(hcct_machine_context_pc(context), hcct_machine_context_sp(context), weight);
    else if (is_on)
        sample(0, (uintptr_t)__builtin_frame_address(0), weight);
}

/* --- start ---------------------------------------------------------------------------------------- */

bool hcct_sampler_start(void)
{
    for (size_t i = 0; i < hcct_registry_object_count(); i++)
        if (!hcct_registry_object(i)->restores) {
            HCCT_SAY(1, hcct_meter->name, hcct_registry_object(i)->path,
                     " has code that was compiled without --hcct-time: nothing is counted");
            return false;
        }
    return is_on = true;
}
