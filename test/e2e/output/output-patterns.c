// output=: %%p, %%h, %%m, %%t, %%%% and quotes; relative to where the program started; a symbolic link is neither
// replaced nor followed; a whole file or the old one.
// RUN: rm -rf %t && mkdir -p %t/elsewhere %t/tmp && cd %t && %hcct-cc -O0 %s -o x
// RUN: HCCT_OPTIONS='output=p%%p.bin' ./x && ls | FileCheck --check-prefix=PID %s
// PID: {{^p[0-9]+[.]bin$}}
// RUN: HCCT_OPTIONS='output=h-%%h.bin' ./x && test -f h-`uname -n`.bin
// RUN: HCCT_OPTIONS='output=m-%%m.bin' ./x && HCCT_OPTIONS='output=m-%%m.bin' ./x && ls | grep '^m-' | count 1
// RUN: TMPDIR=%t/tmp HCCT_OPTIONS='output=%%t/in.bin' ./x && test -f tmp/in.bin
// A relative TMPDIR is one of where the program started, also for a profile that goes there because its own place cannot be written.
// RUN: TMPDIR=tmp HCCT_OPTIONS='output=%%t/relative.bin' ./x elsewhere 2> err && count 0 < err && test -f tmp/relative.bin
// RUN: mkdir -p deep/tmp && (cd deep && TMPDIR=./tmp HCCT_OPTIONS='output=%%t/%%%%.bin' ../x ../elsewhere) && test -f 'deep/tmp/%%.bin'
// The program may write over its environment.
// RUN: TMPDIR=%t/tmp HCCT_OPTIONS='output=%%t/title.bin' ./x --title && test -f tmp/title.bin
// RUN: HCCT_OPTIONS='output=a%%%%b.bin' ./x && test -f 'a%%b.bin'
// RUN: HCCT_OPTIONS="mode=cct:output='a:b.bin':phi=0.5" ./x && test -f a:b.bin
// RUN: HCCT_OPTIONS="output=o'brien:mode=cct" ./x && test -f "o'brien" && %hcct-decode "o'brien" | grep -c 'every count exact'
// RUN: HCCT_OPTIONS='output="a'"'"'b:c".bin' ./x && test -f "a'b:c.bin"
// A bad pattern, or quotes that do not end, are one warning, and the default.
// RUN: mkdir bad && cd bad && for bad in '%%z.bin' '100%%' '%%4m.bin' "'a.bin:verbosity=0"; do rm -f ids.bin && HCCT_OPTIONS="output=$bad" ../x 2> err && count 1 < err && grep -q 'HCCT_OPTIONS: \(bad value\|no end of the quotes\)' err && rm err && test -f ids.bin && test "`ls`" = ids.bin || exit 1; done && cd ..
// RUN: HCCT_OPTIONS=relative.bin 2> err ./x && FileCheck --check-prefix=KEY %s < err && HCCT_OPTIONS="verbosity=0:output='a" 2> err ./x && count 0 < err
// KEY: {{^}}hcct: HCCT_OPTIONS: unknown key 'relative.bin'
// RUN: HCCT_OPTIONS=output=relative.bin ./x elsewhere && test -f relative.bin
// A folder with a long path; one that is gone, which a warning tells of.
// RUN: n=`printf '%%200s' | tr ' ' a`; d=%t/long/$n/$n/$n/$n/$n/%%p; mkdir -p $d && (cd $d && HCCT_OPTIONS=output=relative.bin %t/x %t/elsewhere 2> %t/err) && count 0 < err && test -f $d/relative.bin && test ! -e elsewhere/relative.bin
// RUN: (cd $d && mkdir tmp && TMPDIR=tmp HCCT_OPTIONS='output=%%t/in.bin' %t/x %t/elsewhere) && test -f $d/tmp/in.bin
// RUN: for output in relative.bin %t/absolute.bin; do mkdir gone && (cd gone && rmdir ../gone && HCCT_OPTIONS=output=$output %t/x %t/elsewhere 2> %t/err-${output##*/}) || exit 1; done
// RUN: FileCheck --check-prefix=GONE %s < err-relative.bin && test -f elsewhere/relative.bin && count 0 < err-absolute.bin && test -f absolute.bin
// GONE: {{^}}hcct: the program begins in a folder that was removed, or whose path is too long: if it goes to another folder, the profile does, too
// RUN: echo kept > target && ln -s target link.bin && HCCT_OPTIONS=output=link.bin ./x 2>&1 | grep 'is a link' && test -h link.bin && grep kept target
// RUN: HCCT_OPTIONS= ./x && test -f ids.bin
// RUN: mkdir a%%p && (cd a%%p && ../x && test -f ids.bin)
// RUN: (cd elsewhere && not %hcct-decode) 2>&1 | FileCheck --check-prefix=NONE %s
// NONE: hcct-decode: ids.bin: no such file; a program that hcct-cc compiled leaves it
// RUN: %hcct-decode --format=folded relative.bin | FileCheck %s
// CHECK: main 1
#include <string.h>
#include <unistd.h>

extern char **environ;

int main(int count, char **arguments)
{
    if (count > 1 && strcmp(arguments[1], "--title") == 0) {
        for (char **at = environ; *at; at++)
            memset(*at, 'x', strlen(*at));
        return 0;
    }
    return count > 1 ? chdir(arguments[1]) : 0;
}
