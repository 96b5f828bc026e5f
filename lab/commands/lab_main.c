/* The command hcct-lab: what the papers measure, on traces and profiles. Exit status: 0 done, 1 a file or the
 * output is bad, 2 usage. */
#include <signal.h>
#include <string.h>

#include "lab/commands/commands.h"

const char hcct_command_name[] = "hcct-lab";

static const char usage[] =
    "Usage: hcct-lab COMMAND [ARGUMENT...]\n"
    "\n"
    "  metrics   how well a profile stands for an exact one\n"
    "  replay    a profile of a traced run, by another algorithm or with samples\n"
    "  shape     the sizes of a profile's trees, and its depths\n"
    "\n"
    "  -h, --help         print this and exit; hcct-lab COMMAND --help prints a command's options\n"
    "  -V, --version      print the versions and exit\n";

int main(int argc, char **argv)
{
    const char *first = argc > 1 ? argv[1] : "";
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is seen as EPIPE */
    if (!strcmp(first, "-h") || !strcmp(first, "--help"))
        return hcct_command_help(usage);
    if (!strcmp(first, "-V") || !strcmp(first, "--version"))
        return hcct_command_version();
    if (!strcmp(first, "metrics"))
        return hcct_lab_metrics(argc - 1, argv + 1);
    if (!strcmp(first, "replay"))
        return hcct_lab_replay(argc - 1, argv + 1);
    if (!strcmp(first, "shape"))
        return hcct_lab_shape(argc - 1, argv + 1);
    hcct_command_complain(*first ? first : "say which command",
                          *first ? "not a command of hcct-lab" : "metrics, replay or shape");
    return hcct_command_usage();
}
