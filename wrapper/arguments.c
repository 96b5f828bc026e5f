/* Reads a clang command line by tables: options that decide what is done, options whose value is the next
 * argument, and what is compiled by extension or by -x.
 *
 * The tables hold clang 16 to 22's options (`clang --autocomplete=-`, each tried as the last argument: those
 * that clang calls "missing" take a value). Options whose value is always joined need no entry. */
#include "arguments.h"
#include "bitcode.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/input.h"

/* --- vectors ---------------------------------------------------------------------------------- */

static void out_of_memory(void)
{
    fputs("hcct-cc: error: out of memory\n", stderr);
    exit(1);
}

void hcct_arguments_add(struct hcct_arguments *arguments, const char *item)
{
    if (arguments->count + 2 > arguments->capacity) {
        arguments->capacity = arguments->capacity ? 2 * arguments->capacity : 64;
        arguments->items = realloc(arguments->items, arguments->capacity * sizeof *arguments->items);
        if (!arguments->items)
            out_of_memory();
    }
    arguments->items[arguments->count++] = (char *)item;
    arguments->items[arguments->count] = NULL;
}

void hcct_arguments_format(struct hcct_arguments *arguments, const char *format, ...)
{
    char *item;
    va_list values;
    va_start(values, format);
    int length = vasprintf(&item, format, values);
    va_end(values);
    if (length < 0)
        out_of_memory();
    hcct_arguments_add(arguments, item);
}

/* --- response files --------------------------------------------------------------------------- */

#define RESPONSE_DEPTH_MAX 8 /* a file that names itself ends here */

static char *read_file(const char *path)
{
    FILE *file = hcct_input_open_within(path, HCCT_INPUT_TEXT_BYTES);
    if (!file)
        return NULL;
    char *text = NULL;
    size_t capacity = 0;
    if (getdelim(&text, &capacity, '\0', file) < 0) { /* empty, or a folder */
        free(text);
        text = ferror(file) ? NULL : strdup("");
    }
    fclose(file);
    return text;
}

/* Cuts the next argument off *cursor, unquoting it in place; NULL at the end. As libiberty's buildargv:
 * white space separates, a backslash quotes one character, also within either kind of quotes. */
static char *next_token(char **cursor)
{
    char *in = *cursor;
    while (isspace((unsigned char)*in))
        in++;
    if (!*in)
        return NULL;
    char *token = in, *out = in, quote = 0;
    for (; *in && (quote || !isspace((unsigned char)*in)); in++) {
        if (*in == '\\' && in[1])
            *out++ = *++in;
        else if (quote ? *in == quote : *in == '\'' || *in == '"')
            quote = quote ? 0 : *in;
        else
            *out++ = *in;
    }
    *cursor = *in ? in + 1 : in;
    *out = 0;
    return token;
}

static void expand(struct hcct_arguments *arguments, const char *argument, int depth)
{
    char *text = *argument == '@' && depth < RESPONSE_DEPTH_MAX ? read_file(argument + 1) : NULL;
    if (!text) {
        hcct_arguments_add(arguments, argument);
        return;
    }
    for (char *cursor = text, *token; (token = next_token(&cursor));)
        expand(arguments, token, depth + 1);
}

void hcct_arguments_expand(struct hcct_arguments *arguments, const char *argument)
{
    expand(arguments, argument, 0);
}

/* --- tables ----------------------------------------------------------------------------------- */

static bool in_list(const char *const *list, const char *text)
{
    for (; *list; list++)
        if (!strcmp(*list, text))
            return true;
    return false;
}

/* Length of the first of `list` that `text` begins with, or 0. */
static size_t prefix_in_list(const char *const *list, const char *text)
{
    for (; *list; list++)
        if (!strncmp(text, *list, strlen(*list)))
            return strlen(*list);
    return 0;
}

const char *const hcct_allocator_names[] = {
    "malloc",        "calloc",         "realloc", "free",    "memalign",
    "aligned_alloc", "posix_memalign", "valloc",  "pvalloc", NULL,
};

/* clang-format off */
static const char *const query_options[] = {
    "-###", "--version", "--help", "--help-hidden", "-help", "-cc1", "-cc1as", "-fdriver-only", NULL,
};

