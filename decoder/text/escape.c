/* Escaping, see escape.h: the table of rules, then UTF-8, then one character, then whole texts.
 * Cost: O(length); runs of plain ASCII are copied as they are. */
#include "decoder/text/escape.h"

#include <stdint.h>
#include <string.h>

#include "decoder/text/text.h"

/* --- the table ------------------------------------------------------------------------------------ */

/* A character that has a meaning in a format, and what is written instead. */
struct mark {
    char character;
    const char *as;
};

struct rule {
    const char *quote;      /* around a text; "": none */
    const char *quoted_for; /* the text is quoted if it has one of these; NULL: always */
    /* how the format writes the backslash of a visible escape; NULL: JSON's escapes */
    const char *backslash;
    const char *kept; /* hidden characters that stay as they are */
    struct mark marks[6];
};

static const struct rule rules[HCCT_TEXT_FORMAT_COUNT] = {
    /* clang-format off */
    [HCCT_TEXT_PLAIN] = { "", NULL, "\\", "", { { 0, NULL } } },
    [HCCT_TEXT_FOLDED] = { "", NULL, "\\", "",
                           { { ';', "\\;" }, { '\\', "\\\\" }, { '\n', "\\n" }, { '\r', "\\r" } } },
    [HCCT_TEXT_CSV] = { "\"", ",\"\r\n", "\\", "\r\n", { { '"', "\"\"" } } },
    [HCCT_TEXT_JSON] = { "\"", NULL, NULL, "", { { '"', "\\\"" }, { '\\', "\\\\" } } },
    [HCCT_TEXT_HTML] = { "\"", NULL, "\\\\", "", { { '"', "\\\"" }, { '\\', "\\\\" }, { '<', "\\u003c" } } },
    [HCCT_TEXT_XML] = { "", NULL, "\\", "",
                        { { '&', "&amp;" }, { '<', "&lt;" }, { '>', "&gt;" }, { '"', "&quot;" } } },
    [HCCT_TEXT_DOT] = { "\"", NULL, "\\\\", "", { { '"', "\\\"" }, { '\\', "\\\\" }, { '&', "&amp;" } } },
    /* clang-format on */
};

/* The hidden characters: first and last of each range. */
static const uint32_t hidden[][2] = {
    { 0x00, 0x1f },     { 0x7f, 0x9f },     { 0x61c, 0x61c },   { 0x200e, 0x200f },
    { 0x2028, 0x202e }, { 0x2066, 0x2069 }, { 0xfffe, 0xffff },
};

/* --- UTF-8 ---------------------------------------------------------------------------------------- */

size_t hcct_escape_utf8_length(const char *text)
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

/* The code point of a valid sequence. */
static uint32_t code_point(const char *text, size_t length)
{
    uint32_t point = (unsigned char)*text;
    if (length > 1)
        point &= 0x7fu >> length;
    for (size_t i = 1; i < length; i++)
        point = point << 6 | ((unsigned char)text[i] & 0x3f);
    return point;
}

static bool is_hidden(uint32_t point)
{
    for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++)
        if (point >= hidden[i][0] && point <= hidden[i][1])
            return true;
    return false;
}

/* --- one character -------------------------------------------------------------------------------- */

enum { PIECE_BYTES = 16 };

static const char *find_mark(const struct rule *rule, char character)
{
    for (const struct mark *mark = rule->marks; mark->character; mark++)
        if (mark->character == character)
            return mark->as;
    return NULL;
}

/* Writes what stands for the character at `text`, or for the byte that begins none. Returns what follows
 * it. */
static const char *escape_one(const struct rule *rule, const char *text, char piece[PIECE_BYTES])
{
    size_t length = hcct_escape_utf8_length(text);
    uint32_t point = length ? code_point(text, length) : (unsigned char)*text;
    const char *mark = find_mark(rule, *text);
    if (mark)
        snprintf(piece, PIECE_BYTES, "%s", mark);
    else if (length && (!is_hidden(point) || (length == 1 && strchr(rule->kept, *text))))
        snprintf(piece, PIECE_BYTES, "%.*s", (int)length, text);
    else if (!rule->backslash && !length)
        snprintf(piece, PIECE_BYTES, "\xef\xbf\xbd"); /* U+FFFD */
    else if (!rule->backslash)
        snprintf(piece, PIECE_BYTES, "\\u%04x", point);
    else
        snprintf(piece, PIECE_BYTES, length > 1 ? "%su%04x" : "%sx%02x", rule->backslash, point);
    return text + (length ? length : 1);
}

static const char *quote_of(const struct rule *rule, const char *text)
{
    return !rule->quoted_for || text[strcspn(text, rule->quoted_for)] ? rule->quote : "";
}

/* --- texts ---------------------------------------------------------------------------------------- */

/* The number of bytes that are written as they are. Most texts are one such run. */
static size_t plain_run(const struct rule *rule, const char *text)
{
    size_t length = 0;
    while (text[length] >= 0x20 && text[length] < 0x7f && !find_mark(rule, text[length]))
        length++;
    return length;
}

/* One of them is NULL. */
static void put(FILE *out, struct hcct_text *to, const char *bytes, size_t length)
{
    if (out)
        fwrite(bytes, 1, length, out);
    else
        hcct_text_add(to, bytes, length);
}

static void escape(FILE *out, struct hcct_text *to, const struct rule *rule, const char *text)
{
    const char *quote = quote_of(rule, text);
    put(out, to, quote, strlen(quote));
    while (*text) {
        char piece[PIECE_BYTES];
        size_t plain = plain_run(rule, text);
        put(out, to, text, plain);
        text += plain;
        if (*text) {
            text = escape_one(rule, text, piece);
            put(out, to, piece, strlen(piece));
        }
    }
    put(out, to, quote, strlen(quote));
}

void hcct_escape_print(FILE *out, enum hcct_text_format format, const char *text)
{
    escape(out, NULL, &rules[format], text);
}

void hcct_escape_add(struct hcct_text *to, enum hcct_text_format format, const char *text)
{
    escape(NULL, to, &rules[format], text);
}

bool hcct_escape_is_clean(const char *text, size_t length)
{
    for (const char *end = text + length; text < end;) {
        size_t bytes = hcct_escape_utf8_length(text);
        if (!bytes || is_hidden(code_point(text, bytes)))
            return false;
        text += bytes;
    }
    return true;
}
