/* Tells the calling context of a crash.
 *
 *     hcct-cc -O2 -g examples/crash.c -o crash && ./crash
 *
 * The handler runs on a stack of its own, so that it works where the program's has come to its end, too. If
 * the stack is damaged, the path goes as far as is known, and ends in "...". */
#define _GNU_SOURCE
#include <hcct/hcct.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static char path[4096]; /* of a longer path the end is told, behind "..." */

static void say(const char *text)
{
    if (write(STDERR_FILENO, text, strlen(text)) < 0)
        _exit(1);
}

static void on_crash(int number)
{
    hcct_context_describe_interrupted(path, sizeof path);
    say("crashed in ");
    say(path);
    say("\n");
    /* the fault comes again when the handler returns, and ends the program as it would have */
    signal(number, SIG_DFL);
}

static void catch_crashes(void)
{
    static char memory[1 << 16];
    stack_t stack = { .ss_sp = memory, .ss_size = sizeof memory };
    struct sigaction action = { .sa_flags = SA_ONSTACK };
    action.sa_handler = on_crash;
    sigaltstack(&stack, NULL);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    sigaction(SIGFPE, &action, NULL);
    sigaction(SIGILL, &action, NULL);
}

struct tree {
    struct tree *left, *right;
    int value;
};

static int *volatile nowhere;

__attribute__((noinline)) static int weigh(const struct tree *tree)
{
    if (!tree)
        return 0;
    if (tree->value < 0)
        *nowhere = tree->value;
    return tree->value + weigh(tree->left) - weigh(tree->right);
}

__attribute__((noinline)) static int count(const struct tree *tree)
{
    return weigh(tree) + 1;
}

int main(void)
{
    struct tree leaf = { .value = -1 }, right = { .left = &leaf }, root = { .right = &right };
    catch_crashes();
    return count(&root);
}
