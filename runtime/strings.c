/* See strings.h. No malloc of the program's, no stdio. */
#include "runtime/strings.h"

#include <string.h>

#include "runtime/memory.h"

void *hcct_strings_reserve(size_t *capacity, size_t element)
{
    void *memory = NULL;
    while (!(memory = hcct_memory_reserve(*capacity * element)) && *capacity > 4096)
        *capacity /= 2;
    return memory;
}

bool hcct_strings_open(struct hcct_strings *strings)
{
    *strings = (struct hcct_strings){ .capacity = (size_t)1 << 31, .size = 1 };
    strings->bytes = hcct_strings_reserve(&strings->capacity, 1);
    return strings->bytes != NULL;
}

void hcct_strings_close(struct hcct_strings *strings)
{
    hcct_memory_release(strings->bytes, strings->capacity);
    hcct_memory_unmap(strings->table, strings->table_size * sizeof *strings->table);
}

uint64_t hcct_strings_hash(const char *text, size_t length)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    return hash ^ hash >> 29;
}

static void grow(struct hcct_strings *strings)
{
    uint32_t *old = strings->table;
    size_t old_size = strings->table_size, size = old_size ? 2 * old_size : 4096;
    uint32_t *table = hcct_memory_map(size * sizeof *table);
    if (!table) {
        strings->failed = true;
        return;
    }
    for (size_t i = 0; i < old_size; i++) {
        const char *text = strings->bytes + old[i];
        size_t at = hcct_strings_hash(text, strlen(text)) & (size - 1);
        while (old[i] && table[at])
            at = (at + 1) & (size - 1);
        if (old[i])
            table[at] = old[i];
    }
    strings->table = table;
    strings->table_size = size;
    hcct_memory_unmap(old, old_size * sizeof *old);
}

uint32_t hcct_strings_add(struct hcct_strings *strings, const char *text)
{
    size_t length = text ? strlen(text) : 0;
    if (!length)
        return 0;
    if (2 * strings->count >= strings->table_size)
        grow(strings);
    if (strings->failed || strings->size + length + 1 > strings->capacity) {
        strings->failed = true;
        return 0;
    }
    size_t mask = strings->table_size - 1, at = hcct_strings_hash(text, length) & mask;
    for (; strings->table[at]; at = (at + 1) & mask)
        if (strcmp(strings->bytes + strings->table[at], text) == 0)
            return strings->table[at];
    uint32_t offset = (uint32_t)strings->size;
    memcpy(strings->bytes + offset, text, length + 1);
    strings->size += length + 1;
    strings->table[at] = offset;
    strings->count++;
    return offset;
}
