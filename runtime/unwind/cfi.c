/* See cfi.h. */
#include "runtime/unwind/cfi.h"

#include <string.h>

/* What is left to be read of a table. A read behind the end gives 0, and makes it `broken`. */
struct bytes {
    const uint8_t *at, *end;
    bool broken;
};

static uint64_t take(struct bytes *from, unsigned size)
{
    uint64_t value = 0;
    if (from->broken || (size_t)(from->end - from->at) < size) {
        from->broken = true;
        return 0;
    }
    memcpy(&value, from->at, size); /* both machines are little-endian */
    from->at += size;
    return value;
}

static int64_t take_signed(struct bytes *from, unsigned size)
{
    unsigned unused = 64 - 8 * size;
    return (int64_t)(take(from, size) << unused) >> unused;
}

static uint64_t take_leb(struct bytes *from, bool is_signed)
{
    uint64_t value = 0, byte;
    unsigned shift = 0;
    do {
        byte = take(from, 1);
        value |= shift < 64 ? (byte & 127) << shift : 0;
        shift += 7;
    } while (byte & 128);
    return is_signed && shift < 64 && byte & 64 ? value | UINT64_MAX << shift : value;
}

uint64_t hcct_cfi_leb(const uint8_t **at, const uint8_t *end, bool is_signed)
{
    struct bytes from = { *at, end, false };
    uint64_t value = take_leb(&from, is_signed);
    *at = from.at;
    return value;
}

static void skip(struct bytes *from, uint64_t count)
{
    if (count > (uint64_t)(from->end - from->at))
        from->broken = true;
    else
        from->at += count;
}

/* --- pointers ------------------------------------------------------------------------------------ */

enum {
    POINTER_OMITTED = 0xff,
    POINTER_SIZE = 7,
    POINTER_SIGNED = 8,
    POINTER_RELATIVE = 0x70,
    POINTER_TO_HERE = 0x10,   /* relative to the pointer's own place */
    POINTER_TO_HEADER = 0x30, /* relative to .eh_frame_hdr */
};

static uint64_t take_pointer(struct bytes *from, uint8_t encoding, const void *header)
{
    static const uint8_t sizes[] = { 8, 0, 2, 4, 8, 0, 0, 0 };
    uint64_t base = 0;
    if ((encoding & POINTER_RELATIVE) == POINTER_TO_HERE)
        base = (uintptr_t)from->at;
    else if ((encoding & POINTER_RELATIVE) == POINTER_TO_HEADER)
        base = (uintptr_t)header;
    unsigned size = sizes[encoding & POINTER_SIZE];
    if (!size) {
        from->broken = true;
        return 0;
    }
    return base + (encoding & POINTER_SIGNED ? (uint64_t)take_signed(from, size) : take(from, size));
}

/* --- entries --------------------------------------------------------------------------------------- */

/* An entry of .eh_frame, without its length; empty if there is none. */
static struct bytes open_entry(uintptr_t at, uintptr_t start, uintptr_t end)
{
    struct bytes entry = { (const uint8_t *)at, (const uint8_t *)end, at < start || at >= end };
    uint64_t length = take(&entry, 4);
    if (entry.broken || !length || length == UINT32_MAX || length > (uint64_t)(entry.end - entry.at))
        return (struct bytes){ .broken = true };
    entry.end = entry.at + length;
    return entry;
}

/* What many functions have in common (a CIE). */
struct common {
    struct bytes program;
    uint64_t code_unit;
    int64_t data_unit;
    uint8_t pointers; /* how places of code are written */
    bool has_data;    /* entries have a length in front of their program */
};

