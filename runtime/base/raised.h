/* Signals that a write of the profiler's own raises: SIGXFSZ past the limit of file sizes (ulimit -f),
 * SIGPIPE on a pipe that nobody reads. The program must not get them.
 *
 * hcct_raised_hold blocks both before the write. hcct_raised_drop takes them away afterwards. A signal that
 * was pending before is the program's, and stays. Async-signal-safe. */
#ifndef HCCT_RUNTIME_BASE_RAISED_H
#define HCCT_RUNTIME_BASE_RAISED_H

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

struct hcct_raised {
    sigset_t ours, masked;
};

static inline void hcct_raised_hold(struct hcct_raised *raised)
{
    sigset_t before;
    sigpending(&before);
    sigemptyset(&raised->ours);
    if (!sigismember(&before, SIGXFSZ))
        sigaddset(&raised->ours, SIGXFSZ);
    if (!sigismember(&before, SIGPIPE))
        sigaddset(&raised->ours, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &raised->ours, &raised->masked);
}

/* Keeps errno. */
static inline void hcct_raised_drop(struct hcct_raised *raised)
{
    int error = errno;
    while (sigtimedwait(&raised->ours, NULL, &(struct timespec){ 0 }) > 0 || errno == EINTR)
        ;
    pthread_sigmask(SIG_SETMASK, &raised->masked, NULL);
    errno = error;
}

#endif
