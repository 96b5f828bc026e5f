/* The callees of call sites: which function's record a site leads to, in this process.
 * Threads: under the registry's lock. */
#ifndef HCCT_RUNTIME_OBJECTS_CALLEES_H
#define HCCT_RUNTIME_OBJECTS_CALLEES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "encoding/index.h"
#include "runtime/objects/bodies.h"
#include "runtime/objects/record.h"
#include "runtime/objects/registry.h"

/* All functions have a number, in the order of the objects and their records. */
struct hcct_function_numbers {
    size_t object_count;
    uint32_t
        first[HCCT_OBJECT_LIMIT + HCCT_OBJECTS_FOUND + 1]; /* the number of each object's first function */
    uint32_t own; /* the program's own functions: enum hcct_library */
};

/* A callee, and its number; none: NULL and HCCT_NO_INDEX. */
struct hcct_callee {
    const struct hcct_function *record;
    uint32_t number;
};

/* Of the first `count` objects. */
void hcct_callees_count(struct hcct_function_numbers *functions, size_t count);
/* The record of the function with that number. If its object is loaded again: the old one, which has the
 * ids. */
const struct hcct_function *hcct_callees_function(const struct hcct_function_numbers *functions,
                                                  uint32_t number);
/* The number of a record. `object`: the one that is looked at first. */
struct hcct_callee hcct_callees_find(const struct hcct_function_numbers *functions, size_t object,
                                     const struct hcct_function *record);
/* The callee of a site, whose caller is in object number `caller`. The table of bodies.h must have the
 * functions of all objects. */
struct hcct_callee hcct_callees_of(const struct hcct_function_numbers *functions, size_t caller,
                                   const struct hcct_site *site);

/* Whether the record is one of the object's. */
static inline bool hcct_callees_has(const struct hcct_object *object, const struct hcct_function *record)
{
    return record >= object->start && record < object->stop;
}

/* The instrumented function that runs in place of this one, as the link directs its symbol there; or NULL.
 * Code that is not instrumented may be there, too: then it may call this function, as what --wrap puts there
 * does. The functions of the object are in bodies.h. */
static inline const struct hcct_state *hcct_callees_replacement(const struct hcct_function *function)
{
    const void *symbol = hcct_record_symbol(function);
    return symbol != hcct_record_body(function) ? hcct_bodies_find(symbol) : NULL;
}

/* The callee of a site, where it is a function of the same object, as most are; otherwise NULL. */
static inline const struct hcct_function *hcct_callees_own(const struct hcct_object *object,
                                                           const struct hcct_site *site)
{
    if ((site->flags & HCCT_SITE_KIND_MASK) != HCCT_SITE_LOCAL || !site->callee)
        return NULL;
    const struct hcct_function *callee = hcct_rel_get(&site->callee);
    bool is_own = hcct_callees_has(object, callee) && !(callee->flags & HCCT_FUNCTION_EXTERNAL);
    return is_own && !hcct_callees_replacement(callee) ? callee : NULL;
}

#endif
