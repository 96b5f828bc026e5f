/* runtime/unwind: walks of this program's own stack against those of the compiler's unwinder; and damaged
 * tables, which neither crash nor are read beyond their end (with the address sanitizer, docs/testing.md). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unwind.h>

#include "check.h"
#include "runtime/unwind/activation.h"
#include "runtime/unwind/cfi.h"

enum { FRAMES = 64 };
static uintptr_t theirs[FRAMES], ours[FRAMES];
static int their_count, our_count;

static _Unwind_Reason_Code note(struct _Unwind_Context *context, void *unused)
{
    (void)unused;
    if (their_count < FRAMES)
        theirs[their_count++] = _Unwind_GetIP(context);
    return _URC_NO_REASON;
}

/* From here both walk up: this function's own place is another for each. */
__attribute__((noinline)) static int walk(void)
{
    ucontext_t here;
    struct hcct_activation activation;
    uintptr_t cfa = 0;
    getcontext(&here);
    their_count = our_count = 0;
    _Unwind_Backtrace(note, NULL);
    CHECK(hcct_activation_begin(&activation, &here));
    do {
        ours[our_count++] = activation.pc;
        CHECK(activation.cfa > cfa && activation.cfa > (uintptr_t)&here);
        cfa = activation.cfa;
    } while (our_count < FRAMES && hcct_activation_up(&activation));
    CHECK(our_count >= 3 && our_count <= their_count);
    for (int i = 1; i < our_count; i++)
        CHECK(ours[i] == theirs[i]);
    return our_count;
}

/* With a frame of a size that only a register tells, and saved registers. */
__attribute__((noinline)) static int deeper(int n, volatile long a, volatile long b)
{
    volatile char *room = __builtin_alloca((size_t)n * 24 + 1);
    room[0] = (char)n;
    long c = a * 3, d = b * 5, e = a ^ b;
    int found = n ? deeper(n - 1, c, d) : walk();
    return found + (int)(room[0] + c + d + e) * 0;
}

static int compare(const void *a, const void *b)
{
    walk();
    return *(const char *)a - *(const char *)b;
}

static uint64_t state = 1;
static uint32_t draw(uint32_t below)
{
    state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (uint32_t)((state >> 33) % below);
}

/* The tables of this program, copied to memory that ends where they end. What they say of places moves by as
 * much. */
static void damage(void)
{
    struct dl_find_object object;
    struct hcct_cfi before, after;
    CHECK(_dl_find_object((void *)(uintptr_t)&deeper, &object) == 0);
    const char *header = object.dlfo_eh_frame;
    struct dl_find_object part;
    CHECK(_dl_find_object((void *)(uintptr_t)header, &part) == 0);
    size_t bytes = (size_t)((const char *)part.dlfo_map_end - header);
    unsigned found = 0;
    CHECK(hcct_cfi_find(&before, (uintptr_t)&deeper, header, (uintptr_t)header, (uintptr_t)header + bytes));
    for (int round = 0; round < 20000; round++) {
        char *copy = malloc(bytes);
        memcpy(copy, header, bytes);
        uintptr_t moved = (uintptr_t)&deeper + (uintptr_t)(copy - header) + draw(100);
        for (uint32_t i = draw(40); round && i-- > 0;)
            copy[draw(round % 2 ? 64 : (uint32_t)bytes)] = (char)draw(256);
        bool is_found = hcct_cfi_find(&after, moved, copy, (uintptr_t)copy, (uintptr_t)copy + bytes);
        CHECK(is_found || round);
        CHECK(round || after.start - (uintptr_t)copy == before.start - (uintptr_t)header);
        found += is_found;
        free(copy);
    }
    CHECK(found > 1000);
}

int main(void)
{
    char letters[] = "unwinding";
    int depth = deeper(0, 1, 2);
    for (int n = 1; n < 20; n++)
        CHECK(deeper(n, 1, 2) == depth + n);
    qsort(letters, sizeof letters - 1, 1, compare); /* through code of the C library */
    damage();
    CHECK_DONE();
}
