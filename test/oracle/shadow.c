/* Oracle (a): an exact calling context tree beside the encoding, in a program that was compiled with
 * HCCT_SHADOW=1 (pass/emit/shadow.c). It shares the ids of sites with the encoding, and nothing else: an
 * explicit stack, an explicit tree.
 *
 * At exit it writes to the file that HCCT_SHADOW_FILE names one line a context, parents before children:
 *     PARENT SITE COUNT function|file      the parent's line from 0, or -1; the site in hexadecimal
 * and then the sites of tail calls: "tail SITE". test/oracle/compare.py holds that against hcct-decode
 * --format=json --all.
 *
 * A run of tail calls leaves no frames behind, and may be a loop without end. A function that occurs in the
 * run already is its first occurrence again. The encoding folds fewer of them; compare.py folds both alike.
 *
 * Not modelled: frames that an uninstrumented function leaves by a longjmp that it catches itself. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hcct/abi.h"
#include "shadow_stack.h"

struct node {
    const struct hcct_function *function;
    uint64_t site; /* in the parent's function */
    bool is_tail;  /* the site's call is in tail position */
    bool is_folded;
    uint64_t count;
    int64_t index;              /* by age */
    struct node *parent, *next; /* next: in its hash chain */
    struct node *newer;
};

enum { CHAINS = 1 << 20 };

static struct node *chains[CHAINS], *oldest, **newest = &oldest;
static int64_t node_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

enum { TAIL_SITES = 1 << 16 };
static uint64_t tail_sites[TAIL_SITES]; /* a hash table; 0: free */

static void note_tail(uint64_t site)
{
    uint64_t at = site * 0x9e3779b97f4a7c15u >> 48;
    for (int i = 0; tail_sites[at] && tail_sites[at] != site; at = (at + 1) % TAIL_SITES)
        if (++i == TAIL_SITES)
            abort();
    tail_sites[at] = site;
}

/* The node of the function in the run of tail calls that `caller` ends; NULL: there is none. */
static struct node *in_run(struct node *caller, const struct hcct_function *function)
{
    for (; caller; caller = caller->is_tail ? caller->parent : NULL)
        if (caller->function == function)
            return caller;
    return NULL;
}

static struct node *child(const struct shadow_frame *caller, const struct hcct_function *function)
{
    struct node *parent = caller ? caller->context : NULL;
    uint64_t site = caller ? caller->site : 0;
    struct node *same = caller && caller->is_tail ? in_run(parent, function) : NULL;
    if (same) {
        same->is_folded = true;
        return same;
    }
    uint64_t hash = ((uintptr_t)parent * 31 + site) * 31 + (uintptr_t)function;
    struct node **chain = &chains[(hash * 0x9e3779b97f4a7c15u) >> 44];
    for (struct node *node = *chain; node; node = node->next)
        if (node->parent == parent && node->site == site && node->function == function)
            return node;
    struct node *node = calloc(1, sizeof *node);
    if (!node)
        abort();
    *node = (struct node){
        .function = function,
        .site = site,
        .is_tail = caller && caller->is_tail,
        .index = node_count++,
        .parent = parent,
        .next = *chain,
    };
    *newest = node;
    newest = &node->newer;
    return *chain = node;
}

uint64_t hcct_shadow_enter(const struct hcct_function *function, uint64_t sp, const void *self)
{
    shadow_drop_ended(sp, self);
    const struct shadow_frame *caller = shadow_caller();
    pthread_mutex_lock(&lock);
    if (caller && caller->is_tail)
        note_tail(caller->site);
    struct node *node = child(caller, function);
    node->count++;
    pthread_mutex_unlock(&lock);
    return shadow_push(node);
}

static void dump(void)
{
    const char *name = getenv("HCCT_SHADOW_FILE");
    FILE *file = name ? fopen(name, "w") : NULL;
    if (!file)
        return;
    pthread_mutex_lock(&lock);
    for (const struct node *node = oldest; node; node = node->newer) {
        const char *linkage = hcct_rel_get(&node->function->linkage_name);
        const char *source = hcct_rel_get(&node->function->file);
        fprintf(file, "%lld %llx %llu %s|%s\n", node->parent ? (long long)node->parent->index : -1,
                (unsigned long long)node->site, (unsigned long long)node->count, linkage ? linkage : "",
                source ? source : "");
    }
    for (const struct node *node = oldest; node; node = node->newer)
        if (node->is_folded)
            fprintf(file, "folded %lld\n", (long long)node->index);
    for (int i = 0; i < TAIL_SITES; i++)
        if (tail_sites[i])
            fprintf(file, "tail %llx\n", (unsigned long long)tail_sites[i]);
    pthread_mutex_unlock(&lock);
    fclose(file);
}

/* As early as the runtime's, so that it runs as late. */
static void start(void)
{
    atexit(dump);
}

__attribute__((section(".preinit_array"), used)) static void (*const preinit)(void) = start;
