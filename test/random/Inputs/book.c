/* The part of a random program that is not instrumented: its books (book.h), and a library that calls
 * back. */
#include "book.h"

#include <stdio.h>
#include <ucontext.h>
#include <unistd.h>

struct book book;
__thread struct self self;

static const char *const through_names[] = {
    "",           "[qsort]",    "[bsearch]",    "[exit]",      "[signal 10]", "[signal 12]",
    "[lib_call]", "[lib_both]", "[lib_deeper]", "[lib_catch]", "[lib_once]",  "[lib_fiber]"
};

void broken(int line)
{
    fprintf(stderr, "broken at line %d\n", line);
    _exit(99);
}

long lib_call(callback *f, struct node *up, int at, int depth, long v)
{
    long result = f(up, at, depth, v);
    __asm__ volatile("");
    return result;
}

static __attribute__((noinline)) long deeper(callback *f, struct node *up, int at, int depth, long v)
{
    volatile char room[300];
    room[0] = (char)v;
    long result = f(up, at, depth, v);
    room[1] = room[0];
    return result;
}

long lib_deeper(callback *f, struct node *up, int at, int depth, long v)
{
    long result = deeper(f, up, at, depth, v);
    __asm__ volatile("");
    return result;
}

long lib_both(callback *f, callback *g, struct node *up, int at, int depth, long v)
{
    f(up, at, depth, v);
    deeper(g, up, at, depth, v);
    long result = g(up, at, depth, v);
    __asm__ volatile("");
    return result;
}

/* Catches the jumps out of f itself, then calls g. */
long lib_catch(callback *f, callback *g, struct node *up, int at, int depth, long v)
{
    struct target own = { .outer = self.target, .catching = self.can_throw };
    int saved = self.can_exit;
    if (sigsetjmp(own.buffer, 1) == 0) {
        self.target = &own;
        f(up, at, depth, v);
    }
    self.target = own.outer;
    self.can_throw = own.catching;
    self.can_exit = saved;
    long result = deeper(g, up, at, depth, v);
    __asm__ volatile("");
    return result;
}

long (*volatile lib_call_pointer)(callback *, struct node *, int, int, long) = lib_call;
long (*volatile lib_both_pointer)(callback *, callback *, struct node *, int, int, long) = lib_both;

void lib_once(void (*f)(void), struct node *up, int at, int depth)
{
    self.pass_up = up;
    self.pass_at = at;
    self.pass_depth = depth;
    f();
    __asm__ volatile("");
}

/* --- fibers ----------------------------------------------------------------------------------------- */

struct fiber {
    ucontext_t here, back;
    callback *f;
    int depth, ended;
    long v;
};

static void run_fiber(void)
{
    struct fiber *fiber = self.fiber;
    fiber->f(NULL, 0, fiber->depth, fiber->v);
    fiber->ended = 1;
}

/* Until it yields, or ends. */
static void resume(struct fiber *fiber)
{
    struct self saved = self;
    self.fiber = fiber;
    self.fibers++;
    self.can_exit = self.can_throw = self.is_main = 0;
    self.target = NULL;
    swapcontext(&fiber->back, &fiber->here);
    saved.state = self.state;
    saved.fuel = self.fuel;
    saved.threads = self.threads;
    self = saved;
}

void lib_fiber(callback *f, callback *g, struct node *up, int at, int depth, long v)
{
    enum { BYTES = 1 << 18 };
    struct fiber fiber = { .f = f, .depth = depth, .v = v };
    void *stack = malloc(BYTES);
    getcontext(&fiber.here);
    fiber.here.uc_stack.ss_sp = stack;
    fiber.here.uc_stack.ss_size = BYTES;
    fiber.here.uc_link = &fiber.back;
    makecontext(&fiber.here, run_fiber, 0);
    for (resume(&fiber); !fiber.ended; resume(&fiber)) {
        struct self saved = self;
        self.can_exit = self.can_throw = self.is_main = 0;
        self.target = NULL;
        self.fiber = NULL;
        g(up, at, depth, v);
        saved.state = self.state;
        saved.fuel = self.fuel;
        saved.threads = self.threads;
        self = saved;
    }
    free(stack);
}

void lib_yield(void)
{
    struct fiber *fiber = self.fiber;
    if (!fiber || self.target)
        return;
    struct self saved = self;
    swapcontext(&fiber->here, &fiber->back);
    saved.state = self.state;
    saved.fuel = self.fuel;
    saved.threads = self.threads;
    self = saved;
}

/* One line a context, parents first: PARENT LINE COUNT FUNCTION BRACKET. In a static program the destructor is last, else the
 * exit handler below, which runs behind the libraries' destructors. */
__attribute__((destructor(101))) static void dump(void)
{
    const char *name = getenv("BOOK_FILE");
    FILE *file = name ? fopen(name, "w") : NULL;
    if (!file)
        return;
    for (int i = 0; i < book.used; i++) {
        const struct node *node = &book.nodes[i];
        const char *through = through_names[node->at >> 20];
        fprintf(file, "%d %d %lu %s %s\n", node->up ? node->up->index : -1, node->at & 0xfffff, node->count,
                book.names[node->function], through);
    }
    fclose(file);
}

extern int __cxa_atexit(void (*handler)(void *), void *argument, void *owner);

static void dump_at_exit(void *unused)
{
    (void)unused;
    dump();
}

static void begin(void)
{
    __cxa_atexit(dump_at_exit, NULL, NULL);
}

__attribute__((section(".preinit_array"), used)) static void (*const first)(void) = begin;
