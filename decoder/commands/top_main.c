/* The command hcct-top: what a program with dump=1 is calling now. Exit status: 0 done, 1 the file is
 * no running program's or the output is bad, 2 usage.
 *
 * On a terminal it has a screen of its own, and gives it back however it ends. Elsewhere it prints one table
 * after the other. The signals that it catches are blocked except while it waits, so that none interrupts
 * reading or printing. */
#include <errno.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "decoder/claim/amount.h"
#include "decoder/commands/command.h"
#include "decoder/commands/top.h"
#include "decoder/text/memory.h"
#include "decoder/text/terminal.h"
#include "decoder/text/text.h"
#include "format/error.h"
#include "format/layout.h"

const char hcct_command_name[] = "hcct-top";

static const char usage[] =
    "Usage: hcct-top [options] [FILE]\n"
    "Show what a program that runs with HCCT_OPTIONS=dump=1 is calling now; with metric=heap:dump=1, what "
    "it\n"
    "has live in the heap. FILE is its output (ids.bin). q quits.\n";

struct top {
    const char *name;
    double interval;
    uint64_t count; /* 0: no limit */
    struct hcct_query_options query;
    bool utf8;
    bool screen; /* on a terminal */
    bool dumps;  /* --dump */
    bool keys;   /* the terminal is standard input, too */
    bool waits;  /* for the first profile */
    struct termios termios;
};

static struct top *on_screen; /* NULL: nothing is */

/* --- the terminal --------------------------------------------------------------------------------- */

static volatile sig_atomic_t caught;

static void catch_signal(int number)
{
    caught = number;
}

static const int caught_signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGWINCH };
enum { ENDING_COUNT = 4, CAUGHT_COUNT = sizeof caught_signals / sizeof caught_signals[0] };

/* The first `count` of caught_signals. */
static void block_signals(sigset_t *before, int count)
{
    struct sigaction action = { .sa_flags = 0 };
    sigset_t set;
    action.sa_handler = catch_signal;
    sigemptyset(&action.sa_mask);
    sigemptyset(&set);
    for (int i = 0; i < count; i++) {
        struct sigaction old;
        if (!sigaction(caught_signals[i], NULL, &old) && old.sa_handler == SIG_IGN)
            continue; /* nohup */
        sigaction(caught_signals[i], &action, NULL);
        sigaddset(&set, caught_signals[i]);
    }
    sigprocmask(SIG_BLOCK, &set, before);
}

/* Now does what a signal that came does by default, if that ends the process. */
static void obey(const sigset_t *before)
{
    if (!caught || caught == SIGTSTP || caught == SIGWINCH)
        return;
    signal(caught, SIG_DFL);
    raise(caught);
    sigprocmask(SIG_SETMASK, before, NULL);
}

static void leave_screen(struct top *top)
{
    if (!top->screen)
        return;
    fputs("\033[?25h\033[?1049l", stdout);
    fflush(stdout);
    if (top->keys)
        tcsetattr(STDIN_FILENO, TCSANOW, &top->termios);
}

static void leave_at_end(void)
{
    leave_screen(on_screen);
}

static void enter_screen(struct top *top)
{
    if (!top->screen)
        return;
    on_screen = top;
    hcct_memory_before_end = leave_at_end;
    fputs("\033[?1049h\033[?25l", stdout); /* the other screen, no cursor */
    if (top->keys) {
        struct termios quiet = top->termios;
        quiet.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
        tcsetattr(STDIN_FILENO, TCSANOW, &quiet);
    }
}

static unsigned screen_rows(void)
{
    struct winsize size;
    return !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_row ? size.ws_row : 24;
}

/* --- tables --------------------------------------------------------------------------------------- */

static void add_line(const struct top *top, struct hcct_text *text, const char *line, size_t width)
{
    if (width)
        hcct_terminal_add_cut(text, line, width, top->utf8);
    else
        hcct_text_add_string(text, line);
    hcct_text_add_string(text, top->screen ? "\033[K\n" : "\n");
}

