// metric=heap at boundaries: threads, fork, dlopen, pointers to malloc, reset and stop, failures, errno, and what the program itself sees.
//
// RUN: rm -rf %t && mkdir -p %t && cd %t && %clang -O1 -shared -fPIC -DPLUGIN %s -o plugin.so
// RUN: for how in "-O1" "-O2 -flto" "-O1 -fPIE -pie" "-O1 -no-pie" "-O1 -Wl,-z,now" "-O1 -fno-plt"; do %hcct-cc $how -g %s -I%hcct-source/include -o x -ldl || exit 1; \
// RUN:   rm -f *.bin* && env HCCT_OPTIONS=metric=heap:mode=cct ./x > out && diff out %S/Inputs/boundaries.out && env HCCT_OPTIONS=output=calls.bin ./x | diff - out && \
// RUN:   %hcct-decode --value=live-blocks --all --format=folded ids.bin | FileCheck --check-prefix=LIVE %s && %hcct-decode --value=blocks --all --format=folded ids.bin | FileCheck --check-prefix=BLOCKS %s && \
// RUN:   %hcct-decode --value=live-blocks --all --format=folded ids.bin.* | FileCheck --check-prefix=CHILD %s && %hcct-decode ids.bin | FileCheck --check-prefix=SOUND %s || exit 1; done
// SOUND: sound: nothing dropped, nothing lost
// LIVE-DAG: main;in_threads;[malloc] 1{{$}}
// LIVE-DAG: main;plugin 5{{$}}
// LIVE-DAG: main;failures;[malloc] 1{{$}}
// LIVE-NOT: lines
// LIVE-NOT: forget
// LIVE-NOT: stopped
// LIVE-NOT: given
// BLOCKS-DAG: given;[malloc] 100{{$}}
// BLOCKS-DAG: main;failures;[malloc] 2{{$}}
// BLOCKS-DAG: main;lines;[getline] 2{{$}}
// BLOCKS-DAG: main;lines;[strdup] 1{{$}}
// CHILD-DAG: main;in_child;[malloc] 2{{$}}
// CHILD-NOT: in_threads
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef PLUGIN
// Not instrumented: allocates when it is loaded, and when it is called.
static void *early;
__attribute__((constructor)) static void begin(void)
{
    early = malloc(10);
}
void *plugin_make(int count)
{
    void **all = malloc(sizeof *all * 4);
    for (int i = 0; i < count; i++)
        all[i] = malloc(100);
    return all;
}
#else
#include <hcct/hcct.h>

#define FUNCTION __attribute__((noinline, optnone))

static void *blocks[100];
FUNCTION static void *given(void *unused)
{
    for (int i = 0; i < 100; i++)
        blocks[i] = malloc(10);
    return unused;
}

FUNCTION static void in_threads(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, given, NULL);
    pthread_join(thread, NULL);
    for (int i = 0; i < 100; i++)
        free(blocks[i]);
    blocks[0] = malloc(1);
}

FUNCTION static void in_child(void)
{
    free(blocks[0]); // the parent's: the child counts from zero
    blocks[0] = malloc(5);
    blocks[1] = malloc(5);
}

FUNCTION static void plugin(void)
{
    void *library = dlopen("./plugin.so", RTLD_NOW);
    void *(*make)(int) = (void *(*)(int))(uintptr_t)dlsym(library, "plugin_make");
    blocks[2] = make(4);
}

FUNCTION static void failures(void)
{
    volatile size_t far = SIZE_MAX / 2;
    void *block = malloc(8), *nothing = malloc(0);
    errno = 0;
    printf("%d", malloc(far) == NULL);
    printf(" %d %d", errno == ENOMEM, realloc(block, far) == NULL);
    errno = 7;
    free(realloc(nothing, 20));
    free(NULL);
    printf(" %d %d %d\n", errno, posix_memalign(&nothing, 3, 8) == EINVAL, errno);
    blocks[3] = block;
    printf("%d\n", malloc_usable_size(block) >= 8 && malloc_usable_size(block) < 64);
}

// The C library's own calls of realloc.
FUNCTION static void lines(void)
{
    char *line = NULL, *copy = strdup("a text");
    size_t room = 0;
    FILE *file = fopen("lines", "w+");
    for (int i = 0; i < 200; i++)
        fputc('x', file);
    rewind(file);
    if (getline(&line, &room, file) != 200)
        abort();
    fclose(file);
    free(line);
    free(copy);
}

FUNCTION static void forget(void)
{
    blocks[4] = malloc(1000);
}

FUNCTION static void stopped(void)
{
    void *before = malloc(3);
    hcct_stop();
    blocks[5] = malloc(1000);
    free(before);
    hcct_start();
    free(blocks[5]);
}

int main(void)
{
    forget();
    hcct_reset();
    in_threads();
    fflush(stdout);
    if (!fork()) {
        in_child();
        exit(0);
    }
    wait(NULL);
    plugin();
    failures();
    stopped();
    lines();
}
#endif
