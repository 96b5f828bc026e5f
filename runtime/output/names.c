/* See names.h. */
#include "runtime/output/names.h"

#include "format/layout.h"
#include "hcct/locations.h"
#include "runtime/objects/record.h"

uint64_t hcct_names_words(uint32_t function_count)
{
    uint64_t words = 1;
    while (words * 64 < (uint64_t)function_count * HCCT_NAMES_BITS && words < HCCT_NAMES_WORDS_LIMIT)
        words *= 2;
    return words;
}

static void add_name(uint64_t *filter, uint64_t words, const char *text)
{
    if (text && *text)
        hcct_layout_names_add(filter, words, hcct_layout_name_hash(text));
}

void hcct_names_fill(const struct hcct_image_function *functions, uint32_t count, uint64_t *filter,
                     uint64_t words)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct hcct_function *record = functions[i].record;
        uint32_t scopes = hcct_locations_of(record).scope_count;
        add_name(filter, words, hcct_rel_get(&record->linkage_name));
        for (uint32_t s = HCCT_SCOPE_TABLE; s < HCCT_SCOPE_TABLE + scopes; s++)
            for (const struct hcct_inlined *inlined = hcct_locations_inlined(record, s); inlined;
                 inlined = hcct_rel_get(&inlined->outer))
                add_name(filter, words, hcct_locations_name(inlined));
    }
}
