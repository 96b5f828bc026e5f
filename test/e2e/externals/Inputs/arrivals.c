/* At exit: the counters of arrivals.py, a name and a number a line. */
#include <stdio.h>

extern struct {
    const char *name;
    unsigned long *count;
} counters[];

__attribute__((destructor)) static void write_counters(void)
{
    FILE *out = fopen("arrivals.txt", "w");
    for (int i = 0; out && counters[i].name; i++)
        fprintf(out, "%s %lu\n", counters[i].name, *counters[i].count);
    if (out)
        fclose(out);
}
