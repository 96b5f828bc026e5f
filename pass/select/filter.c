/* The user's lists of functions, in files of one pattern a line: what is not to be instrumented
 * (HCCT_FILTER), and what is to be measured (HCCT_CLOCK). They look like clang's special case lists.
 *
 *     # comment
 *     fun:name*          functions by linkage name
 *     src:*third_party*  all functions of source files of that name
 *
 * Any other line is an error of the compiler, told with its number: a line that is ignored makes a profile of
 * other functions than the user wants.
 * HCCT_CLOCK=1 stands for a list of all functions. */
#include "pass/select/filter.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/input.h"

struct pattern {
    bool is_source;
    char *glob;
};

struct filter {
    const char *variable;
    struct pattern *patterns;
    size_t count;
};

static struct filter excluded = { .variable = "HCCT_FILTER" }, measured = { .variable = "HCCT_CLOCK" };
static bool loaded, measures_all;
static char problem[512];

static bool add_line(struct filter *filter, char *line, unsigned number, const char *path)
{
    line[strcspn(line, "\r\n")] = 0;
    line += strspn(line, " \t");
    if (!*line || *line == '#')
        return true;
    bool is_source = strncmp(line, "src:", 4) == 0;
    if ((!is_source && strncmp(line, "fun:", 4) != 0) || !line[4]) {
        snprintf(
            problem, sizeof problem,
            "hcct: %s:%u: a line is fun:GLOB, src:GLOB or a comment that begins with #, but this is '%s'",
            path, number, line);
        return false;
    }
    struct pattern *grown = realloc(filter->patterns, (filter->count + 1) * sizeof *grown);
    char *glob = strdup(line + 4);
    if (grown)
        filter->patterns = grown;
    if (!grown || !glob) {
        snprintf(problem, sizeof problem, "hcct: %s: out of memory", path);
        free(glob);
        return false;
    }
    filter->patterns[filter->count++] = (struct pattern){ is_source, glob };
    return true;
}

static bool load(struct filter *filter, const char *path)
{
    FILE *file = hcct_input_open_within(path, HCCT_INPUT_TEXT_BYTES);
    if (!file) {
        snprintf(problem, sizeof problem, "hcct: cannot read the filter file '%s' (%s): %s", path,
                 filter->variable, hcct_input_reason(errno));
        return false;
    }
    char *line = NULL;
    size_t capacity = 0;
    bool good = true;
    for (unsigned number = 1; good && getline(&line, &capacity, file) > 0; number++)
        good = add_line(filter, line, number, path);
    free(line);
    fclose(file);
    return good;
}

bool hcct_filter_load(const char **error)
{
    const char *path = getenv(excluded.variable), *clock = getenv(measured.variable);
    *error = problem;
    if (loaded)
        return !problem[0];
    loaded = true;
    measures_all = clock && strcmp(clock, "1") == 0;
    if (path && *path && !load(&excluded, path))
        return false;
    return !clock || !*clock || measures_all || strcmp(clock, "0") == 0 || load(&measured, clock);
}

static bool has(const struct filter *filter, const char *function, const char *file)
{
    for (size_t i = 0; i < filter->count; i++)
        if (fnmatch(filter->patterns[i].glob, filter->patterns[i].is_source ? file : function, 0) == 0)
            return true;
    return false;
}

bool hcct_filter_excludes(const char *function, const char *file)
{
    return has(&excluded, function, file);
}

bool hcct_filter_measures(const char *function, const char *file)
{
    return measures_all || has(&measured, function, file);
}
