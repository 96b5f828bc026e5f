// What a sanitizer finds in an instrumented program is found as without hcct, with the same exit status, at _exit too; and the
// profile is written.
// RUN: %clang -g -O1 -fsanitize=thread %s -o %t.race -lpthread && %hcct-cc -g -O1 -fsanitize=thread %s -o %t.race.x -lpthread
// RUN: %clang -g -O1 -fsanitize=address %s -o %t.over && %hcct-cc -g -O1 -fsanitize=address %s -o %t.over.x
// RUN: export HCCT_OPTIONS=output=%t.bin; for how in exit _exit; do for what in race over; do rm -f %t.bin; \
// RUN:   %t.$what $what $how 2> %t.plain; plain=$?; %t.$what.x $what $how 2> %t.report; test $? = $plain && \
// RUN:   grep -q 'SUMMARY: .*Sanitizer' %t.report && \
// RUN:   { test $what = over || %hcct-decode --format=folded %t.bin | grep -c main; } || exit 1; done; done
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile int shared, begun[2];

/* Both are there at the same time: of one that has ended when the other begins, a race may be missed. */
__attribute__((noinline)) static void *touch(void *me)
{
    begun[me != NULL] = 1;
    while (!begun[me == NULL])
        sched_yield();
    for (int i = 0; i < 1000; i++) /* one alone may be missed, too */
        shared++;
    return me;
}

int main(int count, char **arguments)
{
    pthread_t thread;
    char *volatile heap = malloc(count);
    if (strcmp(arguments[1], "race") == 0) {
        pthread_create(&thread, NULL, touch, &thread);
        touch(NULL);
        pthread_join(thread, NULL);
    } else {
        heap[count] = 1;
    }
    if (strcmp(arguments[2], "_exit") == 0)
        _exit(3);
    return 3;
}
