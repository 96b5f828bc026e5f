/* The part of a random program that is not instrumented: its books (book.h), and a library that calls
 * back. */
#define _GNU_SOURCE
#include "book.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

struct book book;
__thread struct self self;

static const char *const through_names[] = {
    "",           "[qsort]",      "[bsearch]",   "[exit]",     "[signal 10]", "[signal 12]",  "[lib_call]",
    "[lib_both]", "[lib_deeper]", "[lib_catch]", "[lib_once]", "[lib_fiber]", "[lib_plugin]", "[signal 14]"
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

/* A stack of ucontext, or of Boost.Context. */
struct fiber {
    ucontext_t here, back;
    int is_boost;
    void *other; /* Boost.Context's: the side that does not run */
    callback *f;
    int depth, ended;
    long v;
};

struct transfer {
    void *from, *data;
};
void *make_fcontext(void *end, size_t bytes, void (*function)(struct transfer));
struct transfer jump_fcontext(void *to, void *data);

static void run_fiber(void)
{
    struct fiber *fiber = self.fiber;
    fiber->f(NULL, 0, fiber->depth, fiber->v);
    fiber->ended = 1;
}

static void run_boost(struct transfer given)
{
    struct fiber *fiber = given.data;
    fiber->other = given.from;
    run_fiber();
    jump_fcontext(fiber->other, NULL);
}

static void switch_stacks(struct fiber *fiber, ucontext_t *from, ucontext_t *to)
{
    if (fiber->is_boost)
        fiber->other = jump_fcontext(fiber->other, fiber).from;
    else
        swapcontext(from, to);
}

/* Back from another stack, which used up some of what the thread may do. */
static void go_on(struct self saved)
{
    saved.state = self.state;
    saved.fuel = self.fuel;
    saved.threads = self.threads;
    saved.forks = self.forks;
    self = saved;
}

/* Until it yields, or ends. */
static void resume(struct fiber *fiber)
{
    struct self saved = self;
    self.fiber = fiber;
    self.fibers++;
    self.can_exit = self.can_throw = self.is_main = 0;
    self.target = NULL;
    switch_stacks(fiber, &fiber->back, &fiber->here);
    go_on(saved);
}

void lib_fiber(callback *f, callback *g, struct node *up, int at, int depth, long v)
{
    enum { BYTES = 1 << 18 };
    struct fiber fiber = { .f = f, .depth = depth, .v = v, .is_boost = v & 1 };
    char *stack = malloc(BYTES);
    if (!stack)
        return;
    if (fiber.is_boost) {
        fiber.other = make_fcontext(stack + BYTES, BYTES, run_boost);
    } else {
        getcontext(&fiber.here);
        fiber.here.uc_stack.ss_sp = stack;
        fiber.here.uc_stack.ss_size = BYTES;
        fiber.here.uc_link = &fiber.back;
        makecontext(&fiber.here, run_fiber, 0);
    }
    for (resume(&fiber); !fiber.ended; resume(&fiber)) {
        struct self saved = self;
        self.can_exit = self.can_throw = self.is_main = 0;
        self.target = NULL;
        self.fiber = NULL;
        g(up, at, depth, v);
        go_on(saved);
    }
    free(stack);
}

void lib_yield(void)
{
    struct fiber *fiber = self.fiber;
    if (!fiber || self.target)
        return;
    struct self saved = self;
    switch_stacks(fiber, &fiber->here, &fiber->back);
    go_on(saved);
}

/* --- plugins ---------------------------------------------------------------------------------------- */

void lib_plugin(int number, struct node *up, int at, int depth, long v)
{
    char name[64];
    snprintf(name, sizeof name, "./%s.plugin%d.so", program_invocation_short_name, number);
    void *handle = dlopen(name, RTLD_NOW | (v & 1 ? RTLD_GLOBAL : 0));
    callback **entry = handle ? (callback **)dlsym(handle, "entry") : NULL;
    if (!entry && book.limit >= 0)
        broken(__LINE__);
    if (entry)
        (*entry)(up, at, depth, v);
    if (handle)
        dlclose(handle);
}

/* --- the timer -------------------------------------------------------------------------------------- */

enum { TICKS = 500, TICKS_PER_FORK = 100 };

static void set_timer(long microseconds)
{
    struct itimerval due = { .it_value.tv_usec = microseconds };
    setitimer(ITIMER_REAL, &due, NULL);
}

void start_ticks(void)
{
    if (getenv("BOOK_TICKS") && !book.is_over)
        set_timer(50);
}

struct self tick_begin(void)
{
    struct self saved = self;
    int number = ++book.ticks;
    self = (struct self){
        .state = number * 7919u, .fuel = 12, .fibers = 4, .forks = number % TICKS_PER_FORK == 0, .is_tick = 1
    };
    return saved;
}

/* No tick is in the book that is not in the profile. */
static void stop_ticks(void *unused)
{
    (void)unused;
    book.is_over = 1;
    set_timer(0);
}

static void dump(void);

void tick_end(const struct self *saved)
{
    long due = 1 + draw(200);
    if (book.is_child_of_tick) {
        dump();
        _exit(0);
    }
    self = *saved;
    if (!book.is_over && book.ticks < TICKS)
        set_timer(due);
}

extern int __cxa_atexit(void (*handler)(void *), void *argument, void *owner);

/* --- fork, and the end of memory -------------------------------------------------------------------- */

void lib_fork(void)
{
    int is_first_thread = gettid() == getpid();
    pid_t child = self.is_tick ? _Fork() : fork();
    if (child < 0 && book.limit >= 0)
        broken(__LINE__);
    if (child > 0) {
        int status;
        if (waitpid(child, &status, 0) != child || status)
            broken(__LINE__);
    }
    if (child)
        return;
    for (int i = 0; i < book.used; i++)
        book.nodes[i].count = book.nodes[i].leads = 0;
    if (!is_first_thread) { /* what is left of exit's handlers runs at the end of this thread */
        book.exit_up = NULL;
        book.exit_at = 0;
    }
    self.fuel = self.is_tick ? 8 : 40;
    self.forks = 0;
    book.is_child = 1;
    book.is_child_of_tick = self.is_tick;
    if (self.is_tick)
        return;
    __cxa_atexit(stop_ticks, NULL, NULL); /* its parent may have been behind the destructors */
    start_ticks();
}

void lib_limit(void)
{
    long pages = 0;
    if (book.limit <= 0 || --book.limit)
        return;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld", &pages) != 1)
        broken(__LINE__);
    fclose(file);
    struct rlimit limit = { pages * 4096, pages * 4096 };
    setrlimit(RLIMIT_AS, &limit);
    book.limit = -1;
}

/* One line a context that has calls, or leads to one, parents first: INDEX PARENT LINE COUNT FUNCTION BRACKET. A child's file has its number. In a static program the
 * destructor is last, else the exit handler below, which runs behind the libraries' destructors. Without malloc, which the timer
 * may have interrupted. */
__attribute__((destructor(101))) static void dump(void)
{
    enum { LINE = 200 };
    const char *name = getenv("BOOK_FILE");
    char path[256], text[4096];
    size_t used = 0;
    stop_ticks(NULL);
    snprintf(path, sizeof path, book.is_child ? "%s.%d" : "%s", name ? name : "/dev/null", getpid());
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    for (int i = book.used - 1; i >= 0; i--) {
        struct node *node = &book.nodes[i];
        node->leads |= node->count != 0;
        if (node->up)
            node->up->leads |= node->leads;
    }
    for (int i = 0; i < book.used; i++) {
        const struct node *node = &book.nodes[i];
        if (node->leads)
            used += (size_t)snprintf(text + used, LINE, "%d %d %d %lu %s %s\n", i,
                                     node->up ? node->up->index : -1, node->at & 0xfffff, node->count,
                                     book.names[node->function], through_names[node->at >> 20]);
        if (used > sizeof text - LINE || i == book.used - 1) {
            if (write(file, text, used) != (ssize_t)used)
                _exit(98);
            used = 0;
        }
    }
    close(file);
}

static void dump_at_exit(void *unused)
{
    (void)unused;
    dump();
}

static void begin(void)
{
    const char *limit = getenv("BOOK_LIMIT"), *run = getenv("BOOK_RUN");
    book.limit = limit ? atoi(limit) : 0;
    book.run = run ? (unsigned)atoi(run) : 0;
    __cxa_atexit(dump_at_exit, NULL, NULL);
}

__attribute__((section(".preinit_array"), used)) static void (*const first)(void) = begin;
