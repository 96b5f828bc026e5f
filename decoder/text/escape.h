/* Escapes text of unknown origin, symbol names above all, for each format that has rules of its own. One
 * table in escape.c holds all rules.
 *
 * The result is valid UTF-8, whatever goes in. It has no hidden characters: those that a terminal or viewer
 * obeys instead of showing, or that change how the text around them is shown. Hidden are controls (C0, DEL,
 * C1), the marks and overrides of bidirectional text, separators of lines and paragraphs, and U+FFFE and
 * U+FFFF, which XML forbids. They become visible escapes: \x1b, \u202e. A byte that begins no UTF-8 sequence
 * becomes \xff. JSON is read by programs: there hidden characters are JSON's own escapes, and such bytes
 * become U+FFFD. */
#ifndef HCCT_DECODER_TEXT_ESCAPE_H
#define HCCT_DECODER_TEXT_ESCAPE_H

#include <stdbool.h>
#include <stdio.h>

#include "decoder/text/text.h"

enum hcct_text_format {
    HCCT_TEXT_PLAIN,  /* no character has a meaning: a line of text, a terminal, strings of pprof */
    HCCT_TEXT_FOLDED, /* a frame in a line of frames: escapes `;` and `\`; line ends become \n and \r */
    HCCT_TEXT_CSV,    /* a field by RFC 4180, in quotes where that is needed; line ends stay */
    HCCT_TEXT_JSON,   /* with its quotes */
    /* JSON with its quotes, in a script of a page: what the page shows is visible, and no name can end the
     * script */
    HCCT_TEXT_HTML,
    HCCT_TEXT_XML, /* text, or the value of an attribute */
    /* a string of graphviz with its quotes; backslashes and entities in the text lose their meaning */
    HCCT_TEXT_DOT,
    HCCT_TEXT_FORMAT_COUNT
};

/* Prints the escaped text, with the quotes that the format wants. */
void hcct_escape_print(FILE *out, enum hcct_text_format format, const char *text);
/* Appends the escaped text. */
void hcct_escape_add(struct hcct_text *to, enum hcct_text_format format, const char *text);
/* Whether the text is valid UTF-8 without hidden characters. */
bool hcct_escape_is_clean(const char *text, size_t length);

/* The length of the UTF-8 sequence at `text` (RFC 3629: neither overlong nor a surrogate), or 0. */
size_t hcct_escape_utf8_length(const char *text);

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

/* A piece of a line of text. */
static inline void hcct_escape_line(FILE *out, const char *text)
{
    hcct_escape_print(out, HCCT_TEXT_PLAIN, text);
}

#endif
