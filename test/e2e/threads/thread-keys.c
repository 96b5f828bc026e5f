// The program has as many keys of thread-local data as without profiling (glibc: 1,024), by pthread and by C11; counts of threads that begin and end
// before, while and after all are taken are exact.
// RUN: %clang -O1 -I%inputs %s -lpthread -o %t.plain
// RUN: for way in pthread c11; do %t.plain $way > %t.wanted; for link in -O1 -static; do %hcct-cc -O1 $link -I%inputs %s -lpthread -o %t.x && for mode in cct hcct; do \
// RUN:   HCCT_OPTIONS=mode=$mode:output=%t.bin %t.x $way | cmp - %t.wanted && %hcct-decode --all %t.bin > %t.out && grep -x 'sound: nothing dropped, nothing lost' %t.out && \
// RUN:   %hcct-decode --format=folded --all %t.bin | FileCheck %s || exit 1; done; done; done
// CHECK-DAG: {{^}}thread;leaf 4000
// CHECK-DAG: {{^}}at_end;leaf 300
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <threads.h>

#include "e2e.h"

enum { LIMIT = 5000, THREADS = 400 };

static unsigned keys[LIMIT];
static pthread_key_t own;

static NOINLINE void leaf(void)
{
    work();
}

static NOINLINE void at_end(void *value)
{
    (void)value;
    leaf();
    work();
}

static void *thread(void *value)
{
    for (int i = 0; i < 10; i++)
        leaf();
    if (value)
        pthread_setspecific(own, value);
    work();
    return NULL;
}

static void run_threads(int count, void *value)
{
    for (int i = 0; i < count; i++) {
        pthread_t made;
        if (pthread_create(&made, NULL, thread, value) == 0)
            pthread_join(made, NULL);
    }
}

static int take(int c11)
{
    int count = 0;
    if (c11)
        while (count < LIMIT && tss_create(&keys[count], NULL) == thrd_success)
            count++;
    else
        while (count < LIMIT && pthread_key_create(&keys[count], NULL) == 0)
            count++;
    return count;
}

int main(int argc, char **arguments)
{
    int c11 = argc > 1 && strcmp(arguments[1], "c11") == 0, value = 1, wrong = 0;
    pthread_key_create(&own, at_end);
    run_threads(100, &value);
    int count = take(c11);
    run_threads(100, &value);
    for (int i = 0; i < count; i++)
        wrong += pthread_setspecific(keys[i], &keys[i]) != 0;
    for (int i = 0; i < count; i++)
        wrong += pthread_getspecific(keys[i]) != &keys[i];
    for (int i = 0; i < count; i++)
        wrong += pthread_key_delete(keys[i]) != 0;
    run_threads(100, &value);
    run_threads(THREADS - 300, NULL);
    printf("%d keys, %d wrong\n", count, wrong);
    return wrong;
}
