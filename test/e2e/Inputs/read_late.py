"""usage: read_late.py PIPE PROGRAM: runs PROGRAM, which writes to PIPE, and prints what it wrote.

Nothing is read before the pipe is full.
"""
import fcntl
import os
import subprocess
import sys
import termios
import time

PIPE_BYTES = 65536

reader = os.open(sys.argv[1], os.O_RDONLY | os.O_NONBLOCK)
os.set_blocking(reader, True)
program = subprocess.Popen(sys.argv[2:])
filled = bytes(4)
while program.poll() is None and int.from_bytes(filled, sys.byteorder) < PIPE_BYTES:
    filled = fcntl.ioctl(reader, termios.FIONREAD, filled)
    time.sleep(0.01)
while part := os.read(reader, PIPE_BYTES):
    sys.stdout.buffer.write(part)
sys.exit(program.wait())
