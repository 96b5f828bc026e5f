/* Two threads of one function: one with a slash in its name, one with an escape of terminals and a letter of two bytes. */
#include <pthread.h>

static volatile int done;

__attribute__((noinline)) static void item(void)
{
    done++;
}

static void *work(void *argument)
{
    pthread_setname_np(pthread_self(), argument ? "io/7" : "\033[31m\303\244");
    for (int i = 0; i < (argument ? 3 : 8); i++)
        item();
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, &thread);
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
