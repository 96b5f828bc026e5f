"""Runs a command with so many MB of memory, and wants it to end by itself with at most so many MB of output.

usage: within.py STATUS MEMORY_MB OUTPUT_MB COMMAND...
"""
import resource
import subprocess
import sys

status, memory, output = (int(number) for number in sys.argv[1:4])
run = subprocess.Popen(sys.argv[4:], stdout=subprocess.PIPE,
                       preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (memory << 20, memory << 20)))
length = 0
while piece := run.stdout.read(1 << 20):
    length += len(piece)
    if length > output << 20:
        run.kill()
        sys.exit(f"more than {output} MB of output")
if run.wait() != status:
    sys.exit(f"status {run.returncode}, not {status}")
print(length, "bytes")
