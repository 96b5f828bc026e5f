#include "library.h"

/* Behind a call, so that it is no sibling call. */
#define STAY() __asm__ volatile("" ::: "memory")

jmp_buf call_catching_target;

void call(callback *only)
{
    only();
    STAY();
}

void call_both(callback *first, callback *second)
{
    first();
    second();
    STAY();
}

static __attribute__((noinline)) void call_deeper(callback *function)
{
    char room[200];
    __asm__ volatile("" ::"r"(room) : "memory"); /* all of it is there */
    function();
    __asm__ volatile("" ::"r"(room) : "memory");
}

void call_second_deeper(callback *first, callback *second)
{
    first();
    call_deeper(second);
    STAY();
}

void call_first_deeper(callback *first, callback *second)
{
    call_deeper(first);
    second();
    STAY();
}

void call_each(callback *const *list)
{
    for (; *list; list++)
        (*list)();
    STAY();
}

void call_catching(callback *leaves, callback *after)
{
    if (setjmp(call_catching_target) == 0)
        leaves();
    after();
    STAY();
}

static __attribute__((noinline)) void call_far_deeper(callback *function)
{
    char room[20000];
    __asm__ volatile("" ::"r"(room) : "memory"); /* all of it is there */
    function();
    __asm__ volatile("" ::"r"(room) : "memory");
}

void call_catching_deeper(callback *leaves, callback *after)
{
    if (setjmp(call_catching_target) == 0)
        leaves();
    call_far_deeper(after);
    STAY();
}
