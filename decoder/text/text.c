/* Strings that grow, see text.h. A full string doubles its capacity, so that adding n bytes one by one costs
 * O(n). */
#include "decoder/text/text.h"

#include <stdlib.h>
#include <string.h>

bool hcct_text_add(struct hcct_text *text, const char *bytes, size_t length)
{
    if (text->capacity - text->length < length) {
        size_t capacity = text->capacity ? text->capacity * 2 : 256;
        while (capacity - text->length < length)
            capacity *= 2;
        char *moved = realloc(text->bytes, capacity);
        if (!moved)
            return false;
        text->bytes = moved;
        text->capacity = capacity;
    }
    if (length) /* of an empty string `bytes` may be NULL */
        memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    return true;
}

bool hcct_text_add_string(struct hcct_text *text, const char *string)
{
    return hcct_text_add(text, string, strlen(string));
}

bool hcct_text_end(struct hcct_text *text)
{
    return hcct_text_add(text, "", 1);
}

const char *hcct_text_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
