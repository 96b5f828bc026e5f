# interrupt.py WHOM COMMAND...: runs hcct-run, and once its hcct-decode reads the profile, sends SIGINT to that one (decode), or SIGTERM to hcct-run (run).
# The exit status is hcct-run's.
import os
import signal
import subprocess
import sys
import time


def decoder_of(parent):
    """Its process; None while there is none. The one that only looks at the options reads no profile."""
    with open(f"/proc/{parent}/task/{parent}/children", encoding="ascii") as children:
        for child in children.read().split():
            try:
                with open(f"/proc/{child}/cmdline", "rb") as file:
                    words = file.read().split(b"\0")
            except OSError:
                continue
            if words[0].endswith(b"hcct-decode") and words[-2].endswith(b".bin"):
                return int(child)
    return None


whom, command = sys.argv[1], sys.argv[2:]
for number in (signal.SIGINT, signal.SIGTERM):  # a signal that was ignored would stay so
    signal.signal(number, signal.SIG_DFL)
run = subprocess.Popen(command)
end = time.monotonic() + 100
while not (decoder := decoder_of(run.pid)):
    if run.poll() is not None or time.monotonic() > end:
        sys.exit("hcct-decode was not seen")
    time.sleep(0.01)
if whom == "decode":
    os.kill(decoder, signal.SIGINT)
else:
    run.terminate()
try:
    sys.exit(run.wait(100))
except subprocess.TimeoutExpired:
    os.kill(decoder, signal.SIGKILL)
    raise
