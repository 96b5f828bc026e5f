/* cargo-hcct runs cargo, so that the program is instrumented; hcct-rustc is the compiler that cargo then runs.
 *
 * rustc writes bitcode (-Clinker-plugin-lto), and hcct-cc, as its linker, instruments it.
 *
 * Invariants
 *   1. build scripts and procedural macros are compiled as without us: cargo gives --target to all else, and
 *      only if it has a target, so cargo-hcct always names one;
 *   2. another setting or another hcct builds the program again: cargo does so when the compiler's version
 *      changes, and hcct-rustc's version has a line of ours;
 *   3. a rustc whose bitcode no installed clang reads is told before anything is built. */
#include "rust.h"
#include "arguments.h"
#include "settings.h"
#include "toolchain.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char usage[] =
    "usage: cargo hcct [OPTION]... COMMAND [CARGO-ARGUMENT]...\n\n"
    "Runs cargo's COMMAND (run, test, bench, build, ...) with the program instrumented.\n"
    "  --hcct-...   an option of hcct-cc, such as --hcct-externals\n"
    "  --...        an option of hcct-run, by which run, test and bench run what was built: --exact, --time, "
    "--heap, ...; a value stands behind =\n"
    "See man cargo-hcct.\n";

bool hcct_rust_named(const char *name)
{
    name = hcct_base_name(name);
    return !strcmp(name, "cargo-hcct") || !strcmp(name, "hcct-rustc");
}

/* --- rustc -------------------------------------------------------------------------------------- */

struct rustc {
    char *path;
    char version[4096]; /* what rustc -vV prints */
    char host[128];
    int llvm_major;
};

/* Reads "key: value" of a version. */
static void read_line(const char *version, const char *key, char *value, size_t size)
{
    const char *at = strstr(version, key);
    at = at ? at + strlen(key) : "";
    snprintf(value, size, "%.*s", (int)strcspn(at, "\n"), at);
}

static struct rustc read_rustc(const char *name)
{
    char *path = hcct_program_find(name), major[32];
    struct rustc rustc = { .path = path };
    if (!path)
        hcct_wrapper_fail("cannot find %s", name);
    hcct_program_output((char *[]){ path, "-vV", NULL }, rustc.version, sizeof rustc.version);
    read_line(rustc.version, "\nhost: ", rustc.host, sizeof rustc.host);
    read_line(rustc.version, "\nLLVM version: ", major, sizeof major);
    rustc.llvm_major = atoi(major);
    if (!rustc.llvm_major || !*rustc.host)
        hcct_wrapper_fail("%s -vV does not tell its LLVM version and host", path);
    return rustc;
}

/* Makes sure that HCCT_CLANG names a clang that reads what this rustc writes. */
static struct hcct_clang choose_clang(const struct rustc *rustc)
{
    const char *name = getenv("HCCT_CLANG");
    if (!name || !*name) {
        name = hcct_clang_since(rustc->llvm_major);
        if (!name)
            hcct_wrapper_fail("this rustc writes bitcode of LLVM %d, and no clang reads it that hcct has a "
                              "plugin for: install clang-%d and lld-%d (hcct has plugins for LLVM %s)",
                              rustc->llvm_major, rustc->llvm_major, rustc->llvm_major, hcct_plugin_majors());
        setenv("HCCT_CLANG", name, 1);
    }
    struct hcct_clang clang = hcct_clang_find(false);
    if (hcct_clang_major(clang.path) < rustc->llvm_major)
        hcct_wrapper_fail("HCCT_CLANG=%s is too old: this rustc writes bitcode of LLVM %d", name,
                          rustc->llvm_major);
    hcct_plugin_find(&clang); /* fails if there is none */
    if (!hcct_lld_find(&clang))
        hcct_wrapper_fail("there is no lld of the LLVM of %s: install lld-%d", clang.path,
                          hcct_clang_major(clang.path));
    return clang;
}

/* --- the allocator ------------------------------------------------------------------------------ */

/* Reads the start that rustc's own symbols have in common: `_RNvCs…_7___rustc`, with a hash of its version.
 * The library `alloc` has such symbols. Empty: this rustc has none, its own symbols have plain names. */
static void read_own_prefix(const char *library, char *prefix, size_t size)
{
    static const char start[] = "_RNvC", end[] = "_7___rustc", behind[] = "12___rust_alloc";
    char symbol[64];
    snprintf(symbol, sizeof symbol, "%s%s", end, behind);
    struct stat status;
    int file = open(library, O_RDONLY | O_CLOEXEC);
    char *bytes = file >= 0 && fstat(file, &status) == 0
                      ? mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0)
                      : MAP_FAILED;
    *prefix = 0;
    if (file >= 0)
        close(file);
    if (bytes == MAP_FAILED)
        return;
    char *found = memmem(bytes, (size_t)status.st_size, symbol, strlen(symbol)), *at = found;
    while (at && at > bytes && (size_t)(found - at) < size / 2 && memcmp(at, start, strlen(start)) != 0)
        at--;
    if (at && !memcmp(at, start, strlen(start)))
        snprintf(prefix, size, "%.*s%s", (int)(found - at), at, end);
    munmap(bytes, (size_t)status.st_size);
}

