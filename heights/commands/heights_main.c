/* The command hcct-heights: call paths inferred from stack heights, without any instruction of ours in the
 * program that is measured (docs/heights.md). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/commands/command.h"
#include "heights/infer/infer_pack.h"
#include "heights/infer/perf.h"
#include "heights/plan/plan.h"
#include "heights/plan/refine.h"
#include "heights/infer/precision.h"
#include "heights/infer/search.h"

const char hcct_command_name[] = "hcct-heights";

static const char usage[] =
    "Usage: hcct-heights sites PROGRAM\n"
    "       hcct-heights report [--train=PROFILE] PROGRAM PROFILE\n"
    "       hcct-heights plan [-o FILE] [--method=METHOD] PROGRAM PROFILE\n"
    "       hcct-heights infer [-o FILE] [--search] PROGRAM PROFILE SAMPLES\n"
    "Call paths inferred from the height of the stack, for programs that are not instrumented.\n"
    "\n"
    "sites    lists where PROGRAM calls, and the bytes that the caller's frame has there\n"
    "report   how many call paths of PROFILE the pair of function and height tells in PROGRAM\n"
    "plan     writes which frames to enlarge, which tail calls to give up, which calls to wrap and which\n"
    "         functions to copy, so that more paths are told, for HCCT_HEIGHTS=PLAN hcct-cc\n"
    "infer    writes a profile of the call paths that SAMPLES of PROGRAM are of, for hcct-decode\n"
    "\n"
    "PROFILE is of the same program, built by hcct-cc, run with HCCT_OPTIONS=mode=cct. SAMPLES are\n"
    "what hcct-run --heights keeps, lines of PC HEIGHT [COUNT], or what is printed by\n"
    "perf script --no-demangle -F tid,ip,sym,symoff,uregs.\n"
    "\n"
    "  --train=PROFILE    the paths that are known, of a run with another input\n"
    "  --method=METHOD    how to plan: numbering (default), random\n"
    "  --keep-tail-calls  plan: larger frames only\n"
    "  --keep-calls       plan: wrap no calls, copy no functions\n"
    "  --keep-callees     plan: copy no functions\n"
    "  --refine=PLAN      plan: PROGRAM was built by PLAN, which is made better\n"
    "  --search           infer: search the program's calls for paths that PROFILE lacks; PROFILE may be -\n"
    "  --format=FORMAT    text (default), json\n"
    "  -o, --output=FILE  write there (infer: inferred.bin)\n"
    "  -h, --help         print this and exit\n"
    "  -V, --version      print the versions and exit\n";

enum { TRAIN = 256, FORMAT, METHOD, KEEP_TAIL_CALLS, KEEP_CALLS, KEEP_CALLEES, REFINE, SEARCH };

static const struct option long_options[] = {
    { "train", required_argument, NULL, TRAIN },
    { "method", required_argument, NULL, METHOD },
    { "keep-tail-calls", no_argument, NULL, KEEP_TAIL_CALLS },
    { "keep-calls", no_argument, NULL, KEEP_CALLS },
    { "keep-callees", no_argument, NULL, KEEP_CALLEES },
    { "refine", required_argument, NULL, REFINE },
    { "search", no_argument, NULL, SEARCH },
    { "format", required_argument, NULL, FORMAT },
    { "output", required_argument, NULL, 'o' },
    { "help", no_argument, NULL, 'h' },
    { "version", no_argument, NULL, 'V' },
    { NULL, 0, NULL, 0 },
};

struct job {
    const char *train, *output, *refined;
    bool json, searches;
    struct hcct_plan_wish wish;
    char **arguments;
    int argument_count;
    struct hcct_stack_binary binary;
    struct hcct_stack_paths paths;
    struct hcct_stack_samples samples;
};

/* Opens the program, and the samples if there are any. - is the program that the samples name. */
static bool open_binary(struct job *job)
{
    const char *name = job->arguments[0], *problem = NULL;
    if (job->argument_count == 3 && (problem = hcct_stack_samples_open(&job->samples, job->arguments[2])))
        return hcct_command_complain(job->arguments[2], problem);
    if (!strcmp(name, "-") && *job->samples.program)
        name = job->samples.program;
    problem = hcct_stack_open(&job->binary, name);
    return !problem || hcct_command_complain(name, problem);
}

/* --- sites ----------------------------------------------------------------------------------------- */

