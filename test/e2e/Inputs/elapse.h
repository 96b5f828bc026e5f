/* elapse(path, ms): so many milliseconds by the system's clock in the function that says so, booked under `path`. At the end the
 * process prints its book, "path nanoseconds" a line, and under "[all]" the time from its start, and that of its threads. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "e2e.h"

#define OUTSIDE __attribute__((no_profile_instrument_function, noinline))

static struct {
    const char *path;
    uint64_t time;
} book[64];

static inline __attribute__((always_inline)) uint64_t time_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

OUTSIDE static void enter_in_book(const char *path, uint64_t time)
{
    static int lock;
    while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE))
        ;
    int i = 0;
    while (book[i].path && strcmp(book[i].path, path) != 0)
        i++;
    book[i].path = path;
    book[i].time += time;
    __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
}

static uint64_t all_since, all_threads;

OUTSIDE __attribute__((constructor)) static void start_book(void)
{
    all_since = time_now();
}

static inline __attribute__((always_inline)) void elapse(const char *path, unsigned ms)
{
    uint64_t start = time_now(), end;
    do
        for (int i = 0; i < 1000; i++)
            work();
    while ((end = time_now()) < start + ms * UINT64_C(1000000));
    enter_in_book(path, end - start);
}

OUTSIDE __attribute__((destructor)) static void tell(void)
{
    for (int i = 0; book[i].path; i++)
        printf("%s %llu\n", book[i].path, (unsigned long long)book[i].time);
    printf("[all] %llu\n", (unsigned long long)(time_now() - all_since + all_threads));
}
