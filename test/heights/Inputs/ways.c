// `adjusted` makes a tail call behind an addition, as `jumps` does through a table, which is none. `both` calls itself through a pointer in two ways, as a
// tail call and not: a path of n calls of it has n heights in 2^n ways.
#define OUT __attribute__((noinline))
int volatile sink;
struct part {
    int (*const *call)(struct part *);
};
struct whole {
    long first[2];
    struct part part;
};
OUT int adjusted(struct whole *whole) { return (*whole->part.call)(&whole->part); }
OUT int jumps(int x)
{
    switch (x) {
    case 0: sink = 3; break;
    case 1: sink += 5; break;
    case 2: sink *= 7; break;
    case 3: sink -= 9; break;
    case 4: sink ^= 11; break;
    case 5: sink |= 13; break;
    }
    return sink;
}
static int both(int n);
static int (*volatile pointer)(int) = both, (*volatile other)(int) = both;
OUT static int both(int n)
{
    if (!n)
        return sink;
    if (n & 1)
        return other(n - 1);
    int got = pointer(n - 1);
    sink = sink + got;
    return got;
}
static int called(struct part *part) { return sink + (part != 0); }
static int (*const table[])(struct part *) = { called };

int main(int argc, char **argv)
{
    struct whole whole = { { argc }, { table } };
    return adjusted(&whole) + jumps(argc) + both(40) == 99;
}
