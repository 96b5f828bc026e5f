// A library that was called through the linker's stub, directly, is known by the function that was called, however deep it is in there; one
// that was called through a pointer by its oldest function, if that is exported. On AArch64 too: nothing here needs a timer.
// RUN: %clang -O2 -fPIC -shared -DLIBRARY %s -o %t.library.so
// RUN: %clang -O2 -I%hcct-source -I%hcct-source/include -c %inputs/called.c -o %t.called.o
// RUN: %hcct-cc -O2 -I%inputs %s %t.called.o %t.library.so -o %t && HCCT_OPTIONS=output=%t.bin %t
// RUN: %hcct-cc -O2 -I%inputs %s %t.called.o %t.library.so -Wl,-z,now -o %t.now && HCCT_OPTIONS=output=%t.bin %t.now
#define _GNU_SOURCE
#include <ucontext.h>

int ask(void (*answer)(const void *));
int ask_deeply(void (*answer)(const void *));
int (*get_hidden(void))(void (*answer)(const void *));

#ifdef LIBRARY

static int add;

int ask(void (*answer)(const void *))
{
    ucontext_t here;
    getcontext(&here);
    answer(&here);
    return add;
}

__attribute__((noinline)) static int deeper(void (*answer)(const void *), int depth)
{
    return (depth ? deeper(answer, depth - 1) : ask(answer)) + add;
}

static int hidden(void (*answer)(const void *))
{
    return deeper(answer, 2) + add;
}

int ask_deeply(void (*answer)(const void *))
{
    return deeper(answer, 5) + add;
}

int (*get_hidden(void))(void (*answer)(const void *))
{
    return hidden;
}

#else

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "e2e.h"

const char *called(const void *context, bool *is_object); /* called.c */
void called_begin(void);
int called_limits(void);

/* Stubs as linkers make them where indirect branches are tracked. */
int ask_stub(void (*answer)(const void *));
__asm__(".pushsection .text\n"
        ".balign 16\n"
        "ask_stub:\n"
#if defined(__x86_64__)
        "endbr64\n"
        ".byte 0xf2; jmp *ask@GOTPCREL(%rip)\n"
#else
        "bti c\n"
        "adrp x16, :got:ask\n"
        "ldr x17, [x16, :got_lo12:ask]\n"
        "add x16, x16, 0\n"
        "br x17\n"
#endif
        ".balign 16\n"
        ".popsection");

static const char *expected; /* NULL: the object */
static int asked, wrong;

static void answer(const void *context)
{
    bool is_object = false;
    const char *name = called(context, &is_object);
    asked++;
    if (name && (expected ? !is_object && strcmp(name, expected) == 0 : is_object))
        return;
    wrong++;
    fprintf(stderr, "%s, not %s\n", name ? name : "nothing", expected ? expected : "the library");
}

static int (*volatile pointer)(void (*)(const void *)) = ask;

NOINLINE static int asks(void)
{
    int sum = 0;
    expected = "ask";
    sum += ask(answer) + ask_stub(answer);
    expected = "ask_deeply";
    sum += ask_deeply(answer);
    expected = "ask";
    sum += pointer(answer);
    expected = NULL;
    return sum + get_hidden()(answer);
}

/* Not instrumented, but the program's. */
__attribute__((no_profile_instrument_function)) NOINLINE static int asks_outside(void)
{
    expected = "ask";
    return ask(answer) + worked;
}

NOINLINE static int ends(void)
{
    expected = "ask"; /* a sibling call leads there */
    return pointer(answer);
}

int main(void)
{
    called_begin();
    int sum = asks() + asks() + asks_outside() + ends();
    int count = called_limits();
    if (count < 1000 || count > 1024 || asked != 12 || wrong)
        fprintf(stderr, "%d asked, %d wrong; room for %d more\n", asked, wrong, count);
    return count < 1000 || count > 1024 || asked != 12 || wrong || sum;
}

#endif
