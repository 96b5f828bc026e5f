// heap_mmap=on: what the program maps counts by context, also where parts are unmapped, several mappings at once, or others put in their place. The program changes mappings by chance,
// keeps its own books, page by page, and prints what each context has; one thread, and four that work in turns.
//
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: for how in "-O1" "-O0" "-O2 -no-pie"; do %hcct-cc $how -g %s -o x -lpthread || exit 1; for mode in cct hcct; do env HCCT_OPTIONS=metric=heap:heap_mmap=on:mode=$mode ./x | LC_ALL=C sort > wanted && \
// RUN:   for value in allocated blocks live live-blocks peak resized; do %hcct-decode --value=$value --all --format=folded ids.bin | grep '\[m[rm]' | sed "s/^/$value /" || exit 1; done | LC_ALL=C sort > found; diff wanted found || exit 1; done; done
// RUN: test $(wc -l < wanted) -gt 20
// Where a mapping lies, and so what mremap can do, differs from run to run. Without the option mappings do not count.
// RUN: env HCCT_OPTIONS=metric=heap:mode=cct:output=without.bin ./x > out && %hcct-decode --all --format=folded without.bin | FileCheck --check-prefix=WITHOUT %s
// WITHOUT-NOT: mmap
// RUN: env HCCT_OPTIONS=heap_mmap=on ./x 2>&1 > out | FileCheck --check-prefix=METRIC %s && env HCCT_OPTIONS=metric=heap:heap_mmap=on:heap_sample=1M ./x 2>&1 > out | FileCheck --check-prefix=SAMPLE %s
// METRIC: heap_mmap needs metric=heap, and is left out
// SAMPLE: heap_mmap needs all blocks, and is left out with heap_sample
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define FUNCTION __attribute__((noinline, optnone)) static
enum { PAGE = 4096, LIMIT = 4096, STEPS = 3000, CONTEXTS = 8 };
static const char *const names[CONTEXTS] = {
    "main;step;maps;[mmap]", "main;step;maps_over;[mmap]", "main;step;remaps;[mremap]", "main;region;[mmap]",
    "run;step;maps;[mmap]",  "run;step;maps_over;[mmap]",  "run;step;remaps;[mremap]",  "",
};

// The books: each page that is mapped.
static struct page {
    char *at;
    unsigned context, mapping;
} pages[LIMIT];
static unsigned page_count, mapping_count;
static struct {
    uint64_t allocated, blocks, live, peak, resized;
} of[CONTEXTS];
static uint64_t live, most;
static int first;   // 0: main's contexts, 4: those of threads
static char *fixed; // a region for MAP_FIXED
enum { FIXED_PAGES = 256 };

static unsigned draw(unsigned below)
{
    static uint64_t state;
    uint64_t z = state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return (unsigned)((z ^ z >> 31) >> 16) % below;
}

static void book_end(char *from, size_t bytes)
{
    for (unsigned i = 0; i < page_count;)
        if (pages[i].at >= from && pages[i].at < from + bytes) {
            of[pages[i].context].live -= PAGE;
            live -= PAGE;
            pages[i] = pages[--page_count];
        } else {
            i++;
        }
}

static void book(char *from, size_t bytes, unsigned context)
{
    bytes = (bytes + PAGE - 1) & -(size_t)PAGE;
    book_end(from, bytes);
    mapping_count++;
    for (size_t i = 0; i < bytes; i += PAGE)
        pages[page_count++] = (struct page){ from + i, context, mapping_count };
    of[context].allocated += bytes;
    of[context].blocks++;
    of[context].live += bytes;
    live += bytes;
    if (live <= most)
        return;
    most = live;
    for (unsigned i = 0; i < CONTEXTS; i++)
        of[i].peak = of[i].live;
}

