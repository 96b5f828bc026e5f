/* The command hcct-run: runs a program and shows its profile, in one step.
 *
 * Profiles go to a new folder, a file for each process, so that neither the program's children nor an older
 * ids.bin can be taken for the program's. The profiles of all processes of the program's build are added up,
 * as what it forks is part of it. The program keeps its standard streams, its signals and its exit status. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "decoder/claim/words.h"
#include "decoder/commands/command.h"
#include "decoder/commands/fleet/replace.h"
#include "decoder/commands/options.h"
#include "decoder/commands/run/folder.h"
#include "decoder/commands/run/heights_run.h"
#include "decoder/commands/run/known.h"
#include "decoder/commands/run/process.h"
#include "decoder/commands/run/profiles.h"
#include "decoder/commands/run/wishes.h"
#include "decoder/commands/temporary.h"
#include "decoder/text/memory.h"
#include "decoder/text/text.h"
#include "format/layout.h"

const char hcct_command_name[] = "hcct-run";

#define PROFILE_NAME "ids.bin" /* what hcct-decode shows if nothing is named */
#define NEW_NAME "ids.new.bin" /* where that one is the profile that known= names */

static const char usage[] =
    "Usage: hcct-run [options] [--] PROGRAM [ARGUMENT...]\n"
    "Run a program that was compiled by hcct-cc, and show the profile of all its processes.\n"
    "The exit status is the program's; 128 + N if signal N ended it; 23 if --leaks found "
    "leaks.\n" HCCT_CALLS_SAY "\n";

/* A command, which ends with NULL; all are ours. */
struct arguments {
    char **items;
    size_t count;
};

struct command {
    const char *format, *output;
    const char *heights; /* the profile that has the call paths; NULL: the program is instrumented */
    const char *program; /* whose profiles are shown; NULL: those of the program that is run */
    struct hcct_wishes wishes;
    bool opens; /* the page */
    bool tells_leaks;
    struct hcct_text keys;         /* ":mode=cct:phi=0.1", for HCCT_OPTIONS */
    struct arguments decode, leak; /* hcct-decode's; those that tell leaks beside another format */
    struct hcct_run_folder folder;
};

/* --- options -------------------------------------------------------------------------------------- */

static void add(struct arguments *to, char *argument)
{
    to->items = hcct_memory_got(realloc(to->items, (to->count + 2) * sizeof *to->items));
    to->items[to->count++] = argument;
    to->items[to->count] = NULL;
}

static void free_arguments(struct arguments *arguments)
{
    for (size_t i = 0; i < arguments->count; i++)
        free(arguments->items[i]);
    free(arguments->items);
}

/* An option of hcct-decode's. Some of them choose contexts, and so the leaks that count. */
static void add_option(struct command *command, const char *name, const char *value)
{
    static const char *const of_leaks[] = { "focus", "ignore", "root", "hide", "fold", NULL };
    add(&command->decode,
        value ? hcct_memory_print("--%s=%s", name, value) : hcct_memory_print("--%s", name));
    for (const char *const *one = of_leaks; *one; one++)
        if (!strcmp(*one, name))
            add(&command->leak, hcct_memory_print("--%s=%s", name, value));
}

/* An option that says what is printed. */
static bool take_shown(struct command *command, enum hcct_option option, const char *value)
{
    const char *name = hcct_option_name(option);
    if (option == HCCT_OPTION_FORMAT) {
        command->format = value;
        command->tells_leaks |= !strcmp(value, "leaks");
    }
    if (option == HCCT_OPTION_VIEW && !strcmp(value, "peek"))
        return hcct_command_complain("--view=peek", "which function?");
    hcct_wishes_note(&command->wishes, name, value);
    add_option(command, name, value);
    return true;
}

