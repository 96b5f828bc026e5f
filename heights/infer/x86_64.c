/* Stack pointer and control on x86-64, see machine.h. */
#include <elf.h>

#include "heights/infer/machine.h"

enum { RETURN_ADDRESS_BYTES = 8 };

static bool is_in(const cs_insn *instruction, cs_group_type group)
{
    for (uint8_t i = 0; i < instruction->detail->groups_count; i++)
        if (instruction->detail->groups[i] == group)
            return true;
    return false;
}

static void fall(struct hcct_stack_step *step, int64_t by)
{
    step->change = HCCT_SP_FALLS;
    step->amount = by;
}

/* SP becomes what the operand tells. */
static void load(struct hcct_stack_step *step, unsigned kind, const cs_x86_op *from)
{
    bool plain = kind == X86_INS_LEA && from->type == X86_OP_MEM && from->mem.index == X86_REG_INVALID;
    step->change = HCCT_SP_UNKNOWN;
    if (plain && from->mem.base == X86_REG_RSP) {
        fall(step, -from->mem.disp);
    } else if (plain && from->mem.base == X86_REG_RBP) {
        step->change = HCCT_SP_FROM_FRAME;
        step->amount = -from->mem.disp;
    } else if (from->type == X86_OP_REG && from->reg == X86_REG_RBP) {
        step->change = HCCT_SP_FROM_FRAME;
    }
}

/* An instruction whose first operand, of two, is SP. */
static void move(struct hcct_stack_step *step, unsigned kind, const cs_x86_op *from)
{
    bool adds = kind == X86_INS_SUB || kind == X86_INS_ADD;
    if (adds && from->type == X86_OP_IMM) {
        fall(step, kind == X86_INS_SUB ? from->imm : -from->imm);
        step->makes_room = true;
    } else if (kind == X86_INS_LEA || kind == X86_INS_MOV) {
        load(step, kind, from);
    } else if (adds || kind == X86_INS_AND) {
        step->change = HCCT_SP_UNKNOWN;
    }
}

static void read_addresses(const cs_insn *instruction, struct hcct_stack_step *step)
{
    const cs_x86 *x86 = &instruction->detail->x86;
    for (uint8_t i = 0; i < x86->op_count && i < HCCT_STEP_ADDRESSES; i++) {
        const cs_x86_op *operand = &x86->operands[i];
        if (operand->type == X86_OP_IMM)
            step->addresses[i] = (uint64_t)operand->imm;
        else if (operand->type == X86_OP_MEM && operand->mem.base == X86_REG_RIP)
            step->addresses[i] = instruction->address + instruction->size + (uint64_t)operand->mem.disp;
    }
}

static void read(const cs_insn *instruction, struct hcct_stack_memory *memory, struct hcct_stack_step *step)
{
    const cs_x86 *x86 = &instruction->detail->x86;
    const cs_x86_op *first = &x86->operands[0];
    *step = (struct hcct_stack_step){ .calls = is_in(instruction, CS_GRP_CALL),
                                      .jumps = is_in(instruction, CS_GRP_JUMP) };
    step->ends = instruction->id == X86_INS_JMP || is_in(instruction, CS_GRP_RET);
    if (instruction->id == X86_INS_PUSH)
        fall(step, 8);
    else if (instruction->id == X86_INS_POP)
        fall(step, -8);
    else if (instruction->id == X86_INS_LEAVE)
        step->change = HCCT_SP_ENTRY;
    else if (x86->op_count == 2 && first->type == X86_OP_REG && first->reg == X86_REG_RSP)
        move(step, instruction->id, &x86->operands[1]);
    if (step->calls || step->jumps) {
        step->target = x86->op_count == 1 && first->type == X86_OP_IMM ? (uint64_t)first->imm : 0;
        step->by_table = first->type == X86_OP_REG
                             ? first->reg == memory->added
                             : first->type == X86_OP_MEM && first->mem.index != X86_REG_INVALID;
    } else {
        read_addresses(instruction, step);
    }
    memory->added = instruction->id == X86_INS_ADD && first->type == X86_OP_REG ? first->reg : 0;
}

const struct hcct_stack_machine hcct_stack_x86_64 = { .elf = EM_X86_64,
                                                      .disassembler = CS_ARCH_X86,
                                                      .mode = CS_MODE_64,
                                                      .frame_pointer = 6,
                                                      .stack_pointer = 7,
                                                      .entry_bytes = RETURN_ADDRESS_BYTES,
                                                      .least_bytes = 1,
                                                      .read = read };
