/* Starts and ends LLVM XRay's profiling mode, whose tree of calls goes to xray.* in the working folder. */
#include <stddef.h>
#include <stdlib.h>

enum { INITIALIZED = 2 }; /* XRayLogInitStatus */

int __xray_log_select_mode(const char *mode);
int __xray_log_init_mode(const char *mode, const char *config);
int __xray_log_finalize(void);
int __xray_log_flushLog(void);
int __xray_patch(void);
int __xray_unpatch(void);

static void end(void)
{
    __xray_unpatch();
    __xray_log_finalize();
    __xray_log_flushLog();
}

__attribute__((constructor, xray_never_instrument)) static void start(void)
{
    if (__xray_log_select_mode("xray-profiling") ||
        __xray_log_init_mode("xray-profiling", "no_flush=false") != INITIALIZED)
        exit(99);
    __xray_patch();
    atexit(end);
}
