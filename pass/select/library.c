/* Library functions (C and C++) that call back into the program only what it may have put in the library's
 * place or handed to it: allocation, handlers, streams, members of std::string. Such a call needs no push in
 * a program that has none of that (HCCT_DELTA_NONE), unless the meter wants to know of it (metric=wall,
 * heap). Sites and modules carry bits for it (enum hcct_library), so that no name is compared when the
 * program starts.
 *
 * What each family leads to (test/pass/library.test compares C++'s with the code of the installed library):
 *   C allocation, operator delete: each other, by symbols that a program may define.
 *   operator new, __cxa_allocate_exception, __cxa_free_exception: the same; the new-handler; std::terminate.
 *   stdio: allocation of a stream's buffer; the functions of streams made by fopencookie, and of conversions
 *     added to printf. Other streams, locales and aborts run no code of the program's but signal handlers.
 *   members of std::string and std::wstring: each other, memory and string functions, allocation, and the
 *     functions that throw for them (ways_up). An exception runs destructors, in landing pads, which are
 *     instrumented code, and the terminate handler if nobody catches it. A program may define all members, as
 *     C++20 has no extern template. Not listed are templates, and members that call one of which the program
 *     may have a copy (constructors and substr call _M_construct<char const *>).
 *   system calls, locks, and what makes use of them: nothing. But a thread may wait there, so such a call
 *     pushes if waiting is measured. What is in harmless.c does not wait.
 *
 * Not listed though similar: C++'s streams and locales, std::function, sorting and shared_ptr, which call
 * virtual functions and pointers of the program; what ends an exception, which runs its destructor. */
#include "pass/select/library.h"

#include <stdlib.h>
#include <string.h>

#include "hcct/abi.h"
#include "pass/unit/ir.h"

struct listed {
    const char *name;
    uint32_t leads_to;
};

#define FREES HCCT_LIBRARY_ALLOCATION
#define ALLOCATES (HCCT_LIBRARY_ALLOCATION | HCCT_LIBRARY_HANDLER)
#define WAITS HCCT_LIBRARY_WAIT
#define STREAMS (HCCT_LIBRARY_ALLOCATION | HCCT_LIBRARY_STREAM)
#define STRINGS (HCCT_LIBRARY_ALLOCATION | HCCT_LIBRARY_HANDLER | HCCT_LIBRARY_STRING)

/* Sorted, for the binary search; a test checks the order.
 * clang-format off: one name a line would be too many. */
