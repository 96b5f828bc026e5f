/* See linked.h. */
#include "runtime/objects/linked.h"

#include <string.h>

#include "hcct/linked.h"
#include "runtime/base/memory.h"
#include "runtime/base/say.h"
#include "runtime/core/block.h"
#include "runtime/core/settings.h"
#include "runtime/objects/record.h"

/* Volatile: only the link changes it, which the compiler does not know. */
static volatile struct hcct_linked linked
    __attribute__((section(HCCT_LINKED_SECTION), used)) = { .magic = HCCT_LINKED_NOT,
                                                            .abi = HCCT_ABI_VERSION };

/* Written once, at start. */
static uint64_t build, name_words;
static uint64_t *names; /* the filter: [name_words]; NULL: it is still in the states, or memory is short */

/* Why it is numbered now, or NULL. */
static const char *find_obstacle(const struct hcct_object *object, size_t object_count)
{
    if (object_count > 1)
        return "other instrumented objects are loaded";
    if (linked.abi != HCCT_ABI_VERSION ||
        (const char *)object->start - (const char *)&linked != linked.records ||
        object->stop - object->start != linked.function_count ||
        hcct_linked_check(object->start, object->stop, object->own, (const struct hcct_linked *)&linked) !=
            linked.check)
        return "the executable was changed after its link";
    return NULL;
}

static void read_names(const struct hcct_function *start, uint64_t *filter, uint64_t words)
{
    for (uint64_t i = 0; i < words; i++)
        filter[i] = hcct_record_state(&start[2 * i])->names |
                    (uint64_t)hcct_record_state(&start[2 * i + 1])->names << 32;
}

/* Only mode=hcct asks for places (count/functions.h): to write them copies all pages that have states. */
static void put_places(const struct hcct_object *object)
{
    if (hcct_core_settings.mode != HCCT_MODE_HCCT)
        return;
    names = name_words ? hcct_memory_map(name_words * sizeof *names) : NULL;
    if (names)
        read_names(object->start, names, name_words);
    else
        name_words = 0;
    for (const struct hcct_function *f = object->start; f < object->stop; f++) {
        uint32_t place = f->flags >> HCCT_FUNCTION_PLACE_SHIFT;
        hcct_record_state(f)->names = place < HCCT_FUNCTION_PLACES ? place : HCCT_FUNCTION_PLACES - 1;
    }
}

bool hcct_linked_fits(const struct hcct_object *objects, size_t object_count, uint64_t *id_count)
{
    if (linked.magic != HCCT_LINKED_NUMBERED)
        return false;
    const char *obstacle = find_obstacle(objects, object_count);
    if (obstacle)
        HCCT_SAY(2, "the numbers of the link do not hold: ", obstacle);
    *id_count = linked.id_count;
    build = obstacle ? 0 : linked.build;
    name_words = obstacle ? 0 : linked.name_words;
    if (!obstacle)
        put_places(objects);
    return !obstacle;
}

uint64_t hcct_linked_build(void)
{
    return build;
}

bool hcct_linked_names(const struct hcct_function *start, uint64_t *filter, uint64_t words)
{
    if (!name_words || words != name_words)
        return false;
    if (names)
        memcpy(filter, names, words * sizeof *filter);
    else
        read_names(start, filter, words);
    return true;
}
