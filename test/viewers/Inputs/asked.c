/* Two threads, a phase, and 100 bytes that are lost. Leaves a file, to tell that it ran. */
#include <fcntl.h>
#include <hcct/hcct.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#define FUNCTION __attribute__((noinline, optnone)) static

FUNCTION void forget(void)
{
    void *volatile lost = malloc(100);
    lost = NULL;
}

FUNCTION void *work(void *unused)
{
    return unused;
}

int main(void)
{
    pthread_t thread;
    close(creat("ran", 0666));
    hcct_phase("setup");
    forget();
    hcct_phase(NULL);
    pthread_create(&thread, NULL, work, NULL);
    return pthread_join(thread, NULL);
}
