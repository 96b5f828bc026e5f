/* The runtime's own functions in the place of the C library's, for what only calls the kernel. The build puts
 * this file in front of every source of the runtime (runtime/CMakeLists.txt), so that `open` is
 * hcct_system_open there, which calls.c defines.
 *
 * Why: ISO C leaves these names to the program. One that simulates a cache may have a function `access`, and
 * a virtual machine one that is called `syscall` or `close`. The C library does not call those, nor may we.
 * snprintf is the C library's name, but programs for small machines bring their own (print.c).
 * test/e2e/objects/system-names.c knows which names the runtime may need of others. */
#ifndef HCCT_RUNTIME_SYSTEM_CALLS_H
#define HCCT_RUNTIME_SYSTEM_CALLS_H

#pragma redefine_extname access hcct_system_access
#pragma redefine_extname chdir hcct_system_chdir
#pragma redefine_extname clock_getres hcct_system_clock_getres
#pragma redefine_extname clock_gettime hcct_system_clock_gettime
#pragma redefine_extname close hcct_system_close
#pragma redefine_extname dup2 hcct_system_dup2
#pragma redefine_extname fcntl hcct_system_fcntl
#pragma redefine_extname fstat hcct_system_fstat
#pragma redefine_extname ftruncate hcct_system_ftruncate
#pragma redefine_extname getcwd hcct_system_getcwd
#pragma redefine_extname getegid hcct_system_getegid
#pragma redefine_extname geteuid hcct_system_geteuid
#pragma redefine_extname gethostname hcct_system_gethostname
#pragma redefine_extname getpgrp hcct_system_getpgrp
#pragma redefine_extname getpid hcct_system_getpid
#pragma redefine_extname getrlimit hcct_system_getrlimit
#pragma redefine_extname ioctl hcct_system_ioctl
#pragma redefine_extname lstat hcct_system_lstat
#pragma redefine_extname mincore hcct_system_mincore
#pragma redefine_extname mprotect hcct_system_mprotect
#pragma redefine_extname open hcct_system_open
#pragma redefine_extname pipe2 hcct_system_pipe2
#pragma redefine_extname prctl hcct_system_prctl
#pragma redefine_extname pread hcct_system_pread
#pragma redefine_extname process_vm_readv hcct_system_process_vm_readv
#pragma redefine_extname pwrite hcct_system_pwrite
#pragma redefine_extname read hcct_system_read
#pragma redefine_extname readlink hcct_system_readlink
#pragma redefine_extname rename hcct_system_rename
#pragma redefine_extname sched_yield hcct_system_sched_yield
#pragma redefine_extname setsid hcct_system_setsid
#pragma redefine_extname sigaddset hcct_system_sigaddset
#pragma redefine_extname sigdelset hcct_system_sigdelset
#pragma redefine_extname sigemptyset hcct_system_sigemptyset
#pragma redefine_extname sigfillset hcct_system_sigfillset
#pragma redefine_extname sigismember hcct_system_sigismember
#pragma redefine_extname sigpending hcct_system_sigpending
#pragma redefine_extname sigtimedwait hcct_system_sigtimedwait
#pragma redefine_extname snprintf hcct_system_snprintf
#pragma redefine_extname stat hcct_system_stat
#pragma redefine_extname syscall hcct_system_syscall
#pragma redefine_extname unlink hcct_system_unlink
#pragma redefine_extname vsnprintf hcct_system_vsnprintf
#pragma redefine_extname write hcct_system_write
#pragma redefine_extname writev hcct_system_writev

/* link, without a pragma, as that would warn of each variable of this name. */
int hcct_system_link(const char *from, const char *to);

/* From now on clock_gettime is as quick as the C library's: that function is looked for behind the program,
 * and not found in static programs. Not async-signal-safe: call it at start. */
void hcct_system_find_clock(void);

#endif