static bool read_common(uintptr_t at, uintptr_t start, uintptr_t end, struct common *common,
                        struct hcct_cfi *cfi)
{
    struct bytes from = open_entry(at, start, end);
    if (take(&from, 4) != 0 || from.broken)
        return false;
    uint64_t version = take(&from, 1);
    const char *letters = (const char *)from.at;
    while (take(&from, 1))
        ;
    common->code_unit = take_leb(&from, false);
    common->data_unit = (int64_t)take_leb(&from, true);
    cfi->return_register = (uint32_t)(version == 1 ? take(&from, 1) : take_leb(&from, false));
    common->has_data = *letters == 'z';
    if (from.broken || (*letters && *letters != 'z') || (version != 1 && version != 3))
        return false;
    uint64_t data = common->has_data ? take_leb(&from, false) : 0;
    const uint8_t *program = from.at + data;
    if (data > (uint64_t)(from.end - from.at))
        return false;
    while (*letters && *++letters) {
        if (*letters == 'R')
            common->pointers = (uint8_t)take(&from, 1);
        else if (*letters == 'L')
            take(&from, 1);
        else if (*letters == 'P')
            take_pointer(&from, (uint8_t)take(&from, 1), NULL);
        else if (*letters == 'S')
            cfi->is_signal_frame = true;
        else if (*letters != 'B') /* AArch64: which key signs return addresses */
            return false;
    }
    common->program = (struct bytes){ program, from.end, from.broken };
    return !from.broken;
}

/* --- programs -------------------------------------------------------------------------------------- */

enum { REMEMBERED = 4 };

/* The state of a program of call frame instructions. */
struct machine {
    const struct common *common;
    struct hcct_cfi *cfi, initial;
    struct hcct_cfi remembered[REMEMBERED];
    unsigned remembered_count;
    uint64_t pc, until;
};

static void set_rule(struct machine *machine, uint64_t number, enum hcct_cfi_way way, int64_t value)
{
    if (number < HCCT_CFI_REGISTERS)
        machine->cfi->rules[number] = (struct hcct_cfi_rule){ (int32_t)value, (uint8_t)way };
}

static void set_cfa(struct machine *machine, uint64_t number, int64_t offset)
{
    machine->cfi->cfa_register = (uint32_t)number;
    machine->cfi->cfa_offset = offset;
    machine->cfi->cfa_expression = NULL;
}

static void restore(struct machine *machine, uint64_t number)
{
    if (number < HCCT_CFI_REGISTERS)
        machine->cfi->rules[number] = machine->initial.rules[number];
}

enum operands {
    NONE,
    NUMBER,
    NUMBER_SIGNED,
    REGISTER,
    REGISTER_NUMBER,
    REGISTER_SIGNED,
    BLOCK,
    REGISTER_BLOCK
};

/* Of an instruction that has a byte of its own: what follows the byte. */
struct operands_of {
    uint64_t reg;
    int64_t number;
    const uint8_t *block, *block_end;
};

static struct operands_of take_operands(struct bytes *from, enum operands kind)
{
    struct operands_of taken = { 0 };
    if (kind == REGISTER || kind == REGISTER_NUMBER || kind == REGISTER_SIGNED || kind == REGISTER_BLOCK)
        taken.reg = take_leb(from, false);
    if (kind == NUMBER || kind == REGISTER_NUMBER)
        taken.number = (int64_t)take_leb(from, false);
    else if (kind == NUMBER_SIGNED || kind == REGISTER_SIGNED)
        taken.number = (int64_t)take_leb(from, true);
    if (kind == BLOCK || kind == REGISTER_BLOCK) {
        uint64_t length = take_leb(from, false);
        taken.block = from->at;
        skip(from, length);
        taken.block_end = from->at;
    }
    return taken;
}

/* The instructions that have a byte of their own, but for those that advance. */
enum {
    NOP = 0x00,
    OFFSET_EXTENDED = 0x05,
    RESTORE_EXTENDED,
    UNDEFINED,
    SAME_VALUE,
    IN_REGISTER,
    REMEMBER_STATE,
    RESTORE_STATE,
    DEFINE_CFA,
    DEFINE_CFA_REGISTER,
    DEFINE_CFA_OFFSET,
    DEFINE_CFA_EXPRESSION,
    EXPRESSION,
    OFFSET_EXTENDED_SIGNED,
    DEFINE_CFA_SIGNED,
    DEFINE_CFA_OFFSET_SIGNED,
    VALUE_OFFSET,
    VALUE_EXPRESSION = 0x16,
    NEGATE_RA_STATE = 0x2d, /* AArch64: the return address is signed, or not any more */
    ARGUMENTS_SIZE = 0x2e,
    EXTENDED_COUNT
};

