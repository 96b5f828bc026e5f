/* A profile in memory, checked: a view of the bytes of one ids.bin (format/layout.h). After it was opened
 * (open.h),
 *   1. every invariant of layout.h holds, so that no index and no string needs a test again;
 *   2. `index` is a valid numbering: every walk to the root ends;
 *   3. the arrays point into the given bytes, which the caller keeps until hcct_profile_close, or into
 *      `unpacked`. */
#ifndef HCCT_DECODER_STORE_PROFILE_H
#define HCCT_DECODER_STORE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "encoding/index.h"
#include "format/layout.h"

struct hcct_rows_file;

/* What was numbered: the static part of a build. */
struct hcct_profile_code {
    const struct hcct_file_function *functions;
    const struct hcct_file_site *sites;
    const struct hcct_file_inlined *inlined;
    const struct hcct_file_object *objects;
    /* A filter of the names of all functions of the program (layout.h), of name_count words. None: the
     * profile has all functions. */
    const uint64_t *names;
    uint32_t function_count, site_count, inlined_count, object_count, name_count;
};

/* What was counted: contexts x columns. Those of a profile stand in its bytes, which nobody changes; rows.h
 * makes rows of their own. */
struct hcct_rows {
    struct hcct_file_prefix *prefixes;
    struct hcct_file_context *contexts;
    struct hcct_file_column *columns;
    struct hcct_file_cell *cells;
    uint32_t prefix_count, context_count, column_count, cell_count;
    /* Where prefixes, contexts and cells are that stay in the file; then there are only the numbers of them
     * here. NULL: the arrays have them. */
    struct hcct_rows_file *file;
};

/* How paths are found. */
struct hcct_profile_numbering {
    struct hcct_index index; /* its edges are the sites */
    uint32_t *first_site;    /* [function_count + 1] into site_order */
    uint32_t *site_order;    /* [site_count] sites by caller, then by id */
    void *memory;            /* what the index and the two arrays stand in */
};

struct hcct_profile {
    const unsigned char *bytes; /* what the arrays point into */
    size_t length;              /* of the file, packed or not */
    const struct hcct_file_run *run;
    const char *strings;
    struct hcct_profile_code code;
    struct hcct_rows rows;
    struct hcct_profile_numbering numbering;
    const struct hcct_file_note *notes;
    const struct hcct_file_thread *threads;    /* with threads=split */
    const struct hcct_file_estimate *estimate; /* NULL: the counts are no estimates from samples */
    const struct hcct_file_curve *curve;       /* metric=heap, of one run; else NULL */
    uint32_t string_bytes, note_count, thread_count, curve_count;
    const char *name;    /* what messages and sums call it: that of its file; NULL: it has none */
    void *unpacked;      /* what was unpacked, and the arrays point into; else NULL */
    uint32_t line_count; /* sites whose line is known */
    bool folded;         /* recursion is folded: by the run, or in the decoder */
};

void hcct_profile_close(struct hcct_profile *profile);

/* Whether it is a sum of several numberings (format/layout.h). */
static inline bool hcct_profile_is_of_several(const struct hcct_profile *profile)
{
    return profile->run->build_id == HCCT_FILE_BUILD_BY_NAMES ||
           profile->run->build_id == HCCT_FILE_BUILD_BY_OBJECTS;
}
/* What tells the program: the build id of its executable, or the executable's path if it is not among the
 * profile's objects, as it is not instrumented. Empty: not known. */
const char *hcct_profile_executable(const struct hcct_profile *profile);
/* Whether the two are of one executable, whatever else it loaded. */
bool hcct_profile_is_same_program(const struct hcct_profile *a, const struct hcct_profile *b);
/* Whether it is of that program: a path, or the last part of one. */
bool hcct_profile_is_of(const struct hcct_profile *profile, const char *program);

/* The site of `function` with that id, or HCCT_NO_INDEX. O(log sites of the function). */
uint32_t hcct_profile_site(const struct hcct_profile *profile, uint32_t function, uint64_t id);

static inline const char *hcct_profile_string(const struct hcct_profile *profile, uint32_t offset)
{
    return profile->strings + offset;
}

/* What the run's metric counts. */
static inline const struct hcct_file_column *hcct_profile_main(const struct hcct_profile *profile)
{
    return &profile->rows.columns[0];
}
/* The column of that name and part; NULL: there is none. */
const struct hcct_file_column *hcct_profile_column(const struct hcct_profile *profile, const char *name,
                                                   const char *part);
/* Whether the column is one of the phases of what the metric counts. */
bool hcct_profile_is_phase(const struct hcct_profile *profile, const struct hcct_file_column *column);
static inline const struct hcct_file_cell *hcct_profile_cells(const struct hcct_profile *profile,
                                                              const struct hcct_file_column *column)
{
    return profile->rows.cells + column->first;
}
/* The cell of a context, among those of one column; NULL: there is none. O(log count). */
const struct hcct_file_cell *hcct_cells_find(const struct hcct_file_cell *cells, uint32_t count,
                                             uint32_t context);
/* 0: the file has no such note. */
uint64_t hcct_profile_note(const struct hcct_profile *profile, enum hcct_file_note_kind kind);

#endif
