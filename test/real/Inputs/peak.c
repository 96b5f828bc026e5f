/* Runs a program and writes its peak resident set in KB to a file: `peak FILE PROGRAM ARGUMENT...`. It is small itself,
 * which counts: the peak of what a process was before its exec counts for what it becomes. */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    pid_t child = fork();
    if (child == 0) {
        execv(argv[2], argv + 2);
        _exit(127);
    }
    int status;
    struct rusage usage;
    FILE *file = fopen(argv[1], "w");
    if (!file || wait4(child, &status, 0, &usage) != child || status)
        return 1;
    fprintf(file, "%ld\n", usage.ru_maxrss);
    return fclose(file) != 0;
}
