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
    "Make a profile of the traced run (HCCT_OPTIONS=trace=TRACE) with these options; each call is an "
    "update.\n"
    "\n"
    "  --mode=MODE             hcct (default): the hot contexts; cct: every context, exactly\n"
    "  --algorithm=NAME        the streaming algorithm (space-saving)\n"
    "  --phi=X                 a context is hot with at least this share of the calls (1e-4)\n"
    "  --epsilon=X             the share of the calls by which a count may be too high (phi/5)\n"
    "  --burst=LENGTH/INTERVAL count the first LENGTH of each INTERVAL calls of a thread; with us behind "
    "it,\n"
    "                          of its time in microseconds\n"
    "  --one-in=K              a burst that begins in a context where one began before: count one of K\n"
    "  --sample=KIND/PERIOD    count one of PERIOD calls, and let it stand for them; KIND: calls, of a "
    "thread;\n"
    "                          calls-per-function; time, the call after each PERIOD microseconds\n"
    "  --frames=K              a sample counts for the calls of its K newest frames (1; all: any number) "
    "that\n"
    "                          are new since the sample before\n"
    "  --facts                 print the sizes of trees and tables, as JSON\n"
    "  -o, --output=FILE       where the profile goes (replayed.bin; -: standard output)\n"
    "  -h, --help              print this and exit\n"
    "  -V, --version           print the versions and exit\n";

enum { MODE = 256, ALGORITHM, PHI, EPSILON, BURST, ONE_IN, SAMPLE, FRAMES, FACTS };

static const struct option long_options[] = {
    { "mode", required_argument, NULL, MODE },
    { "algorithm", required_argument, NULL, ALGORITHM },
    { "phi", required_argument, NULL, PHI },
    { "epsilon", required_argument, NULL, EPSILON },
    { "burst", required_argument, NULL, BURST },
    { "one-in", required_argument, NULL, ONE_IN },
    { "sample", required_argument, NULL, SAMPLE },
    { "frames", required_argument, NULL, FRAMES },
    { "facts", no_argument, NULL, FACTS },
    { "output", required_argument, NULL, 'o' },
    { "help", no_argument, NULL, 'h' },
    { "version", no_argument, NULL, 'V' },
    { NULL, 0, NULL, 0 },
};

struct command {
    struct hcct_replay_options options;
    const char *output;
    bool is_exact, prints_facts, is_burst, is_sample;
};

/* A number from 1 to `most`, up to *end. */
static bool take_number(const char *text, uint64_t most, uint64_t *number, char **end)
{
    *number = strtoull(text, end, 10);
    return *text >= '0' && *text <= '9' && *number && *number <= most;
}

static bool take_burst(struct hcct_sampling_options *options, const char *text)
{
    char *at;
    bool good = take_number(text, UINT32_MAX, &options->length, &at) && *at == '/' &&
                take_number(at + 1, UINT32_MAX, &options->interval, &at) &&
                options->interval % options->length == 0;
    options->kind = HCCT_SAMPLING_BURSTS;
    options->in_ns = good && !strcmp(at, "us");
    options->length *= options->in_ns ? 1000 : 1;
    options->interval *= options->in_ns ? 1000 : 1;
    return (good && (options->in_ns || !*at)) || hcct_command_refuse("burst", text);
}

static bool take_sample(struct hcct_sampling_options *options, const char *text)
{
    static const char *const kinds[] = { "calls/", "calls-per-function/", "time/" };
    for (size_t i = 0; i < 3; i++) {
        size_t length = strlen(kinds[i]);
        char *end;
        if (strncmp(text, kinds[i], length) != 0 ||
            !take_number(text + length, 1000000, &options->interval, &end) || *end)
            continue;
        options->kind = HCCT_SAMPLING_CALLS + (enum hcct_sampling_kind)i;
        if (options->kind == HCCT_SAMPLING_TIME)
            options->interval *= 1000;
        else if (options->interval == 1)
            options->kind = HCCT_SAMPLING_NONE;
        return true;
    }
    return hcct_command_refuse_but("sample", text,
                                   "calls, calls-per-function or time, and /PERIOD up to 1000000");
}

static bool take_frames(struct hcct_replay_options *options, const char *text)
{
    char *end;
    uint64_t frames = UINT32_MAX;
    bool good = !strcmp(text, "all") || (take_number(text, UINT32_MAX, &frames, &end) && !*end);
    options->frames = (uint32_t)frames;
    return good || hcct_command_refuse("frames", text);
}

static bool take_one_in(struct hcct_sampling_options *options, const char *text)
{
    char *end;
    return (take_number(text, 1000000, &options->one_in, &end) && !*end) ||
           hcct_command_refuse("one-in", text);
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
        command->is_burst = true;
        return take_burst(&options->sampling, argument);
    case ONE_IN:
        return take_one_in(&options->sampling, argument);
    case SAMPLE:
        command->is_sample = true;
        return take_sample(&options->sampling, argument);
    case FRAMES:
        return take_frames(options, argument);
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
    if (command->is_burst && command->is_sample)
        return hcct_command_complain("--burst", "does not go with --sample");
    if (options->sampling.one_in && !command->is_burst)
        return hcct_command_complain("--one-in", "goes with --burst");
    if (options->frames > 1 && !command->is_sample)
        return hcct_command_complain("--frames", "goes with --sample");
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
    struct command command = { .options = { .algorithm = &hcct_space_saving, .phi = 1e-4, .frames = 1 },
                               .output = "replayed.bin" };
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
