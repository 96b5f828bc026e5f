/* What hcct-top shows: the contexts of a running program (dump=1), and how often each was
 * called since the sample before.
 *
 * A sample is read whole and decoded as any profile is. Contexts of two samples are matched by a 64-bit hash
 * of the functions of their paths. Cost of a sample: decoding, and a sort. */
#ifndef HCCT_DECODER_COMMANDS_TOP_H
#define HCCT_DECODER_COMMANDS_TOP_H

#include <signal.h>

#include "decoder/commands/query_options.h"
#include "decoder/report/report.h"
#include "decoder/text/text.h"
#include "decoder/tree/decoded.h"
#include "format/error.h"

struct hcct_top_row {
    uint64_t key; /* the hash of the path; unique in a sample */
    uint64_t count, error;
    uint64_t recent; /* calls since the sample before, at least; 0 in the first sample */
    uint32_t node;
    uint32_t rank; /* in the order of path texts: ties */
};

struct hcct_top_sample {
    void *bytes;
    struct hcct_profile profile;
    struct hcct_decoded merge;
    struct hcct_tree tree; /* by function; with --view=flat each function is a root */
    struct hcct_top_row *rows;
    uint32_t row_count;
    uint64_t recent; /* calls of all contexts since the sample before */
};

enum hcct_top_state {
    HCCT_TOP_RUNNING,
    /* The file is a profile, and no running program's. No sample. */
    HCCT_TOP_ENDED,
    HCCT_TOP_FAILED, /* *error tells why. No sample. */
};

/* Asks a program that runs with HCCT_OPTIONS=dump=1 for its profile (runtime/boundary/snapshot.h): makes
 * NAME.dump, and waits until the program has written the profile to NAME and removed the request. False,
 * with errno: it could not be made; ETIMEDOUT: no program answered within so many seconds; EINTR: a signal
 * came. On false the request is removed if this process made it, or if it timed out after HCCT_TOP_LONGEST
 * seconds or more. While it waits, the signals of `mask` are blocked and no others; NULL: as before. */
bool hcct_top_ask(const char *name, double seconds, const sigset_t *mask);
enum { HCCT_TOP_LONGEST = 5 };

/* Reads a sample; the first one only of a program that surely runs. Close it whatever the result. */
enum hcct_top_state hcct_top_read(struct hcct_top_sample *sample, const char *name, bool is_first,
                                  const struct hcct_query_options *options, struct hcct_error *error);
void hcct_top_close(struct hcct_top_sample *sample);
/* Fills `recent` and sorts the rows: the most recent calls first, then the most calls. `before` is the sample
 * before, whose rows are reordered; NULL: there is none. */
void hcct_top_compare(struct hcct_top_sample *sample, struct hcct_top_sample *before);
/* Appends "main;f;g"; of a very long path only the end. */
void hcct_top_path(const struct hcct_top_sample *sample, const struct hcct_top_row *row,
                   struct hcct_text *to);

#endif
