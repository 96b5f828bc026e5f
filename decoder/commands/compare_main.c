/* The command hcct-compare: options and files; the library (compare/) does the rest. Exit status: 0 done, 1 a
 * file or the output is bad, 2 usage. Both files are read and checked before anything is printed. */
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/claim/words.h"
#include "decoder/commands/command.h"
#include "decoder/commands/query_options.h"
#include "decoder/compare/diff.h"
#include "decoder/compare/print/diff_flat.h"
#include "decoder/compare/print/diff_html.h"
#include "decoder/compare/print/diff_json.h"
#include "decoder/compare/print/diff_text.h"
#include "decoder/query/filter.h"
#include "decoder/text/terminal.h"
#include "format/error.h"

const char hcct_command_name[] = "hcct-compare";

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_HTML };

struct command {
    struct hcct_query_options query;
    enum format format;
    char *phases[2]; /* --phase=A,B with one file: both; else NULL */
};

#define TOP_TEXT 50

static const char usage[] =
    "Usage: hcct-compare [options] A B\n"
    "       hcct-compare --phase=A,B [options] FILE\n"
    "What changed between two runs, two builds or two phases of a program. A file may be - for standard "
    "input.\n" HCCT_CALLS_SAY "\n";

static bool take_format(enum format *format, const char *text)
{
    static const char *const words[] = { "text", "json", "html", NULL };
    int word;
    if (!hcct_command_word("format", text, words, &word))
        return false;
    *format = (enum format)word;
    return true;
}

/* With one file --phase names both phases. */
static bool take_phases(struct command *command)
{
    char *names = (char *)command->query.phase;
    char *comma = names ? strchr(names + 1, ',') : NULL; /* a name may begin with a comma */
    command->phases[0] = names;
    command->query.phase = NULL;
    return comma && comma[1];
}

/* Splits the argument in place, which getopt hands out as one of the program's own: at the first comma
 * between two phases of the profile. Names may have commas. Without such a comma at the first one. */
static void split_phases(struct command *command, const struct hcct_profile *profile)
{
    char *comma = strchr(command->phases[0] + 1, ',');
    for (char *at = comma; at; at = strchr(at + 1, ',')) {
        *at = '\0';
        bool fits =
            hcct_choice_has_phase(profile, command->phases[0]) && hcct_choice_has_phase(profile, at + 1);
        *at = ',';
        if (!fits)
            continue;
        comma = at;
        break;
    }
    *comma = '\0';
    command->phases[1] = comma + 1;
}

static bool take_option(void *context, enum hcct_option option, char *argument)
{
    struct command *command = context;
    return option == HCCT_OPTION_DIFF_FORMAT ? take_format(&command->format, argument)
                                             : hcct_query_take(&command->query, option, argument);
}

/* Complains about options that do not go together. */
static bool check_options(const struct command *command)
{
    const struct hcct_query *query = &command->query.query;
    if (command->format == FORMAT_HTML && command->query.top_given)
        fputs("hcct-compare: --top does not go with --format=html\n", stderr);
    else if (query->view != HCCT_VIEW_TREE && query->view != HCCT_VIEW_FLAT)
        fputs("hcct-compare: --view is tree or flat\n", stderr);
    else if (query->view == HCCT_VIEW_FLAT && command->format == FORMAT_HTML)
        fputs("hcct-compare: --view=flat is text or json\n", stderr);
    else
        return true;
    return false;
}

/* The page of two heap profiles has all values. */
static bool print_page(FILE *out, struct hcct_diff *diff, const struct hcct_profile *const profiles[2],
                       const struct hcct_diff_options *options, struct hcct_error *error)
{
    struct hcct_diff_values values;
    bool has_values = hcct_choice_has_values(profiles[0]) && hcct_choice_has_values(profiles[1]);
    if (has_values && !hcct_diff_values_make(&values, profiles, diff, options, error))
        return false;
    hcct_diff_print_html(out, diff, has_values ? &values : NULL, options->names);
    if (has_values)
        hcct_diff_values_free(&values);
    return true;
}

static struct hcct_choice choice_of(const struct command *command, int which)
{
    const struct hcct_query_options *query = &command->query;
    return (struct hcct_choice){ .phase = command->phases[which] ? command->phases[which] : query->phase,
                                 .value = query->value,
                                 .is_one_value = query->value_given };
}

