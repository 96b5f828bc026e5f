/* See process.h. */
#include "decoder/commands/run/process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "decoder/commands/command.h"
#include "decoder/report/program_build.h"
#include "decoder/text/memory.h"

extern char **environ;

int hcct_run_fail(int status, const char *what, const char *why)
{
    hcct_command_complain(what, why);
    return status;
}

static volatile sig_atomic_t running; /* the process that we wait for */
static sigset_t defaults;             /* what only we ignore, and no process that we start */
static sigset_t passed, before_us; /* signals that we pass on, blocked but while we wait; the mask before */

static void pass_on(int signal)
{
    int saved = errno;
    if (running > 0)
        kill((pid_t)running, signal);
    errno = saved;
}

/* The terminal sends its signals to those who run in it. Without a reader (SIGPIPE) we go on, and clean up.
 * Others we pass on: one that comes while no process runs is kept for the next. Ignored signals stay
 * ignored. */
static void watch_signals(void)
{
    static const int ignored[] = { SIGINT, SIGQUIT, SIGPIPE }, ours[] = { SIGTERM, SIGHUP };
    struct sigaction before;
    sigemptyset(&defaults);
    sigemptyset(&passed);
    signal(SIGCHLD, SIG_DFL); /* if it were ignored, there would be no exit status */
    for (int i = 0; i < 3; i++) {
        sigaction(ignored[i], NULL, &before);
        if (before.sa_handler == SIG_DFL)
            sigaddset(&defaults, ignored[i]);
        signal(ignored[i], SIG_IGN);
    }
    for (int i = 0; i < 2; i++) {
        sigaction(ours[i], NULL, &before);
        if (before.sa_handler == SIG_DFL) {
            signal(ours[i], pass_on);
            sigaddset(&passed, ours[i]);
        }
    }
    sigprocmask(SIG_BLOCK, &passed, &before_us);
}

/* Runs it and waits. `process` becomes 0 if it does not start, and the reason is returned; else *status is
 * that of waitpid. */
static int spawn(char **arguments, const posix_spawn_file_actions_t *actions, pid_t *process, int *status)
{
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setsigmask(&attributes, &before_us);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    int failure = posix_spawnp(process, arguments[0], actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    if (failure) {
        *process = 0;
        return failure;
    }
    running = *process;
    sigprocmask(SIG_UNBLOCK, &passed, NULL);
    while (waitpid(*process, status, 0) < 0 && errno == EINTR)
        ;
    sigprocmask(SIG_BLOCK, &passed, NULL);
    running = 0;
    return 0;
}

int hcct_run_program(char **arguments, pid_t *process, int *ended_by)
{
    int status = 0;
    *ended_by = 0;
    watch_signals();
    int failure = spawn(arguments, NULL, process, &status);
    if (failure)
        return hcct_run_fail(failure == ENOENT ? HCCT_RUN_NOT_FOUND : HCCT_RUN_NOT_EXECUTABLE, arguments[0],
                             strerror(failure));
    if (!WIFSIGNALED(status))
        return WEXITSTATUS(status);
    *ended_by = WTERMSIG(status);
    fprintf(stderr, "hcct-run: %s: %s\n", arguments[0], strsignal(*ended_by));
    return 128 + *ended_by;
}

int hcct_run_helper(char **arguments, bool quietly)
{
    pid_t process;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (int file = STDOUT_FILENO; quietly && file <= STDERR_FILENO; file++)
        posix_spawn_file_actions_addopen(&actions, file, "/dev/null", O_WRONLY, 0);
    int status = 0, failure = spawn(arguments, &actions, &process, &status);
    posix_spawn_file_actions_destroy(&actions);
    if (failure)
        return hcct_run_fail(HCCT_RUN_OURS, arguments[0], strerror(failure));
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE)
        return 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : HCCT_RUN_OURS;
}

/* Whether a file that /proc has of the process has the text. Of a process that has ended it is empty. */
static bool has_text(const char *process, const char *name, const char *text)
{
    char *path = hcct_memory_print("/proc/%s/%s", process, name), *part = NULL;
    size_t room = 0;
    bool found = false;
    FILE *file = fopen(path, "r");
    while (!found && file && getdelim(&part, &room, 0, file) > 0)
        found = strstr(part, text);
    if (file)
        fclose(file);
    free(part);
    free(path);
    return found;
}

/* When a process was started, in ticks since the machine was; 0: not known. */
static unsigned long long started(const char *process)
{
    char *path = hcct_memory_print("/proc/%s/stat", process), text[1024] = "";
    FILE *file = fopen(path, "r");
    size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    free(path);
    text[length] = 0;
    unsigned long long ticks = 0;
    const char *at = strrchr(text, ')'); /* the name may have blanks */
    for (int field = 2; at && field < 22; field++)
        at = strchr(at + 1, ' ');
    return at && sscanf(at, "%llu", &ticks) == 1 ? ticks : 0;
}

/* A process that sets its title may write over its environment. If nothing of that is left, it may be ours if
 * it was started since. */
static bool may_be_ours(const char *process)
{
    return !has_text(process, "environ", "=") && has_text(process, "environ", "") &&
           started(process) >= started("self");
}

static bool is_instrumented(const char *process)
{
    char *path = hcct_memory_print("/proc/%s/exe", process);
    bool is = hcct_program_build_read(path).is_instrumented || has_text(process, "maps", "/libhcct_rt.so");
    free(path);
    return is;
}

bool hcct_run_is_by_cargo(void)
{
    return getenv("CARGO") && getenv("CARGO_MANIFEST_DIR");
}

size_t hcct_run_count_with(const char *text)
{
    size_t count = 0;
    DIR *processes = opendir("/proc");
    for (struct dirent *entry; processes && (entry = readdir(processes));) {
        const char *name = entry->d_name;
        count += *name >= '1' && *name <= '9' && (has_text(name, "environ", text) || may_be_ours(name)) &&
                 is_instrumented(name);
    }
    if (processes)
        closedir(processes);
    return count;
}
