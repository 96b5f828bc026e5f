/* Finds the installed files from /proc/self/exe, clang in PATH, and the plugin by clang's major version. */
#include "toolchain.h"

#include <dirent.h>
#include <errno.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "format/input.h"

extern char **environ;

const char *hcct_wrapper_name = "hcct-cc";

void hcct_wrapper_fail(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    fprintf(stderr, "%s: error: ", hcct_wrapper_name);
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
    va_end(values);
    exit(1);
}

__attribute__((format(printf, 1, 2))) static char *format_text(const char *format, ...)
{
    char *text;
    va_list values;
    va_start(values, format);
    int length = vasprintf(&text, format, values);
    va_end(values);
    if (length < 0)
        hcct_wrapper_fail("out of memory");
    return text;
}

const char *hcct_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *hcct_wrapper_prefix(void)
{
    static char *prefix;
    if (prefix)
        return prefix;
    prefix = realpath("/proc/self/exe", NULL);
    for (int level = 0; level < 2; level++) { /* P/bin/hcct-cc */
        char *slash = prefix ? strrchr(prefix, '/') : NULL;
        if (!slash)
            hcct_wrapper_fail("cannot tell where hcct is installed: /proc/self/exe: %s", strerror(errno));
        *slash = 0;
    }
    return prefix;
}

/* --- programs --------------------------------------------------------------------------------- */

static bool is_program(const char *path)
{
    struct stat status;
    return !stat(path, &status) && S_ISREG(status.st_mode) && !access(path, X_OK);
}

/* A link named clang or ld that leads back here would run itself for ever. */
static bool is_self(const char *path)
{
    struct stat status, self;
    return !stat(path, &status) && !stat("/proc/self/exe", &self) && status.st_dev == self.st_dev &&
           status.st_ino == self.st_ino;
}

char *hcct_program_find(const char *name)
{
    if (strchr(name, '/'))
        return is_program(name) ? format_text("%s", name) : NULL;
    const char *list = getenv("PATH");
    char *copy = format_text("%s", list ? list : "/usr/local/bin:/usr/bin:/bin"), *rest = copy, *found = NULL;
    for (char *folder; !found && (folder = strsep(&rest, ":"));) {
        char *path = format_text("%s/%s", *folder ? folder : ".", name);
        if (is_program(path) && !is_self(path))
            found = path;
        else
            free(path);
    }
    free(copy);
    return found;
}

/* clang-19 -> clang++-19, /x/clang -> /x/clang++. A name with ++ stays; NULL if it does not say clang. */
static char *cxx_name(const char *name)
{
    const char *base = hcct_base_name(name);
    if (strstr(base, "++"))
        return format_text("%s", name);
    const char *clang = strstr(base, "clang");
    if (!clang)
        return NULL;
    int length = (int)(clang + strlen("clang") - name);
    return format_text("%.*s++%s", length, name, name + length);
}

static bool find_named(struct hcct_clang *clang, const char *name, bool cxx)
{
    char *cxx_path = NULL, *wanted = cxx ? cxx_name(name) : NULL;
    if (wanted)
        cxx_path = hcct_program_find(wanted);
    free(wanted);
    clang->needs_cxx_mode = cxx && !cxx_path;
    clang->path = cxx_path ? cxx_path : hcct_program_find(name);
    return clang->path != NULL;
}

struct hcct_clang hcct_clang_find(bool cxx)
{
    struct hcct_clang clang;
    const char *name = getenv("HCCT_CLANG");
    if (name && *name) {
        if (!find_named(&clang, name, cxx))
            hcct_wrapper_fail("HCCT_CLANG=%s: no such program", name);
        if (is_self(clang.path))
            hcct_wrapper_fail("HCCT_CLANG=%s is hcct-cc itself", name);
        return clang;
    }
    static const char *const defaults[] = { HCCT_DEFAULT_CLANGS, "clang" };
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++)
        if (find_named(&clang, defaults[i], cxx))
            return clang;
    hcct_wrapper_fail("neither %s nor clang is in PATH; set HCCT_CLANG to a clang", defaults[0]);
}

/* --- versions --------------------------------------------------------------------------------- */

/* The digits after `mark` in `text`, if they end it or a path component there; else 0. */
static int number_after(const char *text, const char *mark)
{
    const char *at = strstr(text, mark);
    if (!at)
        return 0;
    char *end;
    at += strlen(mark);
    long number = *at >= '1' && *at <= '9' ? strtol(at, &end, 10) : 0;
    return number > 0 && number < 1000 && (!*end || *end == '/') ? (int)number : 0;
}

static int major_of_name(const char *path)
{
    int major = number_after(hcct_base_name(path), "clang-");
    if (!major)
        major = number_after(hcct_base_name(path), "clang++-");
    return major ? major : number_after(path, "/lib/llvm-"); /* Debian's folders */
}

