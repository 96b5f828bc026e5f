// hcct-lab replay --frames: which edges a sample counts for, in the example of Arnold and Sweeney (2000, figure 6). c is called a hundred times as often as b. By the last edge
// alone that is what samples find; by all edges that are new since the sample before, each sample finds both.
// RUN: %hcct-cc -O1 %s -o %t && HCCT_OPTIONS=trace=%t.trace:output=%t.bin %t && %hcct-decode --all --format=folded %t.bin | grep -x 'main;a;b;c 1000'
// The 1,012 calls are main, a, and ten times b and 100 of c: of the calls 100, 200, .., 1000 each is c, in another call of b.
// RUN: for frames in 1 2 3 all; do %hcct-lab replay --mode=cct --sample=calls/100 --frames=$frames -o %t.$frames %t.trace && %hcct-decode --all --format=folded %t.$frames > %t.$frames.txt || exit 1; done
// RUN: FileCheck --check-prefix=LAST %s < %t.1.txt && FileCheck --check-prefix=TWO %s < %t.2.txt && FileCheck --check-prefix=THREE %s < %t.3.txt && FileCheck --check-prefix=ALL %s < %t.all.txt
// LAST-NOT: {{.}}
// LAST: main;a;b;c 1000
// LAST-NOT: {{.}}
// TWO-NOT: main;a {{.*}}
// TWO-DAG: main;a;b 1000
// TWO-DAG: main;a;b;c 1000
// THREE-DAG: main;a 100
// THREE-DAG: main;a;b 1000
// ALL-DAG: main 100
// ALL-DAG: main;a 100
// ALL-DAG: main;a;b 1000
// ALL-DAG: main;a;b;c 1000
// Bursts as static, and as adaptive ones: of the eleven bursts of 10 of 100 calls the first begins in main, the others in c, of which the first alone is counted.
// RUN: %hcct-lab replay --mode=cct --burst=10/100 --one-in=1000000 --facts -o %t.one %t.trace | grep '"counted": 20,'
// RUN: %hcct-lab replay --mode=cct --burst=10/100 --facts -o %t.one %t.trace | grep '"counted": 110,'
#define NOINLINE __attribute__((noinline))

NOINLINE static void c(void)
{
    __asm__ volatile("");
}

NOINLINE static void b(void)
{
    for (int i = 0; i < 100; i++)
        c();
    __asm__ volatile("");
}

NOINLINE static void a(void)
{
    for (int i = 0; i < 10; i++)
        b();
    __asm__ volatile("");
}

int main(void)
{
    a();
    return 0;
}
