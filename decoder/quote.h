/* Text of unknown origin (symbol and file names) inside of JSON, XML and lines for people. What comes out is valid UTF-8
 * whatever goes in: a byte that begins no sequence becomes U+FFFD, and so does what the format has no place for. */
#ifndef HCCT_DECODER_QUOTE_H
#define HCCT_DECODER_QUOTE_H

#include <stdio.h>

/* With its quotes. */
void hcct_quote_json(FILE *out, const char *text);
void hcct_quote_xml(FILE *out, const char *text);
/* Without control characters. */
void hcct_quote_line(FILE *out, const char *text);

/* The shortest text that reads back as the same number; null where it is none. */
void hcct_quote_number(FILE *out, double value);

#endif
