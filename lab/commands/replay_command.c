/* hcct-lab replay: runs the calls of a trace through an algorithm, and writes a profile. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "format/names.h"
#include "lab/commands/commands.h"
#include "lab/replay/replay.h"
#include "lab/stream/algorithm.h"

static const char usage[] =
    "Usage: hcct-lab replay [options] TRACE\n"
    "Make the profile that the traced run (HCCT_OPTIONS=trace=TRACE) would have left with these options.\n"
    "\n"
    "  --mode=MODE             hcct (default): the hot contexts; cct: every context, exactly\n"
    "  --algorithm=NAME        the streaming algorithm (space-saving)\n"
    "  --phi=X                 a context is hot with at least this share of the calls (1e-4)\n"
    "  --epsilon=X             the share of the calls by which a count may be too high (phi/5)\n"
    "  --burst=LENGTH/INTERVAL count the first LENGTH of each INTERVAL calls of a thread\n"
    "  --sample=KIND[/PERIOD]  count one of PERIOD (1009) calls, and let it stand for them; KIND: calls, of "
    "a\n"
    "                          thread; calls-per-function, and all of the first ones\n"
    "  --facts                 print the sizes of trees and tables, as JSON\n"
    "  -o, --output=FILE       where the profile goes (ids.bin; -: standard output)\n"
    "  -h, --help              print this and exit\n"
    "  -V, --version           print the versions and exit\n";

enum { MODE = 256, ALGORITHM, PHI, EPSILON, BURST, SAMPLE, FACTS };

static const struct option long_options[] = {
    { "mode", required_argument, NULL, MODE },
    { "algorithm", required_argument, NULL, ALGORITHM },
    { "phi", required_argument, NULL, PHI },
    { "epsilon", required_argument, NULL, EPSILON },
    { "burst", required_argument, NULL, BURST },
    { "sample", required_argument, NULL, SAMPLE },
    { "facts", no_argument, NULL, FACTS },
    { "output", required_argument, NULL, 'o' },
    { "help", no_argument, NULL, 'h' },
    { "version", no_argument, NULL, 'V' },
    { NULL, 0, NULL, 0 },
};

struct command {
    struct hcct_replay_options options;
    const char *output;
    bool is_exact, prints_facts;
};

static bool take_burst(struct hcct_replay_options *options, const char *text)
{
    char *slash, *end;
    uint64_t length = strtoull(text, &slash, 10);
    uint64_t interval = *slash == '/' ? strtoull(slash + 1, &end, 10) : 0;
    bool good = *text >= '0' && *text <= '9' && interval && !*end && slash[1] >= '0' && slash[1] <= '9' &&
                length && interval % length == 0 && interval / length <= UINT32_MAX;
    options->burst_length = length;
    options->burst_interval = interval;
    return good || hcct_command_refuse("burst", text);
}

static bool take_sample(struct hcct_replay_options *options, const char *text)
{
    const char *const kinds[] = { "calls", "calls-per-function" };
    const char *slash = strchrnul(text, '/');
    char *end;
    for (size_t i = 0; i < 2; i++) {
        if (strlen(kinds[i]) != (size_t)(slash - text) || strncmp(text, kinds[i], (size_t)(slash - text)))
            continue;
        options->per_function = i;
        options->sample_period = *slash ? strtoull(slash + 1, &end, 10) : 1009;
        bool good = !*slash || (slash[1] >= '0' && slash[1] <= '9' && !*end);
        if (good && options->sample_period && options->sample_period <= 1000000)
            return true;
    }
    return hcct_command_refuse_but("sample", text, "calls or calls-per-function, and /PERIOD up to 1000000");
}

static bool take_algorithm(struct hcct_replay_options *options, const char *text)
{
    static const char *const names[] = {
#define HCCT_ALGORITHM(symbol, name) name,
#include "format/names.def"
        NULL
    };
    int place;
    if (!hcct_command_word("algorithm", text, names, &place))
        return false;
    options->algorithm = hcct_algorithm_of((uint32_t)hcct_name_find(hcct_algorithm_names, text));
    return true;
}

static bool take_option(struct command *command, int option, const char *argument)
{
    struct hcct_replay_options *options = &command->options;
    int number;
    switch (option) {
    case MODE:
        if (!hcct_command_word("mode", argument, hcct_mode_names, &number))
            return false;
        command->is_exact = number == HCCT_MODE_CCT;
        return true;
    case ALGORITHM:
        return take_algorithm(options, argument);
    case PHI:
        return hcct_command_share("phi", argument, &options->phi);
    case EPSILON:
        return hcct_command_share("epsilon", argument, &options->epsilon);
    case BURST:
        return take_burst(options, argument);
    case SAMPLE:
        return take_sample(options, argument);
    case FACTS:
        return command->prints_facts = true;
    case 'o':
        command->output = argument;
        return true;
    default:
        return false;
    }
}

static bool check(struct command *command)
{
    struct hcct_replay_options *options = &command->options;
    const double least = 1e-6; /* as in the runtime: 1 million counters */
    if (!command->is_exact && options->phi < least)
        return hcct_command_complain("--phi", "is at least 1e-6");
    if (!options->epsilon)
        options->epsilon = options->phi / 5;
    if (!command->is_exact && options->epsilon < least)
        return hcct_command_complain("--epsilon", "is at least 1e-6");
    if (!command->is_exact && options->phi < options->epsilon)
        return hcct_command_complain("--phi", "is at least epsilon");
    if (options->burst_length && options->sample_period)
        return hcct_command_complain("--burst", "does not go with --sample");
    if (command->is_exact)
        options->algorithm = NULL;
    if (command->prints_facts && !strcmp(command->output, "-"))
        return hcct_command_complain("--facts", "does not go with --output=-");
    return true;
}