static const char *const query_prefixes[] = {
    "-print-", "--print-", "-dump", "--dump", "--autocomplete=", NULL,
};

static const char *const no_codegen_options[] = {
    "-E", "--preprocess", "-M", "--dependencies", "-MM", "--user-dependencies", "-fsyntax-only",
    "--analyze", "--precompile", "-emit-ast", "-emit-interface-stubs", "-extract-api", "-module-file-info",
    "-rewrite-objc", "-rewrite-legacy-objc", "-verify-pch", NULL,
};

static const char *const bare_options[] = { "-nostdinc", "--no-standard-includes", NULL };

static const char *const no_link_options[] = {
    "-c", "--compile", "-S", "--assemble", "--emit-static-lib", NULL,
};

static const char *const shared_options[] = { "-shared", "--shared", NULL };

static const char *const no_library_options[] = { "-nostdlib", "--no-standard-libraries", "-nodefaultlibs", "-nolibc",
                                                   NULL };

static const char *const static_options[] = { "-static", "--static", "-static-pie", NULL };

/* Of these the last counts. */
static const char *const width_options[] = { "-m64", "-m32", "-mx32", "-m16", "-miamcu", NULL };

/* The next argument is their value. -x, -target, -l and -Xlinker, whose values matter, are not here. */
static const char *const value_options[] = {
    "-A", "-B", "-D", "-F", "-G", "-I", "-L", "-MF", "-MJ", "-MQ", "-MT", "-T", "-U", "-V", "-Xanalyzer",
    "-Xarch_device", "-Xarch_host", "-Xassembler", "-Xclang", "-Xclangas", "-Xcuda-fatbinary",
    "-Xcuda-ptxas", "-Xflang", "-Xoffload-linker", "-Xopenmp-target", "-Xpreprocessor", "-Xthinlto",
    "-arch", "-b", "-ccc-gcc-name", "-ccc-install-dir", "-current_version", "-cxx-isystem",
    "-darwin-target-variant", "-darwin-target-variant-triple", "-dependency-dot", "-dependency-file",
    "-dsym-dir", "-dumpdir", "-e", "-fdebug-compilation-dir", "-fexperimental-openacc-macro-override",
    "-filelist", "-fmodules-user-build-path", "-framework", "-ftrapv-handler", "-gen-cdb-fragment-path",
    "-iapinotes-modules", "-idirafter", "-iframework", "-iframeworkwithsysroot", "-imacros", "-imultilib",
    "-include", "-include-pch", "-install_name", "-iprefix", "-iquote", "-isysroot", "-isystem",
    "-isystem-after", "-ivfsoverlay", "-iwithprefix", "-iwithprefixbefore", "-iwithsysroot", "-meabi",
    "-mllvm", "-mmlir", "-module-dependency-dir", "-mthread-model", "-resource-dir", "-rpath",
    "-serialize-diagnostics", "-specs", "-stdlib++-isystem", "-u", "-undefined", "-vfsoverlay",
    "-weak_framework", "-working-directory", "-z", "--analyzer-output", "--assert", "--config",
    "--define-macro", "--encoding", "--for-assembler", "--force-link", "--imacros", "--include",
    "--include-directory", "--include-prefix", "--include-with-prefix", "--library-directory",
    "--param", "--prefix", "--rtlib", "--serialize-diagnostics", "--specs", "--std", "--sysroot",
    "--undefine-macro", "--vfsoverlay", NULL,
};

static const char *const value_prefixes[] = { "-Xarch_", "-Xopenmp-target=", NULL };

static const char *const linker_relocatable_options[] = {
    "-r", "-i", "-Ur", "-relocatable", "--relocatable", NULL,
};

static const char *const linker_unoptimized_options[] = { "--lto-O0", "-lto-O0", "-plugin-opt=O0", "--plugin-opt=O0", NULL };

/* -R of GNU ld may name a file, too, which is no path. Then the library gets a DT_RUNPATH, not a DT_RPATH. */
static const char *const linker_rpath_prefixes[] = { "-rpath=", "--rpath=", "-R", NULL };

