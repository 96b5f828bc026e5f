#include "decoder/quote.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/* The length of the UTF-8 sequence at `at` (RFC 3629: no overlong ones, no surrogates), or 0. */
static size_t sequence_length(const unsigned char *at)
{
    static const struct {
        unsigned char first, last, low, high; /* of the first byte; of the second one */
        size_t length;
    } ranges[] = {
        { 0x01, 0x7f, 0x00, 0xff, 1 }, { 0xc2, 0xdf, 0x80, 0xbf, 2 }, { 0xe0, 0xe0, 0xa0, 0xbf, 3 },
        { 0xe1, 0xec, 0x80, 0xbf, 3 }, { 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 },
        { 0xf0, 0xf0, 0x90, 0xbf, 4 }, { 0xf1, 0xf3, 0x80, 0xbf, 4 }, { 0xf4, 0xf4, 0x80, 0x8f, 4 },
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        if (at[0] < ranges[i].first || at[0] > ranges[i].last)
            continue;
        if (at[1] < ranges[i].low || at[1] > ranges[i].high)
            return 0;
        for (size_t byte = 2; byte < ranges[i].length; byte++)
            if ((at[byte] & 0xc0) != 0x80)
                return 0;
        return ranges[i].length;
    }
    return 0;
}

/* Copies `text`; of ASCII characters escape() prints those that it has to, and tells so. */
static void quote(FILE *out, const char *text, int (*escape)(FILE *out, unsigned char character))
{
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        size_t length = sequence_length(at);
        if (!length)
            fputs(REPLACEMENT, out);
        else if (length > 1 || !escape(out, *at))
            fwrite(at, 1, length, out);
        at += length ? length : 1;
    }
}

static int escape_json(FILE *out, unsigned char character)
{
    if (character == '"' || character == '\\')
        return fprintf(out, "\\%c", character), 1;
    if (character < 0x20 || character == 0x7f)
        return fprintf(out, "\\u%04x", character), 1;
    return 0;
}

static int escape_line(FILE *out, unsigned char character)
{
    return character < 0x20 || character == 0x7f ? (fputs(REPLACEMENT, out), 1) : 0;
}

static int escape_xml(FILE *out, unsigned char character)
{
    switch (character) {
    case '<':
        return fputs("&lt;", out), 1;
    case '>':
        return fputs("&gt;", out), 1;
    case '&':
        return fputs("&amp;", out), 1;
    case '"':
        return fputs("&quot;", out), 1;
    default:
        return escape_line(out, character);
    }
}

void hcct_quote_json(FILE *out, const char *text)
{
    putc('"', out);
    quote(out, text, escape_json);
    putc('"', out);
}

void hcct_quote_xml(FILE *out, const char *text)
{
    quote(out, text, escape_xml);
}

void hcct_quote_line(FILE *out, const char *text)
{
    quote(out, text, escape_line);
}

void hcct_quote_number(FILE *out, double value)
{
    char text[32] = "null";
    for (int digits = 1; isfinite(value) && digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    fputs(text, out);
}
