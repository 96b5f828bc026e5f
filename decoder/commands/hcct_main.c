/* The command hcct: `hcct top FILE` runs hcct-top FILE, as git runs its commands. The command is looked for
 * beside hcct itself, then in PATH. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "decoder/commands/command.h"

const char hcct_command_name[] = "hcct";

static const char usage[] = "Usage: hcct COMMAND [ARGUMENT...]\n"
                            "The same as hcct-COMMAND ARGUMENT...\n"
                            "\n"
                            "  cc, c++   compile for the profiler\n"
                            "  run       run a program and print its hot calling contexts\n"
                            "  decode    print profiles\n"
                            "  top       what a running program is calling now\n"
                            "  compare   what changed between two profiles\n"
                            "  heights   call paths from stack heights\n"
                            "  merge     add profiles up\n"
                            "\n"
                            "  -h, --help         print this and exit\n"
                            "  -V, --version      print the versions and exit\n"
                            "\n"
                            "Each has a --help and a man page: man hcct-COMMAND.\n";

/* Runs the command beside this program; returns if there is none, or this program's path is not known. */
static void execute_beside(const char *command, char **arguments)
{
    char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0)
        return;
    path[length] = 0;
    char *folder_end = strrchr(path, '/');
    size_t room = folder_end ? sizeof path - (size_t)(folder_end + 1 - path) : 0;
    if (folder_end && (size_t)snprintf(folder_end + 1, room, "%s", command) < room)
        execv(path, arguments);
}

static enum hcct_command_status run(char **arguments)
{
    char command[64];
    const char *verb = arguments[0];
    bool good = *verb >= 'a' && *verb <= 'z' && !strchr(verb, '/') &&
                (size_t)snprintf(command, sizeof command, "hcct-%s", verb) < sizeof command;
    if (good) {
        arguments[0] = command;
        execute_beside(command, arguments);
        if (errno == ENOENT)
            execvp(command, arguments);
    }
    hcct_command_complain(verb, !good || errno == ENOENT ? "not a command of hcct" : strerror(errno));
    return hcct_command_usage();
}

int main(int argc, char **argv)
{
    const char *first = argc > 1 ? argv[1] : "";
    if (!strcmp(first, "-h") || !strcmp(first, "--help") || !strcmp(first, "help"))
        return hcct_command_help(usage);
    if (!strcmp(first, "-V") || !strcmp(first, "--version"))
        return hcct_command_version();
    if (*first)
        return run(argv + 1);
    fputs("hcct: say which command\n", stderr);
    return hcct_command_usage();
}