// Parts of mappings that are in one piece.
static unsigned pieces(unsigned context)
{
    unsigned count = 0;
    for (unsigned i = 0; i < page_count; i++) {
        unsigned before = 0;
        while (before < page_count &&
               (pages[before].mapping != pages[i].mapping || pages[before].at + PAGE != pages[i].at))
            before++;
        count += pages[i].context == context && before == page_count;
    }
    return count;
}

static void check(int holds, const char *what)
{
    if (!holds) {
        printf("failed: %s\n", what);
        exit(1);
    }
}

FUNCTION void region(void)
{
    fixed = mmap((void *)0x200000000000, FIXED_PAGES * PAGE, PROT_NONE, // where nobody else maps anything
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    check(fixed != MAP_FAILED, "region");
    book(fixed, FIXED_PAGES * PAGE, 3);
}

FUNCTION void maps(void)
{
    size_t bytes = 1 + draw(6 * PAGE);
    char *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    check(p != MAP_FAILED, "mmap");
    *p = 1;
    book(p, bytes, (unsigned)first);
    check(mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED && errno == EINVAL,
          "mmap of nothing");
}

FUNCTION void maps_over(void)
{
    unsigned start = draw(FIXED_PAGES), most_pages = FIXED_PAGES - start;
    size_t bytes = (1 + draw(most_pages < 20 ? most_pages : 20)) * PAGE;
    char *p = mmap(fixed + start * PAGE, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    check(p == fixed + start * PAGE, "MAP_FIXED");
    book(p, bytes, (unsigned)first + 1);
}

// A mapping as a whole, or a part of it, grows, shrinks, or stays where it is if it may not move.
FUNCTION void remaps(void)
{
    char *old = page_count ? pages[draw(page_count)].at : NULL;
    size_t bytes = (1 + draw(8)) * PAGE;
    if (!old)
        return;
    char *p = mremap(old, PAGE, bytes, draw(2) ? MREMAP_MAYMOVE : 0);
    if (p == MAP_FAILED) {
        check(errno == ENOMEM, "mremap"); // the page stays
        return;
    }
    book_end(old, PAGE);
    book(p, bytes, (unsigned)first + 2);
    of[first + 2].resized++;
}

FUNCTION void unmaps(void)
{
    if (!page_count)
        return;
    char *from = pages[draw(page_count)].at;
    size_t bytes = 1 + draw(30 * PAGE);
    if (from < fixed || from >= fixed + FIXED_PAGES * PAGE) // nothing of others
        bytes = 1 + draw(PAGE);
    else if (bytes > (size_t)(fixed + FIXED_PAGES * PAGE - from))
        bytes = (size_t)(fixed + FIXED_PAGES * PAGE - from);
    check(munmap(from + 1, bytes) == -1 && errno == EINVAL, "munmap of no page");
    check(munmap(from, bytes) == 0, "munmap");
    book_end(from, (bytes + PAGE - 1) & -(size_t)PAGE);
}

FUNCTION void step(void)
{
    unsigned what = page_count > LIMIT / 2 ? 9 : draw(10);
    if (what < 2)
        maps();
    else if (what < 4)
        maps_over();
    else if (what < 6)
        remaps();
    else
        unmaps();
}

static void *run(void *unused)
{
    for (int i = 0; i < STEPS / 4; i++)
        step();
    return unused;
}

int main(void)
{
    pthread_t thread;
    region();
    for (int i = 0; i < STEPS; i++)
        step();
    first = 4;
    for (int i = 0; i < 4; i++) {
        if (pthread_create(&thread, NULL, run, NULL) || pthread_join(thread, NULL))
            return 1;
    }
    for (unsigned i = 0; i < CONTEXTS; i++) {
        const uint64_t values[] = { of[i].allocated, of[i].blocks, of[i].live,
                                    pieces(i),       of[i].peak,   of[i].resized };
        static const char *const what[] = { "allocated", "blocks", "live", "live-blocks", "peak", "resized" };
        for (unsigned v = 0; v < 6; v++)
            if (values[v])
                printf("%s %s %llu\n", what[v], names[i], (unsigned long long)values[v]);
    }
}
