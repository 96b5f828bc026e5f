// Functions and data by names of POSIX, which ISO C leaves to the program: the runtime uses none of them, and the profile is whole.
// It needs timers of CPU time, which qemu does not have, and GNU ld.
// UNSUPPORTED: target-aarch64
// RUN: %hcct-cc -O1 -w -fno-builtin %s -o %t && %hcct-cc -O1 -w -fno-builtin -DDATA %s -o %t.data
// RUN: run() { rm -f %t.bin; HCCT_OPTIONS=$2:output=%t.bin $1 > %t.out 2>&1 && count 0 < %t.out && %hcct-decode --format=folded %t.bin > %t.folded; }
// RUN: for options in mode=hcct mode=cct snapshot=1ms dump=1; do run %t $options && grep -x 'main;count 5' %t.folded && run %t.data $options && grep -x 'main;count 5' %t.folded || exit 1; done
// RUN: for options in metric=heap budget=1%%; do run %t $options && run %t.data $options || exit 1; done
// The linkers, a static program and a whole one choose the same definitions.
// RUN: for linker in lld bfd gold; do %hcct-cc -O1 -w -fno-builtin -fuse-ld=$linker %s -o %t.other && run %t.other mode=cct && grep -x 'main;count 5' %t.folded || exit 1; done
// RUN: for how in "-static -DSTATIC" "-flto -fuse-ld=lld"; do %hcct-cc -O1 -w -fno-builtin $how %s -o %t.other && run %t.other mode=cct && grep -x 'main;count 5' %t.folded || exit 1; done
// Functions that the shared runtime would call, too.
// RUN: %hcct-cc -O1 -w -fno-builtin -fPIC -shared -DLIBRARY %s -o %t.so && %clang -O1 -w -fno-builtin -DPROGRAM %s %t.so -rdynamic -o %t.uses
// RUN: run %t.uses mode=cct && grep -x 'work;count 5' %t.folded
// All that the runtime needs of others is reserved for the C library, or no name that a program has.
// RUN: llvm-nm-19 -u %runtime | awk '$1 == "U" { print $2 }' | grep -v -e hcct_ -e '^__' | sort -u > %t.names
// RUN: ! grep -v -x -e '_dl_find_object\|_exit\|at_quick_exit\|atexit\|bcmp\|clock_gettime\|clone\|dl_iterate_phdr\|dladdr\|dladdr1\|dlopen\|dlsym\|environ' \
// RUN:     -e 'fork\|getauxval\|getcontext\|makecontext\|mem[a-z]*\|posix_fallocate\|pthread_[a-z_]*\|str[a-z]*\|stpcpy\|thrd_exit' %t.names
int printf(const char *, ...);

#ifndef PROGRAM
__attribute__((noinline)) int count(int x)
{
    static volatile int calls;
    return calls++ + x;
}
#endif

#ifdef DATA
#define OWN(name) int name[4] = { 1 };
#else
#define OWN(name)                  \
    int name(int x)                \
    {                              \
        return printf(#name "\n"); \
    }
#endif

#if !defined(LIBRARY) && !defined(STATIC) /* libc.a itself uses some by these names */
OWN(_exit) OWN(access) OWN(chdir) OWN(clock_getres) OWN(clock_gettime) OWN(close) OWN(dup2) OWN(fcntl) OWN(fstat) OWN(ftruncate) OWN(getcwd)
OWN(getegid)
OWN(geteuid) OWN(gethostname) OWN(getpid) OWN(getrlimit) OWN(ioctl) OWN(link) OWN(lstat) OWN(mincore)
OWN(mprotect) OWN(open) OWN(pipe2) OWN(pread) OWN(prctl) OWN(pwrite) OWN(read) OWN(readlink) OWN(rename)
OWN(process_vm_readv) OWN(sched_yield) OWN(setsid) OWN(sigaddset) OWN(sigdelset) OWN(sigemptyset) OWN(sigfillset)
OWN(sigismember) OWN(sigpending) OWN(sigprocmask) OWN(sigtimedwait) OWN(snprintf) OWN(stat) OWN(syscall) OWN(sysconf) OWN(unlink) OWN(vsnprintf) OWN(write) OWN(writev)
/* the runtime interposes these */
OWN(bsd_signal) OWN(clone) OWN(daemon) OWN(prlimit) OWN(setcontext) OWN(setrlimit) OWN(siginterrupt)
OWN(sigset) OWN(ssignal) OWN(sysv_signal) OWN(vfork) OWN(_Exit)
#endif
#ifndef LIBRARY
/* these too, by definitions that sanitizers' weak ones do not replace */
OWN(_longjmp) OWN(longjmp) OWN(pthread_exit) OWN(sigaction) OWN(siglongjmp) OWN(signal) OWN(swapcontext)
#endif

#ifdef PROGRAM
int work(void);
#else
#ifndef LIBRARY
static inline __attribute__((always_inline))
#endif
int work(void)
{
    int sum = 0;
    for (int i = 0; i < 5; i++)
        sum += count(i);
    return sum;
}
#endif

#ifndef LIBRARY
int main(void)
{
    return work() != 20;
}
#endif
