/* Threads that each sort numbers by their own quicksort and merge them into trees of sums, at the same time.
 * Usage: threads THREADS ROUNDS */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { NUMBERS = 20000, MOST = 64 };

struct job {
    pthread_t thread;
    uint32_t seed, rounds;
    uint64_t result;
    uint32_t numbers[NUMBERS];
};

static uint32_t *partition(uint32_t *low, uint32_t *high)
{
    uint32_t pivot = low[(high - low) / 2];
    for (;; low++, high--) {
        while (*low < pivot)
            low++;
        while (*high > pivot)
            high--;
        if (low >= high)
            return high;
        uint32_t other = *low;
        *low = *high;
        *high = other;
    }
}

static void sort(uint32_t *low, uint32_t *high)
{
    if (low >= high)
        return;
    uint32_t *middle = partition(low, high);
    sort(low, middle);
    sort(middle + 1, high);
}

static uint64_t sum(const uint32_t *numbers, int count)
{
    if (count == 1)
        return numbers[0];
    uint64_t left = sum(numbers, count / 2), right = sum(numbers + count / 2, count - count / 2);
    return left * 31 + right;
}

static void *work(void *argument)
{
    struct job *job = argument;
    uint32_t state = job->seed;
    for (uint32_t round = 0; round < job->rounds; round++) {
        for (int i = 0; i < NUMBERS; i++)
            job->numbers[i] = state = state * 1664525 + 1013904223;
        sort(job->numbers, job->numbers + NUMBERS - 1);
        job->result += sum(job->numbers, NUMBERS);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    static struct job jobs[MOST];
    int count = argc > 1 ? atoi(argv[1]) : 2;
    count = count < 1 ? 1 : count > MOST ? MOST : count;
    uint64_t all = 0;
    for (int i = 0; i < count; i++) {
        jobs[i].seed = (uint32_t)i;
        jobs[i].rounds = argc > 2 ? (uint32_t)atoi(argv[2]) : 1;
        if (pthread_create(&jobs[i].thread, NULL, work, &jobs[i]))
            return 2;
    }
    for (int i = 0; i < count; i++) {
        pthread_join(jobs[i].thread, NULL);
        all += jobs[i].result;
    }
    printf("%llu\n", (unsigned long long)all);
    return 0;
}
