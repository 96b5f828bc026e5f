/* bucket_sort COUNT: each rank draws numbers, sends each to the rank of its bucket, and sorts what it gets by its own quicksort. How many
 * each gets is skewed, so that the ranks' counts differ. With a second argument the job fails in the end: abort is MPI_Abort by rank 1; with
 * die, rank 1 ends all others by SIGTERM, waits until they are gone, and is gone. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned long state;

__attribute__((noinline)) static double draw(void)
{
    state = state * 6364136223846793005ul + 1442695040888963407ul;
    double uniform = (double)(state >> 11) / 9007199254740992.0;
    return uniform * uniform;
}

__attribute__((noinline)) static int is_less(double a, double b)
{
    return a < b;
}

static void swap(double *a, double *b)
{
    double kept = *a;
    *a = *b;
    *b = kept;
}

static void sort(double *from, long count)
{
    if (count < 2)
        return;
    long last = 0;
    swap(from, from + count / 2);
    for (long i = 1; i < count; i++)
        if (is_less(from[i], from[0]))
            swap(from + ++last, from + i);
    swap(from, from + last);
    sort(from, last);
    sort(from + last + 1, count - last - 1);
}

static int bucket_of(double value, int ranks)
{
    int bucket = (int)(value * ranks);
    return bucket < ranks ? bucket : ranks - 1;
}

static double *deal(double *drawn, int count, int ranks, int *got)
{
    int *sizes = calloc(4 * (size_t)ranks, sizeof *sizes), *from = sizes + ranks, *in = from + ranks, *at = in + ranks;
    double *out = malloc((size_t)count * sizeof *out);
    for (int i = 0; i < count; i++)
        sizes[bucket_of(drawn[i], ranks)]++;
    for (int i = 1; i < ranks; i++)
        from[i] = from[i - 1] + sizes[i - 1];
    memcpy(at, from, (size_t)ranks * sizeof *at);
    for (int i = 0; i < count; i++)
        out[at[bucket_of(drawn[i], ranks)]++] = drawn[i];
    MPI_Alltoall(sizes, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
    *got = at[0] = 0;
    for (int i = 0; i < ranks; i++) {
        at[i] = *got;
        *got += in[i];
    }
    double *all = malloc((size_t)*got * sizeof *all + 1);
    MPI_Alltoallv(out, sizes, from, MPI_DOUBLE, all, in, at, MPI_DOUBLE, MPI_COMM_WORLD);
    free(out);
    free(sizes);
    return all;
}

/* Whether a process has not ended. */
static int is_there(int pid)
{
    char path[64], state = 'Z', text[512] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    if (fgets(text, sizeof text, file) && strrchr(text, ')'))
        state = strrchr(text, ')')[2];
    fclose(file);
    return state != 'Z' && state != 'X';
}

static void die(int rank, int ranks)
{
    int own = getpid(), *all = calloc((size_t)ranks, sizeof *all);
    MPI_Allgather(&own, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; rank == 1 && i < ranks; i++)
        if (i != rank)
            kill(all[i], SIGTERM);
    for (int i = 0; rank == 1 && i < ranks; i++)
        while (i != rank && is_there(all[i]))
            usleep(1000);
    if (rank == 1)
        raise(SIGKILL);
    free(all);
}

int main(int argc, char **argv)
{
    int rank, ranks, count = argc > 1 ? atoi(argv[1]) : 1000, got, provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    state = (unsigned long)rank + 1;
    double *drawn = malloc((size_t)count * sizeof *drawn);
    for (int i = 0; i < count; i++)
        drawn[i] = draw();
    double *all = deal(drawn, count, ranks, &got);
    sort(all, got);
    long wrong = 0, wrongs = 0, total = 0, mine = got;
    for (int i = 1; i < got; i++)
        wrong += all[i] < all[i - 1];
    MPI_Reduce(&wrong, &wrongs, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&mine, &total, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%ld numbers, %ld wrong\n", total, wrongs);
    free(drawn);
    free(all);
    if (argc > 2 && !strcmp(argv[2], "abort")) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 1)
            MPI_Abort(MPI_COMM_WORLD, 3);
        for (;;)
            MPI_Barrier(MPI_COMM_WORLD);
    }
    if (argc > 2 && !strcmp(argv[2], "die"))
        die(rank, ranks);
    MPI_Finalize();
    return 0;
}
