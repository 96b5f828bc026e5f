// A thread that is alone takes no lock in the heap meter. A fault strikes there, after any instruction, and its handler makes a thread that allocates and frees a lot, forks, or jumps out.
// Each block is counted in the context of its call, or its bytes are dropped, and told.
//
// REQUIRES: turn-7
// UNSUPPORTED: target-aarch64
// RUN: rm -rf %t && mkdir -p %t && cd %t && %hcct-cc -O1 -g %s -o x -lpthread && env HCCT_OPTIONS=metric=heap:mode=cct timeout 100 ./x > told && python3 %S/Inputs/alone.py %hcct-decode told
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define FUNCTION __attribute__((noinline, optnone))
enum { BLOCKS = 3000, BEFORE = 60, STRIDE = 53 };
enum how { THREAD, FORK, JUMP, HOWS };
static volatile long steps, wanted;
static volatile int struck;
static enum how how;
static sigjmp_buf back;
static void *kept[BLOCKS];

/* Allocates so much that the tables grow. */
FUNCTION static void *other(void *unused)
{
    for (int i = 0; i < BLOCKS; i++)
        kept[i] = malloc(10);
    for (int i = 0; i < BLOCKS; i += 2)
        free(kept[i]);
    return unused;
}

/* A signal after each instruction, of which one of the profiler's is taken: those of malloc itself are in the C library. */
__attribute__((cold)) static void strike(int signal, siginfo_t *info, void *context)
{
    extern const char __executable_start, etext;
    const char *at = (const char *)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    pthread_t thread;
    (void)signal;
    (void)info;
    if (at < &__executable_start || at >= &etext || ++steps != wanted)
        return;
    struck = 1;
    if (how == THREAD && pthread_create(&thread, NULL, other, NULL) == 0)
        pthread_join(thread, NULL);
    if (how == FORK && fork() == 0)
        struck = 2; /* and goes on where the parent does, too */
    if (how == JUMP)
        siglongjmp(back, 1);
}

FUNCTION static void work(void)
{
    static void *blocks[BEFORE];
    for (int i = 0; i < BEFORE; i++)
        blocks[i] = malloc(100);
    if (sigsetjmp(back, 1) == 0) {
        __asm__ volatile("pushfq; orq $0x100, (%%rsp); popfq" ::: "memory", "cc");
        void *block = malloc(1000);
        free(blocks[0]);
        blocks[0] = block;
    }
    __asm__ volatile("pushfq; andq $~0x100, (%%rsp); popfq" ::: "memory", "cc");
    for (int i = 1; i < BEFORE; i++)
        free(blocks[i]);
}

int main(void)
{
    sigaction(SIGTRAP, &(struct sigaction){ .sa_sigaction = strike, .sa_flags = SA_SIGINFO }, NULL);
    for (int h = THREAD; h < HOWS; h++)
        for (wanted = 1;; wanted += STRIDE) {
            fflush(stdout);
            how = (enum how)h;
            pid_t child = fork();
            if (child == 0) {
                int theirs = 0;
                work();
                if (struck == 1 && how == FORK)
                    wait(&theirs);
                return WIFSIGNALED(theirs) ? 9 : struck != 0;
            }
            int status = 0;
            waitpid(child, &status, 0);
            printf("%d %d %d\n", h, (int)child, status);
            if (!status)
                break; /* there was no such step */
        }
}
