/* strike PROGRAM: runs PROGRAM. Its n-th SIGUSR1 is followed by a SIGUSR2 after 2 n instructions. */
#include <signal.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **arguments)
{
    int status;
    pid_t process = fork();
    if (process == 0) {
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        execv(arguments[count - 1], arguments + count - 1);
        _exit(127);
    }
    for (long n = 0; waitpid(process, &status, 0) == process && WIFSTOPPED(status);) {
        long signal = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
        if (signal == SIGUSR1) {
            n++;
            for (long i = 0; i < 2 * n && WIFSTOPPED(status); i++, signal = 0)
                if (ptrace(PTRACE_SINGLESTEP, process, NULL, signal) || waitpid(process, &status, 0) != process)
                    return 1;
            signal = SIGUSR2;
        }
        if (ptrace(PTRACE_CONT, process, NULL, signal))
            return 1;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
