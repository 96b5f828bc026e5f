// known=: the callback comes at the first entry into a context that the known profile lacks, and at no other. The program keeps its own books: a path
// of call sites for each call. In both modes, with and without optimization, in a build with other numbers, with handlers, jumps and threads.
// RUN: %hcct-cc -O2 -I%hcct-source/include -I%inputs %s -lpthread -o %t.2
// RUN: %hcct-cc -O0 -I%hcct-source/include -I%inputs %s -lpthread -o %t.0
// RUN: %hcct-cc -O2 -flto -I%hcct-source/include -I%inputs %s -lpthread -o %t.l
// RUN: %hcct-cc -O2 -DOTHER -I%hcct-source/include -I%inputs %s -lpthread -o %t.o
// RUN: for p in 0 2 l; do rm -f %t.book; \
// RUN:   HCCT_OPTIONS=mode=cct:output=%t.known %t.$p learn %t.book 1 && \
// RUN:   HCCT_OPTIONS=mode=cct:known=%t.known:output=%t.same %t.$p check %t.book 1 | grep '^new 0$' && \
// RUN:   HCCT_OPTIONS=mode=cct:known=%t.known:output=%t.new %t.$p check %t.book 2 | grep '^new [1-9]' && \
// RUN:   HCCT_OPTIONS=mode=cct:output=%t.without %t.$p plain %t.book 2 && \
// RUN:   python3 %inputs/new.py %hcct-decode %t.known %t.new %t.without && \
// RUN:   HCCT_OPTIONS=known=%t.known:memory=0:epsilon=0.01:phi=0.05:output=%t.hot %t.$p check %t.book 2 | grep '^new [1-9]' || exit 1; done
// The paths of the book are those of %t.2's known profile: also in another build.
// RUN: rm -f %t.book && HCCT_OPTIONS=mode=cct:output=%t.known %t.2 learn %t.book 1
// RUN: HCCT_OPTIONS=mode=cct:output=%t.build %t.o plain %t.book 1 && not %hcct-decode %t.known %t.build
// RUN: HCCT_OPTIONS=mode=cct:known=%t.known:output=%t.other %t.o check %t.book 1 | grep '^new 0$'
// RUN: HCCT_OPTIONS=mode=cct:known=%t.known:output=%t.other %t.o check %t.book 3 | grep '^new [1-9]'
// RUN: HCCT_OPTIONS=known=none:output=%t.none %t.2 check /dev/null 3 | grep '^new [1-9]'
// Without known=, or where it is left out, nothing is new, and the profile does not tell.
// RUN: HCCT_OPTIONS=output=%t.bin %t.2 plain %t.book 1 && not %hcct-decode --new %t.bin 2>&1 | grep 'does not tell which contexts are new'
// RUN: HCCT_OPTIONS=output=%t.bin:known=%t.2 %t.2 plain %t.book 1 2>&1 | grep 'is no sound profile, and is left out'
// RUN: HCCT_OPTIONS=output=%t.bin:known=%t.lacks %t.2 plain %t.book 1 2>&1 | grep 'is not readable, and is left out'
// RUN: HCCT_OPTIONS=output=%t.bin:known=%t.known:budget=10%% %t.2 plain %t.book 1 2>&1 | grep 'known needs metric=calls'
// RUN: HCCT_OPTIONS=output=%t.bin:known=%t.known:recursion=fold %t.2 plain %t.book 1 2>&1 | grep 'of a run with another recursion=, and is left out'
#include <errno.h>
#include <hcct/hcct.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "own_paths.h"

#define CHECK(x) ((x) ? (void)0 : (fprintf(stderr, "line %d: %s\n", __LINE__, #x), exit(1)))

/* --- the book of the contexts that are known --------------------------------------------------------------- */

enum { SET = 1 << 16 };

static uint64_t set[SET]; /* keys of paths: of the file, and of this run */
static unsigned found;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local volatile int told, in_handler;
static int raises, checks, one_by_one = 1, callbacks, in_handlers;

BOOK int add(uint64_t key)
{
    unsigned at = (unsigned)(key * 0x9e3779b97f4a7c15u >> 48);
    while (set[at] && set[at] != key)
        at = (at + 1) % SET;
    if (set[at])
        return 0;
    set[at] = key;
    return 1;
}

BOOK void enter(uint64_t number)
{
    pthread_mutex_lock(&lock);
    int is_first = add(key_of(number));
    found += (unsigned)is_first;
    in_handlers += is_first && in_handler;
    pthread_mutex_unlock(&lock);
    if (checks && one_by_one && !in_handler)
        CHECK(told == is_first);
    told = 0;
    work();
}