static const uint8_t operand_kinds[EXTENDED_COUNT] = {
    [OFFSET_EXTENDED] = REGISTER_NUMBER,
    [RESTORE_EXTENDED] = REGISTER,
    [UNDEFINED] = REGISTER,
    [SAME_VALUE] = REGISTER,
    [IN_REGISTER] = REGISTER_NUMBER,
    [DEFINE_CFA] = REGISTER_NUMBER,
    [DEFINE_CFA_REGISTER] = REGISTER,
    [DEFINE_CFA_OFFSET] = NUMBER,
    [DEFINE_CFA_EXPRESSION] = BLOCK,
    [EXPRESSION] = REGISTER_BLOCK,
    [OFFSET_EXTENDED_SIGNED] = REGISTER_SIGNED,
    [DEFINE_CFA_SIGNED] = REGISTER_SIGNED,
    [DEFINE_CFA_OFFSET_SIGNED] = NUMBER_SIGNED,
    [VALUE_OFFSET] = REGISTER_NUMBER,
    [VALUE_EXPRESSION] = REGISTER_BLOCK,
    [ARGUMENTS_SIZE] = NUMBER,
};

/* The instructions of the CFA; false if it is another one. */
static bool run_cfa(struct machine *machine, uint8_t code, const struct operands_of *taken)
{
    struct hcct_cfi *cfi = machine->cfi;
    int64_t unit = machine->common->data_unit;
    switch (code) {
    case DEFINE_CFA:
        set_cfa(machine, taken->reg, taken->number);
        return true;
    case DEFINE_CFA_SIGNED:
        set_cfa(machine, taken->reg, taken->number * unit);
        return true;
    case DEFINE_CFA_REGISTER:
        set_cfa(machine, taken->reg, cfi->cfa_offset);
        return true;
    case DEFINE_CFA_OFFSET:
        set_cfa(machine, cfi->cfa_register, taken->number);
        return true;
    case DEFINE_CFA_OFFSET_SIGNED:
        set_cfa(machine, cfi->cfa_register, taken->number * unit);
        return true;
    case DEFINE_CFA_EXPRESSION:
        cfi->cfa_expression = taken->block;
        cfi->cfa_expression_end = taken->block_end;
        return true;
    default:
        return false;
    }
}

/* Keeps the rules, or takes those that were kept last. */
static bool remember(struct machine *machine, bool restores)
{
    if (machine->remembered_count == (restores ? 0 : REMEMBERED))
        return false;
    if (restores)
        *machine->cfi = machine->remembered[--machine->remembered_count];
    else
        machine->remembered[machine->remembered_count++] = *machine->cfi;
    return true;
}

/* False if the instruction is not known. */
static bool run_extended(struct machine *machine, uint8_t code, struct bytes *from)
{
    int64_t unit = machine->common->data_unit;
    if (code >= EXTENDED_COUNT)
        return false;
    struct operands_of taken = take_operands(from, operand_kinds[code]);
    switch (code) {
    case NOP:
    case NEGATE_RA_STATE:
    case ARGUMENTS_SIZE:
        return true;
    case OFFSET_EXTENDED:
    case OFFSET_EXTENDED_SIGNED:
        set_rule(machine, taken.reg, HCCT_CFI_SAVED, taken.number * unit);
        return true;
    case RESTORE_EXTENDED:
        restore(machine, taken.reg);
        return true;
    case UNDEFINED:
        set_rule(machine, taken.reg, HCCT_CFI_UNDEFINED, 0);
        return true;
    case SAME_VALUE:
        set_rule(machine, taken.reg, HCCT_CFI_SAME, 0);
        return true;
    case IN_REGISTER:
        set_rule(machine, taken.reg, HCCT_CFI_MOVED, taken.number);
        return true;
    case VALUE_OFFSET:
        set_rule(machine, taken.reg, HCCT_CFI_IS, taken.number * unit);
        return true;
    case EXPRESSION:
    case VALUE_EXPRESSION:
        set_rule(machine, taken.reg, HCCT_CFI_OTHER, 0);
        return true;
    case REMEMBER_STATE:
    case RESTORE_STATE:
        return remember(machine, code == RESTORE_STATE);
    default:
        return run_cfa(machine, code, &taken);
    }
}

