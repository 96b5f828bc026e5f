/* Ranges of addresses against an array of pages: any order of adds and cuts, each with what it tells. */
#include "runtime/heap/mapped/ranges.h"

#include <stdlib.h>
#include <string.h>

#include "test/unit/check.h"
#include "test/unit/draw.h"

static bool is_short; /* of memory */

void *hcct_memory_map(size_t bytes)
{
    return is_short ? NULL : calloc(1, bytes);
}

void hcct_memory_unmap(void *memory, size_t bytes)
{
    (void)bytes;
    free(memory);
}

enum { PAGES = 4096, CONTEXTS = 5 };
static uint32_t owner[PAGES];  /* context + 1; 0: nobody */
static uint32_t begins[PAGES]; /* whether a range begins at the page */
static size_t told[CONTEXTS];  /* pages that cuts told of */

static void tell(const struct hcct_heap_range *whole, uintptr_t start, uintptr_t end, void *closure)
{
    CHECK(closure == owner);
    CHECK(whole->start <= start && start < end && end <= whole->end);
    CHECK(begins[whole->start] && (whole->end == PAGES || begins[whole->end] || !owner[whole->end]));
    told[whole->context] += end - start;
}

static void cut(uintptr_t start, uintptr_t end)
{
    size_t wanted[CONTEXTS] = { 0 };
    memset(told, 0, sizeof told);
    hcct_heap_ranges_cut(start, end, tell, owner);
    for (uintptr_t page = start; page < end; page++) {
        if (owner[page])
            wanted[owner[page] - 1]++;
        if (page == end - 1 && owner[page] && end < PAGES && owner[end])
            begins[end] = true;
        owner[page] = begins[page] = 0;
    }
    CHECK(memcmp(told, wanted, sizeof told) == 0);
}

static void change(bool moves)
{
    static const uint32_t to[CONTEXTS] = { 0, 2, 1, 4, 3 };
    uintptr_t start = draw() % PAGES, most = draw() % 8 ? 9 : 300, end = start + 1 + draw() % most;
    end = end > PAGES ? PAGES : end;
    cut(start, end);
    if (draw() % 3) {
        uint32_t context = (uint32_t)(draw() % CONTEXTS);
        CHECK(hcct_heap_ranges_add((struct hcct_heap_range){ start, end, context }));
        for (uintptr_t page = start; page < end; page++)
            owner[page] = context + 1;
        begins[start] = true;
    }
    if (!moves)
        return;
    hcct_heap_ranges_move(to);
    for (size_t page = 0; page < PAGES; page++)
        owner[page] = owner[page] ? to[owner[page] - 1] + 1 : 0;
}

static void check_all(void)
{
    size_t count, wanted = 0;
    for (size_t page = 0; page < PAGES; page++)
        wanted += begins[page];
    CHECK(hcct_heap_ranges_check(&count));
    CHECK(count == wanted);
}

/* A range that cannot become two loses its upper part, and says so. */
static void check_short(void)
{
    hcct_heap_ranges_clear();
    memset(owner, 0, sizeof owner);
    memset(begins, 0, sizeof begins);
    uintptr_t added;
    CHECK(hcct_heap_ranges_add((struct hcct_heap_range){ 0, 10, 1 }));
    is_short = true;
    for (added = 10; hcct_heap_ranges_add((struct hcct_heap_range){ added, added + 1, 1 }); added++)
        owner[added] = 2, begins[added] = true;
    for (uintptr_t page = 0; page < 10; page++)
        owner[page] = 2;
    begins[0] = true;
    memset(told, 0, sizeof told);
    hcct_heap_ranges_cut(3, 5, tell, owner);
    CHECK(told[1] == 7);
    size_t count;
    CHECK(hcct_heap_ranges_check(&count) && count == added - 10 + 1);
}

int main(void)
{
    for (int i = 0; i < 200000; i++) {
        change(i % 1000 == 0);
        if (i % 500 == 0)
            check_all();
    }
    check_all();
    check_short();
    CHECK_DONE();
}
