/* See allocators.h. */
#include "runtime/heap/allocators.h"

#include "runtime/objects/registry.h"
#include "runtime/stack/path.h"

/* While the registry is held. */
static bool program_has_any(void)
{
    static size_t objects_seen;
    static bool found;
    for (; objects_seen < hcct_registry_object_count() && !found; objects_seen++) {
        const struct hcct_object *object = hcct_registry_object(objects_seen);
        for (const struct hcct_function *f = object->start; f < object->stop; f++)
            found |= (f->flags & HCCT_FUNCTION_ALLOCATOR) != 0;
    }
    return found;
}

bool hcct_heap_is_inner(struct hcct_here here, bool by_function)
{
    if (!hcct_registry_hold())
        return false;
    bool is = program_has_any() && hcct_path_has(here, HCCT_FUNCTION_ALLOCATOR, !by_function);
    hcct_registry_let_go();
    return is;
}

static bool is_named_like_allocator(const struct hcct_function *function)
{
    static const char alloc[] = "alloc";
    const char *name = hcct_rel_get(&function->linkage_name);
    size_t found = 0;
    for (; name && *name && found < sizeof alloc - 1; name++)
        found = (*name | 32) == alloc[found] ? found + 1 : (*name | 32) == 'a';
    return found == sizeof alloc - 1;
}

bool hcct_heap_has_named_allocator(void)
{
    for (size_t i = 0; i < hcct_registry_object_count(); i++) {
        const struct hcct_object *object = hcct_registry_object(i);
        for (const struct hcct_function *f = object->start; f < object->stop; f++)
            if (is_named_like_allocator(f))
                return true;
    }
    return false;
}
