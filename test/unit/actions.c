/* Actions of signals: all interleavings of threads that change actions with threads that get signals, of
 * children of vfork, and of handlers that do both. runtime/boundary/actions.c runs here on a kernel that is a
 * table for each process. A thread may be stopped in front of each system call, and between the moment when
 * the kernel delivers a signal and the entry.
 *
 * A run shows which handler ran with which mask, and which old actions were told. There must be a run without
 * the runtime that shows the same, where each change and each delivery is one step. Its order must fit, too:
 * what ended before something else began comes first. The same test refutes a second record of the actions in
 * memory, written before the kernel's or after it. */
#define _GNU_SOURCE
#include "runtime/boundary/actions.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "check.h"
#include "runtime/base/confined.h"
#include "runtime/boundary/signals.h"
#include "runtime/core/busy.h"
#include "runtime/core/notice.h"

enum { ACTORS = 3, PROCESSES = 2, EVENTS = 8, STEPS = 64, NUMBER = SIGUSR1, RUNS = 4096 };

/* --- the scenarios ------------------------------------------------------------------------------- */

/* What an actor does: s: a signal comes; q: it asks for the action; else it sets an action: a, b: handlers
 * with masks of their own; o: a's, with SA_RESETHAND; n: a handler that sets b, and gets a signal; m: the
 * same with SA_RESETHAND; d: SIG_DFL; i: SIG_IGN. An actor that begins with v is a child of vfork, which has
 * its parent's actions at first. */
static const struct scenario {
    char first;
    const char *actors[ACTORS];
} scenarios[] = {
    { 'a', { "b", "s" } },       { 'a', { "ba", "ss" } },      { 'a', { "d", "s" } },
    { 'a', { "i", "s" } },       { 'i', { "a", "s" } },        { 'd', { "a", "s" } },
    { 'a', { "o", "s" } },       { 'o', { "a", "s" } },        { 'o', { "b", "sq" } },
    { 'o', { "s", "s" } },       { 'o', { "s", "bq" } },       { 'o', { "s", "s", "b" } },
    { 'o', { "s", "oq", "s" } }, { 'o', { "s", "d", "q" } },   { 'o', { "s", "i", "s" } },
    { 'a', { "aq", "bq" } },     { 'a', { "b", "o", "s" } },   { 'a', { "b", "vsq" } },
    { 'a', { "d", "vsq" } },     { 'a', { "i", "vsq" } },      { 'a', { "vbs", "sq" } },
    { 'a', { "vd", "s" } },      { 'a', { "vi", "sq" } },      { 'o', { "s", "vsq" } },
    { 'o', { "b", "vs", "s" } }, { 'o', { "vbs", "s", "s" } }, { 'n', { "s", "a" } },
    { 'n', { "s", "vsq" } },     { 'm', { "s", "a" } },        { 'm', { "s", "s" } },
    { 'm', { "s", "vs" } },      { 'n', { "s", "i", "q" } },
};

/* --- a run --------------------------------------------------------------------------------------- */

struct event {
    char text[4];
    int start, end;
};

struct run {
    struct event events[ACTORS + 1][EVENTS]; /* the last ones: the actions at the end */
    int count[ACTORS + 1];
};

enum scheme { PLAIN, OURS, MEMORY_FIRST, KERNEL_FIRST };

static struct actor {
    const char *steps;
    int process;
    bool is_done, waits;
    uint32_t busy;
    ucontext_t context;
    char stack[64 * 1024];
} actors[ACTORS];

static enum scheme scheme;
static struct sigaction kernel[PROCESSES], memory; /* `memory` is a record as the runtime once had it */
static struct run run;
static ucontext_t scheduler;
static int self, now;
static bool has_just_been_chosen;

static void stop(void)
{
    actors[self].busy = hcct_busy.depth;
    swapcontext(&actors[self].context, &scheduler);
    hcct_busy.depth = actors[self].busy;
}

static struct event *begin_event(void)
{
    static struct event more;
    stop();
    has_just_been_chosen = true;
    CHECK(run.count[self] < EVENTS);
    struct event *event = run.count[self] < EVENTS ? &run.events[self][run.count[self]++] : &more;
    event->start = now;
    return event;
}

/* --- what actions.c calls ------------------------------------------------------------------------ */

