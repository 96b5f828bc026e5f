/* hcct-cc, hcct-c++: clang with the plugin added where code is compiled and the runtime where it is linked.
 *
 * One program, told apart by argv[0]: a name that ends in ++ compiles C++. As `ld` or `ld.*`, in the folder
 * that share/hcct/hcct.cfg names, it is a linker that adds the runtime: see linker.c. cargo-hcct and hcct-rustc
 * are in rust.c.
 *
 * Invariants
 *   1. the user's arguments are passed on in their order, a response file as it is;
 *   2. what is added never causes a diagnostic, nor makes clang do more than it would without;
 *   3. an instrumented object finds a runtime in every kind of link, an uninstrumented one brings none in. */
#include "arguments.h"
#include "linker.h"
#include "numbers.h"
#include "rust.h"
#include "settings.h"
#include "toolchain.h"

#include "format/layout.h"
#include "hcct/abi.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* clang's --help begins with our options. */
static void print_help_first(const struct hcct_arguments *passed)
{
    for (size_t i = 0; i < passed->count; i++)
        if (!strcmp(passed->items[i], "--help") || !strcmp(passed->items[i], "-help")) {
            hcct_settings_print_help();
            puts("\nAll other options are clang's:\n");
            fflush(stdout);
            return;
        }
}

/* --- what is added ---------------------------------------------------------------------------- */

/* -Xlinker keeps commas in paths, and unlike a plain path it is not compiled after -x. */
static void add_for_linker(struct hcct_arguments *added, const struct hcct_arguments *linker)
{
    for (size_t i = 0; i < linker->count; i++) {
        hcct_arguments_add(added, "-Xlinker");
        hcct_arguments_add(added, linker->items[i]);
    }
}

/* The link instruments bitcode that no compile step of ours has seen, such as rustc's. */
static bool takes_any_bitcode(const struct hcct_command *command)
{
    const char *asked = getenv("HCCT_BITCODE");
    return asked && *asked && strcmp(asked, "0") != 0 && hcct_command_runs_linker(command);
}

static bool is_lld(const char *linker)
{
    const char *slash = strrchr(linker, '/');
    return strstr(slash ? slash : linker, "lld") != NULL;
}

/* The lld that instruments the whole program, or NULL: then the compile steps do. What is said of the linker
 * may be said to the link alone; it then fails and tells why (pass/select/mark.c). */
static char *lld_that_instruments(const struct hcct_command *command, const struct hcct_clang *clang)
{
    const char *when = getenv("HCCT_LTO");
    if (when && *when && strcmp(when, "link") != 0 && strcmp(when, "compile") != 0)
        hcct_wrapper_fail("HCCT_LTO is 'link' or 'compile', not '%s'", when);
    bool takes_any = takes_any_bitcode(command), other = command->linker && !is_lld(command->linker);
    bool is_asked = command->lto || takes_any || (command->bitcode && hcct_command_runs_linker(command));
    if (!is_asked || command->fat_lto || command->machine == HCCT_MACHINE_OTHER ||
        (when && !strcmp(when, "compile") && !takes_any) || (other && !takes_any))
        return NULL;
    char *lld = other ? NULL : hcct_lld_find(clang);
    if (takes_any && !lld)
        hcct_wrapper_fail("--hcct-bitcode: bitcode is instrumented by the lld of %s%s%s", clang->path,
                          other ? ", not by " : ", which is not installed", other ? command->linker : "");
    return lld;
}

#define O0_PASSES "--lto-newpm-passes=elim-avail-extern,function(simplifycfg),hcct-allocators-link,hcct-link"

/* ThinLTO's cache knows lld's arguments and the bitcode, where our settings are, but not what its plugins
 * are: so an option that has no effect by itself tells it; and what the guide and the plan are. */
