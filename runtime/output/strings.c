/* See strings.h. No malloc of the program's, no stdio. */
#include "runtime/output/strings.h"

#include <string.h>

#include "runtime/base/memory.h"

void *hcct_strings_reserve(size_t *capacity, size_t element)
{
    const size_t wanted = hcct_memory_share(*capacity * element, 8) / element;
    void *memory = NULL;
    *capacity = wanted;
    while (!(memory = hcct_memory_reserve(*capacity * element)) && *capacity > 4096)
        *capacity /= 2;
    if (!memory || *capacity == wanted)
        return memory;
    /* This may be nearly all that is left, and more is needed for the file: takes half of it. */
    hcct_memory_release(memory, *capacity * element);
    *capacity /= 2;
    return hcct_memory_reserve(*capacity * element);
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

/* By eight bytes: each multiplication waits for the one before. */
uint64_t hcct_strings_hash(const char *text, size_t length)
{
    const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t hash = length * factor, word = 0;
    for (; length >= sizeof word; length -= sizeof word, text += sizeof word) {
        memcpy(&word, text, sizeof word);
        hash = (hash ^ word) * factor;
        hash ^= hash >> 32;
    }
    word = 0;
    memcpy(&word, text, length);
    hash = (hash ^ word) * factor;
    return hash ^ hash >> 32;
}

static void grow(struct hcct_strings *strings)
{
    struct hcct_string *old = strings->table;
    size_t old_size = strings->table_size, size = old_size ? 2 * old_size : 4096;
    struct hcct_string *table = hcct_memory_map(size * sizeof *table);
    if (!table) {
        strings->failed = true;
        return;
    }
    for (size_t i = 0; i < old_size; i++) {
        size_t at = old[i].hash & (size - 1);
        while (old[i].offset && table[at].offset)
            at = (at + 1) & (size - 1);
        if (old[i].offset)
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
    uint32_t hash = (uint32_t)hcct_strings_hash(text, length);
    size_t mask = strings->table_size - 1, at = hash & mask;
    for (const struct hcct_string *known; (known = &strings->table[at])->offset; at = (at + 1) & mask)
        if (known->hash == hash && strcmp(strings->bytes + known->offset, text) == 0)
            return known->offset;
    uint32_t offset = (uint32_t)strings->size;
    memcpy(strings->bytes + offset, text, length + 1);
    strings->size += length + 1;
    strings->table[at] = (struct hcct_string){ offset, hash };
    strings->count++;
    return offset;
}
