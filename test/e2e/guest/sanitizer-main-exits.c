// The leak sanitizer has nothing to say of a program whose first thread ends by pthread_exit before the others: what the C library
// allocates for the profiler then, and has no occasion to free, is no leak of the program.
// REQUIRES: !target-aarch64
// RUN: for sanitizer in leak address; do %clang -O1 -g -fsanitize=$sanitizer %s -o %t.plain -lpthread && %t.plain && \
// RUN:   %hcct-cc -O1 -g -fsanitize=$sanitizer %s -o %t.$sanitizer -lpthread || exit 1; \
// RUN:   for mode in cct hcct; do HCCT_OPTIONS=mode=$mode:output=%t.bin %t.$sanitizer && %hcct-decode --format=folded %t.bin | grep -x 'body;leaf 1' || exit 1; done; done
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

__attribute__((noinline)) static void leaf(void)
{
    __asm__ volatile("");
}

static int has_ended(int thread)
{
    char path[64], state = 0;
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", thread);
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%*d %*s %c", &state) != 1)
        state = 0;
    if (file)
        fclose(file);
    return state == 'Z';
}

static void *body(void *argument)
{
    while (!has_ended(getpid()))
        usleep(1000);
    leaf();
    return argument;
}

int main(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, body, NULL))
        return 3;
    pthread_exit(NULL);
}
