// Allocates and frees by chance, through functions that call each other, and keeps a model of what each context has: every value by its
// definition, the peak by a copy of all contexts at each new maximum. Prints "VALUE CONTEXT NUMBER" for every number that is not 0.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <new>
#include <string.h>

// The model may not use the heap that is measured.
enum { CONTEXTS = 80, BLOCKS = 5000, KINDS = 8 };
static char names[CONTEXTS][80];
static unsigned name_count;
struct values {
    uint64_t allocated, blocks, live, live_blocks, peak, peak_blocks, temporary, resized;
};
static values model[CONTEXTS];
static uint64_t live, most;
struct block {
    void *at;
    size_t bytes;
    unsigned context, kind;
};
static block all[BLOCKS];
static unsigned count;
static thread_local void *newest;
static thread_local const char *path = "main";

static unsigned context_of(const char *leaf)
{
    char name[80];
    snprintf(name, sizeof name, "%s;[%s]", path, leaf);
    for (unsigned i = 0; i < name_count; i++)
        if (!strcmp(names[i], name))
            return i;
    strcpy(names[name_count], name);
    return name_count++;
}

static void gone(const block &b)
{
    model[b.context].live -= b.bytes;
    model[b.context].live_blocks--;
    live -= b.bytes;
}

static void born(void *at, size_t bytes, const char *leaf, unsigned kind)
{
    unsigned context = context_of(leaf);
    values &v = model[context];
    v.allocated += bytes;
    v.blocks++;
    v.live += bytes;
    v.live_blocks++;
    live += bytes;
    if (live > most) {
        most = live;
        for (unsigned i = 0; i < CONTEXTS; i++) {
            model[i].peak = model[i].live;
            model[i].peak_blocks = model[i].live_blocks;
        }
    }
    newest = at;
    all[count++] = { at, bytes, context, kind };
}

static uint64_t state = 12345;
static unsigned chance(unsigned below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % below;
}

#define FUNCTION extern "C" __attribute__((noinline, optnone))
FUNCTION void allocate(size_t bytes)
{
    void *at = nullptr;
    if (count == BLOCKS)
        return;
    unsigned kind = chance(KINDS);
    switch (kind) {
    case 0: at = malloc(bytes); return born(at, bytes, "malloc", 0);
    case 1: at = calloc(bytes, 3); return born(at, 3 * bytes, "calloc", 0);
    case 2: at = ::operator new(bytes); return born(at, bytes, "_Znwm", 1);
    case 3: at = ::operator new[](bytes); return born(at, bytes, "_Znam", 2);
    case 4: at = aligned_alloc(64, 64 * bytes); return born(at, 64 * bytes, "aligned_alloc", 0);
    case 5: if (posix_memalign(&at, 128, bytes)) abort(); return born(at, bytes, "posix_memalign", 0);
    case 6: at = strdup("a text that has thirty-one bytes"); return born(at, 33, "strdup", 0);
    case 7: at = ::operator new(64 * bytes, std::align_val_t(64)); return born(at, 64 * bytes, "_ZnwmSt11align_val_t", 3);
    }
}
// The C library's realloc frees a block that is to have no bytes. mimalloc's makes one of no bytes of it.
FUNCTION void free_by_realloc(void *at)
{
    void *volatile none = realloc(at, 0);
    if (none)
        abort();
}
const bool has_other_malloc = getenv("LD_PRELOAD");
FUNCTION void release(unsigned i)
{
    block b = all[i];
    all[i] = all[--count];
    if (b.at == newest) {
        model[b.context].temporary++;
        newest = nullptr;
    }
    gone(b);
    switch (b.kind) {
    case 0: return b.bytes % 4 || has_other_malloc ? free(b.at) : free_by_realloc(b.at);
    case 1: return ::operator delete(b.at);
    case 2: return ::operator delete[](b.at);
    case 3: return ::operator delete(b.at, std::align_val_t(64));
    }
}
FUNCTION void resize(unsigned i, size_t bytes)
{
    block b = all[i];
    if (b.kind)
        return;
    all[i] = all[--count];
    gone(b);
    born(realloc(b.at, bytes), bytes, "realloc", 0);
    model[all[count - 1].context].resized++;
}
FUNCTION void cancel(unsigned i) // a realloc that fails changes nothing
{
    volatile size_t far = SIZE_MAX / 2;
    void *volatile got = all[i].kind ? nullptr : realloc(all[i].at, far);
    if (got)
        abort();
}
FUNCTION void step()
{
    const char *outer = path;
    char inner[60];
    auto enter = [&](const char *function) { snprintf(inner, sizeof inner, "%s;step;%s", outer, function); path = inner; };
    switch (chance(8)) {
    case 0: case 1: case 2: enter("allocate"); allocate(chance(3000) + 1); break;
    case 3: case 4: enter("release"); if (count) release(chance(count)); break;
    case 5: enter("release"); if (count) release(count - 1); break;
    case 6: enter("resize"); if (count) resize(chance(count), chance(5000) + 1); break;
    case 7: enter("cancel"); if (count) cancel(chance(count)); break;
    }
    path = outer;
}
FUNCTION void more() { path = "main;more"; for (int i = 0; i < 20000; i++) step(); path = "main"; }
#ifndef THREADS
static void start() {}
static void take_turns() {}
static void end() {}
#else
// Threads that do the steps in turns, and others that allocate blocks of no bytes all the time: these are in no sum, and are no maximum.
#include <atomic>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>
enum { TURNS = 3, OTHERS = 3, STEPS = 60000 };
static pthread_t threads[TURNS + OTHERS];
static sem_t turns[TURNS], done;
static unsigned steps;
static std::atomic<bool> ends;
FUNCTION void *turn(void *own)
{
    path = "turn";
    for (;;) {
        while (sem_wait((sem_t *)own))
            ;
        if (steps == STEPS)
            return nullptr;
        for (unsigned i = chance(6); i > 0 && steps < STEPS; i--, steps++)
            step();
        sem_post(steps < STEPS ? &turns[chance(TURNS)] : &done);
    }
}
FUNCTION void *other(void *)
{
    while (!ends) {
        for (int i = 0; i < 5000; i++) {
            void *volatile none = malloc(0);
            free(none);
        }
        usleep(100);
    }
    return nullptr;
}
static void start()
{
    sem_init(&done, 0, 0);
    for (int i = 0; i < TURNS; i++)
        if (sem_init(&turns[i], 0, 0) || pthread_create(&threads[i], nullptr, turn, &turns[i]))
            abort();
    for (int i = TURNS; i < TURNS + OTHERS; i++)
        if (pthread_create(&threads[i], nullptr, other, nullptr))
            abort();
}
static void take_turns()
{
    sem_post(&turns[0]);
    while (sem_wait(&done))
        ;
}
static void end()
{
    ends = true;
    for (sem_t &turn : turns)
        sem_post(&turn);
    for (pthread_t thread : threads)
        pthread_join(thread, nullptr);
}
#endif
int main()
{
    static char buffer[1 << 16];
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    start();
    for (int i = 0; i < 20000; i++)
        step();
    more();
    take_turns();
    while (count > 700) { path = "main;release"; release(chance(count)); path = "main"; }
    end();
    for (unsigned i = 0; i < name_count; i++) {
        const uint64_t *v = &model[i].allocated;
        static const char *const titles[] = { "allocated", "blocks", "live", "live-blocks", "peak", "peak-blocks", "temporary", "resized" };
        for (int k = 0; k < 8; k++)
            if (v[k])
                printf("%s %s %llu\n", titles[k], names[i], (unsigned long long)v[k]);
    }
}
