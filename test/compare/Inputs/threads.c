/* Two threads, one after the other, each of which calls leaf() ten times. */
#include <pthread.h>

__attribute__((noinline)) static void leaf(void) { __asm__ volatile(""); }

static void *work(void *unused)
{
    for (int i = 0; i < 10; i++)
        leaf();
    return unused;
}

int main(void)
{
    for (int i = 0; i < 2; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, work, NULL);
        pthread_join(thread, NULL);
    }
    return 0;
}
