/* See options.h. */
#include "decoder/commands/options.h"

#include <stdio.h>
#include <string.h>

#include "decoder/commands/command.h"
#include "decoder/report/formats/formats.h"

static const struct {
    char letter;
    const char *name, *value;
    unsigned commands;
    const char *help;
} options[] = {
#define HCCT_OPTION(symbol, letter, name, value, commands, help) { letter, name, value, commands, help },
#include "decoder/commands/options.def"
};

enum { COUNT = sizeof options / sizeof *options, FIRST = HCCT_OPTION_NONE + 1, INDENT = 21 };
enum { MANY = 20 }; /* options of a command that --help does not list all */

const char *hcct_option_name(enum hcct_option option)
{
    return options[option - FIRST].name;
}

static void print_option(FILE *out, int i)
{
    char name[64], letter[] = "-x, ";
    letter[1] = options[i].letter;
    bool may_lack = FIRST + i == HCCT_OPTION_HELP;
    int length = snprintf(name, sizeof name, "  %s--%s%s%s%s%s", options[i].letter ? letter : "",
                          options[i].name, may_lack ? "[" : "", options[i].value ? "=" : "",
                          options[i].value ? options[i].value : "", may_lack ? "]" : "");
    fprintf(out, "%s%*s", name, length < INDENT - 1 ? INDENT - length : 2, "");
    for (const char *line = options[i].help; *line;) {
        size_t bytes = strcspn(line, "\n");
        fprintf(out, "%.*s\n", (int)bytes, line);
        line += bytes + (line[bytes] == '\n');
        if (*line)
            fprintf(out, "%*s", INDENT, "");
    }
}

static enum hcct_command_status print_help(const struct hcct_command_line *line, bool all)
{
    int count = 0;
    for (int i = 0; i < COUNT; i++)
        count += (options[i].commands & line->command) != 0;
    bool often = !all && count > MANY;
    fprintf(stdout, "%s\n", line->usage);
    for (int i = 0; i < COUNT; i++) {
        if (!(options[i].commands & line->command) || (often && !(options[i].commands & HCCT_OFTEN)))
            continue;
        if (options[i].help)
            print_option(stdout, i);
        else
            hcct_formats_help(stdout);
    }
    if (often)
        fprintf(stdout, "\nThese are what most people need; --help=all lists all %d.\n", count);
    return hcct_command_finish(stdout, NULL);
}

/* As getopt_long takes them. */
static void make_tables(const struct hcct_command_line *line, struct option table[COUNT + 1],
                        char letters[2 * COUNT + 2])
{
    if (line->is_program)
        *letters++ = '+';
    for (int i = 0; i < COUNT; i++) {
        if (!(options[i].commands & line->command))
            continue;
        int takes = !options[i].value               ? no_argument
                    : FIRST + i == HCCT_OPTION_HELP ? optional_argument
                                                    : required_argument;
        *table++ = (struct option){ options[i].name, takes, NULL, FIRST + i };
        if (options[i].letter)
            *letters++ = options[i].letter;
        if (options[i].letter && takes == required_argument)
            *letters++ = ':';
    }
    *table = (struct option){ NULL, 0, NULL, 0 };
    *letters = 0;
}

/* A letter as the option that it stands for. */
static enum hcct_option find(int option)
{
    for (int i = 0; i < COUNT; i++)
        if (options[i].letter == option)
            return (enum hcct_option)(FIRST + i);
    return (enum hcct_option)option;
}

bool hcct_options_is_own(enum hcct_command_bit command, const char *text)
{
    for (int i = 0; i < COUNT; i++) {
        size_t length = strlen(options[i].name);
        if (options[i].commands == command && !strncmp(text, "--", 2) &&
            !strncmp(text + 2, options[i].name, length) && text[2 + length] == (options[i].value ? '=' : 0))
            return true;
    }
    return false;
}

int hcct_options_read(const struct hcct_command_line *line, int argc, char **argv)
{
    struct option table[COUNT + 1];
    char letters[2 * COUNT + 2];
    make_tables(line, table, letters);
    for (int given; (given = hcct_command_option(argc, argv, letters, table, NULL)) != -1;) {
        enum hcct_option option = find(given);
        if (option == HCCT_OPTION_HELP && optarg && strcmp(optarg, "all") != 0) {
            hcct_command_refuse_but("help", optarg, "all");
            return hcct_command_usage();
        }
        if (option == HCCT_OPTION_HELP)
            return print_help(line, optarg);
        if (option == HCCT_OPTION_VERSION)
            return hcct_command_version();
        if (given == '?' || !line->take(line->context, option, optarg))
            return hcct_command_usage();
    }
    return -1;
}