static const struct listed list[] = {
    { "_IO_getc", STREAMS },
    { "_IO_putc", STREAMS },
    { "_ZdaPv", FREES },
    { "_ZdaPvRKSt9nothrow_t", FREES },
    { "_ZdaPvSt11align_val_t", FREES },
    { "_ZdaPvSt11align_val_tRKSt9nothrow_t", FREES },
    { "_ZdaPvm", FREES },
    { "_ZdaPvmSt11align_val_t", FREES },
    { "_ZdlPv", FREES },
    { "_ZdlPvRKSt9nothrow_t", FREES },
    { "_ZdlPvSt11align_val_t", FREES },
    { "_ZdlPvSt11align_val_tRKSt9nothrow_t", FREES },
    { "_ZdlPvm", FREES },
    { "_ZdlPvmSt11align_val_t", FREES },
    { "_Znam", ALLOCATES },
    { "_ZnamRKSt9nothrow_t", ALLOCATES },
    { "_ZnamSt11align_val_t", ALLOCATES },
    { "_ZnamSt11align_val_tRKSt9nothrow_t", ALLOCATES },
    { "_Znwm", ALLOCATES },
    { "_ZnwmRKSt9nothrow_t", ALLOCATES },
    { "_ZnwmSt11align_val_t", ALLOCATES },
    { "_ZnwmSt11align_val_tRKSt9nothrow_t", ALLOCATES },
    { "__asprintf_chk", STREAMS },
    { "__cxa_allocate_exception", ALLOCATES },
    { "__cxa_free_exception", ALLOCATES },
    { "__cxa_guard_acquire", WAITS },
    { "__dprintf_chk", STREAMS },
    { "__fgets_chk", STREAMS },
    { "__fprintf_chk", STREAMS },
    { "__fread_chk", STREAMS },
    { "__isoc23_fscanf", STREAMS },
    { "__isoc23_scanf", STREAMS },
    { "__isoc23_sscanf", STREAMS },
    { "__isoc23_vfscanf", STREAMS },
    { "__isoc23_vscanf", STREAMS },
    { "__isoc23_vsscanf", STREAMS },
    { "__isoc99_fscanf", STREAMS },
    { "__isoc99_scanf", STREAMS },
    { "__isoc99_sscanf", STREAMS },
    { "__isoc99_vfscanf", STREAMS },
    { "__isoc99_vscanf", STREAMS },
    { "__isoc99_vsscanf", STREAMS },
    { "__overflow", STREAMS },
    { "__printf_chk", STREAMS },
    { "__snprintf_chk", STREAMS },
    { "__sprintf_chk", STREAMS },
    { "__uflow", STREAMS },
    { "__vasprintf_chk", STREAMS },
    { "__vdprintf_chk", STREAMS },
    { "__vfprintf_chk", STREAMS },
    { "__vprintf_chk", STREAMS },
    { "__vsnprintf_chk", STREAMS },
    { "__vsprintf_chk", STREAMS },
    { "access", WAITS },
    { "aligned_alloc", FREES },
    { "asprintf", STREAMS },
    { "calloc", FREES },
    { "chmod", WAITS },
    { "clearerr", WAITS },
    { "close", WAITS },
    { "dprintf", STREAMS },
    { "dup2", WAITS },
    { "fchmod", WAITS },
    { "fcntl", WAITS },
    { "fcntl64", WAITS },
    { "fdatasync", WAITS },
    { "feof", WAITS },
    { "ferror", WAITS },
    { "fflush", STREAMS },
    { "fflush_unlocked", STREAMS },
    { "fgetc", STREAMS },
    { "fgetc_unlocked", STREAMS },
    { "fgets", STREAMS },
    { "fgets_unlocked", STREAMS },
    { "fprintf", STREAMS },
    { "fputc", STREAMS },
    { "fputc_unlocked", STREAMS },
    { "fputs", STREAMS },
    { "fputs_unlocked", STREAMS },
    { "fread", STREAMS },
    { "fread_unlocked", STREAMS },
    { "free", FREES },
    { "fscanf", STREAMS },
    { "fseek", STREAMS },
    { "fseeko", STREAMS },
    { "fstat", WAITS },
    { "fstat64", WAITS },
    { "fsync", WAITS },
    { "ftell", STREAMS },
    { "ftello", STREAMS },
    { "ftruncate", WAITS },
    { "ftruncate64", WAITS },
    { "fwrite", STREAMS },
    { "fwrite_unlocked", STREAMS },
    { "getc", STREAMS },
    { "getc_unlocked", STREAMS },
    { "getchar", STREAMS },
    { "getchar_unlocked", STREAMS },
    { "getdelim", STREAMS },
    { "getline", STREAMS },
    { "ioctl", WAITS },
    { "isatty", WAITS },
    { "lseek", WAITS },
    { "lseek64", WAITS },
    { "lstat", WAITS },
    { "lstat64", WAITS },
    { "madvise", WAITS },
    { "malloc", FREES },
    { "malloc_usable_size", FREES },
    { "memalign", FREES },
    { "mkdir", WAITS },
    { "mmap", WAITS },
    { "mmap64", WAITS },
    { "mprotect", WAITS },
    { "mremap", WAITS },
    { "munmap", WAITS },
    { "nanosleep", WAITS },
    { "open", WAITS },
    { "open64", WAITS },
    { "openat", WAITS },
    { "openat64", WAITS },
    { "pipe", WAITS },
    { "pipe2", WAITS },
    { "poll", WAITS },
    { "posix_memalign", FREES },
    { "pread", WAITS },
    { "pread64", WAITS },
    { "printf", STREAMS },
    { "pthread_cond_broadcast", WAITS },
    { "pthread_cond_signal", WAITS },
    { "pthread_mutex_lock", WAITS },
    { "putc", STREAMS },
    { "putc_unlocked", STREAMS },
    { "putchar", STREAMS },
    { "putchar_unlocked", STREAMS },
    { "puts", STREAMS },
    { "pwrite", WAITS },
    { "pwrite64", WAITS },
    { "rand", WAITS },
    { "random", WAITS },
    { "read", WAITS },
    { "readlink", WAITS },
    { "readv", WAITS },
    { "realloc", FREES },
    { "reallocarray", FREES },
    { "rename", WAITS },
    { "rewind", STREAMS },
    { "rmdir", WAITS },
    { "scanf", STREAMS },
    { "select", WAITS },
    { "snprintf", STREAMS },
    { "sprintf", STREAMS },
    { "srand", WAITS },
    { "srandom", WAITS },
    { "sscanf", STREAMS },
    { "stat", WAITS },
    { "stat64", WAITS },
    { "strdup", FREES },
    { "strndup", FREES },
    { "sysconf", WAITS },
    { "ungetc", STREAMS },
    { "unlink", WAITS },
    { "usleep", WAITS },
    { "vasprintf", STREAMS },
    { "vdprintf", STREAMS },
    { "vfprintf", STREAMS },
    { "vfscanf", STREAMS },
    { "vprintf", STREAMS },
    { "vscanf", STREAMS },
    { "vsnprintf", STREAMS },
    { "vsprintf", STREAMS },
    { "vsscanf", STREAMS },
    { "write", WAITS },
    { "writev", WAITS },
};
/* clang-format on */

