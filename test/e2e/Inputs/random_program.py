# random_program.py SEED: a C program in two parts (-DPART=0, -DPART=1) whose functions call each other at random:
# directly, recursively, through pointers, through a library that is not instrumented (-DPART=2), by musttail; and that
# leave by longjmp over several frames. What it does at run time comes from a generator of its own: the same each time.
import random
import sys

seed = int(sys.argv[1])
choose = random.Random(seed)
COUNT = 14
local = [choose.random() < 0.4 for _ in range(COUNT)]
print("""#include <setjmp.h>
typedef void function(int);
struct target { jmp_buf buffer; };
extern struct target *target;
extern unsigned state, fuel;
static inline __attribute__((always_inline)) unsigned draw(unsigned n)
{
    state = state * 1664525 + 1013904223;
    return (state >> 16) %% n;
}
void library_call(function *f, int depth);
void library_both(function *f, function *g, int depth);
#if PART == 2
void library_call(function *f, int depth) { f(depth); __asm__ volatile(""); }
static __attribute__((noinline)) void deeper(function *f, int depth) { volatile char room[100]; room[0] = 0; f(depth); room[1] = room[0]; }
void library_both(function *f, function *g, int depth) { f(depth); deeper(g, depth); g(depth); __asm__ volatile(""); }
struct target *target;
unsigned state = %d, fuel = 5000;
#else""" % (seed * 7919 + 1))
for i in range(COUNT):
    if not local[i]:
        print(f"void f{i}(int depth);")
for part in (0, 1):
    print(f"#if PART == {part}")
    mine = [i for i in range(COUNT) if i % 2 == part]
    reachable = [i for i in range(COUNT) if not local[i] or i % 2 == part]
    for i in mine:
        if local[i]:
            print(f"static void f{i}(int depth);")
    print(f"static function *volatile table[] = {{{', '.join(f'f{i}' for i in reachable)}}};")

    def pointer():
        return f"table[draw({len(reachable)})]"

    def operation(i):
        j = choose.choice(reachable)
        return choose.choice([
            f"f{j}(depth + 1);",
            f"f{j}(depth + 1);",
            f"if (draw(2)) f{j}(depth + 1);",
            f"{pointer()}(depth + 1);",
            f"library_call({pointer()}, depth + 1);",
            f"library_call(f{j}, depth + 1);",
            f"library_both(f{j}, {pointer()}, depth + 1);",
            f"{{ struct target own, *volatile saved = target; if (!setjmp(own.buffer)) {{ target = &own; {pointer()}(depth + 1); "
            f"f{j}(depth + 1); }} target = saved; }}",
            "if (target && !draw(5)) longjmp(target->buffer, 1);",
        ])

    for i in mine:
        print(f"{'static ' if local[i] else ''}__attribute__((noinline)) void f{i}(int depth)\n{{")
        print("    if (!fuel || depth > 9)\n        return;\n    fuel--;")
        print(f"    switch (draw({4})) {{")
        for case in range(4):
            print(f"    case {case}:")
            for _ in range(choose.randint(1, 3)):
                print(f"        {operation(i)}")
            later = [j for j in reachable if j > i]
            if later and choose.random() < 0.3:
                print(f"        __attribute__((musttail)) return f{choose.choice(later)}(depth + 1);")
            else:
                print("        break;")
        print("    }\n}")
    if part == 0:
        print("int main(void)\n{\n    for (int i = 0; i < 200; i++)\n        table[draw(%d)](0);\n    return 0;\n}" % len(reachable))
    print("#endif")
print("#endif")
