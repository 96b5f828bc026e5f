#include "heights/infer/wrappers.h"

#include <string.h>

static bool is_named(const struct hcct_stack_call *call)
{
    return call->kind == HCCT_STACK_DIRECT || call->kind == HCCT_STACK_JUMP;
}

static bool is_wrapper(const struct hcct_stack_function *function)
{
    static const char prefix[] = "hcct.wrap.";
    return !strncmp(function->name, prefix, sizeof prefix - 1) && function->call_count == 1;
}

void hcct_wrappers_see_through(struct hcct_stack_binary *binary)
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

uint32_t hcct_wrappers_sampled(const struct hcct_stack_binary *binary, uint64_t address, int64_t *frame)
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
