/* An open-addressing hash table of indices into somebody's array: what makes nodes, frames and call sites
 * unique.
 *
 * It knows no keys: a slot holds 32 bits of the hash beside the index, the caller compares. Linear probing,
 * at most 3/4 full; grows without the caller's help. Entries are never removed.
 * Cost: O(1) expected; 8 bytes a slot. */
#ifndef HCCT_DECODER_STORE_TABLE_H
#define HCCT_DECODER_STORE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HCCT_TABLE_NONE UINT32_MAX

struct hcct_table_slot {
    uint32_t hash;
    uint32_t index_plus_one; /* 0: empty */
};

struct hcct_table {
    struct hcct_table_slot *slots;
    uint32_t slot_count; /* a power of two, or 0 */
    uint32_t used_count;
};

/* Compares element `index` of the caller's array with `key`. */
typedef bool hcct_table_equal(const void *array, uint32_t index, const void *key);

/* The index with that key, or HCCT_TABLE_NONE. */
uint32_t hcct_table_find(const struct hcct_table *table, uint32_t hash, hcct_table_equal *equal,
                         const void *array, const void *key);
/* Adds an index whose key is not there yet; false when memory is out. */
bool hcct_table_add(struct hcct_table *table, uint32_t hash, uint32_t index);
void hcct_table_free(struct hcct_table *table);

/* Makes room for one more element in the vector whose pointer is at `vector`, and moves it where it has to
 * grow. False when memory is out, and the vector is as it was. */
bool hcct_vector_grow(void *vector, uint32_t *capacity, uint32_t count, size_t element_bytes);

/* Two indices in a row, which often grow together, must not cancel out: so the first one's bits are moved. */
static inline uint64_t hcct_hash_step(uint64_t hash, uint64_t value)
{
    hash = ((hash << 29 | hash >> 35) ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

uint64_t hcct_hash_text(uint64_t hash, const char *text, size_t length);

#endif