_Thread_local struct hcct_busy hcct_busy;
struct hcct_busy_cancel_type hcct_busy_cancel_type;
volatile bool hcct_confined;
const struct hcct_guest_hooks hcct_guest_hooks;

__attribute__((preserve_most, noinline)) void hcct_busy_probe(void) {}

void hcct_busy_cancel_hold(void) {}

void hcct_busy_cancel_release(void) {}

bool hcct_process_is_own(void)
{
    return actors[self].process == 0;
}

void hcct_lock_back_off(unsigned spins);
void hcct_lock_back_off(unsigned spins)
{
    (void)spins;
    actors[self].waits = true;
    stop();
}

int __sigaction(int number, const struct sigaction *action, struct sigaction *old);
int __sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    CHECK(number == NUMBER);
    if (!has_just_been_chosen)
        stop();
    has_just_been_chosen = false;
    struct sigaction was = kernel[actors[self].process];
    if (action)
        kernel[actors[self].process] = *action;
    if (old)
        *old = was;
    return 0;
}

/* --- actions ------------------------------------------------------------------------------------- */

enum { MASK_A = SIGHUP, MASK_B = SIGUSR2 };

static void handler_a(int number)
{
    (void)number;
}

static void handler_b(int number)
{
    (void)number;
}

static void handler_n(int number)
{
    (void)number;
}

static struct sigaction action_named(char name)
{
    struct sigaction action = { .sa_flags = name == 'o' || name == 'm' ? (int)SA_RESETHAND : 0 };
    sigemptyset(&action.sa_mask);
    action.sa_handler = name == 'd'                  ? SIG_DFL
                        : name == 'i'                ? SIG_IGN
                        : name == 'a' || name == 'o' ? handler_a
                        : name == 'b'                ? handler_b
                                                     : handler_n;
    if (hcct_actions_is_handler(&action))
        sigaddset(&action.sa_mask, name == 'b' ? MASK_B : MASK_A);
    return action;
}

static char name_of(const struct sigaction *action)
{
    char name = action->sa_handler == SIG_DFL     ? 'd'
                : action->sa_handler == SIG_IGN   ? 'i'
                : action->sa_handler == handler_a ? 'a'
                : action->sa_handler == handler_b ? 'b'
                : action->sa_handler == handler_n ? 'n'
                                                  : '?';
    return action->sa_flags & (int)SA_RESETHAND && hcct_actions_is_handler(action) ? name == 'a' ? 'o' : 'm'
                                                                                   : name;
}

/* --- a record in memory beside the kernel's ------------------------------------------------------ */

static void through_memory(int number, siginfo_t *info, void *context)
{
    (void)number, (void)info, (void)context;
}

static int change_both(const struct sigaction *action, struct sigaction *old)
{
    struct sigaction ours = *action, previous = memory;
    if (scheme == MEMORY_FIRST)
        memory = *action;
    if (hcct_actions_is_handler(action)) {
        ours.sa_sigaction = through_memory;
        ours.sa_flags &= ~(int)SA_RESETHAND;
    }
    int result = __sigaction(NUMBER, &ours, old);
    if (scheme == KERNEL_FIRST) {
        stop();
        memory = *action;
    }
    if (old->sa_sigaction == through_memory)
        *old = previous;
    return result;
}

static int change(const struct sigaction *action, struct sigaction *old)
{
    if (scheme == OURS)
        return hcct_actions_change(NUMBER, action, old);
    if (action && scheme != PLAIN && actors[self].process == 0)
        return change_both(action, old);
    int result = __sigaction(NUMBER, action, old);
    if (old->sa_sigaction == through_memory)
        *old = memory;
    return result;
}

/* --- the actors ---------------------------------------------------------------------------------- */

static void do_step(char step);

/* The program's part of a delivery. */
static void handle(struct event *event, const struct sigaction *action, const sigset_t *mask)
{
    char name = name_of(action);
    event->text[0] = 's';
    event->text[1] = name;
    event->text[2] = name == 'd' || name == 'i' ? 0 : sigismember(mask, MASK_A) ? 'A' : 'B';
    event->end = now;
    if (name == 'd') {
        actors[self].is_done = true;
        swapcontext(&actors[self].context, &scheduler);
    }
    if (name == 'n' || name == 'm') {
        do_step('b');
        do_step('s');
    }
}

