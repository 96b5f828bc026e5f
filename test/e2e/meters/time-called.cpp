// A sample in a library tells what the program called, or only which library it is, but nothing that was not called. The program
// calls library functions in many ways, stepped by the processor's trap flag, and writes down what it calls; at each step in a library
// the leaf is compared with that. Built in every way that makes other calls: -O0, -fno-plt, lazily and early bound, by three linkers, not
// as PIE, with stubs for indirect branch tracking; directly, through registers and variables, by sibling calls, in callbacks.
// REQUIRES: turn-4
// RUN: %clang -x c -O2 -fPIC -shared -DLIBRARY %s -o %t.outside.so && %hcct-cc -x c -O2 -fPIC -shared -DPART %s -o %t.part.so
// RUN: for f in strlen strnlen; do %hcct-cc -x c -O2 -fPIC -shared -DLOADED=$f %s -o %t.$f.so || exit 1; done
// RUN: %clang -O2 -I%hcct-source -I%hcct-source/include -c %inputs/called.c -o %t.called.o
// DEFINE: %{build} = %hcct-c++ -fno-builtin -I%hcct-source/include -I%inputs %s %t.called.o %t.outside.so %t.part.so -o %t.exe
// DEFINE: %{run} = env HCCT_OPTIONS=output=%t.bin %t.exe %t.strlen.so %t.strnlen.so
// RUN: %{build} -O0 && %{run}
// RUN: %{build} -O2 -Wl,-z,lazy && %{run}
// RUN: %{build} -O2 -Wl,-z,now -fcf-protection=full -Wl,-z,ibtplt -fuse-ld=bfd && %{run}
// RUN: %{build} -O2 -fno-plt && %{run}
// RUN: %{build} -O2 -no-pie -fno-pie && %{run}
// RUN: %{build} -O2 -flto -fuse-ld=lld && %{run}
// RUN: %{build} -O2 -fuse-ld=lld && %{run}
// RUN: %if mold %{ %{build} -O2 -fuse-ld=mold && %{run} %}
#ifdef LIBRARY

#include <string.h>

size_t outside(const char *text);
size_t outside_last(const char *text);
void outside_back(void (*back)(void));

/* Has no unwind table, and on top of the stack what looks like a return address. */
__asm__(".globl outside_bare\n"
        ".type outside_bare, @function\n"
        "outside_bare:\n"
        "pushq %rdi\n"
        "nop\n"
        "popq %rdi\n"
        "retq\n");

size_t outside(const char *text)
{
    return strlen(text) + 1;
}

size_t outside_last(const char *text)
{
    return strlen(text);
}

void outside_back(void (*back)(void))
{
    back();
}

#elif defined PART

#include <string.h>

size_t part_last(const char *text);
size_t part(const char *text);

/* Not instrumented, in an object that is; what it calls is a sibling. */
__attribute__((no_profile_instrument_function)) size_t part_last(const char *text)
{
    return strlen(text);
}

size_t part(const char *text)
{
    return strlen(text) + 1;
}

#elif defined LOADED

#include <string.h>

size_t loaded(const char *text, size_t limit);

size_t loaded(const char *text, size_t limit)
{
    return ((size_t (*)(const char *, size_t))LOADED)(text, limit) + 1;
}

#else

#include <dlfcn.h>
#include <fcntl.h>
#include <hcct/abi.h>
#include <hcct/hcct.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <string>

#include "e2e.h"
#include "steps.h"

/* --- what each step does -------------------------------------------------------------------------- */

/* What was called, perhaps one of several; NULL: nobody knows. */
static const char *volatile book;
static unsigned long steps, in_library, named, wrong;

extern "C" {
const char *called(const void *context, bool *is_object); /* called.c */
void called_begin(void);
size_t outside(const char *text);
size_t outside_last(const char *text);
void outside_back(void (*back)(void));
void outside_bare(const char *address);
size_t part(const char *text);
size_t part_last(const char *text);

OUTSIDE bool is_in(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = words; (at = strstr(at, word)); at += length)
        if ((at == words || at[-1] == ' ') && (!at[length] || at[length] == ' '))
            return true;
    return false;
}

