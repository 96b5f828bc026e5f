/* What a link needs, and a linker that adds it: P/lib/hcct/ld/{ld,ld.bfd,ld.gold,ld.lld,ld.mold} are links
 * to hcct-cc.
 *
 * Why a linker: clang reads a configuration file's arguments in front of the user's. An archive there comes
 * too early for ld.bfd and gold to take anything from it, and any linker input there makes `clang -v`, which
 * configure runs, link (seen with 16, 19 and 22). `-B` in that file is silent, and makes clang find this
 * linker first, which knows what is linked and adds the runtime at the end. */
#include "linker.h"
#include "numbers.h"
#include "toolchain.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const machine_names[] = {
    [HCCT_MACHINE_OTHER] = NULL,
    [HCCT_MACHINE_X86_64] = "x86_64",
    [HCCT_MACHINE_AARCH64] = "aarch64",
};

static void add_archive(struct hcct_arguments *linker, const char *archive)
{
    hcct_arguments_add(linker, "--push-state"); /* a --whole-archive that was left open is not for us */
    hcct_arguments_add(linker, "--no-whole-archive");
    hcct_arguments_add(linker, archive);
    hcct_arguments_add(linker, "--pop-state");
}

/* Instrumented code that is loaded later counts into the executable's runtime. Not in a static executable: a
 * thread-local symbol that ld.bfd exports from a static-pie one crashes it in glibc's start code. */
static void add_exports(struct hcct_arguments *linker)
{
    hcct_arguments_format(linker, "--dynamic-list=%s/lib/hcct/exported.list", hcct_wrapper_prefix());
}

/* Calls of these go through the runtime (runtime/heap/wrap.h), which is linked whether the program's own
 * objects call any of them or only the C library's do, behind it. Nothing in a link without a C library has
 * them. A program that wraps one of them itself keeps its own functions. */
static void add_wraps(struct hcct_arguments *linker)
{
    for (const char *const *name = hcct_allocator_names; *name; name++)
        hcct_arguments_format(linker, "--wrap=%s", *name);
    hcct_arguments_add(linker, "--undefined=__wrap_malloc");
}

/* The same for switches of stacks (runtime/boundary/fcontext.c). In Boost's archive each of these names is
 * a member of its own. Only the runtime refers to it, which comes later: --undefined keeps the member. The
 * program may call none of them itself, only a shared library: --undefined links ours then, too. */
static void add_switches(struct hcct_arguments *linker)
{
    static const char *const names[] = { "make_fcontext", "jump_fcontext", "ontop_fcontext" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        hcct_arguments_format(linker, "--wrap=%s", names[i]);
        hcct_arguments_format(linker, "--undefined=%s", names[i]);
    }
    hcct_arguments_add(linker, "--undefined=__wrap_jump_fcontext");
}

/* HCCT_ALLOCATOR=malloc: the executable's calls of its own malloc pass no slot of the dynamic linker. */
static bool has_own_allocator(void)
{
    const char *told = getenv("HCCT_ALLOCATOR");
    for (size_t length; told; told = told[length] ? told + length + 1 : NULL) {
        length = strcspn(told, ";");
        if (length == strlen("malloc") && !memcmp(told, "malloc", length))
            return true;
    }
    return false;
}

/* Whole, as nothing asks for it: the MPI library, which stands before, has the same functions. That library
 * comes again, in case it was not needed before (--as-needed). */
static void add_mpi(struct hcct_arguments *linker, const char *mpi)
{
    hcct_arguments_add(linker, "--push-state");
    hcct_arguments_add(linker, "--whole-archive");
    hcct_arguments_format(linker, "%s/lib/libhcct_mpi.a", hcct_wrapper_prefix());
    hcct_arguments_add(linker, "--pop-state");
    hcct_arguments_add(linker, mpi);
}

/* GNU ld reads LD_RUN_PATH if no -rpath is given, which ours is. */
static const char *path_of_environment(const char *linker)
{
    const char *path = getenv("LD_RUN_PATH"), *name = hcct_base_name(linker);
    return path && *path && (!strcmp(name, "ld") || strstr(name, "bfd")) ? path : NULL;
}

/* A library with a DT_RUNPATH is not given what the executable's DT_RPATH finds. So it gets one from us only
 * if it has one anyway. Otherwise ours is a DT_RPATH, which takes nothing away: it is searched before
 * LD_LIBRARY_PATH, but its folder has no library but the runtime. */
static void add_shared(struct hcct_arguments *linker, const char *folder, const struct hcct_command *command)
{
    const char *path = path_of_environment(command->linker ? command->linker : "ld");
    hcct_arguments_add(linker, "--push-state");
    hcct_arguments_add(linker, "-Bdynamic"); /* -static -shared is for other libraries */
    hcct_arguments_add(linker, "--as-needed");
    hcct_arguments_format(linker, "%s/libhcct_rt.so", folder);
    hcct_arguments_add(linker, "--pop-state");
    if (!command->own_rpath && path) {
        hcct_arguments_add(linker, "-rpath");
        hcct_arguments_add(linker, path);
    } else if (!command->own_rpath) {
        hcct_arguments_add(linker, "--disable-new-dtags");
    }
    hcct_arguments_add(linker, "-rpath");
    hcct_arguments_add(linker, folder);
}

