/* Oracle (b): what gcc's -finstrument-functions sees, as a tree of functions. Linked into a program that gcc
 * or g++ compiled with -O0 -finstrument-functions -no-pie; never compiled with those flags itself.
 *
 * Each live entry keeps the frame address of its function. The stack grows down, so an entry whose frame
 * address is not above that of a function which is entered now is dead: a longjmp left it without an exit.
 * (g++ runs exit hooks on unwinding.) Exits drop everything up to their own entry.
 *
 * At exit it writes to the file that HCCT_HOOKS_FILE names one line a context, parents before children:
 *     PARENT COUNT ADDRESS      the parent's line from 0, or -1; the function's address in hexadecimal
 * test/oracle/compare_folded.py gives addresses names and holds that against hcct-decode --format=folded.
 * Every thread has roots of its own. Frames on other stacks (coroutines) are not modelled. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
    void *function;
    uint64_t count;
    int64_t index;              /* by age */
    struct node *parent, *next; /* next: in its hash chain */
    struct node *newer;
};

struct entry {
    struct node *node;
    char *frame;
};

enum { CHAINS = 1 << 20 };

static struct node *chains[CHAINS], *oldest, **newest = &oldest;
static int64_t node_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local struct entry *stack;
static _Thread_local uint64_t depth, capacity;

void __cyg_profile_func_enter(void *function, void *site);
void __cyg_profile_func_exit(void *function, void *site);

static struct node *child(struct node *parent, void *function)
{
    uint64_t hash = (uintptr_t)parent * 31 + (uintptr_t)function;
    struct node **chain = &chains[(hash * 0x9e3779b97f4a7c15u) >> 44];
    for (struct node *node = *chain; node; node = node->next)
        if (node->parent == parent && node->function == function)
            return node;
    struct node *node = calloc(1, sizeof *node);
    if (!node)
        abort();
    *node = (struct node){ .function = function, .index = node_count++, .parent = parent, .next = *chain };
    *newest = node;
    newest = &node->newer;
    return *chain = node;
}

void __cyg_profile_func_enter(void *function, void *site)
{
    (void)site;
    char *frame = *(char **)__builtin_frame_address(0); /* -O0 keeps a frame pointer everywhere */
    while (depth && stack[depth - 1].frame <= frame)
        depth--;
    if (depth == capacity) {
        capacity = capacity ? 2 * capacity : 1024;
        stack = realloc(stack, capacity * sizeof *stack);
        if (!stack)
            abort();
    }
    pthread_mutex_lock(&lock);
    struct node *node = child(depth ? stack[depth - 1].node : NULL, function);
    node->count++;
    pthread_mutex_unlock(&lock);
    stack[depth++] = (struct entry){ node, frame };
}

void __cyg_profile_func_exit(void *function, void *site)
{
    (void)function, (void)site;
    char *frame = *(char **)__builtin_frame_address(0);
    while (depth && stack[depth - 1].frame <= frame)
        depth--;
}

static void dump(void)
{
    const char *name = getenv("HCCT_HOOKS_FILE");
    FILE *file = name ? fopen(name, "w") : NULL;
    if (!file)
        return;
    pthread_mutex_lock(&lock);
    for (const struct node *node = oldest; node; node = node->newer)
        fprintf(file, "%lld %llu %llx\n", node->parent ? (long long)node->parent->index : -1,
                (unsigned long long)node->count, (unsigned long long)(uintptr_t)node->function);
    pthread_mutex_unlock(&lock);
    fclose(file);
}

/* As early as can be, so that it runs as late. */
static void start(void)
{
    atexit(dump);
}

__attribute__((section(".preinit_array"), used)) static void (*const preinit)(void) = start;
