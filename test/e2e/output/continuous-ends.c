// continuous=1: at a normal end the usual profile takes the file's place; a signal that cannot be caught, exec and a crash leave the
// file; a forked child has one of its own, and none if it counted nothing.
// RUN: %hcct-cc -O2 -I%inputs -I%hcct-source/include %s -o %t.x
// RUN: for mode in cct hcct; do for end in return dump _exit; do rm -rf %t && mkdir %t && cd %t && \
// RUN:   HCCT_OPTIONS=mode=$mode:output=plain.bin %t.x $end && HCCT_OPTIONS=mode=$mode:continuous=1:output=out.bin %t.x $end && \
// RUN:   ls | count 2 && head -c 7 out.bin | grep HCCTIDS && %hcct-decode out.bin | tail -n +2 > out && %hcct-decode plain.bin | tail -n +2 | diff - out && \
// RUN:   not grep killed out || exit 1; done; done
// RUN: for mode in cct hcct; do for end in kill crash exec; do rm -rf %t && mkdir %t && cd %t && \
// RUN:   (HCCT_OPTIONS=mode=$mode:continuous=1:output=%t/out.bin %t.x $end || true) && ls | count 1 && \
// RUN:   %hcct-decode --all out.bin > out && grep -x 'the program was killed, or is running (continuous=1): .*' out && \
// RUN:   %hcct-decode --format=folded --all out.bin | FileCheck --implicit-check-not='{{.}}' --match-full-lines %s || exit 1; done; done
// CHECK-DAG: main 1
// CHECK-DAG: main;middle 7
// CHECK-DAG: main;middle;leaf 21
// Children: one that is killed, one that ends, one that counts nothing.
// RUN: for mode in cct hcct; do rm -rf %t && mkdir %t && cd %t && HCCT_OPTIONS=mode=$mode:continuous=1:output=out.bin %t.x fork && \
// RUN:   ls | count 3 && %hcct-decode --format=folded --all out.bin | \
// RUN:   FileCheck --implicit-check-not='{{.}}' --match-full-lines %s && \
// RUN:   %hcct-decode --format=folded --all out.bin.* | \
// RUN:   FileCheck --implicit-check-not='{{.}}' --match-full-lines --check-prefix=CHILD %s || exit 1; done
// CHILD: main;leaf 4
// While the program runs its file can be read.
// RUN: rm -rf %t && mkdir %t && cd %t && HCCT_OPTIONS=mode=cct:continuous=1:output=out.bin %t.x wait %hcct-decode > out && \
// RUN:   FileCheck --implicit-check-not='{{.}}' --match-full-lines %s < out
// The program removes the file, and its folder: nothing stays.
// RUN: rm -rf %t && mkdir -p %t/gone && cd %t && HCCT_OPTIONS=mode=cct:continuous=1:output=gone/out.bin %t.x removed 2> err && ls | count 1 && \
// RUN:   FileCheck --implicit-check-not='{{.}}' --check-prefix=REMOVED %s < err
// REMOVED: hcct: cannot write the profile to '{{.*}}/gone/out.bin': no such folder (HCCT_OPTIONS=output=FILE names another place)
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "e2e.h"
#include "hcct/hcct.h"

static NOINLINE void leaf(void)
{
    work();
}

static NOINLINE void middle(int count)
{
    for (int i = 0; i < count; i++)
        leaf();
    work();
}

int main(int count, char **arguments)
{
    const char *end = count > 1 ? arguments[1] : "";
    for (int i = 0; i < 7; i++)
        middle(3);
    if (strcmp(end, "dump") == 0 && !hcct_dump())
        return 1;
    if (strcmp(end, "removed") == 0 && (unlink("gone/out.bin") || rmdir("gone")))
        return 1;
    if (strcmp(end, "_exit") == 0)
        _exit(0);
    if (strcmp(end, "kill") == 0)
        kill(getpid(), SIGKILL);
    if (strcmp(end, "crash") == 0)
        kill(getpid(), SIGILL);
    if (strcmp(end, "exec") == 0)
        execl("/bin/true", "true", NULL);
    if (strcmp(end, "wait") == 0) {
        const char *command[] = { arguments[2], "--format=folded", "--all", "out.bin", NULL };
        pid_t child = vfork();
        if (child == 0) {
            execv(command[0], (char *const *)command);
            _exit(1);
        }
        waitpid(child, &count, 0);
        return count;
    }
    for (int i = 0; strcmp(end, "fork") == 0 && i < 3; i++) {
        pid_t child = fork();
        if (child == 0) {
            for (int calls = 0; calls < 2 && i < 2; calls++)
                leaf();
            if (i == 0)
                kill(getpid(), SIGKILL);
            exit(0);
        }
        waitpid(child, &count, 0);
    }
    return 0;
}
