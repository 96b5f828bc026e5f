/* Logs of notes: they are applied by ascending stamps, each once, those of a log in its order; and what was
 * held to be resized is found, against a plain list. */
#include "runtime/heap/tables/log.h"

#include <stdlib.h>

#include "test/unit/check.h"
#include "test/unit/draw.h"

void *hcct_memory_reserve(size_t bytes)
{
    return calloc(1, bytes);
}

struct hcct_heap_table hcct_heap_tables[HCCT_HEAP_TABLES];

static uint32_t applied[HCCT_PARTS], filled[HCCT_PARTS];
static uint64_t last_stamp;

/* The address of a note is its number in its log. */
static void apply(struct hcct_heap_log *log, const struct hcct_heap_note *note)
{
    uint32_t *count = &applied[log - hcct_heap_logs];
    CHECK(note->stamp >= last_stamp && note->address == *count);
    last_stamp = note->stamp;
    ++*count;
}

/* `step`: stamps ascend by less than so much; 1: all are the same. */
static void fill(unsigned log, uint64_t step)
{
    uint64_t stamp = draw() % (100 * step);
    for (uint32_t i = 0; i < filled[log]; i++, stamp += draw() % step)
        hcct_heap_logs[log].notes[i] = (struct hcct_heap_note){ .stamp = stamp, .address = i };
    hcct_heap_logs[log].count = filled[log];
}

static void test_merging(void)
{
    for (unsigned round = 0; round < 200; round++) {
        unsigned used = 0;
        for (unsigned log = 0; log < HCCT_PARTS; log++) {
            filled[log] = draw() % 4 > round % 4 ? (uint32_t)(draw() % (HCCT_HEAP_LOG_NOTES + 1)) : 0;
            applied[log] = 0;
            used += filled[log] != 0;
            fill(log, round % 5 ? UINT64_C(1) << round % 40 : 1);
        }
        last_stamp = 0;
        CHECK(hcct_heap_logs_apply(apply) == used);
        for (unsigned log = 0; log < HCCT_PARTS; log++)
            CHECK(applied[log] == filled[log] && hcct_heap_logs[log].count == 0);
    }
    CHECK(hcct_heap_logs_apply(apply) == 0);
}

static void test_held(void)
{
    enum { HELD = 1000, ADDRESSES = 40 };
    static struct {
        uintptr_t address;
        struct hcct_heap_block block;
    } all[HELD];
    static uint32_t to[1000];
    for (uint32_t i = 0; i < 1000; i++)
        to[i] = 999 - i;
    for (uint32_t i = 0; i < HELD; i++) {
        all[i].address = 1 + draw() % ADDRESSES;
        all[i].block = (struct hcct_heap_block){ draw() % 1000, (uint32_t)(draw() % 1000) };
        hcct_heap_log_hold(&hcct_heap_logs[3], all[i].address, all[i].block);
        if (i % 100 == 50) {
            hcct_heap_logs_move(to);
            for (uint32_t j = 0; j <= i; j++)
                all[j].block.context = to[all[j].block.context];
        }
        uintptr_t wanted = 1 + draw() % ADDRESSES;
        struct hcct_heap_block block;
        uint32_t back = 0;
        while (back <= i && back < HCCT_HEAP_LOG_HELD && all[i - back].address != wanted)
            back++;
        bool is_held = back <= i && back < HCCT_HEAP_LOG_HELD;
        CHECK(hcct_heap_log_held(&hcct_heap_logs[3], wanted, &block) == is_held);
        if (is_held)
            CHECK(block.bytes == all[i - back].block.bytes && block.context == all[i - back].block.context);
    }
    hcct_heap_logs_clear();
    struct hcct_heap_block block;
    CHECK(!hcct_heap_log_held(&hcct_heap_logs[3], all[HELD - 1].address, &block));
}

int main(void)
{
    if (!hcct_heap_logs_start()) /* a clock that is too coarse */
        hcct_heap_logs = calloc(HCCT_PARTS, sizeof *hcct_heap_logs);
    test_merging();
    test_held();
    return check_done();
}
