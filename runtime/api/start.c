/* How the runtime comes into a process, and begins in it.
 *
 * Instrumented objects refer to the ABI's symbol, so the link brings this file, and with it all others. In an
 * executable, .preinit_array calls us before all constructors, also those of libraries. libc's getenv does
 * not work yet, but the environment is passed. libhcct_rt.so has a constructor. A process uses one runtime; a
 * second one stays idle. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <unistd.h>
#ifdef HCCT_SHARED
#include <link.h>
#endif

#include "hcct/abi.h"
#include "runtime/base/interpose.h"
#include "runtime/base/say.h"
#include "runtime/boundary/process.h"
#include "runtime/boundary/sandbox.h"
#include "runtime/boundary/signals.h"
#include "runtime/objects/notes.h"
#include "runtime/objects/registry.h"
#include "runtime/stack/push.h"
#include "runtime/start/options.h"

/* Nothing else refers to these files strongly: their functions are found by name. */
__attribute__((used)) static const char *const parts[] = { &hcct_api_present,      &hcct_context_present,
                                                           &hcct_ranks_present,    &hcct_ends_present,
                                                           &hcct_limits_present,   &hcct_sandbox_present,
                                                           &hcct_signals_present,  &hcct_signal_calls_present,
                                                           &hcct_push_tail_present };

/* Instrumented objects refer to this symbol, whose name has the version: so another version of the ABI does
 * not link. */
__attribute__((visibility("default"), used)) const char hcct_abi = 1;

#ifdef HCCT_SHARED
/* A process uses one runtime: the one whose symbols the dynamic linker finds first. In an instrumented
 * executable this is the executable's, and libhcct_rt.so stays idle. Volatile, because a compiler takes two
 * names of one object for different objects. */
__asm__(".globl hcct_abi_here\n.hidden hcct_abi_here\n.set hcct_abi_here, " HCCT_ABI_SYMBOL);
extern __attribute__((visibility("hidden"))) const char hcct_abi_here;
static const char *const volatile abi_found = &hcct_abi, *const volatile abi_here = &hcct_abi_here;

/* For dl_iterate_phdr, which begins with the program: whether it has a runtime whose names its link hid. */
static int hides_runtime(struct dl_phdr_info *program, size_t size, void *hides)
{
    (void)size;
    for (int i = 0; i < program->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &program->dlpi_phdr[i];
        const char *at = (const char *)(program->dlpi_addr + part->p_vaddr);
        if (part->p_type == PT_NOTE)
            *(bool *)hides |= hcct_notes_have_runtime(at, part->p_memsz);
    }
    return 1;
}

static void (*exit_of_other)(int status); /* the program's runtime has it */

/* Whether the program has another runtime, and the library does not find it: dlopen with RTLD_DEEPBIND, or
 * dlmopen. */
static bool program_has_another(void)
{
    void *program = dlopen(NULL, RTLD_LAZY | RTLD_NOLOAD);
    const char *found = program ? dlsym(program, HCCT_ABI_SYMBOL) : NULL;
    bool has_another = found && found != abi_here;
    if (has_another)
        exit_of_other = (void (*)(int))dlsym(program, "__hcct_api_exit");
    if (!found)
        dlerror(); /* the program must not find ours after its dlopen */
    if (program)
        dlclose(program);
    return has_another;
}

extern struct r_debug _r_debug __attribute__((weak));

/* Whether the program is not started yet, but loaded: this is a library of LD_AUDIT. The dynamic linker must
 * not be asked for the program then, as it would make data read-only that it is going to fill in: DT_DEBUG,
 * which tells. */
static bool is_auditors(void)
{
    const ElfW(Dyn) *entry = &_r_debug && _r_debug.r_map ? _r_debug.r_map->l_ld : NULL;
    for (; entry && entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_DEBUG)
            return !entry->d_un.d_ptr;
    return false;
}

__attribute__((constructor(101))) static void start_in_library(void)
{
    if (abi_found != abi_here)
        return;
    bool auditors = is_auditors(), apart = !auditors && program_has_another(), hidden = false;
    if (!auditors && !apart)
        dl_iterate_phdr(hides_runtime, &hidden);
    if (!auditors && !apart && !hidden) {
        hcct_process_start(environ);
        return;
    }
    hcct_options_read(environ);
    if (auditors)
        HCCT_SAY(1, "LD_AUDIT: calls of auditors are not counted");
    else if (hidden)
        HCCT_SAY(1,
                 "the program's link hides hcct's names (--exclude-libs, or a version script), so that its "
                 "libraries do not find its runtime: their calls are not counted");
    else
        HCCT_SAY(1, "a library was loaded with RTLD_DEEPBIND or by dlmopen, so that it does not find the "
                    "program's runtime: its calls are not counted");
    hcct_process_stay_idle(exit_of_other);
}
#else
HCCT_NOTES_RUNTIME();

static void start_before_constructors(int argc, char **argv, char **environment)
{
    (void)argc;
    (void)argv;
    hcct_process_start(environment);
    hcct_registry_is_early = false;
}

__attribute__((section(".preinit_array"),
               used)) static void (*const preinit)(int, char **, char **) = start_before_constructors;
#endif
