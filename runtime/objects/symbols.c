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
        case DT_VERSYM:
            symbols->versions = address;
            break;
        case DT_VERNEED:
            symbols->needed = address;
            break;
        case DT_VERDEF:
            symbols->defined = address;
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

const char *hcct_symbols_version(const struct hcct_symbols *symbols, size_t symbol)
{
    const char *need = (const char *)symbols->needed;
    unsigned wanted = symbols->versions ? symbols->versions[symbol] & 0x7fff : 0;
    while (need && wanted > VER_NDX_GLOBAL) {
        const ElfW(Verneed) *of = (const void *)need;
        const char *at = need + of->vn_aux;
        for (unsigned i = 0; i < of->vn_cnt; i++) {
            const ElfW(Vernaux) *version = (const void *)at;
            if (version->vna_other == wanted)
                return symbols->strings + version->vna_name;
            at += version->vna_next;
        }
        need = of->vn_next ? need + of->vn_next : NULL;
    }
    return NULL;
}

/* The version of a definition; NULL: none. */
static const char *own_version(const struct hcct_symbols *symbols, size_t symbol)
{
    const char *at = symbols->versions ? (const char *)symbols->defined : NULL;
    while (at) {
        const ElfW(Verdef) *of = (const void *)at;
        if (of->vd_ndx == (symbols->versions[symbol] & 0x7fff))
            return symbols->strings + ((const ElfW(Verdaux) *)(const void *)(at + of->vd_aux))->vda_name;
        at = of->vd_next ? at + of->vd_next : NULL;
    }
    return NULL;
}

struct wanted {
    const char *name, *version;
};

static bool is_wanted(const struct hcct_symbols *symbols, size_t at, const struct wanted *wanted)
{
    const ElfW(Sym) *symbol = &symbols->table[at];
    if (symbol->st_shndx == SHN_UNDEF || strcmp(symbols->strings + symbol->st_name, wanted->name) != 0)
        return false;
    const char *version = wanted->version ? own_version(symbols, at) : NULL;
    return !wanted->version || (version && strcmp(version, wanted->version) == 0);
}

/* An object without the newer table. The second number of the old one is that of all symbols. */
static const ElfW(Sym) * find_somewhere(const struct hcct_symbols *symbols, const struct wanted *wanted)
{
    uint32_t at = 0, count = symbols->old_names ? symbols->old_names[1] : 0;
    while (at < count && !is_wanted(symbols, at, wanted))
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
const ElfW(Sym) * hcct_symbols_find(const struct hcct_symbols *symbols, const char *name, const char *version)
{
    const struct wanted it = { name, version };
    const uint32_t *names = symbols->names, bucket_count = names ? names[0] : 0, wanted = hash_of(name);
    if (!symbols->table)
        return NULL;
    if (!bucket_count)
        return find_somewhere(symbols, &it);
    const uint32_t *buckets = names + 4 + (size_t)names[2] * (sizeof(ElfW(Addr)) / sizeof *names);
    const uint32_t *hashes = buckets + bucket_count;
    uint32_t at = buckets[wanted % bucket_count];
    for (bool is_last = at < names[1]; !is_last; at++) {
        uint32_t hash = hashes[at - names[1]];
        if ((hash | 1) == (wanted | 1) && is_wanted(symbols, at, &it))
            return &symbols->table[at];
        is_last = hash & 1;
    }
    return NULL;
}
