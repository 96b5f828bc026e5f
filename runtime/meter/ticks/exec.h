/* Keeps a counter's signal from the next program.
 *
 * Usually nothing waits at exec. If the program blocks the signal, one of the thread's counter may. The
 * kernel drops those of timers at exec, but not those of counters: the next program would get the signal,
 * which ends it. So the functions of the exec family are led to this file, in runs with counters only.
 *
 * Not seen: static programs, objects that dlopen loads, and system calls that the program makes itself. */
#ifndef HCCT_RUNTIME_METER_TICKS_EXEC_H
#define HCCT_RUNTIME_METER_TICKS_EXEC_H

/* Once, at start. */
void hcct_exec_start(void);

#endif
