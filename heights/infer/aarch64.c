/* Stack pointer and control on AArch64, see machine.h. A call leaves the return address in a register. */
#include <elf.h>

#include "heights/infer/machine.h"

static void fall(struct hcct_stack_step *step, int64_t by)
{
    step->change = HCCT_SP_FALLS;
    step->amount = by;
}

static int64_t constant(const cs_arm64_op *operand)
{
    return operand->imm << (operand->shift.type == ARM64_SFT_LSL ? operand->shift.value : 0);
}

/* An instruction whose first operand is SP. */
static void move(struct hcct_stack_step *step, unsigned kind, const cs_arm64 *arm)
{
    const cs_arm64_op *from = &arm->operands[1], *by = &arm->operands[2];
    bool adds = kind == ARM64_INS_ADD || kind == ARM64_INS_SUB;
    bool known = from->type == ARM64_OP_REG && (adds ? arm->op_count == 3 && by->type == ARM64_OP_IMM
                                                     : kind == ARM64_INS_MOV && arm->op_count == 2);
    int64_t amount = adds && known ? (kind == ARM64_INS_SUB ? constant(by) : -constant(by)) : 0;
    step->change = HCCT_SP_UNKNOWN;
    if (known && from->reg == ARM64_REG_SP) {
        fall(step, amount);
        step->makes_room = true;
    } else if (known && from->reg == ARM64_REG_X29) {
        step->change = HCCT_SP_FROM_FRAME;
        step->amount = amount;
    }
}

/* A load or store that moves SP as well: stp x29, x30, [sp, #-32]! and ldp x29, x30, [sp], #32. */
static void write_back(struct hcct_stack_step *step, const cs_arm64 *arm)
{
    for (uint8_t i = 0; i < arm->op_count; i++) {
        const cs_arm64_op *operand = &arm->operands[i];
        bool is_after = i + 1 < arm->op_count && arm->operands[i + 1].type == ARM64_OP_IMM;
        if (operand->type == ARM64_OP_MEM && operand->mem.base == ARM64_REG_SP)
            fall(step, is_after ? -arm->operands[i + 1].imm : -operand->mem.disp);
    }
}

/* The register's place in the memory, or -1. */
static int page_index(const cs_arm64_op *operand)
{
    bool is_there =
        operand->type == ARM64_OP_REG && operand->reg >= ARM64_REG_X0 && operand->reg <= ARM64_REG_X28;
    return is_there ? (int)(operand->reg - ARM64_REG_X0) : -1;
}

/* adr makes an address; so does adrp with an add. */
static void read_addresses(const cs_insn *instruction, struct hcct_stack_memory *memory,
                           struct hcct_stack_step *step)
{
    const cs_arm64 *arm = &instruction->detail->arm64;
    int to = arm->op_count ? page_index(&arm->operands[0]) : -1;
    if (to < 0)
        return;
    if (instruction->id == ARM64_INS_ADR)
        step->addresses[0] = (uint64_t)arm->operands[1].imm;
    if (instruction->id == ARM64_INS_ADRP)
        memory->pages[to] = (uint64_t)arm->operands[1].imm;
    int from = arm->op_count == 3 ? page_index(&arm->operands[1]) : -1;
    if (instruction->id == ARM64_INS_ADD && from >= 0 && arm->operands[2].type == ARM64_OP_IMM &&
        memory->pages[from])
        step->addresses[0] = memory->pages[from] + (uint64_t)constant(&arm->operands[2]);
}

static void read(const cs_insn *instruction, struct hcct_stack_memory *memory, struct hcct_stack_step *step)
{
    const cs_arm64 *arm = &instruction->detail->arm64;
    const cs_arm64_op *first = &arm->operands[0];
    unsigned kind = instruction->id;
    bool always = arm->cc == ARM64_CC_INVALID || arm->cc == ARM64_CC_AL || arm->cc == ARM64_CC_NV;
    *step = (struct hcct_stack_step){ .calls = kind == ARM64_INS_BL || kind == ARM64_INS_BLR };
    step->ends = kind == ARM64_INS_RET || kind == ARM64_INS_BR || (kind == ARM64_INS_B && always);
    step->jumps = kind == ARM64_INS_B || kind == ARM64_INS_BR;
    if (step->calls || step->jumps) {
        step->target = arm->op_count == 1 && first->type == ARM64_OP_IMM ? (uint64_t)first->imm : 0;
        step->by_table = first->type == ARM64_OP_REG && first->reg == memory->added;
    } else if (arm->writeback) {
        write_back(step, arm);
    } else if (arm->op_count >= 2 && first->type == ARM64_OP_REG && first->reg == ARM64_REG_SP &&
               kind != ARM64_INS_CMP && kind != ARM64_INS_CMN) {
        move(step, kind, arm);
    }
    read_addresses(instruction, memory, step);
    memory->added = kind == ARM64_INS_ADD && first->type == ARM64_OP_REG ? first->reg : 0;
}

const struct hcct_stack_machine hcct_stack_aarch64 = { .elf = EM_AARCH64,
                                                       .disassembler = CS_ARCH_ARM64,
                                                       .mode = CS_MODE_LITTLE_ENDIAN,
                                                       .frame_pointer = 29,
                                                       .stack_pointer = 31,
                                                       .entry_bytes = 0,
                                                       .least_bytes = 4,
                                                       .read = read };
