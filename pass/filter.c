/* The user's filter file: what is not to be instrumented, one glob a line, in the manner of clang's special case lists.
 *
 *     # comment
 *     fun:name*          functions by linkage name
 *     src:*third_party*  everything in source files of that name
 *
 * A line of another kind is refused with its number: a filter that is silently ignored is a wrong profile. */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pass/unit.h"

struct pattern {
    bool is_source;
    char *glob;
};

static struct pattern *patterns;
static size_t pattern_count;
static bool loaded;
static char problem[512];

static bool add_line(char *line, unsigned number, const char *path)
{
    line[strcspn(line, "\r\n")] = 0;
    line += strspn(line, " \t");
    if (!*line || *line == '#')
        return true;
    bool is_source = strncmp(line, "src:", 4) == 0;
    if (!is_source && strncmp(line, "fun:", 4) != 0) {
        snprintf(problem, sizeof problem, "hcct: %s:%u: neither fun:GLOB nor src:GLOB: '%s'", path, number,
                 line);
        return false;
    }
    struct pattern *grown = realloc(patterns, (pattern_count + 1) * sizeof *patterns);
    char *glob = strdup(line + 4);
    if (!grown || !glob) {
        snprintf(problem, sizeof problem, "hcct: %s: out of memory", path);
        return false;
    }
    patterns = grown;
    patterns[pattern_count++] = (struct pattern){ is_source, glob };
    return true;
}

bool hcct_filter_load(const char **error)
{
    const char *path = getenv("HCCT_FILTER");
    *error = problem;
    if (loaded || !path || !*path)
        return !problem[0];
    loaded = true;
    FILE *file = fopen(path, "r");
    if (!file) {
        snprintf(problem, sizeof problem, "hcct: cannot read the filter file '%s' (HCCT_FILTER): %m", path);
        return false;
    }
    char *line = NULL;
    size_t capacity = 0;
    bool good = true;
    for (unsigned number = 1; good && getline(&line, &capacity, file) > 0; number++)
        good = add_line(line, number, path);
    free(line);
    fclose(file);
    return good;
}

bool hcct_filter_excludes(const char *function, const char *file)
{
    for (size_t i = 0; i < pattern_count; i++)
        if (fnmatch(patterns[i].glob, patterns[i].is_source ? file : function, 0) == 0)
            return true;
    return false;
}
