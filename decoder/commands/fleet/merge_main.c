/* The command hcct-merge: reads many profiles, one at a time, and writes one, or one for each group. Exit
 * status: 0 done, 1 a file or the output is bad or the merge was stopped, 2 usage. The output may be one of
 * the inputs (replace.h). */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "decoder/commands/command.h"
#include "decoder/commands/fleet/inputs.h"
#include "decoder/commands/fleet/merge_groups.h"

const char hcct_command_name[] = "hcct-merge";

static const char usage[] =
    "Usage: hcct-merge -o OUT [--by=WHAT] [--force] [--resume] [--files-from=LIST] [FILE...]\n"
    "Add up profiles of one program (of its processes, hosts, runs) into one profile; with --force of "
    "several.\n"
    "FILE may be a folder, for all files below it, a pattern in quotes, or - for standard input; OUT may be "
    "one\n"
    "of the files, or - for standard output.\n"
    "\n"
    "  -o, --output=OUT        where the profile goes (required)\n"
    "  --by=WHAT               host, command, build: a profile for each, in the folder OUT\n"
    "  --force                 add up files of different builds, by function and line\n"
    "  --files-from=LIST       add the files that LIST names, too, one a line; - is standard input\n"
    "  --resume                go on with what is in OUT: each profile is added once, however often it is "
    "named\n"
    "  --keep-going            leave out files that cannot be read or are damaged\n"
    "  -S, --memory=SIZE       add up exact profiles in so much memory, as in 512M, and in files in TMPDIR\n"
    "  --no-spread             do not keep how the single profiles differ: a smaller file, and less memory\n"
    "  -h, --help              print this and exit\n"
    "  -V, --version           print the versions and exit\n";

enum { BY = 256, FILES_FROM, RESUME, KEEP_GOING, FORCE, NO_SPREAD };

static const struct option long_options[] = {
    { "output", required_argument, NULL, 'o' },
    { "by", required_argument, NULL, BY },
    { "files-from", required_argument, NULL, FILES_FROM },
    { "force", no_argument, NULL, FORCE },
    { "resume", no_argument, NULL, RESUME },
    { "keep-going", no_argument, NULL, KEEP_GOING },
    { "memory", required_argument, NULL, 'S' },
    { "no-spread", no_argument, NULL, NO_SPREAD },
    { "help", no_argument, NULL, 'h' },
    { "version", no_argument, NULL, 'V' },
    { NULL, 0, NULL, 0 },
};

struct job {
    struct hcct_groups groups;
    const char *list; /* may be NULL */
    char **names;
    bool keep_going;
    uint64_t memory_bytes; /* 0: as much as it takes */
    uint64_t added, was_there, left_out;
};

/* --- stopping ------------------------------------------------------------------------------------- */

/* With --resume a signal ends the merge after the file that is being read. */
static volatile sig_atomic_t stopped;

static void stop(int number)
{
    stopped = number;
}

static void catch_ends(void)
{
    static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction old, catching = { .sa_handler = stop };
        if (!sigaction(numbers[i], NULL, &old) && old.sa_handler != SIG_IGN)
            sigaction(numbers[i], &catching, NULL);
    }
}

/* --- merging -------------------------------------------------------------------------------------- */

static bool read_at(void *file, uint64_t offset, void *bytes, size_t length)
{
    return pread(*(int *)file, bytes, length, (off_t)offset) == (ssize_t)length;
}

/* Whether the file is in the output, as its first bytes tell. */
static bool was_added(const struct job *job, const char *name)
{
    struct stat info;
    bool is_asked = job->groups.resumes && !stat(name, &info) && S_ISREG(info.st_mode);
    int file = is_asked ? open(name, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0)
        return false;
    uint64_t number = hcct_members_number(read_at, &file);
    close(file);
    return number && hcct_groups_have(&job->groups, number);
}

/* So many are read again if the machine goes down. */
#define WRITE_AFTER 1000

static bool count_added(struct job *job)
{
    if (++job->added % WRITE_AFTER || !job->groups.resumes)
        return true;
    return hcct_groups_write(&job->groups);
}

/* A file that is left out changes nothing: it is read and checked whole before it is added. One that is of
 * another build ends the merge even with --keep-going: it is no damage, but a wrong list. So does one that
 * there is no room for. */
