/* Functions by the symbol table, frames by the unwind tables (libdw), calls by the instructions (capstone);
 * see binary.h. */
#include "heights/infer/binary.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <dwarf.h>
#include <elfutils/libdw.h>

#include "decoder/store/table.h"
#include "decoder/text/text.h"
#include "heights/infer/machine.h"
#include "heights/infer/wrappers.h"

const char *const hcct_stack_kind_names[HCCT_STACK_KIND_COUNT] = { "direct", "indirect", "external", "jump",
                                                                   "indirect-jump" };

struct hcct_stack_file {
    int file;
    Elf *elf;
    Dwarf_CFI *cfi;
    const struct hcct_stack_machine *machine;
    csh disassembler;
    cs_insn *instruction;
};

/* --- symbols --------------------------------------------------------------------------------------- */

static int by_start(const void *a, const void *b)
{
    const struct hcct_stack_function *x = a, *y = b;
    return (x->start > y->start) - (x->start < y->start);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct hcct_stack_name *)a)->name, ((const struct hcct_stack_name *)b)->name);
}

static Elf_Scn *symbol_section(Elf *elf, GElf_Shdr *header)
{
    Elf_Scn *dynamic = NULL;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        if (!gelf_getshdr(section, header))
            continue;
        if (header->sh_type == SHT_SYMTAB)
            return section;
        if (header->sh_type == SHT_DYNSYM)
            dynamic = section;
    }
    return dynamic && gelf_getshdr(dynamic, header) ? dynamic : NULL;
}

/* Notes functions, and names with the addresses as indices. */
static bool read_symbols(struct hcct_stack_binary *binary, uint32_t *capacities, Elf_Data *data,
                         const GElf_Shdr *header, uint64_t *starts)
{
    const char *file = "";
    size_t count = header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
    for (size_t i = 0; i < count; i++) {
        GElf_Sym symbol;
        const char *name;
        if (!gelf_getsym(data, (int)i, &symbol) ||
            !(name = elf_strptr(binary->file->elf, header->sh_link, symbol.st_name)))
            continue;
        if (GELF_ST_TYPE(symbol.st_info) == STT_FILE)
            file = name;
        if (GELF_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF || !symbol.st_size ||
            symbol.st_value > UINT64_MAX - symbol.st_size)
            continue;
        if (!hcct_vector_grow(&binary->functions, &capacities[0], binary->function_count,
                              sizeof *binary->functions) ||
            !hcct_vector_grow(&binary->names, &capacities[1], binary->name_count, sizeof *binary->names))
            return false;
        bool local = GELF_ST_BIND(symbol.st_info) == STB_LOCAL;
        starts[binary->name_count] = symbol.st_value;
        binary->names[binary->name_count] = (struct hcct_stack_name){ name, local ? file : "", 0 };
        binary->name_count++;
        binary->functions[binary->function_count++] =
            (struct hcct_stack_function){ .name = name,
                                          .start = symbol.st_value,
                                          .end = symbol.st_value + symbol.st_size,
                                          .wrapper_of = HCCT_STACK_NONE };
    }
    return true;
}

/* Functions by address, each once; names by name. */
static void order_symbols(struct hcct_stack_binary *binary, const uint64_t *starts)
{
    uint32_t kept = 0;
    qsort(binary->functions, binary->function_count, sizeof *binary->functions, by_start);
    for (uint32_t i = 0; i < binary->function_count; i++)
        if (!kept || binary->functions[i].start != binary->functions[kept - 1].start)
            binary->functions[kept++] = binary->functions[i];
    binary->function_count = kept;
    for (uint32_t i = 0; i < binary->name_count; i++)
        binary->names[i].function = hcct_stack_function_at(binary, starts[i]);
    qsort(binary->names, binary->name_count, sizeof *binary->names, by_name);
}