/* --- the program ------------------------------------------------------------------------------------------ */

#ifdef OTHER /* moves all numbers */
NOINLINE void more(int n);
NOINLINE void between(void)
{
    more(1);
    more(2);
}
NOINLINE void more(int n)
{
    if (n > 1)
        between();
    work();
}
#endif

static void handle(int number)
{
    (void)number;
    uint64_t kept[DEEPEST];
    unsigned kept_depth = depth;
    int kept_told = told;
    memcpy(kept, path, sizeof path);
    depth = 0;
    path[0] = 77;
    in_handler = 1;
    enter(6);
    CALL(60, a(2));
    in_handler = 0;
    memcpy(path, kept, sizeof path);
    depth = kept_depth;
    told = kept_told;
}

static void *run(void *seed)
{
    path[0] = 78;
    depth = 0;
    enter(7);
    state = (uintptr_t)seed * 977;
    for (int i = 0; i < 150; i++)
        CALL(70, functions[next(3)]((int)next(7)));
    return NULL;
}

/* --- new contexts ------------------------------------------------------------------------------------------ */

static _Thread_local jmp_buf *back;

static NOINLINE void uncounted(int n)
{
    if (n)
        uncounted(n - 1);
    work();
}

static void tell(uint64_t context, void *argument)
{
    char text[256], again[256];
    CHECK(argument == &callbacks && context == hcct_context() && !told && !in_handler);
    CHECK(hcct_context_describe(text, sizeof text) > 0 && hcct_context_pin());
    __atomic_fetch_add(&callbacks, 1, __ATOMIC_RELAXED);
    if (callbacks % 7 == 0 && raises)
        raise(SIGUSR1); /* what a handler calls is counted, as at any other time */
    hcct_context_describe(again, sizeof again);
    CHECK(strcmp(text, again) == 0);
    uncounted(2);
    errno = 5;
    told = 1;
    if (back)
        longjmp(*back, 1);
}

static NOINLINE void fresh(int n)
{
    enter(8);
    if (n)
        CALL(80, fresh(n - 1));
}

/* The callback leaves by a jump: calls count as before. */
static NOINLINE void leave_by_jump(void)
{
    jmp_buf here;
    enter(9);
    unsigned kept = depth;
    back = &here;
    if (!setjmp(here))
        CALL(90, fresh(0));
    back = NULL;
    errno = 0; /* left by the jump out of the callback */
    depth = kept;
    if (told) { /* fresh was called, and did not get to its books */
        CALL(90, enter(8));
    }
    CALL(91, fresh(3));
}

int main(int argc, char **argv)
{
    CHECK(argc == 4);
    struct sigaction action = { .sa_handler = handle };
    uint64_t seed = strtoull(argv[3], NULL, 10);
    int learns = strcmp(argv[1], "learn") == 0, checks_now = strcmp(argv[1], "check") == 0;
    FILE *book = fopen(argv[2], learns ? "w" : "r");
    CHECK(book);
    uint64_t key;
    sigaction(SIGUSR1, &action, NULL);
    while (!learns && fread(&key, sizeof key, 1, book) == 1)
        add(key);
    unsigned before = (unsigned)hcct_new_context_count(); /* main itself, if nothing is known */
    int is_on = hcct_on_new_context(tell, &callbacks);
    CHECK(checks_now == is_on);
    checks = checks_now;
    raises = seed == 3;
    state = seed;
    path[0] = 79;
    errno = 0;
    for (int i = 0; i < 300; i++) {
        CALL(100, functions[next(3)]((int)next(8)));
        if (i % 50 == 0)
            raise(SIGUSR1);
    }
    if (seed == 2)
        CALL(101, leave_by_jump());
    CHECK(errno == 0);
    pthread_t threads[3];
    for (uintptr_t i = 0; i < 3; i++) { /* one after the other */
        pthread_create(&threads[i], NULL, run, (void *)(seed + i));
        pthread_join(threads[i], NULL);
    }
    one_by_one = 0;
    for (uintptr_t i = 0; i < 3; i++) /* at once: some thread is told */
        pthread_create(&threads[i], NULL, run, (void *)(seed + i + 10));
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    if (checks) {
        printf("new %u\n", found);
        CHECK(hcct_new_context_count() - before == found);
        CHECK(callbacks == (int)found - in_handlers);
    }
    CHECK(checks || !callbacks);
    for (unsigned i = 0; learns && i < SET; i++)
        if (set[i])
            CHECK(fwrite(&set[i], sizeof set[i], 1, book) == 1);
    return fclose(book) != 0;
}
