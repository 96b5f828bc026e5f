/* The command line of the installed commands: one table of options (options.def), one loop. */
#ifndef HCCT_DECODER_COMMANDS_OPTIONS_H
#define HCCT_DECODER_COMMANDS_OPTIONS_H

#include <stdbool.h>

enum hcct_command_bit {
    HCCT_IN_DECODE = 1,
    HCCT_IN_RUN = 2,
    HCCT_IN_COMPARE = 4,
    HCCT_IN_TOP = 8,
    HCCT_IN_SHOWING = 15, /* those that show profiles */
    HCCT_IN_MERGE = 16,
    HCCT_IN_HEIGHTS = 32,
    HCCT_IN_ALL = 63,
    HCCT_OFTEN = 64 /* what most people need: --help of a command with many options says no others */
};

enum hcct_option {
    HCCT_OPTION_NONE = 255,
#define HCCT_OPTION(symbol, letter, name, value, commands, help) HCCT_OPTION_##symbol,
#include "decoder/commands/options.def"
};

struct hcct_command_line {
    enum hcct_command_bit command;
    const char *usage; /* what --help says above the options */
    bool is_program;   /* the first operand is a program, and what follows are its options */
    /* Takes an option. False after a complaint. */
    bool (*take)(void *context, enum hcct_option option, char *argument);
    void *context;
};

/* Takes the options, up to `optind`. --help and --version are done here. Returns the exit status if the
 * command ends with that, or else -1. */
int hcct_options_read(const struct hcct_command_line *line, int argc, char **argv);
/* Whether the text is an option that no other command has, with a value if it takes one. */
bool hcct_options_is_own(enum hcct_command_bit command, const char *text);
/* Its long name. */
const char *hcct_option_name(enum hcct_option option);

#endif
