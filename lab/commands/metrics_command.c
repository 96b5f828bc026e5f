/* hcct-lab metrics: options and files; lab/metrics does the rest. Both files are read and checked before
 * anything is printed. */
#include <stdlib.h>
#include <string.h>

#include "lab/commands/commands.h"
#include "lab/metrics/metrics.h"
#include "lab/metrics/print.h"

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_SVG };

struct command {
    struct hcct_metrics_options options;
    enum format format;
    const char *output; /* NULL: stdout */
};

static const char usage[] =
    "Usage: hcct-lab metrics [options] EXACT HOT\n"
    "How well the profile HOT stands for the profile EXACT (mode=cct) of the same program: degree of "
    "overlap,\n"
    "hot edge coverage, errors, as in D'Elia et al. 2015. A file may be - for standard input.\n"
    "\n"
    "  --phi=X            a context is hot with at least this share of its file's calls (default: HOT's "
    "phi)\n"
    "  --tau=X,...        shares of the hottest context for the hot edge coverage\n"
    "                     (0.01,0.025,0.05,0.1,0.25,0.5)\n"
    "  --low              take HOT's counts less their errors, hot from phi - epsilon on\n"
    "  --format=FORMAT    text (default), json, svg\n"
    "  --force            compare files of different builds, by function and line\n"
    "  -o, --output=FILE  write to FILE (-: standard output)\n"
    "  -h, --help         print this and exit\n"
    "  -V, --version      print the versions and exit\n";

enum option_value { PHI = 256, TAU, LOW, FORMAT, FORCE };

static const struct option long_options[] = {
    { "phi", required_argument, NULL, PHI },
    { "tau", required_argument, NULL, TAU },
    { "low", no_argument, NULL, LOW },
    { "format", required_argument, NULL, FORMAT },
    { "force", no_argument, NULL, FORCE },
    { "output", required_argument, NULL, 'o' },
    { "help", no_argument, NULL, 'h' },
    { "version", no_argument, NULL, 'V' },
    { NULL, 0, NULL, 0 },
};

static bool take_tau(struct hcct_metrics_options *options, const char *list)
{
    options->tau_count = 0;
    for (const char *at = list, *end; at; at = *end ? end + 1 : NULL) {
        char one[32] = "";
        end = strchrnul(at, ',');
        if ((size_t)(end - at) < sizeof one)
            memcpy(one, at, (size_t)(end - at));
        if (options->tau_count == HCCT_METRICS_TAU_LIMIT || !*one)
            return hcct_command_refuse("tau", list);
        if (!hcct_command_share("tau", one, &options->tau[options->tau_count++]))
            return false;
    }
    return true;
}

static bool take_format(enum format *format, const char *text)
{
    static const char *const words[] = { "text", "json", "svg", NULL };
    int word;
    if (!hcct_command_word("format", text, words, &word))
        return false;
    *format = (enum format)word;
    return true;
}

static bool take_option(struct command *command, int option, const char *argument)
{
    switch (option) {
    case PHI:
        return hcct_command_share("phi", argument, &command->options.phi);
    case TAU:
        return take_tau(&command->options, argument);
    case LOW:
        return command->options.low = true;
    case FORMAT:
        return take_format(&command->format, argument);
    case FORCE:
        return command->options.force = true;
    case 'o':
        command->output = hcct_command_output(argument);
        return true;
    default:
        return false;
    }
}

static void print(FILE *out, const struct command *command, const struct hcct_metrics *metrics,
                  const char *exact, const char *hot)
{
    switch (command->format) {
    case FORMAT_JSON:
        hcct_metrics_print_json(out, metrics, &command->options);
        break;
    case FORMAT_SVG:
        hcct_metrics_print_svg(out, metrics, &command->options, exact, hot);
        break;
    default:
        hcct_metrics_print_text(out, metrics, &command->options, exact, hot);
    }
}

static enum hcct_command_status compare(const struct command *command, struct hcct_command_file *exact,
                                        struct hcct_command_file *hot)
{
    struct hcct_metrics metrics;
    struct hcct_error error;
    /* If recursion is folded in one of them, contexts meet only if it is in both. */
    exact->profile.folded = hot->profile.folded = exact->profile.folded || hot->profile.folded;
    if (!hcct_metrics_find(&exact->profile, &hot->profile, &command->options, &metrics, &error)) {
        hcct_command_complain_about(hot->name, &error);
        return HCCT_COMMAND_BAD;
    }
    if (!metrics.exact_is_exact)
        hcct_command_complain(exact->name,
                              "warning: its counts are estimates (record it with HCCT_OPTIONS=mode=cct)");
    FILE *out = hcct_command_create(command->output);
    if (!out)
        return HCCT_COMMAND_BAD;
    print(out, command, &metrics, exact->name, hot->name);
    return hcct_command_finish(out, command->output);
}

enum hcct_command_status hcct_lab_metrics(int argc, char **argv)
{
    struct command command = {
        .options = { .phi = -1, .tau = { 0.01, 0.025, 0.05, 0.1, 0.25, 0.5 }, .tau_count = 6 },
    };
    for (int option; (option = hcct_command_option(argc, argv, "o:hV", long_options, NULL)) != -1;) {
        if (option == 'h')
            return hcct_command_help(usage);
        if (option == 'V')
            return hcct_command_version();
        if (!take_option(&command, option, optarg))
            return hcct_command_usage();
    }
    if (argc - optind != 2) {
        fputs("hcct-lab: name two profiles\n", stderr);
        return hcct_command_usage();
    }
    struct hcct_command_file files[2] = { { .name = argv[optind] }, { .name = argv[optind + 1] } };
    enum hcct_command_status status = HCCT_COMMAND_BAD;
    if (!hcct_command_leaves(command.output, files[0].name) ||
        !hcct_command_leaves(command.output, files[1].name))
        return hcct_command_usage();
    if (hcct_command_open(&files[0]) && hcct_command_open(&files[1]))
        status = compare(&command, &files[0], &files[1]);
    hcct_command_close(&files[0]);
    hcct_command_close(&files[1]);
    return status;
}
