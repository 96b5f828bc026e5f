/* Calls in machine code (runtime/base/machine_call.h), made here in every form and behind random bytes: what
 * is decoded is the call that is there, or nothing. And memory that cannot be read (runtime/base/readable.h)
 * is not. */
#define _GNU_SOURCE
#include "runtime/base/machine_call.h"

#include <stdbool.h>
#include <sys/mman.h>

#include "runtime/base/readable.h"
#include "test/unit/check.h"
#include "test/unit/draw.h"

enum { ROUNDS = 300000 };

static const uintptr_t pc = 0x555555555000;

static unsigned char bytes[64];
static unsigned char *const end = bytes + sizeof bytes;

static struct hcct_machine_callee decode(void)
{
    return hcct_machine_callee_of(end - HCCT_MACHINE_CALL_BYTES, pc);
}

static void fill(void)
{
    /* few values, so that parts of calls are frequent */
    static const unsigned char likely[] = { 0xe8, 0xff, 0x15, 0xd0, 0x94, 0x54, 0x24, 0x10, 0x00 };
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = draw_below(2) ? likely[draw_below(sizeof likely)] : (unsigned char)draw_below(256);
}

#if defined(__x86_64__)

/* What stands in front of `end`: a call through a register or memory. The ModRM byte and what follows it are
 * as Intel's tables 2-2 and 2-3 have them. */
static void test_indirect(void)
{
    unsigned found = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned mode = draw_below(4), base = draw_below(8), sib = draw_below(256), length = 2,
                 displacement = 0;
        if (mode == 1)
            displacement = 1;
        if (mode == 2)
            displacement = 4;
        bool has_sib = mode != 3 && base == 4, at_pc = mode == 0 && base == 5;
        if (at_pc || (mode == 0 && has_sib && sib % 8 == 5))
            displacement = 4;
        length += has_sib + displacement;
        fill();
        end[-(int)length] = 0xff;
        end[-(int)length + 1] = (unsigned char)(mode << 6 | 2 << 3 | base);
        if (has_sib)
            end[-(int)length + 2] = (unsigned char)sib;
        struct hcct_machine_callee callee = decode();
        int32_t offset;
        memcpy(&offset, end - 4, sizeof offset);
        CHECK(!callee.code);
        CHECK(!callee.slot || (at_pc && callee.slot == pc + (uintptr_t)(intptr_t)offset));
        found += callee.slot != 0;
    }
    CHECK(found > ROUNDS / 100);
}

static void test_direct(void)
{
    unsigned found = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        int32_t offset = (int32_t)draw_below(1u << 24) - (1 << 23);
        fill();
        end[-5] = 0xe8;
        memcpy(end - 4, &offset, sizeof offset);
        struct hcct_machine_callee callee = decode();
        CHECK(!callee.slot && (!callee.code || callee.code == pc + (uintptr_t)(intptr_t)offset));
        found += callee.code != 0;
    }
    CHECK(found > ROUNDS - ROUNDS / 10);
}

static void test_stubs(void)
{
    static const struct {
        unsigned char code[HCCT_MACHINE_STUB_BYTES];
        unsigned jump; /* where it ends; 0: it is no stub */
    } stubs[] = {
        { { 0xff, 0x25, 1, 2, 0, 0, 0x68 }, 6 },
        { { 0xf3, 0x0f, 0x1e, 0xfa, 0xff, 0x25, 1, 2, 0, 0 }, 10 },
        { { 0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25, 1, 2, 0, 0 }, 11 },
        { { 0xf3, 0x0f, 0x1e, 0xfa, 0x41, 0xbb, 9, 0, 0, 0, 0xff, 0x25, 1, 2, 0, 0 }, 16 },
        { { 0x55, 0xff, 0x25, 1, 2, 0, 0 }, 0 },       /* a function */
        { { 0xff, 0x35, 1, 2, 0, 0, 0xff, 0x25 }, 0 }, /* the first stub, which calls the linker */
        { { 0xe9, 1, 2, 0, 0 }, 0 },
    };
    for (size_t i = 0; i < sizeof stubs / sizeof stubs[0]; i++) {
        uintptr_t slot = stubs[i].jump ? pc + stubs[i].jump + 0x201 : 0;
        CHECK(hcct_machine_stub_slot(stubs[i].code, pc) == slot);
    }
}

#endif

static void test_readable(void)
{
    enum { PAGES = 3 };
    const size_t page = HCCT_READABLE_PAGE;
    char *memory = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(memory != MAP_FAILED);
    CHECK(hcct_readable(memory, PAGES * page));
    CHECK(mprotect(memory + page, page, PROT_NONE) == 0);
    CHECK(hcct_readable(memory, page) && hcct_readable(memory + 2 * page, page));
    CHECK(hcct_readable(memory + page - 1, 1) && !hcct_readable(memory + page - 1, 2));
    CHECK(!hcct_readable(memory + page, 1) && !hcct_readable(memory + 2 * page - 1, 1));
    CHECK(!hcct_readable(memory + 2 * page - 4, 8)); /* a return address at the start of a mapping */
    CHECK(!hcct_readable(memory, PAGES * page));
    CHECK(!hcct_readable(NULL, 1) && !hcct_readable((const void *)-8, 16) && hcct_readable(memory, 0));
    CHECK(munmap(memory, PAGES * page) == 0);
}

int main(void)
{
#if defined(__x86_64__)
    test_indirect();
    test_direct();
    test_stubs();
#endif
    test_readable();
    CHECK_DONE();
}
