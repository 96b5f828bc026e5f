/* Call frame information, as .eh_frame has it (DWARF 5, section 6.4, and the Linux Standard Base, section
 * 10.6): where the caller's registers are when a function has come to a given instruction.
 * Reads nothing but the object's memory in [start, end). Under the table lock. Async-signal-safe. */
#ifndef HCCT_RUNTIME_UNWIND_CFI_H
#define HCCT_RUNTIME_UNWIND_CFI_H

#include <stdbool.h>
#include <stdint.h>

enum { HCCT_CFI_REGISTERS = 32 };

enum hcct_cfi_way {
    HCCT_CFI_SAME,      /* not changed */
    HCCT_CFI_UNDEFINED, /* lost; of the return address: there is no caller */
    HCCT_CFI_SAVED,     /* in memory at CFA + value */
    HCCT_CFI_IS,        /* it is CFA + value */
    HCCT_CFI_MOVED,     /* in the register `value` */
    HCCT_CFI_OTHER,     /* an expression: not known here */
};

struct hcct_cfi_rule {
    int32_t value;
    uint8_t way;
};

/* What the tables say of one instruction. */
struct hcct_cfi {
    uintptr_t start, end; /* of the code that one entry of the table describes */
    uint32_t cfa_register;
    int64_t cfa_offset;
    const uint8_t *cfa_expression, *cfa_expression_end; /* in place of register and offset; or NULL */
    uint32_t return_register;
    bool is_signal_frame;
    struct hcct_cfi_rule rules[HCCT_CFI_REGISTERS];
};

/* For the instruction at `pc` of an object that is mapped at [start, end), whose .eh_frame_hdr is `header`.
 * False if the tables have nothing that is understood. */
bool hcct_cfi_find(struct hcct_cfi *cfi, uintptr_t pc, const void *header, uintptr_t start, uintptr_t end);

/* A number in LEB128; *at goes behind it, at most to `end`. */
uint64_t hcct_cfi_leb(const uint8_t **at, const uint8_t *end, bool is_signed);

#endif