struct name {
    const char *text;
    size_t length;
};

static int compare(const void *key, const void *element)
{
    const struct name *name = key;
    const struct listed *listed = element;
    int order = strncmp(name->text, listed->name, name->length);
    return order ? order : -(listed->name[name->length] != 0);
}

static bool begins_with(const char *name, size_t length, const char *prefix)
{
    size_t prefix_length = strlen(prefix);
    return length >= prefix_length && memcmp(name, prefix, prefix_length) == 0;
}

/* What stands in the mangled name of a member of std::string or std::wstring behind the class; NULL: it is
 * none. */
static const char *string_member(const char *name, size_t length)
{
    static const char *const classes[] = { "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE",
                                           "_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE",
                                           "_ZNSt7__cxx1112basic_stringIwSt11char_traitsIwESaIwEE",
                                           "_ZNKSt7__cxx1112basic_stringIwSt11char_traitsIwESaIwEE" };
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
        if (begins_with(name, length, classes[i]))
            return name + strlen(classes[i]);
    return NULL;
}

/* Whether a source name, an operator's, a constructor's or a destructor's is all there is up to the E of the
 * nested name: it is no template, nor something within the member. */
static bool is_plain_string_member(const char *name, size_t name_length)
{
    const char *member = string_member(name, name_length);
    if (!member)
        return false;
    size_t length = (size_t)(name + name_length - member);
    size_t bytes = 0, at = 0;
    for (; at < length && member[at] >= '0' && member[at] <= '9' && bytes < length; at++)
        bytes = 10 * bytes + (size_t)(member[at] - '0');
    bytes = at ? at + bytes : 2;
    return bytes < length && member[bytes] == 'E';
}

static bool constructs(const char *name, size_t length)
{
    const char *member = string_member(name, length);
    size_t rest = (size_t)(name + length - member);
    return member[0] == 'C' || begins_with(member, rest, "6substr") ||
           begins_with(member, rest, "18_M_construct_aux_2");
}

