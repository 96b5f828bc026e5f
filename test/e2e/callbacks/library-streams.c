// The functions of a stream that fopencookie made, and those behind conversions that were added to printf's, hang below what called the
// C library.
// REQUIRES: turn-2
// RUN: split-file %s %t && cd %t
// RUN: for level in -O0 -O2 "-O2 -flto"; do for how in STREAM CONVERSION; do echo "$level $how" && \
// RUN:   %hcct-cc $level -fno-builtin -Wno-format -D$how -I%inputs set.c uses.c -o x && env CHECKS=$how sh %inputs/exact.sh %hcct-decode %s %t/x && \
// RUN:   %hcct-cc $level -fno-builtin -Wno-format -D$how -I%inputs -shared -fPIC set.c -o set.so && \
// RUN:   %hcct-cc $level -fno-builtin -Wno-format -D$how -I%inputs uses.c ./set.so -o s && env CHECKS=$how sh %inputs/exact.sh %hcct-decode %s %t/s || exit 1; done; done
//--- set.c
#define _GNU_SOURCE
#include <printf.h>
#include <stdio.h>
#include "e2e.h"
#ifdef STREAM
static ssize_t write_it(void *cookie, const char *text, size_t bytes)
{
    work();
    return (ssize_t)bytes;
}
NOINLINE FILE *stream(void)
{
    return fopencookie(0, "w", (cookie_io_functions_t){ .write = write_it });
}
#else
static int convert(FILE *to, const struct printf_info *info, const void *const *values)
{
    work();
    return 0;
}
static int measure(const struct printf_info *info, size_t count, int *types, int *sizes)
{
    types[0] = PA_INT;
    return 1;
}
NOINLINE FILE *stream(void)
{
    register_printf_specifier('Y', convert, measure);
    return stdout;
}
#endif
//--- uses.c
#include <stdio.h>
#include "e2e.h"
FILE *stream(void);
static char text[80];
NOINLINE void put(FILE *to) { fputs("text\n", to); work(); }
NOINLINE void put_one(FILE *to) { putc('\n', to); work(); }
NOINLINE void print(FILE *to) { fprintf(to, "%Yx\n", 1); work(); }
NOINLINE void format(void) { snprintf(text, sizeof text, "%Y", 1); work(); }
int main(void)
{
    FILE *to = stream();
    setvbuf(to, 0, _IONBF, 0);
    put(to);
    put_one(to);
    print(to);
    format();
    return 0;
}
// STREAM: main 1
// STREAM-NEXT: main;format 1
// STREAM-NEXT: main;print 1
// STREAM-NEXT: main;print;[fprintf];write_it {{[1-9]}}
// STREAM-NEXT: main;put 1
// STREAM-NEXT: main;put;[fputs];write_it 1
// STREAM-NEXT: main;put_one 1
// STREAM-NEXT: main;put_one;[putc];write_it 1
// STREAM-NEXT: main;stream 1
// CONVERSION: main 1
// CONVERSION-NEXT: main;format 1
// CONVERSION-NEXT: main;format;[snprintf];convert 1
// CONVERSION-NEXT: main;format;[snprintf];measure {{[1-9]}}
// CONVERSION-NEXT: main;print 1
// CONVERSION-NEXT: main;print;[fprintf];convert 1
// CONVERSION-NEXT: main;print;[fprintf];measure {{[1-9]}}
// CONVERSION-NEXT: main;put 1
// CONVERSION-NEXT: main;put_one 1
// CONVERSION-NEXT: main;stream 1