static void add_heading(const struct top *top, const struct hcct_top_sample *sample, bool first,
                        double seconds, struct hcct_text *text, size_t width)
{
    const struct hcct_summary *summary = &sample->merge.summary;
    struct hcct_text program = { 0 };
    char recent[64] = "", amount[HCCT_AMOUNT_BYTES], count[HCCT_AMOUNT_BYTES];
    const char *row = top->query.query.view == HCCT_VIEW_FLAT ? "function" : "context";
    hcct_terminal_add(&program, summary->program);
    double rate = seconds > 0 ? (double)sample->recent / hcct_amount_scale(&summary->ground) / seconds : 0;
    if (!first)
        snprintf(recent, sizeof recent, ", %s recent (%.*f a second)",
                 hcct_amount_number(&summary->ground, sample->recent, count), rate < 100 ? 2 : 0, rate);
    hcct_text_print(&program, " (process %u): %s%s in %" PRIu32 " %s%s", sample->profile.run->pid,
                    hcct_amount_text(&summary->ground, summary->ground.total, amount), recent,
                    sample->row_count, row, hcct_amount_plural(sample->row_count));
    char title[HCCT_AMOUNT_BYTES];
    snprintf(title, sizeof title, "      recent  %12s  %s", hcct_amount_title(&summary->ground), row);
    add_line(top, text, program.bytes, width);
    add_line(top, text, "", width);
    add_line(top, text, title, width);
    free(program.bytes);
}

/* Appends the path. One of more than `columns`, if that is not 0, loses frames at its begin, which many rows
 * have in common. */
static void add_path(const struct hcct_top_sample *sample, const struct hcct_top_row *row, size_t columns,
                     bool utf8, struct hcct_text *to)
{
    struct hcct_text path = { 0 };
    const char *dots = utf8 ? "…;" : "...;", *next;
    hcct_top_path(sample, row, &path);
    const char *end = path.bytes;
    size_t room = columns;
    while (columns && hcct_terminal_columns(end) > room && (next = strchr(end, ';'))) {
        end = next + 1;
        room = columns - hcct_terminal_columns(dots);
    }
    hcct_text_add_string(to, end == path.bytes ? "" : dots);
    hcct_text_add_string(to, end);
    free(path.bytes);
}

/* A row without a node is [other]. */
static void add_row(const struct top *top, const struct hcct_top_sample *sample,
                    const struct hcct_top_row *row, bool first, struct hcct_text *text, size_t width)
{
    struct hcct_text path = { 0 };
    const struct hcct_summary *summary = &sample->merge.summary;
    char recent[HCCT_AMOUNT_BYTES], count[HCCT_AMOUNT_BYTES];
    size_t before = text->length;
    hcct_text_print(text, "%12s  %12s  ",
                    first ? "-" : hcct_amount_number(&summary->ground, row->recent, recent),
                    hcct_amount_number(&summary->ground, row->count, count));
    size_t length = text->length - before;
    size_t left = width > length + 1 ? width - length : width;
    if (row->node == HCCT_NODE_NONE)
        hcct_text_add_string(&path, "[other]");
    else
        add_path(sample, row, left, top->utf8, &path);
    add_line(top, text, path.bytes, left);
    free(path.bytes);
}

