/* See settings.h. A setting is a variable of the compiler's process, so that it also works without the
 * wrapper. */
#include "settings.h"
#include "toolchain.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "decoder/text/nearest.h"

#define OWN_PREFIX "--hcct-"

enum setting_kind {
    SETTING_FLAG,          /* --hcct-x: the variable is set to 1 */
    SETTING_TEXT,          /* --hcct-x=TEXT */
    SETTING_REGEX,         /* --hcct-x=REGEX, of names of functions */
    SETTING_FILE,          /* --hcct-x=FILE: made absolute */
    SETTING_FLAG_OR_FILE,  /* either */
    SETTING_FLAG_OR_REGEX, /* either */
};

/* Those without help are for few people, and stand in docs/options.md only. */
static const struct setting {
    const char *option;
    enum setting_kind kind;
    const char *variable;
    const char *help;
} settings[] = {
    { "--hcct-before-inlining", SETTING_FLAG, "HCCT_BEFORE_INLINING", "instrument before the inliner runs" },
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
    { "--hcct-time", SETTING_FLAG, "HCCT_TIME", NULL }, /* what it asked for, each build has now */
};
#define SETTING_COUNT (sizeof settings / sizeof *settings)

/* Options that went, and what took their place. */
static const struct {
    const char *option, *instead;
} gone[] = {
    { "--hcct-time-only", "every build can be asked for time and waiting: hcct-run --time, --wall" },
    { "--hcct-own-allocator", "--hcct-allocator=malloc says it" },
    { "--hcct-version", "hcct --version tells them" },
    { "--hcct-help", "--help begins with these options" },
};

void hcct_settings_print_help(void)
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

void hcct_settings_apply(const char *argument)
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

bool hcct_settings_is_one(const char *argument)
{
    return !strncmp(argument, OWN_PREFIX, strlen(OWN_PREFIX));
}

void hcct_settings_print_given(FILE *out)
{
    for (const struct setting *s = settings; s < settings + SETTING_COUNT; s++) {
        const char *value = getenv(s->variable);
        if (value)
            fprintf(out, " %s=%s", s->variable, value);
    }
}
