/* Files of source that a profile names. Their paths come from the profile and are not trusted: only regular
 * files are read, up to a limit of 64 MB. */
#ifndef HCCT_DECODER_REPORT_SOURCE_FILE_H
#define HCCT_DECODER_REPORT_SOURCE_FILE_H

#include <stddef.h>
#include <stdint.h>

/* The file that was read last. To begin with: all zero. */
struct hcct_source_file {
    const char *path;
    char *bytes; /* NULL: it could not be read */
    size_t length;
    uint32_t *starts; /* of the lines in `bytes`; one line more than there are begins at `length` */
    uint32_t line_count;
};

/* Reads that file, unless it is the one that was read last. The path stays the caller's. */
void hcct_source_file_read(struct hcct_source_file *file, const char *path);
void hcct_source_file_close(struct hcct_source_file *file);

/* The beginning of a line (from 1), and its length without the line end. NULL: the file has no such line. */
const char *hcct_source_file_line(const struct hcct_source_file *file, uint32_t line, size_t *length);

#endif
