/* Counts its own calls, by calling context, in a file that is mapped for as long as it runs: before each call in `begun`,
 * first thing in the callee in `entered`. usage: killed BOOK THREADS SEED. Runs until it is killed. */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "e2e.h"
#include <hcct/hcct.h>

#define FUNCTIONS 8
#define DEPTH 5
#define NODES 37449 /* 1 + 8 + ... + 8^5: node n's children are 8 n + 1 to 8 n + 8. More than slots */
#define CALLS 3000 /* of a thread, until another takes its place */

struct book {
    volatile uint64_t begun[NODES], entered[NODES];
};

struct self {
    struct book *book;
    uint32_t random;
    int left;
};

typedef void function(struct self *self, unsigned node, unsigned depth);
static function f0, f1, f2, f3, f4, f5, f6, f7;
static function *volatile const pointers[FUNCTIONS] = { f0, f1, f2, f3, f4, f5, f6, f7 };

/* The same few mostly, and each of them sometimes. */
static inline __attribute__((always_inline)) unsigned choose(struct self *self, unsigned limit)
{
    self->random = self->random * 1664525u + 1013904223u;
    unsigned value = self->random >> 16;
    return (value & 0x100 ? value % 2 : value) % limit;
}

#define CALL(called)                              \
    do {                                          \
        self->book->begun[child]++;               \
        called(self, child, depth + 1);           \
        work();                                   \
    } while (0)

static inline __attribute__((always_inline)) void call_some(struct self *self, unsigned node, unsigned depth)
{
    for (unsigned calls = choose(self, 5) + (depth == 0); depth < DEPTH && calls > 0 && self->left > 0; calls--) {
        unsigned which = choose(self, FUNCTIONS), child = node * FUNCTIONS + 1 + which;
        self->left--;
        if (which == 0)
            CALL(f0);
        else if (which == 2)
            CALL(f2);
        else if (which == 4)
            CALL(f4);
        else
            CALL(pointers[which]);
    }
}

#define FUNCTION(name)                                                                  \
    static NOINLINE void name(struct self *self, unsigned node, unsigned depth)         \
    {                                                                                   \
        self->book->entered[node]++;                                                    \
        call_some(self, node, depth);                                                   \
        work();                                                                         \
    }
FUNCTION(f0)
FUNCTION(f1)
FUNCTION(f2)
FUNCTION(f3)
FUNCTION(f4)
FUNCTION(f5)
FUNCTION(f6)
FUNCTION(f7)

static NOINLINE void run(struct self *self, int calls)
{
    self->left = calls;
    while (self->left > 0)
        call_some(self, 0, 0);
    work();
}

static void *thread(void *self)
{
    run(self, CALLS);
    work();
    return NULL;
}

int main(int count, char **arguments)
{
    int threads = count == 4 ? atoi(arguments[2]) : 0, file = open(arguments[1], O_RDWR | O_CREAT, 0600);
    size_t size = (size_t)(threads ? threads : 1) * sizeof(struct book);
    if (count != 4 || file < 0 || ftruncate(file, (off_t)size) != 0)
        return 1;
    struct book *books = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    struct self selves[16];
    pthread_t ids[16];
    for (int i = 0; i < 16; i++)
        selves[i] = (struct self){ books + (threads ? i % threads : 0), (uint32_t)(atoi(arguments[3]) + i), 0 };
    for (int i = 0; i < threads; i++)
        pthread_create(&ids[i], NULL, thread, &selves[i]);
    for (int i = 0;; i = threads ? (i + 1) % threads : 0) {
        if (!threads) {
            run(&selves[0], CALLS / 60);
            hcct_stop(); /* brings what the slots hold into the tables, as the end of a thread does */
            hcct_start();
            continue;
        }
        pthread_join(ids[i], NULL);
        pthread_create(&ids[i], NULL, thread, &selves[i]);
    }
}