static void show(const struct top *top, const struct hcct_top_sample *sample, bool first, double seconds)
{
    enum { OTHER_LINES = 5 }; /* those of the heading, [other], and the one where the cursor is */
    struct hcct_text text = { 0 };
    size_t width = hcct_terminal_width(stdout), fits = top->screen ? screen_rows() : 24;
    uint64_t rows = top->query.top_count ? top->query.top_count : 20;
    if (top->screen && (!top->query.top_count || rows + OTHER_LINES > fits))
        rows = fits > OTHER_LINES ? fits - OTHER_LINES : 1;
    hcct_text_add_string(&text, top->screen ? "\033[H" : "");
    add_heading(top, sample, first, seconds, &text, width);
    struct hcct_top_row other = { .count = sample->merge.summary.ground.total,
                                  .recent = sample->recent,
                                  .node = HCCT_NODE_NONE };
    for (uint64_t i = 0; i < rows && i < sample->row_count; i++) {
        const struct hcct_top_row *row = &sample->rows[i];
        other.count -= row->count < other.count ? row->count : other.count;
        other.recent -= row->recent < other.recent ? row->recent : other.recent;
        add_row(top, sample, row, first, &text, width);
    }
    if (other.count || other.recent)
        add_row(top, sample, &other, first, &text, width);
    hcct_text_add_string(&text, top->screen ? "\033[J" : "\n");
    fwrite(text.bytes, 1, text.length, stdout);
    fflush(stdout);
    free(text.bytes);
}

/* --- looking -------------------------------------------------------------------------------------- */

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

enum answer { GO_ON, QUIT };

static void stop(struct top *top)
{
    leave_screen(top);
    raise(SIGSTOP);
    enter_screen(top);
}

/* Waits until the next look is due, or for a key or a signal that quits. A new size of the window and the
 * return from a stop make a look due at once. */
static enum answer wait_until(struct top *top, double until, const sigset_t *signals)
{
    struct pollfd keys = { .fd = top->keys ? STDIN_FILENO : -1, .events = POLLIN };
    for (double left; (left = until - now()) > 0;) {
        struct timespec timeout = { (time_t)left, (long)((left - floor(left)) * 1e9) };
        char key;
        caught = 0;
        int ready = ppoll(&keys, 1, &timeout, signals);
        if (caught == SIGTSTP)
            stop(top);
        if (caught == SIGTSTP || caught == SIGWINCH)
            return GO_ON;
        if (caught ||
            (ready > 0 && (read(STDIN_FILENO, &key, 1) <= 0 || key == 'q' || key == 'Q' || key == 4)))
            return QUIT;
    }
    return GO_ON;
}

static bool complain_at_start(const struct top *top, enum hcct_top_state state,
                              const struct hcct_error *error)
{
    if (state == HCCT_TOP_ENDED)
        return hcct_command_complain(top->name, "is the profile of a program that has ended, or runs without "
                                                "HCCT_OPTIONS=dump=1; "
                                                "hcct-decode shows it");
    return hcct_command_complain_about(top->name, error);
}

/* Whether the first profile may still come: nobody has written one, and somebody sits at the terminal. */
static bool waits_for_first(struct top *top)
{
    if (!top->screen || access(top->name, F_OK) == 0)
        return false;
    if (!top->waits)
        fprintf(stderr, "hcct-top: waits for a program that runs with HCCT_OPTIONS=dump=1 to write %s\n",
                top->name);
    return top->waits = true;
}

/* Reads and shows a sample. *ends says why it is the last one; NULL: it is not. */
static bool look(struct top *top, struct hcct_top_sample *before, double *time, const char **ends)
{
    struct hcct_top_sample sample;
    struct hcct_error error;
    bool first = !before->bytes;
    enum hcct_top_state state = hcct_top_read(&sample, top->name, first, &top->query, &error);
    double seconds = now() - *time;
    bool done = true;
    if (first && state == HCCT_TOP_FAILED && waits_for_first(top)) {
        *time = now();
    } else if (first && state != HCCT_TOP_RUNNING) {
        done = complain_at_start(top, state, &error);
    } else if (state == HCCT_TOP_ENDED || (state == HCCT_TOP_FAILED && access(top->name, F_OK) != 0)) {
        *ends = "the program has ended";
    } else if (state == HCCT_TOP_FAILED) {
        leave_screen(top);
        top->screen = false;
        done = hcct_command_complain_about(top->name, &error);
    } else {
        if (first)
            enter_screen(top);
        hcct_top_compare(&sample, first ? NULL : before);
        show(top, &sample, first, seconds);
        *time += seconds;
        hcct_top_close(before);
        *before = sample;
        return true;
    }
    hcct_top_close(&sample);
    return done;
}

