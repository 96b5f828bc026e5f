/* See jump.h. */
#define _GNU_SOURCE
#include "runtime/boundary/jump.h"

#include <limits.h> /* __GLIBC__ */
#include <link.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <threads.h>
#include <unwind.h>

#include "hcct/abi.h"
#include "runtime/base/confined.h"
#include "runtime/base/interpose.h"
#include "runtime/base/machine.h"
#include "runtime/boundary/signals.h"
#include "runtime/core/block.h"
#include "runtime/core/busy.h"
#include "runtime/core/meter.h"
#include "runtime/core/settings.h"
#include "runtime/objects/symbols.h"
#include "runtime/stack/fiber.h"
#include "runtime/stack/frame.h"

void __hcct_jump(const void *environment)
{
    uintptr_t sp = hcct_machine_jump_target(environment);
    bool left_handler = sp && hcct_in_handler && hcct_signals_leave_dead(sp);
    /* To another stack, or the target is not known: the next entry or pop will drop the dead frames. */
    if (sp < HCCT_CALLER_SP && !left_handler)
        return;
    hcct_meter_jump(sp);
    __hcct_thread.top = hcct_frame_drop_dead(__hcct_thread.top, sp);
}

#if defined(__GLIBC__)

typedef __attribute__((noreturn)) void jump_function(struct __jmp_buf_tag *environment, int value);

jump_function __interceptor_longjmp __attribute__((weak));  /* a sanitizer's */
jump_function __interceptor__longjmp __attribute__((weak)); /* AddressSanitizer's */
jump_function __interceptor_siglongjmp __attribute__((weak));
jump_function __libc_siglongjmp __attribute__((weak)); /* in libc.a all three are this function */

extern __attribute__((noreturn)) void __pthread_exit(void *value) __attribute__((weak));
extern void __lsan_disable(void) __attribute__((weak)); /* what is allocated until __lsan_enable is no leak */
extern void __lsan_enable(void) __attribute__((weak));
extern int __cxa_thread_atexit_impl(void (*function)(void *), void *object, void *library)
    __attribute__((weak));

/* Brings __pthread_exit into a static program, and with it __libc_siglongjmp. thrd_exit is the exported
 * function whose object refers to them. */
__attribute__((used)) static void (*const in_same_archive_members)(int) = thrd_exit;

static jump_function *real_longjmp, *real__longjmp, *real_siglongjmp, *real_longjmp_chk;
static __typeof__(pthread_exit) *real_pthread_exit;

struct unwinder {
    __typeof__(_Unwind_GetCFA) *get_cfa;
    __typeof__(_Unwind_SetIP) *set_ip;
};

static struct unwinder unwinder_of_start; /* of an object that is never unloaded */

static jump_function *find_jump(jump_function *interceptor, const char *name)
{
    jump_function *next = interceptor ? interceptor : (jump_function *)hcct_interpose_next(name);
    return next ? next : __libc_siglongjmp;
}

static void *definition_in(const struct hcct_symbols *symbols, const char *name)
{
    const ElfW(Sym) *symbol = hcct_symbols_find(symbols, name, NULL);
    return symbol ? (void *)(symbols->base + symbol->st_value) : NULL;
}

static bool is_usual(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    return strcmp(name, "libgcc_s.so.1") == 0 || strcmp(name, "libunwind.so.1") == 0;
}

struct search {
    bool takes_any;
    bool is_behind_loader; /* in front of it are only objects of the start */
    struct unwinder found;
};

/* Another runtime of ours has only one of the two functions. */
static int find_unwinder_in(struct dl_phdr_info *object, size_t size, void *closure)
{
    (void)size;
    struct search *search = closure;
    struct hcct_symbols symbols;
    search->is_behind_loader |= object->dlpi_addr && object->dlpi_addr == getauxval(AT_BASE);
    if (search->is_behind_loader && !search->takes_any && !is_usual(object->dlpi_name))
        return 0;
    hcct_symbols_read(&symbols, object);
    void *get_cfa = definition_in(&symbols, "_Unwind_GetCFA"),
         *set_ip = get_cfa ? definition_in(&symbols, "_Unwind_SetIP") : NULL;
    if (!set_ip)
        return 0;
    search->found.get_cfa = (__typeof__(_Unwind_GetCFA) *)get_cfa;
    search->found.set_ip = (__typeof__(_Unwind_SetIP) *)set_ip;
    return 1;
}

/* The first one of the program, or the usual one if dlopen brought it, perhaps with RTLD_LOCAL: there other
 * libraries may have these names, too.
 * Not by dlsym, which waits for dlopen in another thread: a constructor there may wait for this thread. And
 * the program may still want the message of dlerror. */
static struct search find_unwinder(void)
{
    struct search search = { .takes_any = false };
    if (!dl_iterate_phdr(find_unwinder_in, &search)) {
        search = (struct search){ .takes_any = true };
        dl_iterate_phdr(find_unwinder_in, &search);
    }
    return search;
}

void hcct_jump_start(void)
{
    real_longjmp = find_jump(__interceptor_longjmp, "longjmp");
    real__longjmp = find_jump(__interceptor__longjmp, "_longjmp");
    real_siglongjmp = find_jump(__interceptor_siglongjmp, "siglongjmp");
    real_longjmp_chk = find_jump(NULL, "__longjmp_chk");
    real_pthread_exit = (__typeof__(pthread_exit) *)hcct_interpose_next("pthread_exit");
    if (!real_pthread_exit)
        real_pthread_exit = __pthread_exit;
    struct search search = find_unwinder();
    if (!search.is_behind_loader)
        unwinder_of_start = search.found;
}