static bool take_option(void *context, enum hcct_option option, char *argument)
{
    struct command *command = context;
    switch (option) {
    case HCCT_OPTION_KEEP:
        command->folder.kept = argument;
        return true;
    case HCCT_OPTION_PROGRAM:
        command->program = argument;
        return true;
    case HCCT_OPTION_HEIGHTS:
        command->heights = argument;
        return true;
    case HCCT_OPTION_OPEN:
        return command->opens = true;
    case HCCT_OPTION_OUTPUT:
        command->output = hcct_command_output(argument);
        return true;
    case HCCT_OPTION_EXACT:
    case HCCT_OPTION_TIME:
    case HCCT_OPTION_WALL:
    case HCCT_OPTION_CLOCK:
    case HCCT_OPTION_HEAP:
    case HCCT_OPTION_LEAKS:
    case HCCT_OPTION_THREADS:
        command->tells_leaks |= option == HCCT_OPTION_LEAKS;
        return hcct_wishes_take(&command->wishes, hcct_option_name(option), &command->keys);
    default:
        return take_shown(command, option, argument);
    }
}

/* --- the profiles --------------------------------------------------------------------------------- */

/* What a signal that ended the program left to see. */
static void say_ended(int signal)
{
    bool is_fault =
        signal == SIGSEGV || signal == SIGBUS || signal == SIGILL || signal == SIGFPE || signal == SIGABRT;
    fprintf(stderr, "hcct-run: it left its profile, which is shown%s\n",
            is_fault ? "; hcct-context in gdb or lldb tells the path to the fault (docs/contexts.md)" : "");
}

static void say_nothing_left(const struct command *command, const char *program,
                             const struct hcct_run_profiles *profiles, int ended_by)
{
    if (ended_by == SIGKILL && !profiles->count) {
        fprintf(stderr,
                "hcct-run: %s left no profile, as SIGKILL leaves no time for it: HCCT_OPTIONS=snapshot=10s "
                "writes one every 10 s\n",
                program);
        return;
    }
    fprintf(stderr,
            "hcct-run: %s left no profile: it was not %s, counted no call, or did not end by itself\n",
            command->program ? command->program : program,
            hcct_run_is_by_cargo() ? "built by cargo hcct" : "compiled by hcct-cc");
    for (size_t i = 0; i < profiles->count; i++) {
        const char *other = profiles->items[i].program;
        bool is_first = true;
        for (size_t j = 0; j < i; j++)
            is_first = is_first && strcmp(other, profiles->items[j].program);
        if (is_first)
            fprintf(stderr, "hcct-run: %s did: --program=%s shows it\n", other, hcct_text_base_name(other));
    }
}

/* The path of the command beside this program; else its name, for PATH. */
static char *find_command(const char *name)
{
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - strlen(name) - 1);
    if (length > 0) {
        path[length] = 0;
        strcpy(strrchr(path, '/') + 1, name);
        if (!access(path, X_OK))
            return hcct_memory_print("%s", path);
    }
    return hcct_memory_print("%s", name);
}

/* Asked before the program runs: hcct-decode reads its options first, and then finds no profile. */
static bool decode_takes_options(struct command *command)
{
    struct arguments *decode = &command->decode;
    add(decode, hcct_memory_print("/dev/null"));
    bool is_usage = hcct_run_helper(decode->items, true) == HCCT_COMMAND_USAGE;
    if (is_usage)
        hcct_run_helper(decode->items, false);
    free(decode->items[--decode->count]);
    decode->items[decode->count] = NULL;
    return !is_usage;
}

/* Shows the page in the browser, as the desktop chooses it. */
static void open_page(const char *page)
{
    const char *browser = getenv("BROWSER");
    char *arguments[] = { hcct_memory_print("%s", browser && *browser ? browser : "xdg-open"),
                          hcct_memory_print("%s", page), NULL };
    fprintf(stderr, "hcct-run: the page is %s\n", page);
    if (hcct_run_helper(arguments, false))
        fprintf(stderr, "hcct-run: no browser was opened; BROWSER names one\n");
    free(arguments[0]);
    free(arguments[1]);
}

/* The page's file, where none is named. It stays, since a browser may read it at any time. */
static bool make_page(struct command *command)
{
    char *name = hcct_memory_print("%s/hcct-XXXXXX.html", hcct_temporary_folder());
    int file = mkstemps(name, sizeof ".html" - 1);
    if (file < 0)
        return hcct_run_fail(0, name, strerror(errno));
    close(file);
    command->output = name;
    return true;
}

