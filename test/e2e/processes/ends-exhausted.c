// A process that has no memory or no descriptor left for writing its profile ends as without profiling, without a profile, and a warning says why.
// A child of vfork that ends by exit runs the exit handlers of its parent, which then has none left, and no profile.
// UNSUPPORTED: target-aarch64
// RUN: rm -rf %t && mkdir -p %t && cd %t && for level in -O0 -O2; do %hcct-cc $level -I%inputs %s -o program && for mode in cct hcct; do for end in descriptors memory vfork; do \
// RUN:   rm -f out.bin && HCCT_OPTIONS=mode=$mode:output=out.bin ./program $end 2> warning && test ! -e out.bin && FileCheck --check-prefix=$end --allow-empty %s < warning || exit 1; done; done; done
// descriptors: hcct: cannot write the profile to '{{.*}}out.bin': too many open files
// memory: hcct: cannot write the profile: out of memory
// vfork-NOT: {{.}}
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "e2e.h"

static NOINLINE void leaf(void) { work(); }

int main(int count, char **arguments)
{
    const char *end = count > 1 ? arguments[1] : "";
    for (int i = 0; i < 5; i++)
        leaf();
    if (!strcmp(end, "descriptors")) {
        if (setrlimit(RLIMIT_NOFILE, &(struct rlimit){ 42, 42 }))
            return 1;
        while (dup(1) >= 0)
            ;
    } else if (!strcmp(end, "memory")) {
        if (setrlimit(RLIMIT_AS, &(struct rlimit){ 1, 1 }))
            return 1;
    } else {
        pid_t child = vfork();
        if (!child)
            exit(3);
        int status = 0;
        return waitpid(child, &status, 0) != child || status != 3 << 8;
    }
    return 0;
}
