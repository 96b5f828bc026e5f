/* Oracle (a): an exact calling context tree beside the encoding, in a program that was compiled with
 * HCCT_SHADOW=1 (pass/emit/shadow.c). It shares the ids of sites with the encoding, and nothing else: an
 * explicit stack, an explicit tree.
 *
 * At exit it writes to the file that HCCT_SHADOW_FILE names one line a context, parents before children:
 *     PARENT SITE COUNT function|file      the parent's line from 0, or -1; the site in hexadecimal
 * test/oracle/compare.py holds that against hcct-decode --format=json --all.
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
    uint64_t count;
    int64_t index;              /* by age */
    struct node *parent, *next; /* next: in its hash chain */
    struct node *newer;
};

enum { CHAINS = 1 << 20 };

static struct node *chains[CHAINS], *oldest, **newest = &oldest;
static int64_t node_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct node *child(struct node *parent, uint64_t site, const struct hcct_function *function)
{
    uint64_t hash = ((uintptr_t)parent * 31 + site) * 31 + (uintptr_t)function;
    struct node **chain = &chains[(hash * 0x9e3779b97f4a7c15u) >> 44];
    for (struct node *node = *chain; node; node = node->next)
        if (node->parent == parent && node->site == site && node->function == function)
            return node;
    struct node *node = calloc(1, sizeof *node);
    if (!node)
        abort();
    *node = (struct node){
        .function = function, .site = site, .index = node_count++, .parent = parent, .next = *chain
    };
    *newest = node;
    newest = &node->newer;
    return *chain = node;
}

uint64_t hcct_shadow_enter(const struct hcct_function *function)
{
    const struct shadow_frame *caller = shadow_caller();
    pthread_mutex_lock(&lock);
    struct node *node = child(caller ? caller->context : NULL, caller ? caller->site : 0, function);
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
    pthread_mutex_unlock(&lock);
    fclose(file);
}

/* As early as the runtime's, so that it runs as late. */
static void start(void)
{
    atexit(dump);
}

__attribute__((section(".preinit_array"), used)) static void (*const preinit)(void) = start;
