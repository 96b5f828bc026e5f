/* What a seccomp filter (classic BPF) would do about a system call. */
#ifndef HCCT_RUNTIME_BOUNDARY_FILTER_H
#define HCCT_RUNTIME_BOUNDARY_FILTER_H

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>

/* The filter's answer, SECCOMP_RET_… and its data, to `call`. SECCOMP_RET_KILL_PROCESS also for what is no
 * filter. Async-signal-safe. Cost: each instruction at most once, as all jumps lead forward. */
uint32_t hcct_filter_answer(const struct sock_filter *filter, size_t count, const struct seccomp_data *call);

#endif
