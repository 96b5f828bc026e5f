// Interpreters that dispatch by tail calls through a table run ten million instructions in a small stack, and each is counted: handlers that call
// the next one, with and without musttail, and handlers that leave that to a function of another type.
// RUN: %hcct-cc -O2 -I%inputs %s -o %t.2 && %hcct-cc -O2 -DNEXT='__attribute__((musttail)) return' -I%inputs %s -o %t.must
// RUN: %hcct-cc -O0 -DNEXT='__attribute__((musttail)) return' -DFETCH=0 -I%inputs %s -o %t.0
// RUN: %hcct-cc -O2 -flto -fuse-ld=lld -I%inputs %s -o %t.lto
// RUN: ulimit -s 256; for x in 2 must 0 lto; do for mode in cct hcct; do HCCT_OPTIONS=mode=$mode:output=%t.bin %t.$x | sort > %t.said && \
// RUN:   %hcct-decode --all --format=folded %t.bin > %t.folded && awk '{ n = split($1, f, ";"); c[f[n]] += $2 } END { for (k in c) print k, c[k] }' \
// RUN:   %t.folded | sort | diff %t.said - && test $(wc -l < %t.folded) -lt 100 && FileCheck %s < %t.folded || exit 1; done; done
// CHECK: {{^}}main;run 1{{$}}
// CHECK: {{^}}main;run;add{{[ ;]}}
#include <stdio.h>

#include "e2e.h"

#ifndef NEXT
#define NEXT return
#endif
#ifndef FETCH
#define FETCH 1
#endif
enum { INSTRUCTIONS = 10000000, SIZE = 8 };

typedef struct machine {
    long left, sum;
    const unsigned char *code;
    long counts[4];
} machine;
typedef long handler(machine *m, long at, long x);

static handler add, twist, jump;
static handler *const table[] = { add, twist, jump };

static long add(machine *m, long at, long x)
{
    m->counts[0]++;
    if (m->left-- == 0)
        return m->sum + x;
    NEXT table[m->code[at]](m, at + 1, x + 1);
}

static long twist(machine *m, long at, long x)
{
    m->counts[1]++;
    if (m->left-- == 0)
        return m->sum - x;
    NEXT table[m->code[at]](m, at + 1, x ^ at);
}

static long jump(machine *m, long at, long x)
{
    m->counts[2]++;
    m->sum += x & 1;
    NEXT table[m->code[0]](m, 1, x + at);
}

static NOINLINE long run(machine *m)
{
    return table[m->code[0]](m, 1, 1) + 1;
}

typedef long step(machine *m, long at);
static step step_add, step_jump;
static step *const steps[] = { step_add, step_add, step_jump };

/* Of another type than what it calls. */
static NOINLINE long fetch(machine *m)
{
    long at = m->sum & 7;
    m->counts[3]++;
    return steps[m->code[at]](m, at);
}

static long step_add(machine *m, long at)
{
    m->counts[0]++;
    m->sum += at < 7;
    return m->left-- == 0 ? m->sum : fetch(m);
}

static long step_jump(machine *m, long at)
{
    m->counts[1]++;
    m->sum += 8 - at;
    return m->left-- == 0 ? m->sum : fetch(m);
}

int main(void)
{
    static const unsigned char code[SIZE] = { 0, 1, 0, 0, 1, 1, 0, 2 };
    machine first = { INSTRUCTIONS, 0, code, { 0 } }, second = first;
    long result = run(&first);
    printf("main 1\nrun 1\nadd %ld\ntwist %ld\njump %ld\n", first.counts[0], first.counts[1], first.counts[2]);
    if (FETCH) {
        result += fetch(&second);
        printf("step_add %ld\nstep_jump %ld\nfetch %ld\n", second.counts[0], second.counts[1], second.counts[3]);
    }
    return result == 0;
}