void hcct_linker_runtime(struct hcct_arguments *linker, const struct hcct_command *command)
{
    enum hcct_machine machine = command->machine;
    enum hcct_link link = command->link;
    const char *prefix = hcct_wrapper_prefix();
    struct hcct_arguments paths = { 0 };
    if (machine == HCCT_MACHINE_HOST) {
        hcct_arguments_format(&paths, "%s/lib/hcct", prefix);
        hcct_arguments_format(&paths, "%s/lib/libhcct.a", prefix);
    } else if (machine_names[machine]) {
        hcct_arguments_format(&paths, "%s/lib/hcct/%s-linux-gnu", prefix, machine_names[machine]);
        hcct_arguments_format(&paths, "%s/libhcct.a", paths.items[0]);
    } else {
        return;
    }
    if (machine != HCCT_MACHINE_HOST && access(paths.items[1], R_OK))
        return;
    if (command->mpi && link == HCCT_LINK_EXECUTABLE && machine == HCCT_MACHINE_HOST)
        add_mpi(linker, command->mpi);
    if (link == HCCT_LINK_SHARED)
        add_shared(linker, paths.items[0], command);
    else
        add_archive(linker, paths.items[1]);
    if (link == HCCT_LINK_EXECUTABLE)
        add_exports(linker);
    if (link != HCCT_LINK_SHARED && command->switches)
        add_switches(linker);
    if (hcct_command_has_libc(command) && !command->own_wraps &&
        (link == HCCT_LINK_STATIC || (link == HCCT_LINK_EXECUTABLE && has_own_allocator())))
        add_wraps(linker);
}

/* --- as a linker ------------------------------------------------------------------------------ */

bool hcct_linker_named(const char *name)
{
    name = hcct_base_name(name);
    return !strcmp(name, "ld") || !strncmp(name, "ld.", 3);
}

/* The linker that clang would have run: the one beside clang, else the first in PATH; for another machine the
 * one with its prefix. */
static char *real_linker(const char *name, enum hcct_machine machine)
{
    char link[64], clang[4096];
    snprintf(link, sizeof link, "/proc/%ld/exe", (long)getppid());
    ssize_t length = readlink(link, clang, sizeof clang - 1);
    struct hcct_arguments tries = { 0 };
    if (length > 0) {
        clang[length] = 0;
        hcct_arguments_format(&tries, "%.*s%s", (int)(hcct_base_name(clang) - clang), clang, name);
    }
    if (machine != HCCT_MACHINE_HOST && machine_names[machine])
        hcct_arguments_format(&tries, "%s-linux-gnu-%s", machine_names[machine], name);
    hcct_arguments_add(&tries, name);
    for (size_t i = 0; i < tries.count; i++) {
        char *path = hcct_program_find(tries.items[i]);
        if (path)
            return path;
    }
    return NULL;
}

/* By -m, which clang always passes. */
static enum hcct_machine emulation_machine(const char *emulation)
{
    if (!strcmp(emulation, "elf_x86_64"))
        return HCCT_MACHINE_X86_64;
    return !strcmp(emulation, "aarch64linux") ? HCCT_MACHINE_AARCH64 : HCCT_MACHINE_OTHER;
}

/* -Wl,-static means no more than -Bstatic, but a link that has it loads nothing of ours either way. */
static bool makes_static(const char *argument)
{
    return !strcmp(argument, "-static") || !strcmp(argument, "--no-dynamic-linker");
}

/* Behind the user's inputs and in front of the C library, which the runtime needs: where clang puts the last
 * -lc; argc where there is none, or it stands in a response file. */
static int last_libc(int argc, char **argv)
{
    int place = argc - 1;
    while (place > 0 && strcmp(argv[place], "-lc") != 0)
        place--;
    return place > 0 ? place : argc;
}

int hcct_linker_main(int argc, char **argv)
{
    struct hcct_arguments arguments = { 0 }, run = { 0 };
    for (int i = 1; i < argc; i++)
        hcct_arguments_expand(&arguments, argv[i]);
    const char *name = hcct_base_name(argv[0]);
    struct hcct_command command = {
        .no_libraries = true, .machine = HCCT_MACHINE_HOST, .linker = name, .output = "a.out"
    };
    for (size_t i = 0; i < arguments.count; i++) {
        const char *argument = arguments.items[i];
        hcct_command_classify_for_linker(&command, argument);
        if (command.link == HCCT_LINK_EXECUTABLE && makes_static(argument))
            command.link = HCCT_LINK_STATIC;
        command.names_libc |= !strcmp(argument, "-lc");
        const char *named = hcct_output_of(&arguments.items[i], &(size_t){ 1 });
        command.output = named ? named : command.output;
        if (!strcmp(argument, "-m") && i + 1 < arguments.count)
            command.machine = emulation_machine(arguments.items[i + 1]);
    }
    char *linker = real_linker(name, command.machine);
    if (!linker)
        hcct_wrapper_fail("no linker %s in PATH", name);
    int place = last_libc(argc, argv);
    hcct_arguments_add(&run, linker);
    for (int i = 1; i < place; i++)
        hcct_arguments_add(&run, argv[i]);
    if (!command.relocatable)
        hcct_linker_runtime(&run, &command);
    if (!command.relocatable && command.names_libc && place == argc)
        hcct_arguments_add(&run, "-lc");
    for (int i = place; i < argc; i++)
        hcct_arguments_add(&run, argv[i]);
    if (!command.relocatable && command.link != HCCT_LINK_SHARED && command.machine != HCCT_MACHINE_OTHER &&
        hcct_numbers_are_wanted())
        return hcct_numbers_link(&run, command.output);
    execv(linker, run.items);
    hcct_wrapper_fail("cannot run %s: %s", linker, strerror(errno));
}
