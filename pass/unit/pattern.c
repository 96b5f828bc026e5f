/* See pattern.h. */
#include "pass/unit/pattern.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/expression.h"
#include "pass/unit/bridge.h"

bool hcct_pattern_check(const char *text, const char *setting, const char **error)
{
    static char problem[512];
    char room[128];
    regex_t regex;
    const char *why = hcct_expression_compile(&regex, text, room);
    if (why) {
        snprintf(problem, sizeof problem, "hcct: '%.200s' (%s) is no extended regular expression: %s", text,
                 setting, why);
        *error = problem;
    } else {
        regfree(&regex);
    }
    return !why;
}

void hcct_pattern_free(struct hcct_pattern *pattern)
{
    if (pattern->text)
        regfree(&pattern->regex);
    free(pattern->text);
    pattern->text = NULL;
}

/* Makes `pattern` the compiled form of `text`. */
static bool compile(struct hcct_pattern *pattern, const char *text)
{
    if (pattern->text && strcmp(pattern->text, text) == 0)
        return true;
    hcct_pattern_free(pattern);
    pattern->text = strdup(text);
    char room[128];
    if (pattern->text && hcct_expression_compile(&pattern->regex, text, room)) {
        free(pattern->text);
        pattern->text = NULL;
    }
    return pattern->text;
}

bool hcct_pattern_matches(struct hcct_pattern *pattern, const char *text, const char *name)
{
    char *demangled = NULL;
    if (!compile(pattern, text))
        return false;
    bool found = regexec(&pattern->regex, name, 0, NULL, 0) == 0;
    if (!found && strncmp(name, "_Z", 2) == 0) {
        demangled = hcct_bridge_demangle(name);
        found = demangled && regexec(&pattern->regex, demangled, 0, NULL, 0) == 0;
    }
    free(demangled);
    return found;
}
