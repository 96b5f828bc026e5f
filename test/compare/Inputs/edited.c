/* A program and its next version (-DB). Every call is made a known number of times. */
#define NOINLINE __attribute__((noinline))
static volatile int worked;
#ifdef B
#define ROUNDS 12
/* Some lines more,
 * so that
 * everything moves. */
static NOINLINE void extra(void)
{
    worked++;
}
#else
#define ROUNDS 10
static NOINLINE void setup(void)
{
    worked++;
}
#endif

static NOINLINE void node(void)
{
    worked++;
}

static NOINLINE void link_(void)
{
    worked++;
}

static NOINLINE void alpha(void)
{
    worked++;
}

static NOINLINE void beta(void)
{
    worked++;
}

static NOINLINE void visit(int which)
{
    if (which == 1)
        alpha();
    else
        beta();
    worked++;
}

#ifndef B
static NOINLINE void render(void)
{
    visit(1);
    visit(2);
    worked++;
}
#endif

/* Renamed: it is what is below it. */
#ifdef B
#define build construct
#endif
static NOINLINE void build(void)
{
    node();
    node();
    link_();
    worked++;
}

static NOINLINE void lex(void)
{
    worked++;
}

static NOINLINE void parse(void)
{
#ifdef B
    extra();
#endif
    lex();
    lex();
    build();
    worked++;
}

#ifdef B
/* The calls have changed places. */
static NOINLINE void render(void)
{
    visit(2);
    visit(1);
    worked++;
}

/* In between main and parse. */
static NOINLINE void run(void)
{
    parse();
    worked++;
}
#define parse run
#endif

int main(void)
{
#ifndef B
    setup();
#endif
    for (int i = 0; i < ROUNDS; i++)
        parse();
    for (int i = 0; i < 20; i++)
        render();
    return 0;
}
