// What a sanitizer finds in an instrumented program is found as without hcct, with the same exit status, at _exit too; and the
// profile is written.
// RUN: %clang -g -O1 -fsanitize=thread %s -o %t.race -lpthread && %hcct-cc -g -O1 -fsanitize=thread %s -o %t.race.x -lpthread
// RUN: %clang -g -O1 -fsanitize=address %s -o %t.over && %hcct-cc -g -O1 -fsanitize=address %s -o %t.over.x
// RUN: export HCCT_OPTIONS=output=%t.bin; for how in exit _exit; do for what in race over; do rm -f %t.bin; \
// RUN:   %t.$what $what $how 2> %t.plain; plain=$?; %t.$what.x $what $how 2> %t.report; test $? = $plain && \
// RUN:   grep -q 'SUMMARY: .*Sanitizer' %t.report && \
// RUN:   { test $what = over || %hcct-decode --format=folded %t.bin | grep -c main; } || exit 1; done; done
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile int shared; /* so that each of the thousand is an access: one alone may be missed */

__attribute__((noinline)) static void *touch(void *unused)
{
    for (int i = 0; i < 1000; i++)
        shared++;
    return unused;
}

int main(int count, char **arguments)
{
    pthread_t thread;
    char *volatile heap = malloc(count);
    if (strcmp(arguments[1], "race") == 0) {
        pthread_create(&thread, NULL, touch, NULL);
        touch(NULL);
        pthread_join(thread, NULL);
    } else {
        heap[count] = 1;
    }
    if (strcmp(arguments[2], "_exit") == 0)
        _exit(3);
    return 3;
}
