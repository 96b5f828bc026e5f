// Tables come from the kernel when they are needed: of an empty instrumented program, less than 2.5 MB are in bss, which
// conservative collectors scan for pointers.
// RUN: %hcct-cc -O2 %s -o %t
// RUN: size %t | awk 'NR == 2 { print "bss", $3; exit !($3 < 2621440) }'
int main(void)
{
    return 0;
}
