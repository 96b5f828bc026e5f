/* See activation.h. */
#define _GNU_SOURCE
#include "runtime/unwind/activation.h"

#include <string.h>

#include "runtime/base/find_object.h"
#include "runtime/base/machine_call.h"
#include "runtime/base/machine_context.h"
#include "runtime/base/readable.h"
#include "runtime/unwind/cfi.h"

/* --- memory ---------------------------------------------------------------------------------------- */

/* Reads a word. Pages that were readable before are not asked for again. */
static bool read_word(struct hcct_activation *activation, uintptr_t address, uintptr_t *word)
{
    uintptr_t page = address & -(uintptr_t)HCCT_READABLE_PAGE;
    if (address % sizeof *word)
        return false;
    if (address < activation->readable || address >= activation->readable_end) {
        if (!hcct_readable_word(address))
            return false;
        if (page != activation->readable_end)
            activation->readable = page;
        activation->readable_end = page + HCCT_READABLE_PAGE;
    }
    *word = *(const uintptr_t *)address;
    return true;
}

/* --- expressions ----------------------------------------------------------------------------------- */

static bool register_value(const struct hcct_activation *activation, uint64_t number, uintptr_t *value)
{
    if (number >= HCCT_UNWIND_REGISTERS || !(activation->known >> number & 1))
        return false;
    *value = activation->registers[number];
    return true;
}

/* The few operators that linkers and the C library use, and our own code (base/machine.h). */
static bool evaluate(struct hcct_activation *activation, const uint8_t *at, const uint8_t *end,
                     uintptr_t *result)
{
    enum {
        DEPTH = 4,
        DEREF = 0x06,
        CONST1U = 0x08,
        CONST1S = 0x09,
        AND = 0x1a,
        PLUS = 0x22,
        PLUS_CONST = 0x23,
        SHIFT_LEFT = 0x24,
        GREATER_EQUAL = 0x2a,
        LITERAL = 0x30,
        REGISTER = 0x70
    };
    uintptr_t stack[DEPTH + 1];
    unsigned depth = 0;
    while (at < end && depth < DEPTH) {
        uint8_t code = *at++;
        if (code >= LITERAL && code < LITERAL + 32) {
            stack[depth++] = code - LITERAL;
        } else if (code >= REGISTER && code < REGISTER + 32) {
            uintptr_t value;
            if (!register_value(activation, code - REGISTER, &value))
                return false;
            stack[depth++] = value + (uintptr_t)hcct_cfi_leb(&at, end, true);
        } else if (code == CONST1U || code == CONST1S) {
            stack[depth++] = at < end ? code == CONST1U ? *at : (uintptr_t)(int8_t)*at : 0;
            at++;
        } else if (code == PLUS_CONST && depth) {
            stack[depth - 1] += (uintptr_t)hcct_cfi_leb(&at, end, false);
        } else if (code == DEREF && depth) {
            if (!read_word(activation, stack[depth - 1], &stack[depth - 1]))
                return false;
        } else if (depth >= 2) {
            uintptr_t b = stack[--depth], *a = &stack[depth - 1];
            if (code == AND)
                *a &= b;
            else if (code == PLUS)
                *a += b;
            else if (code == SHIFT_LEFT)
                *a = b < 64 ? *a << b : 0;
            else if (code == GREATER_EQUAL)
                *a = (intptr_t)*a >= (intptr_t)b;
            else
                return false;
        } else {
            return false;
        }
    }
    *result = depth ? stack[depth - 1] : 0;
    return at == end && depth == 1;
}

/* --- steps ----------------------------------------------------------------------------------------- */

/* Under the table lock, and not on a handler's stack, which may be small. */
static struct hcct_cfi current;
static struct hcct_activation caller;

static bool find_table(uintptr_t pc)
{
    struct dl_find_object code, table; /* of an object in several parts the one with the address */
    return hcct_find_object(pc, &code) && hcct_find_object((uintptr_t)code.dlfo_eh_frame, &table) &&
           hcct_cfi_find(&current, pc, code.dlfo_eh_frame, (uintptr_t)table.dlfo_map_start,
                         (uintptr_t)table.dlfo_map_end);
}

/* Whether the code has no caller. */
static bool is_first_of_stack(void)
{
    return current.return_register < HCCT_CFI_REGISTERS &&
           current.rules[current.return_register].way == HCCT_CFI_UNDEFINED;
}

/* Finds the table's entry for the activation, and from it the CFA. A call may be the last instruction of its
 * code, so its place counts, not where it returns to. But a stack by makecontext begins with the address of a
 * function as if that had called: in front of it is no code. */
