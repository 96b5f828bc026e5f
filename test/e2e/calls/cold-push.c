/* A push in code that is seldom passed, where a tail push has left a dead frame on the context stack.
 * RUN: rm -rf %t && mkdir %t && cd %t
 * RUN: for lto in "" -flto; do %hcct-cc -O2 $lto %s -o x && HCCT_OPTIONS=mode=cct ./x && %hcct-decode --all > tree && \
 * RUN:   FileCheck %s < tree || exit 1; done
 * CHECK: 302 calls
 * CHECK: sound: nothing dropped, nothing lost
 * CHECK: main
 * CHECK-NOT: unknown
 * CHECK: seldom
 */
static volatile int sink;
__attribute__((noinline)) static void often(void) { sink++; }
__attribute__((noinline)) static void seldom(void) { sink += 2; }
static void (*volatile pointers[])(void) = { often, seldom };

__attribute__((noinline)) static void through(int which)
{
    sink++;
    pointers[which]();
}

__attribute__((noinline)) static void step(int i)
{
    through(0);
    if (__builtin_expect(i == 50, 0))
        pointers[1]();
    sink++;
}

int main(void)
{
    for (int i = 0; i < 100; i++)
        step(i);
    return 0;
}
