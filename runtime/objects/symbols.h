/* What an object defines for the dynamic linker, read from the object's own tables.
 *
 * dlsym tells the same, but waits for the lock that dlopen holds while constructors run, and deletes the
 * message that dlerror keeps for the program. Nothing here does. With dl_iterate_phdr, which shows the
 * objects, the lock is one that the dynamic linker holds only while it changes its list.
 * Threads: no state. Signals: async-signal-safe, but dl_iterate_phdr is not. */
#ifndef HCCT_RUNTIME_OBJECTS_SYMBOLS_H
#define HCCT_RUNTIME_OBJECTS_SYMBOLS_H

#include <link.h>
#include <stddef.h>
#include <stdint.h>

struct hcct_symbols {
    uintptr_t base;
    const ElfW(Dyn) * dynamic;
    const ElfW(Sym) * table; /* NULL: the object has none */
    const char *strings;
    const uint32_t *names;         /* DT_GNU_HASH */
    const uint32_t *old_names;     /* DT_HASH */
    const ElfW(Versym) * versions; /* of each symbol; NULL: none has one */
    const ElfW(Verneed) * needed;  /* those of other objects */
    const ElfW(Verdef) * defined;  /* its own */
    /* The relocations, and how many there are: DT_RELA and DT_JMPREL. */
    const ElfW(Rela) * relocations[2];
    size_t relocation_counts[2];
};

void hcct_symbols_read(struct hcct_symbols *symbols, const struct dl_phdr_info *info);
/* The same of an object that is loaded at `base` and has this dynamic section. */
void hcct_symbols_read_dynamic(struct hcct_symbols *symbols, uintptr_t base, const ElfW(Dyn) * dynamic);
/* Its definition of `name`, or NULL; with a version that of this version. */
const ElfW(Sym) *
    hcct_symbols_find(const struct hcct_symbols *symbols, const char *name, const char *version);

/* Which version of it the object needs; NULL: any. `symbol`: an index of the table, of one that is not
 * defined. */
const char *hcct_symbols_version(const struct hcct_symbols *symbols, size_t symbol);

/* glibc has made addresses of the numbers in the dynamic section, other libraries have not. */
static inline const void *hcct_symbols_address_in(const struct hcct_symbols *symbols, ElfW(Addr) value)
{
    return (const void *)(value < symbols->base ? symbols->base + value : value);
}

#endif
