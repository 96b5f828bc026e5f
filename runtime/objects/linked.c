/* See linked.h. */
#include "runtime/objects/linked.h"

#include "hcct/linked.h"
#include "runtime/core/options.h"
#include "runtime/objects/record.h"

/* Volatile: only the link changes it, which the compiler does not know. */
static volatile struct hcct_linked linked
    __attribute__((section(HCCT_LINKED_SECTION), used)) = { .magic = HCCT_LINKED_NOT,
                                                            .abi = HCCT_ABI_VERSION };

/* Written once, at start. */
static uint64_t build, name_words;

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
    for (uint64_t i = 0; i < words; i++)
        filter[i] = hcct_record_state(&start[2 * i])->names |
                    (uint64_t)hcct_record_state(&start[2 * i + 1])->names << 32;
    return true;
}
