/* Calls in machine code: what the call right in front of a return address calls, and what a stub of the
 * linker's (PLT) jumps to. Both decode bytes that the caller has read. Async-signal-safe. */
#ifndef HCCT_RUNTIME_BASE_MACHINE_CALL_H
#define HCCT_RUNTIME_BASE_MACHINE_CALL_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* How many bytes are looked at: those in front of the return address, and those from the stub's begin. */
enum { HCCT_MACHINE_CALL_BYTES = 8, HCCT_MACHINE_STUB_BYTES = 24 };

/* What is called: code at a known address, or what is in memory at a known address. Both 0: not known. */
struct hcct_machine_callee {
    uintptr_t code, slot;
};

/* HCCT_MACHINE_STUB_BACK: a stub's code that hcct_machine_stub_slot does not know by itself is at most so
 * many bytes behind what it does know, a multiple of HCCT_MACHINE_STUB_STEP. */
#if defined(__x86_64__)

enum { HCCT_MACHINE_STUB_BACK = 0, HCCT_MACHINE_STUB_STEP = 1 };

static inline uintptr_t hcct_machine_add_offset(uintptr_t address, const unsigned char *offset)
{
    int32_t value;
    memcpy(&value, offset, sizeof value);
    return address + (uintptr_t)(intptr_t)value;
}

/* Whether the last `length` bytes in front of `end` can be a call through a register or memory: FF /2 (Intel
 * SDM, volume 2, "CALL", and tables 2-2 and 2-3). */
static inline bool hcct_machine_is_indirect_call(const unsigned char *end, unsigned length)
{
    enum { CALL = 0xff, DIGIT = 2, SIB = 4, DISPLACEMENT = 5, BYTE = 1, LONG = 2, REGISTER = 3 };
    const unsigned char *at = end - length;
    unsigned mode = at[1] >> 6, base = at[1] & 7, bytes = 2;
    if (at[0] != CALL || (at[1] >> 3 & 7) != DIGIT)
        return false;
    if (mode != REGISTER && base == SIB) {
        bytes++;
        base = length > 2 ? at[2] & 7 : 0;
    }
    if (mode == BYTE)
        bytes += 1;
    else if (mode == LONG || (mode == 0 && base == DISPLACEMENT))
        bytes += 4;
    return bytes == length;
}

/* Instructions have no fixed length, so bytes of one may look like another one. A call ends at `pc`: if the
 * bytes are only one call, it is that one. */
static inline struct hcct_machine_callee hcct_machine_callee_of(const unsigned char *code, uintptr_t pc)
{
    enum { CALL = 0xe8, THROUGH = 0xff, AT_PC = 0x15, LONGEST = 7 };
    const unsigned char *end = code + HCCT_MACHINE_CALL_BYTES;
    uintptr_t target = hcct_machine_add_offset(pc, end - 4);
    unsigned ways = end[-5] == CALL;
    for (unsigned length = 2; length <= LONGEST; length++)
        ways += hcct_machine_is_indirect_call(end, length);
    if (ways == 1 && end[-5] == CALL)
        return (struct hcct_machine_callee){ .code = target };
    if (ways == 1 && end[-6] == THROUGH && end[-5] == AT_PC)
        return (struct hcct_machine_callee){ .slot = target };
    return (struct hcct_machine_callee){ 0 };
}

/* The slot that a stub at `at` jumps through, or 0: [endbr64] [bnd] jmp *slot(%rip). In mold's stubs a number
 * goes to %r11 first. */
static inline uintptr_t hcct_machine_stub_slot(const unsigned char *stub, uintptr_t at)
{
    static const unsigned char endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa }, number[] = { 0x41, 0xbb },
                               jump[] = { 0xff, 0x25 };
    enum { BND = 0xf2, NUMBER_BYTES = 6, JUMP_BYTES = 6 };
    unsigned i = memcmp(stub, endbr64, sizeof endbr64) == 0 ? sizeof endbr64 : 0;
    if (memcmp(stub + i, number, sizeof number) == 0)
        i += NUMBER_BYTES;
    else
        i += stub[i] == BND;
    if (memcmp(stub + i, jump, sizeof jump) != 0)
        return 0;
    return hcct_machine_add_offset(at + i + JUMP_BYTES, stub + i + sizeof jump);
}

#else

enum { HCCT_MACHINE_STUB_BACK = 16, HCCT_MACHINE_STUB_STEP = 4 };

static inline uint32_t hcct_machine_instruction(const unsigned char *at)
{
    uint32_t instruction;
    memcpy(&instruction, at, sizeof instruction);
    return instruction;
}

static inline uintptr_t hcct_machine_extend(uint32_t value, unsigned bits)
{
    return (uintptr_t)((intptr_t)((uint64_t)value << (64 - bits)) >> (64 - bits));
}

/* bl. Through a register: not known. */
static inline struct hcct_machine_callee hcct_machine_callee_of(const unsigned char *code, uintptr_t pc)
{
    enum { OFFSET_BITS = 26, BL = 0x25 };
    uint32_t call = hcct_machine_instruction(code + HCCT_MACHINE_CALL_BYTES - sizeof call);
    struct hcct_machine_callee callee = { 0 };
    if (call >> OFFSET_BITS == BL)
        callee.code = pc - sizeof call + 4 * hcct_machine_extend(call, OFFSET_BITS);
    return callee;
}

/* [bti c] adrp x16, ldr x17, add x16, [autia1716] br x17 (ELF for the Arm 64-bit Architecture, "Procedure
 * Linkage Table"). */
static inline uintptr_t hcct_machine_stub_slot(const unsigned char *stub, uintptr_t at)
{
    const uint32_t bti = 0xd503245f, autia = 0xd503219f, br = 0xd61f0220;
    unsigned i = hcct_machine_instruction(stub) == bti ? 4 : 0;
    uint32_t adrp = hcct_machine_instruction(stub + i), ldr = hcct_machine_instruction(stub + i + 4),
             add = hcct_machine_instruction(stub + i + 8), jump = hcct_machine_instruction(stub + i + 12);
    if (jump == autia)
        jump = hcct_machine_instruction(stub + i + 16);
    if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211 ||
        (add & 0xffc003ff) != 0x91000210 || jump != br)
        return 0;
    uint32_t pages = (adrp >> 5 & 0x7ffff) << 2 | (adrp >> 29 & 3);
    return ((at + i) & ~(uintptr_t)0xfff) + (hcct_machine_extend(pages, 21) << 12) + 8 * (ldr >> 10 & 0xfff);
}

#endif

#endif
