#include "decoder/store/threads.h"

#include <stdlib.h>

static bool same_key(const void *array, uint32_t index, const void *key)
{
    return ((const struct hcct_file_thread *)array)[index].key == *(const uint64_t *)key;
}

static uint32_t hash_key(uint64_t key)
{
    return (uint32_t)hcct_hash_step(0, key);
}

const struct hcct_file_thread *hcct_threads_find(const struct hcct_threads *threads, uint64_t key)
{
    uint32_t found = hcct_table_find(&threads->table, hash_key(key), same_key, threads->threads, &key);
    return found == HCCT_TABLE_NONE ? NULL : &threads->threads[found];
}

bool hcct_threads_add(struct hcct_threads *to, const struct hcct_file_thread *threads, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (hcct_threads_find(to, threads[i].key))
            continue;
        if (!hcct_vector_grow(&to->threads, &to->capacity, to->count, sizeof *to->threads) ||
            !hcct_table_add(&to->table, hash_key(threads[i].key), to->count))
            return false;
        to->threads[to->count++] = threads[i];
    }
    return true;
}

void hcct_threads_free(struct hcct_threads *threads)
{
    free(threads->threads);
    hcct_table_free(&threads->table);
    *threads = (struct hcct_threads){ 0 };
}
