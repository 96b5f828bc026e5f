/* Several runs as one: what their profiles say about the whole run (struct hcct_file_run), added up; and
 * whether they may be added. */
#ifndef HCCT_DECODER_STORE_RUN_H
#define HCCT_DECODER_STORE_RUN_H

#include "decoder/store/profile.h"
#include "format/error.h"

/* Adds a run to the sum of others, which began as a copy of the first one. What the first run has as its
 * program, command, host, process and job stays; hcct_pool_add changes some of it. */
void hcct_run_add(struct hcct_file_run *sum, const struct hcct_file_run *run);

/* False, with the message that every command gives, if the counts of the two profiles do not mean the
 * same. */
bool hcct_run_check_metric(const struct hcct_profile *first, const struct hcct_profile *other,
                           struct hcct_error *error);

/* False, with a message, if the two profiles cannot be added: their metrics or units differ, or one counts
 * calls and the other ticks. */
bool hcct_run_check_sum(const struct hcct_profile *first, const struct hcct_profile *other,
                        struct hcct_error *error);

/* Returns false, with the message that a profile is of another build than the first one; `hint` says which
 * option helps. */
bool hcct_run_refuse_build(const char *hint, struct hcct_error *error);

#endif
