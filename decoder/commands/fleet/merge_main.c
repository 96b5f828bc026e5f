/* The command hcct-merge: reads many profiles, one at a time, and writes one, or one for each group. Exit
 * status: 0 done, 1 a file or the output is bad, 2 usage. The output may be one of
 * the inputs (replace.h). */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "decoder/commands/command.h"
#include "decoder/commands/fleet/inputs.h"
#include "decoder/commands/fleet/merge_groups.h"
#include "decoder/commands/options.h"
#include "decoder/text/memory.h"

const char hcct_command_name[] = "hcct-merge";

static const char usage[] =
    "Usage: hcct-merge -o OUT [--by=WHAT] [--force] [--keep-going] FILE...\n"
    "Add up profiles of one program (of its processes, hosts, runs) into one profile; with --force of "
    "several.\n"
    "FILE may be a folder, for all files below it, a pattern in quotes, or - for standard input; OUT may be "
    "one\n"
    "of the files, or - for standard output.\n";

struct job {
    struct hcct_groups groups;
    char **names;
    char **inputs; /* all files */
    uint32_t input_count, capacity;
    bool keep_going;
    uint64_t added, left_out;
};

/* --- merging -------------------------------------------------------------------------------------- */

/* A file that is left out changes nothing: it is read and checked whole before it is added. One that is of
 * another build ends the merge even with --keep-going: it is no damage, but a wrong list. So does one that
 * there is no room for. */
static bool add_file(struct job *job, const char *name)
{
    struct hcct_command_file file = { .name = name, .leaves_rows = true };
    bool done = hcct_command_open(&file);
    if (!done && job->keep_going && !file.lacks_memory) {
        job->left_out++;
        done = true;
    } else if (done) {
        done = hcct_groups_add(&job->groups, &file);
        job->added++;
    }
    hcct_command_close(&file);
    return done;
}

static bool list_file(void *context, const char *name)
{
    struct job *job = context;
    hcct_memory_grow(&job->inputs, &job->capacity, job->input_count, sizeof *job->inputs);
    job->inputs[job->input_count++] = hcct_memory_got(strdup(name));
    return true;
}

static bool add_files(struct job *job, char *const *files)
{
    bool done = true;
    job->added = job->left_out = 0;
    for (uint32_t i = 0; done && i < job->input_count; i++)
        done = add_file(job, files[i]);
    return done;
}

static bool add_sorted(struct job *job)
{
    char **sorted = hcct_command_sorted(job->inputs, job->input_count);
    job->groups.tells_mismatch = false;
    bool done = add_files(job, sorted);
    free(sorted);
    if (!job->groups.mismatches)
        return done;
    hcct_groups_clear(&job->groups); /* which one that is depends on the order that the user sees */
    job->groups.tells_mismatch = true;
    add_files(job, job->inputs);
    return false;
}

static bool add_all(struct job *job)
{
    const struct hcct_inputs inputs = { list_file, job, job->groups.output };
    bool done = true;
    for (char **name = job->names; done && *name; name++)
        done = hcct_inputs_each(&inputs, *name);
    done = done && add_sorted(job);
    for (uint32_t i = 0; i < job->input_count; i++)
        free(job->inputs[i]);
    free(job->inputs);
    if (job->left_out)
        fprintf(stderr, "hcct-merge: left out %" PRIu64 " of %" PRIu64 " files\n", job->left_out,
                job->left_out + job->added);
    return done;
}

static enum hcct_command_status merge(struct job *job)
{
    if (!strcmp(job->groups.output, "-") && fcntl(STDOUT_FILENO, F_GETFD) < 0) {
        /* a file that is opened from here on would get its number */
        hcct_command_complain(hcct_command_output_name("-"), strerror(errno));
        return HCCT_COMMAND_BAD;
    }
    bool done = hcct_groups_open(&job->groups) && add_all(job);
    if (done && !job->groups.count)
        done = hcct_command_complain(job->groups.output, "there is no profile to merge");
    done = done && hcct_groups_write(&job->groups);
    for (uint32_t i = 0; done && job->groups.by && i < job->groups.count; i++)
        puts(job->groups.groups[i]->name);
    bool has_names = job->groups.by != HCCT_GROUPS_ONE; /* otherwise standard output may be the profile's */
    hcct_groups_close(&job->groups);
    enum hcct_command_status status = has_names ? hcct_command_finish(stdout, NULL) : HCCT_COMMAND_DONE;
    return done ? status : HCCT_COMMAND_BAD;
}

/* --- options -------------------------------------------------------------------------------------- */

static bool take_by(enum hcct_groups_by *by, const char *text)
{
    static const char *const words[] = { "host", "command", "build", NULL };
    int word;
    if (!hcct_command_word("by", text, words, &word))
        return false;
    *by = (enum hcct_groups_by)(HCCT_GROUPS_HOST + word);
    return true;
}

static bool take_option(void *context, enum hcct_option option, char *argument)
{
    struct job *job = context;
    switch (option) {
    case HCCT_OPTION_OUTPUT:
        job->groups.output = argument;
        return true;
    case HCCT_OPTION_GROUPS:
        return take_by(&job->groups.by, argument);
    case HCCT_OPTION_FORCE:
        return job->groups.force = true;
    default: /* --keep-going */
        return job->keep_going = true;
    }
}

static bool check(const struct job *job)
{
    bool to_standard = job->groups.output && !strcmp(job->groups.output, "-");
    if (!job->groups.output || !*job->groups.output)
        fputs("hcct-merge: say where the result goes: -o OUT\n", stderr);
    else if (to_standard && job->groups.by)
        fputs("hcct-merge: --by needs a place for the result: -o OUT\n", stderr);
    else if (!*job->names)
        fputs("hcct-merge: say what to merge: FILE...\n", stderr);
    else
        return true;
    return false;
}

int main(int argc, char **argv)
{
    struct job job = { .names = NULL };
    const struct hcct_command_line line = { HCCT_IN_MERGE, usage, false, take_option, &job };
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is seen as EPIPE */
    int ended = hcct_options_read(&line, argc, argv);
    if (ended >= 0)
        return ended;
    job.names = argv + optind;
    return check(&job) ? merge(&job) : hcct_command_usage();
}
