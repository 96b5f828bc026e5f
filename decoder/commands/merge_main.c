/* The command hcct-merge: reads many profiles, one at a time, and writes one. Exit status: 0 done, 1 a file
 * or the output is bad, 2 usage.
 *
 * At any time the output's name stands for what was there before or for the whole result: the file is written
 * beside its place and renamed. So the output may be one of the inputs. Devices and pipes are written to. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "decoder/combine/combine.h"
#include "decoder/commands/command.h"
#include "format/error.h"

const char hcct_command_name[] = "hcct-merge";

static const char usage[] =
    "Usage: hcct-merge -o OUT [--files-from=LIST] [FILE...]\n"
    "Add up profiles of one build (of its processes, hosts, runs) into one profile.\n"
    "FILE may be - for standard input; OUT may be one of the files, or - for standard output.\n"
    "\n"
    "  -o, --output=OUT        where the profile goes (required)\n"
    "  --files-from=LIST       add the files that LIST names, too, one a line; - is standard input\n"
    "  --keep-going            leave out files that cannot be read or are damaged\n"
    "  -h, --help              print this and exit\n"
    "  -V, --version           print the versions and exit\n";

enum { FILES_FROM = 256, KEEP_GOING };

static const struct option long_options[] = {
    { "output", required_argument, NULL, 'o' },      { "files-from", required_argument, NULL, FILES_FROM },
    { "keep-going", no_argument, NULL, KEEP_GOING }, { "help", no_argument, NULL, 'h' },
    { "version", no_argument, NULL, 'V' },           { NULL, 0, NULL, 0 },
};

/* --- output --------------------------------------------------------------------------------------- */

static bool write_all(int file, const unsigned char *bytes, size_t length)
{
    while (length) {
        ssize_t written = write(file, bytes, length < (1u << 30) ? length : 1u << 30);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes += written;
        length -= (size_t)written;
    }
    return true;
}

static bool write_in_place(const char *name, const unsigned char *bytes, size_t length)
{
    bool standard = !strcmp(name, "-");
    int file = standard ? STDOUT_FILENO : open(name, O_WRONLY | O_CLOEXEC);
    bool done = file >= 0 && write_all(file, bytes, length);
    if (file >= 0 && close(file))
        done = false;
    /* A reader that went away is no error. */
    return done || errno == EPIPE || hcct_command_complain(name, strerror(errno));
}

static bool write_beside(const char *name, const unsigned char *bytes, size_t length)
{
    size_t room = strlen(name) + 32;
    char *beside = malloc(room);
    if (!beside)
        return hcct_command_complain(name, "out of memory");
    snprintf(beside, room, "%s.%ld.tmp", name, (long)getpid());
    int file = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    bool done = file >= 0 && write_all(file, bytes, length);
    if (file >= 0 && close(file))
        done = false;
    done = done && !rename(beside, name);
    int reason = errno;
    if (!done && file >= 0)
        unlink(beside);
    free(beside);
    return done || hcct_command_complain(name, strerror(reason));
}

/* Replaces files, but never links: /dev/stdout is one, and belongs to everybody. */
static bool write_output(const char *name, const unsigned char *bytes, size_t length)
{
    struct stat at, there, standard;
    if (!strcmp(name, "-") || (!stat(name, &at) && !S_ISREG(at.st_mode) && !S_ISDIR(at.st_mode)))
        return write_in_place(name, bytes, length);
    if (lstat(name, &there) || !S_ISLNK(there.st_mode))
        return write_beside(name, bytes, length);
    if (!stat(name, &at) && !fstat(STDOUT_FILENO, &standard) && at.st_dev == standard.st_dev &&
        at.st_ino == standard.st_ino)
        return write_in_place("-", bytes, length);
    return hcct_command_complain(name, "is a link");
}

/* --- merging -------------------------------------------------------------------------------------- */

struct job {
    const char *output, *list; /* `list` may be NULL */
    char **names;
    bool keep_going;
    struct hcct_combine sum;
    uint64_t left_out;
};

/* A file that is left out changes nothing: it is read and checked whole before it is added. One that is of
 * another build ends the merge even with --keep-going: it is no damage, but a wrong list. */
static bool add_file(struct job *job, const char *name)
{
    struct hcct_command_file file = { .name = name };
    struct hcct_error error;
    bool done = hcct_command_open(&file);
    if (!done && job->keep_going) {
        job->left_out++;
        done = true;
    } else if (done && !hcct_combine_add(&job->sum, &file.profile, &error)) {
        done = hcct_command_complain_about(name, &error);
    }
    hcct_command_close(&file);
    return done;
}

/* Adds the files that the list names. The list is read line by line, and never held. */
static bool add_list(struct job *job)
{
    bool standard = !strcmp(job->list, "-");
    FILE *list = standard ? stdin : fopen(job->list, "r");
    if (!list)
        return hcct_command_complain(job->list, strerror(errno));
    char *line = NULL;
    size_t room = 0;
    bool done = true;
    for (ssize_t length; done && (errno = 0, length = getline(&line, &room, list)) > 0;) {
        if (line[length - 1] == '\n')
            line[length - 1] = '\0';
        if (standard && !strcmp(line, "-"))
            done = hcct_command_complain("-", "standard input is the list, and cannot be a profile");
        else if (line[0])
            done = add_file(job, line);
    }
    if (done && !feof(list))
        done = hcct_command_complain(job->list, strerror(errno));
    free(line);
    if (!standard)
        fclose(list);
    return done;
}

static enum hcct_command_status merge(struct job *job)
{
    unsigned char *bytes = NULL;
    size_t length;
    bool done = !job->list || add_list(job);
    for (char **name = job->names; done && *name; name++)
        done = add_file(job, *name);
    if (job->left_out)
        fprintf(stderr, "hcct-merge: left out %llu of %llu files\n", (unsigned long long)job->left_out,
                (unsigned long long)(job->left_out + job->sum.profile_count));
    if (done && !job->sum.profile_count)
        done = hcct_command_complain(job->output, "there is no profile to merge");
    if (done && !(bytes = hcct_combine_write(&job->sum, &length)))
        done = hcct_command_complain(job->output, "out of memory");
    hcct_combine_free(&job->sum);
    done = done && write_output(job->output, bytes, length);
    free(bytes);
    return done ? HCCT_COMMAND_DONE : HCCT_COMMAND_BAD;
}

int main(int argc, char **argv)
{
    struct job job = { 0 };
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is seen as EPIPE */
    for (int option; (option = hcct_command_option(argc, argv, "o:hV", long_options, NULL)) != -1;)
        switch (option) {
        case 'o':
            job.output = optarg;
            break;
        case FILES_FROM:
            job.list = optarg;
            break;
        case KEEP_GOING:
            job.keep_going = true;
            break;
        case 'h':
            return hcct_command_help(usage);
        case 'V':
            return hcct_command_version();
        default: /* a complaint was printed */
            return hcct_command_usage();
        }
    bool has_input = optind < argc || job.list, standard_twice = false;
    for (char **name = argv + optind; job.list && !strcmp(job.list, "-") && *name; name++)
        standard_twice |= !strcmp(*name, "-");
    if (!job.output)
        fputs("hcct-merge: say where the result goes: -o OUT\n", stderr);
    else if (!has_input)
        fputs("hcct-merge: say what to merge: FILE... or --files-from=LIST\n", stderr);
    else if (standard_twice)
        fputs("hcct-merge: standard input cannot be both the list and a profile\n", stderr);
    if (!job.output || !has_input || standard_twice)
        return hcct_command_usage();
    job.names = argv + optind;
    return merge(&job);
}