static bool look_up(struct hcct_activation *activation)
{
    if (!find_table(activation->pc - activation->calls)) {
        if (!activation->calls || !find_table(activation->pc) || current.start != activation->pc ||
            current.return_register >= HCCT_CFI_REGISTERS)
            return false;
        current.rules[current.return_register].way = HCCT_CFI_UNDEFINED;
    }
    uintptr_t before = activation->cfa;
    activation->start = current.start;
    activation->end = current.end;
    if (current.cfa_expression) {
        if (!evaluate(activation, current.cfa_expression, current.cfa_expression_end, &activation->cfa))
            return false;
    } else {
        if (!register_value(activation, current.cfa_register, &activation->cfa))
            return false;
        activation->cfa += (uintptr_t)current.cfa_offset;
    }
    return activation->cfa > before && activation->cfa % sizeof(uintptr_t) == 0;
}

/* Whether the place is in a stub of the linker's (PLT), in front of its jump. */
static bool is_in_stub(uintptr_t pc)
{
    for (uintptr_t back = 0; back <= HCCT_MACHINE_STUB_BACK; back += HCCT_MACHINE_STUB_STEP) {
        const unsigned char *code = (const unsigned char *)(pc - back);
        if (hcct_readable(code, HCCT_MACHINE_STUB_BYTES) && hcct_machine_stub_slot(code, pc - back))
            return true;
    }
    return false;
}

/* A stub jumps on, and has no frame. */
static void enter_stub(struct hcct_activation *activation)
{
    memset(&current, 0, sizeof current);
    activation->start = activation->end = 0;
    activation->cfa = activation->registers[HCCT_MACHINE_SP_NUMBER] + HCCT_CALL_BYTES;
    current.return_register = HCCT_MACHINE_RETURN_NUMBER;
    if (HCCT_CALL_BYTES)
        current.rules[HCCT_MACHINE_RETURN_NUMBER] =
            (struct hcct_cfi_rule){ -(int32_t)HCCT_CALL_BYTES, HCCT_CFI_SAVED };
}

bool hcct_activation_begin(struct hcct_activation *activation, const void *context)
{
    const ucontext_t *machine = context;
    memset(activation, 0, sizeof *activation);
    activation->pc = hcct_machine_context_pc(machine);
    for (uint32_t i = 0; i < HCCT_MACHINE_REGISTERS; i++)
        activation->registers[i] = HCCT_MACHINE_REGISTER(machine, i);
    activation->known = (uint32_t)(UINT64_MAX >> (64 - HCCT_MACHINE_REGISTERS));
    if (look_up(activation))
        return true;
    if (!is_in_stub(activation->pc))
        return false;
    enter_stub(activation);
    return true;
}

/* The caller's registers, of which CFI tells where they are. */
static bool restore(struct hcct_activation *activation)
{
    for (uint32_t i = 0; i < HCCT_UNWIND_REGISTERS; i++) {
        const struct hcct_cfi_rule *rule = &current.rules[i];
        uintptr_t value = 0;
        bool known = false;
        if (rule->way == HCCT_CFI_SAME)
            known = register_value(activation, i, &value);
        else if (rule->way == HCCT_CFI_IS)
            known = true, value = activation->cfa + (uintptr_t)(intptr_t)rule->value;
        else if (rule->way == HCCT_CFI_MOVED)
            known = register_value(activation, (uint64_t)rule->value, &value);
        else if (rule->way == HCCT_CFI_SAVED &&
                 !(known = read_word(activation, activation->cfa + (uintptr_t)(intptr_t)rule->value, &value)))
            return false;
        caller.registers[i] = value;
        caller.known = (caller.known & ~(1u << i)) | (uint32_t)known << i;
    }
    return true;
}

bool hcct_activation_up(struct hcct_activation *activation)
{
    uintptr_t pc = 0;
    caller = *activation;
    caller.steps++;
    if (caller.steps > HCCT_UNWIND_STEPS || current.is_signal_frame || !restore(activation))
        return false;
    activation->is_oldest = is_first_of_stack();
    if (!register_value(&caller, current.return_register, &pc) || !pc)
        return false;
    caller.registers[HCCT_MACHINE_SP_NUMBER] = activation->cfa;
    caller.known |= 1u << HCCT_MACHINE_SP_NUMBER;
    caller.readable = activation->readable;
    caller.readable_end = activation->readable_end;
    caller.pc = pc & UINT64_C(0xffffffffffff) /* AArch64 may have signed it */;
    caller.calls = true;
    *activation = caller;
    return look_up(activation);
}
