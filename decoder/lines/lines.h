/* From a place in a program's code to its line of source, by the debug information of the executable or
 * shared object (elfutils' libdw). Separate debug files are found as debuggers find them: by build id or
 * debug link.
 *
 * Only a file with the build id that the profile tells is read: code of another build has other places. */
#ifndef HCCT_DECODER_LINES_LINES_H
#define HCCT_DECODER_LINES_LINES_H

#include <stdbool.h>
#include <stdint.h>

struct hcct_lines;

/* A function that the compiler inlined. */
struct hcct_source_frame {
    const char *linkage; /* empty: not known */
    const char *source;  /* its name without mangling; empty: not known */
    const char *file;    /* of its code; empty: not known */
    /* Where it was inlined, in the function around it; empty and 0: not known. */
    const char *call_file;
    uint32_t call_line;
};

struct hcct_source_line {
    const char *file; /* empty: the line is not known */
    uint32_t line;    /* 0: the same, for want of debug information or of a line for that code */
    const struct hcct_source_frame *inlined; /* that are inlined at the place, the innermost first */
    uint32_t inlined_count;
};

/* NULL: hcct-decode was built without libdw. The lines' strings live as long as it. */
struct hcct_lines *hcct_lines_open(void);
void hcct_lines_close(struct hcct_lines *lines);

/* What stands at that address in the file `path`. False: nothing is known, and *why says why. */
bool hcct_lines_find(struct hcct_lines *lines, const char *path, const char *build_id, uint64_t address,
                     struct hcct_source_line *line, const char **why);

#endif