uint32_t hcct_library_leads_to(const char *name, size_t length)
{
    struct name key = { name, length };
    const struct listed *found = bsearch(&key, list, sizeof list / sizeof list[0], sizeof list[0], compare);
    if (found)
        return found->leads_to;
    return is_plain_string_member(name, length) && !constructs(name, length) ? STRINGS : 0;
}

bool hcct_library_only_releases(LLVMValueRef callee)
{
    size_t length;
    const char *name = LLVMGetValueName2(callee, &length);
    return (length == 4 && memcmp(name, "free", 4) == 0) || begins_with(name, length, "_Zdl") ||
           begins_with(name, length, "_Zda");
}

/* --- what the module has ------------------------------------------------------------------------- */

/* The bits of the library's functions that `global` takes the place of; 0 if the library cannot see it. */
static uint32_t replaces(LLVMValueRef global)
{
    static const char *const ways_up[] = { "__cxa_throw",
                                           "__cxa_rethrow",
                                           "_ZSt9terminatev",
                                           "_ZSt17__throw_bad_allocv",
                                           "_ZSt28__throw_bad_array_new_lengthv",
                                           "_ZSt19__throw_logic_errorPKc",
                                           "_ZSt20__throw_length_errorPKc",
                                           "_ZSt20__throw_out_of_rangePKc",
                                           "_ZSt24__throw_out_of_range_fmtPKcz" };
    size_t length;
    const char *name = LLVMGetValueName2(global, &length);
    if (hcct_ir_is_local(global) || LLVMGetLinkage(global) == LLVMAvailableExternallyLinkage)
        return 0;
    if (is_plain_string_member(name, length))
        return HCCT_LIBRARY_STRING;
    for (size_t i = 0; i < sizeof ways_up / sizeof ways_up[0]; i++)
        if (strlen(ways_up[i]) == length && memcmp(ways_up[i], name, length) == 0)
            return HCCT_LIBRARY_HANDLER;
    uint32_t leads_to = hcct_library_leads_to(name, length);
    return leads_to & HCCT_LIBRARY_STREAM ? HCCT_LIBRARY_STREAM : leads_to & HCCT_LIBRARY_ALLOCATION;
}

/* The bits of what the module gives the library to call: it refers to a function that sets a handler, or
 * makes a stream. */
static uint32_t hands_over(LLVMModuleRef module)
{
    static const struct listed setters[] = {
        { "_ZSt15set_new_handlerPFvvE", HCCT_LIBRARY_HANDLER },
        { "_ZSt13set_terminatePFvvE", HCCT_LIBRARY_HANDLER },
        { "_ZSt14set_unexpectedPFvvE", HCCT_LIBRARY_HANDLER },
        { "fopencookie", HCCT_LIBRARY_STREAM },
        { "funopen", HCCT_LIBRARY_STREAM },
        { "register_printf_function", HCCT_LIBRARY_STREAM },
        { "register_printf_specifier", HCCT_LIBRARY_STREAM },
        { "register_printf_type", HCCT_LIBRARY_STREAM },
    };
    uint32_t own = 0;
    for (size_t i = 0; i < sizeof setters / sizeof setters[0]; i++) {
        LLVMValueRef setter = LLVMGetNamedFunction(module, setters[i].name);
        if (setter && LLVMGetFirstUse(setter))
            own |= setters[i].leads_to;
    }
    return own;
}

/* Functions that are not instrumented count, too: they may call instrumented ones. */
uint32_t hcct_library_own(LLVMModuleRef module)
{
    uint32_t own = hands_over(module);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            own |= replaces(f);
    for (LLVMValueRef alias = LLVMGetFirstGlobalAlias(module); alias; alias = LLVMGetNextGlobalAlias(alias))
        own |= replaces(alias);
    for (LLVMValueRef chosen = LLVMGetFirstGlobalIFunc(module); chosen;
         chosen = LLVMGetNextGlobalIFunc(chosen))
        own |= replaces(chosen);
    return own;
}
