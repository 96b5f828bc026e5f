/* The functions that never call back into the program: the one positive list. A call to any other function that is not
 * instrumented is a push.
 *
 * What is not here, though it looks harmless: allocation (programs and preloaded libraries replace it, hooks call
 * back) and what may allocate (strerror, getcwd, pthread_setspecific), formatted and buffered output (fopencookie,
 * registered printf conversions), exit and atexit, qsort and its kin, pthread_once, signal-raising functions,
 * everything that runs constructors or destructors, members of templates of the C++ library (another module may have them of
 * its own). Allocation, stdio and std::string are in library.c.
 * Sorted, for the binary search; a test checks the order. */
#include <stdlib.h>
#include <string.h>

#include "pass/unit.h"

/* clang-format off: one name a line would be four hundred lines. */
static const char *const names[] = {
    "_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm",
    "_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm", "_ZNSt6chrono3_V212steady_clock3nowEv",
    "_ZNSt6chrono3_V212system_clock3nowEv", "_ZNSt8__detail15_List_node_base10_M_reverseEv",
    "_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_", "_ZNSt8__detail15_List_node_base4swapERS0_S1_",
    "_ZNSt8__detail15_List_node_base7_M_hookEPS0_", "_ZNSt8__detail15_List_node_base9_M_unhookEv",
    "_ZSt11_Hash_bytesPKvmm", "_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base",
    "_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base", "_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base",
    "_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base", "_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_",
    "_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_",
    "__ctype_b_loc", "__ctype_get_mb_cur_max", "__ctype_tolower_loc", "__ctype_toupper_loc",
    "__cxa_begin_catch", "__cxa_get_exception_ptr", "__cxa_guard_abort", "__cxa_guard_acquire",
    "__cxa_guard_release", "__divti3", "__dynamic_cast", "__errno_location", "__finite", "__fpclassify",
    "__isinf", "__isinff", "__isnan", "__isnanf", "__isoc23_strtol", "__isoc23_strtoll", "__isoc23_strtoul",
    "__isoc23_strtoull", "__longjmp_chk", "__memcpy_chk", "__memmove_chk", "__mempcpy_chk", "__memset_chk",
    "__modti3", "__multi3", "__popcountdi2", "__powidf2", "__signbit", "__sigsetjmp", "__stpcpy_chk",
    "__strcat_chk", "__strcpy_chk", "__strncat_chk", "__strncpy_chk", "__udivti3", "__umodti3", "_longjmp",
    "_setjmp", "abs", "access", "acos", "acosf", "acosh", "acoshf", "acoshl", "acosl", "asin", "asinf",
    "asinh", "asinhf", "asinhl", "asinl", "atan", "atan2", "atan2f", "atan2l", "atanf", "atanh", "atanhf",
    "atanhl", "atanl", "atof", "atoi", "atol", "atoll", "bcmp", "bcopy", "bzero", "cbrt", "cbrtf", "cbrtl",
    "ceil", "ceilf", "ceill", "chmod", "clearerr", "clock", "clock_getres", "clock_gettime", "close",
    "copysign", "copysignf", "copysignl", "cos", "cosf", "cosh", "coshf", "coshl", "cosl", "difftime",
    "div", "drand48", "dup", "dup2", "erf", "erfc", "erfcf", "erfcl", "erff", "erfl", "exp", "exp10",
    "exp10f", "exp10l", "exp2", "exp2f", "exp2l", "expf", "expl", "explicit_bzero", "expm1", "expm1f",
    "expm1l", "fabs", "fabsf", "fabsl", "fchmod", "fcntl", "fcntl64", "fdatasync", "fdim", "fdimf", "fdiml",
    "feof", "ferror", "fileno", "floor", "floorf", "floorl", "fma", "fmaf", "fmal", "fmax", "fmaxf",
    "fmaxl", "fmin", "fminf", "fminl", "fmod", "fmodf", "fmodl", "frexp", "frexpf", "frexpl", "fstat",
    "fstat64", "fsync", "ftruncate", "ftruncate64", "getegid", "getenv", "geteuid", "getgid",
    "getpagesize", "getpgrp", "getpid", "getppid", "gettid", "gettimeofday", "getuid", "hypot",
    "hypotf", "hypotl", "ilogb", "ilogbf", "ilogbl", "ioctl", "isalnum", "isalpha", "isascii", "isatty",
    "isblank", "iscntrl", "isdigit", "isgraph", "islower", "isprint", "ispunct", "isspace", "isupper",
    "iswalnum", "iswalpha", "iswdigit", "iswlower", "iswprint", "iswpunct", "iswspace", "iswupper",
    "isxdigit", "labs", "ldexp", "ldexpf", "ldexpl", "ldiv", "lgamma", "lgammaf", "lgammal", "llabs",
    "lldiv", "llrint", "llrintf", "llrintl", "llround", "llroundf", "llroundl", "log", "log10", "log10f",
    "log10l", "log1p", "log1pf", "log1pl", "log2", "log2f", "log2l", "logb", "logbf", "logbl", "logf",
    "logl", "longjmp", "lrand48", "lrint", "lrintf", "lrintl", "lround", "lroundf", "lroundl", "lseek",
    "lseek64", "lstat", "lstat64", "madvise", "memccpy", "memchr", "memcmp", "memcpy", "memmem", "memmove",
    "mempcpy", "memrchr", "memset", "mkdir", "mmap", "mmap64", "modf", "modff", "modfl", "mprotect",
    "mrand48", "mremap", "munmap", "nan", "nanf", "nanl", "nanosleep", "nearbyint", "nearbyintf",
    "nearbyintl", "nextafter", "nextafterf", "nextafterl", "nexttoward", "nexttowardf", "nexttowardl",
    "open", "open64", "openat", "openat64", "pipe", "pipe2", "poll", "pow", "powf", "powl", "pread",
    "pread64", "pthread_cond_broadcast", "pthread_cond_signal", "pthread_equal", "pthread_getspecific",
    "pthread_mutex_destroy", "pthread_mutex_init", "pthread_mutex_lock", "pthread_mutex_trylock",
    "pthread_mutex_unlock", "pthread_mutexattr_destroy", "pthread_mutexattr_init",
    "pthread_mutexattr_settype", "pthread_self", "pwrite", "pwrite64", "rand",
    "rand_r", "random", "rawmemchr", "read", "readlink", "readv", "remainder", "remainderf", "remainderl",
    "remquo", "remquof", "remquol", "rename", "rint", "rintf", "rintl", "rmdir", "round", "roundeven",
    "roundevenf", "roundevenl", "roundf", "roundl", "scalbln", "scalblnf", "scalblnl", "scalbn", "scalbnf",
    "scalbnl", "sched_yield", "secure_getenv", "select", "setjmp", "sigaddset", "sigdelset", "sigemptyset",
    "sigfillset", "sigismember", "siglongjmp", "sigsetjmp", "sin", "sincos", "sincosf", "sincosl", "sinf",
    "sinh", "sinhf", "sinhl", "sinl", "sqrt", "sqrtf", "sqrtl", "srand", "srand48", "srandom", "stat",
    "stat64", "stpcpy", "stpncpy", "strcasecmp", "strcasestr", "strcat", "strchr", "strchrnul", "strcmp",
    "strcpy", "strcspn", "strlcat", "strlcpy", "strlen", "strncasecmp", "strncat",
    "strncmp", "strncpy", "strnlen", "strpbrk", "strrchr", "strsep", "strspn", "strstr",
    "strtod", "strtof", "strtoimax", "strtok", "strtok_r", "strtol", "strtold", "strtoll", "strtoul",
    "strtoull", "strtoumax", "sysconf", "tan", "tanf", "tanh", "tanhf", "tanhl", "tanl",
    "tgamma", "tgammaf", "tgammal", "time", "times", "toascii", "tolower", "toupper", "towlower",
    "towupper", "trunc", "truncf", "truncl", "umask", "unlink", "usleep", "wcschr", "wcscmp", "wcscpy",
    "wcslen", "wcsncmp", "wcsncpy", "wcsrchr", "wcsstr", "wcwidth", "wmemchr", "wmemcmp", "wmemcpy",
    "wmemmove", "wmemset", "write", "writev",
};
/* clang-format on */

static int compare(const void *key, const void *element)
{
    return strcmp(key, *(const char *const *)element);
}

bool hcct_callee_is_harmless(const char *name, size_t length)
{
    char text[72];
    if (length >= sizeof text)
        return false;
    memcpy(text, name, length);
    text[length] = 0;
    return bsearch(text, names, sizeof names / sizeof names[0], sizeof names[0], compare) != NULL;
}
