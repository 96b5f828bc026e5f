/* Text of unknown origin, symbol names above all, in formats that have rules of their own: one table for all
 * of them.
 *
 * What comes out is valid UTF-8, whatever goes in. It holds no character that is obeyed instead of shown, or
 * that changes how what stands around it is shown ("hidden" here): controls (C0, DEL, C1), the marks and
 * overrides of bidirectional text, separators of lines and paragraphs, and U+FFFE and U+FFFF, which no XML
 * may hold. These become visible: \x1b, \u202e; and a byte that begins no UTF-8 sequence becomes \xff. JSON,
 * which programs read, has its own escape for them, and U+FFFD for bytes. */
#ifndef HCCT_DECODER_TEXT_ESCAPE_H
#define HCCT_DECODER_TEXT_ESCAPE_H

#include <stdbool.h>
#include <stdio.h>

#include "decoder/text/text.h"

enum hcct_text_format {
    HCCT_TEXT_PLAIN,  /* nothing else means anything: lines of their own, a terminal, strings of pprof */
    HCCT_TEXT_FOLDED, /* a frame of a line: `;`, `\`, and line ends as \n and \r */
    HCCT_TEXT_CSV,    /* a field by RFC 4180, quoted where it has to be; line ends stay */
    HCCT_TEXT_JSON,   /* with its quotes */
    /* JSON with its quotes in a script of a page, which shows it: visible, and no text ends the script */
    HCCT_TEXT_HTML,
    HCCT_TEXT_XML, /* text, and values of attributes */
    /* with its quotes: a string of graphviz, in which a backslash or an entity means nothing */
    HCCT_TEXT_DOT,
    HCCT_TEXT_FORMAT_COUNT
};

void hcct_escape_print(FILE *out, enum hcct_text_format format, const char *text);
/* Appends it, without a zero byte. False when memory is out. */
bool hcct_escape_add(struct hcct_text *to, enum hcct_text_format format, const char *text);
/* Whether nothing in it is hidden, or no UTF-8. */
bool hcct_escape_is_clean(const char *text, size_t length);

/* The length of the UTF-8 sequence at `at` (RFC 3629: no overlong ones, no surrogates), or 0. */
size_t hcct_utf8_length(const char *at);

static inline void hcct_escape_xml(FILE *out, const char *text)
{
    hcct_escape_print(out, HCCT_TEXT_XML, text);
}

static inline void hcct_escape_csv(FILE *out, const char *text)
{
    hcct_escape_print(out, HCCT_TEXT_CSV, text);
}

static inline void hcct_escape_dot(FILE *out, const char *text)
{
    hcct_escape_print(out, HCCT_TEXT_DOT, text);
}

/* The rest of a line. */
static inline void hcct_escape_line(FILE *out, const char *text)
{
    hcct_escape_print(out, HCCT_TEXT_PLAIN, text);
}

#endif