static enum hcct_command_status diff_files(const struct command *command, const struct hcct_command_file *a,
                                           const struct hcct_command_file *b)
{
    const struct hcct_profile *const profiles[2] = { &a->profile, &b->profile };
    struct hcct_diff diff;
    struct hcct_error error;
    const struct hcct_query *query = &command->query.query;
    const struct hcct_diff_options options = {
        .query = query,
        .force = command->query.force,
        .choice = { choice_of(command, 0), choice_of(command, 1) },
        .names = command->query.names_given ? command->query.names : HCCT_NAMES_SHORT,
    };
    struct hcct_diff_text_options text = {
        .name = { command->phases[0] ? command->phases[0] : a->name,
                  command->phases[1] ? command->phases[1] : b->name },
        .names = options.names,
        .ellipsis = !strcmp(nl_langinfo(CODESET), "UTF-8") ? NULL : "...",
    };
    if (!hcct_diff_build(&diff, &a->profile, &b->profile, &options, &error)) {
        hcct_command_complain_about(b->name, &error);
        return HCCT_COMMAND_BAD;
    }
    FILE *out = hcct_command_create(command->query.output);
    bool done = out;
    text.width = out ? hcct_terminal_width(out) : 0;
    text.top_count =
        command->query.top_given || command->format == FORMAT_JSON ? command->query.top_count : TOP_TEXT;
    if (out && query->view == HCCT_VIEW_FLAT)
        hcct_diff_print_flat(out, &diff, &text, command->format == FORMAT_JSON);
    else if (out && command->format == FORMAT_JSON)
        hcct_diff_print_json(out, &diff, text.top_count);
    else if (out && command->format == FORMAT_HTML)
        done = print_page(out, &diff, profiles, &options, &error);
    else if (out)
        hcct_diff_print_text(out, &diff, &text);
    if (out && !done)
        hcct_command_complain("hcct-compare", error.message);
    hcct_diff_free(&diff);
    if (out && !done)
        hcct_command_discard(out);
    return done ? hcct_command_finish(out, command->query.output) : HCCT_COMMAND_BAD;
}

static bool check_choice(const struct command *command, const struct hcct_command_file *file, int which)
{
    struct hcct_error error;
    struct hcct_choice choice = choice_of(command, which);
    return hcct_choice_column(&file->profile, &choice, &error) ||
           hcct_command_complain_about(file->name, &error);
}

static bool open_both(struct command *command, struct hcct_command_file files[2])
{
    for (int i = 0; i < 2; i++) {
        if (!hcct_command_open(&files[i]))
            return false;
        if (command->phases[0] && !i)
            split_phases(command, &files[i].profile);
        if (!check_choice(command, &files[i], i))
            return false;
    }
    /* If recursion is folded in one of them, contexts meet only if it is in both. */
    bool is_folded = files[0].profile.folded || files[1].profile.folded;
    for (int i = 0; i < 2; i++)
        files[i].profile.folded = is_folded;
    return true;
}

int main(int argc, char **argv)
{
    struct command command = { .format = FORMAT_TEXT };
    const struct hcct_command_line line = { HCCT_IN_COMPARE, usage, false, take_option, &command };
    setlocale(LC_CTYPE, "");
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is seen as EPIPE */
    int ended = hcct_options_read(&line, argc, argv);
    if (ended >= 0)
        return ended;
    if (!check_options(&command))
        return hcct_command_usage();
    int given = argc - optind;
    if (given != 2 && (given != 1 || !strcmp(argv[optind], "-") || !take_phases(&command))) {
        fputs("hcct-compare: name two files, or one with --phase=A,B\n", stderr);
        return hcct_command_usage();
    }
    for (int i = optind; i < argc; i++)
        if (!hcct_command_leaves(command.query.output, argv[i]))
            return hcct_command_usage();
    struct hcct_command_file files[2] = { { .name = argv[optind] }, { .name = argv[argc - 1] } };
    enum hcct_command_status status = HCCT_COMMAND_BAD;
    if (open_both(&command, files))
        status = diff_files(&command, &files[0], &files[1]);
    hcct_command_close(&files[0]);
    hcct_command_close(&files[1]);
    return status;
}
