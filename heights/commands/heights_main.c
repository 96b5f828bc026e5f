/* The command hcct-heights: call paths inferred from stack heights, without any instruction of ours in the
 * program that is measured (docs/heights.md). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "decoder/commands/command.h"
#include "decoder/commands/options.h"
#include "heights/infer/infer_pack.h"
#include "heights/infer/perf.h"
#include "heights/infer/precision.h"
#include "heights/plan/plan.h"
#include "heights/plan/refine.h"

const char hcct_command_name[] = "hcct-heights";

static const char usage[] =
    "Usage: hcct-heights sites PROGRAM\n"
    "       hcct-heights report [--train=PROFILE] PROGRAM PROFILE\n"
    "       hcct-heights plan [-o FILE] [--refine=PLAN] PROGRAM PROFILE\n"
    "       hcct-heights infer [-o FILE] PROGRAM PROFILE SAMPLES\n"
    "Call paths inferred from the height of the stack, for programs that are not instrumented.\n"
    "\n"
    "sites    lists where PROGRAM calls, and the bytes that the caller's frame has there\n"
    "report   how many call paths of PROFILE the pair of function and height tells in PROGRAM\n"
    "plan     writes which frames to enlarge, which tail calls to give up and which calls to wrap, so that\n"
    "         more paths are told, for HCCT_HEIGHTS=PLAN hcct-cc\n"
    "infer    writes a profile of the call paths that SAMPLES of PROGRAM are of, for hcct-decode\n"
    "\n"
    "PROFILE is of the same program, built by hcct-cc, run with HCCT_OPTIONS=mode=cct. SAMPLES are\n"
    "what hcct-run --heights keeps, lines of PC HEIGHT [COUNT], or what is printed by\n"
    "perf script --no-demangle -F tid,ip,sym,symoff,uregs.\n";

struct job {
    const char *train, *output, *refined;
    bool json;
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
           add_profile(job, job->arguments[1], which) &&
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
            "that a path called, %.1f%% of no known path, %.1f%% of frames without a fixed size, "
            "%.1f%% of other code\n",
            all, percent(inferred->precise, all), percent(inferred->ambiguous, all),
            percent(inferred->unsure, all), percent(inferred->missing, all), percent(inferred->no_frame, all),
            percent(inferred->elsewhere, all));
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

static bool take_option(void *context, enum hcct_option option, char *argument)
{
    static const char *const formats[] = { "text", "json", NULL };
    struct job *job = context;
    int format;
    switch (option) {
    case HCCT_OPTION_OUTPUT:
        job->output = argument;
        return true;
    case HCCT_OPTION_TRAIN:
        job->train = argument;
        return true;
    case HCCT_OPTION_REFINE:
        job->refined = argument;
        return true;
    default: /* --format */
        if (!hcct_command_word("format", argument, formats, &format))
            return false;
        job->json = format == 1;
        return true;
    }
}

/* HCCT_HEIGHTS_PLAN: how far a plan goes, for the table of docs/heights.md. */
static bool read_steps(enum hcct_plan_steps *steps)
{
    static const char *const words[] = { "random", "frames", "tails", "calls", NULL };
    const char *told = getenv("HCCT_HEIGHTS_PLAN");
    int step = HCCT_PLAN_TO_CALLS;
    if (told)
        for (step = 0; words[step] && strcmp(words[step], told);)
            step++;
    *steps = (enum hcct_plan_steps)step;
    return words[step] || hcct_command_complain("HCCT_HEIGHTS_PLAN", "is random, frames, tails or calls");
}

int main(int argc, char **argv)
{
    struct job job = { .wish.steps = HCCT_PLAN_TO_CALLS };
    const struct hcct_command_line line = { HCCT_IN_HEIGHTS, usage, false, take_option, &job };
    int ended = hcct_options_read(&line, argc, argv);
    if (ended >= 0)
        return ended;
    if (!read_steps(&job.wish.steps))
        return HCCT_COMMAND_USAGE;
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
