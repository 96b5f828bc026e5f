#include "heights/infer/made.h"

#include <stdlib.h>
#include <string.h>

static bool is_named(const struct hcct_stack_call *call)
{
    return call->kind == HCCT_STACK_DIRECT || call->kind == HCCT_STACK_JUMP;
}

/* --- copies ---------------------------------------------------------------------------------------- */

const char *hcct_made_original_name(const char *name, uint32_t *number)
{
    static const char prefix[] = "hcct.clone.";
    char *end;
    if (strncmp(name, prefix, sizeof prefix - 1))
        return NULL;
    *number = (uint32_t)strtoul(name + sizeof prefix - 1, &end, 10);
    return *end == '.' ? end + 1 : NULL;
}

static void find_originals(struct hcct_stack_binary *binary)
{
    for (uint32_t i = 0; i < binary->function_count; i++)
        binary->functions[i].original = i;
    for (uint32_t i = 0; i < binary->name_count; i++) {
        const struct hcct_stack_name *name = &binary->names[i];
        uint32_t number, original;
        const char *of = hcct_made_original_name(name->name, &number);
        if (of && (original = hcct_stack_function_named(binary, of, name->file)) != HCCT_STACK_NONE) {
            binary->functions[name->function].original = original;
            binary->has_copies = true;
        }
    }
}

bool hcct_made_calls_copy(const struct hcct_stack_binary *binary, uint32_t caller, uint32_t function)
{
    const struct hcct_stack_function *from = &binary->functions[caller];
    for (uint32_t i = 0; binary->has_copies && i < from->call_count; i++) {
        const struct hcct_stack_call *call = &binary->calls[from->first_call + i];
        if (is_named(call) && call->callee != function &&
            binary->functions[call->callee].original == function)
            return true;
    }
    return false;
}

/* --- wrappers -------------------------------------------------------------------------------------- */

static bool is_wrapper(const struct hcct_stack_function *function)
{
    static const char prefix[] = "hcct.wrap.";
    return !strncmp(function->name, prefix, sizeof prefix - 1) && function->call_count == 1;
}

static void see_through_wrappers(struct hcct_stack_binary *binary)
{
    for (uint32_t i = 0; i < binary->call_count; i++) {
        struct hcct_stack_call *call = &binary->calls[i];
        struct hcct_stack_function *wrapper = is_named(call) ? &binary->functions[call->callee] : NULL;
        if (!wrapper || !is_wrapper(wrapper))
            continue;
        const struct hcct_stack_call *made = &binary->calls[wrapper->first_call];
        wrapper->wrapper_of = call->caller;
        wrapper->caller_bytes = call->height;
        call->kind = made->kind;
        call->callee = made->callee;
        call->height = call->height == HCCT_HEIGHT_UNKNOWN || made->height == HCCT_HEIGHT_UNKNOWN
                           ? HCCT_HEIGHT_UNKNOWN
                           : call->height + made->height;
    }
}

void hcct_made_find(struct hcct_stack_binary *binary)
{
    find_originals(binary);
    see_through_wrappers(binary);
}

uint32_t hcct_made_sampled(const struct hcct_stack_binary *binary, uint64_t address, int64_t *frame)
{
    uint32_t index = hcct_stack_function_at(binary, address);
    *frame = hcct_stack_height_at(binary, address);
    if (index == HCCT_STACK_NONE || binary->functions[index].wrapper_of == HCCT_STACK_NONE)
        return index;
    const struct hcct_stack_function *wrapper = &binary->functions[index];
    bool is_known = *frame != HCCT_HEIGHT_UNKNOWN && wrapper->caller_bytes != HCCT_HEIGHT_UNKNOWN;
    *frame = is_known ? *frame + wrapper->caller_bytes : HCCT_HEIGHT_UNKNOWN;
    return wrapper->wrapper_of;
}
