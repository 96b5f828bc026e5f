/* Samples program counter and stack height of a program that has no instruction of ours (Mytkowicz, Coughlin,
 * Diwan, "Inferred Call Path Profiling", OOPSLA 2009, sections 3 and 6.2): a library for LD_PRELOAD.
 *
 * Each thread has a timer of its CPU time. Its signal's handler notes where the thread was, and how far SP was
 * below the frame of the thread's first function. That frame is known because the calls of main and of
 * pthread_create's function go through here.
 *
 * Invariants
 *   1. a guest: no malloc, no stdio, no lock; errno is kept; a call that the timer's signal interrupts goes on;
 *   2. the table is bounded, and is the output file itself (samples.h): a sample is one atomic addition;
 *   3. the stack is read only between SP and the CFA of the thread's first function, on that thread's stack.
 * Signals: a real-time signal, the last one that was free at start. A program that blocks it has fewer samples.
 * Children of fork have no timer, and note nothing. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "heights/sampler/samples.h"

enum { THREADS = 4096, SCAN_WORDS = 512, PATH_BYTES = 4096 };

static struct hcct_samples *samples;
static struct hcct_sample *slots;
static uint64_t bias, code_start, code_end; /* of the program */
static int timer_signal;

/* Of the thread: CFA of its first function, and how far its stack goes down. base 0: not known. */
static _Thread_local uint64_t base __attribute__((tls_model("initial-exec")));
static _Thread_local uint64_t lowest __attribute__((tls_model("initial-exec")));

/* --- taking a sample ------------------------------------------------------------------------------- */

static void add(uint64_t *counter, uint64_t amount)
{
    __atomic_fetch_add(counter, amount, __ATOMIC_RELAXED);
}

static void note(uint64_t pc, uint64_t height, uint64_t amount)
{
    uint64_t hash = (pc * 31 + height) * UINT64_C(0x9e3779b97f4a7c15) >> 40;
    for (unsigned probe = 0; probe < HCCT_SAMPLE_PROBES; probe++) {
        struct hcct_sample *slot = &slots[(hash + probe) % HCCT_SAMPLE_SLOTS];
        uint64_t none = 0;
        if (__atomic_load_n(&slot->height, __ATOMIC_RELAXED) == height &&
            __atomic_load_n(&slot->pc, __ATOMIC_ACQUIRE) == pc) {
            add(&slot->count, amount);
            return;
        }
        if (__atomic_compare_exchange_n(&slot->count, &none, amount, false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED)) {
            __atomic_store_n(&slot->height, height, __ATOMIC_RELAXED);
            __atomic_store_n(&slot->pc, pc, __ATOMIC_RELEASE); /* pairs with the load above */
            return;
        }
    }
    add(&samples->full, amount);
}

/* Whether the bytes before `code` may be a call: e8 and an offset; or ff, /2 and what its mode takes. */
static bool is_behind_call(const unsigned char *code)
{
    bool through_pointer = false;
    for (int length = 2; length <= 7; length++)
        through_pointer |= length != 5 && code[-length] == 0xff && (code[1 - length] & 0x38) == 0x10;
    return code[-5] == 0xe8 || through_pointer;
}

/* Notes the newest word of the stack that may be a return address into the program. */
static void note_caller(uint64_t sp, uint64_t amount)
{
    for (unsigned i = 0; i < SCAN_WORDS && sp + 8 <= base; i++, sp += 8) {
        uint64_t word = *(const uint64_t *)(uintptr_t)sp;
        if (word >= code_start + 8 && word < code_end &&
            is_behind_call((const unsigned char *)(uintptr_t)word)) {
            note(word - bias, (base - sp - 8) << 1 | HCCT_SAMPLE_OUTSIDE, amount);
            return;
        }
    }
    add(&samples->unplaced, amount);
}

static void take(uint64_t pc, uint64_t sp, uint64_t amount)
{
    add(&samples->taken, amount);
    if (!base || sp < lowest || sp > base)
        add(&samples->unbased, amount);
    else if (pc >= code_start && pc < code_end)
        note(pc - bias, (base - sp) << 1 | HCCT_SAMPLE_INSIDE, amount);
    else
        note_caller((sp + 7) & ~UINT64_C(7), amount);
}

/* The kernel looks at timers at its ticks: what expired since the last one comes as one signal. */
static void on_timer(int number, siginfo_t *info, void *context)
{
    const mcontext_t *machine = &((const ucontext_t *)context)->uc_mcontext;
    (void)number;
    if (info->si_code == SI_TIMER)
        take((uint64_t)machine->gregs[REG_RIP], (uint64_t)machine->gregs[REG_RSP],
             (uint64_t)info->si_overrun + 1);
}

/* A sample that the program takes itself: its return address, and SP behind the return (section 6.1). */
__attribute__((noinline, visibility("default"))) void hcct_heights_note(void)
{
    uint64_t frame = (uint64_t)(uintptr_t)__builtin_frame_address(0);
    if (samples)
        take((uint64_t)(uintptr_t)__builtin_return_address(0), frame + 16, 1);
}

/* --- threads --------------------------------------------------------------------------------------- */

static void start_timer(timer_t *timer)
{
    struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = timer_signal };
    struct itimerspec time = { .it_interval.tv_sec = (time_t)(samples->interval_ns / 1000000000),
                               .it_interval.tv_nsec = (long)(samples->interval_ns % 1000000000) };
    time.it_value = time.it_interval;
    event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
    if (samples->interval_ns && !timer_create(CLOCK_THREAD_CPUTIME_ID, &event, timer))
        timer_settime(*timer, 0, &time, NULL);
}

