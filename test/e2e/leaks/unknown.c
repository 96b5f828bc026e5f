// What blocks lead to that do not count is not lost: those of a forked child's parent, those from before hcct_reset(), those that were allocated between hcct_stop() and hcct_start(), and
// what a function that gives out memory keeps for itself. What they do not lead to is lost.
//
// RUN: %hcct-cc -O1 -g -I%hcct-source/include --hcct-allocator='^give$' %s -o %t
// RUN: for how in fork reset stop give; do %hcct-run --leaks %t $how > %t.out || { cat %t.out; exit 1; }; FileCheck --check-prefix=NONE %s < %t.out || exit 1; \
// RUN:   %hcct-run --leaks %t $how lose > %t.out; test $? = 23 && FileCheck %s < %t.out || { cat %t.out; exit 1; }; done
// NONE: no leaks; still reachable:
// CHECK: leaked: 500 bytes in 1 block by 1 context;
#include <hcct/hcct.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "Inputs/lose.h"

#define FUNCTION __attribute__((noinline))
static struct holder {
    void *block;
} *holder;
static void **given;
static unsigned given_count, given_room;

FUNCTION static void hold(void)
{
    holder = malloc(sizeof *holder);
    if (!holder)
        abort();
    holder->block = NULL;
}

// It remembers all blocks, and only there are they known.
FUNCTION static void *give(size_t bytes)
{
    if (given_count == given_room) {
        given_room = 2 * given_room + 8;
        given = realloc(given, given_room * sizeof *given);
    }
    return given ? given[given_count++] = malloc(bytes) : NULL;
}

FUNCTION static void put(void)
{
    holder->block = malloc(500);
}

// What is left of addresses on the stack
int main(int count, char **arguments)
{
    const char *how = count > 1 ? arguments[1] : "";
    int status = 0;
    if (!strcmp(how, "stop"))
        hcct_stop();
    hold();
    if (!strcmp(how, "stop"))
        hcct_start();
    if (!strcmp(how, "reset"))
        hcct_reset();
    if (!strcmp(how, "give")) {
        for (unsigned i = 0; i < 20; i++)
            give(500);
        given[0] = count > 2 ? NULL : given[0];
    } else if (strcmp(how, "fork") != 0 || fork() == 0) {
        put();
        holder->block = count > 2 ? NULL : holder->block;
    } else {
        wait(&status);
    }
    wipe();
    return status;
}