/* The format, if none was given. */
static void choose_format(struct command *command)
{
    if (!command->format && (command->opens || command->tells_leaks)) {
        command->format = command->opens ? "html" : "leaks";
        add(&command->decode, hcct_memory_print("--format=%s", command->format));
    }
}

/* As hcct_profile_is_same_program. */
static bool is_same_program(const struct hcct_run_profile *a, const struct hcct_run_profile *b)
{
    return !strcmp(a->program, b->program) &&
           (a->build_id == b->build_id || (*a->executable && !strcmp(a->executable, b->executable)));
}

/* The profiles of the program. Returns how many there are of others. */
static size_t add_files(struct arguments *to, const struct hcct_run_profiles *profiles,
                        const struct hcct_run_profile *of)
{
    size_t others = 0;
    add(to, hcct_memory_print("--"));
    for (size_t i = 0; i < profiles->count; i++) {
        const struct hcct_run_profile *one = &profiles->items[i];
        if (is_same_program(one, of))
            add(to, hcct_memory_print("%s", one->path));
        else
            others++;
    }
    return others;
}

/* Whether something leaked, where what is printed does not tell: HCCT_COMMAND_LEAKED. 0: nothing did. */
static int find_leaks(struct command *command, const struct hcct_run_profiles *profiles,
                      const struct hcct_run_profile *of)
{
    add(&command->leak, hcct_memory_print("--format=leaks"));
    add_files(&command->leak, profiles, of);
    return hcct_run_helper(command->leak.items, true);
}

/* Returns the exit status of hcct-decode. */
static int decode(struct command *command, const struct hcct_run_profiles *profiles,
                  const struct hcct_run_profile *of)
{
    if (command->opens && !command->output && !make_page(command))
        return HCCT_RUN_OURS;
    if (command->output)
        add(&command->decode, hcct_memory_print("--output=%s", command->output));
    size_t others = add_files(&command->decode, profiles, of);
    if (others)
        fprintf(stderr, "hcct-run: %zu process%s of other programs left profiles, too%s\n", others,
                others == 1 ? "" : "es", command->folder.kept ? "" : ": --keep=DIR keeps them");
    int status = hcct_run_helper(command->decode.items, false);
    if (!status && command->opens)
        open_page(command->output);
    if (!status && command->tells_leaks && strcmp(command->format, "leaks") != 0)
        return find_leaks(command, profiles, of);
    return status;
}

/* A file as it is. */
static bool write_copy(void *context, int file)
{
    int from = open(context, O_RDONLY | O_CLOEXEC);
    bool done = from >= 0 && hcct_temporary_copy(from, file);
    int reason = errno;
    if (from >= 0)
        close(from);
    errno = reason;
    return done;
}

/* Whether that is a profile, or there is nothing of that name. */
static bool may_replace(const char *name)
{
    char magic[sizeof HCCT_FILE_MAGIC - 1];
    FILE *in = fopen(name, "re");
    bool may = in ? fread(magic, sizeof magic, 1, in) == 1 && !memcmp(magic, HCCT_FILE_MAGIC, sizeof magic)
                  : errno == ENOENT;
    if (in)
        fclose(in);
    return may;
}

/* Leaves what was shown where hcct-decode looks for it, and says so. */
static void leave_profile(const struct command *command, const struct hcct_run_profiles *profiles,
                          const struct hcct_run_profile *of)
{
    bool is_known = hcct_run_is_known(PROFILE_NAME);
    char *left = is_known ? NEW_NAME : PROFILE_NAME;
    struct arguments merge = { NULL, 0 };
    add(&merge, find_command("hcct-merge"));
    add(&merge, hcct_memory_print("-o"));
    add(&merge, hcct_memory_print("%s", left));
    size_t before = merge.count + 1; /* and "--" */
    add_files(&merge, profiles, of);
    bool is_one = merge.count == before + 1, may = may_replace(left),
         done = may && !command->folder.kept &&
                (is_one ? hcct_replace(left, 0600, write_copy, merge.items[before])
                        : !hcct_run_helper(merge.items, false));
    if (command->folder.kept)
        fprintf(stderr, "hcct-run: the profiles are in %s\n", command->folder.kept);
    else if (!may)
        fprintf(stderr, "hcct-run: %s is no profile, and stays: --keep=DIR keeps those of the run\n", left);
    else if (done && is_known)
        fprintf(stderr, "hcct-run: the profile is %s, as known= names " PROFILE_NAME "\n", left);
    else if (done)
        fprintf(stderr, "hcct-run: the profile is %s, which hcct-decode shows in other ways\n", left);
    free_arguments(&merge);
}

