// The unwinder comes and goes with a library that dlopen loads, each time to another place. The program exports its names, so that the library's landing
// pads are seen.
// RUN: rm -rf %t && split-file %s %t && cd %t && %clang -O1 -fexceptions -fPIC -shared plug.c -o plug.so -lgcc_s
// RUN: %hcct-cc -O1 -rdynamic host.c -o host && HCCT_OPTIONS=mode=cct:output=h.bin ./host && %hcct-decode --all --format=folded h.bin | FileCheck %s
// CHECK: main 1
// CHECK: main;{{.*}}back 3
//--- host.c
#include <dlfcn.h>
#include <sys/mman.h>

static volatile int calls;
__attribute__((noinline)) static void back(void) { calls++; }

int main(void)
{
    for (int i = 0; i < 3; i++) {
        void *handle = dlopen("./plug.so", RTLD_NOW | RTLD_LOCAL);
        if (!handle)
            return 1;
        ((void (*)(void (*)(void)))dlsym(handle, "plug"))(back);
        dlclose(handle);
        for (int k = 0; k < 60; k++) /* where it was there is no room the next time */
            mmap(0, 40 << 12, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    }
    return calls != 3;
}
//--- plug.c
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

static struct _Unwind_Exception exception;
static volatile int cleaned;
static void clean(int *variable) { cleaned += *variable + 1; }

struct target {
    void *frame, *buffer;
};

static _Unwind_Reason_Code stop(int version, _Unwind_Action actions, _Unwind_Exception_Class class,
                                struct _Unwind_Exception *thrown, struct _Unwind_Context *context, void *target)
{
    (void)version, (void)class, (void)thrown;
    const struct target *to = target;
    if (actions & _UA_END_OF_STACK)
        abort();
    if ((void *)_Unwind_GetCFA(context) > to->frame)
        __builtin_longjmp(to->buffer, 1);
    return _URC_NO_REASON;
}

__attribute__((noinline)) static void throw_to(struct target *target)
{
    int variable __attribute__((cleanup(clean))) = 0;
    memset(&exception, 0, sizeof exception);
    _Unwind_ForcedUnwind(&exception, stop, target);
}

void plug(void (*back)(void))
{
    void *buffer[5];
    if (__builtin_setjmp(buffer) == 0)
        throw_to(&(struct target){ __builtin_frame_address(0), buffer });
    if (!cleaned)
        abort();
    back();
}
