/* Lines of source by the samples that were taken there: of all contexts of a tree. Where a library's
 * functions say little ([waiting], [malloc]), what has no samples of its own belongs to the line that called
 * the library.
 *
 * A sample belongs to the line that ran in the newest instrumented function, or that called a library from
 * there, and to the innermost function that the compiler inlined at that place. Counts add up as those of
 * contexts do: each is what was counted at least, and `error` what a bounded run may have counted too much
 * of it. */
#ifndef HCCT_DECODER_REPORT_LINE_TABLE_H
#define HCCT_DECODER_REPORT_LINE_TABLE_H

#include "decoder/report/place_lines.h"

struct hcct_line {
    const char *file; /* empty: not known, and `line` is 0 */
    uint32_t line;
    const struct hcct_tree_frame *function; /* the instrumented one. Its name is as it is shown */
    const char *inlined;                    /* the one inlined there; NULL: none is */
    const char *own_file;                   /* where `function` has that in its own code; NULL: not inlined */
    uint32_t own_line;
    uint64_t count, error;
    char *label; /* "util.h:31  swap, inlined in partition at sort.c:12" */
};

struct hcct_line_table {
    struct hcct_line *lines; /* the hottest first */
    uint32_t count, capacity;
    struct hcct_place_lines places;
    struct hcct_table table;
    char **names; /* of lines[].inlined */
    uint32_t name_count, name_capacity;
};

/* Makes names of frames. `by_caller` is that of struct hcct_noun. */
void hcct_line_table_open(struct hcct_line_table *table, const struct hcct_tree *tree,
                          struct hcct_frames *frames, enum hcct_names names, bool by_caller);
void hcct_line_table_close(struct hcct_line_table *table);

#endif
