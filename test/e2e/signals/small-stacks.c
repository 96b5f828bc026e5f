// A profile needs more stack than a small alternate stack of a handler or a small thread has. It is written on a stack of the runtime's own:
// the program ends with the status that it has without us, and nothing around its stacks changes. A search for lost blocks
// still begins where the handler's stack ends. Sizes are beside what the kernel's own part takes, which is some 3 KB with AVX-512
// and 11 KB with AMX. For a tick this is 1 KB. Without us a first call of a library's function saves all registers there, too, 3 KB with
// AVX-512: so all are bound at the start.
// RUN: rm -rf %t && mkdir %t && cd %t && %clang -O1 %s -Wl,-z,now -o plain -lpthread
// RUN: for how in "-O1" "-O1 -static"; do %hcct-cc $how %s -o x -lpthread && for size in 2304 6400; do \
// RUN:   for end in abort term exit return fault; do rm -f ids.bin; ./plain $size $end; plain=$?; ./x $size $end; ours=$?; \
// RUN:   test $plain -gt 0 && test $ours = $plain && %hcct-decode | grep -q 'sound: nothing dropped' || { echo $how $size $end $ours $plain; exit 1; }; \
// RUN:   done; done; done
// RUN: %hcct-cc -O1 %s -o t -lpthread
// RUN: for options in mode=cct mode=hcct budget=1%% metric=time metric=wall; do for what in "1024 look" "14848 thread"; do \
// RUN:   rm -f s.bin && env HCCT_OPTIONS=$options:snapshot=10ms:output=s.bin ./t $what s.bin || { echo $options $what; exit 1; }; done; done
// RUN: for mode in mode=hcct mode=cct; do rm -f s.bin*; HCCT_OPTIONS=$mode:output=s.bin ./t 0 fork child && %hcct-decode --format=folded s.bin.* | grep -qx 'split;leaf 1' || exit 1; done
// RUN: env HCCT_OPTIONS=metric=heap:heap_scan=on:mode=cct ./x 6400 search || test $? = 3
// RUN: %hcct-decode --value=lost-blocks --all --format=folded | FileCheck --implicit-check-not=hold %s
// CHECK: main;forget;[malloc] {{9[5-9]|100}}
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { GUARD = 65536, BLOCKS = 100, PAINT = 0x5a };

static unsigned char *area;
static const char *snapshot;
static volatile unsigned long sink;

__attribute__((noinline)) static void leaf(unsigned long x)
{
    sink += x;
}

/* What the kernel takes of a stack for a signal. */
static size_t of_kernel(void)
{
    enum { MINSIGSTKSZ_NOW = 51 }; /* AT_MINSIGSTKSZ */
    size_t bytes = getauxval(MINSIGSTKSZ_NOW);
    return bytes ? bytes : 2048;
}

/* Below it is memory that may be written: what reaches it is seen. Or a guard, as below a thread's stack. */
static void set_alternate(size_t size, int protection)
{
    area = mmap(NULL, GUARD + size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (area == MAP_FAILED)
        _exit(2);
    memset(area, PAINT, GUARD);
    mprotect(area, GUARD, protection);
    stack_t alternate = { .ss_sp = area + GUARD, .ss_size = size };
    if (sigaltstack(&alternate, NULL) != 0)
        _exit(2);
}

static int changed(void)
{
    for (int i = 0; i < GUARD; i++)
        if (area[i] != PAINT)
            return 1;
    return 0;
}

static void leave(int signal)
{
    leaf(signal);
    _exit(3);
}

static void go_back(int signal)
{
    leaf(signal);
}

static void handle(int signal, void (*handler)(int))
{
    struct sigaction action = { .sa_flags = SA_ONSTACK };
    action.sa_handler = handler;
    sigaction(signal, &action, NULL);
}

/* Until there is a snapshot. */
static void *count(void *unused)
{
    while (access(snapshot, F_OK) != 0)
        for (int i = 0; i < 100000; i++)
            leaf(i);
    return unused;
}

/* The child ends in the small thread, and leaves a profile. */
static void *split(void *unused)
{
    int status;
    pid_t child = fork();
    if (!child) {
        leaf(1);
        pthread_exit(NULL);
    }
    return waitpid(child, &status, 0) == child && status == 0 ? unused : (void *)snapshot;
}

static int in_thread(size_t size, void *(*function)(void *))
{
    pthread_t thread;
    pthread_attr_t attributes;
    size_t least = (size_t)sysconf(_SC_THREAD_STACK_MIN);
    size = size > least ? size : least;
    pthread_attr_init(&attributes);
    void *failed;
    return pthread_attr_setstacksize(&attributes, size) || pthread_create(&thread, &attributes, function, NULL) ||
           pthread_join(thread, &failed) || failed;
}

__attribute__((noinline, optnone)) static void *hold(void)
{
    return malloc(33);
}

static void hold_and_leave(int signal)
{
    void *volatile held = hold();
    leave(signal);
    sink += held != NULL;
}

__attribute__((noinline, optnone)) static void forget(void)
{
    for (int i = 0; i < BLOCKS; i++)
        sink += (unsigned long)malloc(44) & 1;
}

int main(int argc, char **argv)
{
    size_t size = strtoul(argv[1], NULL, 0) + of_kernel();
    const char *what = argv[2];
    snapshot = argv[3];
    for (int i = 0; i < 1000; i++)
        leaf(i);
    if (strcmp(what, "thread") == 0)
        return in_thread(size, count);
    if (strcmp(what, "fork") == 0)
        return in_thread(0, split);
    set_alternate(size, strcmp(what, "look") == 0 ? PROT_READ | PROT_WRITE : PROT_NONE);
    if (strcmp(what, "look") == 0) {
        count(NULL);
        return changed();
    }
    handle(SIGUSR1, leave);
    handle(SIGSEGV, leave);
    if (strcmp(what, "exit") == 0)
        raise(SIGUSR1);
    if (strcmp(what, "search") == 0) {
        forget();
        handle(SIGUSR2, hold_and_leave);
        raise(SIGUSR2);
    }
    if (strcmp(what, "fault") == 0)
        *(volatile int *)8 = 1;
    if (strcmp(what, "term") == 0)
        raise(SIGTERM);
    if (strcmp(what, "return") == 0)
        handle(SIGABRT, go_back);
    abort();
}
