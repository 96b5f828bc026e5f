"""Runs a command in a terminal of its own, and prints what it wrote there; the exit status is the command's.

usage: terminal.py COLUMNS ROWS COMMAND...
"""
import fcntl
import os
import pty
import struct
import sys
import termios

columns, rows, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
process, terminal = pty.fork()
if process == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    os.execvp(command[0], command)
while True:
    try:
        block = os.read(terminal, 65536)
    except OSError: # the other end is closed
        block = b""
    if not block:
        break
    while block.endswith(b"\r"):  # of an end of line, maybe
        block += os.read(terminal, 1)
    sys.stdout.buffer.write(block.replace(b"\r\n", b"\n"))
    sys.stdout.flush()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
