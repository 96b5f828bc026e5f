/* The books that a random program (generate.py) keeps of its own calls: an explicit calling context tree
 * whose current node is handed down as an ordinary argument, so that returns, jumps, exceptions and tail
 * calls need no repair. Shares nothing with the profiler: no shadow stack, no hook, no id.
 *
 * Every instrumented function begins with book_enter(), which is inlined and calls nobody. A call site is its
 * line, and the bracket frame that code outside the program adds. book.c, not instrumented, holds the tree
 * and writes it at the end. */
#ifndef BOOK_H
#define BOOK_H
#include <features.h>
#undef __USE_EXTERN_INLINES /* bsearch is to be a call */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif
#define NOINLINE __attribute__((noinline))
#define INLINE static inline __attribute__((always_inline))

struct node {
    struct node *up, *children, *sibling;
    unsigned long count;
    int at; /* AT() in the caller; what it says of roots is their signal */
    int function, index, leads;
};

/* What stands between a call site and the function entered, in book.c's table of names. */
enum through {
    NOTHING,
    QSORT,
    BSEARCH,
    EXIT,
    RAISED_USR1,
    RAISED_USR2,
    LIB_CALL,
    LIB_BOTH,
    LIB_DEEPER,
    LIB_CATCH,
    LIB_ONCE,
    LIB_FIBER,
    LIB_PLUGIN,
    TICK
};
#define AT(through) (__LINE__ | (through) << 20)

enum { NODES = 1 << 18 };
struct book {
    struct node nodes[NODES], *roots;
    int used;
    const char *const *names;
    struct node *exit_up; /* what handlers of atexit run under */
    int exit_at, exiting, handlers;
    unsigned run;                   /* another one of the same program */
    int ticks, is_over;             /* the timer's */
    int is_child, is_child_of_tick; /* of fork */
    int limit;                      /* the memory ends at the call of lib_limit() that makes it 0 */
    pthread_key_t key;
};
extern struct book book;
/* an argument, a result or a value that was kept is not what it was */
void broken(int line) __attribute__((noreturn));

/* A place that may be jumped to. */
struct target {
    sigjmp_buf buffer;
    struct target *outer;
    int catching;
};

/* A thread's own state: what it does next is drawn from `state`. */
struct self {
    unsigned state, fuel;
    int can_exit, can_throw, is_main, threads, forks;
    int is_tick; /* in the timer's handler, which strikes anywhere: it calls nothing that needs memory or a lock */
    int fibers;          /* one within the other */
    struct fiber *fiber; /* NULL: none, or it may not yield */
    struct target *target;
    struct node *pass_up; /* to functions without an argument */
    int pass_at, pass_depth;
};
extern __thread struct self self;

/* The argument of callbacks that take only a pointer. */
struct item {
    struct node *up;
    int at, depth;
    long v;
};
typedef long callback(struct node *up, int at, int depth, long v);
typedef int comparison(const void *, const void *);

long lib_call(callback *f, struct node *up, int at, int depth, long v);
long lib_both(callback *f, callback *g, struct node *up, int at, int depth, long v);
long lib_deeper(callback *f, struct node *up, int at, int depth, long v);
long lib_catch(callback *f, callback *g, struct node *up, int at, int depth, long v);
/* The same, through pointers: what is called below them shows no bracket frame. */
extern long (*volatile lib_call_pointer)(callback *, struct node *, int, int, long);
extern long (*volatile lib_both_pointer)(callback *, callback *, struct node *, int, int, long);
/* Runs f in a fiber, as its root. When that yields, g runs, and then the fiber goes on. Neither is left by a jump, an
 * exception, or the end of the thread. */
void lib_fiber(callback *f, callback *g, struct node *up, int at, int depth, long v);
/* Does nothing outside of a fiber, in a handler, and where a jump may leave. Not in C++: a thread has one list of exceptions. */
void lib_yield(void);
void lib_once(void (*f)(void), struct node *up, int at, int depth);
/* Loads a plugin, calls it, and closes it. */
void lib_plugin(int number, struct node *up, int at, int depth, long v);
/* Forks, and waits for the child, which goes on with a book of its own, and little fuel. */
void lib_fork(void);
/* Where BOOK_LIMIT says so, no page of address space is left for the process. */
void lib_limit(void);
/* Where BOOK_TICKS is set. */
void start_ticks(void);
/* Around what the timer's handler does. After a handler the next tick is due at a random time; a child made in it ends. */
struct self tick_begin(void);
void tick_end(const struct self *saved);

INLINE unsigned draw(unsigned n)
{
    self.state = self.state * 1664525 + 1013904223;
    return (self.state >> 16) % n;
}

/* Without a lock, as the timer's handler may interrupt it. A node that another thread was faster to make stays empty. */
INLINE struct node *book_enter(struct node *up, int at, int function)
{
    struct node **list = up ? &up->children : &book.roots, *made = NULL, *node;
    struct node *first = __atomic_load_n(list, __ATOMIC_ACQUIRE);
    do {
        for (node = first; node && (node->at != at || node->function != function);)
            node = node->sibling;
        if (node)
            break;
        if (!made) {
            int index = __atomic_fetch_add(&book.used, 1, __ATOMIC_RELAXED);
            if (index >= NODES)
                __builtin_trap();
            made = &book.nodes[index];
            made->index = index;
            made->up = up;
            made->at = at;
            made->function = function;
        }
        made->sibling = first;
    } while (!__atomic_compare_exchange_n(list, &first, made, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
    if (!node)
        node = made;
    __atomic_fetch_add(&node->count, 1, __ATOMIC_RELAXED);
    return node;
}
#ifdef __cplusplus
}
#endif
#endif
