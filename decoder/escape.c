#include "decoder/escape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

size_t hcct_utf8_length(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    if (at[0] < 0x80)
        return 1;
    if (at[0] >= 0xc2 && at[0] <= 0xdf)
        return (at[1] & 0xc0) == 0x80 ? 2 : 0;
    unsigned char low = at[0] == 0xe0 ? 0xa0 : at[0] == 0xf0 ? 0x90 : 0x80;
    unsigned char high = at[0] == 0xed ? 0x9f : at[0] == 0xf4 ? 0x8f : 0xbf;
    if (at[0] < 0xe0 || at[0] > 0xf4 || at[1] < low || at[1] > high || (at[2] & 0xc0) != 0x80)
        return 0;
    if (at[0] < 0xf0)
        return 3;
    return (at[3] & 0xc0) == 0x80 ? 4 : 0;
}

char *hcct_utf8_copy(const char *text)
{
    char *copy = malloc(3 * strlen(text) + 1), *to = copy;
    while (copy && *text) {
        size_t length = hcct_utf8_length(text);
        size_t bytes = length ? length : sizeof REPLACEMENT - 1;
        memcpy(to, length ? text : REPLACEMENT, bytes);
        to += bytes;
        text += length ? length : 1;
    }
    if (copy)
        *to = 0;
    return copy;
}

/* Writes one sequence, or what stands for it, and returns what is behind it. */
static const char *put_sequence(FILE *out, const char *at)
{
    size_t length = hcct_utf8_length(at);
    if (!length) {
        fputs(REPLACEMENT, out);
        return at + 1;
    }
    for (size_t i = 0; i < length; i++)
        putc_unlocked(at[i], out);
    return at + length;
}

static bool is_control(char byte)
{
    return (unsigned char)byte < 0x20 || byte == 0x7f;
}

static void json_string(FILE *out, const char *text, bool in_html)
{
    putc_unlocked('"', out);
    while (*text) {
        if (*text == '"' || *text == '\\')
            fprintf(out, "\\%c", *text++);
        else if (is_control(*text) || (in_html && *text == '<'))
            fprintf(out, "\\u%04x", *text++);
        else
            text = put_sequence(out, text);
    }
    putc_unlocked('"', out);
}

void hcct_json_string(FILE *out, const char *text)
{
    json_string(out, text, false);
}

void hcct_json_string_in_html(FILE *out, const char *text)
{
    json_string(out, text, true);
}

/* U+FFFE and U+FFFF are no characters of XML. */
static bool is_noncharacter(const char *at)
{
    return !strncmp(at, "\xef\xbf\xbe", 3) || !strncmp(at, "\xef\xbf\xbf", 3);
}

void hcct_xml_text(FILE *out, const char *text)
{
    while (*text) {
        const char *entity = *text == '&'   ? "&amp;"
                             : *text == '<' ? "&lt;"
                             : *text == '>' ? "&gt;"
                             : *text == '"' ? "&quot;"
                                            : NULL;
        bool forbidden = is_noncharacter(text);
        if (entity || forbidden || is_control(*text)) {
            fputs(entity ? entity : REPLACEMENT, out);
            text += forbidden ? 3 : 1;
        } else {
            text = put_sequence(out, text);
        }
    }
}

void hcct_csv_field(FILE *out, const char *text)
{
    bool quoted = text[strcspn(text, ",\"\r\n")];
    if (quoted)
        putc_unlocked('"', out);
    while (*text) {
        if (*text == '"')
            putc_unlocked('"', out);
        text = put_sequence(out, text);
    }
    if (quoted)
        putc_unlocked('"', out);
}

void hcct_dot_string(FILE *out, const char *text)
{
    putc_unlocked('"', out);
    while (*text) {
        if (*text == '"' || *text == '\\')
            putc_unlocked('\\', out);
        if (is_control(*text)) {
            fputs(REPLACEMENT, out);
            text++;
        } else {
            text = put_sequence(out, text);
        }
    }
    putc_unlocked('"', out);
}

void hcct_line_text(FILE *out, const char *text)
{
    while (*text) {
        if (is_control(*text)) {
            fputs(REPLACEMENT, out);
            text++;
        } else {
            text = put_sequence(out, text);
        }
    }
}

void hcct_json_number(FILE *out, double value)
{
    char text[32] = "null";
    for (int digits = 1; isfinite(value) && digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    fputs(text, out);
}
