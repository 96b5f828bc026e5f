/* hcct-cc, hcct-c++: clang with the plugin added where code is compiled and the runtime where it is linked.
 *
 * One program, told apart by argv[0]: a name that ends in ++ compiles C++. As `ld` or `ld.*`, in the folder
 * that share/hcct/hcct.cfg names, it is a linker that adds the runtime: see linker.c.
 *
 * Invariants
 *   1. the user's arguments are passed on in their order, a response file as it is;
 *   2. what is added never causes a diagnostic, nor makes clang do more than it would without;
 *   3. an instrumented object finds a runtime in every kind of link, an uninstrumented one brings none in. */
#include "arguments.h"
#include "linker.h"
#include "numbers.h"
#include "toolchain.h"

#include "decoder/text/nearest.h"
#include "format/layout.h"
#include "hcct/abi.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- our options ------------------------------------------------------------------------------ */

#define OWN_PREFIX "--hcct-"

enum setting_kind {
    SETTING_FLAG,          /* --hcct-x: the variable is set to 1 */
    SETTING_TEXT,          /* --hcct-x=TEXT */
    SETTING_REGEX,         /* --hcct-x=REGEX, of names of functions */
    SETTING_FILE,          /* --hcct-x=FILE: made absolute */
    SETTING_FLAG_OR_FILE,  /* either */
    SETTING_FLAG_OR_REGEX, /* either */
};

/* A setting is a variable of the compiler's process, so that it also works without the wrapper. Those without
 * help are for few people, and stand in docs/options.md only. */
static const struct setting {
    const char *option;
    enum setting_kind kind;
    const char *variable;
    const char *help;
} settings[] = {
    { "--hcct-before-inlining", SETTING_FLAG, "HCCT_BEFORE_INLINING", "instrument before the inliner runs" },
    { "--hcct-time", SETTING_FLAG, "HCCT_TIME",
      "what metric=time needs: the context can be read at any moment" },
    { "--hcct-clock", SETTING_FLAG_OR_FILE, "HCCT_CLOCK",
      "what metric=clock needs, in all functions or those of a file" },
    { "--hcct-externals", SETTING_FLAG_OR_REGEX, "HCCT_EXTERNALS",
      "count direct calls of functions that are not instrumented, all or those that match" },
    { "--hcct-allocator", SETTING_REGEX, "HCCT_ALLOCATOR",
      "for metric=heap: functions of the program that give out memory; malloc: the executable has its own" },
    { "--hcct-deallocator", SETTING_REGEX, "HCCT_DEALLOCATOR",
      "for metric=heap: functions of the program that take it back" },
    { "--hcct-filter", SETTING_FILE, "HCCT_FILTER", "the functions to leave alone" },
    { "--hcct-guide", SETTING_FILE, "HCCT_GUIDE", "a profile of an earlier run that the numbering follows" },
    { "--hcct-bitcode", SETTING_FLAG, "HCCT_BITCODE", NULL },
    { "--hcct-clang", SETTING_TEXT, "HCCT_CLANG", NULL },
    { "--hcct-lto", SETTING_TEXT, "HCCT_LTO", NULL },
    { "--hcct-heights", SETTING_FLAG_OR_FILE, "HCCT_HEIGHTS", NULL },
    { "--hcct-numbers", SETTING_TEXT, "HCCT_NUMBERS", NULL },
    { "--hcct-print-flags", SETTING_FLAG, "HCCT_PRINT_FLAGS", NULL },
};
#define SETTING_COUNT (sizeof settings / sizeof *settings)

/* Options that went, and what took their place. */
static const struct {
    const char *option, *instead;
} gone[] = {
    { "--hcct-time-only", "--hcct-time costs as much, and counts calls in other runs" },
    { "--hcct-own-allocator", "--hcct-allocator=malloc says it" },
    { "--hcct-version", "hcct --version tells them" },
    { "--hcct-help", "--help begins with these options" },
};

