/* dlclose, interposed: what it unloads is copied for the decoder first. In a file of its own: an executable that does not
 * call dlclose does not take it from the archive. */
#define _GNU_SOURCE
#include <dlfcn.h>

#include "runtime/registry.h"
#include "runtime/writer.h"

int __interceptor_dlclose(void *handle) __attribute__((weak)); /* a sanitizer's */

__attribute__((visibility("default"), used)) int dlclose(void *handle)
{
    int (*real)(void *) =
        __interceptor_dlclose ? __interceptor_dlclose : (int (*)(void *))dlsym(RTLD_NEXT, "dlclose");
    if (!real)
        return -1;
    hcct_profile_hold();
    hcct_registry_before_unload();
    int result = real(handle);
    hcct_registry_after_unload();
    hcct_profile_release();
    return result;
}