static __attribute__((noreturn)) void jump(jump_function **real, struct __jmp_buf_tag *environment, int value)
{
    if (!*real) /* before our start */
        hcct_jump_start();
    __hcct_jump(environment);
    __hcct_thread.noted_site = NULL;
    (*real)(environment, value);
}

HCCT_INTERPOSE_UNLESS_OWN(longjmp);
__attribute__((noreturn)) void hcct_interposed_longjmp(struct __jmp_buf_tag *environment, int value)
{
    jump(&real_longjmp, environment, value);
}

HCCT_INTERPOSE_UNLESS_OWN(_longjmp);
__attribute__((noreturn)) void hcct_interposed__longjmp(struct __jmp_buf_tag *environment, int value)
{
    jump(&real__longjmp, environment, value);
}

HCCT_INTERPOSE_UNLESS_OWN(siglongjmp);
__attribute__((noreturn)) void hcct_interposed_siglongjmp(struct __jmp_buf_tag *environment, int value)
{
    jump(&real_siglongjmp, environment, value);
}

INTERPOSED __attribute__((noreturn)) void __longjmp_chk(struct __jmp_buf_tag *environment, int value)
{
    jump(&real_longjmp_chk, environment, value);
}

static void begin_at_root(void *unused)
{
    (void)unused;
    hcct_meter_switch_to((struct hcct_clock){ 0 });
    __hcct_thread.top = HCCT_ROOT_FRAME;
    __hcct_thread.noted_site = NULL;
}

/* The C library allocates what it keeps of a destructor. The first thread frees that only if it ends last.
 * So a leak sanitizer must leave it out, and so must the profile of the heap: what is allocated inside the
 * profiler does not count. */
static void register_beginning(void)
{
    bool leaks_are_sought = __lsan_disable && __lsan_enable;
    if (leaks_are_sought)
        __lsan_disable();
    bool blocks_count = hcct_core_settings.metric == HCCT_METRIC_HEAP;
    if (blocks_count)
        hcct_busy_enter();
    __cxa_thread_atexit_impl(begin_at_root, NULL,
                             &unwinder_of_start /* anything of this object; NULL crashes */);
    if (blocks_count)
        hcct_busy_leave();
    if (leaks_are_sought)
        __lsan_enable();
}

/* Drops the frame of the call of pthread_exit, which nothing needs any more, if there is no other one. */
static bool drop_last_frame(uintptr_t sp)
{
    struct hcct_frame *top = hcct_frame_drop_dead(__hcct_thread.top, sp);
    if (!hcct_frame_is_root(top) || hcct_frame_is_barrier(top) || hcct_in_handler || hcct_fiber_place.self)
        return false;
    __hcct_thread.top = top;
    __hcct_thread.noted_site = NULL;
    return true;
}

/* When the thread's C++ thread-local objects are destroyed, its functions' frames are gone. But one near the
 * start of its stack may look live. The newest destructor runs first, so ours runs before those. It is not
 * registered without need: the C library takes the loader's lock for that, and a constructor in dlopen may
 * wait for this thread. For destructors of pthread keys see core/block.c. */
HCCT_INTERPOSE_UNLESS_OWN(pthread_exit);
__attribute__((noreturn)) void hcct_interposed_pthread_exit(void *value)
{
    /* now, while the callers' frames exist; a landing pad on the way sets its own clock */
    hcct_meter_switch_to((struct hcct_clock){ 0 });
    if (!real_pthread_exit) /* before our start */
        hcct_jump_start();
    if (!hcct_confined && !drop_last_frame(HCCT_CALLER_SP) && __cxa_thread_atexit_impl)
        register_beginning();
    real_pthread_exit(value);
    __builtin_unreachable();
}

/* Weak: in a program with a static unwinder, the unwinder's own definition is used. */
INTERPOSED __attribute__((weak)) void _Unwind_SetIP(struct _Unwind_Context *context, _Unwind_Ptr address)
{
    struct unwinder unwinder = unwinder_of_start;
    if (!unwinder.set_ip) /* dlopen brought it, and dlclose may take it away */
        unwinder = find_unwinder().found;
    /* entry_sp of the function that the frame called */
    uintptr_t sp = unwinder.get_cfa(context) - sizeof(void *);
    hcct_meter_jump(sp);
    __hcct_thread.noted_site = NULL;
    __hcct_arrive(sp);
    unwinder.set_ip(context, address);
}

/* What is defined above, also where the program's own definition is used. */
extern __typeof__(_Unwind_SetIP) defined_set_ip __attribute__((alias("_Unwind_SetIP"), visibility("hidden")));

bool hcct_jumps_are_seen(void)
{
    /* volatile: the compiler takes the two for one */
    __typeof__(_Unwind_SetIP) *volatile used = _Unwind_SetIP, *volatile defined = defined_set_ip;
    return used == defined;
}

#else
bool hcct_jumps_are_seen(void)
{
    return false;
}

void hcct_jump_start(void) {}
#endif