/* Runs the program up to the instruction sought. */
static bool run(struct machine *machine, struct bytes from)
{
    enum { ADVANCE_1 = 0x02, ADVANCE_4 = 0x04 }; /* with a number of 1, 2 or 4 bytes */
    while (from.at < from.end && !from.broken && machine->pc <= machine->until) {
        uint8_t code = (uint8_t)take(&from, 1), low = code & 63;
        switch (code >> 6) {
        case 1:
            machine->pc += low * machine->common->code_unit;
            break;
        case 2:
            set_rule(machine, low, HCCT_CFI_SAVED,
                     (int64_t)take_leb(&from, false) * machine->common->data_unit);
            break;
        case 3:
            restore(machine, low);
            break;
        default:
            if (code >= ADVANCE_1 && code <= ADVANCE_4)
                machine->pc += take(&from, 1u << (code - ADVANCE_1)) * machine->common->code_unit;
            else if (!run_extended(machine, code, &from))
                return false;
        }
    }
    return !from.broken;
}

static bool read_entry(struct hcct_cfi *cfi, uintptr_t pc, uintptr_t at, uintptr_t start, uintptr_t end)
{
    struct common common = { .pointers = 0 };
    struct bytes entry = open_entry(at, start, end);
    uintptr_t place = (uintptr_t)entry.at;
    uint64_t back = take(&entry, 4);
    if (entry.broken || !back || !read_common(place - back, start, end, &common, cfi))
        return false;
    cfi->start = take_pointer(&entry, common.pointers, NULL);
    cfi->end = cfi->start + take_pointer(&entry, common.pointers & POINTER_SIZE, NULL);
    if (common.has_data)
        skip(&entry, take_leb(&entry, false));
    if (entry.broken || pc < cfi->start || pc >= cfi->end)
        return false;
    static struct machine machine; /* under the table lock: a handler's stack may be small */
    machine.common = &common;
    machine.cfi = cfi;
    machine.remembered_count = 0;
    machine.pc = 0;
    machine.until = UINT64_MAX;
    if (!run(&machine, common.program))
        return false;
    machine.initial = *cfi;
    machine.pc = cfi->start;
    machine.until = pc;
    return run(&machine, entry);
}

/* --- the sorted table of entries (.eh_frame_hdr) -------------------------------------------------- */

bool hcct_cfi_find(struct hcct_cfi *cfi, uintptr_t pc, const void *header, uintptr_t start, uintptr_t end)
{
    enum { VERSION = 1, TABLE_ENCODING = 0x3b, ENTRY_BYTES = 8 };
    struct bytes from = { header, (const uint8_t *)end,
                          (uintptr_t)header < start || (uintptr_t)header >= end };
    uint64_t version = take(&from, 1);
    uint8_t frame_pointer = (uint8_t)take(&from, 1), counts = (uint8_t)take(&from, 1);
    uint64_t encoding = take(&from, 1);
    take_pointer(&from, frame_pointer, header);
    uint64_t count = take_pointer(&from, counts, header), low = 0, high = count;
    memset(cfi, 0, sizeof *cfi);
    if (from.broken || version != VERSION || encoding != TABLE_ENCODING ||
        count > (uint64_t)(from.end - from.at) / ENTRY_BYTES)
        return false;
    while (low < high) { /* the last entry that begins at pc or before it */
        uint64_t middle = low + (high - low) / 2;
        int32_t place;
        memcpy(&place, from.at + middle * ENTRY_BYTES, sizeof place);
        if ((uintptr_t)header + (uintptr_t)(intptr_t)place <= pc)
            low = middle + 1;
        else
            high = middle;
    }
    int32_t entry;
    if (!low)
        return false;
    memcpy(&entry, from.at + (low - 1) * ENTRY_BYTES + 4, sizeof entry);
    return read_entry(cfi, pc, (uintptr_t)header + (uintptr_t)(intptr_t)entry, start, end);
}
