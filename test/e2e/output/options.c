// HCCT_OPTIONS: unknown keys, bad values, a folder that does not exist and help=1 say so on stderr, and change nothing else.
// RUN: rm -rf %t && mkdir %t && cd %t && %hcct-cc -O2 %s -o x
// RUN: HCCT_OPTIONS=output=/nonexistent/x ./x 2> err > out || echo status $? >> err; FileCheck --check-prefix=FOLDER %s < err && diff out %inputs/options.out
// FOLDER: cannot write the profile to '/nonexistent/x': no such folder
// FOLDER-NEXT: {{^}}status 7
// RUN: grep -c . err | FileCheck --check-prefix=TWO %s
// TWO: {{^2$}}
// RUN: HCCT_OPTIONS=colour=1::=5:output=a.bin ./x 2> err > out || echo status $? >> err; FileCheck --check-prefix=UNKNOWN %s < err && diff out %inputs/options.out && test -f a.bin
// UNKNOWN: unknown key 'colour'
// UNKNOWN-NEXT: unknown key ''
// UNKNOWN-NEXT: {{^}}status 7
// RUN: HCCT_OPTIONS== ./x 2> err > out || FileCheck --check-prefix=NAMELESS %s < err
// NAMELESS: unknown key ''
// Empty places are no keys.
// RUN: HCCT_OPTIONS=::output=a.bin:: ./x 2> err > out || count 0 < err
// RUN: HCCT_OPTIONS=mode=both:phi=2:snapshot=5us:output=b.bin ./x 2> err > out || echo status $? >> err; FileCheck --check-prefix=VALUES %s < err && diff out %inputs/options.out && test -f b.bin
// VALUES: bad value 'both' for mode, the default is used; mode: what is kept (hcct); hcct: {{.*}}; cct: every context, exact{{$}}
// VALUES-NEXT: bad value '2' for phi
// VALUES-NEXT: bad value '5us' for snapshot
// VALUES-NEXT: {{^}}status 7
// RUN: HCCT_OPTIONS=verbosity=0:output=/nonexistent/x ./x 2> err > out || echo status $? >> err; FileCheck --check-prefix=SILENT %s < err
// SILENT: {{^}}status 7
// RUN: grep -c . err | FileCheck --check-prefix=ONE %s
// ONE: {{^1$}}
// RUN: HCCT_OPTIONS=help=1:output=c.bin ./x 2> err > out || echo status $? >> err; FileCheck --check-prefix=HELP %s < err && diff out %inputs/options.out && test -f c.bin
// HELP-DAG: {{^}}hcct: {{ *}}output
// HELP-DAG: {{^}}hcct: {{ *}}mode
// HELP-DAG: {{^}}hcct: {{ *}}phi
// HELP-DAG: {{^}}hcct: {{ *}}epsilon
// HELP-DAG: {{^}}hcct: {{ *}}verbosity
// HELP: {{^}}status 7
// RUN: HCCT_OPTIONS=verbosity=2:output=d.bin ./x 2> err > out || FileCheck --check-prefix=SUMMARY %s < err
// SUMMARY: 2 calls, 2 contexts, written to {{.*}}d.bin
// RUN: HCCT_OPTIONS=output=.:phi=1e-9:mode=cct:epsilon=1e-3:epsilon=x ./x 2> err > out || FileCheck --check-prefix=MORE %s < err
// MORE: {{^}}hcct: HCCT_OPTIONS: bad value 'x' for epsilon
// MORE-NEXT: cannot write the profile to '{{.*}}/.': is a folder
// RUN: HCCT_OPTIONS=colour=1:epsilon=0.5:verbosity=0:output=e.bin ./x 2> err > out || count 0 < err
// RUN: HCCT_OPTIONS=output=e.bin:known=`printf %%01024d 1` ./x 2> err > out || FileCheck --check-prefix=LONG %s < err
// LONG: bad value '00{{.*}}' for known
// What is meant, is told.
// RUN: HCCT_OPTIONS=mode=cct,output=h.bin ./x 2> err > out || FileCheck --check-prefix=COMMA %s < err && not test -e h.bin
// COMMA: bad value 'cct,output=h.bin' for mode, the default is used; {{.*}}; between keys stands ':'
// RUN: HCCT_OPTION=mode=cct HCCT_OPTIONS=output=h.bin ./x 2> err > out || grep -x 'hcct: HCCT_OPTION=mode=cct: means nothing; the variable is HCCT_OPTIONS' err && grep -c . err | grep -x 1
// RUN: HCCT_OPTS=mode=cct HCCT_OPTIONS=verbosity=0:output=h.bin ./x 2> err > out || count 0 < err
// The last good value of a key is used, and the message says so.
// RUN: HCCT_OPTIONS=output=g.bin:output=:phi=0.4:phi=0.25:phi=x ./x 2> err > out || FileCheck --check-prefix=BEFORE %s < err && diff out %inputs/options.out
// BEFORE: bad value '' for output, the value before it is used
// BEFORE-NEXT: bad value 'x' for phi, the value before it is used
// RUN: %hcct-decode g.bin | FileCheck --check-prefix=QUARTER %s
// QUARTER: hot contexts{{.*}} at least 25% of the calls each (phi 0.25)
// Bounded profiles tell what they may lack, and nobody is told that what is hot is all there when it need not be.
// RUN: HCCT_OPTIONS=epsilon=0.4:output=f.bin ./x 2> err > out || FileCheck --check-prefix=EPSILON %s < err
// EPSILON: phi is less than epsilon, whose value it gets
// RUN: %hcct-decode f.bin | FileCheck --check-prefix=RAISED %s
// RAISED: hot context{{.*}} at least 40% of the calls each (phi 0.4)
#include <stdio.h>

__attribute__((noinline)) void say(void)
{
    puts("said");
}

int main(void)
{
    say();
    return 7;
}
