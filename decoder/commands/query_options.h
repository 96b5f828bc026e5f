/* The options that ask a profile, which several commands have: views, filters, names. query.h says what they
 * do. */
#ifndef HCCT_DECODER_COMMANDS_QUERY_OPTIONS_H
#define HCCT_DECODER_COMMANDS_QUERY_OPTIONS_H

#include <stdbool.h>

#include "decoder/commands/command.h"
#include "decoder/names/symbol.h"
#include "decoder/query/query.h"

enum hcct_query_option {
    HCCT_QUERY_FOCUS = 1000,
    HCCT_QUERY_IGNORE,
    HCCT_QUERY_HIDE,
    HCCT_QUERY_ROOT,
    HCCT_QUERY_FOLD,
    HCCT_QUERY_DEPTH,
    HCCT_QUERY_VIEW,
    HCCT_QUERY_NAMES,
    HCCT_QUERY_VALUE,
    HCCT_QUERY_PHASE,
};

/* For a table of getopt_long. */
#define HCCT_QUERY_FILTERS                                                                                   \
    { "focus", required_argument, NULL, HCCT_QUERY_FOCUS },                                                  \
        { "ignore", required_argument, NULL, HCCT_QUERY_IGNORE },                                            \
        { "hide", required_argument, NULL, HCCT_QUERY_HIDE },                                                \
        { "root", required_argument, NULL, HCCT_QUERY_ROOT },                                                \
        { "fold", required_argument, NULL, HCCT_QUERY_FOLD },                                                \
        { "depth", required_argument, NULL, HCCT_QUERY_DEPTH },                                              \
        { "view", required_argument, NULL, HCCT_QUERY_VIEW },                                                \
    {                                                                                                        \
        "names", required_argument, NULL, HCCT_QUERY_NAMES                                                   \
    }

/* For --help; --view and --depth are told by the commands. */
#define HCCT_QUERY_FILTERS_HELP                                                                              \
    "  --focus=REGEX      only contexts through a function that matches; the rest is [other]\n"              \
    "  --ignore=REGEX     no contexts through a function that matches\n"                                     \
    "  --root=REGEX       paths begin with the outermost function that matches\n"                            \
    "  --hide=REGEX       functions that match vanish from paths; their counts go to the callers\n"          \
    "  --fold=REGEX       adjacent functions that match become one frame, as [std]; \"\": none is folded\n"  \
    "                     (text and page: those of std::)\n"                                                 \
    "  --names=WHAT       short (text and page), full (other formats), linkage\n"

/* For commands whose profiles may have several counts for a context. */
#define HCCT_QUERY_VALUES                                                                                    \
    { "phase", required_argument, NULL, HCCT_QUERY_PHASE },                                                  \
    {                                                                                                        \
        "value", required_argument, NULL, HCCT_QUERY_VALUE                                                   \
    }
#define HCCT_QUERY_VALUES_HELP                                                                               \
    "  --phase=NAME       only what was counted in this phase of the program (hcct_phase())\n"               \
    "  --value=WHAT       of a heap profile: allocated (default), blocks, live, live-blocks, peak,\n"        \
    "                     peak-blocks, temporary, resized, lost, lost-blocks\n"

struct hcct_query_options {
    struct hcct_query query;
    int value; /* enum hcct_heap_value */
    bool value_given;
    const char *phase; /* NULL: the whole run */
    enum hcct_names names;
    bool names_given;
};

/* Applies --phase and --value to a profile that was opened. `all`: what is printed has all values. False
 * after a complaint. */
bool hcct_query_choose(const struct hcct_query_options *options, struct hcct_command_file *file, bool all);
/* Takes one of these options. False: it was refused, with a message. */
bool hcct_query_take(struct hcct_query_options *options, int option, const char *argument);

#endif