/* A run may have taken long, and hcct-decode can show it in another way. */
static void keep_folder(struct command *command)
{
    command->folder.kept = command->folder.path;
    fprintf(stderr, "hcct-run: for hcct-decode, the profile stays in %s\n", command->folder.path);
}

/* --heights: no process but the first one is sampled. */
static void infer_and_decode(struct command *command)
{
    struct hcct_run_profile file = { .path = hcct_memory_print("%s/inferred.bin", command->folder.path) };
    struct hcct_run_profiles inferred = { &file, 1 }, none = { NULL, 0 };
    char **arguments = hcct_heights_run_arguments(command->folder.path, command->heights);
    if (arguments && !hcct_run_helper(arguments, false) && hcct_run_profile_read(&file, NULL))
        decode(command, &inferred, &file);
    char *samples = hcct_memory_print("%s/samples", command->folder.path);
    if (!command->folder.kept)
        unlink(samples);
    if (!command->folder.kept)
        unlink(file.path);
    free(file.path);
    free(file.program);
    free(file.executable);
    hcct_run_folder_remove(&command->folder, &none);
}

/* Whether hcct-decode could write to `name`: it is a file, or one can be made. Told before a run, which may
 * take long. Nothing is made or emptied yet. */
static bool can_write(const char *name)
{
    struct stat status;
    const char *slash = strrchr(name, '/');
    char *folder = slash ? hcct_memory_print("%.*s", (int)(slash - name + 1), name)
                         : hcct_memory_print(*name ? "." : "");
    bool exists = !stat(name, &status), done = !access(exists ? name : folder, exists ? W_OK : W_OK | X_OK);
    if (done && exists && S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        done = false;
    }
    free(folder);
    return done || hcct_run_fail(0, name, strerror(errno));
}

/* Processes that outlive the program write their profiles into the folder later, which stays then. They have
 * what hcct_run_folder_set_options put at the end of HCCT_OPTIONS. */
static void tell_of_late_processes(struct command *command)
{
    const char *output = getenv("HCCT_OPTIONS");
    for (const char *next = output; next; next = strstr(next + 1, "output='"))
        output = next;
    size_t count = output ? hcct_run_count_with(output) : 0;
    if (!count)
        return;
    fprintf(stderr, "hcct-run: %zu process%s, and what %s is not shown; profiles that come later are in %s\n",
            count, count == 1 ? " still runs" : "es still run", count == 1 ? "it counts" : "they count",
            command->folder.path);
    command->folder.kept = command->folder.path;
}

/* Where the file that is stdout ends; -1: it is none. */
static off_t written(void)
{
    struct stat status;
    return !fstat(STDOUT_FILENO, &status) && S_ISREG(status.st_mode) ? lseek(STDOUT_FILENO, 0, SEEK_CUR) : -1;
}

/* Whether what the program wrote there is no text, so that a profile behind it does harm. */
static bool wrote_data(off_t from)
{
    char part[4096];
    int file = from >= 0 ? open("/proc/self/fd/1", O_RDONLY | O_CLOEXEC) : -1;
    ssize_t length = file >= 0 ? pread(file, part, sizeof part, from) : 0;
    if (file >= 0)
        close(file);
    return length > 0 && memchr(part, 0, (size_t)length);
}

