/* Names the leaf of an interrupted place as a sample does (runtime/unwind/called.h), for a handler of the test's own. No lock: a test
 * with one thread that counts calls asks nobody else for leaves. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "runtime/base/machine_context.h"
#include "runtime/core/busy.h"
#include "runtime/objects/leaf.h"
#include "runtime/unwind/called.h"

const char *called(const void *context, bool *is_object);
void called_begin(void);
int called_limits(void);

void called_begin(void)
{
}

/* NULL: the place is in an object with contexts, or the profiler works. *is_object: the leaf is named after the object. */
const char *called(const void *context, bool *is_object)
{
    struct hcct_leaf *object = hcct_busy.depth ? NULL : hcct_leaf_at(hcct_machine_context_pc(context));
    if (!object || object->has_contexts)
        return NULL;
    struct hcct_leaf *leaf = hcct_called_leaf(context, object);
    *is_object = leaf == object;
    return leaf->path;
}

/* Leaves of more names than there is room for: how many there were. Each name has one leaf, also when there is no room for more. */
int called_limits(void)
{
    char name[2000];
    int count = 0, same = 0;
    for (int i = 0; i < 3000; i++) {
        int length = snprintf(name, sizeof name, "function_%d", i);
        struct hcct_leaf *leaf = hcct_leaf_named(name, (size_t)length);
        count += leaf != NULL;
        same += leaf && leaf == hcct_leaf_named(name, (size_t)length) && strcmp(leaf->path, name) == 0;
    }
    memset(name, 'a', sizeof name);
    bool refuses =
        !hcct_leaf_named(name, sizeof name) && !hcct_leaf_named("a/b", 3) && !hcct_leaf_named("", 0);
    return refuses && same == count && hcct_leaf_named("function_0", 10) ? count : 0;
}
