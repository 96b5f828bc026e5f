/* A string that grows. A zero byte follows what was added; whoever makes `length` smaller has it again after
 * the next addition. */
#ifndef HCCT_DECODER_TEXT_TEXT_H
#define HCCT_DECODER_TEXT_TEXT_H

#include <stddef.h>

/* A zeroed struct is the empty string, whose `bytes` are NULL until something is added, be it "". Its owner
 * frees them. */
struct hcct_text {
    char *bytes;
    size_t length, capacity;
};

/* Append bytes; a C string; what printf would print. */
void hcct_text_add(struct hcct_text *text, const char *bytes, size_t length);
void hcct_text_add_string(struct hcct_text *text, const char *string);
void hcct_text_print(struct hcct_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The last part of a path; within `path`. */
const char *hcct_text_base_name(const char *path);

#endif