static int run_and_decode(struct command *command, char **program)
{
    const off_t before = command->output || command->opens ? -1 : written();
    struct timespec since;
    pid_t process;
    struct hcct_run_profiles profiles = { NULL, 0 };
    if (!hcct_run_folder_make(&command->folder))
        return HCCT_RUN_OURS;
    bool ready =
        hcct_run_folder_set_options(&command->folder, command->keys.length ? command->keys.bytes : "") &&
        (!command->heights || hcct_heights_run_prepare(command->folder.path));
    clock_gettime(CLOCK_REALTIME_COARSE, &since); /* the clock of files' times */
    int ended_by = 0, status = ready ? hcct_run_program(program, &process, &ended_by) : HCCT_RUN_OURS;
    if (!ready || !process) {
        hcct_run_folder_remove(&command->folder, &profiles);
        return status;
    }
    if (command->heights) {
        infer_and_decode(command);
        return status;
    }
    tell_of_late_processes(command);
    if (wrote_data(before))
        fputs(
            "hcct-run: the program wrote data into this file, and the profile comes behind it: -o FILE puts "
            "the profile elsewhere\n",
            stderr);
    profiles = hcct_run_profiles_list(command->folder.path, command->program, &since);
    const struct hcct_run_profile *of = hcct_run_profiles_main(&profiles, command->program, process);
    if (of && ended_by)
        say_ended(ended_by);
    int decoded = of ? decode(command, &profiles, of) : HCCT_RUN_OURS;
    if (!of)
        say_nothing_left(command, program[0], &profiles, ended_by);
    else if (decoded && decoded != HCCT_COMMAND_LEAKED && !command->folder.kept)
        keep_folder(command);
    else
        leave_profile(command, &profiles, of);
    hcct_run_folder_remove(&command->folder, &profiles);
    /* who asks for leaks and gets no answer must not take it for a good one */
    if (command->tells_leaks && decoded)
        return decoded == HCCT_COMMAND_LEAKED ? decoded : status ? status : HCCT_RUN_OURS;
    return status;
}

/* An option of ours behind the program is the program's. Whoever meant ours is told; not where "--" stands in
 * front of the program. */
static void note_options(char **argv, int program)
{
    char *const *option = &argv[program + 1];
    while (*option && strcmp(*option, "--") && !hcct_options_is_own(HCCT_IN_RUN, *option))
        option++;
    if (*option && strcmp(*option, "--") && strcmp(argv[program - 1], "--"))
        fprintf(stderr, "hcct-run: %s was given to %s: options of hcct-run stand in front of the program\n",
                *option, argv[program]);
}

int main(int argc, char **argv)
{
    struct command command = { .format = NULL };
    hcct_memory_status = HCCT_RUN_OURS;
    const struct hcct_command_line line = { HCCT_IN_RUN, usage, true, take_option, &command };
    add(&command.decode, find_command("hcct-decode"));
    add(&command.leak, hcct_memory_print("%s", command.decode.items[0]));
    int ended = hcct_options_read(&line, argc, argv);
    if (ended >= 0)
        return ended ? HCCT_RUN_OURS : 0;
    if (optind == argc) {
        fputs("hcct-run: which program?\nTry 'hcct-run --help'.\n", stderr);
        return HCCT_RUN_OURS;
    }
    if (command.opens && command.format && strcmp(command.format, "html") != 0) {
        fputs("hcct-run: --open shows the page: --format=html\n", stderr);
        return HCCT_RUN_OURS;
    }
    if (command.output && strcmp(command.output, "-") != 0 && !can_write(command.output))
        return HCCT_RUN_OURS;
    if (strchr(argv[optind], '/') && !hcct_command_leaves(command.output, argv[optind]))
        return HCCT_RUN_OURS;
    if (!hcct_wishes_infer(&command.wishes, command.heights, &command.keys))
        return HCCT_RUN_OURS;
    /* with --program, a script or make runs the program whose build matters */
    if (!command.program && !command.heights && !hcct_wishes_check(&command.wishes, argv[optind]))
        return HCCT_RUN_OURS;
    choose_format(&command);
    int program = optind;
    int status = decode_takes_options(&command) ? run_and_decode(&command, argv + program) : HCCT_RUN_OURS;
    note_options(argv, program);
    free_arguments(&command.decode);
    free_arguments(&command.leak);
    free(command.keys.bytes);
    return status;
}