static bool comes_again;

void hcct_signals_deliver(int signal, siginfo_t *info, void *context, const struct sigaction *action)
{
    struct sigaction *kernels = context;
    comes_again = action->sa_flags & (int)SA_RESETHAND && hcct_actions_is_handler(action) &&
                  !hcct_actions_take(signal, action);
    if (!comes_again)
        handle((struct event *)(void *)info, action, &kernels->sa_mask);
}

static void deliver(struct event *event)
{
    do {
        struct sigaction *own = &kernel[actors[self].process], had = *own, action;
        comes_again = false;
        if (scheme == PLAIN && had.sa_flags & (int)SA_RESETHAND && hcct_actions_is_handler(&had))
            own->sa_handler = SIG_DFL;
        if (scheme == PLAIN || !hcct_actions_is_handler(&had)) {
            handle(event, &had, &had.sa_mask);
            return;
        }
        has_just_been_chosen = false;
        stop();
        if (scheme == OURS) {
            had.sa_sigaction(NUMBER, (siginfo_t *)(void *)event, &had);
            continue;
        }
        action = memory;
        if (action.sa_flags & (int)SA_RESETHAND && hcct_actions_is_handler(&action)) {
            struct sigaction reset = action;
            memory.sa_handler = reset.sa_handler = SIG_DFL;
            __sigaction(NUMBER, &reset, NULL);
        }
        handle(event, &action, &had.sa_mask);
    } while (comes_again);
}

static void do_step(char step)
{
    struct event *event = begin_event();
    if (step == 's') {
        deliver(event);
        return;
    }
    struct sigaction action = action_named(step), old;
    CHECK(change(step == 'q' ? NULL : &action, &old) == 0);
    event->text[0] = step;
    event->text[1] = name_of(&old);
    event->end = now;
}

static void act(void)
{
    for (const char *step = actors[self].steps; *step; step++)
        do_step(*step);
    actors[self].is_done = true;
}

/* --- all runs ------------------------------------------------------------------------------------ */

static unsigned char choices[STEPS], ways[STEPS];

static void start(const struct scenario *scenario)
{
    struct sigaction action = action_named(scenario->first), old;
    memset(&run, 0, sizeof run);
    memset(kernel, 0, sizeof kernel);
    self = now = 0;
    for (int i = 0; i < ACTORS; i++) {
        const char *steps = scenario->actors[i] ? scenario->actors[i] : "";
        actors[i].process = *steps == 'v';
        actors[i].steps = steps + actors[i].process;
        actors[i].is_done = actors[i].waits = false;
        actors[i].busy = 0;
        getcontext(&actors[i].context);
        actors[i].context.uc_stack.ss_sp = actors[i].stack;
        actors[i].context.uc_stack.ss_size = sizeof actors[i].stack;
        actors[i].context.uc_link = &scheduler;
        makecontext(&actors[i].context, act, 0);
    }
    actors[0].process = 0;
    hcct_busy.depth = 0;
    has_just_been_chosen = true;
    if (scheme == MEMORY_FIRST || scheme == KERNEL_FIRST) { /* without a stop */
        memory = kernel[0] = action;
        if (hcct_actions_is_handler(&action)) {
            kernel[0].sa_sigaction = through_memory;
            kernel[0].sa_flags &= ~(int)SA_RESETHAND;
        }
    } else {
        change(&action, &old);
    }
    kernel[1] = kernel[0];
    for (int i = 0; i < ACTORS; i++) {
        self = i;
        actors[i].process = scenario->actors[i] && *scenario->actors[i] == 'v';
        swapcontext(&scheduler, &actors[i].context); /* up to its first step */
    }
}

/* Goes on with one actor at a time, as `choices` says, and after those with the first one. False: none can.
 * */
static bool go_on(int *depth)
{
    int able[ACTORS], count = 0;
    for (int i = 0; i < ACTORS; i++)
        if (!actors[i].is_done && !actors[i].waits)
            able[count++] = i;
    CHECK(*depth < STEPS);
    if (!count || *depth >= STEPS)
        return false;
    ways[*depth] = (unsigned char)count;
    self = able[choices[(*depth)++]];
    now++;
    hcct_busy.depth = actors[self].busy;
    swapcontext(&scheduler, &actors[self].context);
    for (int i = 0; i < ACTORS && !actors[self].waits;
         i++) /* who waits looks again when another one has moved */
        actors[i].waits = false;
    return true;
}

