/* The line that shows progress, see progress.h: five times a second a timer's signal prints it anew. */
#include "decoder/text/progress.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

struct hcct_progress hcct_progress;

static volatile sig_atomic_t is_shown, has_ended;
static bool has_timer; /* we set one: a timer may also be our parent's, as timers survive exec */

static const char erase[] = "\r\033[K";

static size_t add(char *line, size_t length, const char *text)
{
    size_t bytes = strlen(text);
    memcpy(line + length, text, bytes);
    return length + bytes;
}

static size_t add_percent(char *line, size_t length, uint64_t percent)
{
    if (percent >= 100)
        percent = 99; /* 100 would say that it is done */
    line[length++] = ' ';
    if (percent >= 10)
        line[length++] = (char)('0' + percent / 10);
    line[length++] = (char)('0' + percent % 10);
    line[length++] = '%';
    return length;
}

static void write_line(const char *line, size_t length)
{
    ssize_t written = write(STDERR_FILENO, line, length);
    (void)written; /* a lost line of progress is no error */
}

static void tick(int signal)
{
    int kept = errno;
    char line[128];
    const char *phase = hcct_progress.phase;
    uint64_t total = hcct_progress.total, done = hcct_progress.done;
    size_t length = add(line, 0, erase);
    (void)signal;
    if (!phase || has_ended || strlen(phase) > 64)
        return;
    length = add(line, length, phase);
    if (total)
        length = add_percent(line, length, (uint64_t)(100 * (double)done / (double)total));
    is_shown = true;
    write_line(line, length);
    errno = kept;
}

void hcct_progress_show(void)
{
    const char *terminal = getenv("TERM");
    struct sigaction action = { .sa_handler = tick, .sa_flags = SA_RESTART };
    struct itimerval timer = { .it_value = { .tv_sec = 1 }, .it_interval = { .tv_usec = 200000 } };
    if (!isatty(STDERR_FILENO) || !terminal || !strcmp(terminal, "dumb"))
        return;
    sigemptyset(&action.sa_mask);
    has_timer = !sigaction(SIGALRM, &action, NULL) && !setitimer(ITIMER_REAL, &timer, NULL);
}

void hcct_progress_end(void)
{
    struct itimerval never = { 0 };
    if (!has_timer)
        return;
    has_ended = true;
    setitimer(ITIMER_REAL, &never, NULL);
    if (is_shown)
        write_line(erase, sizeof erase - 1);
    is_shown = false;
}
