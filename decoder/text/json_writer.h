/* Writes JSON as a stream: whoever has values calls a function for each, and the writer puts the commas,
 * quotes and line breaks.
 *
 * Why our own: names of any origin have to come out as valid UTF-8 with nothing hidden in it, and in a page
 * without "</script>" (escape.h), which libraries leave to their callers; the rest is 100 lines.
 *
 * Every function that adds a value takes the value's key; NULL where the value is an element of an array, or
 * the whole document. Keys are plain ASCII and are not escaped. Containers nest at most
 * HCCT_JSON_DEPTH_LIMIT deep. Errors of the stream stay in the stream (ferror). Cost: O(1) for each value. */
#ifndef HCCT_DECODER_TEXT_JSON_WRITER_H
#define HCCT_DECODER_TEXT_JSON_WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "decoder/text/escape.h"

/* How the values of an object or array are set. */
enum hcct_json_style {
    HCCT_JSON_LINES, /* each on a line of its own */
    HCCT_JSON_WORDS, /* in one line, a blank behind each comma */
    HCCT_JSON_DENSE, /* in one line, without blanks */
};

#define HCCT_JSON_DEPTH_LIMIT 8

/* To begin with: { .out = ..., .text = HCCT_TEXT_JSON }, or HCCT_TEXT_HTML within a page. */
struct hcct_json {
    FILE *out;
    enum hcct_text_format text; /* of strings */
    unsigned depth;
    bool breaks; /* the next value begins a line */
    struct hcct_json_container {
        enum hcct_json_style style;
        char end;      /* the bracket that closes it */
        bool has_some; /* values */
    } open[HCCT_JSON_DEPTH_LIMIT];
};

void hcct_json_object(struct hcct_json *json, const char *key, enum hcct_json_style style);
void hcct_json_array(struct hcct_json *json, const char *key, enum hcct_json_style style);
/* Ends the object or array that began last. */
void hcct_json_end(struct hcct_json *json);
/* The next value begins a line, whatever the style. */
void hcct_json_break(struct hcct_json *json);

/* An escaped string. */
void hcct_json_text(struct hcct_json *json, const char *key, const char *text);
void hcct_json_unsigned(struct hcct_json *json, const char *key, uint64_t value);
/* -1 for UINT32_MAX, which stands for "none" in indices. */
void hcct_json_index(struct hcct_json *json, const char *key, uint32_t index);
/* The shortest text that reads back as the same number; null where it is none. */
void hcct_json_number(struct hcct_json *json, const char *key, double value);
void hcct_json_bool(struct hcct_json *json, const char *key, bool value);
void hcct_json_null(struct hcct_json *json, const char *key);
/* What the format prints, as it is: for numbers with a format of their own, and strings that hold nothing to
 * be escaped. */
void hcct_json_printf(struct hcct_json *json, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
