/* A function that is inlined at one line, and makes several calls: for each of them, the profile has the inlined frame once. The argument tells
 * which of its calls are made. */
#include <string.h>
#define LEAF(name) static __attribute__((noinline)) void name(void) { worked = worked + 1; }
static volatile int worked;
LEAF(a) LEAF(b) LEAF(c) LEAF(d)
static inline __attribute__((always_inline)) void inner(const char *which)
{
    if (strchr(which, 'a')) a();
    if (strchr(which, 'b')) b();
    if (strchr(which, 'c')) c();
    if (strchr(which, 'd')) d();
}
static inline __attribute__((always_inline)) void outer(const char *which) { inner(which); }
int main(int count, char **arguments)
{
    (void)count;
    outer(arguments[1]);
    return 0;
}
