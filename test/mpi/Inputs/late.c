/* Rank 0 waits for rank 1, which first computes for two seconds of CPU time. Whoever receives calls pick, of the program, in the reduction. */
#include <mpi.h>
#include <time.h>

static volatile unsigned sum;

__attribute__((noinline)) static void compute(void)
{
    while (clock() < 2 * CLOCKS_PER_SEC)
        for (int i = 0; i < 100000; i++)
            sum += (unsigned)i;
}

__attribute__((noinline)) static void receive(void)
{
    int number = 0;
    MPI_Recv(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sum = (unsigned)number;
}

static void pick(void *in, void *to, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++)
        ((int *)to)[i] += ((int *)in)[i];
}

int main(int argc, char **argv)
{
    int rank, number = 7, all = 0;
    MPI_Op operation;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        compute();
        MPI_Send(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else if (rank == 0) {
        receive();
    }
    MPI_Op_create(pick, 1, &operation);
    MPI_Allreduce(&number, &all, 1, MPI_INT, operation, MPI_COMM_WORLD);
    MPI_Op_free(&operation);
    sum = (unsigned)all;
    MPI_Finalize();
    return 0;
}
