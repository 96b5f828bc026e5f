// continuous=1 in a program that closes every descriptor and opens files of its own by their numbers: those stay as they are, byte by byte, while
// tables grow and threads come; the profile is whole, in a forked child too.
// UNSUPPORTED: target-aarch64
// RUN: %hcct-cc -O2 -I%inputs %s -lpthread -o %t.x
// RUN: for mode in cct hcct; do rm -rf %t && mkdir %t && cd %t && HCCT_OPTIONS=mode=$mode:output=plain.bin %t.x && \
// RUN:   HCCT_OPTIONS=mode=$mode:continuous=1:output=out.bin %t.x && head -c 7 out.bin | grep HCCTIDS && \
// RUN:   %hcct-decode --all plain.bin | tail -n +2 > plain && %hcct-decode --all out.bin | tail -n +2 | diff plain - && \
// RUN:   %hcct-decode --format=folded --all out.bin.* | grep -x 'main;child;leaf 5' || exit 1; done
// A kill leaves the file, as the program could go on in it.
// RUN: cd %t && rm -f out.bin* && (HCCT_OPTIONS=mode=cct:continuous=1:output=%t/out.bin %t.x kill || true) && \
// RUN:   %hcct-decode --format=folded --all out.bin | grep -x 'main;last;leaf 3'
// Where the file has another name by then it cannot be opened again: the profile is written at the end, and nobody is told in a file of the program's.
// RUN: for mode in cct hcct; do cd %t && rm -f out.bin* && HCCT_OPTIONS=mode=$mode:output=plain.bin %t.x rename && \
// RUN:   HCCT_OPTIONS=mode=$mode:continuous=1:output=out.bin %t.x rename && %hcct-decode --all plain.bin | tail -n +2 > plain && %hcct-decode --all out.bin | tail -n +2 | diff plain - || exit 1; done
// A limit of the size of files, after the start: neither a signal nor a loop.
// RUN: for mode in cct hcct; do cd %t && rm -f out.bin* && HCCT_OPTIONS=mode=$mode:continuous=1:output=out.bin timeout 600 %t.x limit && \
// RUN:   %hcct-decode --all out.bin > out && grep -x 'sound: nothing dropped, nothing lost' out || exit 1; done
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "e2e.h"

enum { FILES = 40, BYTES = 1 << 20, THREADS = 8, CLOSED = 1 << 17 };

static char content[BYTES], found[BYTES];
static int files[FILES];

static NOINLINE void leaf(void)
{
    work();
}

static NOINLINE void odd(int depth);

static NOINLINE void even(int depth)
{
    if (depth) {
        odd(depth - 1);
        even(depth - 1);
    }
    work();
}

static NOINLINE void odd(int depth)
{
    if (depth) {
        even(depth - 1);
        odd(depth - 1);
    }
    work();
}

static NOINLINE void child(void)
{
    for (int i = 0; i < 5; i++)
        leaf();
    work();
}

static NOINLINE void last(void)
{
    for (int i = 0; i < 3; i++)
        leaf();
    work();
}

static void *thread(void *barrier)
{
    pthread_barrier_wait(barrier);
    odd(12);
    pthread_barrier_wait(barrier);
    return NULL;
}

static void make_files(void)
{
    for (size_t i = 0; i < BYTES; i++)
        content[i] = (char)(i * 2654435761u >> 13 | 1);
    for (int i = 0; i < CLOSED; i++)
        close(i);
    for (int i = 0; i < FILES; i++) {
        char name[16];
        snprintf(name, sizeof name, "own.%d", i);
        files[i] = open(name, O_CREAT | O_TRUNC | O_RDWR, 0600);
        if (files[i] != i || write(files[i], content, BYTES) != BYTES)
            _exit(2);
    }
}

/* Of each the bytes, the size and no more. */
static int are_whole(void)
{
    for (int i = 0; i < FILES; i++)
        if (lseek(files[i], 0, SEEK_END) != BYTES || pread(files[i], found, BYTES, 0) != BYTES || memcmp(found, content, BYTES) != 0)
            return 0;
    return 1;
}

int main(int count, char **arguments)
{
    const char *what = count > 1 ? arguments[1] : "";
    pthread_t threads[THREADS];
    pthread_barrier_t barrier;
    even(6);
    make_files();
    if (strcmp(what, "rename") == 0)
        rename("out.bin", "other.bin");
    if (strcmp(what, "limit") == 0)
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){ 3 * BYTES, 3 * BYTES });
    even(14);
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, thread, &barrier);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    pid_t forked = strcmp(what, "") == 0 ? fork() : 1;
    if (forked == 0) {
        child();
        exit(!are_whole());
    }
    int status = 0;
    if (strcmp(what, "") == 0)
        waitpid(forked, &status, 0);
    last();
    if (strcmp(what, "kill") == 0)
        kill(getpid(), SIGKILL);
    return status || !are_whole();
}
