/* Control flow integrity of a whole program: pointers lead to its jump table, not to the functions, and what they lead to is counted where
 * it is; the names are those of the source.
 * RUN: rm -rf %t && mkdir %t && cd %t
 * RUN: for lto in full thin; do \
 * RUN:   %hcct-c++ -O2 -g1 -flto=$lto -fsanitize=cfi -fvisibility=hidden %s -o x && HCCT_OPTIONS=mode=cct:output=x.bin ./x && \
 * RUN:   %hcct-decode --all --format=folded x.bin | FileCheck %s && %hcct-decode --all x.bin | FileCheck --check-prefix=SOUND %s && \
 * RUN:   HCCT_SHADOW=1 %hcct-c++ -O1 -g1 -flto=$lto -fsanitize=cfi -fvisibility=hidden %s %shadow -lpthread -o y && \
 * RUN:   HCCT_OPTIONS=mode=cct:output=y.bin HCCT_SHADOW_FILE=y.txt ./y && %hcct-decode --all --format=json -o y.json y.bin && \
 * RUN:   python3 %oracle/compare.py y.json y.txt || exit 1; done
 * CHECK: {{^}}main 1
 * CHECK-NEXT: {{^}}main;call(int, int) 300
 * CHECK-NEXT: {{^}}main;call(int, int);one(int) 100
 * CHECK-NEXT: {{^}}main;call(int, int);three(int) 100
 * CHECK-NEXT: {{^}}main;call(int, int);three(int);one(int) 100
 * CHECK-NEXT: {{^}}main;call(int, int);two(int) 100
 * CHECK-NEXT: {{^}}main;run(shape*, int) 300
 * CHECK-NEXT: {{^}}main;run(shape*, int);circle::f(int) 150
 * CHECK-NEXT: {{^}}main;run(shape*, int);square::f(int) 150
 * CHECK-NOT: {{.}}
 * SOUND: sound: nothing dropped, nothing lost
 */
struct shape {
    virtual int f(int x) = 0;
};
struct circle : shape {
    int f(int x) override;
};
struct square : shape {
    int f(int x) override;
};
int circle::f(int x)
{
    __asm__ volatile("");
    return x * 2;
}
int square::f(int x)
{
    __asm__ volatile("");
    if (x % 7 == 0)
        throw 7;
    return x * 3;
}

__attribute__((noinline)) static int one(int x)
{
    __asm__ volatile("");
    return x + 1;
}
__attribute__((noinline)) static int two(int x)
{
    __asm__ volatile("");
    return x + 2;
}
__attribute__((noinline)) int three(int x)
{
    return one(x) + 3;
}
static int (*volatile table[])(int) = { one, two, three };

__attribute__((noinline)) static int call(int i, int x)
{
    return table[i % 3](x) + 1;
}

__attribute__((noinline)) static int run(shape *s, int x)
{
    return s->f(x) + 1;
}

int main()
{
    circle a;
    square b;
    shape *volatile shapes[] = { &a, &b };
    int sum = 0, caught = 0;
    for (int i = 0; i < 300; i++) {
        sum += call(i, i);
        try {
            sum += run(shapes[i % 2], i);
        } catch (int) {
            caught++;
        }
    }
    return caught != 21;
}
