// Call paths of the same functions in another order: main;X_one;X_two;leaf and main;X_two;X_one;leaf, for calls of several kinds. Only a wrapped call
// tells them apart. The program keeps a book of the paths that end in `leaf`. Every call may throw: `leaf` does so when it is told.
#include <csetjmp>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

#define OUT extern "C" __attribute__((noinline))
#define IN __attribute__((always_inline))
static void (*note)(); // hcct_heights_note, if the sampler is there
static char path[512], met[64][512];
static int count[64];
static bool throws;
int volatile sink;

struct Enter {
    size_t length;
    IN explicit Enter(const char *name) : length(strlen(path)) { strcat(strcat(path, length ? ";" : ""), name); }
    IN ~Enter() { path[length] = 0; }
};

OUT int leaf(int x)
{
    Enter enter("leaf");
    int i = 0;
    if (note)
        note();
    while (count[i] && strcmp(met[i], path))
        i++;
    strcpy(met[i], path);
    count[i]++;
    if (throws)
        throw x;
    return x + sink;
}

// A pair of functions that call each other once. `last` is how leaf is called, `next` how the other one is.
#define PAIR(result, kind, parameters, last, next_one, next_two) \
    OUT result kind##_one parameters; \
    OUT result kind##_two parameters \
    { \
        Enter enter(#kind "_two"); \
        result got = n ? next_two : last; \
        sink = sink + 1; \
        return got; \
    } \
    OUT result kind##_one parameters \
    { \
        Enter enter(#kind "_one"); \
        result got = n ? next_one : last; \
        sink = sink + 1; \
        return got; \
    }

struct Big {
    long v[5];
};
static Big big(int x) { return { { x, 2, 3, 4, 5 } }; }

PAIR(int, plain, (int n, long x), leaf(x), plain_two(0, x + 1), plain_one(0, x + 1))
PAIR(Big, value, (int n, Big b), big(leaf(b.v[0]) + b.v[4]), value_two(0, big(b.v[1] + b.v[4])), value_one(0, big(b.v[1] + b.v[4])))
PAIR(double, many, (int n, int b, int c, int d, int e, int f, int g, char h, double x, float y), leaf(b - c + d - e + f - g) + h * x + y,
     many_two(0, h, g, f, e, d, c, b, y, x), many_one(0, h, g, f, e, d, c, b, y, x))
PAIR(long double, wide, (int n, __int128 a, long double b), leaf(a >> 64) + b, wide_two(0, a << 1, b * 2), wide_one(0, a << 1, b * 2))

static double sum(int n, va_list list)
{
    double all = leaf(n);
    for (int i = 0; i < 9; i++)
        all += va_arg(list, int) + va_arg(list, double);
    return all;
}
OUT double vary_one(int n, ...);
OUT double vary_two(int n, ...)
{
    Enter enter("vary_two");
    va_list list;
    va_start(list, n);
    double got = n ? vary_one(0, 1, .5, 2, .5, 3, .5, 4, .5, 5, .5, 6, .5, 7, .5, 8, .5, 9, 1e3) : sum(n, list);
    va_end(list);
    return got;
}
OUT double vary_one(int n, ...)
{
    Enter enter("vary_one");
    va_list list;
    va_start(list, n);
    double got = n ? vary_two(0, 1, .5, 2, .5, 3, .5, 4, .5, 5, .5, 6, .5, 7, .5, 8, .5, 9, 1e3) : sum(n, list);
    va_end(list);
    return got;
}

// Through pointers: eight arguments, so that some are on the stack.
typedef int function(int, int, int, int, int, int, int, int);
extern "C" function point_one, point_two;
function *volatile pointers[] = { point_one, point_two };
OUT int point_two(int n, int b, int c, int d, int e, int f, int g, int h)
{
    Enter enter("point_two");
    int got = n ? pointers[0](0, h, g, f, e, d, c, b) : leaf(b - c + d - e + f - g + 2 * h);
    sink = sink + 1;
    return got;
}
OUT int point_one(int n, int b, int c, int d, int e, int f, int g, int h)
{
    Enter enter("point_one");
    int got = n ? pointers[1](0, h, g, f, e, d, c, b) : leaf(b - c + d - e + f - g + 2 * h);
    sink = sink + 1;
    return got;
}

// Calls that cannot be wrapped: the plan of the test names them.
OUT int target(int x) { return sink + x * 2; }
OUT int jumps(int x)
{
    sink = sink + 1;
    [[clang::musttail]] return target(x);
}
static jmp_buf place;
OUT int saves(int x)
{
    int volatile times = x;
    if (setjmp(place) < 3) {
        times = times + 1;
        longjmp(place, times);
    }
    return times;
}

static void run()
{
    Enter enter("main");
    for (int n = 0; n < 2; n++) {
        double all = plain_one(n, 1) + 2 * plain_two(n, 2) + value_one(n, big(3)).v[0] + value_two(n, big(4)).v[0] + vary_one(n, 1, 2., 3, 4., 5, 6., 7, 8., 9, 1., 2, 3., 4, 5., 6, 7., 8, 9.) +
                     3 * vary_two(n, 9, 8., 7, 6., 5, 4., 3, 2., 1, 9., 8, 7., 6, 5., 4, 3., 2, 1.);
        all += many_one(n, 1, 2, 3, 4, 5, 6, 7, 8, 9) + 2 * many_two(n, 1, 2, 3, 4, 5, 6, 7, 8, 9);
        all += wide_one(n, (__int128)5 << 64, 1.5) + 2 * wide_two(n, (__int128)6 << 64, 2.5);
        all += pointers[0](n, 1, 2, 3, 4, 5, 6, 7) + 2 * pointers[1](n, 7, 6, 5, 4, 3, 2, 1);
        printf("sum %.3f\n", all);
    }
    printf("%d %d\n", jumps(4), saves(0));
}

int main()
{
    note = (void (*)())dlsym(RTLD_DEFAULT, "hcct_heights_note");
    run();
    throws = true;
    for (int n = 1; n < 4; n++)
        try {
            Enter enter("main");
            sink = sink + (n == 1 ? plain_one(1, 1) : n == 2 ? value_two(1, big(2)).v[0] : pointers[1](1, 7, 6, 5, 4, 3, 2, 1));
        } catch (int x) {
            printf("caught %d, %s\n", x, *path ? path : "all left");
        }
    FILE *book = fopen("book", "w");
    for (int i = 0; count[i]; i++)
        fprintf(book, "%s %d\n", met[i], count[i]);
    return fclose(book);
}
