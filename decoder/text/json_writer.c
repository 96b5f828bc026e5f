/* JSON as a stream, see json_writer.h. What stands in front of a value is written when the value comes, so
 * that the last one of a container needs no comma behind it. */
#include "decoder/text/json_writer.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

/* What stands in front of a value: comma, blank or line break, key. */
static void begin_value(struct hcct_json *json, const char *key)
{
    if (json->depth) {
        struct hcct_json_container *in = &json->open[json->depth - 1];
        bool line = in->style == HCCT_JSON_LINES || json->breaks;
        if (in->has_some)
            putc(',', json->out);
        if (line)
            putc('\n', json->out);
        else if (in->has_some && in->style == HCCT_JSON_WORDS)
            putc(' ', json->out);
        in->has_some = true;
        json->breaks = false;
    }
    if (key)
        fprintf(json->out, "\"%s\": ", key);
}

static void open_container(struct hcct_json *json, const char *key, enum hcct_json_style style,
                           const char brackets[2])
{
    begin_value(json, key);
    if (json->depth == HCCT_JSON_DEPTH_LIMIT)
        abort(); /* a mistake of the caller: no depth comes from a profile */
    json->open[json->depth++] = (struct hcct_json_container){ .style = style, .end = brackets[1] };
    putc(brackets[0], json->out);
}

void hcct_json_object(struct hcct_json *json, const char *key, enum hcct_json_style style)
{
    open_container(json, key, style, "{}");
}

void hcct_json_array(struct hcct_json *json, const char *key, enum hcct_json_style style)
{
    open_container(json, key, style, "[]");
}

void hcct_json_end(struct hcct_json *json)
{
    const struct hcct_json_container *ended = &json->open[--json->depth];
    if (ended->style == HCCT_JSON_LINES)
        putc('\n', json->out);
    putc(ended->end, json->out);
}

void hcct_json_break(struct hcct_json *json)
{
    json->breaks = true;
}

void hcct_json_text(struct hcct_json *json, const char *key, const char *text)
{
    begin_value(json, key);
    hcct_escape_print(json->out, json->text, text);
}

void hcct_json_unsigned(struct hcct_json *json, const char *key, uint64_t value)
{
    begin_value(json, key);
    fprintf(json->out, "%" PRIu64, value);
}

void hcct_json_index(struct hcct_json *json, const char *key, uint32_t index)
{
    begin_value(json, key);
    fprintf(json->out, "%" PRId64, index == UINT32_MAX ? INT64_C(-1) : (int64_t)index);
}

void hcct_json_number(struct hcct_json *json, const char *key, double value)
{
    char text[32] = "null";
    for (int digits = 1; isfinite(value) && digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    begin_value(json, key);
    fputs(text, json->out);
}

void hcct_json_bool(struct hcct_json *json, const char *key, bool value)
{
    begin_value(json, key);
    fputs(value ? "true" : "false", json->out);
}

void hcct_json_null(struct hcct_json *json, const char *key)
{
    begin_value(json, key);
    fputs("null", json->out);
}

void hcct_json_printf(struct hcct_json *json, const char *key, const char *format, ...)
{
    va_list arguments;
    begin_value(json, key);
    va_start(arguments, format);
    vfprintf(json->out, format, arguments);
    va_end(arguments);
}
