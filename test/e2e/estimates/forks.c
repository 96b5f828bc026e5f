// Forked children draw random numbers of their own: what each finds differs, and their sum is near the truth, 65 million bytes, by 6 standard deviations.
// RUN: %hcct-cc -O1 -g %s -o %t && rm -rf %t.d && mkdir %t.d && env HCCT_OPTIONS=mode=cct:metric=heap:heap_sample=64K:output=%t.d/x.bin %t
// RUN: for i in %t.d/x.bin.*; do %hcct-decode --all --format=folded $i | grep child | sort | md5sum; done | sort -u > %t.kinds && test $(wc -l < %t.kinds) -ge 2
// RUN: %hcct-decode --all --format=folded %t.d/* | awk '/last_of/ { sum += $NF } END { print sum; exit sum < 52000000 || sum > 78000000 }'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define FUNCTION __attribute__((noinline))

FUNCTION static void first_of(void)
{
    __asm__ volatile("");
}

FUNCTION static void last_of(void)
{
    void *volatile block = malloc(1000);
    if (!block)
        abort();
}

FUNCTION static void child(void)
{
    for (int i = 0; i < 650; i++)
        first_of();
    for (int i = 0; i < 650; i++)
        last_of();
}

int main(void)
{
    int status = 0;
    for (int i = 0; i < 100 && !status; i++) {
        pid_t process = fork();
        if (process == 0) {
            child();
            exit(0);
        }
        waitpid(process, &status, 0);
    }
    return status;
}
