// What the profiler takes is 8 MB and 512 KB for each live thread, at the most: 100 threads that use all there is for a thread, in
// more contexts than there are counters.
// RUN: %clang -O1 %s -o %t.plain -lpthread && %hcct-cc -O1 %s -o %t.x -lpthread
// RUN: %t.plain > %t.without && env HCCT_OPTIONS=output=%t.bin %t.x > %t.with
// RUN: test $(($(cat %t.with) - $(cat %t.without))) -le $((8 * 1024 + 100 * 512))
// RUN: test $(($(cat %t.with) - $(cat %t.without))) -ge $((100 * 256))
// With more contexts than memory has room for, and the number of calls of each function: 32 MB, and again 512 KB for each thread.
// RUN: %t.plain 16 20 > %t.without && env HCCT_OPTIONS=output=%t.bin %t.x 16 20 > %t.with
// RUN: test $(($(cat %t.with) - $(cat %t.without))) -le $((32 * 1024 + 16 * 512))
// RUN: %hcct-decode %t.bin | FileCheck %s
// CHECK: exact for the first {{.*}} calls, when memory was full
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { MOST = 100 };

static int thread_count = MOST, depth = 14;
static pthread_barrier_t all;
static _Thread_local volatile int worked;

__attribute__((noinline)) static void tree(int depth)
{
    worked++;
    if (depth == 0)
        return;
    tree(depth - 1);
    tree(depth - 1);
    worked++;
}

static void *body(void *unused)
{
    for (int round = 0; round < 3; round++)
        tree(depth);
    pthread_barrier_wait(&all);
    return unused;
}

int main(int count, char **arguments)
{
    pthread_t threads[MOST];
    struct rusage usage;
    if (count > 2) {
        thread_count = atoi(arguments[1]);
        depth = atoi(arguments[2]);
    }
    pthread_barrier_init(&all, NULL, (unsigned)thread_count + 1);
    for (int i = 0; i < thread_count; i++)
        pthread_create(&threads[i], NULL, body, NULL);
    pthread_barrier_wait(&all);
    getrusage(RUSAGE_SELF, &usage);
    printf("%ld\n", usage.ru_maxrss);
    for (int i = 0; i < thread_count; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
