/* The options that ask a profile, see query_options.h. */
#include "decoder/commands/query_options.h"

#include <string.h>

#include "decoder/commands/command.h"
#include "decoder/query/pattern.h"
#include "format/error.h"
#include "format/names.h"

static bool take_pattern(const char **to, const char *option, const char *pattern)
{
    struct hcct_error error;
    *to = pattern;
    if (hcct_pattern_check(pattern, &error))
        return true;
    char name[32] = "--";
    return hcct_command_complain(strncat(name, option, sizeof name - 3), error.message);
}

static bool take_depth(uint32_t *depth, const char *text)
{
    uint64_t number;
    if (!hcct_command_count("depth", text, &number))
        return false;
    if (!number || number > UINT32_MAX)
        return hcct_command_refuse_but("depth", text, "1 or more");
    *depth = (uint32_t)number;
    return true;
}

bool hcct_query_take(struct hcct_query_options *options, enum hcct_option option, const char *argument)
{
    static const char *const views[] = { [HCCT_VIEW_TREE] = "tree",
                                         [HCCT_VIEW_CALLERS] = "callers",
                                         [HCCT_VIEW_FLAT] = "flat",
                                         [HCCT_VIEW_PEEK] = "peek",
                                         NULL };
    static const char *const names[] = { "short", "full", "linkage", NULL };
    static const enum hcct_names values[] = { HCCT_NAMES_SHORT, HCCT_NAMES_FULL, HCCT_NAMES_LINKAGE };
    struct hcct_query *query = &options->query;
    int word;
    switch (option) {
    case HCCT_OPTION_FOCUS:
        return take_pattern(&query->focus, "focus", argument);
    case HCCT_OPTION_IGNORE:
        return take_pattern(&query->ignore, "ignore", argument);
    case HCCT_OPTION_HIDE:
        return take_pattern(&query->hide, "hide", argument);
    case HCCT_OPTION_ROOT:
        return take_pattern(&query->root, "root", argument);
    case HCCT_OPTION_FOLD:
        return take_pattern(&query->fold, "fold", argument);
    case HCCT_OPTION_DEPTH:
        return take_depth(&query->depth, argument);
    case HCCT_OPTION_VIEW:
    case HCCT_OPTION_TABLE_VIEW:
        for (word = HCCT_VIEW_PEEK; word >= 0; word--) {
            size_t length = strlen(views[word]);
            if (strncmp(argument, views[word], length) || (argument[length] && argument[length] != '='))
                continue;
            query->view = (enum hcct_view)word;
            query->function = argument[length] ? argument + length + 1 : NULL;
            bool named = query->view == HCCT_VIEW_CALLERS || query->view == HCCT_VIEW_PEEK;
            if (query->function && !named)
                return hcct_command_refuse("view", argument);
            return !query->function || *query->function ||
                   hcct_command_complain(word == HCCT_VIEW_PEEK ? "--view=peek" : "--view=callers",
                                         "which function?");
        }
        return hcct_command_refuse_word("view", argument, views);
    case HCCT_OPTION_NAMES:
        if (!hcct_command_word("names", argument, names, &word))
            return false;
        options->names = values[word];
        return options->names_given = true;
    case HCCT_OPTION_PHASE:
        options->phase = argument;
        return *argument || hcct_command_refuse("phase", argument);
    case HCCT_OPTION_VALUE:
        return options->value_given =
                   hcct_command_word("value", argument, hcct_heap_value_names, &options->value);
    case HCCT_OPTION_NO_DEMANGLE:
        options->names = HCCT_NAMES_LINKAGE;
        return options->names_given = true;
    case HCCT_OPTION_TOP:
        return options->top_given = hcct_command_count("top", argument, &options->top_count);
    case HCCT_OPTION_FORCE:
        return options->force = true;
    case HCCT_OPTION_OUTPUT:
        options->output = hcct_command_output(argument);
        return true;
    default: /* the command's own */
        return false;
    }
}
