/* What a column claims, in sentences. `is_sound`: nothing is missing or misplaced. `may_lack_hot`: a context
 * that no file kept may be hot. */
#ifndef HCCT_DECODER_CLAIM_WORDS_H
#define HCCT_DECODER_CLAIM_WORDS_H

#include <stdio.h>

#include "decoder/claim/ground.h"

#define HCCT_CAPPED "the run's sum has reached 2^64 - 1, and what came after that is missing"

/* What counts of calls do not show. */
#define HCCT_CALLS_SAY                                                                                       \
    "Calls tell how often, not how long: work in loops and in inlined code only --time shows."

/* "exact", "upper", "chance", "nothing" */
extern const char *const hcct_sure_names[];

enum { HCCT_CLAIM_BYTES = 240 };
/* A sentence's worth: "deterministic". */
void hcct_claim_say(const struct hcct_ground *ground, bool is_sound, bool may_lack_hot,
                    char text[HCCT_CLAIM_BYTES]);
/* Two or three words, for a title: "epsilon 2e-05". */
void hcct_claim_say_shortly(const struct hcct_ground *ground, char text[HCCT_CLAIM_BYTES]);

/* For a heading, behind how many contexts there are: ", every count exact". */
void hcct_claim_print(FILE *out, const struct hcct_ground *ground, bool is_sound, bool may_lack_hot);
/* The lines that say what estimates are from, and how sure they are. Of others nothing. */
void hcct_claim_print_estimate(FILE *out, const struct hcct_ground *ground);
void hcct_claim_print_samples(FILE *out, const struct hcct_ground *ground);

#endif
