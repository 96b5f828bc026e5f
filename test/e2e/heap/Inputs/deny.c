// deny ERROR PROGRAM ARGUMENT...: runs the program where process_vm_readv fails with that errno, as in some containers.
// deny ERROR pipe PROGRAM ARGUMENT...: the same of pipe2.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int count, char **arguments)
{
    int is_pipe = count > 3 && !strcmp(arguments[2], "pipe");
    arguments += is_pipe;
    const unsigned number = is_pipe ? SYS_pipe2 : SYS_process_vm_readv, error = (unsigned)atoi(arguments[1 - is_pipe]);
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = { sizeof code / sizeof *code, code };
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter))
        return 1;
    execvp(arguments[2], arguments + 2);
    return 1;
}