OUTSIDE void step(int, siginfo_t *, void *context)
{
    bool is_object = false;
    const char *name = book ? called(context, &is_object) : NULL;
    steps++;
    if (!name)
        return;
    in_library++;
    named += !is_object;
    if (!is_object && !is_in(book, name) && wrong++ < 10)
        fprintf(stderr, "%s, not %s, at %p\n", name, book,
                (void *)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP]);
}
}

/* --- the program ---------------------------------------------------------------------------------- */

static char text[300], other[300];
static volatile size_t zero;

/* Calls `function` by the expression behind it. */
#define CALL(function, ...) (book = function, (void)(__VA_ARGS__), book = NULL)

NOINLINE static void direct(void)
{
    char line[100];
    CALL("strlen", zero += strlen(text) - strlen(text));
    CALL("memcmp", zero += memcmp(text, other, sizeof text) != 0);
    CALL("memset", memset(other + zero, 'a', 200));
    CALL("memchr", memchr(text, 'b', 250));
    CALL("strtol", strtol("12345", NULL, 10));
    CALL("snprintf", snprintf(line, sizeof line, "%s %d %f", "a", 7, 1.5));
    CALL("time", time(NULL));
    CALL("getenv", getenv("HOME"));
    CALL("outside", zero += outside("abc") - 4);
    CALL("outside_last", zero += outside_last("abc") - 3);
    int null = open("/dev/null", O_WRONLY);
    CALL("write", write(null, text, 10));
    CALL("close", close(null));
}

NOINLINE static void memory(void)
{
    char *block = NULL;
    CALL("malloc", block = (char *)malloc(100 + zero));
    CALL("realloc", block = (char *)realloc(block, 100000));
    CALL("free", free(block));
    std::string *one = NULL;
    CALL("_Znwm", one = (std::string *)operator new(1000));
    CALL("_ZdlPv", operator delete(one));
}

/* The compiler's backend makes a call of memcpy. */
struct large {
    char bytes[2000];
};
static struct large from, to[2];

NOINLINE static void copy(void)
{
    CALL("memcpy", to[zero] = from);
}

OUTSIDE size_t not_instrumented(const char *of)
{
    return strlen(of) + 1;
}

NOINLINE static int compare(const void *a, const void *b)
{
    const char *before = book;
    int result = *(const int *)a - *(const int *)b;
    book = "strcmp";
    result += strcmp(text + zero, text);
    book = before;
    return result;
}

NOINLINE static void back(void)
{
    const char *before = book;
    book = "strlen";
    zero += strlen(text) - 299;
    book = before;
}

NOINLINE static void callbacks(void)
{
    int numbers[] = { 3, 1, 2, 5, 4 }, key = 4;
    CALL("qsort", qsort(numbers, 5, sizeof numbers[0], compare));
    CALL("bsearch", bsearch(&key, numbers, 5, sizeof numbers[0], compare));
    CALL("outside_back", outside_back(back));
    CALL("strlen", zero += not_instrumented(text) - 300);
    CALL("strlen", zero += part("abc") - 4);
}

/* --- other calls ------------------------------------------------------------------------------------- */

NOINLINE size_t last(const char *of)
{
    return strlen(of);
}

