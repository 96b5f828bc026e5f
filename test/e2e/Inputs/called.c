/* Names the leaf of an interrupted place as a sample does (runtime/unwind/called.h), for a handler of the test's own. No lock: a test
 * with one thread that counts calls asks nobody else for leaves. */
#define _GNU_SOURCE
#include <stdbool.h>

#include "runtime/base/machine_context.h"
#include "runtime/core/busy.h"
#include "runtime/objects/leaf.h"
#include "runtime/unwind/called.h"

const char *called(const void *context, bool *is_object);
void called_begin(void);

void called_begin(void)
{
    hcct_leaf_take_all_builds();
}

/* NULL: the place is in an object with contexts, or the profiler works. *is_object: the leaf is named after the object. */
const char *called(const void *context, bool *is_object)
{
    struct hcct_leaf *object = hcct_busy ? NULL : hcct_leaf_at(hcct_machine_context_pc(context));
    if (!object || object->has_contexts)
        return NULL;
    struct hcct_leaf *leaf = hcct_called_leaf(context, object);
    *is_object = leaf == object;
    return leaf->path;
}
