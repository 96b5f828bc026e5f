#include "decoder/profile/new.h"

#include <stdlib.h>

const struct hcct_file_new *hcct_new_numbers(const struct hcct_profile *profile)
{
    return (const struct hcct_file_new *)(const void *)profile->new_words;
}

bool hcct_new_choose(struct hcct_profile *profile, struct hcct_error *error)
{
    if (!profile->new_words)
        return hcct_error_set(error, HCCT_ERROR_MISMATCH, HCCT_ERROR_NOWHERE,
                              "does not tell which contexts are new: HCCT_OPTIONS=known=FILE does");
    struct hcct_file_entry *entries = malloc(((size_t)profile->entry_count + 1) * sizeof *entries);
    if (!entries)
        return hcct_error_out_of_memory(error);
    const uint64_t *bits = profile->new_words + HCCT_NEW_NUMBERS;
    uint32_t count = 0;
    for (uint32_t i = 0; i < profile->entry_count; i++)
        if (bits[i / 64] >> i % 64 & 1)
            entries[count++] = profile->entries[i];
    profile->entries = profile->chosen = entries;
    profile->entry_count = count;
    profile->only_new = true;
    return true;
}
