/* Sorters and windows (decoder/external) against qsort and plain arrays, with so little memory that most of
 * it goes to files; and what happens when there is no room for files. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "decoder/external/sorter.h"
#include "decoder/external/window.h"
#include "test/unit/check.h"
#include "test/unit/draw.h"

enum { WORDS = 5, KEYS = 3, MOST = 40000 };

static int compare(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    for (int i = 0; i < KEYS; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

static uint64_t all[MOST][WORDS];

static void add(struct hcct_sorter *sorter, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        all[i][0] = draw_below(50) << 60;
        all[i][1] = draw_below(3);
        all[i][2] = i; /* keys differ */
        all[i][3] = draw_below(1000);
        all[i][4] = ~all[i][3];
        CHECK(hcct_sorter_add(sorter, all[i]));
    }
}

static void check_order(struct hcct_sorter *sorter, size_t count)
{
    struct hcct_sorted sorted;
    size_t at = 0;
    qsort(all, count, sizeof *all, compare);
    CHECK(hcct_sorted_open(&sorted, sorter));
    for (const uint64_t *record; (record = hcct_sorted_next(&sorted)); at++)
        CHECK(at < count && !memcmp(record, all[at], sizeof *all));
    CHECK(at == count && !sorter->spill->reason);
    hcct_sorted_close(&sorted);
}

/* Three sorters share the memory; the second is read again and again while it grows. */
static void test_sorter(uint64_t limit)
{
    struct hcct_spill spill;
    struct hcct_sorter sorters[3];
    hcct_spill_open(&spill, limit);
    for (int i = 0; i < 3; i++)
        hcct_sorter_open(&sorters[i], &spill, WORDS, KEYS);
    check_order(&sorters[1], 0);
    for (size_t from = 0, to = 100; to <= MOST; from = to, to *= 3) {
        add(&sorters[1], from, to);
        for (size_t i = from; i < to; i++) {
            const uint64_t record[WORDS] = { 0, 0, MOST - i };
            CHECK(hcct_sorter_add(&sorters[2 * (i % 2)], record));
        }
        CHECK(spill.used_bytes <= limit || spill.used_bytes <= 3 * HCCT_SORTER_LEAST * sizeof *all);
        check_order(&sorters[1], to);
        check_order(&sorters[1], to);
    }
    for (int i = 0; i < 3; i++)
        hcct_sorter_close(&sorters[i]);
    CHECK(!spill.used_bytes && !spill.first);
    CHECK((spill.file >= 0) == (limit < MOST * sizeof *all));
    hcct_spill_close(&spill);
}

static void test_window(size_t length, uint64_t limit)
{
    enum { STRIDE = 4096 };
    struct hcct_window window;
    size_t count = length / STRIDE;
    CHECK(hcct_window_open(&window, length, limit));
    for (size_t i = 0; i < count; i++)
        CHECK(*(uint64_t *)hcct_window_at(&window, i * STRIDE) == 0);
    for (size_t i = 0; i < count; i++)
        *(uint64_t *)hcct_window_at(&window, i * STRIDE) = i + 1;
    for (int round = 0; round < 1000; round++) {
        size_t i = draw_below(count);
        CHECK(*(uint64_t *)hcct_window_at(&window, i * STRIDE) == i + 1);
    }
    CHECK(!window.used || window.used_count <= window.limit);
    hcct_window_close(&window);
}

/* As on a full disk: the write fails, and so does all that comes after. */
static void test_no_room(void)
{
    struct rlimit before, none;
    struct hcct_spill spill;
    struct hcct_sorter sorter;
    struct hcct_window window;
    const uint64_t record[WORDS] = { 0 };
    signal(SIGXFSZ, SIG_IGN);
    CHECK(!getrlimit(RLIMIT_FSIZE, &before));
    none = before;
    none.rlim_cur = 1 << 16;
    CHECK(!setrlimit(RLIMIT_FSIZE, &none));
    hcct_spill_open(&spill, 1 << 14);
    hcct_sorter_open(&sorter, &spill, WORDS, KEYS);
    size_t added = 0;
    while (added < MOST && hcct_sorter_add(&sorter, record))
        added++;
    CHECK(added > 1 << 10 && added < MOST && spill.reason == EFBIG);
    hcct_sorter_close(&sorter);
    hcct_spill_close(&spill);
    CHECK(!hcct_window_open(&window, 1 << 20, 1 << 17) && errno == EFBIG);
    CHECK(!setrlimit(RLIMIT_FSIZE, &before));
}

int main(void)
{
    test_sorter(1); /* as little as can be: many runs, which are joined */
    test_sorter(1 << 16);
    test_sorter(1 << 20);
    test_sorter(UINT64_C(1) << 40);
    test_window(1 << 20, 0);
    test_window(10 << 20, 1 << 20);
    test_window(1 << 20, 1 << 30);
    test_no_room();
    CHECK_DONE();
}
