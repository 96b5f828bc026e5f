/* See choice.h. */
#include "decoder/store/choice.h"

#include <stdio.h>
#include <string.h>

#include "format/names.h"

const struct hcct_file_column *hcct_choice_value(const struct hcct_profile *profile, int value)
{
    return hcct_profile_column(profile, hcct_heap_value_names[value], "");
}

bool hcct_choice_has_values(const struct hcct_profile *profile)
{
    return profile->run->metric == HCCT_METRIC_HEAP;
}

bool hcct_choice_is_heap(const struct hcct_profile *profile, struct hcct_error *error)
{
    return hcct_choice_has_values(profile) ||
           hcct_error_set(error, HCCT_ERROR_MISMATCH, HCCT_ERROR_NOWHERE,
                          "counts no heap: HCCT_OPTIONS=metric=heap, or hcct-run --heap, does");
}

/* --- phases ---------------------------------------------------------------------------------------- */

static const struct hcct_file_column *find_phase(const struct hcct_profile *profile, const char *name)
{
    const char *metric = hcct_profile_string(profile, hcct_profile_main(profile)->name);
    return *name ? hcct_profile_column(profile, metric, name) : NULL;
}

static bool has_phases(const struct hcct_profile *profile)
{
    bool any = false;
    for (uint32_t i = 0; i < profile->rows.column_count; i++)
        any |= hcct_profile_is_phase(profile, &profile->rows.columns[i]);
    return any;
}

bool hcct_choice_has_phase(const struct hcct_profile *profile, const char *name)
{
    return has_phases(profile) ? find_phase(profile, name) != NULL : !strcmp(name, HCCT_PHASE_NONE_NAME);
}

/* Says which phases there are, as far as the message has room. */
static bool refuse_phase(const struct hcct_profile *profile, const char *name, struct hcct_error *error)
{
    char known[160] = "";
    size_t length = 0;
    for (uint32_t i = 0; i < profile->rows.column_count; i++) {
        const char *other = hcct_profile_string(profile, profile->rows.columns[i].part);
        if (!hcct_profile_is_phase(profile, &profile->rows.columns[i]))
            continue;
        int added = snprintf(known + length, sizeof known - length, "%s%s", length ? ", " : "", other);
        if (added < 0 || (size_t)added >= sizeof known - length - sizeof ", ...") {
            strcpy(known + length, length ? ", ..." : "...");
            break;
        }
        length += (size_t)added;
    }
    for (char *at = known; *at; at++)
        *at = (unsigned char)*at < ' ' || *at == 127 ? '?' : *at;
    if (!has_phases(profile))
        return hcct_error_set(error, HCCT_ERROR_MISMATCH, HCCT_ERROR_NOWHERE,
                              "tells no phases apart: the program did not call hcct_phase()");
    return hcct_error_set(error, HCCT_ERROR_MISMATCH, HCCT_ERROR_NOWHERE,
                          "has no phase of that name (%.40s); it has: %s", name, known);
}

/* --- the column ------------------------------------------------------------------------------------ */

static bool check(const struct hcct_profile *profile, const struct hcct_choice *choice,
                  struct hcct_error *error)
{
    if (choice->only_new && !hcct_profile_column(profile, HCCT_COLUMN_NEW, ""))
        return hcct_error_set(error, HCCT_ERROR_MISMATCH, HCCT_ERROR_NOWHERE,
                              "does not tell which contexts are new: HCCT_OPTIONS=known=FILE does");
    if (choice->is_one_value && !hcct_choice_is_heap(profile, error))
        return false;
    if (choice->phase && !find_phase(profile, choice->phase))
        return refuse_phase(profile, choice->phase, error);
    if (choice->phase && choice->value)
        return hcct_error_set(error, HCCT_ERROR_MISMATCH, HCCT_ERROR_NOWHERE,
                              "tells of phases how many bytes were allocated, and no other value");
    return true;
}

const struct hcct_file_column *hcct_choice_column(const struct hcct_profile *profile,
                                                  const struct hcct_choice *choice, struct hcct_error *error)
{
    if (!check(profile, choice, error))
        return NULL;
    if (choice->phase)
        return find_phase(profile, choice->phase);
    if (!choice->value)
        return hcct_profile_main(profile);
    const struct hcct_file_column *column = hcct_choice_value(profile, choice->value);
    if (!column)
        hcct_error_set(error, HCCT_ERROR_MISMATCH, HCCT_ERROR_NOWHERE,
                       "did not look for lost blocks: HCCT_OPTIONS=metric=heap:heap_scan=on does");
    return column;
}
