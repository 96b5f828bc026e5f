/* What the instructions of a machine do to the stack pointer, to control, and to addresses of functions. One
 * file a machine has all that depends on it. */
#ifndef HCCT_HEIGHTS_INFER_MACHINE_H
#define HCCT_HEIGHTS_INFER_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include <capstone/capstone.h>

enum hcct_stack_change {
    HCCT_SP_STAYS,
    HCCT_SP_FALLS,      /* by `amount` bytes: the frame grows */
    HCCT_SP_FROM_FRAME, /* it lies `amount` bytes below where the frame pointer points to */
    HCCT_SP_ENTRY,      /* it is what it was at the function's entry */
    HCCT_SP_UNKNOWN     /* the code does not tell by how much it moves */
};

enum { HCCT_STEP_ADDRESSES = 4, HCCT_STEP_PAGES = 32 };

/* One instruction. */
struct hcct_stack_step {
    enum hcct_stack_change change;
    int64_t amount;
    bool makes_room;         /* for variables: SP moves by a constant, other than by saved registers */
    bool calls, jumps, ends; /* `ends`: what follows is reached from elsewhere */
    bool by_table;           /* a jump of a switch */
    uint64_t target;         /* of a call or jump; 0: through a pointer */
    uint64_t addresses[HCCT_STEP_ADDRESSES]; /* that it makes; 0: none */
};

/* What a machine remembers of the instructions before, zero at a function's start. */
struct hcct_stack_memory {
    unsigned added;                  /* the register that the instruction before added to, or 0 */
    uint64_t pages[HCCT_STEP_PAGES]; /* AArch64: by register, the page that an adrp put there */
};

struct hcct_stack_machine {
    uint16_t elf; /* e_machine */
    cs_arch disassembler;
    cs_mode mode;
    uint64_t frame_pointer, stack_pointer; /* what DWARF calls them */
    int64_t entry_bytes;                   /* CFA - SP at a function's entry: the return address */
    unsigned least_bytes;                  /* of an instruction */
    void (*read)(const cs_insn *instruction, struct hcct_stack_memory *memory, struct hcct_stack_step *step);
};
extern const struct hcct_stack_machine hcct_stack_x86_64, hcct_stack_aarch64;

#endif
