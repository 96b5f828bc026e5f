#include "decoder/store/table.h"

#include <stdlib.h>
#include <string.h>

uint32_t hcct_table_find(const struct hcct_table *table, uint32_t hash, hcct_table_equal *equal,
                         const void *array, const void *key)
{
    if (!table->slot_count)
        return HCCT_TABLE_NONE;
    uint32_t mask = table->slot_count - 1;
    for (uint32_t at = hash & mask; table->slots[at].index_plus_one; at = (at + 1) & mask)
        if (table->slots[at].hash == hash && equal(array, table->slots[at].index_plus_one - 1, key))
            return table->slots[at].index_plus_one - 1;
    return HCCT_TABLE_NONE;
}

static void put(struct hcct_table *table, struct hcct_table_slot slot)
{
    uint32_t mask = table->slot_count - 1;
    uint32_t at = slot.hash & mask;
    while (table->slots[at].index_plus_one)
        at = (at + 1) & mask;
    table->slots[at] = slot;
}

static bool grow(struct hcct_table *table)
{
    struct hcct_table larger = { .slot_count = table->slot_count ? table->slot_count * 2 : 64 };
    if (table->slot_count > UINT32_MAX / 2)
        return false;
    larger.slots = calloc(larger.slot_count, sizeof *larger.slots);
    if (!larger.slots)
        return false;
    for (uint32_t i = 0; i < table->slot_count; i++)
        if (table->slots[i].index_plus_one)
            put(&larger, table->slots[i]);
    larger.used_count = table->used_count;
    free(table->slots);
    *table = larger;
    return true;
}

bool hcct_table_add(struct hcct_table *table, uint32_t hash, uint32_t index)
{
    if (table->used_count >= table->slot_count / 4 * 3 && !grow(table))
        return false;
    put(table, (struct hcct_table_slot){ .hash = hash, .index_plus_one = index + 1 });
    table->used_count++;
    return true;
}

void hcct_table_free(struct hcct_table *table)
{
    free(table->slots);
    *table = (struct hcct_table){ 0 };
}

bool hcct_vector_grow(void *vector, uint32_t *capacity, uint32_t count, size_t element_bytes)
{
    void *elements;
    if (count < *capacity)
        return true;
    if (*capacity > UINT32_MAX / 2)
        return false;
    uint32_t larger = *capacity ? *capacity * 2 : 64;
    memcpy(&elements, vector, sizeof elements); /* `vector` is the address of a pointer of any type */
    elements = reallocarray(elements, larger, element_bytes);
    if (!elements)
        return false;
    memcpy(vector, &elements, sizeof elements);
    *capacity = larger;
    return true;
}

uint64_t hcct_hash_text(uint64_t hash, const char *text, size_t length)
{
    for (; length >= 8; length -= 8, text += 8) {
        uint64_t word;
        memcpy(&word, text, 8);
        hash = hcct_hash_step(hash, word);
    }
    uint64_t rest = length + 1;
    while (length--)
        rest = rest << 8 | (unsigned char)*text++;
    return hcct_hash_step(hash, rest);
}
