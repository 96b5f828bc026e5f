/* An interpreter with computed goto in one large function, and builtins behind a table of function pointers.
 * A call of the interpreted language is a call of the interpreter itself.
 * Usage: bytecode ROUNDS */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum opcode { PUSH, LOCAL, ADD, SUBTRACT, LESS, JUMP_UNLESS, CALL, BUILTIN, RETURN };

struct machine {
    int64_t stack[4096];
    int64_t heap[256];
    unsigned top;
    uint64_t executed;
};

typedef int64_t builtin(struct machine *machine, int64_t argument);

static int64_t load(struct machine *machine, int64_t at)
{
    return machine->heap[at & 255];
}

static int64_t mix(struct machine *machine, int64_t value)
{
    uint64_t word = (uint64_t)value * UINT64_C(0x9e3779b97f4a7c15);
    machine->heap[word >> 56] += value;
    return (int64_t)(word >> 40);
}

static int compare(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

static int64_t median(struct machine *machine, int64_t at)
{
    int64_t some[9];
    for (int i = 0; i < 9; i++)
        some[i] = load(machine, at + 29 * i);
    qsort(some, 9, sizeof some[0], compare);
    return some[4];
}

static int64_t smooth(struct machine *machine, int64_t at)
{
    return (load(machine, at - 1) + 2 * load(machine, at) + load(machine, at + 1)) / 4;
}

static builtin *const builtins[] = { load, mix, median, smooth };

/* Each function has one argument, LOCAL. */
static const int16_t fibonacci[] = { LOCAL, PUSH,     2,    LESS,     JUMP_UNLESS, 8,     LOCAL, RETURN,
                                     LOCAL, PUSH,     1,    SUBTRACT, CALL,        0,     LOCAL, PUSH,
                                     2,     SUBTRACT, CALL, 0,        ADD,         RETURN };
static const int16_t stir[] = { LOCAL, BUILTIN, 1, BUILTIN, 3, LOCAL, BUILTIN, 0, ADD, RETURN };
static const int16_t loop[] = { LOCAL,  PUSH,  1,        LESS, JUMP_UNLESS, 8,   LOCAL,
                                RETURN, LOCAL, CALL,     1,    BUILTIN,     2,   LOCAL,
                                PUSH,   1,     SUBTRACT, CALL, 2,           ADD, RETURN };
static const int16_t *const functions[] = { fibonacci, stir, loop };

static int64_t run(struct machine *machine, unsigned function, int64_t local)
{
    static const void *const labels[] = { &&push,        &&local_, &&add,      &&subtract, &&less,
                                          &&jump_unless, &&call,   &&builtin_, &&return_ };
    const int16_t *code = functions[function], *at = code;
    int64_t *stack = machine->stack + machine->top, *top = stack;
#define NEXT                                                                                                 \
    machine->executed++;                                                                                     \
    goto *labels[*at++]
    NEXT;
push:
    *top++ = *at++;
    NEXT;
local_:
    *top++ = local;
    NEXT;
add:
    top--;
    top[-1] += top[0];
    NEXT;
subtract:
    top--;
    top[-1] -= top[0];
    NEXT;
less:
    top--;
    top[-1] = top[-1] < top[0];
    NEXT;
jump_unless:
    at = *--top ? at + 1 : code + *at;
    NEXT;
call:
    machine->top += (unsigned)(top - stack);
    top[-1] = run(machine, (unsigned)*at++, top[-1]);
    machine->top -= (unsigned)(top - stack);
    NEXT;
builtin_:
    top[-1] = builtins[*at++](machine, top[-1]);
    NEXT;
return_:
    return top[-1];
#undef NEXT
}

int main(int argc, char **argv)
{
    static struct machine machine;
    long rounds = argc > 1 ? strtol(argv[1], NULL, 10) : 1000;
    int64_t sum = 0;
    for (long i = 0; i < rounds; i++)
        sum += run(&machine, 0, 6 + i % 5) + run(&machine, 2, 3 + i % 8);
    printf("%lld after %llu operations\n", (long long)sum, (unsigned long long)machine.executed);
    return 0;
}