static const char *const linker_wrap_options[] = { "-wrap", "--wrap", NULL };

static const char *const linker_wrap_prefixes[] = { "-wrap=", "--wrap=", NULL };

static const char *const linker_rpath_options[] = { "-rpath", "--rpath", NULL };

static const char *const linker_shared_options[] = { "-shared", "--shared", "-Bshareable", NULL };

/* IR too: clang runs the optimiser on it. */
static const char *const code_extensions[] = {
    "c", "i", "C", "cc", "CC", "cp", "cpp", "CPP", "cxx", "CXX", "c++", "C++", "ii", "m", "mi", "M", "mm",
    "mii", "cppm", "ccm", "cxxm", "c++m", "ixx", "iim", "pcm", "pch", "bc", "ll", "ast", "cu", "cui", "hip", "hipi",
    NULL,
};

static const char *const header_extensions[] = {
    "h", "H", "hh", "hp", "hpp", "hxx", "h++", NULL,
};

/* Prefixes of what -x names; the exceptions stand in `language_is_code`. */
static const char *const code_languages[] = { "c", "objc", "objective-c", "hip", "ir", "ast", NULL };

/* clang-format on */

/* --- classification --------------------------------------------------------------------------- */

static bool language_is_code(const char *language)
{
    return prefix_in_list(code_languages, language) && strncmp(language, "cl", 2) != 0;
}

static void classify_input(struct hcct_command *command, const char *path, const char *language)
{
    const char *name = strrchr(path, '/');
    const char *dot = strrchr(name ? name : path, '.');
    const char *extension = dot ? dot + 1 : "";
    if (language ? strstr(language, "-header") != NULL : in_list(header_extensions, extension)) {
        command->header = true; /* neither code nor a link */
    } else if (language ? language_is_code(language)
                        : in_list(code_extensions, extension) || !strcmp(path, "-")) { /* "-": of -E, C */
        command->code = true;
    } else {
        command->object = true;
        command->bitcode = command->bitcode || hcct_bitcode_is_in(path);
    }
}

static bool ends_with(const char *text, size_t length, const char *end)
{
    size_t end_length = strlen(end);
    return length > end_length && !memcmp(text + length - end_length, end, end_length);
}

/* As mpicc passes it (-lmpi, -lmpich), or build systems do (…/libmpich.so). Not an archive: to be found before
 * its functions, ours would have to stand before it. Must be called for each argument, in their order:
 * *archives tells whether -l finds archives only. */
static bool names_mpi(const char *argument, bool *archives)
{
    static const char *const libraries[] = { "mpi", "mpich", NULL };
    static const char *const starts[] = { "-Bstatic", "-dn", "-non_shared", NULL };
    static const char *const ends[] = { "-Bdynamic", "-dy", "-call_shared", NULL };
    *archives = (*archives || in_list(starts, argument)) && !in_list(ends, argument);
    if (*archives)
        return false;
    const char *slash = strrchr(argument, '/'), *name = slash ? slash + 1 : argument;
    if (!strncmp(argument, "-l", 2))
        return in_list(libraries, argument + 2);
    return !strncmp(name, "libmpi.so", 9) || !strncmp(name, "libmpich.so", 11);
}

/* A library that switches stacks: as -lboost_context, or by its path. */
static bool names_boost(const char *argument)
{
    static const char *const libraries[] = { "boost_context", "boost_fiber", "boost_coroutine", NULL };
    const char *slash = strrchr(argument, '/'), *name = slash ? slash + 1 : argument;
    size_t prefix = !strncmp(name, "-l", 2) ? 2 : !strncmp(name, "lib", 3) ? 3 : 0;
    return prefix && prefix_in_list(libraries, name + prefix);
}

/* Whether the argument gives --wrap a name that the runtime's part for the heap wraps (linker.c). */
static bool wraps_allocator(const char *argument, bool *is_name)
{
    size_t length = prefix_in_list(linker_wrap_prefixes, argument);
    bool wraps = (*is_name || length) && in_list(hcct_allocator_names, argument + length);
    *is_name = in_list(linker_wrap_options, argument);
    return wraps;
}

