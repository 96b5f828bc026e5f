# The samples of live_short in a folded profile of metric=time against the CPU time of each thread, as printed: time-short.c.
import sys
import time

INTERVAL = 0.05
threads = [float(line) for line in open(sys.argv[1])]
found = 0
for line in open(sys.argv[2]):
    context, count = line.rsplit(" ", 1)
    if "live_short" in context and "[waiting]" not in context:
        found += int(count) / 1e9 / INTERVAL
tick = time.clock_getres(6)  # CLOCK_MONOTONIC_COARSE
errors = 6 * sum(t / INTERVAL for t in threads) ** 0.5
least, most = sum((t - tick) / INTERVAL for t in threads) - errors, sum((t + tick) / INTERVAL for t in threads) + errors
print(f"{found:.0f} samples, from {least:.1f} to {most:.1f} allowed")
sys.exit(not max(least, 1) <= found <= most)