static void print_site(const struct hcct_stack_binary *binary, const struct hcct_stack_call *call, FILE *out)
{
    fprintf(out, "%#" PRIx64 " %s ", call->at, binary->functions[call->caller].name);
    if (call->height == HCCT_HEIGHT_UNKNOWN)
        fprintf(out, "? ");
    else
        fprintf(out, "%" PRId64 " ", call->height);
    fprintf(out, "%s %s\n", hcct_stack_kind_names[call->kind],
            call->callee == HCCT_STACK_NONE ? "-" : binary->functions[call->callee].name);
}

static enum hcct_command_status sites(struct job *job, FILE *out)
{
    for (uint32_t i = 0; i < job->binary.call_count; i++)
        print_site(&job->binary, &job->binary.calls[i], out);
    return HCCT_COMMAND_DONE;
}

/* --- report ---------------------------------------------------------------------------------------- */

static bool add_profile(struct job *job, const char *name, int which)
{
    struct hcct_command_file file = { .name = name };
    bool done = hcct_command_open(&file);
    if (done && file.profile.run->mode != HCCT_MODE_CCT)
        fprintf(stderr, "hcct-heights: %s has the hot call paths only: run with HCCT_OPTIONS=mode=cct\n",
                name);
    if (done && !hcct_paths_add(&job->paths, &file.profile, which))
        done = hcct_command_complain(name, "out of memory");
    hcct_command_close(&file);
    return done;
}

/* Reads the profile, and the training's if there is one. */
static bool open_paths(struct job *job)
{
    int which = job->train ? HCCT_PATHS_TESTED : HCCT_PATHS_TRAINING;
    if (!hcct_paths_open(&job->paths, &job->binary))
        return hcct_command_complain("memory", "exhausted");
    return (!job->train || add_profile(job, job->train, HCCT_PATHS_TRAINING)) &&
           ((job->searches && !strcmp(job->arguments[1], "-")) ||
            add_profile(job, job->arguments[1], which)) &&
           (hcct_paths_measure(&job->paths) || hcct_command_complain("memory", "exhausted"));
}

static enum hcct_command_status report(struct job *job, FILE *out)
{
    struct hcct_precision precision;
    if (!open_paths(job))
        return HCCT_COMMAND_BAD;
    hcct_precision_count(&job->paths, job->train ? HCCT_PATHS_TESTED : HCCT_PATHS_TRAINING, &precision);
    if (job->json)
        hcct_precision_print_json(&precision, out);
    else
        hcct_precision_print(&precision, out);
    return HCCT_COMMAND_DONE;
}

/* --- plan ------------------------------------------------------------------------------------------ */

static enum hcct_command_status plan(struct job *job, FILE *out)
{
    struct hcct_plan found = { .bytes = NULL };
    struct hcct_plan_lines old = { .count = 0 };
    const char *problem = job->refined ? hcct_refine_open(&old, job->refined) : NULL;
    bool done = problem ? hcct_command_complain(job->refined, problem) : open_paths(job);
    job->wish.old = job->refined ? &old : NULL;
    if (done && !hcct_plan_search(&found, &job->paths, &job->wish))
        done = hcct_command_complain("memory", "exhausted");
    if (done)
        hcct_plan_print(&found, &job->paths, out);
    hcct_plan_free(&found);
    hcct_refine_close(&old);
    return done ? HCCT_COMMAND_DONE : HCCT_COMMAND_BAD;
}

/* --- infer ----------------------------------------------------------------------------------------- */

static double percent(uint64_t part, uint64_t whole)
{
    return whole ? 100 * (double)part / (double)whole : 0;
}

static void say_classes(const struct hcct_inferred *inferred)
{
    uint64_t all = inferred->taken;
    fprintf(stderr,
            "hcct-heights: of %" PRIu64
            " samples %.1f%% are of one path, %.1f%% of several, %.1f%% of libraries "
            "that a path called, %.1f%% of paths that were searched, %.1f%% of no known path, %.1f%% of "
            "frames without a fixed size, %.1f%% of "
            "other code\n",
            all, percent(inferred->precise, all), percent(inferred->ambiguous, all),
            percent(inferred->unsure, all), percent(inferred->searched, all), percent(inferred->missing, all),
            percent(inferred->no_frame, all), percent(inferred->elsewhere, all));
}

