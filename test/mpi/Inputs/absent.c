/* absent FILE [end]: rank 1 calls MPI_Finalize after each other rank has said in FILE, which is the job's standard error, that it waits. Time goes
 * twenty times as fast for whoever asks MPI. Each rank has as many calls as its number, and one more. With
 * `end` rank 1 ends rank 0 by SIGTERM instead. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile int done;

__attribute__((no_profile_instrument_function)) double PMPI_Wtime(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 20 * ((double)time.tv_sec + (double)time.tv_nsec * 1e-9);
}

__attribute__((noinline)) static void work(void)
{
    done++;
}

static int count(const char *path, const char *text)
{
    static char all[1 << 16];
    FILE *file = fopen(path, "r");
    int found = 0;
    if (!file)
        return 0;
    all[fread(all, 1, sizeof all - 1, file)] = 0;
    fclose(file);
    for (char *at = all; (at = strstr(at, text)); at++)
        found++;
    return found;
}

int main(int argc, char **argv)
{
    int rank, ranks, other = getpid();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i <= rank; i++)
        work();
    MPI_Bcast(&other, 1, MPI_INT, 0, MPI_COMM_WORLD);
    while (argc > 1 && rank == 1 && count(argv[1], " waits in MPI_Finalize") < ranks - 1)
        usleep(20000);
    if (argc > 2 && rank == 1)
        kill(other, SIGTERM);
    MPI_Finalize();
    return 0;
}