static bool add_file(void *context, const char *name)
{
    struct job *job = context;
    struct hcct_command_file file = { .name = name };
    bool was_there = false;
    if (stopped)
        return false;
    if (was_added(job, name)) {
        job->was_there++;
        return true;
    }
    bool done = hcct_command_open_within(&file, hcct_merge_memory_of_file(&job->groups.memory));
    if (!done && job->keep_going && !file.lacks_room) {
        job->left_out++;
        done = true;
    } else if (done) {
        done = hcct_groups_add(&job->groups, &file, &was_there);
        job->was_there += was_there;
        done = done && (was_there || count_added(job));
    }
    hcct_command_close(&file);
    return done;
}

static bool add_all(struct job *job)
{
    const struct hcct_inputs inputs = { add_file, job, job->groups.output };
    bool done = !job->list || hcct_inputs_list(&inputs, job->list);
    for (char **name = job->names; done && *name; name++)
        done = hcct_inputs_each(&inputs, *name);
    return done;
}

static void report(const struct job *job)
{
    unsigned long long added = job->added, out = job->left_out, there = job->was_there;
    if (out)
        fprintf(stderr, "hcct-merge: left out %llu of %llu files\n", out, out + added + there);
    if (job->groups.resumes)
        fprintf(stderr, "hcct-merge: added %llu files; %llu were there already\n", added, there);
}

static enum hcct_command_status merge(struct job *job)
{
    if (!strcmp(job->groups.output, "-") && fcntl(STDOUT_FILENO, F_GETFD) < 0) {
        /* a file that is opened from here on would get its number */
        hcct_command_complain(hcct_command_output_name("-"), strerror(errno));
        return HCCT_COMMAND_BAD;
    }
    hcct_merge_memory_open(&job->groups.memory, job->memory_bytes);
    bool done = hcct_groups_open(&job->groups), opened = done;
    done = done && add_all(job);
    if (opened)
        report(job);
    if (done && !job->groups.count)
        done = hcct_command_complain(job->groups.output, "there is no profile to merge");
    if (opened && (done || stopped)) /* what was read when a signal came is not read again */
        done = hcct_groups_write(&job->groups) && done;
    for (uint32_t i = 0; done && job->groups.by && i < job->groups.count; i++)
        puts(job->groups.groups[i]->name);
    if (stopped && !done)
        fputs("hcct-merge: stopped; the same command goes on from here\n", stderr);
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

static bool take_option(struct job *job, int option, const char *argument)
{
    switch (option) {
    case 'o':
        job->groups.output = argument;
        return true;
    case BY:
        return take_by(&job->groups.by, argument);
    case FILES_FROM:
        job->list = argument;
        return true;
    case RESUME:
        return job->groups.resumes = true;
    case FORCE:
        return job->groups.force = true;
    case 'S':
        return hcct_command_memory("memory", argument, &job->memory_bytes);
    case NO_SPREAD:
        return job->groups.leaves_spread = true;
    case KEEP_GOING:
        return job->keep_going = true;
    default: /* a complaint was printed */
        return false;
    }
}

static bool check(const struct job *job)
{
    bool standard_twice = false, to_standard = job->groups.output && !strcmp(job->groups.output, "-");
    for (char **name = job->names; job->list && !strcmp(job->list, "-") && *name; name++)
        standard_twice |= !strcmp(*name, "-");
    if (!job->groups.output || !*job->groups.output)
        fputs("hcct-merge: say where the result goes: -o OUT\n", stderr);
    else if (to_standard && (job->groups.by || job->groups.resumes))
        fputs("hcct-merge: --by and --resume need a place for the result: -o OUT\n", stderr);
    else if (!*job->names && !job->list)
        fputs("hcct-merge: say what to merge: FILE... or --files-from=LIST\n", stderr);
    else if (standard_twice)
        fputs("hcct-merge: standard input cannot be both the list and a profile\n", stderr);
    else
        return true;
    return false;
}

int main(int argc, char **argv)
{
    struct job job = { .list = NULL };
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is seen as EPIPE */
    for (int option; (option = hcct_command_option(argc, argv, "o:S:hV", long_options, NULL)) != -1;) {
        if (option == 'h')
            return hcct_command_help(usage);
        if (option == 'V')
            return hcct_command_version();
        if (!take_option(&job, option, optarg))
            return hcct_command_usage();
    }
    job.names = argv + optind;
    if (!check(&job))
        return hcct_command_usage();
    if (job.groups.resumes)
        catch_ends();
    return merge(&job);
}