static void add_lto_plugin(struct hcct_arguments *linker, const char *plugin,
                           const struct hcct_command *command)
{
    hcct_arguments_format(linker, "--load-pass-plugin=%s", plugin);
    hcct_arguments_add(linker, "-mllvm");
    const char *guide = getenv("HCCT_GUIDE"), *heights = getenv("HCCT_HEIGHTS");
    uint64_t guide_hash = guide && *guide ? hcct_file_hash(guide) : 0;
    guide_hash ^= heights && *heights ? hcct_file_hash(heights) : 0;
    hcct_arguments_format(linker, "-filter-print-funcs=hcct-%016" PRIx64,
                          hcct_file_hash(plugin) ^ guide_hash);
    /* At O0 a ThinLTO backend runs no plugin. clang marks what it compiles at -O0, and that stays so at O1.
     * Other compilers don't, so only our pass runs: without copies of other modules' functions, and without
     * blocks that nothing reaches, whose callees the linker drops while records still name them. */
    if (command->unoptimized || command->unoptimized_lto)
        hcct_arguments_add(linker, takes_any_bitcode(command) ? O0_PASSES : "--lto-O1");
}

/* <hcct/hcct.h> is found as clang's own headers are, wherever hcct is installed, and behind all that has that
 * name: in a folder with nothing else, so that no other header of the prefix is found that would not have
 * been. */
static void add_header_folder(struct hcct_arguments *added)
{
    hcct_arguments_add(added, "-idirafter");
    hcct_arguments_format(added, "%s/lib/hcct/include", hcct_wrapper_prefix());
}

/* Within clang's bracket for options that may go unused, so that -Werror holds. */
static void make_added(struct hcct_arguments *added, const struct hcct_command *command,
                       const struct hcct_clang *clang)
{
    struct hcct_arguments linker = { 0 };
    bool compiles = hcct_command_compiles(command), runs_linker = hcct_command_runs_linker(command);
    char *lld = compiles || runs_linker ? lld_that_instruments(command, clang) : NULL;
    bool leaves_to_link = lld && command->lto;
    const char *impossible = command->emulated_tls ? command->emulated_tls
                             : command->dataflow   ? command->dataflow
                             : !leaves_to_link     ? command->assembler /* a link needs none */
                                                   : NULL;
    if (compiles && impossible) {
        fprintf(stderr, "hcct-cc: warning: with %s nothing is instrumented\n", impossible);
        compiles = false;
    }
    char *plugin = compiles || lld ? hcct_plugin_find(clang) : NULL;
    const char *heights = getenv("HCCT_HEIGHTS");
    bool instruments = !heights || !*heights || !strcmp(heights, "0");
    if (hcct_command_links(command) && instruments) {
        hcct_linker_runtime(&linker, command);
        /* what the runtime needs of the user's -lc may be asked for first by the runtime, which stands behind it */
        if (command->no_libraries && command->names_libc)
            hcct_arguments_add(&linker, "-lc");
    }
    if (runs_linker && lld) {
        add_lto_plugin(&linker, plugin, command);
        /* not if this command also compiles code: what it compiles is a part of the program */
        bool is_whole =
            !command->relocatable && command->link != HCCT_LINK_SHARED && (leaves_to_link || !compiles);
        setenv("HCCT_WHOLE_PROGRAM", is_whole ? "1" : "0", 1);
    }
    bool includes = hcct_command_includes(command);
    if (!compiles && !linker.count && !includes)
        return;
    hcct_arguments_add(added, "--start-no-unused-arguments");
    if (includes)
        add_header_folder(added);
    if (compiles) {
        setenv("HCCT_LTO", leaves_to_link ? "link" : "compile", 1);
        hcct_arguments_format(added, "-fpass-plugin=%s", plugin);
        /* what we leave alone is no error of the user's */
        hcct_arguments_add(added, "-Wno-error=backend-plugin");
    }
    if (runs_linker && lld && !(command->linker && strchr(command->linker, '/'))) {
        hcct_arguments_add(added, "-fuse-ld=lld");
        hcct_arguments_format(added, "--ld-path=%s", lld);
    }
    add_for_linker(added, &linker);
    hcct_arguments_add(added, "--end-no-unused-arguments");
}

