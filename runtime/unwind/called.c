/* See called.h. */
#define _GNU_SOURCE
#include "runtime/unwind/called.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "runtime/base/find_object.h"
#include "runtime/base/machine_call.h"
#include "runtime/base/readable.h"
#include "runtime/objects/registry.h"
#include "runtime/objects/slot.h"
#include "runtime/unwind/activation.h"

/* --- calls ----------------------------------------------------------------------------------------- */

/* The slot that the call in front of `pc` goes through; 0: it is no such call. */
static uintptr_t slot_of_call(uintptr_t pc)
{
    const unsigned char *code = (const unsigned char *)pc - HCCT_MACHINE_CALL_BYTES;
    if (!hcct_readable(code, HCCT_MACHINE_CALL_BYTES))
        return 0;
    struct hcct_machine_callee callee = hcct_machine_callee_of(code, pc);
    const unsigned char *stub = (const unsigned char *)callee.code;
    if (stub && hcct_readable(stub, HCCT_MACHINE_STUB_BYTES))
        return hcct_machine_stub_slot(stub, callee.code);
    return callee.slot;
}

/* What the slot holds; 0: it cannot be read. */
static uintptr_t content_of(uintptr_t slot)
{
    if (slot % sizeof(uintptr_t) || !hcct_readable((const void *)slot, sizeof slot))
        return 0;
    return __atomic_load_n((const uintptr_t *)slot, __ATOMIC_RELAXED);
}

/* Whether the slot leads to code without contexts. Before the first call it may lead to the linker's stub
 * instead. If it leads to instrumented code, that one called something at its end. */
static bool leads_out(uintptr_t slot)
{
    struct dl_find_object found;
    uintptr_t code = content_of(slot);
    return code && hcct_find_object(code, &found) && !hcct_leaf_at(code)->has_contexts;
}

static struct hcct_leaf *leaf_of_slot(uintptr_t slot, uintptr_t pc)
{
    struct dl_find_object caller, holder;
    if (!hcct_find_object(pc - 1, &caller) || !hcct_find_object(slot, &holder) ||
        caller.dlfo_link_map != holder.dlfo_link_map)
        return NULL;
    size_t length;
    const char *name = hcct_slot_function(holder.dlfo_link_map, slot, &length);
    return name ? hcct_leaf_named(name, length) : NULL;
}

/* `code` is where the library's function begins. */
static struct hcct_leaf *leaf_of_function(uintptr_t code)
{
    struct dl_find_object definer;
    size_t length;
    if (!hcct_find_object(code, &definer))
        return NULL;
    const char *name = hcct_slot_exported(definer.dlfo_link_map, code, &length);
    return name ? hcct_leaf_named(name, length) : NULL;
}

/* --- calls that were seen -------------------------------------------------------------------------- */

/* What is known of return addresses, as long as no objects are loaded or unloaded. */
enum { SEEN_LOG2 = 9 };
static struct seen {
    uintptr_t pc;
    struct hcct_leaf *leaf; /* or NULL: none, for good */
} seen[1 << SEEN_LOG2];
static uint64_t seen_stamp;

static struct hcct_leaf *leaf_of_call(uintptr_t pc)
{
    uint64_t stamp = hcct_registry_stamp();
    struct seen *at = &seen[(pc * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - SEEN_LOG2)];
    if (seen_stamp != stamp)
        memset(seen, 0, sizeof seen);
    seen_stamp = stamp;
    if (at->pc == pc)
        return at->leaf;
    uintptr_t slot = slot_of_call(pc);
    if (slot && !leads_out(slot))
        return NULL;
    *at = (struct seen){ pc, slot ? leaf_of_slot(slot, pc) : NULL };
    return at->leaf;
}

/* --- the stack ------------------------------------------------------------------------------------- */

/* A return address at the begin of its function is that of a stack by makecontext: nothing called. */
struct hcct_leaf *hcct_called_leaf(const void *context, struct hcct_leaf *object)
{
    static struct hcct_activation activation; /* under the table lock: a handler's stack may be small */
    struct hcct_leaf *leaf = hcct_leaf_name ? hcct_leaf_named(hcct_leaf_name, strlen(hcct_leaf_name)) : NULL;
    if (leaf)
        return leaf;
    if (!hcct_activation_begin(&activation, context))
        return object;
    uintptr_t code = activation.start;
    while (hcct_activation_up(&activation)) {
        if (!hcct_leaf_at(activation.pc - 1)->has_contexts) {
            code = activation.start;
            continue;
        }
        leaf = activation.pc > activation.start ? leaf_of_call(activation.pc) : NULL;
        leaf = leaf || !code ? leaf : leaf_of_function(code); /* 0: a stub */
        return leaf ? leaf : object;
    }
    return object;
}
