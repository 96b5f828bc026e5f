/* See slot.h. */
#define _GNU_SOURCE
#include "runtime/objects/slot.h"

#include <elf.h>
#include <string.h>

#include "runtime/base/machine.h"
#include "runtime/base/readable.h"
#include "runtime/objects/symbols.h"

enum { NAME_LIMIT = 4096 };

/* --- slots ----------------------------------------------------------------------------------------- */

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

/* --- definitions ----------------------------------------------------------------------------------- */

/* The number of symbols. DT_GNU_HASH does not tell it: it is one more than the last symbol of the last
 * bucket's chain (symbols.c). */
static size_t count_symbols(const struct hcct_symbols *symbols)
{
    const uint32_t *names = symbols->names;
    if (symbols->old_names)
        return hcct_readable(symbols->old_names, 2 * sizeof *names) ? symbols->old_names[1] : 0;
    if (!names || !hcct_readable(names, 4 * sizeof *names))
        return 0;
    const uint32_t *buckets = names + 4 + (size_t)names[2] * (sizeof(ElfW(Addr)) / sizeof *names);
    const uint32_t *hashes = buckets + names[0];
    uint32_t last = 0;
    if (!hcct_readable(buckets, names[0] * sizeof *buckets))
        return 0;
    for (uint32_t i = 0; i < names[0]; i++)
        last = buckets[i] > last ? buckets[i] : last;
    if (last < names[1])
        return names[1];
    while (hcct_readable(&hashes[last - names[1]], sizeof *hashes) && !(hashes[last - names[1]] & 1))
        last++;
    return (size_t)last + 1;
}

/* Whether `name` is one that people rather know than `other`. */
static bool is_better(const char *name, const char *other)
{
    size_t own = strspn(name, "_"), others = strspn(other, "_");
    if (own != others)
        return own < others;
    size_t length = strlen(name), other_length = strlen(other);
    return length != other_length ? length < other_length : strcmp(name, other) < 0;
}

const char *hcct_slot_exported(const struct link_map *object, uintptr_t address, size_t *length)
{
    struct hcct_symbols symbols;
    const char *best = NULL;
    if (!object->l_ld)
        return NULL;
    hcct_symbols_read_dynamic(&symbols, object->l_addr, object->l_ld);
    size_t count = symbols.table ? count_symbols(&symbols) : 0;
    if (!count || !hcct_readable(symbols.table, count * sizeof *symbols.table))
        return NULL;
    for (size_t i = 1; i < count; i++) {
        const ElfW(Sym) *symbol = &symbols.table[i];
        const char *name = symbols.strings + symbol->st_name;
        if (symbol->st_value != address - symbols.base || symbol->st_shndx == SHN_UNDEF ||
            ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || !length_of(name))
            continue;
        if (!best || is_better(name, best))
            best = name;
    }
    *length = best ? strlen(best) : 0;
    return best;
}
