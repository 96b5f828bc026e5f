/* See build.h. */
#include "runtime/output/build.h"

#include <string.h>

#include "runtime/objects/record.h"
#include "runtime/output/strings.h"

uint64_t hcct_build_hash(const struct hcct_image_function *functions, uint32_t count)
{
    uint64_t hash = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct hcct_function *record = functions[i].record;
        const struct hcct_state *state = hcct_record_state(record);
        const struct hcct_site *sites = hcct_rel_get(&record->sites);
        const char *name = hcct_rel_get(&record->linkage_name);
        hash =
            hcct_mix(hash + hcct_strings_hash(name ? name : "", name ? strlen(name) : 0), state->base | 1) +
            state->contexts;
        for (uint32_t s = 0; s < record->site_count; s++)
            hash =
                hcct_mix(hash + (s < record->delta_count ? (uint64_t)state->delta[s] : 0) + 1, sites[s].id);
    }
    return hash;
}