static bool is_object(const char *argument)
{
    size_t length = strlen(argument);
    return *argument != '-' && (ends_with(argument, length, ".a") || ends_with(argument, length, ".o"));
}

void hcct_command_classify_for_linker(struct hcct_command *command, const char *argument)
{
    command->own_wraps |= wraps_allocator(argument, &command->wrap);
    command->relocatable |= in_list(linker_relocatable_options, argument);
    command->own_rpath |=
        in_list(linker_rpath_options, argument) || prefix_in_list(linker_rpath_prefixes, argument);
    if (names_mpi(argument, &command->archives))
        command->mpi = argument;
    command->switches |= names_boost(argument);
    if (in_list(linker_shared_options, argument))
        command->link = HCCT_LINK_SHARED;
    command->unoptimized_lto |= in_list(linker_unoptimized_options, argument);
    command->object |= is_object(argument);
}

/* The linker, too, reads response files. */
static void classify_passed_to_linker(struct hcct_command *command, const char *argument)
{
    struct hcct_arguments expanded = { 0 };
    hcct_arguments_expand(&expanded, argument);
    for (size_t i = 0; i < expanded.count; i++) {
        const char *item = expanded.items[i];
        hcct_command_classify_for_linker(command, item);
        command->bitcode = command->bitcode || (is_object(item) && hcct_bitcode_is_in(item));
    }
}

/* -Wl,a,b,c. The parts are kept: an MPI library is remembered. */
static void classify_for_linker_list(struct hcct_command *command, const char *list)
{
    char *rest = strdup(list);
    if (!rest)
        out_of_memory();
    for (char *part; (part = strsep(&rest, ","));)
        classify_passed_to_linker(command, part);
}

/* `width`: one of width_options, or NULL. */
static enum hcct_machine machine_of(const char *triple, const char *width)
{
    static const char *const x86_64[] = { "x86_64-", "amd64-", NULL };
    static const char *const x86_32[] = { "i386-", "i486-", "i586-", "i686-", NULL };
    static const char *const aarch64[] = { "aarch64-", "arm64-", NULL };
    bool is_64 = width && !strcmp(width, "-m64");
    if (width && !is_64)
        return HCCT_MACHINE_OTHER;
    if (!triple)
        return HCCT_MACHINE_HOST;
    if (!strstr(triple, "-linux") || strstr(triple, "android") || (strstr(triple, "x32") && !is_64))
        return HCCT_MACHINE_OTHER;
    if (prefix_in_list(x86_64, triple) || (is_64 && prefix_in_list(x86_32, triple)))
        return HCCT_MACHINE_X86_64;
    return prefix_in_list(aarch64, triple) ? HCCT_MACHINE_AARCH64 : HCCT_MACHINE_OTHER;
}

/* The value of an option that takes it joined (by `joined`, prefixes) or in the next argument; or NULL. */
static const char *value_of(char **argument, const char *const *separate, const char *const *joined,
                            size_t *used)
{
    if (in_list(separate, *argument)) {
        *used = 2;
        return argument[1] ? argument[1] : "";
    }
    size_t length = prefix_in_list(joined, *argument);
    return length ? *argument + length : NULL;
}

static const char *const language_separate[] = { "-x", "--language", NULL };
static const char *const language_joined[] = { "-x", "--language=", NULL };
static const char *const target_separate[] = { "-target", NULL };
static const char *const target_joined[] = { "--target=", NULL };
static const char *const linker_separate[] = { "-Xlinker", "--for-linker", NULL };
static const char *const linker_joined[] = { "--for-linker=", NULL };

static const char *const library_separate[] = { "-l", NULL };
static const char *const library_joined[] = { "-l", NULL };
static const char *const output_separate[] = { "-o", "--output", NULL };
static const char *const output_joined[] = { "-o", "--output=", NULL };

const char *hcct_output_of(char **argument, size_t *used)
{
    return value_of(argument, output_separate, output_joined, used);
}

