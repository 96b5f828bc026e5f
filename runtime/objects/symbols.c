/* See symbols.h. */
#define _GNU_SOURCE
#include "runtime/objects/symbols.h"

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

void hcct_symbols_read_dynamic(struct hcct_symbols *symbols, uintptr_t base, const ElfW(Dyn) * dynamic)
{
    *symbols = (struct hcct_symbols){ .base = base, .dynamic = dynamic };
    for (const ElfW(Dyn) *entry = dynamic; entry && entry->d_tag != DT_NULL; entry++) {
        const void *address = hcct_symbols_address_in(symbols, entry->d_un.d_ptr);
        switch (entry->d_tag) {
        case DT_SYMTAB:
            symbols->table = address;
            break;
        case DT_STRTAB:
            symbols->strings = address;
            break;
        case DT_GNU_HASH:
            symbols->names = address;
            break;
        case DT_HASH:
            symbols->old_names = address;
            break;
        case DT_RELA:
            symbols->relocations[0] = address;
            break;
        case DT_RELASZ:
            symbols->relocation_counts[0] = entry->d_un.d_val / sizeof(ElfW(Rela));
            break;
        case DT_JMPREL:
            symbols->relocations[1] = address;
            break;
        case DT_PLTRELSZ:
            symbols->relocation_counts[1] = entry->d_un.d_val / sizeof(ElfW(Rela));
            break;
        }
    }
    if (!symbols->strings)
        symbols->table = NULL;
}

void hcct_symbols_read(struct hcct_symbols *symbols, const struct dl_phdr_info *info)
{
    const ElfW(Dyn) *dynamic = NULL;
    for (size_t i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            dynamic = (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    hcct_symbols_read_dynamic(symbols, info->dlpi_addr, dynamic);
}

static bool is_wanted(const struct hcct_symbols *symbols, size_t at, const char *name)
{
    const ElfW(Sym) *symbol = &symbols->table[at];
    return symbol->st_shndx != SHN_UNDEF && strcmp(symbols->strings + symbol->st_name, name) == 0;
}

/* An object without the newer table. The second number of the old one is that of all symbols. */
static const ElfW(Sym) * find_somewhere(const struct hcct_symbols *symbols, const char *name)
{
    uint32_t at = 0, count = symbols->old_names ? symbols->old_names[1] : 0;
    while (at < count && !is_wanted(symbols, at, name))
        at++;
    return at < count ? &symbols->table[at] : NULL;
}

static uint32_t hash_of(const char *name)
{
    uint32_t hash = 5381;
    for (; *name; name++)
        hash = hash * 33 + (unsigned char)*name;
    return hash;
}

/* The table is: the numbers of buckets, of symbols in front, and of words of a filter; a shift; the filter;
 * for each bucket its first symbol; for each symbol its hash, whose lowest bit is set in the last of a
 * bucket. */
const ElfW(Sym) * hcct_symbols_find(const struct hcct_symbols *symbols, const char *name)
{
    const uint32_t *names = symbols->names, bucket_count = names ? names[0] : 0, wanted = hash_of(name);
    if (!symbols->table)
        return NULL;
    if (!bucket_count)
        return find_somewhere(symbols, name);
    const uint32_t *buckets = names + 4 + (size_t)names[2] * (sizeof(ElfW(Addr)) / sizeof *names);
    const uint32_t *hashes = buckets + bucket_count;
    uint32_t at = buckets[wanted % bucket_count];
    for (bool is_last = at < names[1]; !is_last; at++) {
        uint32_t hash = hashes[at - names[1]];
        if ((hash | 1) == (wanted | 1) && is_wanted(symbols, at, name))
            return &symbols->table[at];
        is_last = hash & 1;
    }
    return NULL;
}
