/* Strings that grow, see text.h. A full string doubles its capacity, so that adding n bytes one by one costs
 * O(n). */
#include "decoder/text/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/text/memory.h"

/* Room for so many bytes more, and the zero byte. */
static void reserve(struct hcct_text *text, size_t length)
{
    if (text->capacity - text->length > length)
        return;
    size_t capacity = text->capacity ? text->capacity : 128;
    do
        capacity *= 2;
    while (capacity - text->length <= length);
    text->bytes = hcct_memory_got(realloc(text->bytes, capacity));
    text->capacity = capacity;
}

void hcct_text_add(struct hcct_text *text, const char *bytes, size_t length)
{
    reserve(text, length);
    if (length) /* of an empty string `bytes` may be NULL */
        memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = 0;
}

void hcct_text_add_string(struct hcct_text *text, const char *string)
{
    hcct_text_add(text, string, strlen(string));
}

void hcct_text_print(struct hcct_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    reserve(text, (size_t)length);
    va_start(arguments, format);
    vsnprintf(text->bytes + text->length, (size_t)length + 1, format, arguments);
    va_end(arguments);
    text->length += (size_t)length;
}

const char *hcct_text_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