static enum hcct_command_status infer(struct job *job, FILE *out)
{
    struct hcct_inferred inferred = { 0 };
    unsigned char *bytes = NULL;
    size_t length = 0;
    if (!*job->samples.program)
        snprintf(job->samples.program, sizeof job->samples.program, "%s", job->arguments[0]);
    bool done = open_paths(job);
    if (done) {
        done = hcct_perf_place(&job->samples, &job->paths) &&
               (!job->searches || hcct_search(&job->paths, &job->samples)) &&
               hcct_infer(&inferred, &job->paths, &job->samples) &&
               (bytes = hcct_infer_pack(&inferred, &job->paths, &job->samples, &length));
        done = done || hcct_command_complain("memory", "exhausted");
    }
    if (done) {
        say_classes(&inferred);
        fwrite(bytes, 1, length, out);
    }
    free(bytes);
    hcct_infer_free(&inferred);
    return done ? HCCT_COMMAND_DONE : HCCT_COMMAND_BAD;
}

/* --- the command ----------------------------------------------------------------------------------- */

static const struct verb {
    const char *name;
    int argument_count;
    enum hcct_command_status (*run)(struct job *job, FILE *out);
} verbs[] = { { "sites", 1, sites }, { "report", 2, report }, { "plan", 2, plan }, { "infer", 3, infer } };

static enum hcct_command_status write_output(const struct job *job, const char *bytes, size_t length)
{
    FILE *out = hcct_command_create(job->output);
    if (!out)
        return HCCT_COMMAND_BAD;
    fwrite(bytes, 1, length, out);
    return hcct_command_finish(out, hcct_command_output_name(job->output));
}

/* The output may be one of the files that are read, and an old one is worth more than none. So it is written
 * when all of it is there. */
static enum hcct_command_status run(struct job *job, const struct verb *verb)
{
    enum hcct_command_status status = HCCT_COMMAND_BAD;
    char *bytes = NULL;
    size_t length = 0;
    if (open_binary(job)) {
        FILE *memory = open_memstream(&bytes, &length);
        if (memory)
            status = verb->run(job, memory);
        if (!memory || fclose(memory)) {
            hcct_command_complain("memory", "exhausted");
            status = HCCT_COMMAND_BAD;
        }
    }
    if (!status)
        status = write_output(job, bytes, length);
    free(bytes);
    hcct_paths_close(&job->paths);
    hcct_stack_close(&job->binary);
    hcct_stack_samples_close(&job->samples);
    return status;
}

/* Takes the option. False if its value is none. */
static bool take(struct job *job, int option)
{
    if (option == 'o')
        job->output = optarg;
    if (option == TRAIN)
        job->train = optarg;
    job->wish.keeps_tails |= option == KEEP_TAIL_CALLS;
    if (option == REFINE)
        job->refined = optarg;
    job->wish.keeps_calls |= option == KEEP_CALLS;
    job->wish.keeps_callees |= option == KEEP_CALLEES;
    job->searches |= option == SEARCH;
    if (option == FORMAT) {
        static const char *const formats[] = { "text", "json", NULL };
        int format;
        if (!hcct_command_word("format", optarg, formats, &format))
            return false;
        job->json = format == 1;
        return true;
    }
    if (option == METHOD) {
        static const char *const methods[] = {
            [HCCT_PLAN_NUMBERING] = "numbering", [HCCT_PLAN_RANDOM] = "random", NULL
        };
        int method;
        if (!hcct_command_word("method", optarg, methods, &method))
            return false;
        job->wish.method = method;
        return true;
    }
    return option != '?';
}

int main(int argc, char **argv)
{
    struct job job = { 0 };
    for (int option; (option = hcct_command_option(argc, argv, "o:hV", long_options, NULL)) != -1;) {
        if (option == 'h')
            return hcct_command_help(usage);
        if (option == 'V')
            return hcct_command_version();
        if (!take(&job, option))
            return hcct_command_usage();
    }
    const char *name = optind < argc ? argv[optind] : "";
    job.arguments = argv + optind + 1;
    job.argument_count = argc - optind - 1;
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (!strcmp(name, verbs[i].name) && job.argument_count == verbs[i].argument_count) {
            if (verbs[i].run == infer && !job.output)
                job.output = "inferred.bin";
            return run(&job, &verbs[i]);
        }
    fprintf(stderr,
            *name ? "hcct-heights: %s: no such command, or the wrong number of arguments\n"
                  : "hcct-heights: say what to do%s\n",
            name);
    return hcct_command_usage();
}