static void print_facts(const struct hcct_replay_facts *facts)
{
    printf("{\"calls\": %" PRIu64 ", \"counted\": %" PRIu64 ", \"contexts\": %" PRIu64
           ", \"cct_nodes\": %" PRIu64 ", \"monitored\": %" PRIu64 ", \"nodes\": %" PRIu64
           ", \"peak_nodes\": %" PRIu64 ", \"algorithm_bytes\": %" PRIu64 "}\n",
           facts->calls, facts->counted, facts->contexts, facts->cct_nodes, facts->monitored, facts->nodes,
           facts->peak_nodes, facts->algorithm_bytes);
}

static enum hcct_command_status replay(const struct command *command, const char *name)
{
    struct hcct_command_file file = { .name = name };
    struct hcct_replay_facts facts;
    struct hcct_trace trace;
    struct hcct_error error;
    size_t length;
    enum hcct_command_status status = HCCT_COMMAND_BAD;
    if (!hcct_command_read(&file, hcct_trace_wanted_bytes))
        return status;
    if (!hcct_trace_open(&trace, file.bytes, file.length, &error)) {
        hcct_command_complain_about(name, &error);
        hcct_command_close(&file);
        return status;
    }
    if (trace.left_out)
        fprintf(stderr, "hcct-lab: %s: %" PRIu64 " calls at its end were not recorded\n", name,
                trace.left_out);
    unsigned char *bytes = hcct_replay(&trace, &command->options, &facts, &length, &error);
    FILE *out = bytes ? hcct_command_create(command->output) : NULL;
    if (!bytes)
        hcct_command_complain_about(name, &error);
    if (out) {
        fwrite(bytes, 1, length, out);
        status = hcct_command_finish(out, command->output);
    }
    if (status == HCCT_COMMAND_DONE && command->prints_facts) {
        print_facts(&facts);
        status = hcct_command_finish(stdout, NULL);
    }
    free(bytes);
    hcct_trace_close(&trace);
    hcct_command_close(&file);
    return status;
}

enum hcct_command_status hcct_lab_replay(int argc, char **argv)
{
    struct command command = { .options = { .algorithm = &hcct_space_saving, .phi = 1e-4 },
                               .output = "ids.bin" };
    for (int option; (option = hcct_command_option(argc, argv, "o:hV", long_options, NULL)) != -1;) {
        if (option == 'h')
            return hcct_command_help(usage);
        if (option == 'V')
            return hcct_command_version();
        if (!take_option(&command, option, optarg))
            return hcct_command_usage();
    }
    if (optind + 1 != argc)
        fprintf(stderr, "hcct-lab: name one trace, which HCCT_OPTIONS=trace=FILE made\n");
    if (optind + 1 != argc || !check(&command) || !hcct_command_leaves(command.output, argv[optind]))
        return hcct_command_usage();
    return replay(&command, argv[optind]);
}