/* The path of rustc's library `alloc`. Empty: it is not found. */
static void find_alloc(const char *rustc, char *library, size_t size)
{
    char folder[4096], pattern[sizeof folder + 32];
    glob_t found;
    hcct_program_output((char *[]){ (char *)rustc, "--print=target-libdir", NULL }, folder, sizeof folder);
    snprintf(pattern, sizeof pattern, "%.*s/liballoc-*.rlib", (int)strcspn(folder, "\n"), folder);
    *library = 0;
    if (glob(pattern, 0, NULL, &found))
        return;
    snprintf(library, size, "%s", found.gl_pathv[0]);
    globfree(&found);
}

/* Keeps the functions out of line that rustc makes of a #[global_allocator] (pass/prepare/allocators.c): so
 * no call of them is gone before hcct sees it. Without one they lead to malloc, by one jump more. */
static void keep_allocator(struct hcct_arguments *flags, const char *rustc)
{
    static const char *const names[] = { "__rust_alloc", "__rust_alloc_zeroed", "__rust_realloc",
                                         "__rust_dealloc" };
    char library[4096], prefix[128], text[1024] = "-Cllvm-args=";
    find_alloc(rustc, library, sizeof library);
    read_own_prefix(library, prefix, sizeof prefix);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t length = strlen(text);
        int digits = *prefix ? snprintf(text + length, sizeof text - length, " -force-attribute=%s%zu_",
                                        prefix, strlen(names[i]))
                             : snprintf(text + length, sizeof text - length, " -force-attribute=");
        length += (size_t)digits;
        snprintf(text + length, sizeof text - length, "%s:noinline", names[i]);
    }
    hcct_arguments_add(flags, strdup(text));
}

static void add_flags(struct hcct_arguments *flags, const char *rustc)
{
    keep_allocator(flags, rustc);
    hcct_arguments_format(flags, "-Clinker=%s/bin/hcct-cc", hcct_wrapper_prefix());
    hcct_arguments_add(flags, "-Clinker-plugin-lto");
    hcct_arguments_add(flags, "-Clink-arg=--hcct-bitcode");
}

/* Whether this is a build script, a procedural macro, or what these need. */
static bool is_for_host(int argc, char **argv)
{
    bool has_target = false, is_macro = false;
    for (int i = 2; i < argc; i++) {
        has_target |= !strcmp(argv[i], "--target") || !strncmp(argv[i], "--target=", 9);
        is_macro |= !strcmp(argv[i], "proc-macro") || !strcmp(argv[i], "--crate-type=proc-macro");
    }
    return is_macro || (getenv("CARGO") && !has_target);
}

static int run(struct hcct_arguments *arguments)
{
    execvp(arguments->items[0], arguments->items);
    hcct_wrapper_fail("cannot run %s: %s", arguments->items[0], strerror(errno));
}

/* hcct-rustc RUSTC [ARGUMENT]... */
static int rustc_main(int argc, char **argv)
{
    if (argc < 2)
        hcct_wrapper_fail("usage: hcct-rustc RUSTC [ARGUMENT]...");
    struct hcct_arguments arguments = { 0 };
    for (int i = 1; i < argc; i++)
        hcct_arguments_add(&arguments, argv[i]);
    if (is_for_host(argc, argv) && !(argc == 3 && !strcmp(argv[2], "-vV")))
        return run(&arguments);
    struct rustc rustc = read_rustc(argv[1]);
    struct hcct_clang clang = choose_clang(&rustc);
    if (argc == 3 && !strcmp(argv[2], "-vV")) {
        printf("%shcct: %s plugin %016" PRIx64, rustc.version, HCCT_VERSION,
               hcct_file_hash(hcct_plugin_find(&clang)));
        hcct_settings_print_given(stdout);
        putchar('\n');
        return fflush(stdout) ? 1 : 0;
    }
    add_flags(&arguments, rustc.path);
    return run(&arguments);
}

/* --- cargo -------------------------------------------------------------------------------------- */

/* The target that cargo builds for: of --target, else of the environment, else the host. */
static const char *target_of(char **arguments, const char *host)
{
    const char *target = getenv("CARGO_BUILD_TARGET");
    for (; *arguments && strcmp(*arguments, "--") != 0; arguments++) {
        if (!strncmp(*arguments, "--target=", 9))
            return *arguments + 9;
        if (!strcmp(*arguments, "--target") && arguments[1])
            return arguments[1];
    }
    return target && *target ? target : host;
}