static void print_help(void)
{
    puts("usage: hcct-cc [--hcct-OPTION]... [CLANG-ARGUMENT]...\n");
    for (const struct setting *s = settings; s < settings + SETTING_COUNT; s++) {
        static const char *const values[] = { "", "=TEXT", "=REGEX", "=FILE", "[=FILE]", "[=REGEX]" };
        if (!s->help)
            continue;
        printf("  %s%-*s %s; or in the environment: %s\n", s->option, (int)(32 - strlen(s->option)),
               values[s->kind], s->help, s->variable);
    }
}

static void set_variable(const struct setting *setting, const char *value)
{
    char *path = NULL;
    bool is_file = setting->kind == SETTING_FILE || setting->kind == SETTING_FLAG_OR_FILE;
    /* a guide is a hint: the plugin warns of one that it cannot read */
    bool may_lack = strcmp(setting->variable, "HCCT_GUIDE") == 0;
    /* an open pipe has a name that works, but no path */
    if (value && is_file && !(path = realpath(value, NULL)) && !may_lack && access(value, F_OK))
        hcct_wrapper_fail("%s=%s: %s", setting->option, value, strerror(errno));
    if (setenv(setting->variable, path ? path : value ? value : "1", 1))
        hcct_wrapper_fail("out of memory");
    free(path);
}

/* Stops at an option that there is not, and tells the one that may be meant. */
static void fail_unknown(const char *argument, size_t length)
{
    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
        if (strlen(gone[i].option) == length && !memcmp(gone[i].option, argument, length))
            hcct_wrapper_fail("%s went: %s", gone[i].option, gone[i].instead);
    struct hcct_nearest search = { .word = argument + strlen(OWN_PREFIX),
                                   .length = length - strlen(OWN_PREFIX) };
    for (const struct setting *s = settings; s < settings + SETTING_COUNT; s++)
        hcct_nearest_try(&search, s->option + strlen(OWN_PREFIX));
    if (search.nearest)
        hcct_wrapper_fail("unknown option %s; did you mean " OWN_PREFIX "%s? --help lists all", argument,
                          search.nearest);
    hcct_wrapper_fail("unknown option %s; --help lists all", argument);
}

/* Applies an option that begins with --hcct-. */
static void apply_setting(const char *argument)
{
    const char *equals = strchr(argument, '=');
    size_t length = equals ? (size_t)(equals - argument) : strlen(argument);
    const struct setting *s = settings;
    while (s < settings + SETTING_COUNT &&
           (strlen(s->option) != length || memcmp(s->option, argument, length) != 0))
        s++;
    if (s == settings + SETTING_COUNT)
        fail_unknown(argument, length);
    bool may_have_value = s->kind == SETTING_FLAG_OR_FILE || s->kind == SETTING_FLAG_OR_REGEX;
    bool wants_value = s->kind == SETTING_TEXT || s->kind == SETTING_REGEX || s->kind == SETTING_FILE ||
                       (may_have_value && equals);
    if (wants_value != (equals && equals[1]))
        hcct_wrapper_fail("%s %s", s->option, wants_value ? "needs a value: OPTION=VALUE" : "takes no value");
    set_variable(s, equals ? equals + 1 : NULL);
}

/* clang's --help begins with our options. */
static void print_help_first(const struct hcct_arguments *passed)
{
    for (size_t i = 0; i < passed->count; i++)
        if (!strcmp(passed->items[i], "--help") || !strcmp(passed->items[i], "-help")) {
            print_help();
            puts("\nAll other options are clang's:\n");
            fflush(stdout);
            return;
        }
}

static bool is_setting(const char *argument)
{
    return !strncmp(argument, OWN_PREFIX, strlen(OWN_PREFIX));
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
     * Other compilers don't. */
    if (command->unoptimized || command->unoptimized_lto)
        hcct_arguments_add(linker, takes_any_bitcode(command) ? "--lto-newpm-passes=hcct-link" : "--lto-O1");
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
    else if (is_setting(argument))
        apply_setting(argument);
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
        whole &= !is_setting(tokens.items[i]) && strcmp(tokens.items[i], "--") != 0;
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