static const char *find_functions(struct hcct_stack_binary *binary)
{
    GElf_Shdr header;
    uint32_t capacities[2] = { 0 };
    Elf_Scn *section = symbol_section(binary->file->elf, &header);
    Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
    if (!data)
        return "it has no symbols";
    uint64_t *starts = malloc((header.sh_entsize ? header.sh_size / header.sh_entsize : 0) * 8 + 8);
    bool done = starts && read_symbols(binary, capacities, data, &header, starts);
    if (done)
        order_symbols(binary, starts);
    free(starts);
    return !done ? "out of memory" : binary->function_count ? NULL : "it has no functions";
}

uint32_t hcct_stack_function_at(const struct hcct_stack_binary *binary, uint64_t address)
{
    uint32_t low = 0, high = binary->function_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (binary->functions[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low && address < binary->functions[low - 1].end ? low - 1 : HCCT_STACK_NONE;
}

uint32_t hcct_stack_function_named(const struct hcct_stack_binary *binary, const char *name,
                                   const char *source)
{
    uint32_t low = 0, high = binary->name_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (strcmp(binary->names[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    uint32_t found = HCCT_STACK_NONE;
    for (; low < binary->name_count && !strcmp(binary->names[low].name, name); low++) {
        const struct hcct_stack_name *one = &binary->names[low];
        bool fits = *one->file && !strcmp(hcct_text_base_name(one->file), hcct_text_base_name(source));
        if (fits || found == HCCT_STACK_NONE)
            found = one->function;
        if (fits)
            break;
    }
    return found;
}

/* --- one function's instructions ------------------------------------------------------------------- */

/* What is known in front of an instruction. */
struct sweep {
    const struct hcct_stack_binary *binary;
    const struct hcct_stack_function *function;
    uint64_t from, to; /* where `by_frame` and `offset` hold */
    bool is_known, by_frame;
    int64_t offset;       /* of the CFA from that register */
    int64_t height, body; /* CFA - SP; and that behind the prologue, 0: not there yet */
    int64_t most_bytes;
    bool is_variable, has_locals, jumps_to_start;
    struct hcct_stack_memory memory;
    struct hcct_stack_step step; /* the instruction itself */
};

static int64_t entry_bytes(const struct sweep *sweep)
{
    return sweep->binary->file->machine->entry_bytes;
}

/* Asks the unwind tables for the rule at `address`. */
static void read_rule(struct sweep *sweep, uint64_t address)
{
    Dwarf_Frame *frame;
    Dwarf_Op *steps;
    size_t count;
    Dwarf_Addr start, end;
    sweep->is_known = false;
    sweep->from = address;
    sweep->to = address + 1;
    if (dwarf_cfi_addrframe(sweep->binary->file->cfi, address, &frame))
        return;
    if (dwarf_frame_info(frame, &start, &end, NULL) >= 0 && end > address)
        sweep->to = end;
    if (!dwarf_frame_cfa(frame, &steps, &count) && count == 1) {
        Dwarf_Word number =
            steps->atom == DW_OP_bregx ? steps->number : (Dwarf_Word)steps->atom - DW_OP_breg0;
        sweep->offset = (int64_t)(steps->atom == DW_OP_bregx ? steps->number2 : steps->number);
        const struct hcct_stack_machine *machine = sweep->binary->file->machine;
        sweep->by_frame = number == machine->frame_pointer;
        sweep->is_known = sweep->by_frame || number == machine->stack_pointer;
    }
    free(frame);
}

/* Sets `height` for the instruction at `address`. Where the tables go back to the frame pointer behind an
 * epilogue, the frame is whole again. */
static void arrive(struct sweep *sweep, uint64_t address)
{
    bool was_by_frame = sweep->is_known && sweep->by_frame;
    if (address < sweep->from || address >= sweep->to)
        read_rule(sweep, address);
    if (!sweep->is_known)
        return;
    if (!sweep->by_frame)
        sweep->height = sweep->offset;
    else if (!was_by_frame && sweep->body)
        sweep->height = sweep->body;
}

static int64_t known_height(const struct sweep *sweep)
{
    return sweep->is_known && !(sweep->by_frame && sweep->is_variable) ? sweep->height : HCCT_HEIGHT_UNKNOWN;
}

/* Follows what the instruction does to SP. */
static void follow(struct sweep *sweep)
{
    const struct hcct_stack_step *step = &sweep->step;
    sweep->has_locals |= step->makes_room;
    if (step->change == HCCT_SP_FALLS)
        sweep->height += step->amount;
    else if (step->change == HCCT_SP_ENTRY)
        sweep->height = entry_bytes(sweep);
    else if (step->change == HCCT_SP_FROM_FRAME && sweep->by_frame)
        sweep->height = sweep->offset + step->amount;
    else
        sweep->is_variable |= step->change != HCCT_SP_STAYS;
}

/* Whether the instruction calls, or jumps to another function. Fills in the kind, the callee and the
 * height. */
static bool classify(const struct sweep *sweep, struct hcct_stack_call *call)
{
    const struct hcct_stack_step *step = &sweep->step;
    const struct hcct_stack_binary *binary = sweep->binary;
    uint32_t callee = step->target ? hcct_stack_function_at(binary, step->target) : HCCT_STACK_NONE;
    if (callee != HCCT_STACK_NONE && binary->functions[callee].start != step->target)
        callee = HCCT_STACK_NONE;
    call->callee = callee;
    call->height = known_height(sweep);
    if (step->calls) {
        call->kind = !step->target               ? HCCT_STACK_INDIRECT
                     : callee == HCCT_STACK_NONE ? HCCT_STACK_EXTERNAL
                                                 : HCCT_STACK_DIRECT;
        return true;
    }
    bool frame_is_gone = sweep->is_known && !sweep->by_frame && sweep->height == entry_bytes(sweep);
    bool leaves = step->target && callee != HCCT_STACK_NONE && &binary->functions[callee] != sweep->function;
    call->kind = step->target ? HCCT_STACK_JUMP : HCCT_STACK_INDIRECT_JUMP;
    if (call->height != HCCT_HEIGHT_UNKNOWN)
        call->height -= entry_bytes(sweep);
    return leaves || (!step->target && frame_is_gone && !step->by_table);
}

/* Decodes the instruction at *address, and goes on. False at the end of the function. */
static bool decode(const struct sweep *sweep, const uint8_t **code, size_t *left, uint64_t *address)
{
    struct hcct_stack_file *file = sweep->binary->file;
    while (*left && !cs_disasm_iter(file->disassembler, code, left, address, file->instruction)) {
        size_t skipped = file->machine->least_bytes; /* data, or what capstone does not know */
        skipped = skipped < *left ? skipped : *left;
        *code += skipped;
        *left -= skipped;
        *address += skipped;
    }
    return *left || file->instruction->address + file->instruction->size == *address;
}

/* The bytes of the function in the file, or NULL. */
static const uint8_t *code_of(const struct hcct_stack_binary *binary,
                              const struct hcct_stack_function *function)
{
    size_t count, length;
    char *bytes = elf_rawfile(binary->file->elf, &length);
    if (!bytes || elf_getphdrnum(binary->file->elf, &count))
        return NULL;
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr segment;
        if (!gelf_getphdr(binary->file->elf, (int)i, &segment) || segment.p_type != PT_LOAD ||
            function->start < segment.p_vaddr || function->end > segment.p_vaddr + segment.p_filesz ||
            segment.p_offset > length || segment.p_filesz > length - segment.p_offset)
            continue;
        return (const uint8_t *)bytes + segment.p_offset + (function->start - segment.p_vaddr);
    }
    return NULL;
}

/* --- pointers to functions ------------------------------------------------------------------------- */

static void note_address(const struct hcct_stack_binary *binary, uint64_t address)
{
    uint32_t function = hcct_stack_function_at(binary, address);
    if (function != HCCT_STACK_NONE && binary->functions[function].start == address)
        binary->functions[function].is_address_taken = true;
}

static void note_relocations(const struct hcct_stack_binary *binary, Elf_Data *data, const GElf_Shdr *header)
{
    size_t count = header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
    for (size_t i = 0; i < count; i++) {
        GElf_Rela relocation;
        if (gelf_getrela(data, (int)i, &relocation))
            note_address(binary, (uint64_t)relocation.r_addend);
    }
}

/* Those in data: by relocations, or as words. */
static void find_pointers(const struct hcct_stack_binary *binary)
{
    for (Elf_Scn *section = NULL; (section = elf_nextscn(binary->file->elf, section));) {
        GElf_Shdr header;
        Elf_Data *data = gelf_getshdr(section, &header) ? elf_rawdata(section, NULL) : NULL;
        if (!data || !data->d_buf || !(header.sh_flags & SHF_ALLOC) || header.sh_flags & SHF_EXECINSTR)
            continue;
        if (header.sh_type == SHT_RELA && (data = elf_getdata(section, NULL)))
            note_relocations(binary, data, &header);
        for (size_t at = 0; header.sh_type == SHT_PROGBITS && at + 8 <= data->d_size; at += 8) {
            uint64_t word;
            memcpy(&word, (const char *)data->d_buf + at, sizeof word);
            note_address(binary, word);
        }
    }
}

/* --- all functions --------------------------------------------------------------------------------- */

static bool add_call(struct hcct_stack_binary *binary, uint32_t *capacity, const struct hcct_stack_call *call)
{
    if (!hcct_vector_grow(&binary->calls, capacity, binary->call_count, sizeof *binary->calls))
        return false;
    binary->calls[binary->call_count++] = *call;
    return true;
}

/* Goes through the function up to `until`, and lists its calls if `capacity` is given. False when memory is
 * out. */
static bool go_through(struct sweep *sweep, uint64_t until, struct hcct_stack_binary *list,
                       uint32_t *capacity)
{
    const struct hcct_stack_function *function = sweep->function;
    const uint8_t *code = code_of(sweep->binary, function);
    size_t left = code ? function->end - function->start : 0;
    uint64_t address = function->start;
    const cs_insn *instruction = sweep->binary->file->instruction;
    const struct hcct_stack_machine *machine = sweep->binary->file->machine;
    sweep->height = machine->entry_bytes;
    while (left && address < until && decode(sweep, &code, &left, &address)) {
        struct hcct_stack_call call = { .at = address,
                                        .caller = (uint32_t)(function - sweep->binary->functions) };
        const struct hcct_stack_step *step = &sweep->step;
        machine->read(instruction, &sweep->memory, &sweep->step);
        arrive(sweep, instruction->address);
        if (sweep->by_frame && !sweep->body && (step->calls || step->jumps))
            sweep->body = sweep->height;
        if (list && (step->calls || step->jumps) && classify(sweep, &call) &&
            !add_call(list, capacity, &call))
            return false;
        for (int i = 0; list && i < HCCT_STEP_ADDRESSES; i++)
            note_address(list, step->addresses[i]);
        sweep->jumps_to_start |= step->jumps && step->target == function->start;
        if (sweep->is_known && sweep->height > sweep->most_bytes)
            sweep->most_bytes = sweep->height;
        follow(sweep);
        if (step->ends && sweep->body) /* what follows is reached from elsewhere */
            sweep->height = sweep->body;
    }
    return true;
}

static const char *find_calls(struct hcct_stack_binary *binary)
{
    uint32_t capacity = 0;
    find_pointers(binary);
    for (uint32_t i = 0; i < binary->function_count; i++) {
        struct hcct_stack_function *function = &binary->functions[i];
        struct sweep sweep = { .binary = binary, .function = function };
        function->first_call = binary->call_count;
        if (!go_through(&sweep, function->end, binary, &capacity))
            return "out of memory";
        function->call_count = binary->call_count - function->first_call;
        function->is_variable = sweep.is_variable;
        function->has_locals = sweep.has_locals;
        function->jumps_to_start = sweep.jumps_to_start;
        function->most_bytes = sweep.most_bytes;
        for (uint32_t k = 0; sweep.is_variable && sweep.body && k < function->call_count; k++)
            if (binary->calls[function->first_call + k].kind != HCCT_STACK_JUMP)
                binary->calls[function->first_call + k].height = HCCT_HEIGHT_UNKNOWN;
    }
    return NULL;
}

int64_t hcct_stack_height_at(const struct hcct_stack_binary *binary, uint64_t address)
{
    uint32_t index = hcct_stack_function_at(binary, address);
    if (index == HCCT_STACK_NONE)
        return HCCT_HEIGHT_UNKNOWN;
    struct sweep sweep = { .binary = binary, .function = &binary->functions[index] };
    sweep.is_variable = sweep.function->is_variable;
    read_rule(&sweep, address);
    if (sweep.is_known && !sweep.by_frame)
        return sweep.offset;
    if (!sweep.is_known || sweep.is_variable)
        return HCCT_HEIGHT_UNKNOWN;
    sweep.is_known = false;
    sweep.from = sweep.to = 0;
    go_through(&sweep, address, NULL, NULL);
    arrive(&sweep, address);
    return known_height(&sweep);
}

/* --- the file -------------------------------------------------------------------------------------- */

static const struct hcct_stack_machine *const machines[] = { &hcct_stack_x86_64, &hcct_stack_aarch64 };

static const char *open_file(struct hcct_stack_file *file, const char *path)
{
    GElf_Ehdr header;
    elf_version(EV_CURRENT);
    file->file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file->file < 0)
        return "cannot be read";
    file->elf = elf_begin(file->file, ELF_C_READ_MMAP, NULL);
    if (!file->elf || elf_kind(file->elf) != ELF_K_ELF || !gelf_getehdr(file->elf, &header))
        return "is no ELF file";
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
        if (header.e_machine == machines[i]->elf)
            file->machine = machines[i];
    if (!file->machine)
        return "is for neither x86-64 nor AArch64, the machines whose frames are known";
    file->cfi = dwarf_getcfi_elf(file->elf);
    if (!file->cfi)
        return "has no unwind tables (.eh_frame): compile without -fno-asynchronous-unwind-tables";
    if (cs_open(file->machine->disassembler, file->machine->mode, &file->disassembler) != CS_ERR_OK)
        return "cannot be disassembled";
    cs_option(file->disassembler, CS_OPT_DETAIL, CS_OPT_ON);
    file->instruction = cs_malloc(file->disassembler);
    return file->instruction ? NULL : "out of memory";
}

const char *hcct_stack_open(struct hcct_stack_binary *binary, const char *path)
{
    *binary = (struct hcct_stack_binary){ .file = calloc(1, sizeof *binary->file) };
    if (!binary->file)
        return "out of memory";
    binary->file->file = -1;
    const char *problem = open_file(binary->file, path);
    if (!problem)
        problem = find_functions(binary);
    if (!problem)
        problem = find_calls(binary);
    if (!problem)
        hcct_wrappers_see_through(binary);
    return problem;
}

void hcct_stack_close(struct hcct_stack_binary *binary)
{
    struct hcct_stack_file *file = binary->file;
    free(binary->functions);
    free(binary->names);
    free(binary->calls);
    if (!file)
        return;
    if (file->instruction)
        cs_free(file->instruction, 1);
    if (file->disassembler)
        cs_close(&file->disassembler);
    if (file->cfi)
        dwarf_cfi_end(file->cfi);
    if (file->elf)
        elf_end(file->elf);
    if (file->file >= 0)
        close(file->file);
    free(file);
}