/* --dump */
static enum hcct_command_status ask_for_profile(const char *name)
{
    sigset_t signals;
    block_signals(&signals, ENDING_COUNT);
    if (hcct_top_ask(name, HCCT_TOP_LONGEST, &signals))
        return HCCT_COMMAND_DONE;
    int reason = errno;
    obey(&signals);
    hcct_command_complain(name, reason == ETIMEDOUT ? "no program wrote it within 5 s: none that runs with "
                                                      "HCCT_OPTIONS=dump=1 has this output, or it does "
                                                      "nearly nothing"
                                                    : strerror(reason));
    return HCCT_COMMAND_BAD;
}

static enum hcct_command_status run(struct top *top)
{
    struct hcct_top_sample before = { .bytes = NULL };
    const char *ends = NULL;
    sigset_t signals;
    double time = now();
    bool done = true;
    block_signals(&signals, CAUGHT_COUNT);
    for (uint64_t looks = 0;;) {
        done = look(top, &before, &time, &ends) && !ferror(stdout);
        looks += before.bytes != NULL;
        if (!done || ends || (looks && looks == top->count) ||
            wait_until(top, time + top->interval, &signals) == QUIT)
            break;
    }
    if (before.bytes)
        leave_screen(top);
    hcct_top_close(&before);
    obey(&signals);
    if (ends)
        printf("%s\n", ends);
    return done ? HCCT_COMMAND_DONE : HCCT_COMMAND_BAD;
}

static bool read_interval(const char *text, double *value)
{
    double number;
    if (!hcct_command_number(text, &number) || !(number >= 0.01 && number <= 1e6))
        return hcct_command_refuse_but("interval", text, "seconds, 0.01 or more");
    *value = number;
    return true;
}

static bool take_option(void *context, enum hcct_option option, char *argument)
{
    struct top *top = context;
    switch (option) {
    case HCCT_OPTION_INTERVAL:
        return read_interval(argument, &top->interval);
    case HCCT_OPTION_COUNT:
        return hcct_command_count("count", argument, &top->count);
    case HCCT_OPTION_DUMP:
        return top->dumps = true;
    default:
        return hcct_query_take(&top->query, option, argument);
    }
}

int main(int argc, char **argv)
{
    struct top top = { .name = "ids.bin", .interval = 1, .query.query.fold = HCCT_QUERY_FOLD_DEFAULT };
    const struct hcct_command_line line = { HCCT_IN_TOP, usage, false, take_option, &top };
    int ended = hcct_options_read(&line, argc, argv);
    if (ended >= 0)
        return ended;
    enum hcct_view view = top.query.query.view;
    bool good = view == HCCT_VIEW_TREE || view == HCCT_VIEW_FLAT;
    if (!good)
        hcct_command_complain("--view", "tree and flat are what can be shown while a program runs");
    if (good && argc > optind + 1)
        good = hcct_command_complain(argv[optind + 1], "one file is all that can be shown");
    if (!good)
        return hcct_command_usage();
    if (optind < argc)
        top.name = argv[optind];
    if (top.dumps)
        return ask_for_profile(top.name);
    setlocale(LC_CTYPE, "");
    top.utf8 = MB_CUR_MAX > 1;
    top.screen = isatty(STDOUT_FILENO);
    top.keys = top.screen && tcgetattr(STDIN_FILENO, &top.termios) == 0;
    signal(SIGPIPE, SIG_IGN);
    enum hcct_command_status status = run(&top), output = hcct_command_finish(stdout, NULL);
    return output ? output : status;
}
