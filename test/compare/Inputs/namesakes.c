// Two versions of calls, in one line, of two functions with one name: the one of this file, and the one of a copy of this file
// compiled with -DOTHER.
#ifdef OTHER
#define TIMES 7
void leaf(void);
#else
#define TIMES 5
static volatile long worked;

__attribute__((noinline)) void leaf(void)
{
    worked = worked + 1;
}
#endif

static __attribute__((noinline)) void visit(void)
{
    for (int i = 0; i < TIMES; i++)
        leaf();
}

#ifdef OTHER
void (*const visit_other)(void) = visit;
#else
extern void (*const visit_other)(void);

#ifdef B
#define IS_OWN(i) ((i) % 4 != 0)
static __attribute__((noinline)) void added(void)
{
    worked = worked + 1;
}
#else
#define IS_OWN(i) ((i) % 4 == 0)
#define added()
#endif

int main(void)
{
    added();
    for (int i = 0; i < 300; i++) {
        void (*call)(void) = IS_OWN(i) ? visit : visit_other;
        call();
    }
    return 0;
}
#endif