/* The calls below are of functions with few arguments: SP does not move between the prologue and the call, so
 * it is the callee's CFA. What follows keeps them from being tail calls. */
#define NOTE_BASE() __asm__ volatile("movq %%rsp, %0" : "=r"(base))

static int (*program_main)(int, char **, char **);

__attribute__((noinline)) static int call_main(int count, char **arguments, char **environment)
{
    timer_t timer;
    struct rlimit limit;
    NOTE_BASE();
    bool limited = !getrlimit(RLIMIT_STACK, &limit) && limit.rlim_cur < base;
    lowest = limited ? base - limit.rlim_cur : base - ((uint64_t)64 << 20);
    start_timer(&timer);
    int status = program_main(count, arguments, environment);
    base = 0;
    return status;
}

/* A function that a thread is to run. Elements are taken and given back by their `function`. */
struct task {
    _Atomic(void *(*)(void *)) function;
    void *argument;
};
static struct task tasks[THREADS];

static void find_lowest(void)
{
    pthread_attr_t attributes;
    void *address;
    size_t size;
    lowest = base;
    if (pthread_getattr_np(pthread_self(), &attributes))
        return;
    if (!pthread_attr_getstack(&attributes, &address, &size))
        lowest = (uint64_t)(uintptr_t)address;
    pthread_attr_destroy(&attributes);
}

__attribute__((noinline)) static void *call_task(void *at)
{
    timer_t timer;
    struct task *task = at;
    void *argument = task->argument;
    void *(*function)(void *) = atomic_exchange(&task->function, NULL);
    NOTE_BASE();
    find_lowest();
    start_timer(&timer);
    void *result = function(argument);
    base = 0;
    return result;
}

static struct task *take_task(void *(*function)(void *), void *argument)
{
    static void *(*const reserved)(void *) = call_task;
    for (unsigned i = 0; i < THREADS; i++) {
        void *(*none)(void *) = NULL;
        if (!atomic_compare_exchange_strong(&tasks[i].function, &none, reserved))
            continue;
        tasks[i].argument = argument;
        atomic_store(&tasks[i].function, function);
        return &tasks[i];
    }
    return NULL;
}

__attribute__((visibility("default"))) int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                                                          void *(*function)(void *), void *argument)
{
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
        (int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))dlsym(RTLD_NEXT,
                                                                                       "pthread_create");
    struct task *task = samples ? take_task(function, argument) : NULL;
    int status =
        task ? create(thread, attributes, call_task, task) : create(thread, attributes, function, argument);
    if (task && status)
        atomic_store(&task->function, NULL);
    return status;
}

/* --- the start ------------------------------------------------------------------------------------- */

/* The program is the first object. Its code is one segment. */
static int find_code(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size, (void)unused;
    bias = info->dlpi_addr;
    for (unsigned i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_X)) {
            code_start = bias + info->dlpi_phdr[i].p_vaddr;
            code_end = code_start + info->dlpi_phdr[i].p_memsz;
        }
    return 1;
}

/* The file of HCCT_HEIGHTS_OUTPUT, as large as the table. It must be new: neither another process of the
 * program nor an older run's file is written over. */
static bool map_file(void)
{
    size_t bytes = sizeof *samples + HCCT_SAMPLE_SLOTS * sizeof *slots;
    const char *path = getenv("HCCT_HEIGHTS_OUTPUT");
    int file = path ? open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666) : -1;
    if (file < 0)
        return false;
    void *memory = ftruncate(file, (off_t)bytes)
                       ? MAP_FAILED
                       : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (memory == MAP_FAILED)
        return false;
    samples = memory;
    slots = (struct hcct_sample *)(samples + 1);
    return true;
}

static uint64_t interval_ns(void)
{
    const char *text = getenv("HCCT_HEIGHTS_INTERVAL");
    char *end;
    unsigned long long microseconds = text ? strtoull(text, &end, 10) : 1000;
    return (text && (end == text || *end)) || microseconds > 10000000 ? 1000000 : microseconds * 1000;
}

/* A signal whose action is the default one. 0: there is none. */
static int take_signal(void)
{
    struct sigaction before,
        ours = { .sa_sigaction = on_timer, .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK };
    sigfillset(&ours.sa_mask);
    for (int number = SIGRTMAX - 1; number > SIGRTMIN; number--)
        if (!sigaction(number, NULL, &before) && before.sa_handler == SIG_DFL &&
            !sigaction(number, &ours, NULL))
            return number;
    return 0;
}

static void start(void)
{
    int saved = errno;
    dl_iterate_phdr(find_code, NULL);
    timer_signal = take_signal();
    if (timer_signal && code_start && map_file()) {
        samples->interval_ns = interval_ns();
        samples->process = (uint64_t)getpid();
        ssize_t length = readlink("/proc/self/exe", samples->program, sizeof samples->program - 1);
        if (length < 0)
            samples->program[0] = 0;
        samples->magic = HCCT_SAMPLES_MAGIC;
    }
    errno = saved;
}

__attribute__((visibility("default"))) int __libc_start_main(int (*main)(int, char **, char **), int count,
                                                             char **arguments, void (*init)(void),
                                                             void (*fini)(void), void (*rtld_fini)(void),
                                                             void *stack_end)
{
    int (*start_main)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void),
                      void (*)(void), void *);
    start_main = (__typeof__(start_main))dlsym(RTLD_NEXT, "__libc_start_main");
    start();
    program_main = main;
    return start_main(samples ? call_main : main, count, arguments, init, fini, rtld_fini, stack_end);
}
