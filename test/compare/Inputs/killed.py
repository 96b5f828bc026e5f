"""usage: killed.py TMPDIR OUTPUT COMMAND...    kills the command, by SIGKILL, when it has a temporary file, and again and again later, until it is
done before that; each time no file may be left in TMPDIR, and none beside OUTPUT"""
import os
import pathlib
import signal
import subprocess
import sys
import time

temporary, output, command = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
before = output.read_bytes()


def has_temporary(process):
    try:
        return any(os.readlink(link).startswith(temporary) for link in pathlib.Path(f"/proc/{process.pid}/fd").iterdir())
    except OSError:
        return False


def run(seconds):
    """Whether it was killed, which may be in its last moment, when the output is whole."""
    process = subprocess.Popen(command, env={**os.environ, "TMPDIR": temporary})
    while process.poll() is None and not has_temporary(process):
        time.sleep(0.001)
    time.sleep(seconds)
    process.send_signal(signal.SIGKILL)
    return process.wait() == -signal.SIGKILL


files = set(os.listdir("."))
subprocess.run(command, check=True)
whole = output.read_bytes()
output.write_bytes(before)
kills, seconds = 0, 0.0
for _ in range(1000):
    if not run(seconds):
        if kills:
            break
        output.write_bytes(before)
        continue  # it was done before this process could look, on a busy machine
    kills += 1
    seconds += 0.03
    if os.listdir(temporary) or set(os.listdir(".")) != files or output.read_bytes() not in (before, whole):
        sys.exit(f"left behind: {os.listdir(temporary)} {set(os.listdir('.')) - files}")
    output.write_bytes(before)
output.write_bytes(before)
sys.exit(0 if kills else "it was never killed")
