/* Runs a program on given processors and writes what it used to a file: `measure FILE PROCESSORS PROGRAM
 * ARGUMENT...`, with PROCESSORS as 0,1. The file gets one line: user, system and elapsed microseconds, peak
 * resident kilobytes, wait status. It is small itself, which counts: the peak of what a process was before
 * its exec counts for what it becomes. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long long microseconds(struct timeval time)
{
    return time.tv_sec * 1000000LL + time.tv_usec;
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    cpu_set_t processors;
    CPU_ZERO(&processors);
    for (char *at = argv[2]; *at; at += *at == ',')
        CPU_SET(strtoul(at, &at, 10), &processors);
    FILE *file = fopen(argv[1], "we"); /* not for the program */
    if (!file || sched_setaffinity(0, sizeof processors, &processors))
        return 1;
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    pid_t child = vfork();
    if (child == 0) {
        execvp(argv[3], argv + 3);
        _exit(127);
    }
    int status;
    struct rusage usage;
    if (child < 0 || wait4(child, &status, 0, &usage) != child)
        return 1;
    clock_gettime(CLOCK_MONOTONIC, &end);
    long long elapsed = (end.tv_sec - start.tv_sec) * 1000000LL + (end.tv_nsec - start.tv_nsec) / 1000;
    fprintf(file, "%lld %lld %lld %ld %d\n", microseconds(usage.ru_utime), microseconds(usage.ru_stime),
            elapsed, usage.ru_maxrss, status);
    return fclose(file) != 0;
}
