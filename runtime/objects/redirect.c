/* See redirect.h.
 *
 * A place is changed if it has the function's address now. The slot of a lazily bound call that was not made
 * yet leads to a stub of its own object. It is changed only if the call would certainly be bound to the
 * function (will_be_real). The C library's own calls of realloc are such slots. Places in the part that the
 * dynamic linker made read-only (RELRO) are made writable for the moment. */
#define _GNU_SOURCE
#include "runtime/objects/redirect.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "runtime/base/confined.h"
#include "runtime/base/interpose.h"
#include "runtime/base/machine.h"
#include "runtime/objects/leaf.h"
#include "runtime/objects/symbols.h"

extern __typeof__(dladdr) dladdr __attribute__((weak));
extern __typeof__(dladdr1) dladdr1 __attribute__((weak));

static const struct hcct_redirection *redirections;
static size_t redirection_count;
static atomic_bool is_deep; /* an object may have been loaded with RTLD_DEEPBIND */
/* In a look, the dynamic linker was visited. In front of it are only objects of the start. */
static bool is_behind_loader;
static atomic_flag looking = ATOMIC_FLAG_INIT;
static atomic_bool is_asked;                 /* somebody wants a look that did not begin yet */
static _Atomic unsigned long long seen_adds; /* objects that were ever loaded, at the last look */

/* --- an object ----------------------------------------------------------------------------------- */

struct object {
    struct hcct_symbols symbols;
    uintptr_t start, end; /* of all segments */
    uintptr_t relro, relro_end;
    bool prefers_own;  /* -Bsymbolic */
    bool is_at_start;  /* was there before anybody called dlopen */
    bool is_allocator; /* has the first function */
    bool is_executable;
    const struct dl_phdr_info *info;
};

static bool prefers_own(const ElfW(Dyn) * dynamic)
{
    bool prefers = false;
    for (; dynamic && dynamic->d_tag != DT_NULL; dynamic++)
        prefers |= dynamic->d_tag == DT_SYMBOLIC ||
                   (dynamic->d_tag == DT_FLAGS && (dynamic->d_un.d_val & DF_SYMBOLIC));
    return prefers;
}

static void read_object(struct object *object, const struct dl_phdr_info *info)
{
    const uintptr_t page = getauxval(AT_PAGESZ);
    *object = (struct object){ .start = UINTPTR_MAX, .info = info };
    hcct_symbols_read(&object->symbols, info);
    object->prefers_own = prefers_own(object->symbols.dynamic);
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + segment->p_vaddr, end = start + segment->p_memsz;
        if (segment->p_type == PT_GNU_RELRO) {
            object->relro = start & -page;
            object->relro_end = end & -page;
        }
        if (segment->p_type != PT_LOAD)
            continue;
        object->start = start < object->start ? start : object->start;
        object->end = end > object->end ? end : object->end;
    }
}

static bool is_within(const struct object *object, const void *address)
{
    return (uintptr_t)address >= object->start && (uintptr_t)address < object->end;
}

static bool is_writable(const struct object *object, uintptr_t place)
{
    for (size_t i = 0; i < object->info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->info->dlpi_phdr[i];
        uintptr_t start = object->symbols.base + segment->p_vaddr;
        if (segment->p_type == PT_LOAD && place >= start && place - start < segment->p_memsz)
            return segment->p_flags & PF_W;
    }
    return false;
}

/* --- names --------------------------------------------------------------------------------------- */

struct wanted {
    const char *name;
    size_t count; /* of objects that define it */
};

static int look_for(struct dl_phdr_info *info, size_t size, void *closure)
{
    (void)size;
    struct wanted *wanted = closure;
    struct hcct_symbols symbols;
    hcct_symbols_read(&symbols, info);
    wanted->count += hcct_symbols_find(&symbols, wanted->name, NULL) != NULL;
    return 0;
}

/* The number of objects that define it. (dlsym would allocate a message for dlerror, in the program's heap,
 * where there is none.) */
static size_t count_definitions(const char *name)
{
    struct wanted wanted = { .name = name };
    dl_iterate_phdr(look_for, &wanted);
    return wanted.count;
}

/* --- places -------------------------------------------------------------------------------------- */

static const struct hcct_redirection *find(const char *name)
{
    for (size_t i = 0; i < redirection_count; i++)
        if (*redirections[i].real && redirections[i].name[0] == name[0] &&
            strcmp(redirections[i].name, name) == 0)
            return &redirections[i];
    return NULL;
}

