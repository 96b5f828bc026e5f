/* What the options that the commands share ask of a profile, and where the answer goes. query.h says what
 * filters do. */
#ifndef HCCT_DECODER_COMMANDS_QUERY_OPTIONS_H
#define HCCT_DECODER_COMMANDS_QUERY_OPTIONS_H

#include <stdbool.h>

#include "decoder/commands/command.h"
#include "decoder/commands/options.h"
#include "decoder/names/symbol.h"
#include "decoder/query/query.h"

struct hcct_query_options {
    struct hcct_query query;
    int value; /* enum hcct_heap_value */
    bool value_given;
    const char *phase; /* NULL: the whole run */
    enum hcct_names names;
    bool names_given;
    uint64_t top_count; /* --top; 0: all, or not given */
    bool top_given;
    const char *output; /* NULL: standard output */
    bool force;
};

/* Takes an option of HCCT_IN_SHOWING. False: it was refused, with a message. */
bool hcct_query_take(struct hcct_query_options *options, enum hcct_option option, const char *argument);

#endif
