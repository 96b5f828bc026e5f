// trace=FILE records the context of every call, in order: hcct-lab replay makes of it the profile that the run left, and bounded ones. The program keeps its
// own books of the calls of its first thread, and of all threads the profile's counts are the trace's.
// RUN: %hcct-cc -O2 -I%inputs %s -lpthread -o %t
// RUN: rm -f %t.trace && HCCT_OPTIONS=trace=%t.trace:output=%t.bin:mode=hcct %t %t.book
// RUN: %hcct-decode --format=json --all %t.bin > %t.json && grep '"guarantee": "exact"' %t.json
// RUN: %hcct-lab replay --mode=cct --facts -o %t.exact %t.trace > %t.facts
// RUN: %hcct-decode --format=json --all %t.exact | diff %t.json -
// RUN: python3 %inputs/trace.py %hcct-lab %hcct-decode %t.trace %t.book %t.facts
// With threads=split and recursion=fold words are others, and the profile is that of the run, too.
// RUN: for o in threads=split recursion=fold; do HCCT_OPTIONS=$o:trace=%t.trace:output=%t.bin %t %t.book && \
// RUN:   %hcct-lab replay --mode=cct -o %t.exact %t.trace && %hcct-decode --format=json --all %t.bin > %t.json && \
// RUN:   %hcct-decode --format=json --all %t.exact | diff %t.json - || exit 1; done
// A limit: what is behind it is counted by the run, and left out by the replay, which says so.
// RUN: HCCT_OPTIONS=trace=%t.trace:trace_limit=20K:output=%t.bin %t %t.book && test $(wc -c < %t.trace) -lt 200000
// RUN: %hcct-lab replay --mode=cct -o %t.exact %t.trace 2>&1 | grep 'calls at its end were not recorded (trace_limit)'
// RUN: %hcct-decode %t.exact > %t.out && grep ' dropped' %t.out && not grep sound %t.out
// Phases are not told, and the profile is whole.
// RUN: %hcct-cc -O2 -DPHASES -I%inputs -I%hcct-source/include %s -lpthread -o %t.p && HCCT_OPTIONS=trace=%t.trace:output=%t.bin %t.p %t.book && %hcct-decode %t.bin | grep '^phases: '
// RUN: for o in --mode=cct --phi=0.2 "--mode=cct --burst=5/50"; do %hcct-lab replay $o -o %t.exact %t.trace && %hcct-decode %t.exact > %t.out && not grep phases: %t.out || exit 1; done
// While another process writes the trace, it is left alone, and a warning says so.
// RUN: cp %t.trace %t.whole && HCCT_OPTIONS=trace=%t.trace:output=%t.bin python3 -c 'import fcntl, subprocess, sys; file = open(sys.argv[1], "r+b"); fcntl.lockf(file, fcntl.LOCK_EX); \
// RUN:   sys.exit(subprocess.run(sys.argv[2:]).returncode)' %t.trace %t %t.book 2>&1 | grep 'another process writes it, and the rest of the run is not recorded' && cmp %t.trace %t.whole
// What cannot be.
// RUN: HCCT_OPTIONS=trace=%t.no/x:output=%t.bin %t %t.book 2>&1 | grep 'cannot be written, and the rest of the run is not recorded'
// RUN: HCCT_OPTIONS=trace=%t.trace:budget=10%%:output=%t.bin %t %t.book 2>&1 | grep 'trace needs metric=calls'
// RUN: for limit in 20 0K 4097T 18014398509481985K 99999999999999999999G; do HCCT_OPTIONS=trace=%t.trace:trace_limit=$limit:output=%t.bin %t %t.book 2>&1 | \
// RUN:   grep "bad value '$limit' for trace_limit" || exit 1; done
// RUN: for limit in 5000K 5000M 5000G 4096T; do HCCT_OPTIONS=trace=%t.trace:trace_limit=$limit:output=%t.bin %t %t.book 2>&1 | count 0 || exit 1; done
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "own_paths.h"
#ifdef PHASES
#include "hcct/hcct.h"
#endif

/* --- the book: of each call of the first thread ------------------------------------------------------------- */

static FILE *book;
static _Thread_local int writes;

BOOK void enter(uint64_t number)
{
    uint64_t key = key_of(number);
    if (writes)
        fwrite(&key, sizeof key, 1, book);
    work();
}

/* --- the program ------------------------------------------------------------------------------------------ */

static void handle(int number)
{
    (void)number;
    int kept = writes; /* a handler is a stream of its own */
    writes = 0;
    a(2);
    writes = kept;
}

static void *run(void *seed)
{
    state = (uintptr_t)seed;
    for (int i = 0; i < 3000; i++)
        functions[next(3)]((int)next(7));
    return NULL;
}

static void at_end(void)
{
    path[0] = 80;
    depth = 0;
    enter(7);
    CALL(70, leaf());
    fclose(book);
}

int main(int argc, char **argv)
{
    book = argc == 2 ? fopen(argv[1], "w") : NULL;
    if (!book)
        return 1;
    atexit(at_end);
    signal(SIGUSR1, handle);
    writes = 1;
    state = 1;
    path[0] = 79;
    enter(6);
    for (int i = 0; i < 3000; i++) {
#ifdef PHASES
        hcct_phase(i % 3 ? "many" : "few");
#endif
        CALL(60, functions[next(3)]((int)next(8)));
        if (i % 1000 == 0)
            raise(SIGUSR1);
    }
    pthread_t threads[3];
    for (uintptr_t i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, run, (void *)i);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    fflush(book);
    pid_t child = fork(); /* has no trace, and does not spoil this one */
    if (!child) {
        writes = 0;
        run((void *)9);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    return 0;
}
