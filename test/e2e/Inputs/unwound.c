/* Unwinds as a sample does (runtime/unwind), for a handler of the test's own. */
#include <stdbool.h>
#include <stdint.h>

#include "runtime/core/notice.h"
#include "runtime/core/tables.h"
#include "runtime/stack/prefix.h"
#include "runtime/unwind/interrupted.h"
#include "runtime/unwind/places.h"

enum unwound { UNWOUND_NOT, UNWOUND_IN_PART, UNWOUND };
enum unwound unwind(const void *context, uint64_t *word);

/* UNWOUND_IN_PART: some callers are not known. */
enum unwound unwind(const void *context, uint64_t *word)
{
    hcct_node node = 0;
    uintptr_t place;
    struct hcct_block *block = hcct_block_current();
    if (!block || !hcct_places_refresh())
        return UNWOUND_NOT;
    hcct_tables_lock();
    bool found = hcct_interrupted_find(context, block, word, &node, &place), part = false;
    for (hcct_node at = node; found && at; at = hcct_prefix_at(at)->parent)
        part |= hcct_prefix_at(at)->kind == HCCT_PREFIX_LEAF;
    hcct_tables_unlock();
    return !found ? UNWOUND_NOT : part ? UNWOUND_IN_PART : UNWOUND;
}
