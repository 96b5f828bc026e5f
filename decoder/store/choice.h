/* What of a profile is looked at: one column, and of heaps the others beside it. */
#ifndef HCCT_DECODER_STORE_CHOICE_H
#define HCCT_DECODER_STORE_CHOICE_H

#include "decoder/store/profile.h"
#include "format/error.h"

struct hcct_choice {
    const char *phase; /* NULL: the whole run */
    int value;         /* enum hcct_heap_value; 0 of other metrics */
    bool is_one_value; /* of a heap: the other values are left out */
    bool only_new;     /* contexts that the run found to be new (known=) */
};

/* The column of a heap's value; NULL: the profile has none. */
const struct hcct_file_column *hcct_choice_value(const struct hcct_profile *profile, int value);
/* Whether the profile is of a heap, which has several values. */
bool hcct_choice_has_values(const struct hcct_profile *profile);
/* Whether the profile counted anything in that phase. What a profile without phases counted is in none. */
bool hcct_choice_has_phase(const struct hcct_profile *profile, const char *name);
bool hcct_choice_is_heap(const struct hcct_profile *profile, struct hcct_error *error);
/* The column that is chosen; NULL: the profile has none, and *error says why. */
const struct hcct_file_column *hcct_choice_column(const struct hcct_profile *profile,
                                                  const struct hcct_choice *choice, struct hcct_error *error);

#endif
