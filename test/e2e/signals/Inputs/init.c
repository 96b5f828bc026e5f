/* As process 1: its child sends it signals while it waits, and ends itself by one. Or it ends by a fault. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile int sink;

static __attribute__((noinline)) void work(void)
{
    sink++;
}

static __attribute__((noinline)) void child(void)
{
    static const int signals[] = { SIGTERM, SIGINT, SIGHUP };
    usleep(200000); /* then the parent waits */
    for (int i = 0; i < 3; i++) {
        kill(getppid(), signals[i]);
        work();
    }
    raise(SIGTERM);
}

static __attribute__((noinline)) int serve(int starts)
{
    struct timespec time = { 1, 0 };
    if (starts)
        return fork();
    puts(nanosleep(&time, NULL) ? "interrupted" : "waited");
    return 0;
}

int main(int argc, char **argv)
{
    int status;
    if (argc > 1)
        *(volatile int *)argv[argc] = 0;
    pid_t process = serve(1);
    if (process == 0)
        child();
    serve(0);
    if (getpid() != 1 || waitpid(process, &status, 0) != process)
        return 1;
    printf("child: %d\n", WTERMSIG(status));
    return 0;
}
