/* Reads the records that the pass wrote (hcct/abi.h). */
#ifndef HCCT_RUNTIME_OBJECTS_RECORD_H
#define HCCT_RUNTIME_OBJECTS_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "hcct/abi.h"

/* The number of places for the calls of functions (hcct_state.names, count/functions.h). All functions
 * without a place of their own share the last one. */
#define HCCT_FUNCTION_PLACES (1u << 18)

static inline struct hcct_state *hcct_record_state(const struct hcct_function *function)
{
    return (struct hcct_state *)(uintptr_t)hcct_rel_get(&function->state);
}

static inline const struct hcct_function *hcct_record_of(const struct hcct_state *state)
{
    return (const void *)((const char *)&state->record + state->record); /* never null */
}

static inline const void *hcct_record_body(const struct hcct_function *function)
{
    return (const char *)&function->body + function->body; /* never null */
}

/* The code that calls by the function's name lead to. */
static inline const void *hcct_record_symbol(const struct hcct_function *function)
{
    return function->symbol ? hcct_rel_get(&function->symbol) : hcct_record_body(function);
}

/* Of a numbered function: whether another instrumented one runs in its place. */
static inline bool hcct_record_is_replaced(const struct hcct_function *function)
{
    return hcct_record_symbol(function) != hcct_record_body(function) &&
           !hcct_record_state(function)->contexts;
}

static inline const struct hcct_site *hcct_record_sites(const struct hcct_function *function)
{
    return hcct_rel_get(&function->sites);
}

static inline uint8_t hcct_record_weight(const struct hcct_site *site)
{
    return (uint8_t)(site->flags >> HCCT_SITE_WEIGHT_SHIFT);
}

/* Whether the callee of `site` only counts calls of a function that its module does not instrument. */
static inline bool hcct_record_is_external(const struct hcct_site *site)
{
    const struct hcct_function *callee =
        (site->flags & HCCT_SITE_KIND_MASK) == HCCT_SITE_LOCAL ? hcct_rel_get(&site->callee) : NULL;
    return callee && callee->flags & HCCT_FUNCTION_EXTERNAL;
}

/* The code that a direct call in a numbered object leads to, or NULL. */
static inline const void *hcct_record_callee_body(const struct hcct_site *site)
{
    const void *callee = hcct_rel_get(&site->callee);
    if (!callee)
        return NULL;
    switch (site->flags & HCCT_SITE_KIND_MASK) {
    case HCCT_SITE_LOCAL:
        return hcct_record_is_replaced(callee) ? hcct_record_symbol(callee) : hcct_record_body(callee);
    case HCCT_SITE_SYMBOL:
        return ((const struct hcct_symbol *)callee)->address;
    default:
        return NULL;
    }
}

/* The linkage name of a direct callee, or NULL. */
static inline const char *hcct_record_callee_name(const struct hcct_site *site)
{
    const void *callee = hcct_rel_get(&site->callee);
    if (!callee)
        return NULL;
    switch (site->flags & HCCT_SITE_KIND_MASK) {
    case HCCT_SITE_LOCAL:
        return hcct_rel_get(&((const struct hcct_function *)callee)->linkage_name);
    case HCCT_SITE_SYMBOL:
        return hcct_rel_get(&((const struct hcct_symbol *)callee)->name);
    default:
        return callee;
    }
}

#endif
