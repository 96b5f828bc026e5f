// daemon(3), and the system calls that end a process, by their numbers, leave the profile of what ends; also where a library that is not instrumented
// calls them, and in static programs. Other system calls do and return what they do.
// UNSUPPORTED: target-aarch64
// RUN: rm -rf %t && mkdir -p %t && cd %t && %clang -shared -fPIC -DLIBRARY -I%inputs %s -o libends.so && %clang -c -DLIBRARY -I%inputs %s -o ends.o
// RUN: for level in -O0 -O2; do %hcct-cc $level -I%inputs %s -L. -lends -Wl,-rpath,%t -lpthread -o dynamic && %hcct-cc $level -static -I%inputs %s ends.o -lpthread -o static && \
// RUN:   for end in exit_group exit exit_first exit_each threads outside; do for program in dynamic static; do for mode in mode=cct mode=hcct; do \
// RUN:     rm -f out.bin && HCCT_OPTIONS=output=out.bin:$mode ./$program $end; test $? = 7 && head -c 7 out.bin | grep HCCTIDS && \
// RUN:     %hcct-decode --format=folded --all out.bin > out && FileCheck --match-full-lines %s < out || exit 1; done; done; done; done
// CHECK: main;before;leaf 3
// RUN: %hcct-cc -O1 -I%inputs %s -L. -lends -Wl,-rpath,%t -lpthread -o timed && for end in exit exit_first; do rm -f out.bin; HCCT_OPTIONS=output=out.bin:metric=wall ./timed $end; test $? = 7 && %hcct-decode out.bin || exit 1; done
// RUN: for program in dynamic static; do for end in daemon "daemon outside"; do for mode in cct hcct; do rm -f out.bin* && mkfifo end && HCCT_OPTIONS=output=out.bin:mode=$mode ./$program $end && timeout 600 cat end && rm end && \
// RUN:   while test ! -e out.bin.*[0-9]; do sleep 0.1; done; %hcct-decode --format=folded --all out.bin > out && FileCheck --match-full-lines --check-prefix=PARENT %s < out && \
// RUN:   %hcct-decode --format=folded --all out.bin.*[0-9] > out && FileCheck --match-full-lines --check-prefix=CHILD %s < out || exit 1; done; done; done
// PARENT-NOT: main;after{{.*}}
// PARENT: main;before;leaf 3
// PARENT-NOT: main;after{{.*}}
// CHILD-NOT: main;before{{.*}}
// CHILD: main;after;leaf 4
// RUN: for program in dynamic static; do ./$program calls; done
#include <sys/syscall.h>
#include <unistd.h>

#include "e2e.h"

long outside(long number, int status);
int detach(void);
#ifdef LIBRARY
long outside(long number, int status) { return syscall(number, status); }
int detach(void) { return daemon(1, 1); }
#else
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static NOINLINE void leaf(void)
{
    work();
}

static NOINLINE void before(void)
{
    for (int i = 0; i < 3; i++)
        leaf();
    work();
}

static NOINLINE void after(void)
{
    for (int i = 0; i < 4; i++)
        leaf();
    work();
}

/* The first thread waits for ever. */
static void *end(void *unused)
{
    syscall(SYS_exit_group, 7);
    return unused;
}

/* The first thread has ended when it is a zombie. The status of the process is that of its last thread. */
static pid_t first;
static void *end_last(void *unused)
{
    char name[64], text[64];
    snprintf(name, sizeof name, "/proc/%d/task/%d/stat", first, first);
    for (;;) {
        FILE *file = fopen(name, "r");
        if (file && fscanf(file, "%*d %*s %63s", text) == 1 && text[0] == 'Z')
            break;
        if (file)
            fclose(file);
        usleep(1000);
    }
    syscall(SYS_exit, 7);
    return unused;
}

static int daemon_ends(int by_library)
{
    before();
    if (by_library ? detach() : daemon(1, 1))
        return 1;
    after();
    if (getpid() != getsid(0))
        return 1;
    int file = open("end", O_WRONLY);
    return close(file);
}

/* Six arguments, values, errors. */
static int calls_are_right(void)
{
    long page = syscall(SYS_mmap, NULL, 4096L, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0L);
    errno = 5;
    return page > 0 && *(char *)page == 0 && syscall(SYS_getpid) == getpid() && errno == 5 && syscall(SYS_close, -1) == -1 && errno == EBADF &&
           syscall(SYS_munmap, page, 4096L) == 0 && syscall(-1L) == -1 && errno == ENOSYS;
}

int main(int count, char **arguments)
{
    const char *what = count > 1 ? arguments[1] : "";
    pthread_t thread;
    if (strcmp(what, "calls") == 0)
        return !calls_are_right();
    if (strcmp(what, "daemon") == 0)
        return daemon_ends(count > 2);
    before();
    if (strcmp(what, "exit_group") == 0)
        syscall(SYS_exit_group, 7);
    if (strcmp(what, "exit") == 0)
        syscall(SYS_exit, 7);
    if (strcmp(what, "exit_first") == 0 || strcmp(what, "exit_each") == 0) {
        first = getpid();
        pthread_create(&thread, NULL, end_last, NULL);
        if (strcmp(what, "exit_each") == 0)
            syscall(SYS_exit, 1);
        pthread_exit(NULL);
    }
    if (strcmp(what, "outside") == 0)
        outside(SYS_exit_group, 7);
    pthread_create(&thread, NULL, end, NULL);
    for (;;)
        pause();
}
#endif