static void print_added(const struct hcct_arguments *added)
{
    for (size_t i = 0; i < added->count; i++)
        printf("%s%s", i ? " " : "", added->items[i]);
    putchar('\n');
}

/* --- the user's arguments --------------------------------------------------------------------- */

struct split {
    struct hcct_arguments passed;   /* to clang, response files as they were */
    struct hcct_arguments expanded; /* to classify */
    bool inputs_only;               /* `--` was seen: what follows is no option, for clang nor for us */
};

/* Nothing can be added behind `--`, so it is dropped and what stands behind it made to look like a path. */
static void split_input(struct split *split, const char *input)
{
    if (*input == '-' || *input == '@') {
        hcct_arguments_format(&split->passed, "./%s", input);
        input = split->passed.items[split->passed.count - 1];
    } else {
        hcct_arguments_add(&split->passed, input);
    }
    hcct_arguments_add(&split->expanded, input);
}

static void split_argument(struct split *split, const char *argument)
{
    if (split->inputs_only)
        split_input(split, argument);
    else if (!strcmp(argument, "--"))
        split->inputs_only = true;
    else if (hcct_settings_is_one(argument))
        hcct_settings_apply(argument);
    else {
        hcct_arguments_add(&split->passed, argument);
        hcct_arguments_add(&split->expanded, argument);
    }
}

/* A response file is passed on as it is, unless it holds something that clang must not see. */
static void split_response_file(struct split *split, const char *argument)
{
    struct hcct_arguments tokens = { 0 };
    hcct_arguments_expand(&tokens, argument);
    bool whole = true;
    for (size_t i = 0; i < tokens.count; i++)
        whole &= !hcct_settings_is_one(tokens.items[i]) && strcmp(tokens.items[i], "--") != 0;
    if (whole)
        hcct_arguments_add(&split->passed, argument);
    for (size_t i = 0; i < tokens.count; i++) {
        if (whole)
            hcct_arguments_add(&split->expanded, tokens.items[i]);
        else
            split_argument(split, tokens.items[i]);
    }
    free(tokens.items);
}

static bool named_cxx(const char *name)
{
    size_t length = strlen(name);
    return length >= 2 && !strcmp(name + length - 2, "++");
}

int main(int argc, char **argv)
{
    const char *name = argc ? argv[0] : "hcct-cc";
    if (hcct_linker_named(name))
        return hcct_linker_main(argc, argv);
    if (hcct_rust_named(name))
        return hcct_rust_main(argc, argv);

    struct split split = { 0 };
    for (int i = 1; i < argc; i++) {
        if (*argv[i] == '@' && !split.inputs_only)
            split_response_file(&split, argv[i]);
        else
            split_argument(&split, argv[i]);
    }
    print_help_first(&split.passed);
    struct hcct_command command;
    hcct_command_classify(&command, &split.expanded);
    struct hcct_clang clang = hcct_clang_find(named_cxx(name));
    struct hcct_arguments added = { 0 };
    make_added(&added, &command, &clang);
    const char *prints = getenv("HCCT_PRINT_FLAGS");
    if (prints && !strcmp(prints, "1")) {
        print_added(&added);
        return fflush(stdout) ? 1 : 0;
    }

    struct hcct_arguments run = { 0 };
    hcct_arguments_add(&run, clang.path);
    if (clang.needs_cxx_mode)
        hcct_arguments_add(&run, "--driver-mode=g++");
    for (size_t i = 0; i < split.passed.count; i++)
        hcct_arguments_add(&run, split.passed.items[i]);
    for (size_t i = 0; i < added.count; i++)
        hcct_arguments_add(&run, added.items[i]);
    if (hcct_command_links(&command) && command.link != HCCT_LINK_SHARED &&
        command.machine != HCCT_MACHINE_OTHER && hcct_numbers_are_wanted())
        return hcct_numbers_link(&run, command.output ? command.output : "a.out");
    execv(clang.path, run.items);
    fprintf(stderr, "hcct-cc: error: cannot run %s: %s\n", clang.path, strerror(errno));
    return errno == ENOENT ? 127 : 126;
}
