// One executable whose processes loaded other objects is one program: its profiles add up by call site, in any order and grouping.
// RUN: split-file %s %t && cd %t && %hcct-cc -O1 -g -I%inputs main.c -o main -ldl && %hcct-cc -O1 -g -shared -fPIC -I%inputs -DENTRY=first plugin.c -o a.so
// RUN: %hcct-cc -O1 -g -shared -fPIC -I%inputs -DENTRY=second plugin.c -o b.so && for run in a b 'a b' 'b a' ''; do \
// RUN:   env HCCT_OPTIONS=mode=cct:output="run-$(echo $run | tr -d ' ').bin" ./main $run || exit 1; done
// Depth, function, calls and column: calls on one line stay apart, and so do equal functions of two plugins.
// RUN: %hcct-decode --all --format=csv --by=site run-a.bin run-b.bin run-ab.bin run-ba.bin run-.bin | cut -d, -f3,4,6,15 | grep '^[0-9]' | sort > decoded
// RUN: uniq -c decoded | FileCheck --match-full-lines --implicit-check-not={{.}} %s
// CHECK: 1 0,main,5,
// CHECK-NEXT: 1 1,called,5,5
// CHECK-NEXT: 2 1,entry,3,13
// CHECK-NEXT: 1 2,first,3,34
// CHECK-NEXT: 1 2,leaf,5,30
// CHECK-NEXT: 1 2,leaf,5,38
// CHECK-NEXT: 1 2,second,3,34
// CHECK-NEXT: 2 3,called,3,43
// CHECK-NEXT: 2 3,called,3,51
// CHECK-NEXT: 4 4,leaf,3,30
// CHECK-NEXT: 4 4,leaf,3,38
// RUN: %hcct-merge -o all.bin run-*.bin && %hcct-merge -o left.bin run-b.bin run-.bin run-ab.bin && %hcct-merge -o right.bin run-ba.bin run-a.bin && %hcct-merge -o total.bin right.bin left.bin
// RUN: %hcct-merge --by=build -o builds run-*.bin | grep -c . | grep -x 1 && \
// RUN:   for sum in all total builds/*; do %hcct-decode --all --format=csv --by=site ${sum%%.bin}.bin | cut -d, -f3,4,6,15 | grep '^[0-9]' | sort | diff decoded - || exit 1; done
// An object whose builds differ meets by name and line, also in a sum that was exact there.
// RUN: %hcct-cc -O1 -g -shared -fPIC -I%inputs -DENTRY=second -Wl,--build-id=0x1234 plugin.c -o b.so && env HCCT_OPTIONS=mode=cct:output=anew.bin ./main b && %hcct-merge -o anew.bin total.bin anew.bin
// RUN: %hcct-decode --all --format=csv --by=site anew.bin | cut -d, -f3,4,6,15 | sort | grep -e second -e 3,called | FileCheck --match-full-lines --check-prefix=ANEW --implicit-check-not={{.}} %s
// ANEW: 2,second,4,
// ANEW-NEXT: 3,called,3,43
// ANEW-NEXT: 3,called,3,51
// ANEW-NEXT: 3,called,8,
// RUN: %hcct-run ./main fork a b 2>&1 | FileCheck --check-prefix=RAN --implicit-check-not='other programs' %s
// RAN: main fork a b, 2 runs
// RAN-NEXT: 23 calls in 20
//--- plugin.c
#include "e2e.h"
NOINLINE void ENTRY(void (*call)(void)) { call(); call(); }
void entry(void (*call)(void)) { ENTRY(call); }
//--- main.c
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "e2e.h"

NOINLINE void leaf(void) { work(); }
NOINLINE void called(void) { leaf(); leaf(); }

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        char path[16];
        if (!strcmp(argv[i], "fork") && fork()) {
            wait(NULL);
            break;
        }
        snprintf(path, sizeof path, "./%s.so", argv[i]);
        void *plugin = dlopen(path, RTLD_NOW);
        void (*entry)(void (*)(void)) = plugin ? (void (*)(void (*)(void)))dlsym(plugin, "entry") : NULL;
        if (entry)
            entry(called);
    }
    called();
    return 0;
}
