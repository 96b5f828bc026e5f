/* The exact table (runtime/stream/exact.h) on keys whose counts are known: growth, places, memory that runs
 * out, and the work of a refill. */
#include "runtime/stream/exact.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>

#include "runtime/base/memory.h"
#include "test/unit/check.h"
#include "test/unit/work.h"

/* --- fakes of runtime/base/memory.h ----------------------------------------------------------------- */

static size_t memory_limit_bytes = SIZE_MAX;
static size_t memory_used_bytes;
static uint32_t map_count;

void *hcct_memory_map(size_t bytes)
{
    map_count++;
    if (bytes > memory_limit_bytes - memory_used_bytes)
        return NULL;
    memory_used_bytes += bytes;
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void hcct_memory_unmap(void *memory, size_t bytes)
{
    memory_used_bytes -= bytes;
    if (memory)
        munmap(memory, bytes);
}

void hcct_memory_give_up(void *memory, size_t bytes)
{
    if (memory)
        CHECK(madvise(memory, bytes, MADV_DONTNEED) == 0);
}

/* --- tests ------------------------------------------------------------------------------------- */

static void free_table(struct hcct_exact *table)
{
    if (table->slots != NULL)
        hcct_memory_unmap(table->slots, table->slot_count * sizeof(struct hcct_exact_slot));
    CHECK(memory_used_bytes == 0);
}

/* Key i twice, with weights i and 2: growth, finding, counts, nodes, reset. */
static void test_exact_keys(uint64_t keys, uint64_t stride, const char *name)
{
    struct hcct_exact table = { 0 };
    hcct_node unused;
    uint64_t before = work_blocks;

    for (uint64_t i = 1; i <= keys; i++)
        CHECK(hcct_exact_add(&table, i * stride, i, (hcct_node)i, &unused) && unused == 0);
    double blocks = (double)(work_blocks - before) / (double)keys;
    printf("%s: %.1f blocks an add\n", name, blocks);
    CHECK(blocks < 100);
    for (uint64_t i = 1; i <= keys; i += 7)
        CHECK(hcct_exact_add(&table, i * stride, 2, 1, &unused) && unused == 1);
    unused = 77;
    CHECK(hcct_exact_add(&table, stride, 0, 1, &unused) && unused == 1);
    for (uint64_t i = 1; i <= keys; i++) {
        const struct hcct_exact_slot *slot = hcct_exact_find(&table, i * stride);
        CHECK(slot != NULL && slot->count == i + (i % 7 == 1 ? 2 : 0) && slot->node == (hcct_node)i);
    }
    CHECK(hcct_exact_find(&table, (keys + 1) * stride) == NULL && hcct_exact_find(&table, 0) == NULL);
    CHECK(table.size == keys && table.dropped == 0 && hcct_exact_check(&table));
    CHECK(table.size <= table.slot_count / 4 * 3 && table.size > table.slot_count / 8 * 3);

    hcct_exact_reset(&table);
    CHECK(table.size == keys && table.total == 0 && hcct_exact_check(&table));
    CHECK(hcct_exact_find(&table, stride)->count == 0 && hcct_exact_find(&table, stride)->node == 1);
    free_table(&table);
}

/* In place, keys count that are there with a node; due each HCCT_CHALLENGE times. */
static void test_exact_in_place(void)
{
    enum { KEYS = 1000 };
    struct hcct_exact table = { 0 };
    hcct_node unused;

    for (uint64_t i = 1; i <= KEYS; i++)
        CHECK(hcct_exact_add(&table, i, i, i % 2 ? 5 : 0, &unused));
    for (uint64_t i = 1; i <= 2 * KEYS; i++) {
        enum hcct_in_place wanted = i > KEYS || i % 2 == 0     ? HCCT_NOT_IN_PLACE
                                    : (i + 1) % HCCT_CHALLENGE ? HCCT_IN_PLACE
                                                               : HCCT_DUE;
        CHECK(hcct_exact_add_in_place(&table, i) == wanted);
        const struct hcct_exact_slot *slot = hcct_exact_find(&table, i);
        CHECK(i > KEYS ? slot == NULL : slot->count == i + i % 2);
    }
    CHECK(table.size == KEYS && hcct_exact_check(&table));
    free_table(&table);
}

static void test_exact_without_memory(void)
{
    struct hcct_exact table = { 0 };
    hcct_node unused;
    uint64_t kept = 0;

    CHECK(hcct_exact_find(&table, 1) == NULL && hcct_exact_check(&table));
    memory_limit_bytes = 0;
    CHECK(!hcct_exact_add(&table, 1, 5, 3, &unused) && unused == 3 && table.dropped == 5 && table.total == 0);
    CHECK(hcct_exact_check(&table));

    memory_limit_bytes = 200000;
    table.dropped = 0;
    map_count = 0;
    for (uint64_t key = 1; key <= 100000; key++)
        kept += hcct_exact_add(&table, key, 1, 0, &unused);
    CHECK(kept == table.size && kept > 1000 && table.total == kept && table.dropped == 100000 - kept);
    CHECK(map_count < 40); /* of 90,000 newcomers hardly any asks for memory */
    CHECK(hcct_exact_add(&table, 500, 1, 0, &unused) && hcct_exact_find(&table, 500)->count == 2);
    CHECK(hcct_exact_find(&table, 100000) == NULL && hcct_exact_check(&table));

    memory_limit_bytes = SIZE_MAX; /* there is memory again */
    uint64_t later = 0;
    while (later < 200000 && !hcct_exact_add(&table, 100000 + later, 1, 0, &unused))
        later++;
    CHECK(later < 100000 && table.size == kept + 1 && hcct_exact_check(&table));
    free_table(&table);
}

/* Filling a table in the slot order of a larger one: quadratic if both have one hash. */
static void test_exact_refill(void)
{
    struct hcct_exact from = { 0 };
    struct hcct_exact to = { 0 };
    hcct_node unused;
    enum { KEYS = 700000, BLOCKS_EACH = 100 };

    for (uint64_t key = 1; key <= KEYS; key++)
        hcct_exact_add(&from, key, key, 0, &unused);
    uint64_t before = work_blocks;
    for (size_t at = 0; at < from.slot_count; at++) {
        if (from.slots[at].key != 0)
            hcct_exact_add(&to, from.slots[at].key, from.slots[at].count, 0, &unused);
    }
    uint64_t blocks = work_blocks - before;
    printf("exact table, refilled in slot order: %.1f blocks for each key\n", (double)blocks / KEYS);
    CHECK(blocks < (uint64_t)KEYS * BLOCKS_EACH);
    CHECK(to.size == from.size && to.total == from.total && hcct_exact_check(&to));
    hcct_memory_unmap(from.slots, from.slot_count * sizeof(struct hcct_exact_slot));
    free_table(&to);
}

/* --- other threads look ------------------------------------------------------------------------ */

enum { SHARED_KEYS = 1000000 };

static struct hcct_exact shared;
static atomic_uint shared_added; /* keys 1 to this are in the table, key k with node k */

/* A key of the table is found with its node, or not found while the table grows; no other key is found. */
static void *peek(void *unused)
{
    uint64_t random = 1;
    unsigned last;
    (void)unused;
    do {
        last = atomic_load(&shared_added);
        for (unsigned i = 0; i < 1000; i++) {
            random = random * 6364136223846793005 + 1442695040888963407;
            uint64_t key = (random >> 33) % (last + 1) + 1;
            hcct_node node = hcct_exact_peek(&shared, key);
            CHECK(node == 0 || node == key);
            CHECK(hcct_exact_peek(&shared, SHARED_KEYS + key) == 0);
        }
    } while (last < SHARED_KEYS);
    return NULL;
}

static void test_exact_shared(void)
{
    pthread_t threads[2];
    hcct_node unused;
    CHECK(hcct_exact_peek(&shared, 1) == 0);
    hcct_exact_share();
    CHECK(hcct_exact_reserve(&shared));
    for (int i = 0; i < 2; i++)
        CHECK(pthread_create(&threads[i], NULL, peek, NULL) == 0);
    for (unsigned key = 1; key <= SHARED_KEYS; key++) {
        CHECK(hcct_exact_add(&shared, key, 1, key, &unused));
        atomic_store(&shared_added, key);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (unsigned key = 1; key <= SHARED_KEYS; key++)
        CHECK(hcct_exact_peek(&shared, key) == key);
    struct hcct_exact other = { 0 };
    hcct_exact_switch(&shared, &other);
    CHECK(hcct_exact_peek(&shared, 1) == 0);
}

int main(void)
{
    test_exact_keys(3000000, 1, "3 million consecutive keys");
    test_exact_keys(300000, UINT64_C(1) << 32, "multiples of 2^32");
    test_exact_keys(30000, UINT64_C(1) << 48, "multiples of 2^48");
    test_exact_keys(300000, UINT64_C(0x9E3779B97F4A7C15), "random keys");
    test_exact_in_place();
    test_exact_without_memory();
    test_exact_refill();
    test_exact_shared(); /* the last one: tables keep addresses from then on */
    CHECK_DONE();
}
