/* Text of unknown origin, symbol names above all, inside of formats that have rules of their own. What comes out is
 * valid UTF-8 whatever goes in: a byte that begins no sequence becomes U+FFFD. */
#ifndef HCCT_DECODER_ESCAPE_H
#define HCCT_DECODER_ESCAPE_H

#include <stdbool.h>
#include <stdio.h>

/* The length of the UTF-8 sequence at `at` (RFC 3629: no overlong ones, no surrogates), or 0. */
size_t hcct_utf8_length(const char *at);

/* A copy that is valid UTF-8, from malloc; NULL when memory is out. */
char *hcct_utf8_copy(const char *text);

/* With its quotes. */
void hcct_json_string(FILE *out, const char *text);
/* The same for a script within HTML, which no text may end. */
void hcct_json_string_in_html(FILE *out, const char *text);

/* The shortest text that reads back as the same number; null where it is none. */
void hcct_json_number(FILE *out, double value);

/* For text and for values of attributes; what XML 1.0 forbids becomes U+FFFD. */
void hcct_xml_text(FILE *out, const char *text);

/* A field by RFC 4180: quoted where it has to be. */
void hcct_csv_field(FILE *out, const char *text);

/* With its quotes: a string of graphviz, in which a backslash means nothing. */
void hcct_dot_string(FILE *out, const char *text);

/* The rest of a line: control characters are replaced. */
void hcct_line_text(FILE *out, const char *text);

#endif
