// HCCT_OPTIONS: unknown keys, bad values, a folder that does not exist and help=1 say so on stderr, and change nothing else.
// RUN: rm -rf %t && mkdir %t && cd %t && %hcct-cc -O2 %s -o x
// RUN: HCCT_OPTIONS=output=/nonexistent/x ./x 2> err > out || echo status $? >> err; FileCheck --check-prefix=FOLDER %s < err && diff out %S/Inputs/options.out
// FOLDER: cannot write the profile to '/nonexistent/x': no such folder
// FOLDER-NEXT: {{^}}status 7
// RUN: grep -c . err | FileCheck --check-prefix=TWO %s
// TWO: {{^2$}}
// RUN: HCCT_OPTIONS=colour=1:output=a.bin ./x 2> err > out || echo status $? >> err; FileCheck --check-prefix=UNKNOWN %s < err && diff out %S/Inputs/options.out && test -f a.bin
// UNKNOWN: unknown key 'colour'
// UNKNOWN-NEXT: {{^}}status 7
// RUN: HCCT_OPTIONS=mode=both:phi=2:output=b.bin ./x 2> err > out || echo status $? >> err; FileCheck --check-prefix=VALUES %s < err && diff out %S/Inputs/options.out && test -f b.bin
// VALUES: bad value 'both' for mode
// VALUES-NEXT: bad value '2' for phi
// VALUES-NEXT: {{^}}status 7
// RUN: HCCT_OPTIONS=verbosity=0:output=/nonexistent/x ./x 2> err > out || echo status $? >> err; FileCheck --check-prefix=SILENT %s < err
// SILENT: {{^}}status 7
// RUN: grep -c . err | FileCheck --check-prefix=ONE %s
// ONE: {{^1$}}
// RUN: HCCT_OPTIONS=help=1:output=c.bin ./x 2> err > out || echo status $? >> err; FileCheck --check-prefix=HELP %s < err && diff out %S/Inputs/options.out && test -f c.bin
// HELP-DAG: {{^}}hcct: {{ *}}output
// HELP-DAG: {{^}}hcct: {{ *}}mode
// HELP-DAG: {{^}}hcct: {{ *}}phi
// HELP-DAG: {{^}}hcct: {{ *}}epsilon
// HELP-DAG: {{^}}hcct: {{ *}}algorithm
// HELP-DAG: {{^}}hcct: {{ *}}verbosity
// HELP: {{^}}status 7
// RUN: HCCT_OPTIONS=verbosity=2:output=d.bin ./x 2> err > out || FileCheck --check-prefix=SUMMARY %s < err
// SUMMARY: 2 calls, 2 contexts, written to {{.*}}d.bin
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