/* Programs are run by hcct-run. Cargo splits the variable at blanks. */
static void set_runner(const char *target, const struct hcct_arguments *options)
{
    struct hcct_arguments text = { 0 };
    hcct_arguments_format(&text, "CARGO_TARGET_%s_RUNNER", target);
    char *variable = text.items[0];
    for (char *at = variable; *at; at++)
        *at = *at == '-' || *at == '.' ? '_' : (char)toupper((unsigned char)*at);
    hcct_arguments_format(&text, "%s/bin/hcct-run", hcct_wrapper_prefix());
    for (size_t i = 0; i <= options->count; i++) {
        const char *before = text.items[text.count - 1],
                   *next = i < options->count ? options->items[i] : "--";
        if (strpbrk(i ? next : before, " \t"))
            hcct_wrapper_fail("cargo cannot run '%s', as there is a blank in it", i ? next : before);
        hcct_arguments_format(&text, "%s %s", before, next);
    }
    setenv(variable, text.items[text.count - 1], 1);
}

/* Examples in documentation are compiled by rustdoc, which runs no hcct-rustc. */
static void set_rustdoc_flags(const struct rustc *rustc)
{
    const char *encoded = getenv("CARGO_ENCODED_RUSTDOCFLAGS"), *plain = getenv("RUSTDOCFLAGS");
    struct hcct_arguments flags = { 0 }, text = { 0 };
    add_flags(&flags, rustc->path);
    hcct_arguments_format(&text, "%s", encoded ? encoded : plain ? plain : "");
    for (char *at = text.items[0]; !encoded && *at; at++)
        *at = *at == ' ' ? '\x1f' : *at;
    for (size_t i = 0; i < flags.count; i++) {
        const char *before = text.items[text.count - 1];
        hcct_arguments_format(&text, "%s%s%s", before, *before ? "\x1f" : "", flags.items[i]);
    }
    setenv("CARGO_ENCODED_RUSTDOCFLAGS", text.items[text.count - 1], 1);
}

static bool keeps(const struct hcct_arguments *options)
{
    for (size_t i = 0; i < options->count; i++)
        if (!strncmp(options->items[i], "--keep=", 7))
            return true;
    return false;
}

/* What cannot be measured without it is built with it. */
static void note_option(const char *option)
{
    if (!strcmp(option, "--clock"))
        hcct_settings_apply("--hcct-clock");
}

/* cargo hcct [OPTION]... COMMAND [ARGUMENT]...: cargo gives us the name it knows us by, too. */
static int cargo_main(int argc, char **argv)
{
    struct hcct_arguments options = { 0 }, arguments = { 0 };
    int at = argc > 1 && !strcmp(argv[1], "hcct") ? 2 : 1;
    for (; at < argc && *argv[at] == '-'; at++) {
        if (!strcmp(argv[at], "--help") || !strcmp(argv[at], "-h"))
            return fputs(usage, stdout) < 0 || fflush(stdout) ? 1 : 0;
        note_option(argv[at]);
        if (hcct_settings_is_one(argv[at]))
            hcct_settings_apply(argv[at]);
        else
            hcct_arguments_add(&options, argv[at]);
    }
    if (at == argc)
        hcct_wrapper_fail("which command of cargo? cargo hcct --help tells more");
    const char *rustc_name = getenv("RUSTC"), *cargo = getenv("CARGO"), *command = argv[at];
    struct rustc rustc = read_rustc(rustc_name ? rustc_name : "rustc");
    choose_clang(&rustc);
    bool runs_many = !strcmp(command, "test") || !strcmp(command, "bench") || !strcmp(command, "t");
    if (runs_many && !keeps(&options)) /* one would replace the other */
        hcct_arguments_add(&options, "--keep=hcct-profiles");
    const char *target = target_of(argv + at, rustc.host);
    setenv("CARGO_BUILD_TARGET", target, 1);
    setenv("CARGO_CACHE_RUSTC_INFO", "0", 1); /* the version is not that of the last time */
    hcct_arguments_format(&arguments, "%s/bin/hcct-rustc", hcct_wrapper_prefix());
    setenv("RUSTC_WRAPPER", arguments.items[0], 1);
    set_runner(target, &options);
    set_rustdoc_flags(&rustc);
    arguments.items[0] = (char *)(cargo ? cargo : "cargo");
    for (; at < argc; at++)
        hcct_arguments_add(&arguments, argv[at]);
    return run(&arguments);
}

int hcct_rust_main(int argc, char **argv)
{
    hcct_wrapper_name = hcct_base_name(argv[0]);
    return !strcmp(hcct_wrapper_name, "hcct-rustc") ? rustc_main(argc, argv) : cargo_main(argc, argv);
}
