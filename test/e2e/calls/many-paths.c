// More paths (2^56) than there are ids: some calls of the levels push. Calls between files in code that is seldom passed, and what they call back, keep
// their callers.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: env HCCT_SHADOW=1 %hcct-cc -O1 -g -DOTHER -c %s -o other.o
// RUN: env HCCT_SHADOW=1 %hcct-cc -O1 -g %s other.o %shadow -lpthread -o x
// RUN: env HCCT_OPTIONS=mode=cct HCCT_SHADOW_FILE=shadow.txt ./x
// RUN: %hcct-decode --format=json --all -o x.json
// RUN: python3 %oracle/compare.py x.json shadow.txt
#include <stdint.h>

#define OUTLINE __attribute__((noinline))

static volatile uint64_t touched;
void other(uint64_t path);
extern void (*volatile back)(uint64_t path);

#ifdef OTHER

OUTLINE void inner(uint64_t path)
{
    back(path);
    touched++;
}

void (*volatile back)(uint64_t path);

OUTLINE void other(uint64_t path)
{
    if (path & 8)
        inner(path);
    touched++;
    back(path);
    touched++;
}

#else

OUTLINE void called_back(uint64_t path)
{
    touched += path;
}

OUTLINE void leaf(uint64_t path)
{
    if (__builtin_expect(path & 1, 0))
        other(path);
    touched++;
}

/* Two calls, so that each level doubles the paths. */
#define LEVEL(name, next)                                                                                                          \
    OUTLINE void name(uint64_t path)                                                                                               \
    {                                                                                                                              \
        if (path & 1)                                                                                                              \
            next(path >> 1 | path << 63);                                                                                          \
        touched++;                                                                                                                 \
        if (!(path & 1))                                                                                                           \
            next(path >> 1 | path << 63);                                                                                          \
        touched++;                                                                                                                 \
    }
#define EIGHT(name, next)                                                                                                          \
    LEVEL(name##7, next)                                                                                                           \
    LEVEL(name##6, name##7)                                                                                                        \
    LEVEL(name##5, name##6)                                                                                                        \
    LEVEL(name##4, name##5)                                                                                                        \
    LEVEL(name##3, name##4)                                                                                                        \
    LEVEL(name##2, name##3)                                                                                                        \
    LEVEL(name##1, name##2)                                                                                                        \
    LEVEL(name, name##1)
EIGHT(g, leaf)
EIGHT(f, g)
EIGHT(e, f)
EIGHT(d, e)
EIGHT(c, d)
EIGHT(b, c)
EIGHT(a, b)

int main(void)
{
    uint64_t path = 1;
    back = called_back;
    for (int i = 0; i < 600; i++) {
        a(path);
        path = path * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    }
    return 0;
}
#endif