static void finish(void)
{
    for (int i = 0; i < ACTORS; i++)
        CHECK(actors[i].is_done);
    for (self = 0; self < ACTORS; self++) {
        struct sigaction is;
        has_just_been_chosen = true;
        hcct_busy.depth = 0;
        change(NULL, &is);
        run.events[ACTORS][run.count[ACTORS]++] = (struct event){ { 'q', name_of(&is) }, now + 1, now + 1 };
    }
}

/* Calls `each` after each run of the scenario. */
static void run_all(const struct scenario *scenario, void (*each)(void))
{
    memset(choices, 0, sizeof choices);
    for (int depth = 0;;) {
        depth = 0;
        start(scenario);
        while (go_on(&depth))
            ;
        finish();
        each();
        while (depth && choices[depth - 1] + 1 == ways[depth - 1])
            choices[--depth] = 0;
        if (!depth)
            return;
        choices[depth - 1]++;
    }
}

/* --- the comparison ------------------------------------------------------------------------------ */

static struct run plain[RUNS];
static int plain_count, run_count, wrong_count;

static void keep(void)
{
    CHECK(plain_count < RUNS);
    if (plain_count < RUNS)
        plain[plain_count++] = run;
}

static bool comes_first(const struct event *one, const struct event *other)
{
    return one->end < other->start;
}

static bool is_shown_by(const struct run *other)
{
    for (int i = 0; i <= ACTORS; i++) {
        if (run.count[i] != other->count[i])
            return false;
        for (int j = 0; j < run.count[i]; j++)
            if (strcmp(run.events[i][j].text, other->events[i][j].text) != 0)
                return false;
    }
    for (int i = 0; i < ACTORS * EVENTS; i++)
        for (int j = 0; j < ACTORS * EVENTS; j++) {
            int of = i / EVENTS, at = i % EVENTS, to = j / EVENTS, behind = j % EVENTS;
            if (at < run.count[of] && behind < run.count[to] &&
                comes_first(&run.events[of][at], &run.events[to][behind]) &&
                !comes_first(&other->events[of][at], &other->events[to][behind]))
                return false;
        }
    return true;
}

static void compare(void)
{
    run_count++;
    for (int i = 0; i < plain_count; i++)
        if (is_shown_by(&plain[i]))
            return;
    for (int i = 0; i <= ACTORS && scheme == OURS && !wrong_count; i++)
        for (int j = 0; j < run.count[i]; j++)
            printf("%d:%s%s", i, run.events[i][j].text, i == ACTORS && j == ACTORS - 1 ? "\n" : " ");
    wrong_count++;
}

/* The number of runs that show what no plain one does. */
static int count_wrong(enum scheme which, const struct scenario *scenario)
{
    wrong_count = 0;
    scheme = which;
    run_all(scenario, compare);
    return wrong_count;
}

int main(void)
{
    int refuted[] = { [MEMORY_FIRST] = 0, [KERNEL_FIRST] = 0 };
    for (int seen = 0; seen < 2; seen++) { /* once more with the default action seen, as that of SIGTERM is */
        has_just_been_chosen = true;
        if (seen)
            CHECK(hcct_actions_see(NUMBER, true, false));
        for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
            const struct scenario *scenario = &scenarios[i];
            plain_count = 0;
            scheme = PLAIN;
            run_all(scenario, keep);
            CHECK(count_wrong(OURS, scenario) == 0);
            /* of a handler that signals itself, a record in memory may run without end */
            for (enum scheme which = MEMORY_FIRST; which <= KERNEL_FIRST && !strchr("nm", scenario->first);
                 which++)
                refuted[which] += count_wrong(which, scenario) != 0;
        }
    }
    CHECK(refuted[MEMORY_FIRST] && refuted[KERNEL_FIRST]);
    printf("%d runs; scenarios that refute two records: %d, %d\n", run_count, refuted[MEMORY_FIRST],
           refuted[KERNEL_FIRST]);
    CHECK_DONE();
}