static bool is_address(unsigned type)
{
    return type == HCCT_MACHINE_RELOC_ADDRESS || type == HCCT_MACHINE_RELOC_DATA ||
           type == HCCT_MACHINE_RELOC_SLOT;
}

/* Whether the object's calls of it stay what they are. */
static bool stays(const struct object *object, const struct hcct_redirection *redirection)
{
    if (redirection->is_of_executable && !object->is_executable)
        return true;
    return object->is_allocator &&
           (object->is_executable ? redirection->stays_in_executable : redirection->stays_in_library);
}

/* Whether a call that is not bound yet is certain to be bound to the function. Usually all objects find the
 * same definition, the first of the process. An object that dlopen loaded with RTLD_DEEPBIND first finds its
 * own or that of a dependency. The last line is for objects that may be such ones. */
static bool will_be_real(const struct object *object, const ElfW(Sym) * symbol,
                         const struct hcct_redirection *redirection)
{
    bool has_own = symbol->st_shndx != SHN_UNDEF;
    if (object->is_at_start)
        return !has_own || !object->prefers_own;
    return !has_own && (!is_deep || count_definitions(redirection->name) == 1);
}

static void change(const struct object *object, const ElfW(Rela) * relocation)
{
    unsigned type = (unsigned)ELF64_R_TYPE(relocation->r_info);
    const ElfW(Sym) *symbol = &object->symbols.table[ELF64_R_SYM(relocation->r_info)];
    if (!is_address(type) || !ELF64_R_SYM(relocation->r_info))
        return;
    const struct hcct_redirection *redirection = find(object->symbols.strings + symbol->st_name);
    uintptr_t at = object->symbols.base + relocation->r_offset;
    if (!redirection || stays(object, redirection) || relocation->r_addend || at % sizeof(void *) ||
        !is_writable(object, at))
        return;
    void **place = (void **)at;
    bool is_lazy = type == HCCT_MACHINE_RELOC_SLOT && is_within(object, *place) && *place != redirection->to;
    if (*place == *redirection->real || (is_lazy && will_be_real(object, symbol, redirection)))
        __atomic_store_n(place, redirection->to, __ATOMIC_RELEASE);
}

static void change_all(const struct object *object)
{
    size_t relro_bytes = object->relro_end - object->relro;
    if (!object->symbols.table)
        return;
    if (relro_bytes && mprotect((void *)object->relro, relro_bytes, PROT_READ | PROT_WRITE) != 0)
        return;
    for (unsigned t = 0; t < 2; t++)
        for (size_t i = 0; object->symbols.relocations[t] && i < object->symbols.relocation_counts[t]; i++)
            change(object, &object->symbols.relocations[t][i]);
    if (relro_bytes)
        mprotect((void *)object->relro, relro_bytes, PROT_READ);
}

/* --- all objects --------------------------------------------------------------------------------- */

static int visit(struct dl_phdr_info *info, size_t size, void *all_ready)
{
    (void)size;
    struct object object;
    /* The vDSO has no relocations. The dynamic linker allocates for itself, and frees that itself. Neither is
     * at 0, as an executable at a fixed address is. */
    bool is_loader = info->dlpi_addr && info->dlpi_addr == getauxval(AT_BASE);
    is_behind_loader |= is_loader;
    if (is_loader || (info->dlpi_addr && info->dlpi_addr == getauxval(AT_SYSINFO_EHDR)))
        return 0;
    read_object(&object, info);
    /* another thread may be loading it: it is listed before its places are filled in */
    if (seen_adds && !hcct_leaf_is_loaded(object.start)) {
        *(bool *)all_ready = false;
        return 0;
    }
#ifdef HCCT_SHARED
    if (is_within(&object, (const void *)redirections))
        return 0;
    is_deep |= !seen_adds && is_behind_loader; /* we may have been loaded late */
    object.is_at_start = !is_behind_loader;
#else
    object.is_at_start = !is_behind_loader || !seen_adds; /* an executable's first look is before any code */
#endif
    object.is_allocator = is_within(&object, *redirections[0].real);
    object.is_executable = is_within(&object, (const void *)getauxval(AT_PHDR));
    change_all(&object);
    return 0;
}

static int read_adds(struct dl_phdr_info *info, size_t size, void *adds)
{
    *(unsigned long long *)adds = size > offsetof(struct dl_phdr_info, dlpi_adds) ? info->dlpi_adds : 1;
    return 1;
}

