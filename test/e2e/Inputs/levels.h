/* Functions that call one of eight calls each, as the lowest bits of `path` say: n of them, one below the
 * other, make 8^n contexts.
 *
 *     LEVEL(second, leaf())
 *     LEVEL(first, second(path >> 3)) */
#define LEVEL_CASE(number, next) \
    case number: \
        __asm__ volatile("# " #number); /* else the calls are made one */ \
        next; \
        __asm__ volatile("# " #number); \
        break;

#define LEVEL(name, next) \
    __attribute__((noinline)) static void name(unsigned path) \
    { \
        switch (path & 7) { \
            LEVEL_CASE(0, next) LEVEL_CASE(1, next) LEVEL_CASE(2, next) LEVEL_CASE(3, next) \
            LEVEL_CASE(4, next) LEVEL_CASE(5, next) LEVEL_CASE(6, next) LEVEL_CASE(7, next) \
        } \
        __asm__ volatile(""); \
    }