extern "C" {
/* The dynamic linker fills it in, and the program changes it. */
int (*variable)(const char *) = (int (*)(const char *))strlen;

/* Calls it as if it were a slot of the linker's. */
int through_variable(const char *of);
__asm__(".pushsection .text\n"
        "through_variable:\n"
        ".cfi_startproc\n"
        "subq $8, %rsp\n"
        ".cfi_adjust_cfa_offset 8\n"
        "callq *variable(%rip)\n"
        "addq $8, %rsp\n"
        ".cfi_adjust_cfa_offset -8\n"
        "retq\n"
        ".cfi_endproc\n"
        ".popsection");

/* Calls *slot by an instruction whose last five bytes look like a call of memcmp. */
int disguised(int (*const *slot)(const char *), const char *of);
__asm__(".pushsection .text\n"
        "disguised:\n"
        ".cfi_startproc\n"
        "pushq %rbp\n"
        ".cfi_adjust_cfa_offset 8\n"
        ".cfi_rel_offset %rbp, 0\n"
        "xorl %ebp, %ebp\n"
        "movslq disguised_offset(%rip), %rax\n"
        "negq %rax\n"
        "addq %rdi, %rax\n"
        "movq %rsi, %rdi\n"
        ".byte 0xff, 0x94, 0xe8\n" /* callq *offset(%rax, %rbp, 8) */
        "disguised_offset: .long memcmp@PLT - . - 4\n"
        "popq %rbp\n"
        ".cfi_adjust_cfa_offset -8\n"
        ".cfi_restore %rbp\n"
        "retq\n"
        ".cfi_endproc\n"
        ".popsection");

/* Ends by another function than the variable leads to. */
int ended(const char *of);
__asm__(".pushsection .text\n"
        "ended:\n"
        "jmp atol@PLT\n"
        ".popsection");

/* What is behind a call of memcmp, which is never made. */
extern char not_called_back[];
__asm__(".pushsection .text\n"
        "not_called:\n"
        ".cfi_startproc\n"
        "callq memcmp@PLT\n"
        "not_called_back:\n"
        "retq\n"
        ".cfi_endproc\n"
        ".popsection");
}

static void (*volatile sorts)(void *, size_t, size_t, int (*)(const void *, const void *)) = qsort;
static ucontext_t here, there;

NOINLINE static void others(void)
{
    static char stack[1 << 16];
    int numbers[] = { 3, 1, 2, 5, 4 };
    variable = atoi;
    CALL("strlen", zero += last("abc") - 3);
    CALL("strlen", zero += part_last("abc") - 3);
    CALL("atoi", zero += (size_t)through_variable("12") - 12);
    variable = ended;
    CALL("atol strtol", zero += (size_t)through_variable("12") - 12);
    variable = atoi;
    CALL("qsort qsort_r", sorts(numbers, 5, sizeof numbers[0], compare)); /* it ends by the other, as atol does */
    CALL("atoi", zero += (size_t)disguised(&variable, "13") - 13);
    CALL("outside_bare", outside_bare(not_called_back));
    signal(SIGUSR1, (void (*)(int))srand);
    CALL("raise srand", raise(SIGUSR1));
    getcontext(&there);
    there.uc_stack.ss_sp = stack;
    there.uc_stack.ss_size = sizeof stack;
    there.uc_link = &here;
    makecontext(&there, tzset, 0); /* the profiler calls some functions there, too */
    CALL("swapcontext makecontext getcontext setcontext __errno_location", swapcontext(&here, &there));
}

/* --- objects that come and go ---------------------------------------------------------------------- */

/* Each of them is at the address at which the one before it was. Until it has run, it counts as not instrumented. */
NOINLINE static void load(const char *path, const char *function)
{
    void *object = dlopen(path, RTLD_LAZY);
    size_t (*loaded)(const char *, size_t) = (size_t (*)(const char *, size_t))dlsym(object, "loaded");
    for (int i = 0; i < 2; i++)
        CALL(function, zero += loaded("abc", 3) - 4);
    dlclose(object);
}

int main(int, char **argv)
{
    memset(text, 'a', sizeof text - 1);
    memset(other, 'a', sizeof other - 1);
    called_begin();
    begin_steps();
    direct();
    memory();
    copy();
    callbacks();
    others();
    for (int i = 0; i < 2; i++) {
        load(argv[1], "strlen loaded");
        load(argv[2], "strnlen loaded");
    }
    end_steps();
    fprintf(stderr, "%lu steps, %lu in libraries, %lu named, %lu wrong\n", steps, in_library, named, wrong);
    return wrong || zero || in_library < 10000 || named < 5000;
}

#endif
