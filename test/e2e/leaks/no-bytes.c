// A program that loses only blocks of no bytes leaks, though its profile has no bytes; one that has no blocks does not. A profile without a search is no good answer there either.
//
// RUN: rm -rf %t && mkdir -p %t && cd %t && %hcct-cc -O1 -g %s -o x
// RUN: for mode in hcct cct; do env HCCT_OPTIONS=mode=$mode %hcct-run --leaks ./x 3 > out; test $? = 23 && FileCheck --check-prefix=LOST %s < out || exit 1; \
// RUN:   env HCCT_OPTIONS=mode=$mode %hcct-run --leaks --format=json -o out ./x 3; test $? = 23 || exit 1; %hcct-run --leaks ./x 0 > out && FileCheck --check-prefix=NONE %s < out || exit 1; done
// RUN: env HCCT_OPTIONS=metric=heap ./x 3 && not %hcct-decode --format=leaks 2>&1 | FileCheck --check-prefix=BLIND %s
// LOST: lost: 0 bytes in 3 blocks
// LOST: main {{.*}}no-bytes.c:
// LOST: leaked: 0 bytes in 3 blocks by 1 context; still reachable: 0 bytes in 0 blocks
// NONE: no leaks; still reachable: 0 bytes in 0 blocks
// BLIND: did not look for lost blocks
#include <stdlib.h>

int main(int count, char **arguments)
{
    size_t sum = 0;
    for (int i = 0, most = count > 1 ? atoi(arguments[1]) : 0; i < most; i++) {
        void *volatile block = malloc(0);
        sum += block != NULL;
        block = NULL;
    }
    return sum > 3;
}
