// metric=wall in a program that was not compiled for it counts nothing: there is no thread of the profiler's, and a thread that ends by a system
// call of its own is not taken for the process' last one.
// RUN: %hcct-cc -O1 %s -o %t -lpthread && env HCCT_OPTIONS=metric=wall:output=%t.bin %t 2>/dev/null | FileCheck %s
// CHECK: goes on
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *ends(void *unused)
{
    syscall(SYS_exit, 0);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, ends, NULL);
    usleep(100000);
    puts("goes on");
    return 0;
}
