/* Terminals, see terminal.h: width, cut texts, then the pager, which runs in a shell of its own and reads
 * what we print to standard output. */
#include "decoder/text/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "decoder/text/escape.h"
#include "decoder/text/text.h"

extern char **environ;

#define NARROWEST 40     /* no narrower terminal is fitted to */
#define LEAST_COLUMNS 16 /* of a text, whatever stands in front of it */

unsigned hcct_terminal_width(FILE *out)
{
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    if (!isatty(fileno(out)))
        return 0;
    unsigned long width = columns ? strtoul(columns, NULL, 10) : 0;
    if (!width && !ioctl(fileno(out), TIOCGWINSZ, &size))
        width = size.ws_col;
    return width > 10000 ? 10000 : width && width < NARROWEST ? NARROWEST : (unsigned)width;
}

static bool starts_character(char byte)
{
    return ((unsigned char)byte & 0xc0) != 0x80;
}

size_t hcct_terminal_columns(const char *text)
{
    size_t columns = 0;
    for (; *text; text++)
        columns += starts_character(*text);
    return columns;
}

/* The byte where a column begins. */
static size_t byte_of_column(const char *text, size_t column)
{
    size_t at = 0;
    for (; text[at]; at++)
        if (starts_character(text[at]) && column-- == 0)
            break;
    return at;
}

void hcct_terminal_add(struct hcct_text *to, const char *text)
{
    hcct_escape_add(to, HCCT_TEXT_PLAIN, text);
}

void hcct_terminal_add_cut(struct hcct_text *to, const char *text, size_t columns, bool utf8)
{
    size_t had = hcct_terminal_columns(text), head = (columns - 1) / 2;
    if (had > columns) {
        hcct_text_add(to, text, byte_of_column(text, head));
        hcct_text_add_string(to, utf8 ? "…" : "~");
        text += byte_of_column(text, had - (columns - 1 - head));
    }
    hcct_text_add_string(to, text);
}

void hcct_terminal_print(FILE *out, const char *text, unsigned width, size_t used, bool utf8)
{
    struct hcct_text whole = { 0 }, cut = { 0 };
    hcct_terminal_add(&whole, text);
    hcct_terminal_add_cut(&cut, whole.bytes,
                          !width                         ? SIZE_MAX
                          : width > used + LEAST_COLUMNS ? width - used
                                                         : LEAST_COLUMNS,
                          utf8);
    fputs(cut.bytes, out);
    free(whole.bytes);
    free(cut.bytes);
}

const char *hcct_terminal_end_of(const char *text, size_t columns)
{
    size_t had = hcct_terminal_columns(text);
    return had > columns ? text + byte_of_column(text, had - columns) : text;
}

/* --- paging --------------------------------------------------------------------------------------- */

pid_t hcct_terminal_page(void)
{
    const char *ours = getenv("HCCT_PAGER"), *theirs = getenv("PAGER");
    const char *pager = ours ? ours : theirs ? theirs : "command -v less > /dev/null && exec less; exec cat";
    char shell[] = "sh", option[] = "-c", *command = NULL, *arguments[] = { shell, option, NULL, NULL };
    int ends[2];
    pid_t process = 0;
    if (!isatty(STDOUT_FILENO) || !*pager || !strcmp(pager, "cat"))
        return 0;
    /* Where the shell cannot start the pager (126, 127), it says so, and nothing has been read yet. A handler
     * keeps the shell there at Ctrl-C, and the pager does not inherit it. */
    if (asprintf(&command, "trap : INT\n%s\ncase $? in 126|127) exec cat;; esac", pager) < 0)
        return 0;
    /* less quits if one screen is enough, shows colours, and leaves the text there */
    setenv("LESS", "FRX", 0);
    arguments[2] = command;
    if (!pipe2(ends, O_CLOEXEC)) {
        posix_spawn_file_actions_t actions;
        posix_spawnattr_t attributes;
        sigset_t defaults;
        sigemptyset(&defaults);
        sigaddset(&defaults, SIGPIPE); /* which we ignore */
        posix_spawnattr_init(&attributes);
        posix_spawnattr_setsigdefault(&attributes, &defaults);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
        if (posix_spawn(&process, "/bin/sh", &actions, &attributes, arguments, environ))
            process = 0;
        else
            dup2(ends[1], STDOUT_FILENO);
        posix_spawn_file_actions_destroy(&actions);
        posix_spawnattr_destroy(&attributes);
        close(ends[0]);
        close(ends[1]);
    }
    free(command);
    if (process)
        signal(SIGINT, SIG_IGN); /* Ctrl-C is for the pager, and we end when the pager does */
    return process;
}

void hcct_terminal_wait(pid_t pager)
{
    while (waitpid(pager, NULL, 0) < 0 && errno == EINTR)
        ;
}
