/* See callees.h. */
#include "runtime/objects/callees.h"

static const struct hcct_callee no_callee = { NULL, HCCT_NO_INDEX };

void hcct_callees_count(struct hcct_function_numbers *functions, size_t count)
{
    functions->object_count = count;
    functions->first[0] = 0;
    functions->own = 0;
    for (size_t i = 0; i < count; i++) {
        const struct hcct_object *object = hcct_registry_object(i);
        functions->first[i + 1] = functions->first[i] + (uint32_t)(object->stop - object->start);
        functions->own |= object->own;
    }
}

const struct hcct_function *hcct_callees_function(const struct hcct_function_numbers *functions,
                                                  uint32_t number)
{
    size_t at = 0;
    while (number >= functions->first[at + 1])
        at++;
    const struct hcct_object *object = hcct_registry_object(at);
    return &(object->before ? object->before : object->start)[number - functions->first[at]];
}

struct hcct_callee hcct_callees_find(const struct hcct_function_numbers *functions, size_t object,
                                     const struct hcct_function *record)
{
    size_t at = object;
    if (!hcct_callees_has(hcct_registry_object(at), record))
        for (at = 0; at < functions->object_count && !hcct_callees_has(hcct_registry_object(at), record);)
            at++;
    if (at == functions->object_count)
        return no_callee;
    return (struct hcct_callee){ record, functions->first[at] +
                                             (uint32_t)(record - hcct_registry_object(at)->start) };
}

/* Whether the function that `stand_in` stands for is instrumented: then it counts its calls itself. */
static bool counts_itself(const struct hcct_function *stand_in)
{
    const struct hcct_symbol *symbol = hcct_rel_get(&stand_in->body);
    return symbol && symbol->address && hcct_bodies_find(symbol->address);
}

struct hcct_callee hcct_callees_of(const struct hcct_function_numbers *functions, size_t caller,
                                   const struct hcct_site *site)
{
    const void *callee = hcct_rel_get(&site->callee);
    const struct hcct_state *state = NULL;
    switch (callee ? site->flags & HCCT_SITE_KIND_MASK : HCCT_SITE_INDIRECT) {
    case HCCT_SITE_LOCAL:
        if (hcct_record_is_external(site) && counts_itself(callee))
            return no_callee;
        if (!(state = hcct_callees_replacement(callee)))
            return hcct_callees_find(functions, caller, callee);
        break;
    case HCCT_SITE_SYMBOL:
        if (((const struct hcct_symbol *)callee)->address)
            state = hcct_bodies_find(((const struct hcct_symbol *)callee)->address);
        break;
    }
    return state ? hcct_callees_find(functions, caller, hcct_record_of(state)) : no_callee;
}
