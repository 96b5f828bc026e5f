/* The table lock and those of parts: who waits long sleeps, and leaves the processor to the thread that has
 * the lock; and waits once for a thread that forks with all of them. */
#include <sched.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/confined.h"
#include "runtime/core/notice.h"
#include "runtime/core/parts.h"
#include "runtime/core/tables.h"
#include "test/unit/check.h"

volatile bool hcct_confined;
static const uint32_t mark = 1;
const volatile uint32_t *hcct_process_mark = &mark;

static unsigned yields, sleeps;
static long longest_ns;

/* These take the place of the C library's. */
int sched_yield(void)
{
    yields++;
    return 0;
}

long syscall(long number, ...)
{
    va_list arguments;
    va_start(arguments, number);
    const struct timespec *time = va_arg(arguments, const struct timespec *);
    va_end(arguments);
    CHECK(number == SYS_nanosleep && time->tv_sec == 0 && time->tv_nsec >= longest_ns);
    longest_ns = time->tv_nsec;
    sleeps++;
    return 0;
}

int main(void)
{
    for (unsigned spins = 0; spins < 50; spins++)
        hcct_lock_back_off(spins);
    CHECK(yields == 0 && sleeps == 0);
    for (unsigned spins = 50; spins < 100000; spins++)
        hcct_lock_back_off(spins);
    CHECK(yields >= 100 && yields <= 500);
    CHECK(yields + sleeps >= 97000); /* at once are some microseconds of tries */
    CHECK(longest_ns >= 100000 && longest_ns <= 2000000);
    hcct_confined = true;
    longest_ns = 1000000000; /* nothing sleeps */
    hcct_lock_back_off(100000);
    hcct_confined = false;
    longest_ns = sleeps = 0;
    hcct_parts_lock_all();
    hcct_parts_keep_for_fork();
    hcct_parts_lock_all();
    CHECK(hcct_parts_held == HCCT_PARTS_ALL && sleeps >= 50 && sleeps <= 200);
    hcct_parts_end_fork(); /* frees nothing that was taken away */
    CHECK(!hcct_parts_try(0));
    hcct_parts_unlock_all();
    CHECK(hcct_parts_try(0));
    CHECK_DONE();
}
