// Threads that can get no timer, as the user's limit of waiting signals is used up: their CPU time is lost, and the profile says how much.
// REQUIRES: cpu-timers
// RUN: rm -rf %t && mkdir %t && cd %t && %hcct-cc -O1 -I%inputs %s -o x -lpthread
// RUN: env HCCT_OPTIONS=metric=time:mode=cct ./x > printed && %hcct-decode --format=json > json && python3 %inputs/untimed.py printed json
// RUN: env HCCT_OPTIONS=metric=wall:mode=cct ./x > printed && %hcct-decode | grep 'not exact: .* lost: .*no timer'
#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>

#include "spend.h"

static void *run(void *seconds)
{
    spend(0.2);
    *(double *)seconds = cpu_now();
    return NULL;
}

int main(void)
{
    struct rlimit none = { 0, 0 };
    double sum = 0;
    setrlimit(RLIMIT_SIGPENDING, &none);
    for (int i = 0; i < 5; i++) {
        pthread_t thread;
        double seconds;
        pthread_create(&thread, NULL, run, &seconds);
        pthread_join(thread, NULL);
        sum += seconds;
    }
    printf("%.0f\n", sum * 1e9);
    return 0;
}
