/* The heat equation on a square plate, by MPI: each rank has some rows of the grid, and asks its neighbours
 * for the rows beside them. The last rank does the work of each row twice. Which rank that is, and in which
 * contexts, the profile tells.
 *
 *   OMPI_CC=hcct-cc mpicc -O2 -g examples/heat.c -o heat          (MPICH: MPICH_CC)
 *   mpirun -n 8 ./heat 64 200
 *   hcct-decode --spread=profiles */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct plate {
    int side, rows; /* rows of this rank, without the neighbours' */
    int rank, ranks;
    double *now, *next; /* rows + 2 rows of side + 2 points */
};

static double *row(struct plate *plate, double *grid, int number)
{
    return grid + (size_t)number * (size_t)(plate->side + 2);
}

__attribute__((noinline)) static double relax(const double *above, const double *here, const double *below)
{
    return 0.25 * (above[0] + here[-1] + here[1] + below[0]);
}

__attribute__((noinline)) static double relax_row(struct plate *plate, int number)
{
    const double *above = row(plate, plate->now, number - 1), *here = row(plate, plate->now, number),
                 *below = row(plate, plate->now, number + 1);
    double *next = row(plate, plate->next, number), change = 0;
    for (int i = 1; i <= plate->side; i++) {
        next[i] = relax(above + i, here + i, below + i);
        change += (next[i] - here[i]) * (next[i] - here[i]);
    }
    return change;
}

__attribute__((noinline)) static void exchange(struct plate *plate)
{
    int up = plate->rank ? plate->rank - 1 : MPI_PROC_NULL,
        down = plate->rank + 1 < plate->ranks ? plate->rank + 1 : MPI_PROC_NULL, count = plate->side + 2;
    double *first = row(plate, plate->now, 1), *last = row(plate, plate->now, plate->rows);
    MPI_Sendrecv(first, count, MPI_DOUBLE, up, 1, last + count, count, MPI_DOUBLE, down, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(last, count, MPI_DOUBLE, down, 2, first - count, count, MPI_DOUBLE, up, 2, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

static double step(struct plate *plate)
{
    double change = 0, all = 0;
    int times = plate->rank + 1 == plate->ranks ? 2 : 1;
    exchange(plate);
    for (int i = 1; i <= plate->rows; i++)
        for (int j = 0; j < times; j++)
            change += relax_row(plate, i) / times;
    double *swap = plate->now;
    plate->now = plate->next;
    plate->next = swap;
    MPI_Allreduce(&change, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

static void heat_up(struct plate *plate)
{
    size_t points = (size_t)(plate->rows + 2) * (size_t)(plate->side + 2);
    plate->now = calloc(points, sizeof *plate->now);
    plate->next = calloc(points, sizeof *plate->next);
    for (int i = 0; plate->rank == 0 && i < plate->side + 2; i++)
        plate->now[i] = plate->next[i] = 100;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    struct plate plate = { .side = argc > 1 ? atoi(argv[1]) : 64 };
    int steps = argc > 2 ? atoi(argv[2]) : 100;
    MPI_Comm_rank(MPI_COMM_WORLD, &plate.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &plate.ranks);
    plate.rows = plate.side / plate.ranks + (plate.rank < plate.side % plate.ranks);
    heat_up(&plate);
    double change = 1;
    int done = 0;
    while (done < steps && change > 1e-9) {
        change = step(&plate);
        done++;
    }
    if (plate.rank == 0)
        printf("%d steps on %d ranks, the last one changed %.6f\n", done, plate.ranks, change);
    free(plate.now);
    free(plate.next);
    MPI_Finalize();
    return 0;
}