static void look(void)
{
    unsigned long long adds = 0;
    bool all_ready = true;
    dl_iterate_phdr(read_adds, &adds);
    if (adds != seen_adds) {
        is_behind_loader = false;
        dl_iterate_phdr(visit, &all_ready);
        if (all_ready)
            seen_adds = adds;
    }
}

void hcct_redirect_deep(void)
{
    is_deep = true;
}

/* A thread that finds another one looking does not wait for it, as it may have interrupted it. */
void hcct_redirect_look(void)
{
    if (!redirection_count || hcct_confined)
        return;
    int saved = errno;
    atomic_store(&is_asked, true);
    while (atomic_load(&is_asked) && !atomic_flag_test_and_set(&looking)) {
        atomic_store(&is_asked, false);
        look();
        atomic_flag_clear(&looking);
    }
    errno = saved;
}

/* --- start --------------------------------------------------------------------------------------- */

static bool is_in_one_object(const void *a, const void *b)
{
    Dl_info of_a, of_b;
    return a && b && dladdr(a, &of_a) && dladdr(b, &of_b) && of_a.dli_fbase == of_b.dli_fbase;
}

static bool is_in_executable(const void *address)
{
    return is_in_one_object(address, (const void *)getauxval(AT_PHDR));
}

/* An executable at a fixed address may take the address of malloc. Then it has a stub that jumps to malloc,
 * and the stub's address is malloc's in the whole process. The stub's symbol is undefined, but has a
 * value. */
static bool is_stub(const void *address)
{
    Dl_info found;
    const ElfW(Sym) *symbol = NULL;
    return dladdr1 && dladdr1(address, &found, (void **)&symbol, RTLD_DL_SYMENT) && symbol &&
           symbol->st_shndx == SHN_UNDEF;
}

struct reference {
    const char *name, *version; /* version NULL: no object asks for one */
    uintptr_t found;            /* what dlsym finds; then what calls lead to */
};

static int find_version(struct dl_phdr_info *info, size_t size, void *closure)
{
    (void)size;
    struct reference *wanted = closure;
    struct hcct_symbols symbols;
    hcct_symbols_read(&symbols, info);
    for (unsigned t = 0; symbols.table && t < 2; t++)
        for (size_t i = 0; symbols.relocations[t] && i < symbols.relocation_counts[t]; i++) {
            size_t at = ELF64_R_SYM(symbols.relocations[t][i].r_info);
            const ElfW(Sym) *symbol = &symbols.table[at];
            if (at && symbol->st_shndx == SHN_UNDEF &&
                strcmp(symbols.strings + symbol->st_name, wanted->name) == 0) {
                wanted->version = hcct_symbols_version(&symbols, at);
                return 1;
            }
        }
    return 0;
}

/* Looks at the objects in front of the one that has what dlsym found: theirs come first. */
static int find_definition(struct dl_phdr_info *info, size_t size, void *closure)
{
    (void)size;
    struct reference *wanted = closure;
    struct object object;
    read_object(&object, info);
    if (is_within(&object, (const void *)wanted->found))
        return 1;
    const ElfW(Sym) *symbol = hcct_symbols_find(&object.symbols, wanted->name, wanted->version);
    if (symbol)
        wanted->found = object.symbols.base + symbol->st_value;
    return symbol != NULL;
}

/* What calls of it lead to. They ask for a version. dlsym asks for none, and passes over an object that has
 * the version, but not as its default one, as glibc's libc_malloc_debug does. */
static void *resolve(const char *name)
{
    struct reference it = { .name = name };
    void *found = count_definitions(name) ? dlsym(RTLD_DEFAULT, name) : NULL;
    if (found && is_in_executable(found) && is_stub(found))
        found = hcct_interpose_next(name);
    it.found = (uintptr_t)found;
    if (found && dl_iterate_phdr(find_version, &it) && it.version)
        dl_iterate_phdr(find_definition, &it);
    return (void *)it.found;
}

bool hcct_redirect_same_object(const char *a, const char *b)
{
    return dlsym && is_in_one_object(resolve(a), resolve(b));
}

enum hcct_redirected hcct_redirect_start(const struct hcct_redirection *all, size_t count, bool finds_own)
{
    if (!dlsym || !getauxval(AT_BASE))
        return HCCT_REDIRECTED_STATIC;
    for (size_t i = 0; i < count; i++)
        *all[i].real = resolve(all[i].name);
    if (!finds_own && is_in_executable(*all[0].real))
        return HCCT_REDIRECTED_OWN;
    redirections = all;
    redirection_count = count;
    hcct_redirect_look();
    return HCCT_REDIRECTED;
}
