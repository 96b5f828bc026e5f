/* A string that grows. Its length counts every byte that was added; whoever wants a C string adds the final
 * zero byte itself. */
#ifndef HCCT_DECODER_TEXT_TEXT_H
#define HCCT_DECODER_TEXT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* A zeroed struct is the empty string. Its owner frees `bytes`. */
struct hcct_text {
    char *bytes;
    size_t length, capacity;
};

/* Appends bytes. False when memory is out: then the string is as it was. */
bool hcct_text_add(struct hcct_text *text, const char *bytes, size_t length);
/* Appends a C string, without its zero byte. */
bool hcct_text_add_string(struct hcct_text *text, const char *string);
/* Appends a zero byte. */
bool hcct_text_end(struct hcct_text *text);

/* The last part of a path; within `path`. */
const char *hcct_text_base_name(const char *path);

#endif
