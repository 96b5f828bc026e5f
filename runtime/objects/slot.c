/* See slot.h. */
#define _GNU_SOURCE
#include "runtime/objects/slot.h"

#include <elf.h>

#include "runtime/base/machine.h"
#include "runtime/base/readable.h"
#include "runtime/objects/symbols.h"

enum { NAME_LIMIT = 4096 };

/* The first DT_RELACOUNT relocations of the first table have no symbol. */
static size_t count_relative(const ElfW(Dyn) * dynamic)
{
    while (dynamic->d_tag != DT_NULL && dynamic->d_tag != DT_RELACOUNT)
        dynamic++;
    return dynamic->d_tag == DT_RELACOUNT ? dynamic->d_un.d_val : 0;
}

static const ElfW(Rela) * find_relocation(const ElfW(Rela) * table, size_t count, uintptr_t place)
{
    if (!table || !hcct_readable(table, count * sizeof *table))
        return NULL;
    for (size_t i = 0; i < count; i++) {
        uint32_t type = (uint32_t)ELF64_R_TYPE(table[i].r_info);
        if (table[i].r_offset == place &&
            (type == HCCT_MACHINE_RELOC_SLOT || type == HCCT_MACHINE_RELOC_DATA))
            return &table[i];
    }
    return NULL;
}

/* 0: it cannot be read, or does not end. */
static size_t length_of(const char *name)
{
    for (size_t length = 0; length < NAME_LIMIT; length++) {
        bool begins_page = (uintptr_t)&name[length] % HCCT_READABLE_PAGE == 0;
        if ((!length || begins_page) && !hcct_readable(&name[length], 1))
            return 0;
        if (!name[length])
            return length;
    }
    return 0;
}

const char *hcct_slot_function(const struct link_map *object, uintptr_t slot, size_t *length)
{
    struct hcct_symbols symbols;
    if (!object->l_ld)
        return NULL;
    hcct_symbols_read_dynamic(&symbols, object->l_addr, object->l_ld);
    size_t relative = count_relative(object->l_ld), others = symbols.relocation_counts[0];
    relative = relative < others ? relative : others;
    const ElfW(Rela) *first = symbols.relocations[0] ? symbols.relocations[0] + relative : NULL;
    const ElfW(Rela) *found =
        find_relocation(symbols.relocations[1], symbols.relocation_counts[1], slot - symbols.base);
    if (!found)
        found = find_relocation(first, others - relative, slot - symbols.base);
    const ElfW(Sym) *symbol = found && symbols.table ? &symbols.table[ELF64_R_SYM(found->r_info)] : NULL;
    if (!symbol || symbol == symbols.table || !hcct_readable(symbol, sizeof *symbol))
        return NULL;
    const char *name = symbols.strings + symbol->st_name;
    *length = length_of(name);
    return *length ? name : NULL;
}