void hcct_program_output(char *const arguments[], char *text, size_t size)
{
    int ends[2];
    *text = 0;
    if (pipe(ends))
        return;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    pid_t child;
    int error = posix_spawn(&child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    size_t length = 0;
    ssize_t got = 1;
    while (!error && length < size - 1 && (got = read(ends[0], text + length, size - 1 - length)) > 0)
        length += (size_t)got;
    text[length] = 0;
    close(ends[0]);
    if (!error)
        waitpid(child, NULL, 0);
}

static int major_by_running(const char *path)
{
    static const char mark[] = "clang version "; /* not -dumpversion, which gcc answers too */
    char text[512];
    hcct_program_output((char *[]){ (char *)path, "--version", NULL }, text, sizeof text);
    const char *version = strstr(text, mark);
    return version ? atoi(version + strlen(mark)) : 0;
}

int hcct_clang_major(const char *path)
{
    int major = major_of_name(path);
    if (major)
        return major;
    char *real = realpath(path, NULL);
    if (real)
        major = major_of_name(real);
    free(real);
    return major ? major : major_by_running(path);
}

/* --- lld -------------------------------------------------------------------------------------- */

/* Told by the name where possible: this is asked for each file that is compiled with -flto. */
static bool is_lld_of(const char *path, int major)
{
    static const char mark[] = "LLD ";
    char text[512];
    if (number_after(hcct_base_name(path), "ld.lld-") == major || number_after(path, "/lib/llvm-") == major)
        return true;
    hcct_program_output((char *[]){ (char *)path, "--version", NULL }, text, sizeof text);
    const char *version = strstr(text, mark);
    return version && atoi(version + strlen(mark)) == major;
}

char *hcct_lld_find(const struct hcct_clang *clang)
{
    int major = hcct_clang_major(clang->path);
    char *real = realpath(clang->path, NULL);
    char *tries[] = {
        real ? format_text("%.*sld.lld", (int)(hcct_base_name(real) - real), real) : NULL,
        format_text("ld.lld-%d", major),
        "ld.lld",
    };
    free(real);
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        char *path = tries[i] ? hcct_program_find(tries[i]) : NULL;
        if (path && is_lld_of(path, major))
            return path;
    }
    return NULL;
}

/* --- the plugin ------------------------------------------------------------------------------- */

static int is_plugin_folder(const struct dirent *entry)
{
    return !strncmp(entry->d_name, "llvm-", 5);
}

char *hcct_plugin_majors(void)
{
    struct dirent **entries;
    char *folder = format_text("%s/lib/hcct", hcct_wrapper_prefix());
    int count = scandir(folder, &entries, is_plugin_folder, versionsort);
    char *list = format_text("%s", count > 0 ? "" : "none");
    for (int i = 0; i < count; i++)
        list = format_text("%s%s%s", list, i ? ", " : "", entries[i]->d_name + strlen("llvm-"));
    return list;
}

char *hcct_plugin_find(const struct hcct_clang *clang)
{
    int major = hcct_clang_major(clang->path);
    char *path = format_text("%s/lib/hcct/llvm-%d/hcct.so", hcct_wrapper_prefix(), major);
    if (major && !access(path, R_OK))
        return path;
    if (!major)
        hcct_wrapper_fail("%s does not tell its version; is it a clang?", clang->path);
    hcct_wrapper_fail("%s is of LLVM %d, and hcct has no plugin for that (installed for LLVM %s); "
                      "set HCCT_CLANG to a clang that fits",
                      clang->path, major, hcct_plugin_majors());
}

char *hcct_clang_since(int major)
{
    enum { NEWEST = 99 };
    char *found = NULL;
    for (; !found && major < NEWEST; major++) {
        char *plugin = format_text("%s/lib/hcct/llvm-%d/hcct.so", hcct_wrapper_prefix(), major);
        char *names[] = { format_text("clang-%d", major), format_text("/usr/lib/llvm-%d/bin/clang", major) };
        for (size_t i = 0; i < 2 && !found && !access(plugin, R_OK); i++) {
            struct hcct_clang clang = { hcct_program_find(names[i]), false };
            if (clang.path && hcct_lld_find(&clang))
                found = clang.path;
        }
    }
    return found;
}

uint64_t hcct_file_hash(const char *path)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    struct stat status;
    if (!stat(path, &status) && !S_ISREG(status.st_mode)) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        return hash ^ ((uint64_t)now.tv_sec << 32 | (uint32_t)now.tv_nsec);
    }
    FILE *file = hcct_input_open_within(path, INT64_MAX);
    if (!file)
        return 0;
    for (int byte; (byte = getc_unlocked(file)) != EOF;)
        hash = (hash ^ (unsigned char)byte) * UINT64_C(0x100000001b3);
    fclose(file);
    return hash;
}
