// A signal that ends the program, exit and _exit do, and write, while another thread does not come back from the loader's lock; with it held by
// the thread itself, too.
// RUN: %hcct-cc -O2 -I%inputs %s -o %t.x -lpthread
// RUN: for how in term exit _exit; do for where in other self; do rm -rf %t && mkdir %t && cd %t && \
// RUN:   (HCCT_OPTIONS=mode=cct:output=out.bin timeout -k 1 600 %t.x $how $where; echo $?) > status && grep -x -e 0 -e 143 status && \
// RUN:   %hcct-decode --format=folded --all out.bin | grep -x 'main;leaf 10' || exit 1; done; done
#define _GNU_SOURCE
#include <link.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "e2e.h"

static sem_t inside;
static const char *how;

static NOINLINE void leaf(void)
{
    work();
}

static void end(void)
{
    if (strcmp(how, "term") == 0)
        kill(getpid(), SIGTERM);
    if (strcmp(how, "exit") == 0)
        exit(0);
    _exit(0);
}

static int stay(struct dl_phdr_info *info, size_t size, void *ends)
{
    (void)info;
    (void)size;
    if (ends)
        end();
    sem_post(&inside);
    for (;;)
        pause();
}

static void *iterate(void *unused)
{
    sigset_t all; /* so that main gets the signal */
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    dl_iterate_phdr(stay, NULL);
    return unused;
}

int main(int count, char **arguments)
{
    pthread_t thread;
    how = arguments[1];
    for (int i = 0; i < 10; i++)
        leaf();
    if (count > 2 && strcmp(arguments[2], "self") == 0)
        dl_iterate_phdr(stay, &thread);
    sem_init(&inside, 0, 0);
    pthread_create(&thread, NULL, iterate, NULL);
    sem_wait(&inside);
    end();
}