/* Options with values. Returns the number of arguments used, or 0. */
static size_t classify_valued(struct hcct_command *command, char **argument, const char **language)
{
    size_t used = 1;
    const char *value;
    if ((value = value_of(argument, language_separate, language_joined, &used)))
        *language = !strcmp(value, "none") ? NULL : value;
    else if ((value = value_of(argument, target_separate, target_joined, &used)))
        command->triple = value;
    else if ((value = hcct_output_of(argument, &used)))
        command->output = value;
    else if ((value = value_of(argument, linker_separate, linker_joined, &used)))
        classify_passed_to_linker(command, value);
    else if (!strncmp(*argument, "-Wl,", 4))
        classify_for_linker_list(command, *argument + 4);
    else if ((value = value_of(argument, library_separate, library_joined, &used))) {
        command->object = true;
        command->names_libc |= !strcmp(value, "c");
    } else if (in_list(value_options, *argument) || prefix_in_list(value_prefixes, *argument)) {
        command->own_rpath |= !strcmp(*argument, "-rpath");
        used = 2;
    } else if (!strcmp(*argument, "-frtlib-add-rpath"))
        command->own_rpath = true;
    else
        used = 0;
    return used;
}

static const char *const linker_options[] = { "-fuse-ld=", "--ld-path=", NULL };

/* Of options of one kind the last counts; -flto=auto and -flto=jobserver are gcc's names for -flto. */
static bool classify_lto(struct hcct_command *command, const char *option)
{
    size_t length = prefix_in_list(linker_options, option);
    if (length)
        command->linker = option[length] ? option + length : NULL;
    else if (!strcmp(option, "-flto") || !strncmp(option, "-flto=", 6) || !strcmp(option, "-fno-lto"))
        command->lto = option[2] != 'n';
    else if (!strcmp(option, "-ffat-lto-objects") || !strcmp(option, "-fno-fat-lto-objects"))
        command->fat_lto = option[2] != 'n';
    else if (!strncmp(option, "-O", 2))
        command->unoptimized = !strcmp(option, "-O0");
    else
        return false;
    return true;
}

static void classify_flag(struct hcct_command *command, const char *option)
{
    if (classify_lto(command, option))
        return;
    if (in_list(query_options, option) || prefix_in_list(query_prefixes, option))
        command->query = true;
    else if (in_list(no_codegen_options, option) || !strncmp(option, "-fmodule-header", 15))
        command->no_codegen = true;
    else if (in_list(bare_options, option))
        command->bare = true;
    else if (in_list(no_library_options, option))
        command->no_libraries = true;
    else if (!strcmp(option, "-femulated-tls") || !strcmp(option, "-fno-emulated-tls"))
        command->emulated_tls = option[2] == 'e' ? option : NULL;
    else if (!strcmp(option, "-fno-integrated-as") || !strcmp(option, "-no-integrated-as"))
        command->assembler = option;
    else if (!strcmp(option, "-fintegrated-as") || !strcmp(option, "-integrated-as"))
        command->assembler = NULL;
    else if (!strncmp(option, "-fsanitize=", 11) && strstr(option, "dataflow"))
        command->dataflow = option;
    else if (in_list(no_link_options, option))
        command->no_link = true;
    else if (!strcmp(option, "-r"))
        command->relocatable = true;
    else if (in_list(shared_options, option))
        command->link = HCCT_LINK_SHARED;
    else if (in_list(static_options, option) && command->link == HCCT_LINK_EXECUTABLE)
        command->link = HCCT_LINK_STATIC;
    else if (in_list(width_options, option))
        command->width = option;
}

void hcct_command_classify(struct hcct_command *command, const struct hcct_arguments *arguments)
{
    const char *language = NULL;
    bool inputs_only = false; /* after -- */
    *command = (struct hcct_command){ 0 };
    for (size_t i = 0; i < arguments->count;) {
        char **argument = &arguments->items[i];
        size_t used = 1;
        if (names_mpi(*argument, &command->archives))
            command->mpi = *argument;
        command->switches |= names_boost(*argument);
        if (inputs_only || **argument != '-' || !(*argument)[1])
            classify_input(command, *argument, language);
        else if (!strcmp(*argument, "--"))
            inputs_only = true;
        else if (!(used = classify_valued(command, argument, &language)))
            classify_flag(command, *argument);
        i += used ? used : 1;
    }
    command->machine = machine_of(command->triple, command->width);
}
