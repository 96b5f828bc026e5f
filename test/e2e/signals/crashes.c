// A signal that ends the program by its default action, a fault too, leaves the profile; and status, core, siginfo and registers are those of a
// program without us, as a tracer sees them. Of two threads that crash at once, and of one whose profile crashes, too, the first fault counts.
// RUN: %hcct-cc -O0 -I%inputs %s -o %t.x -lpthread
// RUN: rm -rf %t && mkdir %t && cd %t && HCCT_OPTIONS=mode=cct:output=out.%%p:verbosity=0 %t.x > how
// RUN: for profile in out.*; do %hcct-decode --format=folded --all $profile; done | grep -c -x -e 'leaf 10' | grep -x $(wc -l < how)
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "e2e.h"

#define PLAIN __attribute__((no_profile_instrument_function))

static NOINLINE void leaf(void)
{
    work();
}

static NOINLINE void segv(void) { *(volatile int *)16 = 1; }

static NOINLINE void bus(void)
{
    FILE *file = tmpfile();
    char *page = mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
    *(volatile char *)page = 1;
}

static NOINLINE void fpe(void)
{
#ifdef __x86_64__
    __asm__ volatile("xorl %%ecx, %%ecx; xorl %%edx, %%edx; movl $1, %%eax; idivl %%ecx" ::: "eax", "ecx", "edx");
#else
    raise(SIGFPE);
#endif
}

static NOINLINE void ill(void) { __builtin_trap(); }

static NOINLINE void trap(void)
{
#ifdef __x86_64__
    __asm__ volatile("int3");
#else
    raise(SIGTRAP);
#endif
}

static NOINLINE void in_vain(void) /* the program's handler gives up */
{
    signal(SIGSEGV, SIG_DFL);
    segv();
}

static void *crash(void *unused)
{
    pthread_barrier_wait(unused);
    segv();
    return unused;
}

static NOINLINE void two_threads(void)
{
    pthread_t threads[2];
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, NULL, 2);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, crash, &barrier);
    pthread_join(threads[0], NULL);
}

static const struct {
    const char *name;
    int signal;
    void (*fault)(void); /* NULL: somebody sends it */
} ways[] = {
    {"segv", SIGSEGV, segv}, {"bus", SIGBUS, bus}, {"fpe", SIGFPE, fpe}, {"ill", SIGILL, ill}, {"trap", SIGTRAP, trap},
    {"in vain", SIGSEGV, in_vain}, {"two threads", SIGSEGV, two_threads},
    {"sent", SIGSEGV, NULL}, {"quit", SIGQUIT, NULL}, {"pipe", SIGPIPE, NULL}, {"alarm", SIGALRM, NULL}, {"usr1", SIGUSR1, NULL},
    {"cpu", SIGXCPU, NULL}, {"size", SIGXFSZ, NULL}, {"sys", SIGSYS, NULL}, {"poll", SIGPOLL, NULL}, {"prof", SIGPROF, NULL}, {"term", SIGTERM, NULL},
};

static PLAIN void end(int way)
{
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    signal(ways[way].signal, SIG_DFL); /* whoever runs the tests may have them ignored */
    struct sigaction told;
    sigaction(ways[way].signal, NULL, &told);
    if (told.sa_handler != SIG_DFL || told.sa_flags & SA_SIGINFO)
        _exit(1);
    for (int i = 0; i < 10; i++)
        leaf();
    if (ways[way].fault)
        ways[way].fault();
    else
        kill(getpid(), ways[way].signal);
    _exit(2);
}

/* What a tracer sees of a signal. */
struct stop {
    siginfo_t info;
    struct user_regs_struct registers;
};

static PLAIN void look(pid_t thread, struct stop *stop)
{
    struct iovec registers = {&stop->registers, sizeof stop->registers};
    memset(stop, 0, sizeof *stop);
    if (ptrace(PTRACE_GETSIGINFO, thread, NULL, &stop->info) != 0 ||
        ptrace(PTRACE_GETREGSET, thread, (void *)1, &registers) != 0)
        perror("ptrace");
#ifdef __x86_64__
    stop->registers.orig_rax = 0; /* the number of the system call, for one that is to be restarted */
#endif
}

/* The signal comes twice: to us, and to the kernel. The other signals pass. */
static PLAIN int trace(pid_t child, int way)
{
    int status, seen = 0, wanted = ways[way].signal;
    struct stop first, last;
    waitpid(child, &status, 0);
    ptrace(PTRACE_CONT, child, NULL, NULL);
    for (pid_t thread; (thread = waitpid(child, &status, 0)) > 0 && WIFSTOPPED(status);) {
        if (WSTOPSIG(status) == wanted)
            look(thread, seen++ ? &last : &first);
        ptrace(PTRACE_CONT, thread, NULL, WSTOPSIG(status));
    }
    bool same = seen == 2 && memcmp(&first, &last, sizeof first) == 0;
    if (!same)
        fprintf(stderr, "%s: seen %d times, code %d and %d\n", ways[way].name, seen, first.info.si_code, last.info.si_code);
    return same ? status : -1;
}

PLAIN int main(void)
{
    int bad = 0;
    for (int way = 0; way < (int)(sizeof ways / sizeof ways[0]); way++)
        for (int traced = 0; traced < 2; traced++) {
            bool is_one = ways[way].fault != two_threads; /* a tracer would have to follow threads */
            if (traced && !is_one)
                continue;
            pid_t child = fork();
            int status;
            if (!child && traced && ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0)
                raise(SIGSTOP);
            if (!child)
                end(way);
            status = traced ? trace(child, way) : (waitpid(child, &status, 0), status);
            bad |= !WIFSIGNALED(status) || WTERMSIG(status) != ways[way].signal;
            printf("%s %d: %x\n", ways[way].name, traced, (unsigned)status);
        }
    return bad;
}
